"""`mascarade arena`, run as a user runs it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mascarade_agents._cli.arena import _split
from mascarade_agents.arena import Tables
from mascarade_env import read_games
from mascarade_env.cli import main
from tests.mascarade_agents.arena.saboteurs import DUEL, TRIO
from tests.messages import states
from tests.tiers import slow_from
from tests.waiting import LONG

ROOT = Path(__file__).parents[3]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package with agents, like one of another project; return its folder."""
    folder = tmp_path / "site"
    about = folder / "saboteurs-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: saboteurs\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[mascarade.commands]\narena = mascarade_agents._cli.arena:arena\n[mascarade.agents]\n"
        + "".join(
            f"{name.lower()} = tests.mascarade_agents.arena.saboteurs:{name}\n"
            for name in ("Chancy", "Raises", "Slow", "Kingly", "Meek")
        )
    )
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    return scenario_file(tmp_path, "duel")


def scenario_file(folder: Path, name: str) -> Path:
    file = folder / f"{name}.json"
    file.write_text(json.dumps({"duel": DUEL, "trio": TRIO}[name].to_dict()))
    return file


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["arena", *map(str, words)])
    output, errors = capfd.readouterr()
    return code, output, errors


def test_files_and_tables(
    installed: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"found.{name}" for name in ("json", "html", "jsonl.gz")}
    code, output, errors = run(
        capfd, "--agents", "meek,kingly", "raises", "--scenario", scenario_file(tmp_path, "trio"),
        "--games", 40, "--workers", 0, "--json", files["json"], "--html", files["html"],
        "--records", files["jsonl.gz"], "--measured", 7,
    )  # fmt: skip
    assert (code, spoken(errors)) == (0, [])
    assert all(len(line) <= 80 for line in output.splitlines())
    words = " ".join(output.split())
    # Of 40 games half are at mixed tables and half for 6 pairs, in whole rotations of 3 seats.
    played = ("21 games", "mixed", "36 games", "6 pairs", "6 games each", "57 in all")
    assert states(words.partition(". ")[0], *played, "--games 40", "seed 0")
    assert states(errors, *played)
    found = json.loads(files["json"].read_text())
    assert found["agents"] == ["meek", "kingly", "raises"]
    (forfeits,) = found["meta"]["forfeits"]
    assert forfeits["agent"] == "raises"
    assert forfeits["count"] == found["forfeits"][2] > 0
    assert "RuntimeError: no idea at all" in forfeits["reason"]
    assert states(words, "raises", f"{forfeits['count']} games", "raised")
    assert set(found["behaviour"]["agents"]) == {"meek", "kingly", "raises"}
    page = files["html"].read_text()
    assert "kingly" in page
    assert "RuntimeError" in page
    games = list(read_games(files["jsonl.gz"]))
    assert len(games) == 7
    assert {name for game in games for name in game.names or ()} == set(found["agents"])


@pytest.mark.parametrize(
    ("tables", "agents", "players", "split"),
    [
        ("both", 3, 4, (500, 84)),  # 6 pairs
        ("one", 3, 4, (167, None)),
        ("mixed", 3, 4, (1000, None)),
        ("both", 3, 2, (1000, None)),
        ("both", 1, 4, (500, 500)),  # refused later
    ],
)
def test_games_are_split_among_kinds(
    tables: Tables, agents: int, players: int, split: tuple[int, int | None]
) -> None:
    assert _split(1000, tables, agents, players) == split


