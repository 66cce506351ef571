"""Information states, observations and observers of OpenSpiel."""

import gc
import pickle
import random
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mascarade_env import Game, MascaradeError, Schema
from mascarade_env.game._replay import Replay
from tests.mascarade_env.adapters.openspiel_games import (
    MascaradeState,
    choices,
    course,
    game_of,
    load_game,
    pyspiel,
    whole_tree,
)
from tests.messages import facts, states

INFORMATION = pyspiel.IIGObservationType
NONE, SINGLE, ALL = (
    pyspiel.PrivateInfoType.NONE,
    pyspiel.PrivateInfoType.SINGLE_PLAYER,
    pyspiel.PrivateInfoType.ALL_PLAYERS,
)


@pytest.fixture(scope="module")
def tiny() -> list[MascaradeState]:
    return list(whole_tree(load_game("tiny-2").new_initial_state()))


def test_tensors_differ_exactly_if_information_states_differ(
    tiny: list[MascaradeState],
) -> None:
    texts: dict[bytes, set[str]] = defaultdict(set)
    tensors: dict[str, set[bytes]] = defaultdict(set)
    for state in tiny:
        for player in range(2):
            text = state.information_state_string(player)
            tensor = np.float32(state.information_state_tensor(player)).tobytes()
            texts[tensor].add(text)
            tensors[text].add(tensor)
    assert all(len(found) == 1 for found in texts.values())
    assert all(len(found) == 1 for found in tensors.values())


def test_the_nodes_of_the_smallest_game(tiny: list[MascaradeState]) -> None:
    over = [state for state in tiny if state.is_terminal()]
    states: dict[int, set[str]] = defaultdict(set)
    for state in tiny:
        if not state.is_terminal():
            states[state.current_player()].add(state.information_state_string())
    assert (len(tiny) - len(over), len(over)) == (852, 1388)
    assert [len(states[player]) for player in range(2)] == [207, 219]


def test_the_deal_is_visible_during_the_deal() -> None:
    states = list(course("4A", seed=0))[:7]
    for before, after in pairwise(states):
        for player in range(4):
            assert after.information_state_string(player).startswith(
                before.information_state_string(player)
            )
            lines = before.observation_string(player).splitlines()
            assert lines == before.information_state_string(player).splitlines()[1:]
            assert not any(before.observation_tensor(player))


def every_observer(game: Any) -> dict[tuple[bool, bool, Any], Any]:
    return {
        (recall, public, private): game.make_py_observer(
            INFORMATION(perfect_recall=recall, public_info=public, private_info=private)
        )
        for recall in (True, False)
        for public in (True, False)
        for private in (NONE, SINGLE, ALL)
        if public or private != NONE
    }


@pytest.mark.parametrize("name", ["tiny-2", "4A", "8B"])
def test_observers_work_at_every_node_for_all_players(name: str) -> None:
    game = load_game(name)
    observers = every_observer(game)
    for state in course(name, seed=2):
        for seer in observers.values():
            for player in range(game.num_players()):
                seer.set_from(state, player)
                assert np.isfinite(seer.tensor).all()
                assert isinstance(seer.string_from(state, player), str)
                joined = [block.ravel() for block in seer.dict.values()]
                np.testing.assert_array_equal(np.concatenate(joined), seer.tensor)


def test_observers_see_what_they_should() -> None:
    state = next(
        state
        for seed in range(100)
        for state in course("4A", seed)
        if "player 0 sees" in state.information_state_string(0)
    )
    game = game_of(state)
    seers = every_observer(state.get_game())

    def lines(recall: bool, public: bool, private: Any, player: int) -> list[str]:
        text: str = seers[recall, public, private].string_from(state, player)
        return text.splitlines()

    assert lines(True, True, NONE, 0) == game.log("onlooker")
    assert lines(True, True, ALL, 0) == game.log() == str(state).splitlines()
    assert lines(True, True, SINGLE, 0)[1:] == game.log(0)
    secrets = lines(True, False, SINGLE, 0)
    assert Counter(game.log("onlooker")) + Counter(secrets) == Counter(game.log(0))
    assert any(states(line, "player 0", "sees") for line in secrets)
    assert not any("player 0" in line for line in lines(True, False, SINGLE, 1))
    assert set(secrets) < set(lines(True, False, ALL, 1))

    views = Schema(game.scenario).views(game.observation(0))
    public, mine = seers[False, True, NONE], seers[False, False, SINGLE]
    whole, truth = seers[False, True, SINGLE], seers[False, False, ALL]
    for seer in (public, mine, whole, truth):
        seer.set_from(state, 0)
    assert set(mine.dict) == {"own_belief", "exact", "window"}
    assert set(public.dict) | set(mine.dict) == set(whole.dict)
    for seer in (public, mine, whole):
        for block, numbers in seer.dict.items():
            np.testing.assert_array_equal(numbers, views[block])
    assert set(truth.dict) == {"truth", "beliefs", "all_exact"}
    assert truth.dict["truth"].sum() == game.scenario.slots


