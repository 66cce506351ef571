"""The settings of `mascarade rllib`, which can be read and checked without Ray."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.observation._blocks import Track

DEFAULT_MINUTES = 3.0

# The smallest valid whole numbers, and the settings that must be above 0, or 0 or more.
_AT_LEAST = {
    "steps": 1, "runners": 0, "tables": 1, "rollout": 1, "epochs": 1, "batch": 1,
    "width": 1, "evaluation": 2,
}  # fmt: skip
_ABOVE_0 = ("minutes", "learning_rate", "kl_target", "checkpoint_every")
_NOT_BELOW_0 = ("entropy", "kl")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training; each is a flag of `mascarade rllib`."""

    scenario: str = "4A"
    """Scenario to train on: a name such as 4A (`mascarade scenarios` lists them) or a .json
    file."""
    minutes: float | None = None
    """Stop learning after this number of minutes, by default 3 unless --steps is given."""
    steps: int | None = None
    """Stop after this number of decisions in this run, rounded up to whole updates."""
    seed: int = 0
    """Random seed of the weights, the games and the decisions, 0 to 2**32 - 1."""
    name: str | None = None
    """Name of the run's folder, by default rllib- and the scenario. If it exists, a number is
    added."""
    folder: Path = Path("runs")
    """Folder in which the run's folder is made, on the host that runs this command."""
    resume: Path | None = None
    """Folder of a run to continue, in a new folder. Give only runs that you trust, because a
    checkpoint of RLlib can hold code."""
    address: str | None = None
    """Address of a Ray cluster, or "auto" for the cluster of this host. The default is the address
    in RAY_ADDRESS. If that is not set, Ray runs on this host alone, for the duration of the run."""
    runners: int | None = None
    """Env runners: processes that play, with one CPU each. 0 plays in the process that learns. By
    default one for each CPU of the cluster."""
    tables: int = 64
    """Games that each env runner plays in parallel."""
    track: Track = "belief"
    """What the network observes besides public facts: exact beliefs about hidden masks (belief),
    the latest 32 events (memory), or both."""
    padded: bool = False
    """Fill observations and actions with zeros to the width that all scenarios share (padding)."""
    rollout: int = 8192
    """Decisions between two updates, of all env runners together. Raise it with more runners."""
    epochs: int = 4
    """Passes over the collected decisions in each update."""
    batch: int = 1024
    """Decisions in a minibatch, at most --rollout."""
    learning_rate: float = 1e-3
    """Adam's learning rate, above 0."""
    entropy: float = 0.05
    """Entropy coefficient, 0 or more. With 0, self-play ends with a policy that is easy to
    exploit."""
    kl: float = 0.2
    """Weight of the KL penalty to the policy that played, at the start; 0 for none. RLlib adapts it
    after each update to keep the divergence near --kl-target."""
    kl_target: float = 0.01
    """Target of the KL divergence, above 0. RLlib keeps it between half and twice this value."""
    width: int = 128
    """Width of each of the two hidden layers, which policy and value share."""
    checkpoint_every: float = 5.0
    """Minutes between two checkpoints."""
    evaluation: int = 4000
    """Games for each win share in the report, 2 or more. More games give narrower intervals."""


def checked(s: Settings) -> Settings:
    """Check the settings, and fill in the defaults that depend on other settings.

    Raises:
        MascaradeError: a setting is not valid; the error names its flag.
    """
    for option, least in _AT_LEAST.items():
        if getattr(s, option) is not None:
            whole(getattr(s, option), _flag(option), at_least=least)
    for option in _ABOVE_0:
        number = getattr(s, option)
        if number is not None and not 0 < number < math.inf:
            raise MascaradeError(f"{_flag(option)} must be more than 0, not {number}")
    for option in _NOT_BELOW_0:
        number = getattr(s, option)
        if not 0 <= number < math.inf:
            raise MascaradeError(f"{_flag(option)} must be 0 or more, not {number}")
    if not 0 <= s.seed < 2**32:
        raise MascaradeError(f"--seed must be from 0 to 2**32-1, not {s.seed}")
    if s.batch > s.rollout:
        raise MascaradeError(f"--batch must be at most --rollout, {s.rollout}, not {s.batch}")
    if s.name is not None and (not s.name or Path(s.name).name != s.name):
        raise MascaradeError(
            f"--name must be a single folder name, not {s.name!r}; set the place with --folder"
        )
    minutes = DEFAULT_MINUTES if s.minutes is None and s.steps is None else s.minutes
    return replace(s, minutes=minutes)


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"
