"""The spaces of a batch's observations and actions."""

import gymnasium.spaces
import numpy as np

from mascarade_env._errors import MascaradeError
from mascarade_env.game._batch import Batch
from mascarade_env.observation._schema import Schema


def box_of(schema: Schema) -> gymnasium.spaces.Box:
    """Return the box that vectors of a schema lie in."""
    return gymnasium.spaces.Box(schema.low, schema.high, (schema.size,), np.float32)


def observation_space(batch: Batch) -> gymnasium.spaces.Box:
    """Return the box that observations lie in."""
    if batch.schema is None:
        raise MascaradeError("environments make observations; give them a track")
    return box_of(batch.schema)


def action_space(batch: Batch) -> gymnasium.spaces.Discrete:
    """Return all action ids; which are legal is another matter."""
    return gymnasium.spaces.Discrete(batch.num_actions)
