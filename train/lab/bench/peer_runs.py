"""Run each benchmark of another package (a peer) in a separate process.

The process runs `peers.py` with the Python in which the other packages are installed. So an error
in one peer does not stop the others.
"""

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
    """The result of one peer: its rates, or the reason why it has no rates.

    Attributes:
        peer: the peer.
        version: versions of its packages; None if they are not installed.
        rate: decisions per second of CPU time; None after an error.
        wall_rate: decisions per second of wall time; None after an error.
        error: the reason why there are no rates, in one short line; None if there are rates.
    """

    peer: Peer
    version: str | None = None
    rate: float | None = None
    wall_rate: float | None = None
    error: str | None = None


def run_peer(
    python: Path, peer: Peer, *, script: Path = SCRIPT, limit: float = LIMIT
) -> PeerResult:
    """Measure one peer. If it fails, the result contains the error.

    Args:
        python: The interpreter of the peers' environment.
        peer: The peer to measure.
        script: The program to run. Its only argument is the name of the peer.
        limit: Time limit in seconds; then the process is stopped.
    """
    try:
        done = subprocess.run(
            [python, "-I", script, peer.name],  # -I: Python ignores our folder and PYTHONPATH
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
    """Find the line of the output with the result, and return the result; None if it is missing."""
    for line in reversed(output.splitlines()):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and record.get("name") == peer.name:
            return _result(peer, record)
    return None


def _result(peer: Peer, record: dict[str, Any]) -> PeerResult | None:
    version, error = record.get("version"), record.get("error")
    rates = [record.get("rate"), record.get("wall_rate")]
    if version is not None and not isinstance(version, str):
        return None
    if isinstance(error, str):
        return PeerResult(peer, version, error=in_few_words(error))
    if all(isinstance(rate, float) and 0 < rate < float("inf") for rate in rates):
        return PeerResult(peer, version, *rates)
    return None


def _last_words(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode < 0:
        return f"ended by signal {-done.returncode} ({signal.strsignal(-done.returncode)})"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return in_few_words(lines[-1]) if lines else f"no result (exit code {done.returncode})"


def in_few_words(text: str) -> str:
    """Return the first line of a text, shortened; of paths, only the file names are kept."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "unknown error")
    short = _PATH.sub(r"\1", first)
    return short if len(short) <= 120 else f"{short[:117]}..."
