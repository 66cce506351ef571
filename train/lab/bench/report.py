"""The text of BENCHMARKS.md, generated from the measurements."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from lab.bench.peer_runs import PeerResult
from lab.bench.peers import ROUNDS
from mascarade_env._benchmarks.measuring import Measured, short

_HOW_OURS = (
    "Each benchmark uses one process and one thread, unless it says otherwise. Each figure is "
    "the best of several rounds. Rates are per second of CPU time; times are wall time. A "
    "target is the figure that we want to reach on one core of an ordinary machine. Random players "
    "choose among the legal actions with equal probabilities."
)

_HOW_PEERS = (
    "The table shows the same kinds of loops in packages with other games, measured after our "
    "benchmarks in the same run. Each package runs in a separate process, on one core where the "
    "system supports that; JAX also runs on this core. The packages are installed in a separate "
    "environment, with the versions in "
    "[requirements-peers.txt](train/lab/bench/requirements-peers.txt). A rate is the best of "
    f"{ROUNDS} rounds after three calls to warm up. Compare decisions per second of CPU time with "
    "our benchmarks. If the rate by wall time is much lower, other programs used the core at the "
    "same time. If a package could not be installed or run, the table shows the reason instead of "
    "rates."
)

_PICKS = (
    "Python code chooses a random action with `legal[int(random() * len(legal))]`, where `legal` "
    "is the list of legal actions. In AEC loops this list is made from the action mask. All AEC "
    "benchmarks, including ours, run the same function. Each agent's last step, without an "
    "action, takes time but is not counted. (Our `game-6A` uses `random.choice`, which takes "
    "slightly longer.) In JAX, the compiled code chooses a legal action with one uniform random "
    "number for each game. Chance nodes of OpenSpiel are sampled and not counted as decisions."
)

_CAVEATS = (
    "These figures do not show that one package is better than another, because the games "
    "differ. A random game of Leduc poker ends after about 4 decisions and a random game of "
    "Hanabi after about 13, so the deal takes a larger share of the time than in Mascarade. Rules, "
    "observations and numbers of players differ too, and JAX is made for accelerators, which "
    "are not measured here. Compare only the time of one decision through the same kind of "
    "interface: the last column of the table names our most similar benchmark."
)


def page(
    measured: Measured,
    peers: Sequence[PeerResult],
    *,
    picture: tuple[str, str] | None = None,
    when: datetime | None = None,
) -> str:
    """Return the whole page.

    Args:
        measured: Our figures, and the machine.
        peers: The results of the peers.
        picture: The picture of the peers: its path relative to the page, and its description.
        when: The time of the measurement; now by default.
    """
    machine, figures, busy = measured
    day = (when or datetime.now(UTC)).date().isoformat()
    parts = [
        "# Benchmarks",
        "`make bench` generates this page and prints the commands that it runs. Run it to see the "
        "figures of your machine. If other programs run on the machine, the figures are worse. "
        "The times change most, and the rates of large batches may fall to half.",
        "\n".join(f"- {key}: {value}" for key, value in {"date": day, **machine}.items()),
        *(() if busy is None else (f"**{busy}**",)),
        "## mascarade-env",
        _HOW_OURS,
        _table(
            ("benchmark", "what it measures", "figure", "target", ""),
            ((f.line.name, f.line.about, f.text, f.target, f.verdict) for f in figures),
        ),
        "## Comparison with other packages",
        *(() if picture is None else (f"![{picture[1]}]({picture[0]})",)),
        *_peer_parts(peers),
    ]
    return "\n\n".join(parts) + "\n"


def peer_cells(result: PeerResult) -> tuple[str, str]:
    """Return the rates by CPU time and by wall time.

    Without rates, return the reason and an empty text.
    """
    if result.rate is None or result.wall_rate is None:
        return f"none: {result.error}", ""
    return f"{short(result.rate)} /s", f"{short(result.wall_rate)} /s"


def _peer_parts(peers: Sequence[PeerResult]) -> tuple[str, ...]:
    heads = ("package", "version", "game", "how", "by CPU time", "by wall time", "compare with our")
    rows = (
        (
            f"[{result.peer.packages[0]}]({result.peer.url})",
            result.version or "",
            result.peer.game,
            result.peer.how,
            *peer_cells(result),
            result.peer.beside,
        )
        for result in peers
    )
    return _HOW_PEERS, _table(heads, rows), _PICKS, _CAVEATS


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    """Return a text in which no character ends the cell or the row."""
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
