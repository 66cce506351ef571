"""Plays one chunk: all its games in step on one `Batch`, each decision by the agent whose it is."""

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

_PLAYING = 2  # tells the random numbers of decisions from others made of the same seed


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a chunk, in lists by game, ready for JSON.

    Attributes:
        chunk: its number.
        winners: a bit set of players; 0 if nobody has won.
        forfeits: the player who forfeited, -1 for nobody.
        decisions: how many a game took.
        broken_off: how many games were.
        faults: agent, kind of fault, how often, and the first message.
        measured: the decisions of games that are kept in full, by number of the game.
        sums: how agents play in these, as `Tally.sums` gives it.
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
        """As JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """From JSON."""
        return cls(**{**data, "faults": [tuple(fault) for fault in data["faults"]]})


def play_chunk(
    plan: Plan, chunk: int, agents: Sequence[Policy], care: Care, watch: Watch
) -> Played:
    """Play the games of a chunk to their ends.

    Args:
        plan: of the arena.
        chunk: its number.
        agents: in the plan's order.
        care: what earlier attempts at this chunk have taught.
        watch: notes which agent is asked, and for what.
    """
    games = plan.chunks[chunk]
    lineups, seeds = plan.lineups[games], plan.deals[games]
    batch = Batch(plan.scenario, len(games), seed=seeds, autoreset="disabled", track="both")
    histories = Histories(batch)
    decider = Decider(batch, histories, list(agents), (_PLAYING, plan.seed, chunk), care, watch)
    forfeits = np.full(len(games), NOBODY)
    found: list[tuple[int, Fault]] = []  # agent and fault
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
            found.append(fault)
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
        faults=_counted(found),
        measured=kept,
        sums=_tally(plan, kept).sums(),
    )


def _counted(found: Sequence[tuple[int, Fault]]) -> list[tuple[int, Kind, int, str]]:
    """By agent and kind of fault, how often and the first message."""
    counts = Counter((agent, fault.kind) for agent, fault in found)
    first: dict[tuple[int, Kind], str] = {}
    for agent, fault in found:
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
