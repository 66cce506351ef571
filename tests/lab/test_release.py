"""Release networks with the package."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab import result_files
from lab.__main__ import main
from lab.release import NOTES, command, finished, release
from mascarade_agents._ladder import LADDER
from mascarade_env import MascaradeError, scenarios
from mascarade_env._errors import UnknownNameError
from mascarade_train import _released as released
from mascarade_train._agents import Released
from mascarade_train._cli.train import train_with
from mascarade_train._policy_file import NAME, PolicyFile
from mascarade_train._settings import PRESETS, Settings, as_json, preset
from tests.mascarade_train.random_nets import random_net
from tests.messages import facts, states

CURVE = '{"decisions": 500, "seconds": 2.5, "alone": {}}\n'

Run = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Make the folder of a run; released files go to a temporary folder."""
    monkeypatch.setattr(released, "FOLDER", tmp_path / "released")
    monkeypatch.setattr(result_files, "FOLDER", tmp_path / "results")

    def make(
        settings: Settings,
        *,
        decisions: int = 1000,
        seconds: float = 5.0,
        padded: bool = False,
        large: float = 1.0,
    ) -> Path:
        made = {
            "settings": as_json(settings),
            "decisions": decisions,
            "seconds": seconds,
            "versions": {"torch": "2.13.0"},
        }
        file = random_net(settings.scenario[0], padded=padded, provenance=made)
        arrays = {**file.arrays, "wins.bias": file.arrays["wins.bias"] * np.float32(large)}
        folder = tmp_path / "runs" / "some run"
        folder.mkdir(parents=True, exist_ok=True)
        PolicyFile(file.card, arrays).save(folder / NAME)
        (folder / "log.jsonl").write_text(CURVE)
        return folder

    return make


def settings(chosen: str = "6A", **others: Any) -> Settings:
    return replace(preset(chosen), decisions=1000, **others)


def read(name: str) -> dict[str, Any]:
    found = result_files.read(f"released/{name}")
    assert found is not None
    return found


def test_the_file_has_the_rounded_weights_and_what_that_file_is_worth(run: Run) -> None:
    folder = run(settings("small-2", seed=3))
    made = PolicyFile.load(folder)
    release(folder, "small-2", games=4)
    path = released.released_path("small-2")
    found = PolicyFile.load(path)
    assert found.arrays.keys() == made.arrays.keys()
    for name, array in found.arrays.items():
        assert array.dtype == np.float16
        assert np.array_equal(array, made.arrays[name].astype(np.float16))
    scores = found.card["scores"]
    for way in ("alone among copies of", "alone among copies of this"):
        assert list(scores[way]) == list(LADDER)
        assert all(share["games"] == 4 for share in scores[way].values())
    assert 0 < scores["NashConv"] <= 1
    assert 0 <= scores["play"]["announce_rate"] <= 1
    Released(scenarios()["small-2"])  # it plays by its name


def test_what_is_logged_is_what_is_released(run: Run) -> None:
    folder = run(settings(seed=3))
    release(folder, "6A", note="It is for tests.", games=2)
    path = released.released_path("6A")
    found = read("6A")
    assert found["card"] == result_files.rounded(PolicyFile.load(path).card)
    assert found["card"]["note"] == "It is for tests."
    assert found["policy"] == result_files.digest(path)
    assert found["bytes"] == path.stat().st_size
    assert (result_files.FOLDER / "released/6A.jsonl").read_text() == CURVE
    made = found["card"]["provenance"]
    assert made["command"] == "mascarade train --preset 6A --decisions 1000 --seed 3"
    assert (made["decisions"], made["seconds"], made["resumed"]) == (1000, 5.0, False)


