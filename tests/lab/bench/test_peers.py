"""The peers and how they are run; none of them need be installed."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lab.bench import peer_runs, peers
from lab.bench.peer_runs import PeerResult, in_few_words, parse_result, run_peer
from lab.bench.peers import PEERS
from mascarade_env._benchmarks import aec_loop
from mascarade_env._benchmarks.core import BENCHMARKS as CORE
from mascarade_env._benchmarks.envs import BENCHMARKS as ENVS
from mascarade_env._benchmarks.knowledge import BENCHMARKS as KNOWLEDGE
from mascarade_env.envs._aec import raw_env
from tests.messages import states

PEER = PEERS[0]
PYTHON = Path(sys.executable)


def run_fake(tmp_path: Path, program: str, limit: float = 30) -> PeerResult:
    """Return the result of a peer whose script is a given program."""
    script = tmp_path / "fake.py"
    script.write_text(program)
    return run_peer(PYTHON, PEER, script=script, limit=limit)


def test_names_are_used_once_and_neighbours_are_lines_of_ours() -> None:
    ours = {line.name for line in (*CORE, *KNOWLEDGE, *ENVS)}
    names = [peer.name for peer in PEERS]
    assert len(set(names)) == len(names)
    assert not ours & set(names)
    for peer in PEERS:
        assert peer.beside in ours
        assert peer.url.startswith("https://")


def test_every_package_is_pinned() -> None:
    text = peer_runs.SCRIPT.with_name("requirements-peers.txt").read_text()
    pinned = re.findall(r"^([\w-]+)==[\d.]+$", text, re.MULTILINE)
    assert {package for peer in PEERS for package in peer.packages} <= set(pinned)


def test_the_script_needs_nothing_but_python(tmp_path: Path) -> None:
    """Python runs with -S, without site-packages, as if no package were installed."""
    for peer in PEERS:
        done = subprocess.run(
            [PYTHON, "-I", "-S", peer_runs.SCRIPT, peer.name],
            capture_output=True,
            text=True,
            check=True,
        )
        result = parse_result(peer, done.stdout)
        assert result is not None
        assert result == PeerResult(peer, error=result.error)
        assert states(str(result.error), "installed", peer.packages[0])


def test_the_script_measures(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def prepare() -> peers.Work:
        print("a greeting")
        return lambda: 5

    fake = replace(PEER, packages=("numpy", "numba"), prepare=prepare)
    monkeypatch.setattr(peers, "PEERS", (fake,))
    monkeypatch.setattr(peers, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(peers, "_stay_on_one_core", lambda: None)
    monkeypatch.setenv("JAX_PLATFORMS", "")
    peers.main(fake.name)
    output, errors = capfd.readouterr()
    result = parse_result(fake, output)
    assert result is not None
    assert result.error is None
    assert result.rate is not None
    assert result.rate > 5 / 0.1
    assert re.fullmatch(r"[\d.]+ \(numba [\d.]+\)", result.version or "")
    assert len(output.splitlines()) == 1
    assert "a greeting" in errors


def test_rates_are_those_of_the_best_round_once_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test replaces the clocks by ones that only the work moves."""
    now = {"cpu": 0.0, "wall": 0.0}
    called = 0

    def work() -> int:
        nonlocal called
        called += 1
        # Three calls to warm up, then rounds of one call each, but for the fourth, which has two.
        seconds = {7: 0.25, 8: 0.25}.get(called, 0.125 if called <= 3 else 0.5)
        now["cpu"] += seconds
        now["wall"] += 2 * seconds
        return 30

    clock = SimpleNamespace(process_time=lambda: now["cpu"], perf_counter=lambda: now["wall"])
    monkeypatch.setattr(peers, "time", clock)
    monkeypatch.setattr(peers, "ROUNDS", 5)
    monkeypatch.setattr(peers, "ROUND_SECONDS", 0.5)
    assert peers.rates(work) == (120, 60)
    assert called == 9


