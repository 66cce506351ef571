"""`mascarade train`: train a network by self-play."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import tyro

from mascarade_env._errors import MascaradeError


def train_with(words: Sequence[str]) -> Callable[..., None]:
    """Train a network by self-play, and report what it has learned.

    The command depends on the words typed: its defaults are those that --preset or --resume choose.
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
        raise MascaradeError("a run that resumes keeps its settings: leave --preset out")
    defaults = Settings()
    if chosen is not None:
        defaults = preset(chosen)
    elif run is not None:
        defaults = settings_of(Path(run), _settings_in(words))

    def train(settings: Annotated[Settings, tyro.conf.arg(name="")] = defaults) -> None:
        start(settings)

    train.__doc__ = f"""Train a network by self-play, and report what it has learned.

    Example: mascarade train --preset 6A --minutes 20

    Presets: {", ".join(PRESETS)}. A preset sets the flags that are not given, and this help shows
    what it sets them to. Ctrl-C ends the training early; what was learned is kept and measured, and
    `--resume` continues from there.
    """
    return train


train_with.of_words = True  # type: ignore[attr-defined]  # see mascarade_env.cli


def _settings_in(words: Sequence[str]) -> set[str]:
    """Return the names of the settings whose flags are among the words."""
    flags = (word.partition("=")[0] for word in words if word.startswith("--"))
    return {flag.removeprefix("--").replace("-", "_") for flag in flags}
