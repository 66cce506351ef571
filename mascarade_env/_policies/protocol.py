"""The `Policy` protocol: a policy chooses actions in k positions at once.

    actions = policy.act_batch(positions, rng)             # [k] action ids
    probabilities = policy.probabilities(positions)        # [k, A], or None

All policies have these methods: opponents in environments, agents in an arena, opponents and
teachers in training, and the agents that best responses are trained against. To write one, derive
it from `mascarade_agents.Agent`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env.game._batch import Batch
from mascarade_env.game._batch_arguments import kind_of, plain_array
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import Schema, schema_of


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """k positions, each with the observation of its acting player, and the view if it is needed.

    Attributes:
        observations: [k, D] float32, laid out by `schema`.
        masks: [k, A] int8, 1 for each legal action id. Ids are padded if `schema` is padded.
        schema: the layout of the observations, with the scenario that is played.
        views: [k] the views of the acting players, for a policy with `needs_views`; empty for other
            policies. A view is made on first access. Its action ids are never padded.
    """

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    schema: Schema
    views: Sequence[AgentView] = ()

    def __len__(self) -> int:
        return len(self.masks)

    @classmethod
    def of_views(cls, views: Sequence[AgentView]) -> Self:
        """Return the positions of one or more views, each of which is the view of an acting player.

        Raises:
            MascaradeError: `views` is empty.
        """
        if not views:
            raise MascaradeError("views is empty: pass one view or more")
        observations = np.array([view.observation() for view in views])
        masks = np.array([view.legal_mask() for view in views])
        return cls(observations, masks, schema_of(views[0].scenario, "both", False), views)

    @classmethod
    def of_batch(cls, batch: Batch, rows: NDArray[Any] | slice = slice(None)) -> Self:
        """Return the positions of the acting players of rows of a batch, without views.

        Args:
            batch: a batch with a track.
            rows: indices of rows, a slice, or [B] bool. No game of these rows may be over.

        Raises:
            MascaradeError: the batch has no track.
        """
        if batch.schema is None:
            raise MascaradeError(
                'this batch has no observations; make it with a track, such as track="both"'
            )
        # Indexing by an array makes a copy. So if a policy writes to its arrays, no game changes.
        picked = np.arange(len(batch))[rows] if isinstance(rows, slice) else rows
        return cls(batch.observation[picked], batch.mask[picked], batch.schema)


class Policy(Protocol):
    """A policy chooses actions in k positions at once.

    A policy keeps no memory between calls: it uses only the positions that it receives. So it can
    play any number of games at the same time and in any order.
    """

    @property
    def reads(self) -> Schema | None:
        """The layout of observations that the policy reads; None if it can read any layout.

        With a padded layout it plays every scenario that fits the padding. With another layout it
        plays only the scenario of that layout.
        """

    @property
    def needs_views(self) -> bool:
        """Whether the policy reads `Positions.views`, which take time and memory to make."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return legal action ids, [k]; `rng` is the only source of randomness."""

    def probabilities(self, positions: Positions) -> NDArray[np.floating[Any]] | None:
        """Return the probabilities of actions in `act_batch`, [k, A]; None if they are unknown.

        Illegal actions have the probability 0.
        """


def is_policy(given: object) -> TypeGuard[Policy]:
    """Return whether an object has all methods and properties of a policy."""
    return (
        not isinstance(given, type)
        and all(callable(getattr(given, name, None)) for name in ("act_batch", "probabilities"))
        and all(hasattr(given, name) for name in ("reads", "needs_views"))
    )


def checked_actions(answer: Any, count: int, who: str = "a policy") -> NDArray[np.int64]:
    """Return the answer of a policy as action ids, [count], which may be illegal.

    Args:
        answer: the result of `act_batch`.
        count: the number of positions.
        who: names the policy in errors.

    Raises:
        MascaradeError: the answer is not an array of `count` whole numbers.
    """
    actions = plain_array(answer)
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        raise MascaradeError(
            f"{who} must return one action id for each of {count} positions, not {kind_of(actions)}"
        )
    return actions.astype(np.int64, copy=False)


def legal_actions(answer: Any, batch: Batch, rows: NDArray[np.intp], who: str) -> NDArray[np.int64]:
    """Return the answer of a policy for k rows of a batch as action ids, [k]; all are legal.

    Args:
        answer: the result of `act_batch`.
        batch: the games.
        rows: [k] numbers of the rows in which the policy decides.
        who: names the policy in errors.

    Raises:
        MascaradeError: the answer is not an array of k whole numbers.
        IllegalActionError: an action is illegal; the error names the policy, player and row.
    """
    actions = checked_actions(answer, len(rows), who)
    inside = (actions >= 0) & (actions < batch.num_actions)
    legal = inside & (batch.mask[rows, np.where(inside, actions, 0)] != 0)
    if not legal.all():
        place = int(legal.argmin())
        row, action = int(rows[place]), int(actions[place])
        raise IllegalActionError(
            f"{who} returned {action} as player {int(batch.player[row])} in row {row}: "
            f"{batch.refusal(row, action)}"
        )
    return actions
