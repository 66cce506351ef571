"""Information states of a tree as agents are shown them, and what agents answer there."""

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

_OFF = 1e-6  # by how much a sum of probabilities may miss 1


class TreePositions:
    """Some information states: what their players are shown, and where their options stand.

    Args:
        game: the tree.
        states: [k] the information states.

    Attributes:
        options: [S'] where their options stand in a policy, one after the other.

    Raises:
        MascaradeError: in games that lead there other actions are legal than in the tree.
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
        """Return [S'] the probabilities by which an agent draws, None if it does not know them."""
        with _asking("probabilities"):
            answer = agent.probabilities(self._histories.positions(self._rows, agent))
            found = None if answer is None else np.array(answer, np.float64)
        if found is None:
            return None
        if found.shape != self._masks.shape:
            raise MascaradeError(
                f"the agent gave probabilities of shape {found.shape}, not {self._masks.shape}"
            )
        wrong = ~((found >= 0) & ((found == 0) | (self._masks > 0))).all(axis=1)
        wrong |= ~(np.abs(found.sum(axis=1) - 1) <= _OFF)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise MascaradeError(
                f"the agent gave the probabilities {found[row].tolist()} where the actions "
                f"{np.flatnonzero(self._masks[row]).tolist()} are legal: they must sum to 1 and "
                "be 0 elsewhere"
            )
        return self._listed(found)

    def drawn_from(
        self, agent: Policy, draws: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return [2, S'] how often an agent takes each action, in either half of some draws."""
        taken = np.zeros((2, *self._masks.shape))
        for number in range(draws):
            with _asking("act_batch"):
                answer = np.array(
                    agent.act_batch(self._histories.positions(self._rows, agent), rng)
                )
            taken[number % 2, self._rows, self._checked(answer)] += 1
        return self._listed(taken / taken.sum(axis=2, keepdims=True))

    def _checked(self, answer: NDArray[Any]) -> NDArray[Any]:
        if answer.shape != self._rows.shape or answer.dtype.kind not in "iu":
            raise MascaradeError(
                f"the agent answered {answer.dtype} of shape {answer.shape} instead of "
                f"{len(self._rows)} action ids"
            )
        inside = (answer >= 0) & (answer < self._masks.shape[1])
        legal = inside & (self._masks[self._rows, np.where(inside, answer, 0)] > 0)
        if not legal.all():
            row = int(np.flatnonzero(~legal)[0])
            refusal = self._batch.refusal(row, int(answer[row]))
            raise MascaradeError(f"the agent answered what is not legal: {refusal}")
        return answer

    def _listed(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return [..., S'] the numbers of the options from those of all actions [..., k, A]."""
        found: NDArray[np.float64] = table[..., self._row_of_option, self._action_of_option]
        return found


def _other_rules(game: GameTree) -> MascaradeError:
    return MascaradeError(
        f"this tree of {game.scenario.name} does not agree with the rules: it was built by another "
        "version; build it anew"
    )


@contextmanager
def _asking(method: str) -> Iterator[None]:
    """While an agent is asked: what it raises is told as an error of the agent."""
    try:
        yield
    except (Exception, SystemExit) as error:  # others' code does not end a program
        raise MascaradeError(f"{method} of the agent raised {in_short(error)}") from error
