"""BENCHMARKS.md, written whole from what was measured."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from lab.bench.peer_runs import PeerResult
from lab.bench.peers import ROUNDS
from mascarade_env._benchmarks.measuring import Measured, short

_HOW_OURS = (
    "One process and one thread, unless a line says otherwise. Each figure is the best of "
    "several rounds. Rates are per second of CPU time; times are wall time. The target is what the "
    "project wants on one core of an ordinary machine. Random players choose among the legal "
    "actions with equal chances."
)

_HOW_PEERS = (
    "The same kind of loop over packages that play other games, measured after ours in the same "
    "run. Each runs in a process of its own, kept to one core where the system can do that, in an "
    "environment of their own, so that nothing of theirs is installed beside ours; JAX runs on "
    f"that CPU core too. A rate is the best of {ROUNDS} rounds after three calls to warm up. "
    "Decisions per second of CPU time compare with our lines; where those of wall time are far "
    "below, other work kept the core busy meanwhile. A package that could not be installed or run "
    "has the reason in place of rates. The versions asked for stand in "
    "[requirements-peers.txt](train/lab/bench/requirements-peers.txt)."
)

_PICKS = (
    "How actions are picked: in Python as `legal[int(random() * len(legal))]`, where `legal` is "
    "the list of legal actions, made from the mask for the AEC loops. All AEC lines, "
    "ours too, run the same function; the last, empty step of each agent takes time but is not "
    "counted. (Our `game-6A` uses `random.choice`, which costs a little more.) In JAX one "
    "uniform number for each game picks the n-th legal action within the compiled code. "
    "OpenSpiel's chance nodes are sampled by their probabilities and not counted as decisions."
)

_CAVEATS = (
    "What these figures do not say: that one package is better than another. The games differ. "
    "A random game of Leduc poker ends after about 4 decisions and one of Hanabi after about 13, "
    "so that dealing weighs more than in a game of Mascarade; rules, observations and numbers of "
    "players differ too; and JAX is made for accelerators, which are not measured here. What "
    "compares is the overhead of a decision through an interface of the same kind: the last "
    "column names our line that comes nearest."
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
        picture: Of the peers: its file as seen from the page, and what it shows.
        when: It was measured; now by default.
    """
    machine, figures, busy = measured
    day = (when or datetime.now(UTC)).date().isoformat()
    parts = [
        "# Benchmarks",
        "Written whole by `make bench`, which prints the commands it runs; run it again to see the "
        "figures of your machine. One that does other work at the same time shows worse ones: "
        "times most, and rates of large batches down to half.",
        "\n".join(f"- {key}: {value}" for key, value in {"date": day, **machine}.items()),
        *(() if busy is None else (f"**{busy}**",)),
        "## mascarade-env",
        _HOW_OURS,
        _table(
            ("line", "what is measured", "figure", "target", ""),
            ((f.line.name, f.line.about, f.text, f.target, f.verdict) for f in figures),
        ),
        "## Beside other packages",
        *(() if picture is None else (f"![{picture[1]}]({picture[0]})",)),
        *_peer_parts(peers),
    ]
    return "\n\n".join(parts) + "\n"


def peer_cells(result: PeerResult) -> tuple[str, str]:
    """Rates by CPU time and by wall time; or the reason why there are none, and nothing."""
    if result.rate is None or result.wall_rate is None:
        return f"none: {result.error}", ""
    return f"{short(result.rate)} /s", f"{short(result.wall_rate)} /s"


def _peer_parts(peers: Sequence[PeerResult]) -> tuple[str, ...]:
    heads = ("package", "version", "game", "how", "by CPU time", "by wall time", "beside our")
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
    """Text that cannot end its cell or its row."""
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())
