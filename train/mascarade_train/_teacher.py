"""Make the teacher: an agent that the learner imitates early in training."""

from typing import Any

import numpy as np

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.names import fitted_by_name
from mascarade_env._policies.protocol import Policy
from mascarade_env._policies.short_errors import faults_of
from mascarade_env.game._batch import Batch
from mascarade_env.observation._schema import Schema


def teacher_of(name: str, schema: Schema) -> Policy:
    """Return the policy with this name, for observations of this layout.

    Args:
        name: the name of an agent, as for `make_agent`.
        schema: the layout of the learner's observations.

    Raises:
        MascaradeError: no agent has this name, the agent cannot play the scenario, its code fails,
            or it does not know the probabilities of its actions.
    """
    policy = fitted_by_name(name, schema)
    track: Any = schema.track
    batch = Batch(schema.scenario, 1, seed=0, track=track, padded=schema.padded)
    positions = Histories(batch).positions(np.arange(1), policy)
    with faults_of(f"the teacher {name!r}"):
        probabilities = policy.probabilities(positions)
    if probabilities is None:
        raise MascaradeError(
            f"{name} does not know its action probabilities, so it cannot teach: name an agent "
            "that does, such as stopper"
        )
    return policy
