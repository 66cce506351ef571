"""`mascarade bench` with peers and a report."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

from mascarade_env._benchmarks import Benchmark, busy, peer_runs
from mascarade_env._benchmarks.peers import PEERS
from mascarade_env._benchmarks.picture import GROUPS
from mascarade_env.cli import _bench as command
from mascarade_env.cli import main
from tests.messages import states

LINES = [Benchmark("one", "the first", "/s", lambda: 5.0, at_least=4.0)]


@pytest.fixture(autouse=True)
def _few_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line of ours that costs nothing, and of the peers one that crashes and one that works."""
    script = tmp_path / "fake.py"
    script.write_text(
        "import json, sys\n"
        f"if sys.argv[1] == {PEERS[0].name!r}: sys.exit('/somewhere/of/mine is [bold]broken')\n"
        "print(json.dumps({'name': sys.argv[1], 'version': '7', 'rate': 2e6, 'wall_rate': 1e6}))"
    )
    run_peer = peer_runs.run_peer
    monkeypatch.setattr(command, "_all_lines", lambda: LINES)
    monkeypatch.setattr(command, "load_per_core", lambda: 0.25)
    monkeypatch.setattr(command, "share_of_core", lambda: 1.0)
    monkeypatch.setattr(command, "PEERS", PEERS[:2])
    monkeypatch.setattr(
        command, "run_peer", lambda python, peer: run_peer(python, peer, script=script, limit=30)
    )


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Exit code, output and errors of `mascarade bench` with some words."""
    code = main(["bench", *map(str, words)])
    output, errors = capfd.readouterr()
    return code, output, errors


def test_ours_and_theirs_in_one_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "BENCHMARKS.md"
    report.write_text("from an older run" * 1000)
    code, output, _ = run(capfd, "--peers", sys.executable, "--report", report)
    assert code == 0
    assert "the first" in output
    assert "2 M /s" in output
    text = report.read_text()
    assert "| one | the first | 5 /s | >= 4 | reached |" in text
    assert "| none: mine is [bold]broken |" in text
    assert f"| 7 | {PEERS[1].game} | {PEERS[1].how} | 2 M /s | 1 M /s |" in text
    assert "older run" not in text
    for private in (sys.executable, str(tmp_path)):
        assert private not in text


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "--peers", sys.executable, "--json")
    assert code == 0
    figures = json.loads(output)
    assert [line["name"] for line in figures["results"]] == ["one"]
    crashed, measured = figures["peers"]
    assert (crashed["name"], crashed["rate"]) == (PEERS[0].name, None)
    assert crashed["error"] == "mine is [bold]broken"
    assert measured == {
        "name": PEERS[1].name, "package": "open_spiel", "version": "7", "game": PEERS[1].game,
        "how": PEERS[1].how, "rate": 2e6, "wall_rate": 1e6, "error": None,
    }  # fmt: skip


def test_only_chooses_among_both(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["--peers", sys.executable, "--json", "--only", PEERS[1].name]
    figures = json.loads(run(capfd, *words)[1])
    assert figures["results"] == []
    assert [line["name"] for line in figures["peers"]] == [PEERS[1].name]
    code, _, errors = run(capfd, "--only", PEERS[1].name)
    assert code == 2
    assert states(errors, "benchmark", repr(PEERS[1].name), "one")


def test_without_peers_none_are_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "page.md"
    code, output, _ = run(capfd, "--report", report, "--json")
    assert code == 0
    assert json.loads(output)["peers"] == []
    assert "| 7 |" not in report.read_text()


def test_a_python_that_cannot_be_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "page.md"
    (tmp_path / "text").write_text("not a program")
    for python in ("nowhere", "text", ""):
        code, output, errors = run(capfd, "--peers", tmp_path / python, "--report", report)
        assert (code, output) == (2, "")
        assert states(errors, "Python", "make bench")
    assert not report.exists()


def test_a_report_that_cannot_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before anything is measured."""
    monkeypatch.setattr(command, "_measure", lambda _: pytest.fail("measured"))
    (tmp_path / "file").touch()
    for report in (tmp_path, tmp_path / "file" / "page.md"):
        code, output, errors = run(capfd, "--report", report)
        assert (code, output) == (2, "")
        assert f"cannot write {str(report)!r}" in errors


