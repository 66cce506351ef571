"""Play an arena from beginning to end."""

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
    """How far an arena has come.

    Attributes:
        games: that are over.
        of: how many there will be.
        decisions: taken in this run; what a resumed one did before does not count.
        seconds: since it began.
        forfeits: games that were forfeited.
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
    workers: int = 0,
    output: str | Path | None = None,
    resume: bool = False,
    seconds_per_decision: float = SECONDS,
    most_decisions: int = MOST_DECISIONS,
    measured: int = 0,
    progress: Callable[[Standing], None] | None = None,
) -> Outcome:
    """Let agents play each other, and return who won what.

        outcome = run(["random", ("mine", MyAgent)], "4A", games=400)
        outcome.results.shares

    The same agents, scenario, games, seed and tables give the same results, with any number of
    workers, and after any number of interrupts.

    An agent that raises an error or answers what is not legal forfeits that game: all its players
    there get nothing, and those of other agents share the win. So does one that takes too long or
    ends its process, if there are workers.

    Args:
        agents: names for the registry, or pairs of a name and a class of agents.
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        games: how many at mixed tables, and as many of each agent alone against copies of each
            other one; at least.
        seed: of the deals, the line-ups and the decisions.
        tables: "mixed" for agents in equal parts, "one" for one among copies of another, or "both".
        alone: names of the agents that sit alone among copies of another; all by default.
        workers: processes that play. 0 plays in this one, where nothing can end an agent that
            hangs or takes the process with it.
        output: a file to keep results in, chunk by chunk.
        resume: continue with that file.
        seconds_per_decision: how long an agent may think.
        most_decisions: of one player; longer games are broken off and shared by all.
        measured: number of games, the first ones, that are kept in full and in which play is
            measured.
        progress: called after each chunk of games with how far the arena has come.

    Raises:
        MascaradeError: an agent cannot be made, or something else is not as it should be; then
            nothing has been played.
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
    )
    whole(workers, "workers", at_least=0)
    with contextlib.ExitStack() as stack:
        journal = None
        if output is not None:
            journal = stack.enter_context(Journal(Path(output), plan, resume=resume))
        done = {played.chunk: played for played in journal.done} if journal else {}
        counter = _Counter(plan, done.values())
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
    """Counts what is done."""

    def __init__(self, plan: Plan, done: Iterable[Played]) -> None:
        self._of = len(plan)
        self._begun = time.monotonic()
        self._games = self._decisions = self._forfeits = 0
        for played in done:
            self.count(played)
        self._decisions = 0  # of this run

    def count(self, played: Played) -> Standing:
        """Return how it stands with one more chunk."""
        self._games += len(played.winners)
        self._decisions += sum(played.decisions)
        self._forfeits += sum(fault[2] for fault in played.faults)
        seconds = time.monotonic() - self._begun
        return Standing(self._games, self._of, self._decisions, seconds, self._forfeits)
