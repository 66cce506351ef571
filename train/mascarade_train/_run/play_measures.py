"""Measures of play, counted in the decisions that the learner learns from.

Counting takes almost no time, so the progress line shows these measures. MEASURES.md of
`mascarade_agents.behaviour` defines them. Here they are counted from single decisions, with one
difference: a knowing bluff also counts when the belief is not exact.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env.observation._schema import Schema
from mascarade_train._rollouts import Harvest

#: The measures, in the order in which they are counted.
COUNTED = (
    "announce_rate", "look_rate", "false", "knowing_bluff", "claim_rate", "claim_precision"
)  # fmt: skip


class PlayCounter:
    """Counts measures of play in the learner's decisions.

    Args:
        schema: the layout of the observations; with several padded scenarios, any of them.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        # These follow the layout of action ids in game/_actions.py.
        slots, kinds = schema.slots, len(schema.masks)
        self._look = slots - 1
        self._announce = slice(slots, slots + kinds)
        self._claim = slots + kinds + 2

    def count(self, harvest: Harvest) -> list[float]:
        """Count decisions; return two numbers for each of `COUNTED`: matches and opportunities."""
        action, held = harvest.action, harvest.held
        may_announce = harvest.mask[:, self._announce].any(axis=1)
        announces = (action >= self._announce.start) & (action < self._announce.stop)
        mask = action[announces] - self._announce.start
        asked = harvest.mask[:, self._claim] > 0
        claims = action == self._claim
        views = self._schema.views(harvest.observation[claims])
        counts: list[tuple[int, Any]] = [
            (int(announces.sum()), may_announce),
            (int((action[may_announce] == self._look).sum()), may_announce),
            (int((held[announces] != mask).sum()), announces),
            (self._knowing(harvest.observation[announces], mask), announces),
            (int(claims.sum()), asked),
            (int((views["announced"].argmax(axis=1) == held[claims]).sum()), claims),
        ]
        return [float(number) for counted, cases in counts for number in (counted, cases.sum())]

    def _knowing(self, observation: NDArray[np.float32], mask: NDArray[np.int64]) -> int:
        """Return the number of announcements that the player knows to be false."""
        if "own_belief" not in self._schema.places:
            return 0
        belief = self._schema.views(observation)["own_belief"][:, 0]
        return int((belief[np.arange(len(mask)), mask] < 1e-6).sum())


def shares(counts: list[float]) -> dict[str, float]:
    """Return the measures as fractions, without measures that had no opportunity."""
    pairs = zip(counts[::2], counts[1::2], strict=True)
    return {name: n / cases for name, (n, cases) in zip(COUNTED, pairs, strict=True) if cases > 0}
