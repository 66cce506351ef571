from typing import TypeAlias

import numpy as np
import pytest

from mascarade_agents._search import ISMCTS, FlatMonteCarlo
from mascarade_env import Game, Scenario, scenarios
from tests.mascarade_agents.search.positions import random_positions, seen
from tests.mascarade_env.game.tables import announce, play, table
from tests.tiers import sampled

SEARCHERS = (FlatMonteCarlo, ISMCTS)
SIX = ("king", "judge", "empress", "thief", "witch", "cheat")


Searcher: TypeAlias = type[FlatMonteCarlo] | type[ISMCTS]


def decide(kind: Searcher, game: Game, budget: str = "600", seed: int = 0) -> str:
    rng = np.random.default_rng(seed)
    return game.action_word(kind(game.scenario, budget).plan(seen(game), game.legal_ids(), rng))


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_certain_cheat_with_ten_coins_wins(kind: Searcher) -> None:
    game = table("cheat", *SIX[:5], coins=[10, 6, 6, 6, 6, 6])
    assert decide(kind, game) == "announce:cheat"


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_certain_king_with_eleven_coins_wins(kind: Searcher) -> None:
    # The Empress would win too, but her holder is at the table and would claim.
    game = table(*SIX, coins=[11, 6, 6, 6, 6, 6])
    assert decide(kind, game) == "announce:king"


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_mask_that_surely_belongs_to_another_is_not_claimed_at_a_loss(kind: Searcher) -> None:
    # With one coin, a false claim's fine would end the game and others are richer.
    game = table(*SIX, coins=[6, 1, 6, 6, 6, 6])
    play(game, "announce:king")
    assert decide(kind, game) == "pass"


@pytest.mark.parametrize("kind", SEARCHERS)
def test_the_winning_target_is_chosen(kind: Searcher) -> None:
    # After this last turn the richest wins, so only the fortune of 12 wins.
    game = table("witch", "judge", "thief", coins=[2, 12, 3], players=3, turn_limit=1,
                 at_limit="richest")  # fmt: skip
    announce(game, "witch")
    assert decide(kind, game) == "target:1"


@pytest.mark.parametrize("kind", SEARCHERS)
@pytest.mark.parametrize("name", sampled(scenarios()))
def test_actions_are_legal_in_every_scenario(kind: Searcher, name: str) -> None:
    agent = kind(Game(name).scenario, "20")
    for number, game in enumerate(random_positions(name, 8)):
        assert game.player is not None
        view = game.view(game.player)
        assert agent.act(view, np.random.default_rng(number)) in game.legal_ids()


@pytest.mark.parametrize("kind", SEARCHERS)
@pytest.mark.parametrize(
    ("masks", "words", "phase"),
    [
        (("guru", "king", "judge", "thief"), ["announce:guru", "pass*3", "target:1"], "declare"),
        (("fool", "king", "judge", "thief"), ["announce:fool", "pass*3"], "target"),
        (("fool", "king", "judge", "thief"), ["announce:fool", "pass*3", "target:2"], "target"),
        (("puppet_master", "king", "judge"), ["announce:puppet_master", "pass*2", "target:1"],
         "target"),
        (("spy", "king", "judge"), ["announce:spy", "pass*2"], "target"),
        (("spy", "king", "judge"), ["announce:spy", "pass*2", "target:2"], "table"),
        (("princess", "king", "judge"), ["announce:princess", "pass*2"], "target"),
        (("witch", "king", "judge"), ["announce:witch", "pass*2"], "target"),
        (("king", "judge"), ["take:1"], "table"),
        (("king", "judge"), ["announce:king"], "challenge"),
    ],
)  # fmt: skip
def test_actions_are_legal_in_every_phase(
    kind: Searcher, masks: tuple[str, ...], words: list[str], phase: str
) -> None:
    game = play(table(*masks), *words)
    assert game.phase == phase
    assert decide(kind, game, "40") in game.legal_actions()


@pytest.mark.parametrize("kind", SEARCHERS)
def test_two_players_with_a_mask_in_the_centre(kind: Searcher) -> None:
    duel = Scenario(
        "duel", players=2, masks=("king", "thief", "judge"), strict=False, turn_limit=6,
        at_limit="richest", opening_turns=2,
    )  # fmt: skip
    game = Game(duel, seed=1)
    agent = kind(duel, "30")
    rng = np.random.default_rng(0)
    while not game.over:
        assert game.player is not None
        game.play(agent.act(game.view(game.player), rng))


@pytest.mark.parametrize("kind", SEARCHERS)
def test_the_same_random_numbers_give_the_same_action(kind: Searcher) -> None:
    for game in random_positions("6A", 6, seed=4):
        assert decide(kind, game, "100", seed=9) == decide(kind, game, "100", seed=9)


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_budget_of_time_is_kept(kind: Searcher) -> None:
    game = random_positions("6A", 1)[0]
    assert decide(kind, game, "5ms") in game.legal_actions()


@pytest.mark.parametrize("kind", SEARCHERS)
def test_indistinguishable_worlds_give_the_same_action(kind: Searcher) -> None:
    for game in random_positions("6A", 4, seed=2):
        assert game.player is not None
        twins = game.sample_worlds(game.player, 3, rng=0)
        assert {decide(kind, twin, "60") for twin in twins} == {decide(kind, game, "60")}
