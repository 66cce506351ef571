"""The settings of `mascarade sb3`, which can be read and checked without torch."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.observation._blocks import Track

DEFAULT_MINUTES = 3.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training; each is a flag of `mascarade sb3`."""

    scenario: str = "4A"
    """Scenario to train on: a name such as 4A (`mascarade scenarios` lists them) or a .json
    file."""
    minutes: float | None = None
    """Stop learning after this number of minutes, by default 3 unless --steps is given. A run with
    a time limit cannot be repeated exactly."""
    steps: int | None = None
    """Stop after this number of decisions of the learner, rounded up to whole updates."""
    seed: int = 0
    """Random seed of the weights, the games and the opponents, 0 to 2**32 - 1."""
    name: str | None = None
    """Name of the run's folder, by default sb3- and the scenario. If it exists, a number is
    added."""
    folder: Path = Path("runs")
    """Folder in which the run's folder is made."""
    track: Track = "belief"
    """What the network observes: exact beliefs about hidden masks (belief), or these and the latest
    32 events (both)."""
    padded: bool = False
    """Fill observations and actions with zeros to the width that all scenarios share (padding)."""
    games: int = 256
    """Games to play in parallel, each with one learner."""
    rollout: int = 64
    """Decisions of the learner in each game between two updates."""
    epochs: int = 4
    """Passes over the collected decisions in each update."""
    batch: int = 2048
    """Decisions in a minibatch."""
    learning_rate: float = 5e-4
    """Adam's learning rate, above 0."""
    entropy: float = 0.05
    """Entropy coefficient, 0 or more. With 0, self-play ends with a policy that is easy to
    exploit."""
    width: int = 128
    """Width of each of the two hidden layers of policy and value."""
    snapshot_every: int = 8
    """Updates between two snapshots of the network for the pool of opponents. Each also saves a
    checkpoint."""
    keep: int = 20
    """Size limit of the pool of opponents. When it is exceeded, the oldest opponent is dropped. The
    pool starts with random players."""
    newest: float = 0.5
    """Fraction of opponents (0 to 1) that are the newest snapshot. The others are sampled from the
    whole pool."""
    evaluation: int = 4000
    """Games for each win share in the report, 2 or more. More games give narrower intervals."""


def checked(s: Settings) -> Settings:
    """Check the settings, and fill in the defaults that depend on other settings.

    Raises:
        MascaradeError: a setting is not valid; the error names its flag.
    """
    for option in ("games", "rollout", "epochs", "batch", "width", "snapshot_every"):
        whole(getattr(s, option), f"--{option.replace('_', '-')}", at_least=1)
    whole(s.evaluation, "--evaluation", at_least=2)
    if s.steps is not None:
        whole(s.steps, "--steps", at_least=1)
    if s.minutes is not None and not s.minutes > 0:
        raise MascaradeError(f"--minutes must be more than 0, not {s.minutes}")
    if not 0 <= s.seed < 2**32:
        raise MascaradeError(f"--seed must be from 0 to 2**32-1, not {s.seed}")
    if not 0 < s.learning_rate < math.inf:
        raise MascaradeError(f"--learning-rate must be more than 0, not {s.learning_rate}")
    if not 0 <= s.entropy < math.inf:
        raise MascaradeError(f"--entropy must be 0 or more, not {s.entropy}")
    if s.track == "memory":
        raise MascaradeError(
            "--track must be belief or both, not memory: the report needs beliefs to count bluffs"
        )
    collected = s.games * s.rollout
    batch = min(s.batch, collected)
    if batch < 2 or collected % batch == 1:  # SB3 divides by the standard deviation of a minibatch
        raise MascaradeError(
            f"--batch {s.batch} leaves a minibatch of one decision, and each needs 2 or more: "
            f"choose a --batch of 2 or more that divides --games x --rollout = {collected}"
            + ("; raise --games or --rollout first" if collected == 1 else "")
        )
    minutes = DEFAULT_MINUTES if s.minutes is None and s.steps is None else s.minutes
    return replace(s, minutes=minutes, batch=batch)
