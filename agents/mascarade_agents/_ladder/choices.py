"""Scores of two choices by the worth of masks and coins: swap or keep, and targets of powers."""

from collections.abc import Callable

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Ints, Reading
from mascarade_agents._ladder.power_values import expected, hidden

#: A function of fortunes [..., n] and the goal. It returns their values to the first player, [...].
Value = Callable[[Floats, int], Floats]


def swap_or_keep(reading: Reading, belief: Floats, worth: Floats) -> Floats:
    """Return the scores of swap and keep, [k, 2].

    The agent swaps its own mask for a better one. If both masks belong to others, it gives the
    better mask to the poorer player.

    Args:
        reading: rows in which the agent may swap two masks under the table.
        belief: [k, m, kinds] the probability of each mask at each place.
        worth: [k, kinds] the worth of each mask to the agent.
    """
    pair = np.argsort(~reading.under_table, axis=1, kind="stable")[:, :2]  # their places, ascending
    first, second = np.take_along_axis(expected(belief, worth), pair, axis=1).T
    coins = np.pad(reading.coins, ((0, 0), (0, reading.slots - reading.players)))
    richer = np.subtract(*np.take_along_axis(coins, pair, axis=1).T)
    gain = np.where(reading.under_table[:, 0], second - first, (first - second) * richer)
    return np.stack([gain, np.zeros_like(gain)], axis=1).astype(np.float32)


def targets(reading: Reading, worth: Floats, value: Value) -> Floats:
    """Return the scores of the other seats as targets, clockwise, and of decline, [k, n].

    Args:
        reading: rows in which a power needs a target.
        worth: [k, kinds] the worth of each mask to the agent.
        value: the function that values fortunes.
    """
    scores = np.zeros((len(reading.rows), reading.players), np.float32)
    unsure = hidden(reading)
    for column, kind in enumerate(reading.scenario.kinds):
        rows = np.flatnonzero(reading.announced == column)
        if not rows.size or kind not in _MOVING | _SHOWING:
            continue
        if kind in _MOVING:
            scores[rows] = _targets_for_coins(
                kind, reading.coins[rows], unsure[rows], value, reading.goal
            )
        else:
            scores[rows, :-1] = _targets_for_masks(kind, reading, worth, rows)
    return scores


_MOVING = {"witch", "trickster", "guru", "puppet_master"}
_SHOWING = {"spy", "princess", "fool"}


def _targets_for_coins(kind: str, coins: Floats, unsure: Floats, value: Value, goal: int) -> Floats:
    """Return the value of the fortunes after each target, [r, n], in order of target ids."""
    players = coins.shape[1]
    after = np.repeat(coins[:, None], players, axis=1)  # [r, choice, seat]; the last declines
    for choice in range(players - 1):
        seat = choice + 1
        if kind == "witch":
            after[:, choice, [0, seat]] = coins[:, [seat, 0]]
            continue
        most = {"trickster": 2, "puppet_master": 1, "guru": 4}[kind]
        moved = np.minimum(coins[:, seat], most)
        if kind == "guru":
            moved = moved * unsure[:, seat]
        after[:, choice, seat] -= moved
        after[:, choice, 0] += moved
    return value(after, goal)


def _targets_for_masks(kind: str, reading: Reading, worth: Floats, rows: Ints) -> Floats:
    """Return the scores of the other seats, [r, n - 1], for powers that show or move masks."""
    belief = reading.belief[rows, 1 : reading.players]
    if kind == "spy":
        return expected(belief, worth[rows])
    unknown: Floats = 1 - belief.max(axis=2)
    if kind == "princess":
        return unknown
    # With the Fool, take masks of the richest players; prefer masks that the agent knows.
    richest: Floats = reading.coins[rows, 1:] - unknown
    return richest
