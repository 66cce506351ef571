"""Functions of observations and action masks as policies."""

from collections.abc import Callable
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.protocol import Policy, Positions, is_policy

#: The simplest policy: a function of observations, [k, D], and action masks, [k, A]. It returns
#: legal action ids, [k].
PolicyFunction: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8]], ArrayLike]


@final
class FunctionPolicy:
    """A function as a policy, for observations of any layout.

    Args:
        function: the function. If it needs random numbers, it must have a generator for them.
    """

    reads = None
    needs_views = False

    def __init__(self, function: PolicyFunction) -> None:
        self._function = function

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Any:
        """Return the result of the function."""
        return self._function(positions.observations, positions.masks)

    def probabilities(self, positions: Positions) -> None:
        """Return None, because the probabilities of a function are unknown."""


def as_policy(given: Policy | PolicyFunction) -> Policy:
    """Return a policy unchanged, or a function as a policy.

    Raises:
        MascaradeError: the object is neither a policy nor a function.
    """
    if is_policy(given):
        return given
    if callable(given) and not isinstance(given, type):
        return FunctionPolicy(given)
    raise MascaradeError(
        "a policy must be a mascarade_env.Policy, or a function of observations and masks, "
        f"not {given!r}"
    )
