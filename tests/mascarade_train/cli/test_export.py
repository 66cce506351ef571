"""`mascarade export`, called as a user calls it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mascarade_env import scenarios
from mascarade_env.cli import main
from mascarade_train import _released as released
from mascarade_train._agents import OnnxAgent
from mascarade_train._onnx.card import FORMAT
from tests.mascarade_train.random_nets import random_net
from tests.messages import states


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the command by its name, in an empty folder with one released network."""
    about = tmp_path / "site" / "odd-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[mascarade.commands]\nexport = mascarade_train._cli.export:export\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "released").mkdir()
    random_net("6A", padded=True).save(tmp_path / "released" / "padded.npz")
    monkeypatch.setattr(released, "FOLDER", tmp_path / "released")


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["export", *map(str, words)])
    output, errors = capfd.readouterr()
    return code, output, errors


def told(capfd: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    code, output, errors = run(capfd, *words, "--json")
    assert (code, errors) == (0, "")
    found: dict[str, Any] = json.loads(output)
    return found


def refused(capfd: pytest.CaptureFixture[str], *words: object) -> str:
    code, output, errors = run(capfd, *words)
    assert (code, output) == (2, "")
    assert errors.startswith("mascarade: ")
    return errors


def test_a_run_is_exported_beside_its_policy(capfd: pytest.CaptureFixture[str]) -> None:
    folder = Path("runs/my run")
    folder.mkdir(parents=True)
    random_net("4A").save(folder / "policy.npz")
    code, output, errors = run(capfd, folder)
    assert (code, errors) == (0, "")
    first, second = output.splitlines()
    assert states(first, "4A", "runs/my run/policy.onnx", "runs/my run/policy.json")
    assert states(second, "onnx:'runs/my run/policy.onnx'")
    OnnxAgent(scenarios()["4A"], "runs/my run/policy.onnx")
    assert sorted(file.name for file in folder.iterdir()) == [
        "policy.json",
        "policy.npz",
        "policy.onnx",
    ]


def test_a_policy_file_is_exported_to_where_it_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    random_net("4A", "both").save("mine.npz")
    assert told(capfd, "mine.npz", "--out", "new/folder/bot.onnx") == {
        "policy": "mine.npz",
        "scenario": "4A",
        "track": "both",
        "padded": False,
        "output": "new/folder/bot.onnx",
        "card": "new/folder/bot.json",
    }
    OnnxAgent(scenarios()["4A"], "new/folder/bot.onnx")
    assert json.loads(Path("new/folder/bot.json").read_text())["format"] == FORMAT
    assert told(capfd, "mine.npz")["output"] == "mine.onnx"


def test_a_released_network_is_exported_to_here(capfd: pytest.CaptureFixture[str]) -> None:
    assert told(capfd, "released:padded")["output"] == "padded.onnx"
    OnnxAgent(scenarios()["12A"], "padded.onnx")
    assert not list(released.FOLDER.glob("*.onnx"))
    assert states(run(capfd, "released:padded")[1], "every scenario")


def test_what_it_has_written_it_writes_again(capfd: pytest.CaptureFixture[str]) -> None:
    random_net("4A").save("mine.npz")
    told(capfd, "mine.npz")
    card = Path("mine.json")  # it overwrites files of an earlier version
    card.write_text(json.dumps(json.loads(card.read_text()) | {"format": "mascarade_train.onnx 1"}))
    random_net("4B").save("mine.npz")
    told(capfd, "mine.npz")
    OnnxAgent(scenarios()["4B"], "mine.onnx")


@pytest.mark.parametrize("other", ['{"format": "mascarade_train.sb3 1"}', "[]", "no JSON"])
def test_a_card_of_something_else_is_not_overwritten(
    capfd: pytest.CaptureFixture[str], other: str
) -> None:
    random_net("4A").save("policy.npz")
    Path("policy.json").write_text(other)
    assert states(refused(capfd, "policy.npz"), "card", "overwrite", "'policy.json'", "--out")
    assert Path("policy.json").read_text() == other
    assert not Path("policy.onnx").exists()


def test_the_policy_is_not_overwritten(capfd: pytest.CaptureFixture[str]) -> None:
    random_net("4A").save("policy.npz")
    before = Path("policy.npz").read_bytes()
    Path("policy.onnx").symlink_to("policy.npz")
    assert states(refused(capfd, "policy.npz"), "overwrite", "'policy.npz'")
    assert Path("policy.npz").read_bytes() == before


def test_what_cannot_be_exported_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    assert states(refused(capfd, "nothing.npz"), "read", "'nothing.npz'", "No such file")
    assert states(refused(capfd, "released:paded"), "'paded'", "'padded'")
    random_net("4A").save("mine.npz")
    assert states(refused(capfd, "mine.npz", "--out", "bot.json"), "--out", ".onnx", "'bot.json'")
    shutil.copy("mine.npz", "a file")
    assert states(refused(capfd, "mine.npz", "--out", "a file/bot.onnx"), "write", "a file")
    Path("policy.zip").write_bytes(b"")
    assert "policy.zip" in refused(capfd, "policy.zip")
    assert states(refused(capfd, "."), "'.'", "Stable-Baselines3", "mascarade train")
    assert sorted(file.name for file in Path.cwd().iterdir()) == [
        "a file",
        "mine.npz",
        "policy.zip",
    ]