def test_a_report_in_part_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "page.md"
    code, _, errors = run(capfd, "--only", "one", "--report", report)
    assert code == 2
    assert states(errors, "--only", "--report")
    assert not report.exists()


def test_a_picture_beside_the_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Benchmark(PEERS[1].beside, "ours", "/s", lambda: 5e6)
    monkeypatch.setattr(command, "_all_lines", lambda: [line])
    report, picture = tmp_path / "page.md", tmp_path / "pictures" / "speed.svg"
    picture.parent.mkdir()
    words = ("--peers", sys.executable, "--report", report, "--picture", picture)
    assert run(capfd, *words)[0] == 0
    told = re.findall(r"!\[(.*?)\]\((.*?)\)", report.read_text())
    name = f"{PEERS[1].packages[0]}, {PEERS[1].game}"
    assert told == [(f"{GROUPS[line.name]}: mascarade-env 5 M, {name} 2 M", "pictures/speed.svg")]
    drawn = picture.read_text()
    for words_drawn in (GROUPS[line.name], name, "mascarade-env", "5 M", "2 M", "log scale"):
        assert words_drawn in drawn
    run(capfd, *words)
    assert picture.read_text() == drawn


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--picture", "speed.svg"], "give --peers"),
        (["--peers", sys.executable, "--picture", "speed.txt"], "ends in .svg or .png"),
        (["--peers", sys.executable, "--picture", "file/speed.svg"], "file/speed.svg"),
        (["--peers", sys.executable, "--picture", "speed.svg"], "nothing to draw"),
    ],
)
def test_a_picture_that_cannot_be_drawn(
    words: list[str], why: str, tmp_path: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    code, _, errors = run(capfd, *words)
    assert code == 2
    assert why in errors
    assert not list(tmp_path.glob("*.svg"))


def test_what_was_measured_is_kept_if_there_is_nothing_to_draw(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    report, picture = tmp_path / "page.md", tmp_path / "speed.svg"
    words = ("--peers", sys.executable, "--report", report, "--picture", picture)
    code, _, errors = run(capfd, *words)
    assert (code, states(errors, "nothing", "draw")) == (2, True)
    assert "| one | the first | 5 /s |" in report.read_text()
    assert "](speed.svg)" not in report.read_text()


def test_a_picture_without_matplotlib_is_refused_before_all_is_measured(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    code, output, errors = run(
        capfd, "--peers", sys.executable, "--picture", tmp_path / "speed.svg"
    )
    assert (code, output) == (2, "")
    assert states(errors, "--picture", "pip install 'mascarade-env[plot]'")


@pytest.mark.parametrize(("load", "share"), [(0.25, 0.5), (3.0, 1.0)])
def test_a_busy_machine_is_reported(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    load: float,
    share: float,
) -> None:
    report = tmp_path / "page.md"
    code, output, errors = run(capfd, "--json", "--report", report)
    assert (code, errors, json.loads(output)["busy"]) == (0, "", None)
    assert "busy" not in report.read_text()
    monkeypatch.setattr(command, "load_per_core", lambda: load)
    monkeypatch.setattr(command, "share_of_core", lambda: share)
    code, output, errors = run(capfd, "--json", "--report", report)
    (line,) = errors.splitlines()
    assert line.startswith("The machine was busy: ")
    assert f"load {load:.1f} per core" in line
    assert f"got {share:.0%} of a core" in line
    assert json.loads(output)["busy"] == line
    assert report.read_text().count(line) == 1


def test_the_share_of_a_core_is_measured() -> None:
    assert 0.0 < busy.share_of_core() <= 1.01
    assert busy.load_per_core() >= 0.0
