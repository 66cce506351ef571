"""The spaces of a batch's observations and actions."""

import gymnasium.spaces
import numpy as np

from mascarade_env._errors import MascaradeError
from mascarade_env.game._batch import Batch
from mascarade_env.observation._schema import Schema


def box_of(schema: Schema) -> gymnasium.spaces.Box:
    """Return the Gymnasium `Box` of vectors with the layout of a schema."""
    return gymnasium.spaces.Box(schema.low, schema.high, (schema.size,), np.float32)


def observation_space(batch: Batch) -> gymnasium.spaces.Box:
    """Return the space of a batch's observations."""
    if batch.schema is None:
        raise MascaradeError(
            'an environment needs observations, so track must be "memory", "belief" or "both", '
            "not None"
        )
    return box_of(batch.schema)


def action_space(batch: Batch) -> gymnasium.spaces.Discrete:
    """Return the space of all action ids, legal or not."""
    return gymnasium.spaces.Discrete(batch.num_actions)
