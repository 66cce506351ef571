"""Trained networks as agents by name: "net:runs/6A", "released:6A", "onnx:6A.onnx"."""

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_env import Positions
from mascarade_env._errors import MascaradeError
from mascarade_env._policies.translation import Translation, plays
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._schema import Schema, schema_of
from mascarade_train._net_policy import NetPolicy, drawn
from mascarade_train._policy_file import NAME, PolicyFile
from mascarade_train._released import released_for, released_path


class Net(Protocol):
    """A network that scores actions, such as `NetPolicy`."""

    @property
    def schema(self) -> Schema:
        """The layout of the observations that the network reads."""

    @property
    def actions(self) -> int:
        """A, the number of action ids."""

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return log-probabilities plus a constant per row, [k, A]; -inf for illegal actions."""


class NetworkAgent(Agent):
    """An agent that samples its actions by the probabilities of a network.

    Args:
        scenario: the scenario to play.
        net: the network. A padded network has one layout for all scenarios, and plays each that
            fits into it. Any other network plays only the scenario that it learned.

    Raises:
        MascaradeError: the network cannot play the scenario.
    """

    def __init__(self, scenario: Scenario, net: Net) -> None:
        super().__init__(scenario)
        if not plays(net.schema, scenario):
            learned = net.schema.scenario
            if net.schema.padded:
                why = (
                    f"a padded network has room for 2 masks in the centre, and {scenario.name} has "
                    f"{scenario.slots - scenario.players}"
                )
            elif learned.name == scenario.name:
                why = f"this network has learned another scenario that is also named {learned.name}"
            else:
                why = f"this network has learned {learned.name}, not {scenario.name}"
            raise MascaradeError(
                f"{why}: train a network for {scenario.name}, or name another network"
            )
        self._net = net
        read = schema_of(scenario, net.schema.track, net.schema.padded)
        self._translation = Translation(self.reads, read)

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return action ids, sampled by the network's probabilities, [k]."""
        return drawn(self._scores(positions), rng)

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return the network's action probabilities, [k, A]."""
        scores = self._scores(positions).astype(np.float64)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return probabilities

    def _scores(self, positions: Positions) -> NDArray[np.float32]:
        """Return log-probabilities plus a constant per row, [k, A]; -inf for illegal actions."""
        read = self._translation.positions(positions)
        return self._translation.scores(self._net.scores(read.observations, read.masks))


class NetAgent(NetworkAgent):
    """A network from a file: a policy file, or a checkpoint of `mascarade sb3`.

    Args:
        scenario: the scenario to play.
        argument: a policy file (`.npz`), a checkpoint of Stable-Baselines3 (`.zip`), or the folder
            of a run that holds one of them. Only weights are read, so a file from anyone is safe.

    Raises:
        MascaradeError: the file does not exist or is not valid, or its network cannot play the
            scenario.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        if not argument:
            raise MascaradeError('"net" needs a file or folder, as in "net:runs/6A/policy.npz"')
        file = Path(argument)
        if file.is_dir():
            file /= NAME if (file / NAME).exists() else "policy.zip"
        if file.suffix == ".npz":
            super().__init__(scenario, NetPolicy(PolicyFile.load(file)))
            return
        if not file.exists():
            raise MascaradeError(
                f"{argument!r} is not a policy file, a checkpoint of Stable-Baselines3, or the "
                "folder of a run that holds one: check the path"
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
        scenario: the scenario to play.
        argument: the name of the network, one of `released_names()`. By default the network for the
            scenario, or the padded network if there is none.

    Raises:
        UnknownNameError: there is no released network with this name, or none for the scenario.
        MascaradeError: the network cannot play the scenario.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        file = PolicyFile.load(released_path(argument)) if argument else released_for(scenario)
        super().__init__(scenario, NetPolicy(file))


class OnnxAgent(NetworkAgent):
    """A network from an ONNX file that `mascarade export` wrote.

    Args:
        scenario: the scenario to play.
        argument: the file; its card is next to it.

    Raises:
        MascaradeError: the file or its card is missing or not valid, the extra `onnx` is not
            installed, or the network cannot play the scenario.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        if not argument:
            raise MascaradeError('"onnx" needs a file, as in "onnx:6A.onnx"')
        from mascarade_train._onnx.policy import OnnxPolicy  # noqa: PLC0415 (slow to load)

        super().__init__(scenario, OnnxPolicy(argument))
