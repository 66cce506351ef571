"""The share of the true gain that `best_response` finds, in games where the true gain is known.

In the small games of the exact suite, best responses are computed on the whole game tree. The
search runs there with the same budget, and its gain is compared with the true gain. `mascarade
best-response` reports this share with every result, because in larger games the true gain is
unknown.

This module reads calibration.json, which is part of this package. `python -m lab calibration`, in a
checkout of the project, measures and writes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._files.strict_json import read_json
from mascarade_train._best_response.settings import INDIFFERENT, ResponseSettings, checked
from mascarade_train._settings import from_json

FORMAT = "mascarade_train.best_response calibration 1"
FILE = Path(__file__).with_name("calibration.json")

_HOW = "in a checkout of the project, by python -m lab calibration"


@dataclass(frozen=True, slots=True)
class Line:
    """The gain that a search found against one agent, and the true gain.

    Gains are win shares above 1/n, averaged over the seats.

    Attributes:
        scenario: the name of the game.
        table: the agent on all other seats; "self-play" for a network that the calibration trained.
        true_gain: the gain of the best response, computed on the game tree.
        found: the gain of the trained response, computed on the game tree.
        measured: the gain of the trained response in the games of its evaluation.
    """

    scenario: str
    table: str
    true_gain: float
    found: float
    measured: float

    @property
    def recovered(self) -> float:
        """The share of the true gain that the trained response gains."""
        return self.found / self.true_gain

    def __str__(self) -> str:
        return f"{self.recovered:.0%} on {self.scenario} against {self.table}"


@dataclass(frozen=True, slots=True)
class Calibration:
    """The results of one search procedure against several agents.

    Attributes:
        settings: the settings of the search.
        self_play: number of learned decisions of the networks named "self-play".
        versions: the version of each package.
        lines: one result for each game and agent.
    """

    settings: ResponseSettings
    self_play: int
    versions: Mapping[str, str]
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.lines))


def recovered_share(
    settings: ResponseSettings,
    *,
    whole: bool = True,
    known: Sequence[Calibration] | None = None,
) -> str:
    """Return a sentence about the share of the true gain that these settings recover.

    Args:
        settings: the settings of the search.
        whole: whether the search spent its whole budget.
        known: the calibrations to search, by default the calibrations of this package.
    """
    everything = load() if known is None else known
    if not whole:
        return "not calibrated: training stopped before the budget was spent"
    near = sorted(everything, key=lambda each: len(differences(settings, each.settings)))
    if not near:
        return f"not calibrated: there is no calibration; make one {_HOW}"
    differs = differences(settings, near[0].settings)
    if differs:
        return (
            f"not calibrated: {'; '.join(differs)}. Use the calibrated values, or calibrate yours "
            f"{_HOW}"
        )
    return f"where the true gain is known, these settings recover this share of it: {near[0]}"


def differences(settings: ResponseSettings, calibrated: ResponseSettings) -> list[str]:
    """Return a clause for each setting that differs and affects the result."""
    return [
        f"--{field.name.replace('_', '-')} is {getattr(settings, field.name)} and was "
        f"{getattr(calibrated, field.name)} in the calibration"
        for field in fields(settings)
        if field.name not in INDIFFERENT
        and getattr(settings, field.name) != getattr(calibrated, field.name)
    ]


def load(path: Path = FILE) -> tuple[Calibration, ...]:
    """Return the calibrations in a file; an empty tuple if the file does not exist.

    Raises:
        MascaradeError: the file is damaged or has another format.
    """
    try:
        content = read_json(path)
        if content["format"] != FORMAT:
            raise ValueError(f"its format is {content['format']!r}")
        return tuple(_read(entry) for entry in content["calibrations"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise MascaradeError(
            f"{str(path)!r} is not a calibration of this version: {error}; write it again {_HOW}"
        ) from error


def _read(entry: Mapping[str, Any]) -> Calibration:
    lines = [{name: line[name] for name in line if name != "recovered"} for line in entry["lines"]]
    calibration = Calibration(
        checked(from_json(entry["settings"], ResponseSettings)),
        whole(entry["self_play"], "self_play", at_least=1),
        entry["versions"],
        tuple(Line(**line) for line in lines),
    )
    for line in lines:
        gains = [line[name] for name in ("true_gain", "found", "measured")]
        words = [line[name] for name in ("scenario", "table")]
        kinds = {type(gain) for gain in gains}, {type(word) for word in words}
        if kinds != ({float}, {str}) or not line["true_gain"] > 0:
            raise ValueError(f"{line!r:.200} is not a valid line")
    if not isinstance(calibration.versions, dict):
        raise ValueError(f"versions must be a JSON object, not {calibration.versions!r:.60}")
    return calibration
