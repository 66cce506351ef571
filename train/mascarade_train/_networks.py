"""The network that plays all seats, and the critic that sees all masks.

An observation is a row of numbers, but its window of events holds words: what happened, who did it,
where, and to which mask. As numbers they would mean nothing to a linear layer. So each event is the
sum of four learned vectors, one for each of its words, before the first layer.

torch's own gradient of this look-up is slower than all other layers together, so this file has its
own, for one core of a CPU.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import linear, relu

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._jit import compiled
from mascarade_env.knowledge._windows import TOKEN, WINDOW
from mascarade_env.observation._schema import Schema, schema_of
from mascarade_train._net_policy import seat_indices
from mascarade_train._policy_file import WORDS, action_count, numbers_read
from mascarade_train._slots import SlotReader

#: The log-probability of what is impossible; minus infinity would turn gradients into NaN.
IMPOSSIBLE = -1e9


class Output(NamedTuple):
    """What a network predicts from K observations.

    Attributes:
        log_probs: [K, A] of the actions, `IMPOSSIBLE` or less where illegal.
        log_wins: [K, P] log-probabilities to win, by seat, own seat first; `IMPOSSIBLE` or less for
            seats without a player.
    """

    log_probs: Tensor
    log_wins: Tensor


class Network(nn.Module):
    """A trunk of linear layers, with a head for actions and one for win probabilities.

    Args:
        schema: of the observations.
        layers: widths of the layers of the trunk.
        events: how many of the latest events of the window it reads.
        embedding: the length of the vector of an event.
        slots: the width of a layer that reads each slot with the same weights, 0 for none. The
            first layer of the trunk reads the sum over slots too. An action about a slot gets the
            product of the vector of that slot and a vector that the trunk computes.
    """

    def __init__(
        self,
        schema: Schema,
        layers: tuple[int, ...],
        *,
        events: int = WINDOW,
        embedding: int = 8,
        slots: int = 0,
    ) -> None:
        super().__init__()
        if not layers:
            raise MascaradeError("a network has at least one layer")
        self.schema = schema
        self.events = whole(events, "events", at_least=0) if "window" in schema.places else 0
        if self.events > WINDOW:
            raise MascaradeError(f"a window holds {WINDOW} events, not {events}")
        self._numbers = numbers_read(schema)
        width = self._numbers
        if self.events:
            whole(embedding, "embedding", at_least=1)
            self.tokens = nn.Parameter(torch.randn(len(TOKEN), WORDS, embedding) * 0.5)
            width += self.events * embedding
        self.slots: nn.Linear | None = None
        if whole(slots, "slots", at_least=0):
            self._reader = SlotReader(schema)
            # Without a bias, so that a slot which is not there adds nothing.
            self.slots = nn.Linear(self._reader.shape[1], slots, bias=False)
            self.pooled = nn.Linear(slots, layers[0], bias=False)
            self.asked = nn.Linear(layers[-1], 2 * slots)
            nn.init.orthogonal_(self.asked.weight, 0.01)
            nn.init.zeros_(self.asked.bias)
        self.trunk = nn.ModuleList()
        for out in layers:
            self.trunk.append(nn.Linear(width, whole(out, "a width", at_least=1)))
            width = out
        self.policy = nn.Linear(width, action_count(schema))
        self.wins = nn.Linear(width, schema.seats)
        for head in (self.policy, self.wins):  # nearly uniform at the beginning
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)
        self._occupied = torch.from_numpy(seat_indices(schema).copy())

    def forward(self, observation: Tensor, mask: Tensor) -> Output:
        """Predict the actions and the winner.

        Args:
            observation: [K, D].
            mask: [K, A] not 0 for each legal action.
        """
        hidden = self._first(observation)
        read = None
        if self.slots is not None:
            read = relu(self.slots(torch.from_numpy(self._reader(observation.numpy()))))
            hidden = hidden + self.pooled(read.sum(1))
        hidden = relu(hidden)
        for layer in self.trunk[1:]:
            hidden = relu(layer(hidden))
        scores = self.policy(hidden)
        if read is not None:
            asked = self.asked(hidden).reshape(-1, 2, read.shape[2])
            fits = read[:, 1:] @ asked.transpose(1, 2)
            scores[:, self._reader.takes] += fits[:, :, 0]
            scores[:, self._reader.targets] += fits[:, : self.schema.seats - 1, 1]
        scores = scores.masked_fill(mask == 0, IMPOSSIBLE)
        nobody = observation[:, self._occupied] == 0
        log_wins = self.wins(hidden).masked_fill(nobody, IMPOSSIBLE).log_softmax(1)
        return Output(scores.log_softmax(1), log_wins)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights, by their names in a policy file."""
        return {name: array.detach().numpy().copy() for name, array in self.state_dict().items()}

    def load_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take the weights of a policy file.

        Raises:
            RuntimeError: they are of another network.
        """
        self.load_state_dict({name: torch.tensor(arrays[name]) for name in arrays})

    def _first(self, observation: Tensor) -> Tensor:
        """Return what the first layer computes, but for slots."""
        layer = self.trunk[0]
        assert isinstance(layer, nn.Linear)
        # Numbers and events apart: the numbers, which are most of it, need no gradient.
        numbers, weight = self._numbers, layer.weight
        hidden = linear(observation[:, :numbers], weight[:, :numbers], layer.bias)
        if not self.events:
            return hidden
        window = observation[:, numbers:].reshape(-1, WINDOW, len(TOKEN))
        events = window[:, WINDOW - self.events :]
        read: Tensor = _ReadEvents.apply(events, self.tokens)  # type: ignore[no-untyped-call]
        return hidden + linear(read, weight[:, numbers:])


class Critic(nn.Module):
    """Predicts who wins from full states: all masks, and what every player believes.

    Args:
        schema: of the observations; the full state is laid out by its scenario.
        layers: widths of its layers.
    """

    def __init__(self, schema: Schema, layers: tuple[int, ...]) -> None:
        super().__init__()
        full = schema_of(schema.scenario, "full", schema.padded)
        self._occupied = torch.from_numpy(seat_indices(full).copy())
        width = full.size
        self.trunk = nn.ModuleList()
        for out in layers:
            self.trunk.append(nn.Linear(width, out))
            width = out
        self.wins = nn.Linear(width, schema.seats)
        nn.init.orthogonal_(self.wins.weight, 0.01)
        nn.init.zeros_(self.wins.bias)

    def forward(self, full: Tensor) -> Tensor:
        """Return the [K, P] log-probabilities to win, from [K, F] full states."""
        hidden = full
        for layer in self.trunk:
            hidden = relu(layer(hidden))
        nobody = full[:, self._occupied] == 0
        found: Tensor = self.wins(hidden).masked_fill(nobody, IMPOSSIBLE).log_softmax(1)
        return found


class _ReadEvents(torch.autograd.Function):
    """[K, L, 4] words -> [K, L * E]: of each event the sum of its words' vectors, if positive."""

    @staticmethod
    def forward(ctx: Any, window: Tensor, tokens: Tensor) -> Tensor:
        words = window.numpy()
        read = np.empty((len(words), words.shape[1] * tokens.shape[2]), np.float32)
        _add_up(words, tokens.detach().numpy(), read)
        found = torch.from_numpy(read)
        ctx.save_for_backward(window, found)
        ctx.shape = tokens.shape
        return found

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        window, read = ctx.saved_tensors
        found = np.zeros(ctx.shape, np.float32)
        _give_back(window.numpy(), read.numpy(), gradients[0].contiguous().numpy(), found)
        return None, torch.from_numpy(found)


@compiled
def _add_up(words: Any, tokens: Any, read: Any) -> None:
    width = tokens.shape[2]
    for row in range(words.shape[0]):
        for place in range(words.shape[1]):
            kind, who = int(words[row, place, 0]), int(words[row, place, 1])
            where, what = int(words[row, place, 2]), int(words[row, place, 3])
            for e in range(width):
                # From left to right: another order rounds otherwise, and trains another network.
                total = tokens[0, kind, e] + tokens[1, who, e]
                total = total + tokens[2, where, e] + tokens[3, what, e]
                read[row, place * width + e] = total if total > 0 else np.float32(0)


@compiled
def _give_back(words: Any, read: Any, gradient: Any, found: Any) -> None:
    width = found.shape[2]
    for row in range(words.shape[0]):
        for place in range(words.shape[1]):
            kind, who = int(words[row, place, 0]), int(words[row, place, 1])
            where, what = int(words[row, place, 2]), int(words[row, place, 3])
            for e in range(width):
                if read[row, place * width + e] > 0:
                    part = gradient[row, place * width + e]
                    found[0, kind, e] += part
                    found[1, who, e] += part
                    found[2, where, e] += part
                    found[3, what, e] += part
