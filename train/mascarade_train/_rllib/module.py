"""The network that RLlib trains: actions are masked, and it fits a policy file.

Its layers are those of `_policy_file`: a trunk with ReLU, the scores of actions, and the scores of
who will win. RLlib learns one value, that of who decides, so of the last there is only the
decider's own; the other players at the table score 0 each.
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

# The logarithm of the chance of what is illegal: 0 as a chance, yet a number, because the KL
# divergence of RLlib multiplies it by 0.
_ILLEGAL = -1e9


def module_of(agent: str, episode: Any, **kwargs: Any) -> str:
    """RLlib's policy mapping: one network for all players."""
    return SHARED


def arrays_of(weights: Mapping[str, NDArray[np.float32]], seats: int) -> dict[str, Any]:
    """The weights of a `MaskedModule` as those of a policy file that tells who wins of `seats`."""
    found = dict(weights)
    for name in ("wins.weight", "wins.bias"):
        found[name] = np.zeros((seats, *weights[name].shape[1:]), np.float32)
        found[name][:1] = weights[name]
    return found


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """An RLModule for observations {"observations", "action_mask"}: PPO and what else takes one.

    The `model_config` has "numbers", how many of an observation are read (see `numbers_read` in
    `_policy_file`), "width", the neurons in each of the two layers, and "players", those at the
    table, from which follows how probable wins are turned into values.
    """

    def setup(self) -> None:
        """Make the layers; RLlib calls it."""
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
        """Return [N] the expected returns of who decides, in the range that returns have."""
        hidden = self._hidden(batch) if embeddings is None else embeddings
        others = self.players - 1
        score = self.wins(hidden)[..., 0]
        wins = torch.sigmoid(score - float(np.log(others)))  # a softmax, where others score 0
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
