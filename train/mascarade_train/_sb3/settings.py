"""The settings of `mascarade sb3`, which can be read and checked without torch."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.observation._blocks import Track

DEFAULT_MINUTES = 3.0


@dataclass(frozen=True, slots=True)
class Settings:
    """How `mascarade sb3` trains; attributes are flags."""

    scenario: str = "4A"
    """A name such as 4A (see `mascarade scenarios`), or a .json file with a scenario."""
    minutes: float | None = None
    """When to stop learning: after 3 minutes unless --steps is given. A run that is bounded by
    --steps alone can be repeated exactly with the same --seed, one bounded by time cannot."""
    steps: int | None = None
    """Stop after so many decisions of the learner (rounded up to whole updates)."""
    seed: int = 0
    """Of the network, the games and the opponents."""
    name: str | None = None
    """Of the run's folder, with a number added if it exists. sb3-<scenario> by default."""
    folder: Path = Path("runs")
    """Where the folders of runs are."""
    track: Track = "belief"
    """What the learner observes: belief, memory or both."""
    padded: bool = False
    """Observations and actions of one width for all scenarios."""
    games: int = 256
    """Tables, each with a learner."""
    rollout: int = 64
    """Decisions at each table between two updates."""
    epochs: int = 4
    """How often each decision is learned from."""
    batch: int = 2048
    """Decisions in a minibatch."""
    learning_rate: float = 5e-4
    """Of Adam."""
    entropy: float = 0.05
    """Bonus for deciding by chance; without, self-play ends in habits that are easily exploited."""
    width: int = 128
    """Neurons in each of the two layers of policy and value."""
    snapshot_every: int = 8
    """Updates between two snapshots for the pool; the checkpoint is written at the same time."""
    keep: int = 20
    """Members of the pool at most: the oldest leaves. It begins with random players."""
    newest: float = 0.5
    """The share of opponents that are the newest snapshot; the others are any member."""
    evaluation: int = 4000
    """Games for each win share that is printed."""


def checked(s: Settings) -> Settings:
    """Return the settings with the time filled in.

    Raises:
        MascaradeError: a value is not allowed; it names the flag.
    """
    for option in ("games", "rollout", "epochs", "batch", "width", "snapshot_every"):
        whole(getattr(s, option), f"--{option.replace('_', '-')}", at_least=1)
    whole(s.evaluation, "--evaluation", at_least=2)
    if s.steps is not None:
        whole(s.steps, "--steps", at_least=1)
    if s.minutes is not None and not s.minutes > 0:
        raise MascaradeError(f"--minutes is more than 0, not {s.minutes}")
    if not 0 <= s.seed < 2**32:
        raise MascaradeError(f"--seed lies in 0..2**32-1, not {s.seed}")
    if not 0 < s.learning_rate < math.inf:
        raise MascaradeError(f"--learning-rate is more than 0, not {s.learning_rate}")
    if not 0 <= s.entropy < math.inf:
        raise MascaradeError(f"--entropy is 0 or more, not {s.entropy}")
    if s.track == "memory":
        raise MascaradeError("--track is belief or both: bluffs are told by what players believe")
    collected = s.games * s.rollout
    batch = min(s.batch, collected)
    if batch < 2 or collected % batch == 1:  # SB3 divides by the deviation in a minibatch
        raise MascaradeError(
            f"--batch {s.batch} leaves a minibatch of a single decision out of --games times "
            f"--rollout = {collected}: take another"
        )
    minutes = DEFAULT_MINUTES if s.minutes is None and s.steps is None else s.minutes
    return replace(s, minutes=minutes, batch=batch)
