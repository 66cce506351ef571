"""The lines of `mascarade bench` for the speed of self-play with learning."""

from dataclasses import replace
from pathlib import Path

from mascarade_env._benchmarks import Benchmark, best_rate


def _learned(preset_name: str | None) -> float:
    """Return decisions per second that are played and learned from, in one process and thread."""
    # Imported here, because the other lines must run without the extra train.
    from mascarade_train._ppo import Training  # noqa: PLC0415
    from mascarade_train._settings import Settings, preset  # noqa: PLC0415

    settings = Settings() if preset_name is None else preset(preset_name)
    training = Training(replace(settings, scenario=("6A",)), Path())
    return best_rate(lambda: len(training.update()[0].action))


BENCHMARKS = (
    Benchmark(
        "train-6A",
        "decisions of self-play that are played and learned from by PPO's default settings, 6A",
        "/s",
        lambda: _learned(None),
        at_least=40e3,
    ),
    Benchmark(
        "train-preset-6A",
        "the same with the preset 6A, where opponents hold seats and their decisions do not count",
        "/s",
        lambda: _learned("6A"),
    ),
)
