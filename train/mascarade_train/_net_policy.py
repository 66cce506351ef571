"""Compute the output of a trained network with NumPy, without torch."""

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.knowledge._windows import TOKEN, WINDOW
from mascarade_env.observation._schema import Schema
from mascarade_train._policy_file import WORDS, PolicyFile, numbers_read
from mascarade_train._slots import SlotReader

#: The log-probability of illegal actions, where numbers must be finite; its exponential is 0.
NO_CHANCE = np.float32(-1e9)


def seat_indices(schema: Schema) -> NDArray[np.int64]:
    """Return, for each seat, the index of the number that marks it as occupied, own seat first."""
    indices: NDArray[np.int64] = schema.views(np.arange(schema.size))["occupied"][: schema.seats]
    return indices


class NetPolicy:
    """The network of a policy file, computed with NumPy; `NetworkAgent` makes an agent of it.

    The output for one observation does not depend on other observations in the same call.

    Args:
        file: the network.

    Attributes:
        schema: the layout of the observations that it reads.
        actions: A, the number of action ids.
        players: the number of players whose win probabilities it predicts.
    """

    def __init__(self, file: PolicyFile) -> None:
        names = [*(f"trunk.{layer}" for layer in range(file.layers)), "policy", "wins"]
        *self._trunk, self._policy, self._wins = (_Layer(file, name) for name in names)
        self._slots = _Slots(file) if file.slots else None
        self._numbers = numbers_read(file.schema)
        self._events = file.events
        if self._events:
            self._tokens = file.arrays["tokens"].astype(np.float32)
        self.schema = file.schema
        self.actions = file.actions
        self.players = file.players
        self._seats = seat_indices(file.schema)

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return log-probabilities plus a constant for each row, [k, A]; -inf for illegal actions.

        Args:
            observation: [k, D] observations.
            mask: [k, A] action masks.

        Raises:
            MascaradeError: a shape is wrong, or a score is not finite.
        """
        if mask.shape != (len(observation), self.actions):
            raise MascaradeError(
                f"this policy needs a mask of {self.actions} actions for each observation, not "
                f"masks of shape {mask.shape}{self._expected()}"
            )
        scores = self._out(observation, self._policy, choosing=True)
        scores[mask == 0] = -np.inf
        return scores

    def log_chances(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return log-probabilities, all finite, [k, A]; -1e9 for illegal actions.

        Args:
            observation: [k, D] observations.
            mask: [k, A] action masks.

        Raises:
            MascaradeError: as for `scores`.
        """
        scores = np.maximum(self.scores(observation, mask), NO_CHANCE)
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        scores[mask == 0] = NO_CHANCE
        return scores

    def wins(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return win probabilities by seat, the acting player first, then clockwise, [k, players].

        A padded network has 12 seats; seats without a player get 0.

        Raises:
            MascaradeError: the shape is wrong, or a score is not finite.
        """
        scores = self._out(observation, self._wins)
        scores[observation[:, self._seats] == 0] = NO_CHANCE
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float32] = weights / weights.sum(axis=1, keepdims=True)
        return probabilities

    def _out(
        self, observation: NDArray[np.float32], head: "_Layer", *, choosing: bool = False
    ) -> NDArray[np.float32]:
        if observation.ndim != 2 or observation.shape[1] != self.schema.size:
            raise MascaradeError(
                f"this policy reads {self.schema!r}, not arrays of shape {observation.shape}"
                f"{self._expected()}"
            )
        with np.errstate(over="ignore", invalid="ignore"):  # checked below
            numbers = self._read(observation)
            slots = None if self._slots is None else self._slots.read(observation)
            for place, layer in enumerate(self._trunk):
                numbers = layer(numbers)
                if slots is not None and place == 0:
                    numbers += slots.pooled
                np.maximum(numbers, 0, out=numbers)
            scores = head(numbers)
            if slots is not None and choosing:
                slots.add_scores(scores, numbers)
        if not np.isfinite(scores).all():
            raise MascaradeError(
                "the scores of the network are not finite: check that the observation is finite; "
                "if it is, the weights are too large, so use another network"
            )
        return scores

    def _read(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the input of the first layer, [k, numbers]."""
        numbers = np.array(observation[:, : self._numbers], np.float32, order="C")
        if not self._events:
            return numbers
        window = observation[:, self._numbers :].reshape(-1, WINDOW, len(TOKEN))
        words = np.clip(window[:, WINDOW - self._events :].astype(np.intp), 0, WORDS - 1)
        read = self._tokens[0, words[:, :, 0]]
        for field in range(1, len(TOKEN)):
            read += self._tokens[field, words[:, :, field]]
        np.maximum(read, 0, out=read)
        return np.concatenate([numbers, read.reshape(len(read), -1)], axis=1)

    def _expected(self) -> str:
        s = self.schema
        return (
            f": give observations [k, {s.size}] and masks [k, {self.actions}] made with "
            f"scenario={s.scenario.name!r}, track={s.track!r}, padded={s.padded}"
        )


class _Slots:
    """The layer that reads each slot with the same weights, and the layers that use its output."""

    def __init__(self, file: PolicyFile) -> None:
        self.reader = SlotReader(file.schema)
        self.length = file.slots
        self.layer, self.pooled, self.asked = (
            _Layer(file, name) for name in ("slots", "pooled", "asked")
        )

    def read(self, observation: NDArray[np.float32]) -> "_SlotsRead":
        """Return the output of this layer for observations [k, D]."""
        slots, width = self.reader.shape
        rows = self.layer(self.reader(observation).reshape(-1, width))
        return _SlotsRead(self, np.maximum(rows, 0).reshape(-1, slots, self.length))


class _SlotsRead:
    """The output of `_Slots` for k observations.

    Attributes:
        pooled: the numbers that are added to the first layer of the trunk, [k, width].
    """

    def __init__(self, of: _Slots, vectors: NDArray[np.float32]) -> None:
        self._of = of
        self._vectors = vectors
        self.pooled = of.pooled(vectors.sum(axis=1))

    def add_scores(self, scores: NDArray[np.float32], numbers: NDArray[np.float32]) -> None:
        """Add the slots' part to the scores of actions that name a slot.

        Args:
            scores: the scores of all actions, [k, A], which this method changes.
            numbers: the output of the trunk, [k, width].
        """
        reader = self._of.reader
        asked = self._of.asked(numbers).reshape(-1, 2, self._of.length)
        fits = np.einsum("ksl,kal->ksa", self._vectors[:, 1:], asked)
        seats = reader.targets.stop - reader.targets.start
        scores[:, reader.takes] += fits[:, :, 0]
        scores[:, reader.targets] += fits[:, :seats, 1]


class _Layer:
    """A linear layer."""

    def __init__(self, file: PolicyFile, name: str) -> None:
        weight = file.arrays[f"{name}.weight"]
        self._vectors = np.array(weight.T, np.float32, order="C")
        self._bias = np.array(file.arrays.get(f"{name}.bias", np.zeros(len(weight))), np.float32)

    def __call__(self, numbers: NDArray[np.float32]) -> NDArray[np.float32]:
        output = np.empty((len(numbers), len(self._bias)), np.float32)
        _add_up(numbers, self._vectors, self._bias, output)
        return output


@compiled
def _add_up(
    numbers: NDArray[np.float32],
    vectors: NDArray[np.float32],
    bias: NDArray[np.float32],
    output: NDArray[np.float32],
) -> None:
    """Write the matrix product plus bias into `output`, skipping zeros.

    Most numbers of an observation are 0. So this is as fast as a matrix library on an idle core,
    and much faster on busy cores, where the threads of a library wait for each other.
    """
    for row in range(numbers.shape[0]):
        total = output[row]
        for place in range(total.shape[0]):
            total[place] = bias[place]
        for number in range(numbers.shape[1]):
            value = numbers[row, number]
            if value != 0:
                vector = vectors[number]
                for place in range(total.shape[0]):
                    total[place] += value * vector[place]


def drawn(scores: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """Sample one action id for each row of scores [k, A], by their softmax; return [k] ids."""
    # The argmax of scores plus Gumbel noise is a sample from their softmax.
    actions: NDArray[np.int64] = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    return actions
