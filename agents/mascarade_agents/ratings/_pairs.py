"""Comparison of pairs of agents: how often one gets a larger win share in the same game."""

import numpy as np

from mascarade_agents._results import Results
from mascarade_agents.ratings._game_kinds import kinds
from mascarade_agents.ratings._intervals import DRAWS, Estimates, estimate


def pairwise(results: Results, *, seed: int = 0, draws: int = DRAWS) -> Estimates:
    """Estimate how often a player of one agent gets a larger win share than a player of another.

    The value at [a, b] is for agent a against agent b, [A, A]. All pairs of their players in mixed
    games count, and a tie counts as one half. Usually most pairs tie, because a game has few
    winners, so values are near one half. `count` is the number of pairs of players. The diagonal,
    and pairs of agents that never met, are NaN.
    """
    mixed = kinds(results).mixed
    lineups, shares = results.lineups[mixed].astype(np.int64), results.shares[mixed]
    number = len(results.agents)
    _, deals = np.unique(results.deals[mixed], return_inverse=True)
    many = int(deals.max(initial=-1)) + 1
    sums, counts = (np.zeros((many, number * number)) for _ in range(2))
    for first in range(results.players):
        for second in range(first):
            # Each pair counts once, in the cell above the diagonal.
            turned = lineups[:, first] > lineups[:, second]
            lower = np.where(turned, lineups[:, second], lineups[:, first])
            upper = np.where(turned, lineups[:, first], lineups[:, second])
            ahead = (1 + np.sign(shares[:, first] - shares[:, second])) / 2
            ahead = np.where(turned, 1 - ahead, ahead)
            met = lower != upper
            cell = (deals[met], lower[met] * number + upper[met])
            np.add.at(sums, cell, ahead[met])
            np.add.at(counts, cell, 1)
    rows, columns = np.triu_indices(number, 1)
    cells = rows * number + columns
    half = estimate(sums[:, cells], counts[:, cells], seed=seed, draws=draws)
    value, low, high = (np.full((number, number), np.nan) for _ in range(3))
    value[rows, columns], value[columns, rows] = half.value, 1 - half.value
    low[rows, columns], low[columns, rows] = half.low, 1 - half.high
    high[rows, columns], high[columns, rows] = half.high, 1 - half.low
    count = np.zeros((number, number), np.int64)
    count[rows, columns] = count[columns, rows] = half.count
    return Estimates(value, low, high, count)
