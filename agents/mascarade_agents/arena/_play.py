"""Plays one chunk of games on one `Batch`, with one decision in each running game per tick."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from mascarade_agents.arena._decisions import Decider
from mascarade_agents.arena._faults import Care, Fault, Kind, Watch
from mascarade_agents.arena._plan import Plan
from mascarade_agents.behaviour import Tally
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.protocol import Policy
from mascarade_env.game._batch import Batch
from mascarade_env.game._positions import NOBODY, OVER

_PLAYING = 2  # makes the random numbers of decisions differ from others with the same seed


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a chunk. Lists have one entry for each game; all values are JSON types.

    Attributes:
        chunk: number of the chunk.
        winners: the winners of each game, as a bit set of players; 0 without a winner.
        forfeits: the player who forfeited each game, or -1.
        decisions: number of decisions in each game.
        broken_off: number of games that were stopped because they lasted too long.
        faults: for each agent and kind of fault, a tuple of the agent's number, the kind, the
            number of games, and the first message.
        measured: all decisions of each measured game, by the number of the game.
        sums: measures of play in the measured games, as `Tally.sums` returns them.
    """

    chunk: int
    winners: list[int]
    forfeits: list[int]
    decisions: list[int]
    broken_off: int
    faults: list[tuple[int, Kind, int, str]]
    measured: dict[str, list[int]]
    sums: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the results as JSON types."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the results in a dict that `to_dict` has returned."""
        return cls(**{**data, "faults": [tuple(fault) for fault in data["faults"]]})


def play_chunk(
    plan: Plan, chunk: int, agents: Sequence[Policy], care: Care, watch: Watch
) -> Played:
    """Play all games of a chunk, each to its end, its limit of decisions, or a forfeit.

    Args:
        plan: the plan of the arena.
        chunk: number of the chunk.
        agents: the agents, in the order of the plan.
        care: what is known from earlier attempts to play this chunk.
        watch: an object that is notified of calls of agents.
    """
    games = plan.chunks[chunk]
    lineups, seeds = plan.lineups[games], plan.deals[games]
    batch = Batch(plan.scenario, len(games), seed=seeds, autoreset="disabled", track="both")
    histories = Histories(batch)
    decider = Decider(batch, histories, list(agents), (_PLAYING, plan.seed, chunk), care, watch)
    forfeits = np.full(len(games), NOBODY)
    faults: list[tuple[int, Fault]] = []  # agent and fault
    for tick in range(plan.cap):
        going = (batch.player != NOBODY) & (forfeits == NOBODY)
        rows = np.flatnonzero(going)
        if not len(rows):
            break
        if tick < len(care.steps):
            step = care.steps[tick]
        else:
            step = decider.decide(tick, rows, lineups[rows, batch.player[rows]])
            watch.decided(step)
        for row, fault in step.faults.items():
            forfeits[row] = batch.player[row]
            going[row] = False
            faults.append(fault)
        batch.step(step.taken, rows=going)
        histories.add(step.taken, going)
        histories.drop_views((batch.player == NOBODY) | ~going)
    running = (batch.state["phase"] != OVER) & (forfeits == NOBODY)
    kept = _kept(plan, chunk, histories)
    return Played(
        chunk=chunk,
        winners=np.where(forfeits == NOBODY, batch.state["winners"], 0).tolist(),
        forfeits=forfeits.tolist(),
        decisions=batch.state["decisions"].tolist(),
        broken_off=int(running.sum()),
        faults=_counted(faults),
        measured=kept,
        sums=_tally(plan, kept).sums(),
    )


def _counted(faults: Sequence[tuple[int, Fault]]) -> list[tuple[int, Kind, int, str]]:
    """Return the faults as in `Played.faults`, in the order of agents and kinds."""
    counts = Counter((agent, fault.kind) for agent, fault in faults)
    first: dict[tuple[int, Kind], str] = {}
    for agent, fault in faults:
        first.setdefault((agent, fault.kind), fault.message)
    return [
        (agent, kind, counts[agent, kind], first[agent, kind]) for agent, kind in sorted(counts)
    ]


def _kept(plan: Plan, chunk: int, histories: Histories) -> dict[str, list[int]]:
    games = plan.chunks[chunk].tolist()
    return {str(game): histories.of(row) for row, game in enumerate(games) if game < plan.measured}


def _tally(plan: Plan, kept: dict[str, list[int]]) -> Tally:
    total = Tally()
    for game, taken in kept.items():
        total += Tally.of(plan.replayed(int(game), taken))
    return total
