"""What players and observers see through OpenSpiel, and states they cannot tell apart."""

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mascarade_env import MascaradeError, Schema
from tests.mascarade_env.adapters.openspiel_games import (
    MascaradeState,
    course,
    game_of,
    load_game,
    moment,
    pyspiel,
    resample,
    whole_tree,
)

INFORMATION = pyspiel.IIGObservationType
NONE, SINGLE, ALL = (
    pyspiel.PrivateInfoType.NONE,
    pyspiel.PrivateInfoType.SINGLE_PLAYER,
    pyspiel.PrivateInfoType.ALL_PLAYERS,
)


@pytest.fixture(scope="module")
def tiny() -> list[MascaradeState]:
    return list(whole_tree(load_game("tiny-2").new_initial_state()))


def test_tensors_tell_information_states_apart_and_nothing_else(
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


def test_the_deal_is_seen_as_it_goes() -> None:
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
def test_observers_write_at_every_node_for_everybody(name: str) -> None:
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
    assert any("player 0 sees" in line for line in secrets)
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
    with pytest.raises(MascaradeError, match="an observer sees public information"):
        load_game("4A").make_py_observer(nothing)
    with pytest.raises(MascaradeError, match="observers have no parameters"):
        load_game("4A").make_py_observer(None, {"track": "memory"})


# Resampling


@pytest.mark.parametrize(("name", "seed"), [("tiny-2", 0), ("small-3", 1), ("4B", 2), ("8A", 3)])
def test_a_player_cannot_tell_a_resampled_state(name: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    for state in course(name, seed):
        for player in range(state.num_players()):
            other = resample(state, player, chance)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == state.current_player()
            assert other.observation_tensor(player) == state.observation_tensor(player)


def test_resampling_follows_the_belief() -> None:
    state = moment("4A", 4)  # two takes of others, whose masks may have moved
    game, count = game_of(state), 600
    numbers = {mask: column for column, mask in enumerate(game.scenario.kinds)}
    table = np.zeros((game.scenario.slots, len(numbers)))
    chance = np.random.default_rng(0)
    for _ in range(count):
        for slot, mask in enumerate(game_of(resample(state, 3, chance)).masks):
            table[slot, numbers[mask]] += 1 / count
    assert np.abs(table - game.belief(3)).max() < 0.1
    assert ((table > 0) == (game.belief(3) > 0)).all()


def test_bots_resample_with_their_own_numbers() -> None:
    state = moment("small-3", 6)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for _ in range(5):
        other = state.resample_from_infostate(1, sampler)
        assert other.information_state_string(1) == state.information_state_string(1)
    assert resample(state, 1, 7).history() == resample(state, 1, 7).history()
