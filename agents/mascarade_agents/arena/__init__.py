"""Agents play each other, all from every seat and with the same deals, and all is counted.

from mascarade_agents.arena import run

outcome = run(["random", "honest"], "4A", games=400, workers=2)
outcome.results             # arrays: line-ups, win shares, deals
outcome.forfeits            # who raised errors, answered illegally, hung or died, and why
"""

from mascarade_agents.arena.entrants import Factory
from mascarade_agents.arena.outcome import Forfeits, Outcome
from mascarade_agents.arena.plan import Plan, Tables
from mascarade_agents.arena.run import MOST_DECISIONS, SECONDS, Standing, run

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
