"""Runs `peers.py` in the peers' environment, one process for each, so that none costs the rest."""

import json
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.bench.peers import Peer

SCRIPT = Path(__file__).with_name("peers.py")
LIMIT = 300.0

_PATH = re.compile(r"(?<![\w/])(?:~|[A-Za-z]:)?(?:[/\\][\w.+@~-]+)+[/\\]([\w.+-]+)")


@dataclass(frozen=True, slots=True)
class PeerResult:
    """What became of one peer: rates, or the reason why there are none.

    Attributes:
        peer: what was measured.
        version: of its packages, if they are installed.
        rate: decisions per second of CPU time.
        wall_rate: decisions per second of wall time.
        error: why there are no rates, in a few words.
    """

    peer: Peer
    version: str | None = None
    rate: float | None = None
    wall_rate: float | None = None
    error: str | None = None


def run_peer(
    python: Path, peer: Peer, *, script: Path = SCRIPT, limit: float = LIMIT
) -> PeerResult:
    """Measure one peer; whatever goes wrong is told in the result.

    Args:
        python: The interpreter of the peers' environment.
        peer: What to measure.
        script: What is run, with the peer's name as its only argument.
        limit: Seconds after which it is stopped.
    """
    try:
        done = subprocess.run(
            [python, "-I", script, peer.name],  # -I: neither our folder nor PYTHONPATH
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return PeerResult(peer, error=f"stopped after {limit:g} s")
    except OSError as error:
        return PeerResult(peer, error=f"cannot be run: {error.strerror}")
    return parse_result(peer, done.stdout) or PeerResult(peer, error=_last_words(done))


def parse_result(peer: Peer, output: str) -> PeerResult | None:
    """The result in what the script printed; other lines may stand around it."""
    for line in reversed(output.splitlines()):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("name") == peer.name:
            return _result(peer, found)
    return None


def _result(peer: Peer, found: dict[str, Any]) -> PeerResult | None:
    known, error = found.get("version"), found.get("error")
    rates = [found.get("rate"), found.get("wall_rate")]
    if known is not None and not isinstance(known, str):
        return None
    if isinstance(error, str):
        return PeerResult(peer, known, error=in_few_words(error))
    if all(isinstance(rate, float) and 0 < rate < float("inf") for rate in rates):
        return PeerResult(peer, known, *rates)
    return None


def _last_words(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode < 0:
        return f"ended by signal {-done.returncode} ({signal.strsignal(-done.returncode)})"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return in_few_words(lines[-1]) if lines else f"no result (exit code {done.returncode})"


def in_few_words(text: str) -> str:
    """The first line, cut short; of paths only the last part, since they tell about a machine."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "unknown error")
    short = _PATH.sub(r"\1", first)
    return short if len(short) <= 120 else f"{short[:117]}..."
