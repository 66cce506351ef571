"""The outcome of an arena, combined from its chunks of games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._results import NOBODY, Results
from mascarade_agents.arena._faults import Kind
from mascarade_agents.arena._plan import Plan
from mascarade_agents.arena._play import Played
from mascarade_agents.behaviour import Tally
from mascarade_env.game._game import Game


@dataclass(frozen=True, slots=True)
class Forfeits:
    """The games that an agent forfeited for one kind of reason.

    Attributes:
        agent: name of the agent.
        kind: the reason: the agent "raised" an error, "answered" with an illegal action, "overran"
            its time, or "died", which means that it ended its process.
        games: number of games.
        message: the message of the first of these games.
    """

    agent: str
    kind: Kind
    games: int
    message: str

    @property
    def reason(self) -> str:
        """The reason in words."""
        return f"{_WHY[self.kind]}; the first time: {self.message}"


_WHY: dict[Kind, str] = {
    "raised": "it raised an error",
    "answered": "it answered with an illegal action",
    "overran": "it took too long",
    "died": "it ended its process",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an arena.

    Attributes:
        plan: the plan of the games.
        results: the agents of each game, win shares and deals, as arrays.
        forfeits: the games that agents forfeited, by agent and kind.
        broken_off: number of games that were stopped because they lasted too long.
        behaviour: measures of play in the measured games.
    """

    plan: Plan
    results: Results
    forfeits: tuple[Forfeits, ...]
    broken_off: int
    behaviour: Tally
    _measured: dict[int, list[int]]

    @classmethod
    def of(cls, plan: Plan, chunks: Sequence[Played]) -> Self:
        """Return the outcome of all chunks, in their order."""
        winners, forfeits, decisions = (np.zeros(len(plan), np.int64) for _ in range(3))
        behaviour = Tally()
        measured: dict[int, list[int]] = {}
        for played in chunks:
            games = plan.chunks[played.chunk]
            winners[games] = played.winners
            forfeits[games] = played.forfeits
            decisions[games] = played.decisions
            behaviour += Tally.from_sums(played.sums)
            measured |= {int(game): taken for game, taken in played.measured.items()}
        results = Results(
            agents=plan.agents,
            scenario=plan.scenario.name,
            lineups=plan.lineups,
            shares=shares(winners, forfeits, plan.lineups),
            deals=plan.deals,
            forfeits=forfeits.astype(np.int16),
            decisions=decisions,
        )
        broken_off = sum(played.broken_off for played in chunks)
        return cls(plan, results, _added_up(plan, chunks), broken_off, behaviour, measured)

    def meta(self) -> dict[str, Any]:
        """Return the settings and forfeits of the arena, for `report.summary`."""
        plan = self.plan
        return {
            "title": f"Arena: {plan.scenario.name}",
            "package": plan.header()["package"],
            "seed": plan.seed,
            "games_wanted": plan.games,
            "tables": plan.tables,
            "broken_off": self.broken_off,
            "measured_games": len(self._measured),
            "seconds_per_decision": plan.seconds,
            "forfeits": [
                {"agent": each.agent, "reason": each.reason, "count": each.games}
                for each in self.forfeits
            ],
        }

    def games(self) -> Iterator[Game]:
        """Yield the measured games one by one, with the agents' names."""
        for game in sorted(self._measured):
            yield self.plan.replayed(game, self._measured[game])


def shares(
    winners: NDArray[np.int64], forfeits: NDArray[np.int64], lineups: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Return the win share of each player in each game, [G, n].

    If one copy of an agent forfeits, the other copies at its table get nothing either. Otherwise an
    agent could gain by failing in games that it is losing.

    Args:
        winners: the winners of each game as a bit set of players, [G]; 0 without a winner.
        forfeits: the player who forfeited each game, or -1, [G].
        lineups: the number of each player's agent, [G, n].
    """
    won = (winners[:, None] >> np.arange(lineups.shape[1])) & 1
    gets = np.where(winners[:, None] != 0, won, 1)
    guilty = np.take_along_axis(lineups, np.maximum(forfeits, 0)[:, None], axis=1)
    gets = np.where(forfeits[:, None] != NOBODY, lineups != guilty, gets)
    win_shares: NDArray[np.float64] = gets / np.maximum(gets.sum(axis=1, keepdims=True), 1)
    return win_shares


def _added_up(plan: Plan, chunks: Sequence[Played]) -> tuple[Forfeits, ...]:
    totals: dict[tuple[int, Kind], tuple[int, str]] = {}
    for played in chunks:
        for agent, kind, games, message in played.faults:
            before, first = totals.get((agent, kind), (0, message))
            totals[agent, kind] = before + games, first
    return tuple(
        Forfeits(plan.agents[agent], kind, *totals[agent, kind]) for agent, kind in sorted(totals)
    )
