"""Copied and pickled games and states, in this process and in others."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from mascarade_env import Scenario, scenarios
from tests.mascarade_env.adapters.openspiel_games import course, load_game, moment, pyspiel

policy = pytest.importorskip("open_spiel.python.policy")

OWN = Scenario("my own, (x=1)", 2, ("king", "thief", "judge"), strict=False, turn_limit=5)


# Own scenarios


def test_a_game_from_a_file_does_not_need_the_file_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(OWN.to_dict()))
    games = [
        load_game(OWN),
        load_game(OWN.to_dict()),
        load_game(path),
        load_game(str(path)),
        pyspiel.load_game(f"python_mascarade(scenario={path})"),
    ]
    states = [game.new_initial_state().child(0) for game in games]
    stored = pickle.dumps((games, states))
    path.write_text(json.dumps(OWN.to_dict() | {"start_coins": 2}))
    for _ in range(2):
        for game, state in (
            *zip(games, states, strict=True),
            *zip(*pickle.loads(stored), strict=True),
        ):
            copies = (
                copy.deepcopy(game),
                pickle.loads(pickle.dumps(game)),
                pyspiel.load_game(str(game)),
                copy.deepcopy(state).get_game(),
                pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[
                    0
                ],
            )
            assert all(twin.scenario == OWN for twin in (game, *copies))
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("safe", ["", '{}":[] ', '{}":[], /?=()'])
def test_a_scenario_can_be_quoted_in_different_ways(safe: str) -> None:
    text = quote(json.dumps(OWN.to_dict()), safe=safe)
    for written in (text, text.replace("%7B", "%7b")):
        assert pyspiel.load_game("python_mascarade", {"scenario": written}).scenario == OWN


def test_a_scenario_with_a_name_is_loaded_by_it() -> None:
    assert "scenario=4B," in str(load_game(scenarios()["4B"]))
    assert "scenario=4B," in str(pyspiel.load_game("python_mascarade(scenario=4b)"))
    other = Scenario("4B", 4, scenarios()["4B"].masks, turn_limit=9)
    assert load_game(other).scenario == other


# Copies


def test_clones_share_data_and_are_independent() -> None:
    state = moment("4A", 6)
    clone = state.clone()
    assert clone.core is state.core
    assert copy.deepcopy(state.core) is state.core
    before, seen = str(state), state.observation_tensor(0)
    for _ in range(8):
        clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before
    assert state.observation_tensor(0) == seen
    assert len(clone.history()) == len(state.history()) + 8


@pytest.mark.parametrize("dealt", [2, 6, 20])
def test_games_and_states_can_be_pickled(dealt: int) -> None:
    states = list(course("4A", seed=3))
    state, rest = states[dealt], states[-1].history()[dealt:]
    game = load_game("4A")
    text = pyspiel.serialize_game_and_state(game, state)
    _, found = pyspiel.deserialize_game_and_state(text)
    for twin in (found, pickle.loads(pickle.dumps(state))):
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        assert twin.get_game().scenario == game.scenario
        for action in rest:
            twin.apply_action(action)
        assert twin.returns() == states[-1].returns()
        assert twin.information_state_string(1) == states[-1].information_state_string(1)


def test_another_process_reads_pickles(tmp_path: Path) -> None:
    """It has not imported our package, so the first pickle must do that, in any order."""
    game = load_game("tiny-2", turn_limit=2)
    table = policy.TabularPolicy(game)
    state = moment("4A", 3)
    path = tmp_path / "stored"
    path.write_bytes(b"".join(pickle.dumps(each) for each in (game, table, state)))
    code = (
        "import pickle, sys\n"
        "with open(sys.argv[1], 'rb') as file:\n"
        "    game, table, state = (pickle.load(file) for _ in range(3))\n"
        "print(game, table.game.scenario.turn_limit, len(table.states), state.history())"
    )
    wanted = f"{game} 2 {len(table.states)} {state.history()}\n"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (wanted, "")
