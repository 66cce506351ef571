"""Plays an arena from beginning to end."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mascarade_agents.arena._entrants import Factory, entrants
from mascarade_agents.arena._faults import Care, Watch
from mascarade_agents.arena._journal import Journal
from mascarade_agents.arena._outcome import Outcome
from mascarade_agents.arena._plan import Plan, Tables
from mascarade_agents.arena._play import Played, play_chunk
from mascarade_agents.arena._supervisor import Crew
from mascarade_env._errors import whole
from mascarade_env.game._scenarios import Scenario, resolve

MOST_DECISIONS = 1000
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Standing:
    """The progress of an arena.

    Attributes:
        games: finished games.
        of: number of games in all.
        decisions: number of decisions in this run, without those of runs that it resumes.
        seconds: time since this run began.
        forfeits: number of games that were forfeited.
    """

    games: int
    of: int
    decisions: int
    seconds: float
    forfeits: int


def run(  # noqa: PLR0913  options by name
    agents: Sequence[str | tuple[str, Factory]],
    scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
    *,
    games: int = 1000,
    seed: int = 0,
    tables: Tables = "both",
    alone: Sequence[str] | None = None,
    pair_games: int | None = None,
    workers: int = 0,
    output: str | Path | None = None,
    resume: bool = False,
    seconds_per_decision: float = SECONDS,
    most_decisions: int = MOST_DECISIONS,
    measured: int = 0,
    begun: Callable[[Plan, int], None] | None = None,
    progress: Callable[[Standing], None] | None = None,
) -> Outcome:
    """Play agents against each other, and return the results.

        outcome = run(["random", ("mine", MyAgent)], "4A", games=400)
        outcome.results.shares

    At mixed tables all agents share the seats equally. In one against many, one agent plays against
    copies of another. The same agents, scenario, games, seed and tables give the same results, with
    any number of workers, and also if the arena is interrupted and resumed.

    An agent that raises an error or answers with an illegal action forfeits that game: all players
    of this agent get nothing, and the players of other agents share the win. If there are workers,
    an agent that takes too long or ends its process forfeits too.

    Args:
        agents: registered names, or pairs of a name and a class of agents.
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        games: number of games at mixed tables, rounded up so that each deal is played from every
            seat.
        seed: seed of the deals, the seats of the agents, and the decisions.
        tables: "mixed" tables, "one" against many, or "both".
        alone: names of the agents that play against copies of another agent; all by default.
        pair_games: number of games of each agent against copies of each other agent, rounded up
            like `games`; the number in `games` by default.
        workers: number of processes that play. With 0, this process plays: then an agent that hangs
            is not stopped, and an agent can end the process.
        output: a file that receives the results of each chunk of games.
        resume: continue the arena in the file `output`.
        seconds_per_decision: time limit of an agent for one decision, in seconds.
        most_decisions: limit of decisions of one player in a game. A longer game is stopped, and
            all players share the win.
        measured: number of games in which play is measured, and whose decisions are all kept.
            These are the first games of the arena.
        begun: a function that is called once before the first game, with the plan and the number
            of games in the file that is resumed.
        progress: a function that is called after each chunk of games with the progress of the
            arena.

    Raises:
        MascaradeError: an agent cannot be made, or an argument is wrong; no game was played.
    """
    taking_part = entrants(agents)
    rules = resolve(scenario)
    made = [entrant.make(rules) for entrant in taking_part]
    plan = Plan(
        agents=tuple(entrant.name for entrant in taking_part),
        with_views=tuple(
            entrant.name
            for entrant, agent in zip(taking_part, made, strict=True)
            if agent.needs_views
        ),
        scenario=rules,
        games=games,
        seed=seed,
        tables=tables,
        most_decisions=most_decisions,
        seconds=seconds_per_decision,
        measured=measured,
        alone=None if alone is None else tuple(alone),
        pair_games=pair_games,
    )
    whole(workers, "workers", at_least=0)
    with contextlib.ExitStack() as stack:
        journal = None
        if output is not None:
            journal = stack.enter_context(Journal(Path(output), plan, resume=resume))
        done = {played.chunk: played for played in journal.done} if journal else {}
        counter = _Counter(plan, done.values())
        if begun is not None:
            begun(plan, counter.games)
        left = [chunk for chunk in range(len(plan.chunks)) if chunk not in done]
        if workers:
            crew = stack.enter_context(Crew(plan, taking_part, workers))
            playing: Iterator[Played] = crew.play(left)
        else:
            playing = (play_chunk(plan, chunk, made, Care(), Watch()) for chunk in left)
        for played in playing:
            if journal:
                journal.add(played)
            done[played.chunk] = played
            standing = counter.count(played)
            if progress is not None:
                progress(standing)
    return Outcome.of(plan, [done[chunk] for chunk in sorted(done)])


class _Counter:
    """Counts the games that are played."""

    def __init__(self, plan: Plan, done: Iterable[Played]) -> None:
        self._of = len(plan)
        self._begun = time.monotonic()
        self.games = self._decisions = self._forfeits = 0
        for played in done:
            self.count(played)
        self._decisions = 0  # count only decisions of this run

    def count(self, played: Played) -> Standing:
        """Return the progress after one more chunk."""
        self.games += len(played.winners)
        self._decisions += sum(played.decisions)
        self._forfeits += sum(fault[2] for fault in played.faults)
        seconds = time.monotonic() - self._begun
        return Standing(self.games, self._of, self._decisions, seconds, self._forfeits)
