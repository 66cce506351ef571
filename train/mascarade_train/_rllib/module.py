"""The network that RLlib trains. It masks actions, and its weights fit a policy file.

Its layers are those of `_policy_file`: a trunk with ReLU, scores of actions, and scores of players.
For each decision, RLlib learns one value, the acting player's. So only the acting player's score is
learned; all other players at the table have the score 0.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium.spaces
import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule

SHARED = "shared"  # the name of the network in RLlib

# The log-probability of illegal actions. Its exponential is 0, and it is finite because RLlib
# multiplies it by 0 in the KL divergence.
_ILLEGAL = -1e9


def module_of(agent: str, episode: Any, **kwargs: Any) -> str:
    """Return the name of the one network that plays all seats; RLlib calls this for each agent."""
    return SHARED


def arrays_of(weights: Mapping[str, NDArray[np.float32]], seats: int) -> dict[str, Any]:
    """Return the weights of a `MaskedModule` as arrays of a policy file for `seats` seats."""
    arrays = dict(weights)
    for name in ("wins.weight", "wins.bias"):
        arrays[name] = np.zeros((seats, *weights[name].shape[1:]), np.float32)
        arrays[name][:1] = weights[name]
    return arrays


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """An RLModule for observations {"observations", "action_mask"}, for PPO and similar algorithms.

    The `model_config` has three entries: "numbers", how many numbers of an observation the network
    reads (see `numbers_read` in `_policy_file`); "width", the width of each of the two layers; and
    "players", the number of players, which converts win probabilities to returns.
    """

    def setup(self) -> None:
        """Make the layers. RLlib calls this method."""
        self.numbers = int(self.model_config["numbers"])
        width = int(self.model_config["width"])
        self.players = int(self.model_config["players"])
        layers = [torch.nn.Linear(self.numbers, width), torch.nn.Linear(width, width)]
        self.trunk = torch.nn.ModuleList(layers)
        self.policy = torch.nn.Linear(width, int(gymnasium.spaces.flatdim(self.action_space)))
        self.wins = torch.nn.Linear(width, 1)
        for layer in layers:
            torch.nn.init.orthogonal_(layer.weight, 2**0.5)
            torch.nn.init.zeros_(layer.bias)
        for head, gain in ((self.policy, 0.01), (self.wins, 1.0)):
            torch.nn.init.orthogonal_(head.weight, gain)
            torch.nn.init.zeros_(head.bias)

    def compute_values(
        self, batch: dict[str, Any], embeddings: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the expected returns of the acting players, [N], from -1 / (n - 1) to 1."""
        hidden = self._hidden(batch) if embeddings is None else embeddings
        others = self.players - 1
        score = self.wins(hidden)[..., 0]
        # The softmax over all players, where the others have the score 0.
        wins = torch.sigmoid(score - float(np.log(others)))
        return (self.players * wins - 1) / others

    def _hidden(self, batch: dict[str, Any]) -> torch.Tensor:
        hidden: torch.Tensor = batch[Columns.OBS]["observations"][..., : self.numbers]
        for layer in self.trunk:
            hidden = torch.relu(layer(hidden))
        return hidden

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        hidden = self._hidden(batch)
        illegal = batch[Columns.OBS]["action_mask"] == 0
        scores = self.policy(hidden).masked_fill(illegal, _ILLEGAL)
        return {Columns.EMBEDDINGS: hidden, Columns.ACTION_DIST_INPUTS: scores}
