"""`mascarade bench`."""

import json

import pytest

from mascarade_env._benchmarks import Benchmark, busy, measuring
from mascarade_env._benchmarks.measuring import short
from mascarade_env.cli import _bench as command
from mascarade_env.cli import main
from tests.messages import states


def missing() -> float:
    raise ImportError("it needs the extra train")


LINES = [
    Benchmark("one", "the first", "/s", lambda: 5.0, at_least=4.0),
    Benchmark("two", "the second", "", lambda: 0.2, at_most=0.1),
    Benchmark("three", "of an extra", "/s", missing),
]


@pytest.fixture(autouse=True)
def _few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the benchmarks by cheap ones, and the machine by a free one."""
    monkeypatch.setattr(command, "all_lines", lambda: LINES)
    monkeypatch.setattr(measuring, "load_per_core", lambda: 0.25)
    monkeypatch.setattr(measuring, "share_of_core", lambda: 1.0)


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Return the exit code, output and errors of `mascarade bench` with some words."""
    code = main(["bench", *map(str, words)])
    output, errors = capfd.readouterr()
    return code, output, errors


def test_a_table_of_figures_and_verdicts(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    code, output, errors = run(capfd)
    assert (code, errors) == (0, "")
    rows = [line.split() for line in output.splitlines() if line.strip()]
    assert ["one", "the", "first", "5", "/s", ">=", "4", "reached"] in rows
    assert ["two", "the", "second", "0.2", "<=", "0.1", "MISSED"] in rows
    assert "none: it needs the extra train" in output
    assert states(output, "python", "numba")


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "--json")
    assert code == 0
    figures = json.loads(output)
    assert "numpy" in figures
    assert figures["busy"] is None
    assert [line["reached"] for line in figures["results"]] == [True, False, None]
    assert figures["results"][0] == {
        "name": "one", "about": "the first", "figure": 5.0, "unit": "/s", "at_least": 4.0,
        "at_most": None, "reached": True, "missing": None,
    }  # fmt: skip
    assert states(figures["results"][2]["missing"], "extra train")


def test_only_chooses_lines_by_name(capfd: pytest.CaptureFixture[str]) -> None:
    figures = json.loads(run(capfd, "--json", "--only", "two")[1])
    assert [line["name"] for line in figures["results"]] == ["two"]
    code, output, errors = run(capfd, "--only", "tow")
    assert (code, output) == (2, "")
    assert states(errors, "benchmark", "'tow'", "two")


@pytest.mark.parametrize(("load", "share"), [(0.25, 0.5), (3.0, 1.0)])
def test_a_busy_machine_is_reported(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, load: float, share: float
) -> None:
    monkeypatch.setattr(measuring, "load_per_core", lambda: load)
    monkeypatch.setattr(measuring, "share_of_core", lambda: share)
    code, output, errors = run(capfd, "--json")
    assert code == 0
    (line,) = errors.splitlines()
    assert states(line, "busy", f"load {load:.1f} per core", f"got {share:.0%} of a core")
    assert json.loads(output)["busy"] == line


def test_the_share_of_a_core_is_measured() -> None:
    assert 0.0 < busy.share_of_core() <= 1.01
    assert busy.load_per_core() >= 0.0


def test_short_figures() -> None:
    assert [short(figure) for figure in (0, 0.12345, 12.345, 999, 1000, 123_456, 3.2e6)] == [
        "0", "0.123", "12.3", "999", "1 k", "123 k", "3.2 M",
    ]  # fmt: skip
