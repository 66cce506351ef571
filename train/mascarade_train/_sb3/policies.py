"""Policies of Stable-Baselines3: frozen as opponents, saved and loaded."""

import copy
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import flatdim
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from mascarade_env import Positions
from mascarade_env._errors import MascaradeError
from mascarade_env._files.arrays import check_unpacked
from mascarade_env._files.bounded import open_regular
from mascarade_env._files.strict_json import read_json
from mascarade_env.exact._files import making
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._schema import Schema
from mascarade_train._net_policy import drawn
from mascarade_train._policy_file import MOST_BYTES
from mascarade_train._run.provenance import versions

FORMAT = "mascarade_train.sb3 1"
#: Activations between the layers, by the name on the card, because the weights do not have it.
_ACTIVATIONS: Mapping[str, type[nn.Module]] = {
    kind.__name__: kind for kind in (nn.Tanh, nn.ReLU, nn.ELU, nn.GELU, nn.LeakyReLU, nn.SiLU)
}


def actor_of(policy: MaskableActorCriticPolicy) -> nn.Sequential:
    """Return the layers that score actions: the linear layers of an "MlpPolicy"."""
    return nn.Sequential(*policy.mlp_extractor.policy_net, policy.action_net)


class Snapshot:
    """A frozen copy of a learner's network, as a policy that samples its actions.

    Args:
        actor: the layers that score actions; see `actor_of`. They are copied.
        schema: the layout of the observations that it learned from.

    Attributes:
        schema: this layout.
        actions: A, the number of action ids.
        reads: the same as `schema`.
        needs_views: False.
    """

    needs_views = False

    def __init__(self, actor: nn.Sequential, schema: Schema) -> None:
        self._network = copy.deepcopy(actor).requires_grad_(False)
        self.actions = int(actor[-1].out_features)  # type: ignore[arg-type]
        self.schema = self.reads = schema

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return action ids, sampled by the network's probabilities, [k]."""
        return drawn(self.scores(positions.observations, positions.masks), rng)

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return the action probabilities with which `act_batch` samples, [k, A]."""
        with torch.inference_mode():
            scores = self._masked(positions.observations, positions.masks).double()
            probabilities: NDArray[np.float64] = scores.softmax(1).numpy()
        return probabilities

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return log-probabilities plus a constant for each row, [k, A]; -inf for illegal actions.

        Raises:
            MascaradeError: a shape is wrong.
        """
        with torch.inference_mode():
            scores: NDArray[np.float32] = self._masked(observation, mask).numpy()
        return scores

    def _masked(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> torch.Tensor:
        if observation.shape[1:] != (self.schema.size,) or mask.shape[1:] != (self.actions,):
            raise MascaradeError(
                f"this policy reads {self.schema!r} and {self.actions} actions, not observations "
                f"of {observation.shape[-1]} numbers and {mask.shape[-1]} actions: make them with "
                f"scenario={self.schema.scenario.name!r}, track={self.schema.track!r}, "
                f"padded={self.schema.padded}"
            )
        # `torch.tensor` copies: arrays of a batch are read-only, and torch would warn about them.
        scores: torch.Tensor = self._network(torch.tensor(observation))
        return scores.masked_fill_(torch.tensor(mask) == 0, -torch.inf)


def save(model: MaskablePPO, schema: Schema, path: Path, **facts: Any) -> None:
    """Write a learner to a `.zip` file, and its card next to it.

    After an error, both files are as they were before.

    Args:
        model: the learner.
        schema: the layout of the observations that it learns from.
        path: the `.zip` file; the card gets the ending `.json`.
        facts: further fields of the card.
    """
    card = {
        "format": FORMAT,
        "scenario": schema.scenario.to_dict(),
        "track": schema.track,
        "padded": schema.padded,
        "observation_size": schema.size,
        "actions": flatdim(model.policy.action_space),
        "activation": model.policy.activation_fn.__name__,
        "seed": model.seed,
        "steps": model.num_timesteps,
        "versions": versions("stable-baselines3", "sb3-contrib", "torch", "numpy"),
        **facts,
    }
    with making(path.with_suffix(".json")) as words, making(path) as weights:
        words.write_text(json.dumps(card, indent=2) + "\n", "utf-8")
        model.save(weights)


def load(
    path: str | Path,
    *,
    scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
) -> Snapshot:
    """Load a policy from a checkpoint, to play it or to use it as an opponent.

    A checkpoint of Stable-Baselines3 can hold code. None of it is run: only weights are read.

    Args:
        path: the `.zip` file, or the folder of a run.
        scenario: the scenario to play, by default the one that it learned.

    Raises:
        MascaradeError: the checkpoint is missing or not valid, or the policy is not padded and
            learned another scenario.
    """
    file = Path(path)
    if file.is_dir():
        file /= "policy.zip"
    card = _card(file.with_suffix(".json"))
    schema = _schema_on(card, file)
    other = scenario is not None and resolve(scenario).to_dict() != schema.scenario.to_dict()
    if scenario is not None and other and not schema.padded:
        raise MascaradeError(
            f"{file} has learned {schema.scenario.name}, not {resolve(scenario).name}: play "
            f"{schema.scenario.name}, or train a policy for {resolve(scenario).name}"
        )
    actor = _actor(_weights(file), card.get("activation"), file)
    read, scored = int(actor[0].in_features), int(actor[-1].out_features)  # type: ignore[arg-type]
    if (read, scored) != (schema.size, card.get("actions")):
        raise MascaradeError(
            f"the checkpoint {file} reads {read} numbers and scores {scored} actions, but its card "
            f"has {schema!r} and {card.get('actions')} actions: use the card of the same run, and "
            "the version of mascarade-env that wrote it"
        )
    return Snapshot(actor, schema)


def _weights(file: Path) -> Mapping[str, Tensor]:
    """Return the weights of a checkpoint, without reading its other parts."""
    try:
        with open_regular(file) as opened, zipfile.ZipFile(opened) as archive:
            member = archive.getinfo("policy.pth")
            check_unpacked([member], MOST_BYTES)
            packed = io.BytesIO(archive.read(member))
            with zipfile.ZipFile(packed) as weights:
                check_unpacked(weights.infolist(), MOST_BYTES)
            packed.seek(0)
            stored: Mapping[str, Tensor] = torch.load(packed, map_location="cpu", weights_only=True)
    except Exception as error:  # torch, zip and pickle raise many types for a foreign file
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MascaradeError(
            f"the checkpoint {file} cannot be read: {first}; use another copy"
        ) from error
    return stored


def _actor(weights: Mapping[str, Tensor], activation: Any, file: Path) -> nn.Sequential:
    """Return the layers that score actions, from weights with the names of "MlpPolicy"."""
    if not isinstance(activation, str) or activation not in _ACTIVATIONS:
        raise MascaradeError(
            f"the activation on the card of {file} must be one of {', '.join(_ACTIVATIONS)}, not "
            f"{activation!r:.60}: save the policy again"
        )
    try:
        hidden = {
            int(name.split(".")[2]): name.removesuffix(".weight")
            for name in weights
            if name.startswith("mlp_extractor.policy_net.") and name.endswith(".weight")
        }
        layers: list[nn.Module] = []
        read: list[int] = []
        for name in [*(hidden[place] for place in sorted(hidden)), "action_net"]:
            weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
            # A tensor that is not contiguous can claim any size with one stored number.
            if not (weight.is_contiguous() and bias.is_contiguous()):
                raise ValueError("some weights are not contiguous")
            if not (weight.isfinite().all() and bias.isfinite().all()):
                raise ValueError("some weights are NaN or infinite")
            layer = nn.Linear(weight.shape[1], weight.shape[0])
            layer.load_state_dict({"weight": weight, "bias": bias})
            layers += [layer, _ACTIVATIONS[activation]()]
            read.append(layer.in_features)
        actor = nn.Sequential(*layers[:-1])
        actor(torch.zeros(1, read[0]))
    except (KeyError, ValueError, IndexError, RuntimeError, TypeError, AttributeError) as error:
        first = str(error).splitlines()[0]
        raise MascaradeError(
            f'the checkpoint {file} does not hold valid linear layers of an "MlpPolicy" ({first}): '
            "use another checkpoint, or train with that policy"
        ) from error
    return actor


def _card(file: Path) -> Mapping[str, Any]:
    try:
        card = read_json(file)
    except OSError as error:
        raise MascaradeError(
            f"cannot read the card {file} of the checkpoint: {error.strerror}; keep both files in "
            "one folder"
        ) from error
    except ValueError as error:
        raise MascaradeError(f"the card {file} is damaged: {error}; use another copy") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise MascaradeError(
            f"{file} is not the card of a checkpoint of `mascarade sb3` ({FORMAT}): use the card "
            "that was written with the checkpoint"
        )
    return card


def _schema_on(card: Mapping[str, Any], file: Path) -> Schema:
    try:
        learned = Scenario.from_dict(card["scenario"])
        schema = Schema(learned, card["track"], padded=card["padded"])
        size = card["observation_size"]
    except (KeyError, TypeError) as error:
        raise MascaradeError(
            f"the card of {file} is incomplete ({error}): use another copy"
        ) from error
    if schema.size != size:
        raise MascaradeError(
            f"the checkpoint {file} reads {size} numbers, but an observation of "
            f"{schema.scenario.name} has {schema.size} in this version of mascarade-env: use the "
            "version that wrote it, or train again"
        )
    return schema
