"""Trained networks by name, as agents: "net:runs/6A", "released:6A", "onnx:6A.onnx"."""

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
        """Return [k, A] log-probabilities, but for a summand; minus infinity where illegal."""


class NetworkAgent(Agent):
    """A network as an agent; it draws by the probabilities that it has learned.

    Args:
        scenario: what it plays.
        net: the network; padded it plays every scenario, else the one it has learned.
    """

    def __init__(self, scenario: Scenario, net: Net) -> None:
        super().__init__(scenario)
        if not plays(net.schema, scenario):
            learned = net.schema.scenario
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
        read = schema_of(scenario, net.schema.track, net.schema.padded)
        self._translation = Translation(self.reads, read)

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return [k] action ids, drawn by the network's probabilities."""
        return drawn(self._scores(positions), rng)

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return [k, A] as the network outputs them."""
        scores = self._scores(positions).astype(np.float64)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return found

    def _scores(self, positions: Positions) -> NDArray[np.float32]:
        """Return [k, A] log-probabilities, but for a summand; minus infinity where illegal."""
        read = self._translation.positions(positions)
        return self._translation.scores(self._net.scores(read.observations, read.masks))


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
