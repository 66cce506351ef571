"""Settings: valid ones, presets, and those in files of this version and earlier ones."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from mascarade_env import MascaradeError, scenarios
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._ppo import Training
from mascarade_train._settings import (
    PRESETS,
    Settings,
    as_json,
    checked,
    completed,
    from_json,
    preset,
)
from tests.mascarade_train.small_runs import EVERYTHING, small
from tests.messages import facts

OTHER = small(**EVERYTHING, minutes=2.5, start=Path("a/b"), resume=Path("c"), name="d")


@pytest.mark.parametrize("settings", [Settings(), OTHER, preset("padded")], ids=range(3))
def test_what_is_written_is_read_again(settings: Settings) -> None:
    words = json.loads(json.dumps(as_json(settings)))
    assert from_json(words, Settings) == settings
    assert list(words) == [field.name for field in fields(Settings)]


def test_settings_of_a_response_are_read_again() -> None:
    settings = ResponseSettings(learning_rate=(0.1,), entropy=(1.0,), layers=(), most_worlds=9)
    assert from_json(as_json(settings), ResponseSettings) == settings


def test_settings_that_are_missing_have_their_defaults() -> None:
    assert from_json({}, Settings) == Settings()
    assert from_json({"games": 7}, ResponseSettings) == ResponseSettings(games=7)
    defaults = as_json(Settings())
    found = completed({"seed": 3, "layers": [1]}, defaults)
    assert found == defaults | {"seed": 3, "layers": [1]}
    assert list(found) == list(defaults)


def test_settings_of_version_0_1_are_read() -> None:
    """One setting had another name, and some were removed since."""
    words = as_json(OTHER)
    words["worlds"] = words.pop("most_worlds")
    gone = {"hold": 0.0, "belief": 0.0, "critic": "player"}
    assert from_json(words | gone, Settings) == OTHER
    for name, value in {"hold": 0.3, "belief": 1, "critic": "table", "other": None}.items():
        with pytest.raises(MascaradeError, match=facts("no setting", f"--{name}", repr(value))):
            from_json(words | {name: value}, Settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("games", "8"), ("games", 8.0), ("games", True), ("games", None), ("padded", 0),
        ("entropy", "0.1"), ("minutes", [1]), ("layers", 8), ("layers", [8.5]), ("scenario", [4]),
        ("scenario", "4A"), ("folder", None), ("track", 1), ("teacher", ["stopper"]),
    ],
)  # fmt: skip
def test_a_setting_of_another_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(MascaradeError, match=facts(f"--{name}", "type", repr(value).strip("[]"))):
        from_json(as_json(Settings()) | {name: value}, Settings)


def test_whole_numbers_are_fractions_too() -> None:
    found = from_json({"entropy": 1, "minutes": 5}, Settings)
    assert (found.entropy, found.minutes) == (1, 5)


def test_presets_are_valid_and_every_scenario_has_one() -> None:
    for name in PRESETS:
        assert checked(preset(name)).preset == name
    for name in scenarios():
        assert preset(name).scenario == (name,)
    assert preset("9B").most_worlds < preset("7B").most_worlds
    assert preset("medium-4").entropy > preset("4B").entropy


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"league": 1.5}, facts("--league", 0, 1, 1.5)),
        ({"layers": ()}, facts("--layers", "one width")),
        ({"minutes": 0.0}, facts("--minutes", 0, "0.0")),
        ({"events": 33}, facts("--events", 32, 33)),
        ({"evaluation": 1}, facts("--evaluation", 2, 1)),
    ],
    ids=str,
)
def test_a_training_refuses_what_is_not_valid(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(MascaradeError, match=told):
        Training(replace(small(), **changes), tmp_path)
    assert not list(tmp_path.iterdir())
