"""Agents play each other, each deal from every seat, and all is counted.

from mascarade_agents.arena import run

outcome = run(["random", "honest"], "4A", games=400, workers=2)
outcome.results             # arrays: line-ups, win shares, deals
outcome.forfeits            # who raised errors, answered illegally, hung or died, and why

This is no sandbox. Agents share processes, so one that means harm can make another forfeit; play
only code that you trust. Each stall of an agent costs its limit of time; after 20 in one chunk
of games it forfeits those of them in which it would have to decide again.

What an arena plays follows from `_plan.py` and from how `_decisions.py` makes random numbers: a
change of these changes every seeded arena. Imports policies and `behaviour`, not ratings or
reports. Each file may import those above it:

_lineups.py: who sits where: each deal from every seat
_plan.py: `Plan`: everything that determines the games, and their order
_entrants.py: agents by name or class
_faults.py: what can be wrong with an answer, and what to do about it
_decisions.py: ask agents for decisions
_play.py: play one chunk of games
_worker.py: a process that plays chunks
_supervisor.py: start workers, and end those that hang
_journal.py: the file of an arena, to resume from
_outcome.py: `Outcome`
_run.py: `run`: an arena from beginning to end
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
