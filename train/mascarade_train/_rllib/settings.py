"""The settings of `mascarade rllib`, which can be read and checked without Ray."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.observation._blocks import Track

DEFAULT_MINUTES = 3.0

# The least that a whole number may be, and bounds that other numbers must exceed or may reach.
_AT_LEAST = {
    "steps": 1, "runners": 0, "tables": 1, "rollout": 1, "epochs": 1, "batch": 1,
    "width": 1, "evaluation": 2,
}  # fmt: skip
_ABOVE_0 = ("minutes", "learning_rate", "kl_target", "checkpoint_every")
_NOT_BELOW_0 = ("entropy", "kl")


@dataclass(frozen=True, slots=True)
class Settings:
    """How `mascarade rllib` trains; attributes are flags."""

    scenario: str = "4A"
    """A name such as 4A (see `mascarade scenarios`), or a .json file with a scenario."""
    minutes: float | None = None
    """When to stop learning: after 3 minutes unless --steps is given."""
    steps: int | None = None
    """Stop after so many decisions in this run (rounded up to whole updates)."""
    seed: int = 0
    """Of the network, the games and the decisions."""
    name: str | None = None
    """Of the run's folder, with a number added if it exists. rllib-<scenario> by default."""
    folder: Path = Path("runs")
    """Where the folders of runs are; on a cluster, of the host that runs this command."""
    resume: Path | None = None
    """The folder of a run to go on from, in a new folder. Only resume what you trust: a checkpoint
    of RLlib can hold code."""
    address: str | None = None
    """Of a Ray cluster, or "auto" for the one that this host belongs to. By default that in
    RAY_ADDRESS, or else one of this host alone, for as long as the run lasts."""
    runners: int | None = None
    """Env runners, a process and a CPU each; 0 plays in this process, which also learns. By default
    one for each CPU of the cluster."""
    tables: int = 64
    """Games in step in each env runner."""
    track: Track = "belief"
    """What players observe: belief, memory or both."""
    padded: bool = False
    """Observations and actions of one width for all scenarios."""
    rollout: int = 8192
    """Decisions between two updates, over all env runners."""
    epochs: int = 4
    """How often each decision is learned from."""
    batch: int = 1024
    """Decisions in a minibatch."""
    learning_rate: float = 1e-3
    """Of Adam."""
    entropy: float = 0.05
    """Bonus for deciding by chance; without, self-play ends in habits that are easily exploited."""
    kl: float = 0.2
    """Weight of the KL divergence from the policy that played, at first; 0 for none. After each
    update RLlib halves it or makes it half as much again, to hold the divergence."""
    kl_target: float = 0.01
    """Where it is held: between half of this and twice this."""
    width: int = 128
    """Neurons in each of the two layers, which policy and value share."""
    checkpoint_every: float = 5.0
    """Minutes between two checkpoints."""
    evaluation: int = 4000
    """Games for each win share that is printed."""


def checked(s: Settings) -> Settings:
    """Return the settings with the time filled in, or an error that says which flag is wrong."""
    for option, least in _AT_LEAST.items():
        if getattr(s, option) is not None:
            whole(getattr(s, option), _flag(option), at_least=least)
    for option in _ABOVE_0:
        number = getattr(s, option)
        if number is not None and not 0 < number < math.inf:
            raise MascaradeError(f"{_flag(option)} is a number above 0, not {number}")
    for option in _NOT_BELOW_0:
        number = getattr(s, option)
        if not 0 <= number < math.inf:
            raise MascaradeError(f"{_flag(option)} is a number from 0 on, not {number}")
    if not 0 <= s.seed < 2**32:
        raise MascaradeError(f"--seed lies in 0..2**32-1, not {s.seed}")
    if s.batch > s.rollout:
        raise MascaradeError(f"--batch is a part of --rollout, {s.rollout}, not {s.batch}")
    if s.name is not None and (not s.name or Path(s.name).name != s.name):
        raise MascaradeError(f"--name is the name of a folder in --folder, not {s.name!r}")
    minutes = DEFAULT_MINUTES if s.minutes is None and s.steps is None else s.minutes
    return replace(s, minutes=minutes)


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"
