"""Values of powers: the coins that a power moves, and what the fortunes after it are worth.

A fortune is the number of coins of a player. A row of fortunes begins with the user of the power,
and continues with the other players clockwise. The functions in this file do not depend on where
the masks are. They assume that a power is used on the targets that bring most coins.
"""

import numpy as np

from mascarade_agents._ladder.observation_reader import Bools, Floats, Ints, Reading

#: The value of a win, in coins.
WIN = 50.0
#: The coins with which the Cheat wins, and with which the Widow takes nothing (see rules 6).
FORTUNE = 10.0


def changes(power: str, coins: Floats, tribunal: Floats, hidden: Floats, goal: int) -> Floats:
    """Return the change of fortunes when the first player of each row uses a power, [k, n].

    Args:
        power: the mask.
        coins: [k, n] fortunes, starting with that of the user.
        tribunal: [k] coins of the tribunal.
        hidden: [k, n] the probability that each player names a wrong mask to the Guru.
        goal: the coins needed to win; a win by the Cheat counts as a gain of `goal` coins.
    """
    change = np.zeros_like(coins)
    own = coins[:, 0]
    if power in _BANK:
        change[:, 0] = _BANK[power]
    if power == "judge":
        change[:, 0] = tribunal
    elif power == "widow":
        change[:, 0] = np.maximum(0, FORTUNE - own)
    elif power == "patron":
        won = own + change[:, 0] >= goal  # then the game ends before the neighbours get coins
        change[:, _neighbours(coins)] += ~won[:, None]
    elif power == "cheat":
        change[:, 0] = np.where(own >= FORTUNE, goal, 0)
    elif power in _FROM_PLAYERS:
        for place in _victims(power, coins, hidden):
            _collect(power, change, coins, hidden, place)
    return change


#: The least worth of a mask: its power may bring more later, as fortunes and the tribunal change.
_SOON = {"judge": 1.0, "witch": 1.5, "beggar": 1.0, "spy": 0.7, "widow": 0.5, "guru": 0.7}
#: The coins that a power takes from the bank.
_BANK = {"empress": 3, "king": 2, "patron": 3, "princess": 2, "fool": 1, "peasant": 1}
#: The most coins that a power takes from one player.
_FROM_PLAYERS = {"thief": 1, "beggar": 1, "trickster": 2, "puppet_master": 1, "guru": 4, "witch": 0}

_RICHER = 1e-3  # breaks ties: of equally good targets, the Guru asks the richest player


def _neighbours(coins: Floats) -> list[int]:
    return sorted({1, coins.shape[1] - 1})


def _victims(power: str, coins: Floats, hidden: Floats) -> list[Ints]:
    """Return the places from which a power takes coins, in order; each array is [k]."""
    count, players = coins.shape
    others = coins[:, 1:]
    if power in ("trickster", "witch"):
        return [1 + others.argmax(axis=1)]
    if power == "guru":
        paid = np.minimum(others, 4) * hidden[:, 1:]
        return [1 + (paid + _RICHER * others).argmax(axis=1)]
    if power == "puppet_master":
        return list(1 + np.argsort(-others, axis=1, kind="stable")[:, :2].T)
    places = _neighbours(coins) if power == "thief" else range(1, players)
    return [np.full(count, place) for place in places]


def _collect(power: str, change: Floats, coins: Floats, hidden: Floats, place: Ints) -> None:
    """Update `change` by the coins that a power takes from one place of each row."""
    rows = np.arange(len(coins))
    at_place = coins[rows, place]
    moved = np.minimum(at_place, _FROM_PLAYERS[power])
    if power == "beggar":
        moved = (at_place > coins[:, 0] + change[:, 0]).astype(np.float32)
    elif power == "guru":
        moved = moved * hidden[rows, place]
    elif power == "witch":  # the user declines an exchange that would lose coins
        moved = np.maximum(0, at_place - coins[:, 0])
    change[rows, place] -= moved
    change[:, 0] += moved


def outcome(coins: Floats, goal: int) -> tuple[Bools, Floats]:
    """Return whether the game is over with these fortunes, and the first player's win share.

    Both arrays are [...]. The win share is 0 if the game is not over.

    Args:
        coins: [..., n] fortunes.
        goal: the coins needed to win.
    """
    reached = coins >= goal
    won = np.asarray(reached.any(axis=-1))
    over = np.asarray(won | (coins <= 0).any(axis=-1))
    winners = np.where(won[..., None], reached, coins >= coins.max(axis=-1, keepdims=True))
    share = winners[..., 0] / winners.sum(axis=-1)
    return over, np.where(over, share, 0).astype(np.float32)


