"""`mascarade train`: train a network by self-play. `_run/start.py` does the work."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import tyro

from mascarade_env._errors import MascaradeError


def train_with(words: Sequence[str]) -> Callable[..., None]:
    """Train a network by self-play and report how well it plays.

    Returns the command for these words, because --preset and --resume set the defaults of all other
    flags.
    """
    try:
        from mascarade_train._run.folders import value_of  # noqa: PLC0415
        from mascarade_train._run.resume import settings_of  # noqa: PLC0415  torch takes time
        from mascarade_train._run.start import start  # noqa: PLC0415
        from mascarade_train._settings import PRESETS, Settings, preset  # noqa: PLC0415
    except ImportError as missing:
        raise MascaradeError(
            "`mascarade train` needs the extra train: pip install 'mascarade-env[train]' "
            f"({missing})"
        ) from missing
    chosen, run = value_of(words, "--preset"), value_of(words, "--resume")
    if chosen is not None and run is not None:
        raise MascaradeError("--resume keeps the settings of the run: leave --preset out")
    defaults = Settings()
    if chosen is not None:
        defaults = preset(chosen)
    elif run is not None:
        defaults = settings_of(Path(run), _settings_in(words))

    def train(settings: Annotated[Settings, tyro.conf.arg(name="")] = defaults) -> None:
        start(settings)

    train.__doc__ = f"""Train a network by self-play and report how well it plays.

    Example: mascarade train --preset quick

    Start with a preset: quick takes three minutes on two cores, 4A about five on one, 6A most of an
    hour. A preset sets all flags that you do not give; `mascarade train --preset NAME --help` shows
    its values. Presets: {", ".join(PRESETS)}.

    The folder of the run holds the network and a checkpoint. Ctrl-C ends training early, and the
    report follows; `--resume` continues from there.
    """
    return train


train_with.of_words = True  # type: ignore[attr-defined]  # see mascarade_env.cli


def _settings_in(words: Sequence[str]) -> set[str]:
    """Return the names of the settings whose flags the user typed."""
    flags = (word.partition("=")[0] for word in words if word.startswith("--"))
    return {flag.removeprefix("--").replace("-", "_") for flag in flags}
