"""Fixed positions from seeded games, of all phases."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.fingerprints.parts import PHASES, Batch, Schema

_GAMES = 64
_STEPS = 400
_EVERY = 5  # steps between two samples, so that positions come from all moments of games


class Positions(NamedTuple):
    """Positions of one phase.

    Attributes:
        observations: [k, D] on the track "both", not padded.
        masks: [k, A] the action masks.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]


@cache
def positions(scenario: str, count: int) -> dict[str, Positions]:
    """Return positions of a scenario, the same number of each phase if there are enough."""
    batch = Batch(scenario, _GAMES, seed=5, track="both")
    schema = Schema(scenario)
    observations, masks = [], []
    for step in range(_STEPS):
        batch.step(batch.random_actions())
        if step % _EVERY == 0:
            observations.append(batch.observation.copy())
            masks.append(batch.mask.copy())
    seen, legal = np.concatenate(observations), np.concatenate(masks)
    phases = schema.views(seen)["phase"].argmax(axis=1)
    rarest_first = np.argsort(np.bincount(phases, minlength=len(PHASES)), kind="stable")
    found, left = {}, count
    for place, phase in enumerate(rarest_first):
        rows = np.flatnonzero(phases == phase)
        taken = min(len(rows), left // (len(PHASES) - place))
        if taken:
            rows = rows[np.linspace(0, len(rows) - 1, taken).astype(np.intp)]
            found[PHASES[phase]] = Positions(seen[rows], legal[rows])
            left -= taken
    assert left == 0, f"{scenario} has too few positions"
    return found