def in_coins(coins: Floats, goal: int) -> Floats:
    """Return the first player's fortune, [...], with a win or loss converted to coins.

    If the game is over, add `WIN` times the player's win share minus the fair share 1/n.

    Args:
        coins: [..., n] fortunes.
        goal: the coins needed to win.
    """
    over, share = outcome(coins, goal)
    fair = 1 / coins.shape[-1]
    return coins[..., 0] + np.where(over, WIN * (share - fair), 0).astype(np.float32)


def hidden(reading: Reading) -> Floats:
    """Return the probability that each player would name a wrong mask as their own, [k, n]."""
    best = reading.onlooker[:, : reading.players].max(axis=2)
    return np.where(reading.sure, 0, 1 - best).astype(np.float32)


def own_changes(reading: Reading) -> Floats:
    """Return the change of fortunes when the agent uses each power, [k, kinds, n]."""
    unsure = hidden(reading)
    by_kind = [
        changes(kind, reading.coins, reading.tribunal, unsure, reading.goal)
        for kind in reading.scenario.kinds
    ]
    return np.stack(by_kind, axis=1)


def gains(reading: Reading) -> Floats:
    """Return what the agent gains by using each power now, in coins, [k, kinds].

    Wins and losses are converted to coins.
    """
    after = reading.coins[:, None] + own_changes(reading)
    return in_coins(after, reading.goal) - reading.coins[:, :1]


def holding(reading: Reading, later: float = 1.0) -> Floats:
    """Return the worth of having each mask now or on one of the next turns, in coins, [k, kinds].

    Args:
        reading: the observations.
        later: if the agent can win with a mask now, the probability that it can still win with it
            on its next turn.
    """
    worth = gains(reading)
    worth = np.where(worth > WIN / 2, later * worth, worth)
    own = reading.coins[:, 0]
    for column, kind in enumerate(reading.scenario.kinds):
        if kind == "cheat":  # its worth increases as the agent approaches ten coins
            near = np.maximum(0, own - 4) * 0.5
            worth[:, column] = np.where(own >= FORTUNE, worth[:, column], near)
        elif kind in _SOON:
            worth[:, column] = np.maximum(worth[:, column], _SOON[kind])
    return worth


def expected(belief: Floats, worth: Floats) -> Floats:
    """Return the expected worth of the mask at each place, [k, m].

    Args:
        belief: [k, m, kinds] the probability of each mask at each place.
        worth: [k, kinds] the worth of each mask.
    """
    expectation: Floats = np.matmul(belief, worth[:, :, None])[:, :, 0]
    return expectation


def _seen_from_each(by_seat: Floats) -> Floats:
    """Return values by seat [k, n] as seen from each seat, [k, n, n].

    Entry [:, u, i] is the value i places clockwise from place u.
    """
    players = by_seat.shape[1]
    seats = np.arange(players)
    return by_seat[:, (seats[:, None] + seats) % players]


def changes_of_all(reading: Reading) -> Floats:
    """Return the change of fortunes when each player uses each power, [k, user, kinds, n]."""
    n = reading.players
    coins = _seen_from_each(reading.coins).reshape(-1, n)
    unsure = _seen_from_each(hidden(reading)).reshape(-1, n)
    tribunal = np.repeat(reading.tribunal, n)
    by_kind = [
        changes(kind, coins, tribunal, unsure, reading.goal).reshape(-1, n, n)
        for kind in reading.scenario.kinds
    ]
    return _seen_from_first(np.stack(by_kind, axis=2))


def changes_of_announced(reading: Reading) -> Floats:
    """Return the change of fortunes when each player uses the announced power, [k, user, n]."""
    n = reading.players
    coins, unsure = _seen_from_each(reading.coins), _seen_from_each(hidden(reading))
    announced = np.zeros((len(coins), n, 1, n), np.float32)
    for column, kind in enumerate(reading.scenario.kinds):
        rows = np.flatnonzero(reading.announced == column)
        if rows.size:
            part = changes(
                kind,
                coins[rows].reshape(-1, n),
                np.repeat(reading.tribunal[rows], n),
                unsure[rows].reshape(-1, n),
                reading.goal,
            )
            announced[rows, :, 0] = part.reshape(-1, n, n)
    return _seen_from_first(announced)[:, :, 0]


def _seen_from_first(by_user: Floats) -> Floats:
    """Reorder the last axis of changes [k, user, kinds, n], so that it begins at the agent.

    Before, it begins at the user.
    """
    seats = np.arange(by_user.shape[1])
    place = (seats - seats[:, None]) % len(seats)  # [user, seat] the index of a seat from a user
    return np.take_along_axis(by_user, place[None, :, None, :], axis=3)


def finishing(reading: Reading) -> Bools:
    """Return whether each player would win by using each power now, [k, user, kinds]."""
    change = changes_of_all(reading)
    own = np.diagonal(change, axis1=1, axis2=3).transpose(0, 2, 1)  # [k, user, kinds]
    return reading.coins[:, :, None] + own >= reading.goal