def test_a_run_that_began_with_another_tells_of_both(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both commands are recorded, and there is one learning curve."""
    folder = run(settings(seed=3))
    first = folder.rename(folder.with_name("ppo-6A"))
    monkeypatch.chdir(folder.parents[1])
    late = run(settings(start=Path("runs/ppo-6A")))
    file = PolicyFile.load(late)
    provenance = {**file.card["provenance"], "start": PolicyFile.load(first).card["provenance"]}
    replace(file, card={**file.card, "provenance": provenance}).save(late / NAME)
    release(late, "6A", games=2)
    made = read("6A")["card"]["provenance"]
    assert made["command"] == "mascarade train --preset 6A --decisions 1000 --start runs/ppo-6A"
    begun = "mascarade train --preset 6A --decisions 1000 --seed 3"
    assert made["start"]["command"] == begun
    curve = (result_files.FOLDER / "released/6A.jsonl").read_text()
    second = json.dumps({"decisions": 1500, "seconds": 7.5, "alone": {}}) + "\n"
    assert curve == CURVE + second
    # A run that started from a released network records that network's card.
    provenance = {**provenance, "start": made}
    replace(file, card={**file.card, "provenance": provenance}).save(late / NAME)
    shutil.rmtree(first)
    release(late, "6A", games=2)
    assert read("6A")["card"]["provenance"]["start"] == made
    assert (result_files.FOLDER / "released/6A.jsonl").read_text() == CURVE


def test_places_on_the_machine_are_not_told(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "somebody"
    guests = (f"net:{secret}/guest", "stopper")
    s = settings(
        folder=secret, name="private", resume=secret / "old", league_agents=guests, rungs=guests,
        teacher=f"net:{secret}/teacher.npz", start=secret / "first.npz",
    )  # fmt: skip
    release(run(s), "6A", games=2)
    text = json.dumps([read("6A"), PolicyFile.load(released.released_path("6A")).card])
    assert str(tmp_path) not in text
    assert "somebody" not in text
    assert "private" not in text
    made = read("6A")["card"]["provenance"]
    for name in ("league_agents", "rungs"):
        assert made["settings"][name] == ["net:guest", "stopper"]
    assert made["settings"]["teacher"] == "net:teacher.npz"
    assert made["settings"]["start"] == "first.npz"
    assert made["resumed"]


@pytest.mark.parametrize("note", ["see /home/me/notes", "see ~/notes", r"in C:\notes"])
def test_a_note_does_not_tell_of_places_either(run: Run, note: str) -> None:
    with pytest.raises(MascaradeError, match=facts("card", "path of this machine", note)):
        release(run(settings()), "6A", note=note, games=2)
    assert not released.FOLDER.exists()


def test_unfinished_runs_are_refused_unless_told(run: Run) -> None:
    folder = run(settings(), decisions=999)
    with pytest.raises(MascaradeError, match=facts(folder, "--resume", "--unfinished")):
        release(folder, "6A", games=2)
    assert not released.FOLDER.exists()
    release(folder, "6A", games=2, unfinished=True)
    assert released.released_names() == ["6A"]
    assert states(read("6A")["card"]["note"], "training", "early")


@pytest.mark.parametrize(
    ("decisions", "minutes", "ended"),
    [(1000, None, True), (999, None, False), (1, 0.5, True), (1, 0.51, False)],
)
def test_decisions_or_minutes_end_a_run(decisions: int, minutes: float | None, ended: bool) -> None:
    limits = {"decisions": 1000, "minutes": minutes}
    card = {"provenance": {"settings": limits, "decisions": decisions, "seconds": 30.0}}
    assert finished(card) == ended


def test_names_tell_what_a_network_has_learned(run: Run) -> None:
    folder = run(settings("6A"))
    for name in ("4A", "small-2"):
        with pytest.raises(MascaradeError, match=facts("learned 6A", "--name 6A")):
            release(folder, name)
    with pytest.raises(MascaradeError, match=facts("naive", "--entropy 0", "--previous 0")):
        release(folder, "naive")
    with pytest.raises(MascaradeError, match=facts("name padded", "padded networks")):
        release(folder, "padded")
    with pytest.raises(UnknownNameError, match="'best'"):
        release(folder, "best")
    padded = run(settings("padded"), padded=True)
    with pytest.raises(MascaradeError, match=facts("name padded", "padded networks")):
        release(padded, "4A")
    release(padded, "padded", games=2)
    assert read("padded")["card"]["padded"]


def test_a_bad_example_is_told_as_such(run: Run) -> None:
    release(run(settings("naive")), "naive", games=2)
    assert states(read("naive")["card"]["note"], "bad example")


def test_weights_that_half_precision_cannot_hold_are_refused(run: Run) -> None:
    with pytest.raises(MascaradeError, match=facts("wins.bias", "not finite")):
        release(run(settings(), large=1e7), "6A", games=2)
    assert not released.FOLDER.exists()


def test_what_is_no_run_is_told(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run(settings())
    (folder / "log.jsonl").unlink()
    assert main(["release", str(folder), "--name", "6A", "--games", "2"]) == 2
    assert states(capsys.readouterr().err, folder / "log.jsonl", "No such file")
    random_net("6A").save(folder / NAME)
    assert main(["release", str(folder), "--name", "6A"]) == 2
    assert states(capsys.readouterr().err, folder, "`mascarade train`")
    assert main(["release", str(tmp_path / "nothing"), "--name", "6A"]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wanted",
    [
        settings("6A", seed=7, rungs=(), layers=(64,), magnet=0.5),
        settings("padded"),
        replace(Settings(), scenario=("4A", "5A"), padded=True, entropy=0.0),
        replace(preset("padded"), padded=False, scenario=("4A",)),
        *map(preset, PRESETS),
    ],
)
def test_the_command_told_makes_the_same_settings(
    wanted: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tyro  # noqa: PLC0415

    given: list[Settings] = []
    monkeypatch.setattr("mascarade_train._run.start.start", given.append)
    words = command(as_json(wanted)).split()
    assert words[:2] == ["mascarade", "train"]
    tyro.cli(train_with(words[2:]), args=words[2:])
    assert given == [wanted]


def test_what_is_released_and_what_is_logged_agree() -> None:
    """The cards of the released networks."""
    logged = [file.stem for file in (result_files.FOLDER / "released").glob("*.json")]
    assert sorted(logged) == released.released_names() == sorted(NOTES)
    for name in logged:
        path = released.released_path(name)
        found = read(name)
        assert found["policy"] == result_files.digest(path)
        assert found["card"] == result_files.rounded(PolicyFile.load(path).card)
        assert path.stat().st_size < 2**20
        # The recorded command still gives the same settings with today's presets.
        assert found["card"]["provenance"]["command"] == command(
            found["card"]["provenance"]["settings"]
        )
