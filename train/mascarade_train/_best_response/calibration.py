"""How much of what could be gained `best_response` finds, where it is known exactly.

In the games of the exact suite the best responses are computed on the whole tree. There the same
procedure with the same budget shows what share of the true gain it recovers. `mascarade
best-response` reports that share beside every figure of games that nobody can solve.

This module reads calibration.json, which comes with this package. `python -m lab calibration` in a
checkout of the project measures anew and writes it.
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
    """How much was found at one table.

    Attributes:
        scenario: what was played.
        table: the agent of which the table was made, or "self-play" for a network trained for it.
        true_gain: what the best response gains above 1/n, on average over the seats.
        found: what the response that was found gains, on the tree.
        measured: what it gained in the games that were counted.
    """

    scenario: str
    table: str
    true_gain: float
    found: float
    measured: float

    @property
    def recovered(self) -> float:
        """The share of the true gain that was found."""
        return self.found / self.true_gain

    def __str__(self) -> str:
        return f"{self.recovered:.0%} on {self.scenario} against {self.table}"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a procedure has found.

    Attributes:
        settings: the procedure.
        self_play: decisions that the networks of the tables named "self-play" have learned from.
        versions: of the packages.
        lines: one for each table.
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
    """Return in words what share of the true gain responses find with these settings.

    Args:
        settings: the procedure.
        whole: whether the budget was spent.
        known: by default the calibrations that come with this package.
    """
    everything = load() if known is None else known
    if not whole:
        return "not calibrated: training was stopped before the budget was spent"
    near = sorted(everything, key=lambda each: len(differences(settings, each.settings)))
    if not near:
        return f"not calibrated: no calibration is known; make one {_HOW}"
    differs = differences(settings, near[0].settings)
    if differs:
        return (
            f"not calibrated: {'; '.join(differs)}. Leave these settings as they are, or calibrate "
            f"them {_HOW}"
        )
    return f"with these settings the same procedure recovers of the true gain: {near[0]}"


def differences(settings: ResponseSettings, calibrated: ResponseSettings) -> list[str]:
    """Return in words how settings differ, but for those that make no difference."""
    return [
        f"--{field.name.replace('_', '-')} is {getattr(settings, field.name)} and was "
        f"{getattr(calibrated, field.name)} in the calibration"
        for field in fields(settings)
        if field.name not in INDIFFERENT
        and getattr(settings, field.name) != getattr(calibrated, field.name)
    ]


def load(path: Path = FILE) -> tuple[Calibration, ...]:
    """Return the calibrations of a file; none if there is no file.

    Raises:
        MascaradeError: it is damaged or something else.
    """
    try:
        found = read_json(path)
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']!r}")
        return tuple(_read(entry) for entry in found["calibrations"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise MascaradeError(
            f"{str(path)!r} is no calibration of this version: {error}; calibrate anew"
        ) from error


def _read(entry: Mapping[str, Any]) -> Calibration:
    lines = [{name: line[name] for name in line if name != "recovered"} for line in entry["lines"]]
    found = Calibration(
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
            raise ValueError(f"{line!r:.200} is no line")
    if not isinstance(found.versions, dict):
        raise ValueError(f"versions cannot be {found.versions!r:.60}")
    return found
