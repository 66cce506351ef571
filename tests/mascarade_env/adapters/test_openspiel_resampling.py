"""Resampled states: which ones, and with which probabilities."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from mascarade_env import MascaradeError, Scenario
from tests.mascarade_env.adapters.openspiel_games import (
    MascaradeState,
    choices,
    course,
    game_of,
    load_game,
    moment,
    pyspiel,
    resample,
)
from tests.messages import facts

ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")


@pytest.mark.parametrize(("name", "seed"), [("tiny-2", 0), ("small-3", 1), ("4B", 2), ("8A", 3)])
def test_a_resampled_state_is_indistinguishable_for_the_player(name: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    for state in course(name, seed):
        for player in range(state.num_players()):
            other = resample(state, player, chance)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == state.current_player()
            assert other.observation_tensor(player) == state.observation_tensor(player)


def test_resampling_follows_the_belief() -> None:
    """With the random numbers of bots, after two takes of other players."""
    state = moment("4A", 4)
    game, count = game_of(state), 500
    numbers = {mask: column for column, mask in enumerate(game.scenario.kinds)}
    table = np.zeros((game.scenario.slots, len(numbers)))
    sampler = np.random.default_rng(0).random
    for _ in range(count):
        other = state.resample_from_infostate(3, sampler)
        for slot, mask in enumerate(game_of(other).masks):
            table[slot, numbers[mask]] += 1 / count
    assert np.abs(table - game.belief(3)).max() < 0.1
    assert ((table > 0) == (game.belief(3) > 0)).all()


BOTH = ("swap", "keep")
#: Masks come back from under the table by takes, by the Spy and by the Fool; some are seen.
STORY = (
    "take:1 swap",
    "announce:spy pass pass target:2 keep",
    "announce:fool pass pass target:0 target:1 swap",
    "take:3 keep",
    "announce:spy pass pass target:0 swap",
    "take:4 keep",
    "announce:king claim pass",
    "look",
    "announce:fool pass pass target:0 target:1 swap",
    "take:2 keep",
    "take:0 swap",
)


@pytest.fixture(scope="module")
def histories() -> dict[tuple[str, ...], MascaradeState]:
    """Return the final states of all histories with other swaps and keeps."""
    masks = ("judge", "fool", "spy", "king", "thief")
    game = load_game(Scenario("3", 3, masks, 6, 20, 1, 12, strict=False, fixed_deal=True))
    ends: list[tuple[tuple[str, ...], MascaradeState]] = [((), game.new_initial_state())]
    for word in " ".join(STORY).split():
        begun, ends = ends, []
        for returns, state in begun:
            for choice in BOTH if word in BOTH else (word,):
                action = game_of(state).action_id(choice)
                if action in state.legal_actions():  # the player of a power depends on the masks
                    more = (choice,) if word in BOTH else ()
                    ends.append(((*returns, *more), state.child(action)))
    return dict(ends)


@pytest.mark.parametrize("player", [0, 1, 2])
def test_whole_histories_are_sampled_with_exact_probabilities(
    histories: dict[tuple[str, ...], MascaradeState], player: int
) -> None:
    """Hidden swaps are fair coins, so all histories that fit are equally likely."""
    truth = histories[tuple(word for word in " ".join(STORY).split() if word in BOTH)]
    seen = truth.information_state_string(player)
    possible = {
        tuple(state.history())
        for state in histories.values()
        if state.information_state_string(player) == seen
    }
    chance, count = np.random.default_rng(player), 40 * len(possible)
    found = Counter(tuple(resample(truth, player, chance).history()) for _ in range(count))
    assert found.keys() == possible
    square = sum((number - 40) ** 2 / 40 for number in found.values())
    freedom = len(possible) - 1
    assert freedom > 5
    assert square - freedom < 4 * (2 * freedom) ** 0.5


def bot_of(state: MascaradeState, seed: int, simulations: int) -> Any:
    chance = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    return ismcts.ISMCTSBot(
        state.get_game(), evaluator, uct_c=2.0, max_simulations=simulations, random_state=chance
    )


def test_bots_search_in_worlds_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds: list[tuple[str, ...]] = []
    state = moment("4A", 8)
    drawn = type(state).resample_from_infostate

    def noted(state: MascaradeState, player: int, sampler: Any) -> MascaradeState:
        other = drawn(state, player, sampler)
        worlds.append(tuple(game_of(other).masks))
        return other

    monkeypatch.setattr(type(state), "resample_from_infostate", noted)
    truth = tuple(game_of(state).masks)
    bot = bot_of(state, 0, 40)
    assert bot.step(state) in state.legal_actions()
    assert len(worlds) == 40
    assert len({*worlds} - {truth}) >= 3  # of 7


@pytest.mark.parametrize("name", ["tiny-2", "small-3", "4A"])
@pytest.mark.parametrize("by_callback", [True, False])
def test_the_tree_search_of_openspiel_plays_games(name: str, by_callback: bool) -> None:
    chance = np.random.RandomState(0)
    state: MascaradeState = load_game(name).new_initial_state()
    bot, called = bot_of(state, 0, 8), 0

    def drawn(state: MascaradeState, player: int) -> MascaradeState:
        nonlocal called
        called += 1
        return resample(state, player)

    if by_callback:
        bot.set_resampler(drawn)
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node() or state.current_player() != 0:
            state.apply_action(int(chance.choice(choices(state))))
        else:
            state.apply_action(int(bot.step(state)))
            steps += 1
    assert called == (8 * steps if by_callback else 0)
    assert sum(state.returns()) == pytest.approx(0)


def test_a_seed_repeats_a_state_and_a_generator_does_not() -> None:
    state = moment("4A", 8)
    assert len({str(resample(state, 1, 7)) for _ in range(8)}) == 1
    chance = np.random.default_rng(7)
    assert len({str(resample(state, 1, chance)) for _ in range(8)}) > 2
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    assert len({str(state.resample_from_infostate(1, sampler)) for _ in range(8)}) > 2


@pytest.mark.parametrize("state", [0, 8])
def test_only_players_can_resample(state: int) -> None:
    for nobody in (-1, 4):
        with pytest.raises(MascaradeError, match=facts("player", nobody)):
            resample(list(course("4A", 0))[state], nobody)
