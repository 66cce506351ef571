"""What every policy is: it decides in k positions at once.

    taken = policy.act_batch(positions, rng)         # [k] action ids
    known = policy.probabilities(positions)          # [k, A], or None

Opponents in environments, entrants of an arena, opponents and teachers in training, and the
subjects of best responses are all asked in this way. `mascarade_agents.Agent` is the base class for
writing one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.game._batch import Batch
from mascarade_env.game._batch_arguments import plain_array
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import Schema, schema_of


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """k positions, each as the player who decides there may know it.

    Attributes:
        observations: [k, D] float32, laid out by `schema`.
        masks: [k, A] int8, 1 for each legal action id. Ids are padded if `schema` is.
        schema: the layout of the observations, with the scenario that is played.
        views: [k] what each of these players may know, for a policy that needs views; each is made
            when it is asked for. Empty for other policies. Views are of the plain scenario, so
            their action ids are never padded.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    schema: Schema
    views: Sequence[AgentView] = ()

    def __len__(self) -> int:
        return len(self.masks)

    @classmethod
    def of_views(cls, views: Sequence[AgentView]) -> Self:
        """Return the positions of views whose players decide, at least one.

        Raises:
            MascaradeError: there is no view.
        """
        if not views:
            raise MascaradeError("positions are made of one view or more, not of none")
        observations = np.array([view.observation() for view in views])
        masks = np.array([view.legal_mask() for view in views])
        return cls(observations, masks, schema_of(views[0].scenario, "both", False), views)

    @classmethod
    def of_batch(cls, batch: Batch, rows: NDArray[Any] | slice = slice(None)) -> Self:
        """Return the positions of the players who decide in some rows of a batch, without views.

        Args:
            batch: made with a track.
            rows: numbers of rows, a slice, or [B] of bool. A player must decide in each of them.

        Raises:
            MascaradeError: the batch makes no observations.
        """
        if batch.schema is None:
            raise MascaradeError("this batch makes no observations; give it a track")
        # Copies: whatever a policy writes there, the games stay as they are. Indexing by an array
        # makes one.
        picked = np.arange(len(batch))[rows] if isinstance(rows, slice) else rows
        return cls(batch.observation[picked], batch.mask[picked], batch.schema)


class Policy(Protocol):
    """Decides in k positions at once.

    A policy has no memory of its own: what it makes use of is in the positions, so it can play any
    number of games at the same time and in any order.
    """

    @property
    def reads(self) -> Schema | None:
        """The layout of the observations that it reads; None if it reads any.

        A policy that reads a padded layout plays every scenario that fits, any other the scenario
        of the layout alone.
        """

    @property
    def needs_views(self) -> bool:
        """Whether it reads `Positions.views`, which take time and memory to make."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return [k] legal action ids; everything random is drawn from `rng`."""

    def probabilities(self, positions: Positions) -> NDArray[np.floating[Any]] | None:
        """Return [k, A] by which `act_batch` draws, 0 where illegal; None if not known."""


def is_policy(given: object) -> TypeGuard[Policy]:
    """Return whether an object has all that a policy has."""
    return (
        not isinstance(given, type)
        and all(callable(getattr(given, name, None)) for name in ("act_batch", "probabilities"))
        and all(hasattr(given, name) for name in ("reads", "needs_views"))
    )


def checked_actions(answer: Any, count: int) -> NDArray[np.int64]:
    """Return what a policy has answered as [count] action ids, legal or not.

    Raises:
        MascaradeError: it is no array of `count` whole numbers.
    """
    found = plain_array(answer)
    if found.shape != (count,) or found.dtype.kind not in "iu":
        raise MascaradeError(
            f"a policy answers with one action id for each of {count} positions, "
            f"not {found.dtype} of shape {found.shape}"
        )
    return found.astype(np.int64, copy=False)
