"""`mascarade solve`: an approximate equilibrium of a small scenario, as a policy that can play."""

import contextlib
import json as json_format
import re
import shlex
import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mascarade_env import __version__
from mascarade_env.cli._consoles import show
from mascarade_env.cli._interrupts import noted, raise_for
from mascarade_env.cli._outputs import writing
from mascarade_env.cli._progress import bar
from mascarade_env.cli._tree_files import built, check_npz, known
from mascarade_env.exact import GameTree, SavedPolicy
from mascarade_env.exact._files import making
from mascarade_env.exact._plot import checked_picture
from mascarade_env.exact._plot import plot as draw
from mascarade_env.exact._solver_run import Approach, Point, approach, check_goal
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_env.render._scene import printable

Algorithm = Literal["cfr", "cfr+", "dcfr"]

_FOLDER = Path("runs/exact")


class Files(NamedTuple):
    """Where results are kept."""

    policy: Path
    figures: Path
    picture: Path


def solve(
    scenario: str | None = None,
    tree: Path | None = None,
    algorithm: Algorithm = "cfr+",
    iterations: int = 10_000,
    target: float = 0.001,
    out: Path | None = None,
    plot: Path | None = None,
    json: bool = False,
) -> None:
    """Come near an equilibrium of a small scenario, and save the policy.

    Example: mascarade solve --scenario tiny-2 --target 0.01

    NashConv is what all players together could gain, in win shares, if each alone left the policy:
    0 for an equilibrium. Ctrl-C, SIGTERM and SIGHUP end it after the current iteration, and it
    saves the policy.

    Args:
        scenario: A name such as small-2, which is the default, or a .json file with a scenario. It
            must have a turn_limit and a fixed_deal.
        tree: A file that `mascarade tree --out` has saved, instead of building the tree.
        algorithm: What finds the policy: CFR, CFR+ or discounted CFR.
        iterations: How many at most.
        target: The NashConv that is near enough to stop.
        out: The file for the policy (.npz). By default it is runs/exact/SCENARIO-ALGORITHM.npz. The
            figures come beside it, into a file of the same name that ends in .figures.json.
        plot: The file for the plot of NashConv (.svg or .png), by default beside the policy.
        json: Print JSON.
    """
    check_goal(iterations, target)
    if out is not None:
        check_npz(out)
    if plot is not None:
        checked_picture(plot)
    rules, game = known(scenario, tree)
    policy = _default(rules, algorithm) if out is None else out
    files = Files(
        policy,
        policy.with_suffix(".figures.json"),
        policy.with_suffix(".svg") if plot is None else plot,
    )
    names = ("--out", "the file of figures, named after --out,", "--plot")
    with writing(dict(zip(names, files, strict=True)), [scenario, tree]):
        if game is None:
            game = built(rules)
        with noted() as came:
            approached = _approached(game, algorithm, iterations, target, came)
            report = _figures(game, approached)
            try:
                _save(game, approached, files, report)
            finally:
                # The figures are told, also if what was found cannot be saved.
                if json:
                    print(json_format.dumps(report), flush=True)
                else:
                    _print(game, approached, report, target)
            if not json:
                _print_next(rules, files.policy, scenario, tree)
        if came:
            raise_for(came[0])


def _default(rules: Scenario, algorithm: str) -> Path:
    # A scenario of somebody's own may have any name.
    name = re.sub(r"[^\w.-]", "_", rules.name)
    return _FOLDER / f"{name}-{algorithm}.npz"


def _approached(
    game: GameTree,
    algorithm: Algorithm,
    iterations: int,
    target: float,
    came: list[int],
) -> Approach:
    """Run the solver and show its progress."""
    with bar() as show:

        def note_progress(done: int, last: Point | None) -> None:
            near = "" if last is None else f", NashConv {last.nash_conv:.5f}"
            show(done, iterations, f"{done:,} of {iterations:,} iterations{near}")

        def stop() -> bool:
            if came:
                words = "mascarade: interrupted, saving what has been found"
                with contextlib.suppress(OSError):  # the terminal has closed
                    print(words, file=sys.stderr, flush=True)
            return bool(came)

        return approach(
            game.tree,
            algorithm,
            iterations=iterations,
            target=target,
            progress=note_progress,
            stop=stop,
        )


def _figures(game: GameTree, approached: Approach) -> dict[str, Any]:
    last = approached.points[-1]
    return {
        "scenario": game.scenario.name,
        "algorithm": approached.algorithm,
        "iterations": last.iterations,
        "seconds": last.seconds,
        "nash_conv": last.nash_conv,
        "values": approached.gains.values.tolist(),
        "best_responses": approached.gains.best.tolist(),
        "output": None,
        "plot": None,
        "version": __version__,
        "points": [point._asdict() for point in approached.points],
    }


def _save(game: GameTree, approached: Approach, files: Files, report: dict[str, Any]) -> None:
    """Keep what was found, and note where; the policy, which takes longest to find, first."""
    SavedPolicy.of(
        game,
        approached.policy,
        algorithm=approached.algorithm,
        iterations=approached.iterations,
        nash_conv=approached.gains.nash_conv,
        version=__version__,
    ).save(files.policy)
    report["output"] = str(files.policy)
    figures = {name: figure for name, figure in report.items() if name != "plot"}
    with making(files.figures) as beside:
        beside.write_text(json_format.dumps(figures, indent=1) + "\n", "utf-8")
    title = f"NashConv of {game.scenario.name} by {approached.algorithm}"
    try:
        draw({approached.algorithm: approached.points}, files.picture, title)
    except ImportError:
        without = "no plot was drawn, for want of matplotlib: pip install 'mascarade-env[plot]'"
        print(without, file=sys.stderr)
    else:
        report["plot"] = str(files.picture)


def _print(game: GameTree, approached: Approach, report: dict[str, Any], target: float) -> None:
    last, gains = approached.points[-1], approached.gains
    players = range(game.tree.players)
    table = Table(box=box.SIMPLE, pad_edge=False)
    for head in ("iterations", "seconds", "NashConv", *(f"player {p}" for p in players)):
        table.add_column(head, justify="right")
    values = (f"{value:.4f}" for value in gains.values)
    table.add_row(f"{last.iterations:,}", f"{last.seconds:.1f}", f"{last.nash_conv:.5f}", *values)
    show(table)
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
    if report["output"] is not None:
        plotted = "" if report["plot"] is None else f", its plot in {report['plot']}"
        lines += ["", f"The policy is in {report['output']}{plotted}."]
    _print_lines(lines)


def _print_next(rules: Scenario, policy: Path, scenario: str | None, tree: Path | None) -> None:
    """What can be done with a policy: commands to copy."""
    if scenario is None and scenarios().get(rules.name) == rules:
        scenario = rules.name
    agent = f"tabular:{shlex.quote(str(policy))}"
    named = None if scenario is None else f"--scenario {shlex.quote(scenario)}"
    of = named if tree is None else f"--tree {shlex.quote(str(tree))}"
    lines = ["It is an agent:", f"  mascarade nashconv --agent {agent} {of}"]
    # A scenario that stands in the file of a tree alone cannot be named to the others.
    if named is not None:
        lines += [
            f"  mascarade play --opponents {agent} {named}",
            f"  mascarade arena --agents {agent},random {named}",
        ]
    _print_lines(lines)


def _print_lines(lines: list[str]) -> None:
    console = Console()
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)
