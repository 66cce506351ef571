"""Policies of Stable-Baselines3 as opponents, and on disk."""

import copy
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import flatdim
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_env.core.schema import Schema
from mascarade_env.core.strict_json import parse_json

FORMAT = "mascarade_train.sb3 1"
_PACKAGES = ("mascarade-env", "stable-baselines3", "sb3-contrib", "torch", "numpy")


class Snapshot:
    """What a learner's network is now, as a policy that will not change.

    It decides by chance, as the learner does while it learns, with random numbers of its own.

    Args:
        policy: with a network of linear layers, as "MlpPolicy" makes it.
        schema: of the observations that it learned from.
        seed: of its random numbers.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, schema: Schema, seed: int = 0) -> None:
        layers = (*policy.mlp_extractor.policy_net, policy.action_net)
        self._network = copy.deepcopy(torch.nn.Sequential(*layers)).requires_grad_(False)
        self.actions = int(flatdim(policy.action_space))
        self._chance = torch.Generator().manual_seed(seed)
        self.schema = schema

    def __call__(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        """An action id for each of [k, D] observations with [k, A] masks."""
        with torch.inference_mode():
            chances = self._masked(observation, mask).softmax(1)
            taken = torch.multinomial(chances, 1, generator=self._chance)
        found: NDArray[np.int64] = taken[:, 0].numpy()
        return found

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, A] the logarithms of chances, but for a summand; minus infinity where illegal."""
        with torch.inference_mode():
            found: NDArray[np.float32] = self._masked(observation, mask).numpy()
        return found

    def _masked(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> torch.Tensor:
        if observation.shape[1:] != (self.schema.size,) or mask.shape[1:] != (self.actions,):
            raise MascaradeError(
                f"this policy reads {self.schema!r} and knows {self.actions} actions, not "
                f"observations of {observation.shape[-1]} numbers and {mask.shape[-1]} actions: "
                f"give it scenario={self.schema.scenario.name!r}, track={self.schema.track!r}, "
                f"padded={self.schema.padded}"
            )
        # Copies, because what a batch shows cannot be written to, which torch warns about.
        scores: torch.Tensor = self._network(torch.tensor(observation))
        return scores.masked_fill_(torch.tensor(mask) == 0, -torch.inf)


def save(model: MaskablePPO, schema: Schema, path: Path, **facts: Any) -> None:
    """Write a learner to `path`, a `.zip`, and its card beside it; an old one is replaced at once.

    Args:
        model: the learner.
        schema: of the observations that it learns from.
        path: of the checkpoint.
        facts: more to write on the card.
    """
    card = {
        "format": FORMAT,
        "scenario": schema.scenario.to_dict(),
        "track": schema.track,
        "padded": schema.padded,
        "observation_size": schema.size,
        "actions": flatdim(model.policy.action_space),
        "seed": model.seed,
        "steps": model.num_timesteps,
        "versions": {name: version(name) for name in _PACKAGES}
        | {"python": platform.python_version()},
        **facts,
    }
    part = path.with_suffix(".part.zip")
    model.save(part)
    part.replace(path)
    path.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


def load(
    path: str | Path,
    *,
    scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
    seed: int = 0,
) -> Snapshot:
    """A policy from a checkpoint, to be used as `opponents=` or asked by hand.

    Only load what you trust: a checkpoint of Stable-Baselines3 can hold code.

    Args:
        path: of the `.zip`, or the folder of a run.
        scenario: what it is to play; an error if it has learned another and is not padded. What it
            has learned by default; `schema` of the result tells.
        seed: of its random numbers.
    """
    file = Path(path)
    if file.is_dir():
        file /= "policy.zip"
    schema = _schema_on(_card(file.with_suffix(".json")), file)
    other = scenario is not None and resolve(scenario).to_dict() != schema.scenario.to_dict()
    if scenario is not None and other and not schema.padded:
        raise MascaradeError(
            f"{file} has learned {schema.scenario.name}, not {resolve(scenario).name}: train one "
            f"for that, or play {schema.scenario.name}"
        )
    try:
        model = MaskablePPO.load(file, device="cpu")
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise MascaradeError(f"the checkpoint {file} cannot be read: {error}") from error
    if model.observation_space.shape != (schema.size,):
        raise MascaradeError(
            f"the checkpoint {file} reads {model.observation_space.shape} numbers, "
            f"but {schema!r}: it was made by another version of mascarade-env"
        )
    return Snapshot(model.policy, schema, seed)


def _card(file: Path) -> Mapping[str, Any]:
    try:
        card = parse_json(file.read_bytes())
    except OSError as error:
        raise MascaradeError(
            f"no checkpoint to load: {file} cannot be read: {error.strerror}"
        ) from error
    except ValueError as error:
        raise MascaradeError(f"the card {file} cannot be read: {error}") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise MascaradeError(f"{file} is no card of a checkpoint of this kind ({FORMAT})")
    return card


def _schema_on(card: Mapping[str, Any], file: Path) -> Schema:
    try:
        schema = Schema(card["scenario"], card["track"], padded=card["padded"])
        size = card["observation_size"]
    except (KeyError, TypeError) as error:
        raise MascaradeError(f"the card of {file} is incomplete: {error}") from error
    if schema.size != size:
        raise MascaradeError(
            f"the checkpoint {file} reads {size} numbers, but now there are {schema.size} in an "
            f"observation of {schema.scenario.name}: it was made by another version of "
            "mascarade-env"
        )
    return schema
