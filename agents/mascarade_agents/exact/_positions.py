"""Information states of a tree as an agent sees them, and the agent's decisions in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.protocol import Policy
from mascarade_env._policies.short_errors import in_short
from mascarade_env.exact import GameTree
from mascarade_env.game._batch import Batch

_OFF = 1e-6  # the largest accepted distance of a sum of probabilities from 1


class TreePositions:
    """A group of information states: what the players see in them, and their options.

    Args:
        game: the tree.
        states: [k] the information states.

    Attributes:
        options: [S'] the index in a policy of each option of these states, state by state.

    Raises:
        MascaradeError: the actions of the tree are not those that the rules allow.
    """

    def __init__(self, game: GameTree, states: NDArray[np.int64]) -> None:
        tree = game.tree
        self._rows = np.arange(len(states))
        self._batch = Batch(game.scenario, len(states), seed=0, autoreset="disabled")
        self._histories = Histories(self._batch)
        try:
            for taken in game.ways_to(game.nodes_of_states[states]).T:
                self._batch.step(taken, rows=taken >= 0)
                self._histories.add(taken.astype(np.int64), taken >= 0)
        except IllegalActionError as error:
            raise _other_rules(game) from error
        counts = tree.options[states].astype(np.int64)
        self.options = np.arange(counts.sum()) + np.repeat(
            tree.start[states] - counts.cumsum() + counts, counts
        )
        self._row_of_option = np.repeat(self._rows, counts)
        self._action_of_option = game.actions[self.options]
        self._masks = np.zeros_like(self._batch.mask)
        self._masks[self._row_of_option, self._action_of_option] = 1
        if not (
            np.array_equal(self._masks, self._batch.mask)
            and np.array_equal(self._batch.player, tree.owner[states])
        ):
            raise _other_rules(game)

    def probabilities_of(self, agent: Policy) -> NDArray[np.float64] | None:
        """Return an agent's probabilities of the options, [S'], or None if it does not give any.

        Raises:
            MascaradeError: the agent raises an error; or it returns an array of another shape,
                negative numbers, positive ones for illegal actions, or a sum other than 1.
        """
        with _errors_of_agent("probabilities"):
            answer = agent.probabilities(self._histories.positions(self._rows, agent))
            table = None if answer is None else np.array(answer, np.float64)
        if table is None:
            return None
        if table.shape != self._masks.shape:
            raise MascaradeError(
                f"the agent returned probabilities of shape {table.shape}; `probabilities` must "
                f"return the shape {self._masks.shape}: one row for each position, and one column "
                "for each action id"
            )
        wrong = ~((table >= 0) & ((table == 0) | (self._masks > 0))).all(axis=1)
        wrong |= ~(np.abs(table.sum(axis=1) - 1) <= _OFF)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise MascaradeError(
                f"the agent returned the probabilities {table[row].tolist()}, and the legal "
                f"actions are {np.flatnonzero(self._masks[row]).tolist()}: probabilities must sum "
                "to 1 and be 0 for other actions"
            )
        return self._of_options(table)

    def drawn_from(
        self, agent: Policy, draws: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return the frequencies of the options in each half of `draws` decisions, [2, S'].

        Raises:
            MascaradeError: the agent raises an error, or does not return legal action ids.
        """
        taken = np.zeros((2, *self._masks.shape))
        for number in range(draws):
            with _errors_of_agent("act_batch"):
                answer = np.array(
                    agent.act_batch(self._histories.positions(self._rows, agent), rng)
                )
            taken[number % 2, self._rows, self._checked(answer)] += 1
        return self._of_options(taken / taken.sum(axis=2, keepdims=True))

    def _checked(self, answer: NDArray[Any]) -> NDArray[Any]:
        if answer.shape != self._rows.shape or answer.dtype.kind not in "iu":
            raise MascaradeError(
                f"the agent returned numbers of type {answer.dtype} and shape {answer.shape}; "
                f"`act_batch` must return {len(self._rows)} action ids, integers of shape "
                f"{self._rows.shape}"
            )
        inside = (answer >= 0) & (answer < self._masks.shape[1])
        legal = inside & (self._masks[self._rows, np.where(inside, answer, 0)] > 0)
        if not legal.all():
            row = int(np.flatnonzero(~legal)[0])
            refusal = self._batch.refusal(row, int(answer[row]))
            raise MascaradeError(f"the agent chose an illegal action: {refusal}")
        return answer

    def _of_options(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Select the entries of the options, [..., S'], from a table of actions, [..., k, A]."""
        entries: NDArray[np.float64] = table[..., self._row_of_option, self._action_of_option]
        return entries


def _other_rules(game: GameTree) -> MascaradeError:
    return MascaradeError(
        f"this tree of {game.scenario.name} does not agree with the rules, because another version "
        "of this package built it: build it again with `mascarade_env.exact.build`"
    )


@contextmanager
def _errors_of_agent(method: str) -> Iterator[None]:
    """Report an exception of an agent's method as a MascaradeError."""
    try:
        yield
    except (Exception, SystemExit) as error:  # an agent must not end the program
        raise MascaradeError(f"{method} of the agent raised {in_short(error)}") from error