def test_an_observer_of_nothing_is_refused() -> None:
    nothing = INFORMATION(perfect_recall=True, public_info=False, private_info=NONE)
    with pytest.raises(MascaradeError, match=facts("observer", "public", "private")):
        load_game("4A").make_py_observer(nothing)
    with pytest.raises(
        MascaradeError, match=facts("observers", "parameters", "{'track': 'memory'}")
    ):
        load_game("4A").make_py_observer(None, {"track": "memory"})


def test_common_information_is_the_same_for_all_players() -> None:
    for name in ("4A", "12B"):  # 12B has the Puppet Master, who moves players
        game = load_game(name)
        for state in list(course(name, seed=1))[::9]:
            for (recall, _, private), seer in every_observer(game).items():
                seen = set()
                for player in range(game.num_players()):
                    seer.set_from(state, player)
                    seen.add((seer.tensor.tobytes(), seer.string_from(state, player)))
                single = private == SINGLE
                assert ("player" in seer.dict) == (recall and single)
                if not single:
                    assert len(seen) == 1
                elif recall:
                    assert len({tensor for tensor, _ in seen}) == game.num_players()


def test_observers_refuse_other_numbers_than_players() -> None:
    for at in (0, 8):
        state = list(course("4A", seed=0))[at]
        for seer in every_observer(state.get_game()).values():
            for nobody in (-1, 4, True, 0.0):
                with pytest.raises(MascaradeError, match=facts("player", nobody)):
                    seer.set_from(state, nobody)
                with pytest.raises(MascaradeError, match=facts("player", nobody)):
                    seer.string_from(state, nobody)


# The memory that observing needs


def replays() -> int:
    gc.collect()
    # By type, because reading __class__ of all objects runs properties of other libraries.
    return sum(type(found) is Replay for found in gc.get_objects())


def test_observed_states_keep_no_memory() -> None:
    before = replays()
    states = list(course("6A", seed=0))
    stored = [pickle.loads(pickle.dumps(state)) for state in states[6:40:4]]
    for state in (*states, *reversed(states), *stored):
        state.observation_tensor(1)
    assert replays() <= before + 4  # two for the game, two for all unpickled states


def test_states_are_observed_in_any_order() -> None:
    """Compared with games that are observed once: forwards, backwards, and on several branches."""
    game = load_game("8B")
    chance = random.Random(0)
    states = [game.new_initial_state()]
    for _ in range(300):
        state = chance.choice(states[-8:])
        if not state.is_terminal():
            states.append(state.child(chance.choice(choices(state))))
    begun = [state for state in states if not state.is_chance_node()]
    truth = game.make_py_observer(INFORMATION(False, False, ALL))
    for state in (*begun, *reversed(begun), *chance.choices(begun, k=200)):
        player = chance.randrange(8)
        alone = game_of(state).clone()
        np.testing.assert_array_equal(
            np.float32(state.observation_tensor(player)), alone.observation(player)
        )
        truth.set_from(state, player)
        place = Schema(alone.scenario, "full").places["truth"]
        np.testing.assert_array_equal(
            truth.dict["truth"].ravel(), alone.full_state(0)[place.start : place.stop]
        )


def test_an_interrupt_while_observing_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [state for state in course("4A", seed=0) if not state.is_chance_node()]
    wanted = game_of(states[9]).clone().observation(2)
    states[3].observation_tensor(2)
    left, play = iter(range(4)), Game.play

    def interrupted(game: Game, action: int) -> None:
        if next(left) == 3:
            raise KeyboardInterrupt
        play(game, action)

    with monkeypatch.context() as patch:
        patch.setattr(Game, "play", interrupted)
        with pytest.raises(KeyboardInterrupt):
            states[9].observation_tensor(2)
    np.testing.assert_array_equal(np.float32(states[9].observation_tensor(2)), wanted)
