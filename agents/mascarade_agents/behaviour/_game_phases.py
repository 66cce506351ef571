"""Phases of a game, by how near the richest player is to winning.

They differ from the phase of a decision (`Game.phase`).
"""

from mascarade_env.game._scenarios import Scenario

#: Every decision counts in the first and in one of the others.
PHASES = ("all", "early", "middle", "late")

_REACH = 3  # the most coins that a mask takes from the bank at once, without the Widow


def phase_of(richest: int, scenario: Scenario) -> str:
    """Return the phase of a game in which the richest player has `richest` coins.

    The game is late if that player needs at most 3 more coins, or at most half of the way from the
    coins at the start to the goal if that is less. It is early on the first half of the way from
    the start to the late phase. With 6 coins at the start and a goal of 13, 7 coins are early, 8
    and 9 are middle, and 10 are late.
    """
    start, goal = scenario.start_coins, scenario.goal_coins
    late = goal - min(_REACH, (goal - start) // 2)
    if richest >= late:
        return "late"
    return "middle" if 2 * (richest - start) >= late - start else "early"
