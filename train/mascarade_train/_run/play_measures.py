"""How the learner behaves, counted from the decisions that it learns from.

These few figures cost nothing, so they are shown while training goes on. MEASURES.md of
`mascarade_agents.behaviour` tells of the full ones, which follow whole games.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env.observation._schema import Schema
from mascarade_train._rollouts import Harvest

#: What is counted: the figure's name, and of how many chances.
FIGURES = {
    "announces": "turns on which it may announce",
    "looks": "turns on which it may announce",
    "false": "announcements",
    "knowing bluffs": "announcements",
    "claims": "times it is asked",
    "true claims": "claims",
}


class Conduct:
    """Counts what is done in harvests.

    Args:
        schema: of the observations; any of several padded ones.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        # As the ids of actions are laid out, see game/_actions.py.
        slots, kinds = schema.slots, len(schema.masks)
        self._look = slots - 1
        self._announce = slice(slots, slots + kinds)
        self._claim = slots + kinds + 2

    def count(self, harvest: Harvest) -> list[float]:
        """For each of FIGURES how often it was so, and how often it might have been."""
        action, held = harvest.action, harvest.truth[:, 0]
        may = harvest.mask[:, self._announce].any(axis=1)
        said = (action >= self._announce.start) & (action < self._announce.stop)
        mask = action[said] - self._announce.start
        asked = harvest.mask[:, self._claim] > 0
        claims = action == self._claim
        views = self._schema.views(harvest.observation[claims])
        counts: list[tuple[int, Any]] = [
            (int(said.sum()), may),
            (int((action[may] == self._look).sum()), may),
            (int((held[said] != mask).sum()), said),
            (self._knowing(harvest.observation[said], mask), said),
            (int(claims.sum()), asked),
            (int((views["announced"].argmax(axis=1) == held[claims]).sum()), claims),
        ]
        return [float(number) for yes, of in counts for number in (yes, of.sum())]

    def _knowing(self, observation: NDArray[np.float32], mask: NDArray[np.int64]) -> int:
        """Announcements of a mask that the player knows to be another."""
        if "own_belief" not in self._schema.places:
            return 0
        belief = self._schema.views(observation)["own_belief"][:, 0]
        return int((belief[np.arange(len(mask)), mask] < 1e-6).sum())


def rates(counts: list[float]) -> dict[str, float]:
    """The figures from such counts, without those that never might have been."""
    pairs = zip(counts[::2], counts[1::2], strict=True)
    return {name: yes / of for name, (yes, of) in zip(FIGURES, pairs, strict=True) if of > 0}
