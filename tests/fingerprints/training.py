"""The weights after a seeded self-play of 20,000 decisions, and of a seeded best response."""

import tempfile
from pathlib import Path

from tests.fingerprints.digests import Entries, sketch
from tests.fingerprints.parts import ResponseSettings, Settings, Training, best_response

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

_RESPONSE = ResponseSettings(
    decisions=4_000,
    selection=50,
    evaluation=100,
    games=32,
    batch=400,
    epochs=2,
    minibatches=2,
    learning_rate=(1e-3,),
    entropy=(0.1,),
    layers=(16,),
    events=4,
    slots=8,
)


def training() -> Entries:
    """Return a sum for each array of the policy of a run that uses all options of the learner."""
    with tempfile.TemporaryDirectory() as folder:
        run = Training(_SETTINGS, Path(folder))
        run.go()
        weights = run.policy().arrays
    found: Entries = {name: sketch(array) for name, array in sorted(weights.items())}
    return found | {"decisions": str(run.decisions)}


def response() -> Entries:
    """Return a sum for each array of a best response with a full-state critic, and its wins."""
    found = best_response("stopper", "4A", _RESPONSE)
    weights: Entries = {name: sketch(array) for name, array in sorted(found.policy.arrays.items())}
    return weights | {"share": found.share.mean, "chosen": found.chosen.version}
