"""Benchmarks of searches from random positions after the opening, on one core."""

import numpy as np

from mascarade_agents._search import tree
from mascarade_agents._search.agents import ROUNDS, position_of
from mascarade_agents._search.flat import try_actions
from mascarade_agents._search.worlds import Position, Simulations
from mascarade_env._benchmarks import Benchmark, best_rate
from mascarade_env.game._game import Game

_POSITIONS = 40
_EACH = 1_000  # simulations from each position


def _positions(scenario: str) -> list[tuple[Position, list[int]]]:
    """Return positions of the acting players in random games, with the legal action ids."""
    rng = np.random.default_rng(0)
    positions: list[tuple[Position, list[int]]] = []
    while len(positions) < _POSITIONS:
        game = Game(scenario, seed=int(rng.integers(2**31)))
        game.play_randomly(2 * game.scenario.opening_turns + int(rng.integers(60)))
        if game.player is not None:
            positions.append((position_of(game.view(game.player)), game.legal_ids()))
    return positions


def _playouts() -> float:
    """Return simulations per second of flat search, which shares them among legal actions."""
    positions = _positions("6A")

    def work() -> int:
        simulations = 0
        for p, ids in positions:
            each = _EACH // len(ids)
            totals = np.zeros(len(ids))
            try_actions(p, np.array(ids, np.int64), totals, Simulations(0, 0, each, ROUNDS))
            simulations += each * len(ids)
        return simulations

    return best_rate(work)


def _simulations() -> float:
    """Return simulations per second of tree search, with a new tree at each position."""
    positions, room = _positions("6A"), tree.new_tree(_EACH + 1)

    def work() -> int:
        for p, _ in positions:
            tree.clear(room)
            tree.grow(p, room, Simulations(0, 0, _EACH, ROUNDS), 0.3)
        return _EACH * len(positions)

    return best_rate(work)


BENCHMARKS = (
    Benchmark(
        "search-playouts-6A",
        "simulations of flat Monte Carlo, 6A",
        "/s",
        _playouts,
        at_least=20e3,
    ),
    Benchmark(
        "search-ismcts-6A",
        "simulations of ISMCTS, 6A",
        "/s",
        _simulations,
    ),
)
