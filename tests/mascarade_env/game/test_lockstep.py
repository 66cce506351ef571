"""The engine against the naive second implementation, decision by decision."""

import random

import pytest

from mascarade_env import Game, Scenario, scenarios
from mascarade_env._jit import SETTINGS
from tests.mascarade_env.game.decks import Whim, random_scenario
from tests.mascarade_env.game.naive import NaiveGame
from tests.tiers import fuzzed, sampled, slow_from

# With random decks. Plain Python is some hundred times slower than compiled code.
GAMES = 40 if SETTINGS.DISABLE_JIT else 120


def play_in_lockstep(scenario: Scenario, seed: int) -> Game:
    """Play one game in both; compare everything before each decision and at the end."""
    chance = random.Random(seed)
    game = Game(scenario, seed=seed)
    naive = NaiveGame(scenario.to_dict(), game.deal)
    whim = Whim(chance)
    while True:
        assert game.phase == naive.phase
        assert game.player == naive.player
        assert game.turn == naive.turn
        assert game.coins == naive.coins
        assert game.tribunal == naive.tribunal
        assert game.masks == naive.masks
        assert game.player_at == naive.player_at
        assert game.winners == naive.winners
        assert game.truncated == naive.truncated
        assert game.returns() == pytest.approx(naive.returns(), abs=1e-12)
        if game.over:
            return game
        legal = game.legal_actions()
        assert len(set(legal)) == len(legal)
        assert set(legal) == naive.legal()
        action = whim.choose(legal)
        game.play(action)
        naive.play(action)


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_every_scenario(name: str) -> None:
    for seed in range(fuzzed(2 if SETTINGS.DISABLE_JIT else 12)):
        play_in_lockstep(scenarios()[name], seed)


@pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="takes too long in plain Python")
@pytest.mark.slow
@pytest.mark.parametrize("name", scenarios())
def test_more_games_of_every_scenario(name: str) -> None:
    for seed in range(1000, 1000 + fuzzed(48)):
        play_in_lockstep(scenarios()[name], seed)


@pytest.mark.parametrize("part", slow_from(1, range(1 if SETTINGS.DISABLE_JIT else 4)))
def test_random_decks(part: int) -> None:
    masks, lone_winner, shared, void = set(), 0, 0, 0
    for seed in range(part * 1000, part * 1000 + fuzzed(GAMES)):
        game = play_in_lockstep(random_scenario(random.Random(seed)), seed)
        masks |= set(game.scenario.masks)
        lone_winner += len(game.winners or []) == 1
        shared += len(game.winners or []) > 1
        void += game.truncated
    # The decks together have all masks and all kinds of ends.
    assert len(masks) == 16
    assert min(lone_winner, shared, void) > 0
