"""The arena, where agents play against each other and play each deal from every seat.

    from mascarade_agents.arena import run

    outcome = run(["random", "honest"], "4A", games=400, workers=2)
    outcome.results             # arrays: who played, win shares, deals
    outcome.forfeits            # agents that failed, hung or died, and the reasons

The arena is not a sandbox. Agents share processes, so a hostile agent can make another one forfeit:
play only code that you trust. An agent stalls if it exceeds its time limit. Games are played in
chunks. After 20 stalls in one chunk, the agent forfeits each game of the chunk in which it would
have to decide again.

`_plan.py` and the random numbers of `_decisions.py` determine the games. A change of either file
may change the results of every seed. This package imports policies and `behaviour`, but not ratings
or reports. Each file may import the files above it:

_lineups.py: line-ups: the agent of each player
_plan.py: `Plan`: everything that determines the games, and their order
_entrants.py: agents by name or class
_faults.py: faults of agents, and how they are handled
_decisions.py: calls of agents, to get their decisions
_play.py: the games of one chunk
_worker.py: a process that plays chunks
_supervisor.py: start, end and replacement of workers
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
