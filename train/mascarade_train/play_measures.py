"""How somebody plays, as shares of their decisions.

| measure        | share of      | counted when                                               |
|----------------|---------------|------------------------------------------------------------|
| looks          | turns         | the player looks                                           |
| takes          | turns         | the player takes two masks under the table                 |
| announcements  | turns         | the player announces a mask                                |
| false          | announcements | the player's own mask is another                           |
| knowing bluffs | announcements | false, and the player's neutral belief in the announced    |
|                |               | mask is exact and 0: the player knows that it is false     |
| claims         | times asked   | the player claims, rather than passes, in a challenge      |
| true claims    | claims        | the player's own mask is the announced one                 |

Turns are those after the opening, whose takes are forced. A false announcement that is no knowing
bluff is a mistake or a gamble: the player held it for possible (`neutral belief`: rules 8). Where
the belief is not exact (`Batch.exact`), a 0 may come from leaving placements out: such a false
announcement stays among the announcements and the false ones, but is never a knowing bluff.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env.core import actions as ids
from mascarade_env.core.batch import Batch
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.state import CHALLENGE, NOBODY, TURN


@dataclass(frozen=True, slots=True)
class PlayMeasures:
    """Counts of decisions; counts of different games are added up with `+`.

    Attributes:
        turns: after the opening.
        looks: among the turns.
        takes: among the turns.
        announcements: among the turns.
        false: among the announcements.
        knowing_bluffs: among the announcements.
        asked: times a player was to claim or pass.
        claims: among these.
        true_claims: among the claims.
        broken_off: games that were not played to their end.
    """

    turns: int = 0
    looks: int = 0
    takes: int = 0
    announcements: int = 0
    false: int = 0
    knowing_bluffs: int = 0
    asked: int = 0
    claims: int = 0
    true_claims: int = 0
    broken_off: int = 0

    def __add__(self, other: "PlayMeasures") -> "PlayMeasures":
        return PlayMeasures(
            *(getattr(self, f.name) + getattr(other, f.name) for f in fields(PlayMeasures))
        )

    def shares(self) -> dict[str, float]:
        """The measures of the table above by name, in its order; NaN where there was no chance."""
        return {
            "looks": _share(self.looks, self.turns),
            "takes": _share(self.takes, self.turns),
            "announcements": _share(self.announcements, self.turns),
            "false": _share(self.false, self.announcements),
            "knowing bluffs": _share(self.knowing_bluffs, self.announcements),
            "claims": _share(self.claims, self.asked),
            "true claims": _share(self.true_claims, self.claims),
        }


def measured(batch: Batch, decisions: ArrayLike) -> PlayMeasures:
    """Count the decisions that are about to be taken in a batch: call it before `batch.step`.

    Args:
        batch: of track "belief" or "both", as bluffs are told by what players believe.
        decisions: [B] action ids; those of games that are over are not read.
    """
    if batch.schema is None or "own_belief" not in batch.schema.places:
        raise MascaradeError('measures of play need a batch of track "belief" or "both"')
    running = batch.player != NOBODY
    g = batch.state[running]
    if not len(g):
        return PlayMeasures()
    taken = batch.unpadded[np.asarray(decisions)[running]]
    own = g["mask_at"][np.arange(len(g)), g["actor"]]
    row = g[0]  # ids are the same in all rows: they have one scenario
    turn = (g["phase"] == TURN) & (g["turn"] >= g["opening_turns"])
    look, first, end = ids.look_id(row), ids.announce_id(row), ids.swap_id(row)
    announces = turn & (taken >= first) & (taken < end)
    said = row["kind"][np.where(announces, taken - first, 0)]
    false = announces & (said != own)
    views = batch.schema.views(batch.observation[running])
    column = [batch.schema.masks.index(mask) for mask in batch.scenario.kinds]
    believed = views["own_belief"][
        np.arange(len(g)), 0, np.array(column)[np.where(announces, taken - first, 0)]
    ]
    exact = batch.exact[running, batch.player[running]]
    asked = g["phase"] == CHALLENGE
    claims = asked & (taken == ids.claim_id(row))
    return PlayMeasures(
        turns=_count(turn),
        looks=_count(turn & (taken == look)),
        takes=_count(turn & (taken < look)),
        announcements=_count(announces),
        false=_count(false),
        knowing_bluffs=_count(false & exact & (believed == 0)),
        asked=_count(asked),
        claims=_count(claims),
        true_claims=_count(claims & (g["announced"] == own)),
    )


def _count(which: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(which))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
