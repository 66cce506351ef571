"""Agents play each other, each deal from every seat, and all is counted.

from mascarade_agents.arena import run

outcome = run(["random", "honest"], "4A", games=400, workers=2)
outcome.results             # arrays: line-ups, win shares, deals
outcome.forfeits            # who raised errors, answered illegally, hung or died, and why

This is no sandbox. Agents share processes, so one that means harm can make another forfeit; play
only code that you trust. Each stall of an agent costs its limit of time; after 20 in one chunk
of games it forfeits those of them in which it would have to decide again.
"""

from mascarade_agents.arena._entrants import Factory
from mascarade_agents.arena._outcome import Forfeits, Outcome
from mascarade_agents.arena._plan import Plan, Tables
from mascarade_agents.arena._run import MOST_DECISIONS, SECONDS, Standing, run

__all__ = [
    "MOST_DECISIONS",
    "SECONDS",
    "Factory",
    "Forfeits",
    "Outcome",
    "Plan",
    "Standing",
    "Tables",
    "run",
]
