"""The network that plays all seats, and the critic that sees all masks.

An observation is a row of numbers, but its window of events holds tokens: what happened, who did
it, where, and to which mask. A linear layer cannot use tokens as numbers. So each event becomes the
sum of four learned vectors, one for each of its tokens, before the first layer.

torch would need more time for the gradient of this look-up than for all other layers together. So
this file computes that gradient itself, on one core of a CPU.
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

#: The log-probability of impossible events. Minus infinity would turn gradients into NaN.
IMPOSSIBLE = -1e9


class Output(NamedTuple):
    """The predictions of a network for K observations.

    Attributes:
        log_probs: [K, A] log-probabilities of actions; `IMPOSSIBLE` or less for illegal actions.
        log_wins: [K, P] the log-probability that each seat wins, the acting player's seat first;
            `IMPOSSIBLE` or less for seats without a player.
    """

    log_probs: Tensor
    log_wins: Tensor


class Network(nn.Module):
    """A trunk of linear layers, with a head for actions and a head for win probabilities.

    Args:
        schema: the layout of the observations.
        layers: widths of the layers of the trunk, at least one.
        events: how many of the latest events of the window it reads, 0 to 32.
        embedding: the length of the vector of an event.
        slots: the width of a layer that reads each slot (place for a mask) with the same weights, 0
            for none. Its output, summed over the slots, is added to the first layer of the trunk.
            The trunk computes a vector for actions that name a slot. The product of this vector
            and the slot's vector is added to the score of the action.

    Raises:
        MascaradeError: a size is out of its range.
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
            raise MascaradeError("a network needs at least one layer: give one width or more")
        self.schema = schema
        self.events = whole(events, "events", at_least=0) if "window" in schema.places else 0
        if self.events > WINDOW:
            raise MascaradeError(f"a network reads at most {WINDOW} events, not {events}")
        self._numbers = numbers_read(schema)
        width = self._numbers
        if self.events:
            whole(embedding, "embedding", at_least=1)
            self.tokens = nn.Parameter(torch.randn(len(TOKEN), WORDS, embedding) * 0.5)
            width += self.events * embedding
        self.slots: nn.Linear | None = None
        if whole(slots, "slots", at_least=0):
            self._reader = SlotReader(schema)
            # Without a bias, so that an absent slot of a padded observation adds nothing.
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
        for head in (self.policy, self.wins):  # nearly uniform outputs at the start
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)
        self._occupied = torch.from_numpy(seat_indices(schema).copy())

    def forward(self, observation: Tensor, mask: Tensor) -> Output:
        """Predict the actions and the winner.

        Args:
            observation: [K, D] observations.
            mask: [K, A] action masks; any value but 0 marks a legal action.
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
        empty = observation[:, self._occupied] == 0
        log_wins = self.wins(hidden).masked_fill(empty, IMPOSSIBLE).log_softmax(1)
        return Output(scores.log_softmax(1), log_wins)

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights, by their names in a policy file."""
        return {name: array.detach().numpy().copy() for name, array in self.state_dict().items()}

    def load_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Copy the weights of a policy file into this network.

        Raises:
            RuntimeError: the weights belong to a network of another shape.
        """
        self.load_state_dict({name: torch.tensor(arrays[name]) for name in arrays})

    def _first(self, observation: Tensor) -> Tensor:
        """Return the output of the first layer before ReLU, without the part from slots."""
        layer = self.trunk[0]
        assert isinstance(layer, nn.Linear)
        # Numbers and events go through separate products, because only events need a gradient.
        numbers, weight = self._numbers, layer.weight
        hidden = linear(observation[:, :numbers], weight[:, :numbers], layer.bias)
        if not self.events:
            return hidden
        window = observation[:, numbers:].reshape(-1, WINDOW, len(TOKEN))
        events = window[:, WINDOW - self.events :]
        read: Tensor = _ReadEvents.apply(events, self.tokens)  # type: ignore[no-untyped-call]
        return hidden + linear(read, weight[:, numbers:])


class Critic(nn.Module):
    """Predicts the winner from full states: all masks, and every player's beliefs.

    Args:
        schema: the layout of the observations; its scenario gives the layout of full states.
        layers: widths of the layers.
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
        """Return the log-probability that each seat wins, [K, P], from full states [K, F]."""
        hidden = full
        for layer in self.trunk:
            hidden = relu(layer(hidden))
        empty = full[:, self._occupied] == 0
        log_wins: Tensor = self.wins(hidden).masked_fill(empty, IMPOSSIBLE).log_softmax(1)
        return log_wins


class _ReadEvents(torch.autograd.Function):
    """Adds the four token vectors of each event, then applies ReLU.

    The input is [K, L, 4] and the output [K, L * E]; L is the number of events, and E the length of
    a vector.
    """

    @staticmethod
    def forward(ctx: Any, window: Tensor, tokens: Tensor) -> Tensor:
        words = window.numpy()
        read = np.empty((len(words), words.shape[1] * tokens.shape[2]), np.float32)
        _add_up(words, tokens.detach().numpy(), read)
        output = torch.from_numpy(read)
        ctx.save_for_backward(window, output)
        ctx.shape = tokens.shape
        return output

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        window, read = ctx.saved_tensors
        gradient = np.zeros(ctx.shape, np.float32)
        _add_gradients(window.numpy(), read.numpy(), gradients[0].contiguous().numpy(), gradient)
        return None, torch.from_numpy(gradient)


@compiled
def _add_up(words: Any, tokens: Any, read: Any) -> None:
    width = tokens.shape[2]
    for row in range(words.shape[0]):
        for place in range(words.shape[1]):
            kind, who = int(words[row, place, 0]), int(words[row, place, 1])
            where, what = int(words[row, place, 2]), int(words[row, place, 3])
            for e in range(width):
                # Add from left to right: another order rounds differently, and a training would
                # give other weights.
                total = tokens[0, kind, e] + tokens[1, who, e]
                total = total + tokens[2, where, e] + tokens[3, what, e]
                read[row, place * width + e] = total if total > 0 else np.float32(0)


@compiled
def _add_gradients(words: Any, read: Any, gradient: Any, of_tokens: Any) -> None:
    width = of_tokens.shape[2]
    for row in range(words.shape[0]):
        for place in range(words.shape[1]):
            kind, who = int(words[row, place, 0]), int(words[row, place, 1])
            where, what = int(words[row, place, 2]), int(words[row, place, 3])
            for e in range(width):
                if read[row, place * width + e] > 0:
                    part = gradient[row, place * width + e]
                    of_tokens[0, kind, e] += part
                    of_tokens[1, who, e] += part
                    of_tokens[2, where, e] += part
                    of_tokens[3, what, e] += part
