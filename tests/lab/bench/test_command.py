"""`python -m lab bench`: our benchmarks and those of other packages, with page and picture."""

import re
import sys
from pathlib import Path

import pytest

from lab.__main__ import main
from lab.bench import command, peer_runs
from lab.bench.peers import PEERS
from lab.bench.picture import GROUPS
from mascarade_env._benchmarks import Benchmark, measuring
from tests.messages import states

LINES = [Benchmark(PEERS[1].beside, "the first", "/s", lambda: 5e6, at_least=4.0)]


@pytest.fixture(autouse=True)
def _few_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Replace the benchmarks by a cheap one, a peer that crashes and a peer that works."""
    script = tmp_path / "fake.py"
    script.write_text(
        "import json, sys\n"
        f"if sys.argv[1] == {PEERS[0].name!r}: sys.exit('/somewhere/of/mine is [bold]broken')\n"
        "print(json.dumps({'name': sys.argv[1], 'version': '7', 'rate': 2e6, 'wall_rate': 1e6}))"
    )
    run_peer = peer_runs.run_peer
    monkeypatch.setattr(command, "all_lines", lambda: LINES)
    monkeypatch.setattr(command, "BENCHMARKS", ())
    monkeypatch.setattr(measuring, "load_per_core", lambda: 0.25)
    monkeypatch.setattr(measuring, "share_of_core", lambda: 1.0)
    monkeypatch.setattr(command, "PEERS", PEERS[:2])
    monkeypatch.setattr(
        command, "run_peer", lambda python, peer: run_peer(python, peer, script=script, limit=30)
    )


def run(capfd: pytest.CaptureFixture[str], folder: Path, *words: object) -> tuple[int, str, str]:
    """Return the exit code, output and errors of the command, which writes into a folder."""
    places = ["--report", folder / "page.md", "--picture", folder / "speed.svg"]
    code = main(["bench", "--peers", *map(str, [sys.executable, *places, *words])])
    output, errors = capfd.readouterr()
    return code, output, errors


def test_ours_and_theirs_in_one_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "page.md"
    report.write_text("from an older run" * 1000)
    code, output, errors = run(capfd, tmp_path)
    assert (code, errors) == (0, "")
    assert "the first" in output
    assert "2 M /s" in output
    text = report.read_text()
    assert f"| {LINES[0].name} | the first | 5 M /s | >= 4 | reached |" in text
    assert "| none: mine is [bold]broken |" in text
    assert f"| 7 | {PEERS[1].game} | {PEERS[1].how} | 2 M /s | 1 M /s |" in text
    assert "older run" not in text
    assert "busy" not in text
    for private in (sys.executable, str(tmp_path)):
        assert private not in text


def test_only_chooses_among_both_and_writes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(capfd, tmp_path, "--only", PEERS[1].name)
    assert code == 0
    assert PEERS[1].name in output
    assert "the first" not in output
    code, output, _ = run(capfd, tmp_path, "--only", LINES[0].name, "--peers", "nowhere")
    assert code == 0
    assert "the first" in output
    assert PEERS[1].name not in output
    assert [path.name for path in tmp_path.iterdir()] == ["fake.py"]
    code, _, errors = run(capfd, tmp_path, "--only", PEERS[2].name)
    assert code == 2
    assert states(errors, "benchmark", repr(PEERS[2].name))


def test_a_python_that_cannot_be_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("not a program")
    for python in ("nowhere", "text", ""):
        code, output, errors = run(capfd, tmp_path, "--peers", tmp_path / python)
        assert (code, output) == (2, "")
        assert states(errors, "Python", "make bench")
    assert not (tmp_path / "page.md").exists()


def test_a_page_that_cannot_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes before any measurement."""
    monkeypatch.setattr(command, "measure", lambda _: pytest.fail("measured"))
    (tmp_path / "file").touch()
    for report in (tmp_path, tmp_path / "file" / "page.md"):
        code, output, errors = run(capfd, tmp_path, "--report", report)
        assert (code, output) == (2, "")
        assert f"cannot write {str(report)!r}" in errors


def test_a_picture_beside_the_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    report, picture = tmp_path / "page.md", tmp_path / "pictures" / "speed.svg"
    assert run(capfd, tmp_path, "--picture", picture)[0] == 0
    told = re.findall(r"!\[(.*?)\]\((.*?)\)", report.read_text())
    name = f"{PEERS[1].packages[0]}, {PEERS[1].game}"
    title = GROUPS[LINES[0].name]
    assert told == [(f"{title}: mascarade-env 5 M, {name} 2 M", "pictures/speed.svg")]
    drawn = picture.read_text()
    for words_drawn in (title, name, "mascarade-env", "5 M", "2 M", "log scale"):
        assert words_drawn in drawn
    run(capfd, tmp_path, "--picture", picture)
    assert picture.read_text() == drawn


@pytest.mark.parametrize(
    ("picture", "why"),
    [("speed.txt", "ends in .svg or .png"), ("file/speed.svg", "file/speed.svg")],
)
def test_a_picture_that_cannot_be_drawn(
    picture: str, why: str, tmp_path: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(command, "measure", lambda _: pytest.fail("measured"))
    (tmp_path / "file").touch()
    code, _, errors = run(capfd, tmp_path, "--picture", tmp_path / picture)
    assert code == 2
    assert why in errors
    assert not (tmp_path / "page.md").exists()


def test_the_page_is_kept_if_there_is_nothing_to_draw(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "PEERS", PEERS[:1])
    code, _, errors = run(capfd, tmp_path)
    assert (code, states(errors, "nothing", "draw")) == (2, True)
    text = (tmp_path / "page.md").read_text()
    assert "| the first | 5 M /s |" in text
    assert "](speed.svg)" not in text
    assert not (tmp_path / "speed.svg").exists()


def test_a_busy_machine_is_reported(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "load_per_core", lambda: 3.0)
    code, _, errors = run(capfd, tmp_path)
    assert code == 0
    (line,) = errors.splitlines()
    assert states(line, "busy", "load 3.0 per core")
    assert (tmp_path / "page.md").read_text().count(line) == 1
