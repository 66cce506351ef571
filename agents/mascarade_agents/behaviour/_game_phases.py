"""Phases of a game, by how near the richest player is to winning.

`Game.phase` is something else: the phase of a decision.
"""

from mascarade_env.game._scenarios import Scenario

#: Each decision counts in "all" and in one of the other phases.
PHASES = ("all", "early", "middle", "late")

_REACH = 3  # the most coins that a mask other than the Widow takes from the bank at once


def phase_of(richest: int, scenario: Scenario) -> str:
    """Return the phase of a game in which the richest player has `richest` coins.

    The game is late if that player needs at most d more coins to reach the goal. Here d is 3, or
    half of the way from the starting coins to the goal if that is less. The game is early in the
    first half of the way from the start to the late phase, and middle after it. With 6 coins at the
    start and a goal of 13, 7 coins are early, 8 and 9 are middle, and 10 are late.
    """
    start, goal = scenario.start_coins, scenario.goal_coins
    late = goal - min(_REACH, (goal - start) // 2)
    if richest >= late:
        return "late"
    return "middle" if 2 * (richest - start) >= late - start else "early"