def test_a_simple_command_is_enough(
    installed: Path, duel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("--agents", "chancy,meek", "--scenario", duel, "--games", 20)
    code, output, errors = run(capfd, *words)
    assert (code, spoken(errors)) == (0, [])
    assert states(output.splitlines()[0], "20 games", "mixed", "seed 0")
    assert states(errors, "20 games", "mixed")
    assert re.search(r"by \d+ workers?\.", errors)
    assert "in all" not in errors
    assert run(capfd, *words, "--workers", 0)[:2] == (0, output)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--agents chancy", ["two agents", 1]),
        ("--agents chancy,chancy", ["'chancy'", "twice"]),
        ("--agents chancy,rndom", ["agent", "'rndom'", "'random'"]),
        ("--agents chancy,meek --scenario 4Z", ["scenario", "'4Z'", "4A"]),
        ("--agents chancy,meek --games 0", ["--games", 1, 0]),
        ("--agents chancy,meek --resume", ["--output"]),
        ("--agents chancy,meek --records x.jsonl --measured 0", ["--records", "--measured", 0]),
        (
            "--agents chancy,meek --json x --html ./x",
            ["--html", "overwrite", "'x'", "--json"],
        ),
        (
            "--agents chancy,meek --output y --records y",
            ["--records", "overwrite", "'y'", "--output"],
        ),
        (
            "--agents chancy,mine.py:A --html mine.py",
            ["--html", "overwrite", "'mine.py'", "read"],
        ),
        ("--agents chancy,net:a.npz --json a.npz", ["--json", "overwrite", "'a.npz'", "read"]),
        (
            "--agents chancy,meek --scenario s.json --output s.json",
            ["--output", "overwrite", "'s.json'", "read"],
        ),
        ("--agents chancy,meek --html mine.py/x.html", ["write", "'mine.py/x.html'"]),
    ],
)
def test_what_is_refused(
    installed: Path, words: str, error: list[object], capfd: pytest.CaptureFixture[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "a.npz", "s.json"):
        Path(name).write_text("precious")
    before = sorted(Path().iterdir())
    code, output, errors = run(capfd, *words.split())
    assert (code, output) == (2, "")
    assert states(errors, *error)
    assert errors.startswith("mascarade: ")
    assert errors.count("\n") == 1
    assert sorted(Path().iterdir()) == before
    assert all(Path(name).read_text() == "precious" for name in ("mine.py", "a.npz", "s.json"))


PROGRAM = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"


def begun(installed: Path, words: list[str], file: Path) -> subprocess.Popen[str]:
    """Start a slow arena in another process, and return when some chunks are finished."""
    places = [str(installed), str(ROOT), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, places)),
            "MASCARADE_TEST_SECONDS": "0.01",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell ignores interrupts in background jobs, and their children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  no threads
    )
    until = time.monotonic() + LONG
    while not (file.exists() and file.read_bytes().count(b"\n") > 2):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)
    return process


def spoken(errors: str) -> list[str]:
    """Return the lines on stderr without announcements, compilation and progress."""
    added = re.compile(r"mascarade_env: compil|\d+ of \d+ games")
    announced = re.compile(r"mascarade: (playing|about) [^.]*\.( The time[^.]*\.)?\n")
    lines = announced.sub("", errors).splitlines(keepends=True)
    return [line for line in lines if not added.match(line)]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
@pytest.mark.parametrize("how", slow_from(1, ["killed", "interrupted"]))
def test_what_is_finished_is_kept(
    how: str, installed: Path, duel: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.jsonl"
    words = ["--agents", "slow,chancy", "--scenario", str(duel), "--games", "160"]
    kept = [*words, "--output", str(file)]
    process = begun(installed, ["arena", *kept], file)
    if how == "interrupted":
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        process.kill()
    output, errors = process.communicate(timeout=LONG)  # only if all workers have ended
    assert not output
    if how == "interrupted":
        assert process.returncode == 130
        *progress, finished, interrupted = spoken(errors)
        assert all(states(line, "games", "decisions/s") for line in progress)
        assert states(finished, "mascarade", file, "--resume")
        assert states(interrupted, "mascarade", "interrupted")
    lines = file.read_bytes().count(b"\n")
    assert 2 < lines < 21
    code, refused, errors = run(capfd, *kept)
    assert (code, refused) == (2, "")
    assert states(errors, "mascarade", file, "exists", "resume", "another file")
    assert errors.count("\n") == 1
    code, output, _ = run(capfd, *kept, "--resume", "--workers", 0)
    assert (code, output) == run(capfd, *words, "--workers", 0)[:2]