def test_a_failing_peer_is_reported(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def prepare() -> peers.Work:
        raise RuntimeError("no such game")

    fake = replace(PEER, packages=("numpy",), prepare=prepare)
    monkeypatch.setattr(peers, "PEERS", (fake,))
    monkeypatch.setattr(peers, "_stay_on_one_core", lambda: None)
    monkeypatch.setenv("JAX_PLATFORMS", "")
    peers.main(fake.name)
    result = parse_result(fake, capfd.readouterr().out)
    assert result is not None
    assert result.error == "RuntimeError: no such game"
    assert result.version


def test_games_of_pettingzoo_are_played_by_our_own_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The script loads the loop as a file; one of our games replaces one of PettingZoo's."""
    module = SimpleNamespace(raw_env=lambda: raw_env("4A"))
    monkeypatch.setattr(peers, "import_module", {"pettingzoo.classic.any_v1": module}.get)
    work: Any = peers._pettingzoo("any_v1", "raw_env")
    assert Path(work.func.__code__.co_filename) == Path(str(aec_loop.__file__))
    assert work() >= 200


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import sys; sys.exit('a broken library')", "a broken library"),
        ("import os; os.abort()", r"ended by signal 6 \(Aborted.*\)"),
        ("raise ImportError('/home/me/site-packages/lib.so: bad')", "ImportError: lib.so: bad"),
        ("pass", r"no result \(exit code 0\)"),
        ('print(\'{"name": "another", "rate": 1.0}\')', r"no result \(exit code 0\)"),
    ],
)
def test_a_crash_costs_one_line(program: str, why: str, tmp_path: Path) -> None:
    result = run_fake(tmp_path, program)
    assert result.rate is None
    assert re.fullmatch(why, result.error or "")


def test_a_hang_is_stopped(tmp_path: Path) -> None:
    result = run_fake(tmp_path, "import time; time.sleep(600)", limit=0.5)
    assert result == PeerResult(PEER, error=result.error)
    assert states(str(result.error), "0.5 s")


def test_an_interpreter_that_cannot_be_started(tmp_path: Path) -> None:
    result = run_peer(tmp_path, PEER)
    assert result == PeerResult(PEER, error=result.error)
    assert states(str(result.error), "Permission denied")


def test_a_peer_runs_without_our_packages(tmp_path: Path) -> None:
    program = (
        "import json, sys\n"
        "assert len(sys.argv) == 2 and not any('fake' in path for path in sys.path)\n"
        "assert sys.path[0] != sys.argv[0].rpartition('/')[0]\n"
        "print(json.dumps({'name': sys.argv[1], 'version': '1', 'rate': 2.0, 'wall_rate': 1.5}))"
    )
    assert run_fake(tmp_path, program) == PeerResult(PEER, "1", 2.0, 1.5)


def test_results_are_found_among_other_lines() -> None:
    good = {"name": PEER.name, "version": "1.2", "rate": 10.0, "wall_rate": 9.0}
    noise = ["a greeting", "{", "[1]", "3", "null", '{"name": "another"}']
    output = "\n".join([*noise, json.dumps(good), *noise])
    assert parse_result(PEER, output) == PeerResult(PEER, "1.2", 10.0, 9.0)
    assert parse_result(PEER, "\n".join(noise)) is None
    assert parse_result(PEER, "") is None


@pytest.mark.parametrize(
    "wrong",
    [{"rate": None}, {"rate": "10"}, {"rate": 0.0}, {"rate": float("nan")}, {"wall_rate": -1.0},
     {"rate": float("inf")}, {"version": 3}],
)  # fmt: skip
def test_invalid_results_are_ignored(wrong: dict[str, object]) -> None:
    good = {"name": PEER.name, "version": "1.2", "rate": 10.0, "wall_rate": 9.0}
    assert parse_result(PEER, json.dumps(good)) is not None
    assert parse_result(PEER, json.dumps(good | wrong)) is None


def test_few_words() -> None:
    assert in_few_words("\n  first\nsecond") == "first"
    assert in_few_words("") == "unknown error"
    assert in_few_words("cannot open '/root/a b/lib.so' or ~/x/y.py") == (
        "cannot open 'a b/lib.so' or y.py"
    )
    assert in_few_words("rate 3/s, see https://example.org/a/b") == (
        "rate 3/s, see https://example.org/a/b"
    )
    assert len(in_few_words("x" * 500)) == 120
