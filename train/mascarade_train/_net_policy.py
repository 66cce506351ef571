"""Policies from policy files, played without torch."""

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._jit import compiled
from mascarade_env.knowledge._windows import TOKEN, WINDOW
from mascarade_env.observation._schema import Schema
from mascarade_train._policy_file import WORDS, PolicyFile, numbers_read
from mascarade_train._slots import SlotReader

#: What stands in for minus infinity where numbers must be finite: as a score it has no chance.
NO_CHANCE = np.float32(-1e9)


def seat_indices(schema: Schema) -> NDArray[np.int64]:
    """Return where an observation tells that a seat has a player, from one's own seat clockwise."""
    found: NDArray[np.int64] = schema.views(np.arange(schema.size))["occupied"][: schema.seats]
    return found


class NetPolicy:
    """A network of a policy file; `NetworkAgent` makes a policy of it.

    What it outputs for an observation does not depend on the others that it is asked about.

    Args:
        file: the network.

    Attributes:
        schema: of the observations that it reads.
        actions: how many action ids it knows.
        players: for how many players it tells who will win.
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
        """[k, A] the logarithms of chances, but for a summand; minus infinity where illegal."""
        if mask.shape != (len(observation), self.actions):
            raise MascaradeError(
                f"this policy knows {self.actions} actions and reads a mask for each observation, "
                f"not masks of shape {mask.shape}{self._wanted()}"
            )
        scores = self._out(observation, self._policy, choosing=True)
        scores[mask == 0] = -np.inf
        return scores

    def log_chances(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return [k, A] the logarithms of chances, all finite: -1e9 where illegal."""
        scores = np.maximum(self.scores(observation, mask), NO_CHANCE)
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        scores[mask == 0] = NO_CHANCE
        return scores

    def wins(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return [k, players] how likely each wins, by seat: first who decides, then clockwise.

        Where a padded network knows more players than are at the table, theirs is 0.
        """
        scores = self._out(observation, self._wins)
        scores[observation[:, self._seats] == 0] = NO_CHANCE
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: NDArray[np.float32] = weights / weights.sum(axis=1, keepdims=True)
        return found

    def _out(
        self, observation: NDArray[np.float32], head: "_Layer", *, choosing: bool = False
    ) -> NDArray[np.float32]:
        if observation.ndim != 2 or observation.shape[1] != self.schema.size:
            raise MascaradeError(
                f"this policy reads {self.schema!r}, not arrays of shape {observation.shape}"
                f"{self._wanted()}"
            )
        with np.errstate(over="ignore", invalid="ignore"):  # found below
            numbers = self._read(observation)
            slots = None if self._slots is None else self._slots.read(observation)
            for place, layer in enumerate(self._trunk):
                numbers = layer(numbers)
                if slots is not None and place == 0:
                    numbers += slots.pooled
                np.maximum(numbers, 0, out=numbers)
            found = head(numbers)
            if slots is not None and choosing:
                slots.add_scores(found, numbers)
        if not np.isfinite(found).all():
            raise MascaradeError(
                "the scores are not finite: the observation is not, or the weights of the network "
                "are far too large"
            )
        return found

    def _read(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return [k, numbers] what the first layer reads."""
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

    def _wanted(self) -> str:
        s = self.schema
        return (
            f": give it scenario={s.scenario.name!r}, track={s.track!r}, padded={s.padded}, and k "
            "rows at once"
        )


class _Slots:
    """The layer that reads each slot by the same weights, and what comes of it."""

    def __init__(self, file: PolicyFile) -> None:
        self.reader = SlotReader(file.schema)
        self.length = file.slots
        self.layer, self.pooled, self.asked = (
            _Layer(file, name) for name in ("slots", "pooled", "asked")
        )

    def read(self, observation: NDArray[np.float32]) -> "_SlotsRead":
        """Return what it says of [k, D] observations."""
        slots, width = self.reader.shape
        rows = self.layer(self.reader(observation).reshape(-1, width))
        return _SlotsRead(self, np.maximum(rows, 0).reshape(-1, slots, self.length))


class _SlotsRead:
    """Slots of some positions.

    Attributes:
        pooled: [k, width] what is added to the first layer of the trunk.
    """

    def __init__(self, of: _Slots, vectors: NDArray[np.float32]) -> None:
        self._of = of
        self._vectors = vectors
        self.pooled = of.pooled(vectors.sum(axis=1))

    def add_scores(self, scores: NDArray[np.float32], numbers: NDArray[np.float32]) -> None:
        """Add to the scores of actions that are about a slot, by what the trunk says."""
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
        found = np.empty((len(numbers), len(self._bias)), np.float32)
        _add_up(numbers, self._vectors, self._bias, found)
        return found


@compiled
def _add_up(
    numbers: NDArray[np.float32],
    vectors: NDArray[np.float32],
    bias: NDArray[np.float32],
    found: NDArray[np.float32],
) -> None:
    """The product of matrices.

    Most numbers of an observation are 0, so this is as fast as libraries for matrices on a free
    core, and much faster where cores are busy, on which the threads of these wait for each other.
    """
    for row in range(numbers.shape[0]):
        total = found[row]
        for place in range(total.shape[0]):
            total[place] = bias[place]
        for number in range(numbers.shape[1]):
            value = numbers[row, number]
            if value != 0:
                vector = vectors[number]
                for place in range(total.shape[0]):
                    total[place] += value * vector[place]


def drawn(scores: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return an action id for each row of scores, by its chances."""
    # The largest of scores with this noise is a draw.
    found: NDArray[np.int64] = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    return found
