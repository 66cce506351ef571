"""Calibrations that come with the package: read, checked, and quoted for the same settings."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from lab.calibration import add
from mascarade_env import MascaradeError
from mascarade_train._best_response.calibration import (
    Calibration,
    Line,
    differences,
    load,
    recovered_share,
)
from mascarade_train._best_response.settings import ResponseSettings
from tests.messages import facts, states

SHORT = ResponseSettings(
    decisions=300, selection=20, evaluation=40, games=64, batch=128, layers=(32,), events=8
)
LINE = Line("small-2", "random", true_gain=0.4, found=0.38, measured=0.37)
STOPPER = Line("small-2", "stopper", true_gain=0.4, found=0.3, measured=0.37)


def known(settings: ResponseSettings) -> Calibration:
    return Calibration(settings, 1000, {"numpy": "2"}, (LINE, STOPPER))


def test_what_is_recovered_is_a_share_of_the_true_gain() -> None:
    assert LINE.recovered == pytest.approx(0.95)
    assert states(str(LINE), "95%", "small-2", "random")


def test_calibrations_are_told_of_the_same_settings_alone() -> None:
    calibrations = [known(SHORT), known(replace(SHORT, decisions=1_000_000))]
    # The seed and the number of measured games do not affect the share that is recovered.
    same = replace(SHORT, seed=7, evaluation=1000)
    told = recovered_share(same, known=calibrations)
    assert states(told, "true gain", str(LINE), "75%", "small-2", "stopper")
    assert not told.startswith("not calibrated")
    for change, words in (
        ({"decisions": 900}, ("--decisions", 900, 300)),
        ({"learning_rate": (0.5,)}, ("--learning-rate", "(0.5,)", str(SHORT.learning_rate))),
        ({"seeds": 2}, ("--seeds", 2, 1)),
    ):
        told = recovered_share(replace(SHORT, **change), known=calibrations)
        assert states(told, "not calibrated", *words)
    assert states(recovered_share(SHORT, known=[]), "not calibrated", "python -m lab calibration")
    assert states(
        recovered_share(SHORT, whole=False, known=calibrations), "not calibrated", "budget"
    )


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("settings", "none"),
        ("settings", {"decisions": 0}),
        ("settings", {"decisions": "many"}),
        ("settings", {"learning_rate": ["fast"]}),
        ("self_play", 0.5),
        ("versions", []),
        ("lines", 7),
        ("lines", [[]]),
        ("lines", [{**asdict(LINE), "true_gain": 0.0}]),
        ("lines", [{**asdict(LINE), "found": "all"}]),
        ("lines", [{**asdict(LINE), "table": None}]),
    ],
)
def test_a_calibration_of_other_values_is_refused(tmp_path: Path, part: str, value: Any) -> None:
    file = tmp_path / "calibration.json"
    add(known(SHORT), file)
    words = json.loads(file.read_text())
    words["calibrations"][0][part] = value
    file.write_text(json.dumps(words))
    wrong = facts("calibration.json", "version", "python -m lab calibration")
    with pytest.raises(MascaradeError, match=wrong):
        load(file)


def test_a_calibration_from_before_a_setting_holds_for_its_default(tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    add(known(SHORT), file)
    words = json.loads(file.read_text())
    del words["calibrations"][0]["settings"]["most_worlds"]
    file.write_text(json.dumps(words))
    assert load(file) == (known(SHORT),)
    assert states(
        recovered_share(replace(SHORT, most_worlds=9), known=load(file)), "--most-worlds", 9, 720
    )


@pytest.mark.parametrize("text", ["", "[]", '{"format": "x"}', '{"calibrations": []}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "calibration.json"
    file.write_text(text)
    with pytest.raises(MascaradeError, match=facts(file, "calibration", "version")):
        load(file)


def test_what_comes_with_the_package_is_of_the_settings_by_default() -> None:
    shipped = [each.settings for each in load()]
    assert any(not differences(ResponseSettings(), settings) for settings in shipped)
    assert all({line.scenario for line in each.lines} >= {"small-2", "small-3"} for each in load())
