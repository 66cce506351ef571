"""Plain functions of observations and masks as policies."""

from collections.abc import Callable
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.protocol import Policy, Positions, is_policy

#: The simplest policy: a function of [k, D] observations and [k, A] masks to [k] legal action ids.
PolicyFunction: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8]], ArrayLike]


@final
class FunctionPolicy:
    """A function as a policy; it reads whatever observations a table has.

    Args:
        function: called with observations and masks. It draws random numbers of its own, if any.
    """

    reads = None
    needs_views = False

    def __init__(self, function: PolicyFunction) -> None:
        self._function = function

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Any:
        """Return what the function answers."""
        return self._function(positions.observations, positions.masks)

    def probabilities(self, positions: Positions) -> None:
        """Return None: a function does not know its probabilities."""


def as_policy(given: Policy | PolicyFunction) -> Policy:
    """Return a policy, made of a function if need be.

    Raises:
        MascaradeError: it is neither.
    """
    if is_policy(given):
        return given
    if callable(given) and not isinstance(given, type):
        return FunctionPolicy(given)
    raise MascaradeError(
        "a policy is a mascarade_env.Policy, or a function of observations and masks, "
        f"not {given!r}"
    )
