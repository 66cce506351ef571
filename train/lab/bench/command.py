"""`python -m lab bench`: compare our speed with that of other packages in BENCHMARKS.md."""

import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from lab.bench.peer_runs import PeerResult, run_peer
from lab.bench.peers import PEERS, Peer
from lab.bench.picture import draw, in_words
from lab.bench.report import page, peer_cells
from lab.bench.sb3_share import BENCHMARKS
from lab.paths import ROOT
from mascarade_env._benchmarks.measuring import all_lines, measure
from mascarade_env._errors import MascaradeError
from mascarade_env.cli._bench import (
    check_names,
    new_table,
    print_busy,
    print_figures,
    print_machine,
)
from mascarade_env.cli._consoles import show
from mascarade_env.cli._outputs import writing
from mascarade_env.exact._files import making
from mascarade_env.exact._plot import checked_picture

PYTHON = ROOT / ".venv-peers/bin/python"
PAGE = ROOT / "BENCHMARKS.md"
PICTURE = Path(__file__).with_name("speed.svg")


def bench(
    only: tuple[str, ...] = (),
    peers: Path = PYTHON,
    report: Path = PAGE,
    picture: Path = PICTURE,
) -> None:
    """Compare the speed of this package with others, and write BENCHMARKS.md and its picture.

    `make bench` installs the other packages in a separate environment, and runs this command.

    Example: python -m lab bench --only game-6A openspiel-leduc

    Args:
        only: Names of benchmarks to run. If any are named, no file is written.
        peers: The Python interpreter of the environment with the other packages.
        report: The Markdown page to write.
        picture: The picture to write (.svg or .png).
    """
    lines = {line.name: line for line in (*all_lines(), *BENCHMARKS)}
    others = {peer.name: peer for peer in PEERS}
    check_names(only, [*lines, *others])
    chosen = only or (*lines, *others)
    chosen_peers = [peer for name, peer in others.items() if name in chosen]
    if chosen_peers:
        _check_runs(peers)
    checked_picture(picture)
    with writing({} if only else {"--report": report, "--picture": picture}):
        measured = measure([line for name, line in lines.items() if name in chosen])
        results = _run(chosen_peers, peers)
        if measured.figures:
            print_figures(measured.figures)
        if results:
            _print_peers(results)
        print_machine(measured)
        print_busy(measured)
        if only:
            return
        shown = None
        if words := in_words(measured.figures, results):
            shown = Path(os.path.relpath(picture, report.parent)).as_posix(), words
        # Write the page before the picture, so that the page is kept if drawing fails.
        with making(report) as beside:
            beside.write_text(page(measured, results, picture=shown), encoding="utf-8")
        draw(measured.figures, results, picture)


def _check_runs(python: Path) -> None:
    if not python.is_file() or not os.access(python, os.X_OK):
        raise MascaradeError(
            f"{str(python)!r} is not a Python interpreter that can be run: run `make bench`, which "
            "installs the other packages and makes .venv-peers/bin/python"
        )


def _run(peers: Sequence[Peer], python: Path) -> list[PeerResult]:
    results = []
    with Console(stderr=True).status("", spinner="line") as status:
        for peer in peers:
            status.update(f"{peer.name}: {peer.how}")
            results.append(run_peer(python, peer))
    return results


def _print_peers(results: Sequence[PeerResult]) -> None:
    table = new_table("name", "how", "by CPU time", "by wall time")
    for result in results:
        cells = (result.peer.name, result.peer.how, *peer_cells(result))
        table.add_row(*map(escape, cells))
    show(table)
