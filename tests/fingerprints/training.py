"""The weights after a seeded training run of 20,000 decisions."""

import tempfile
from pathlib import Path

from tests.fingerprints.digests import Entries, sketch
from tests.fingerprints.parts import Settings, Training, World

_SETTINGS = Settings(
    scenario=("4A", "6A"),
    padded=True,
    decisions=20_000,
    games=64,
    steps=32,
    epochs=2,
    minibatches=4,
    layers=(32, 32),
    events=8,
    embedding=4,
    slots=8,
    belief=0.5,
    critic="table",
    magnet=0.1,
    teacher="stopper",
    teaching=0.3,
    league=0.5,
    league_every=5_000,
    league_keep=2,
    league_agents=("stopper",),
    evaluate_every=10**9,
    evaluation=2,
    rungs=(),
)


def training() -> Entries:
    """Each array of the policy that a run ends with; all options of the learner are in use."""
    with tempfile.TemporaryDirectory() as folder:
        run = Training(World(), _SETTINGS, Path(folder))
        run.go()
        weights = run.policy().arrays
    found: Entries = {name: sketch(array) for name, array in sorted(weights.items())}
    return found | {"decisions": str(run.decisions)}
