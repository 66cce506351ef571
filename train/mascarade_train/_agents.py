"""Trained networks by name, as agents: "net:runs/6A", "released:6A", "onnx:6A.onnx"."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_env._errors import MascaradeError
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._scenarios import Scenario
from mascarade_env.game._state import new_rows
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import Schema, schema_of
from mascarade_train._net_policy import NetPolicy, drawn, plays
from mascarade_train._policy_file import NAME, PolicyFile
from mascarade_train._released import released_for, released_path


class Net(Protocol):
    """What a network is to agents."""

    @property
    def schema(self) -> Schema:
        """Of the observations that it reads."""

    @property
    def actions(self) -> int:
        """How many action ids it knows."""

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, A] the logarithms of chances, but for a summand; minus infinity where illegal."""


class NetworkAgent(Agent):
    """A network that decides by chance, as it has learned.

    Args:
        scenario: what it plays.
        net: the network; padded it plays every scenario, else the one it has learned.
    """

    def __init__(self, scenario: Scenario, net: Net) -> None:
        super().__init__(scenario)
        learned = net.schema.scenario
        if not plays(net.schema, scenario):
            if net.schema.padded:
                why = (
                    f"a padded network has room for 2 masks in the centre, and {scenario.name} has "
                    f"{scenario.slots - scenario.players} there"
                )
            elif learned.name == scenario.name:
                why = f"this network has learned another scenario that is called {learned.name} too"
            else:
                why = f"this network has learned {learned.name}, not {scenario.name}"
            raise MascaradeError(f"{why}: train one for what you play")
        self._net = net
        schema = schema_of(scenario, net.schema.track, net.schema.padded)
        self._places = schema.indices_in(schema_of(scenario, "both", False))
        self._ids = np.arange(net.actions)
        if schema.padded:
            self._ids = np.array(padded_ids(new_rows(scenario, 1)[0]))

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """The action ids for k players who decide."""
        return drawn(self._scores(observations, masks), rng)

    def chances(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
    ) -> NDArray[np.float64]:
        """[k, A] as the network says."""
        scores = self._scores(observations, masks).astype(np.float64)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return found

    def _scores(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """[k, A] the logarithms of chances, but for a summand; minus infinity where illegal."""
        zero = np.zeros((len(masks), 1), np.float32)
        seen = np.concatenate([observations, zero], axis=1)[:, self._places]
        legal = np.zeros((len(masks), self._net.actions), np.int8)
        legal[:, self._ids] = masks
        return self._net.scores(seen, legal)[:, self._ids]


class NetAgent(NetworkAgent):
    """A network from a file: a policy file, or a checkpoint of `mascarade sb3`.

    Args:
        scenario: what it plays.
        argument: the file, or the folder of a run: a policy file (`.npz`), or a checkpoint of
            Stable-Baselines3 (`.zip`). Either may come from anybody: weights alone are read.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        if not argument:
            raise MascaradeError('a net is named by its file, as in "net:runs/6A/policy.npz"')
        file = Path(argument)
        if file.is_dir():
            file /= NAME if (file / NAME).exists() else "policy.zip"
        if file.suffix == ".npz":
            super().__init__(scenario, NetPolicy(PolicyFile.load(file)))
            return
        if not file.exists():
            raise MascaradeError(
                f"no checkpoint and no policy file: {argument!r} is neither, nor the folder of "
                "a run that holds one"
            )
        try:
            from mascarade_train._sb3.policies import load  # noqa: PLC0415 (torch is heavy)
        except ImportError as missing:
            raise MascaradeError(
                "checkpoints of Stable-Baselines3 need the extra train: "
                f"pip install 'mascarade-env[train]' ({missing})"
            ) from missing

        super().__init__(scenario, load(file))


class Released(NetworkAgent):
    """A network that comes with this package.

    Args:
        scenario: what it plays.
        argument: the name of the network; see `released_names`. By default it is the one for the
            scenario, or the padded one if there is none.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        file = PolicyFile.load(released_path(argument)) if argument else released_for(scenario)
        super().__init__(scenario, NetPolicy(file))


class OnnxAgent(NetworkAgent):
    """A network from an ONNX file that `mascarade export` has written.

    Args:
        scenario: what it plays.
        argument: the file; its card lies beside it.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        if not argument:
            raise MascaradeError('a graph is named by its file, as in "onnx:6A.onnx"')
        from mascarade_train._onnx.policy import OnnxPolicy  # noqa: PLC0415 (for those who ask)

        super().__init__(scenario, OnnxPolicy(argument))
