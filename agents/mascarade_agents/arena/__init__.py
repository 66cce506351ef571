"""The arena: agents play each other, with each deal played from every seat.

    from mascarade_agents.arena import run

    outcome = run(["random", "honest"], "4A", games=400, workers=2)
    outcome.results             # arrays: line-ups, win shares, deals
    outcome.forfeits            # agents that failed, hung or died, and why

The arena is not a sandbox. Agents share processes, so a hostile agent can make another one forfeit:
play only code that you trust. Each stall of an agent costs its time limit. After 20 stalls in one
chunk of games, the agent forfeits the games of the chunk in which it would have to decide again.

`_plan.py` and the random numbers of `_decisions.py` determine the games: a change there changes
every seeded arena. Imports policies and `behaviour`, not ratings or reports. Each file may import
those above it:

_lineups.py: the agent of each player; each deal is played from every seat
_plan.py: `Plan`: everything that determines the games, and their order
_entrants.py: agents by name or class
_faults.py: faults of agents, and how they are handled
_decisions.py: ask agents for decisions
_play.py: play one chunk of games
_worker.py: a process that plays chunks
_supervisor.py: start workers, and end those that hang
_journal.py: the file of an arena, from which a run resumes
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
