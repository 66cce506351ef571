"""Phases of a game: how near the richest player is to winning it.

Not to be confused with the phase of a decision (`Game.phase`).
"""

from mascarade_env.game._scenarios import Scenario

#: Every decision is in the first and in one of the others.
PHASES = ("all", "early", "middle", "late")

_REACH = 3  # coins that masks take from the bank at once: who lacks no more may win by one of them


def phase_of(richest: int, scenario: Scenario) -> str:
    """Return the phase of a game in which the largest fortune is `richest`.

    It is late when the richest player lacks at most 3 coins, or, where that is less, at most half
    of the way from the fortune at the start to the goal. Halfway from the start to there, early
    ends. With 6 coins at the start and a goal of 13, 7 is early, 8 and 9 are middle and 10 is late.
    """
    start, goal = scenario.start_coins, scenario.goal_coins
    late = goal - min(_REACH, (goal - start) // 2)
    if richest >= late:
        return "late"
    return "middle" if 2 * (richest - start) >= late - start else "early"
