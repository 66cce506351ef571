"""A policy that a learner imitates at first."""

from typing import Any

import numpy as np

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.names import fitted_by_name
from mascarade_env._policies.protocol import Policy
from mascarade_env.game._batch import Batch
from mascarade_env.observation._schema import Schema


def teacher_of(name: str, schema: Schema) -> Policy:
    """Return the policy of a name where observations have this layout; it knows its probabilities.

    Args:
        name: as for `make_agent`.
        schema: of what the learner observes.

    Raises:
        MascaradeError: there is none of this name, it cannot play here, or it does not know its
            probabilities.
    """
    policy = fitted_by_name(name, schema)
    track: Any = schema.track
    batch = Batch(schema.scenario, 1, seed=0, track=track, padded=schema.padded)
    if policy.probabilities(Histories(batch).positions(np.arange(1), policy)) is None:
        raise MascaradeError(
            f"{name} does not know its probabilities, so it cannot teach: name an agent that does, "
            "such as stopper"
        )
    return policy
