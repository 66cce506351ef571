"""`mascarade solve`: an approximate equilibrium of a small scenario, as a policy that can play."""

import contextlib
import json as json_format
import re
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mascarade_env import __version__
from mascarade_env.cli.trees import built_or_read, check_writable
from mascarade_env.core.errors import MascaradeError, UnknownNameError, did_you_mean, whole
from mascarade_env.exact import RULES, GameTree, SavedPolicy
from mascarade_env.exact.approach import Approach, Point, approach
from mascarade_env.exact.plot import checked_picture
from mascarade_env.exact.plot import plot as draw

_FOLDER = Path("runs/exact")


def solve(
    scenario: str | None = None,
    tree: Path | None = None,
    algorithm: str = "cfr+",
    iterations: int = 10_000,
    target: float = 0.001,
    out: Path | None = None,
    plot: Path | None = None,
    json: bool = False,
) -> None:
    """Come near an equilibrium of a small scenario, and save the policy.

    Example: mascarade solve --scenario tiny-2 --target 0.01

    NashConv is what all players together could gain, in win shares, if each alone left the policy:
    0 for an equilibrium. Ctrl-C ends it after this iteration, and what has been found is saved.

    Args:
        scenario: A name such as small-2, which is the default, or a .json file with a scenario. It
            must have a turn_limit and a fixed_deal.
        tree: A file that `mascarade tree --out` has saved, instead of building the tree.
        algorithm: cfr, cfr+ or dcfr.
        iterations: How many at most.
        target: The NashConv that is near enough to stop.
        out: The file for the policy (.npz). By default it is runs/exact/SCENARIO-ALGORITHM.npz. The
            figures come into a file of the same name that ends in .json.
        plot: The file for the plot of NashConv (.svg or .png), by default beside the policy.
        json: Print JSON.
    """
    _check(algorithm, iterations, target, out, plot)
    game = built_or_read(scenario, tree)
    policy = _default(game, algorithm) if out is None else out
    picture = policy.with_suffix(".svg") if plot is None else plot
    figures = policy.with_suffix(".json")
    for path in (policy, picture, figures):
        check_writable(path)
    with _interrupts_held() as interrupted:
        with _watching(game, algorithm, iterations) as watch:
            found = approach(
                game.tree,
                algorithm,
                iterations=iterations,
                target=target,
                watch=watch,
                stop=interrupted,
            )
        told = _told(game, found, policy)
        SavedPolicy.of(
            game,
            found.policy,
            algorithm=algorithm,
            iterations=found.iterations,
            nash_conv=found.gains.nash_conv,
            version=__version__,
        ).save(policy)
        _write(figures, told)
        missing = _drawn(game, found, picture)
        told["plot"] = None if missing else str(picture)
        if json:
            print(json_format.dumps(told))
        else:
            _print(game, found, told, target, scenario or game.scenario.name)
        if missing:
            Console(stderr=True).print(missing, markup=False, highlight=False, soft_wrap=True)
        if interrupted():
            raise KeyboardInterrupt


def _check(
    algorithm: str, iterations: int, target: float, out: Path | None, plot: Path | None
) -> None:
    """Refuse what cannot be, before a tree is built."""
    if algorithm not in RULES:
        raise UnknownNameError(f"unknown algorithm {algorithm!r}{did_you_mean(algorithm, RULES)}")
    whole(iterations, "--iterations", at_least=1)
    if not 0 <= target < float("inf"):
        raise MascaradeError(f"--target is a NashConv of 0 or more, not {target}")
    if out is not None and out.suffix != ".npz":
        raise MascaradeError(f"--out is a file whose name ends in .npz, not {str(out)!r}")
    if plot is not None:
        checked_picture(plot)


def _default(game: GameTree, algorithm: str) -> Path:
    # A scenario of somebody's own may have any name.
    name = re.sub(r"[^\w.-]", "_", game.scenario.name)
    return _FOLDER / f"{name}-{algorithm}.npz"


@contextlib.contextmanager
def _interrupts_held() -> Iterator[Callable[[], bool]]:
    """What tells whether an interrupt has come; a second one is not held back."""
    came = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield came.is_set
        return
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield came.is_set
        return

    def hold(number: int, frame: object) -> None:
        came.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, hold)
    try:
        yield came.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _watching(
    game: GameTree, algorithm: str, iterations: int
) -> Iterator[Callable[[int, Point | None], None]]:
    """What shows how far it has come, on standard error."""
    console = Console(stderr=True)
    columns = (
        BarColumn(bar_width=16),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with bar:
        task = bar.add_task(f"{game.scenario.name}, {algorithm}", total=iterations)

        def show(made: int, last: Point | None) -> None:
            words = f"{made:,} of {iterations:,} iterations"
            if last is not None:
                words += f", NashConv {last.nash_conv:.5f}"
            bar.update(task, completed=made, description=words)

        yield show


def _told(game: GameTree, found: Approach, policy: Path) -> dict[str, Any]:
    last = found.points[-1]
    return {
        "scenario": game.scenario.name,
        "algorithm": found.algorithm,
        "iterations": last.iterations,
        "seconds": last.seconds,
        "nash_conv": last.nash_conv,
        "values": found.gains.values.tolist(),
        "best_responses": found.gains.best.tolist(),
        "output": str(policy),
        "version": __version__,
        "points": [point._asdict() for point in found.points],
    }


def _write(path: Path, told: dict[str, Any]) -> None:
    try:
        path.write_text(json_format.dumps(told, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise MascaradeError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _drawn(game: GameTree, found: Approach, path: Path) -> str | None:
    """Draw the plot; returns what to do if that is not possible."""
    title = f"NashConv of {game.scenario.name} by {found.algorithm}"
    try:
        draw({found.algorithm: found.points}, path, title)
    except ImportError:
        return "no plot was drawn, for want of matplotlib: pip install 'mascarade-env[plot]'"
    return None


def _print(
    game: GameTree, found: Approach, told: dict[str, Any], target: float, scenario: str
) -> None:
    last, gains = found.points[-1], found.gains
    console = Console()
    players = range(game.tree.players)
    table = Table(box=box.SIMPLE, pad_edge=False)
    for head in ("iterations", "seconds", "NashConv", *(f"player {p}" for p in players)):
        table.add_column(head, justify="right")
    values = (f"{value:.4f}" for value in gains.values)
    table.add_row(f"{last.iterations:,}", f"{last.seconds:.1f}", f"{last.nash_conv:.5f}", *values)
    console.print(table)
    lines = [
        "Players get the win shares under their names if all follow the policy; NashConv is what "
        "they could gain by leaving it, each alone, added up."
    ]
    if last.nash_conv > target:
        lines.append(f"That is not yet the target of {target:g}.")
    if game.tree.players > 2:
        lines.append(
            f"With {game.tree.players} players no algorithm here promises to come to an "
            "equilibrium: NashConv is measured, not promised."
        )
    policy, named = shlex.quote(told["output"]), shlex.quote(scenario)
    lines += [
        "",
        f"The policy is in {told['output']}"
        + (f", its plot in {told['plot']}" if told["plot"] else "")
        + ". It is an agent:",
        f"  mascarade nashconv --agent tabular:{policy} --scenario {named}",
        f"  mascarade play --opponents tabular:{policy} --scenario {named}",
        f"  mascarade arena --agents tabular:{policy},random --scenario {named}",
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
