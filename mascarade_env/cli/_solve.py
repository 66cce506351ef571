"""`mascarade solve`: compute a policy near an equilibrium of a small scenario, and save it."""

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
    """The paths of the files for the results."""

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
    """Approximate an equilibrium of a small scenario, and save the policy.

    Example: mascarade solve --scenario tiny-2 --target 0.01

    NashConv measures the distance to an equilibrium. For each player, it takes the win share that
    this player alone could gain by leaving the policy, and it sums these gains. It is 0 for an
    equilibrium. Ctrl-C, SIGTERM and SIGHUP stop the solver after the current iteration; the command
    then saves the policy.

    Args:
        scenario: A name such as small-2, the default, or a .json file with a scenario. It must have
            a turn_limit and a fixed_deal.
        tree: Read the tree from this file instead of building it. `mascarade tree --out` writes
            such a file.
        algorithm: The solver: CFR, CFR+ or discounted CFR.
        iterations: Stop after this number of iterations.
        target: Stop when NashConv is at most this number.
        out: The file for the policy (.npz). The default is runs/exact/SCENARIO-ALGORITHM.npz. The
            figures go to the same folder, in a file of the same name that ends in .figures.json.
        plot: The file for the plot of NashConv (.svg or .png). The default has the name of the
            policy and ends in .svg.
        json: Print JSON instead of a table.
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
        with noted() as signals:
            approached = _approached(game, algorithm, iterations, target, signals)
            report = _figures(game, approached)
            try:
                _save(game, approached, files, report)
            finally:
                # Print the figures even if the files cannot be written.
                if json:
                    print(json_format.dumps(report), flush=True)
                else:
                    _print(game, approached, report, target)
            if not json:
                _print_next(rules, files.policy, scenario, tree)
        if signals:
            raise_for(signals[0])


def _default(rules: Scenario, algorithm: str) -> Path:
    # A scenario from a file may have any name.
    name = re.sub(r"[^\w.-]", "_", rules.name)
    return _FOLDER / f"{name}-{algorithm}.npz"


def _approached(
    game: GameTree,
    algorithm: Algorithm,
    iterations: int,
    target: float,
    signals: list[int],
) -> Approach:
    """Run the solver and show its progress."""
    with bar() as show:

        def note_progress(done: int, last: Point | None) -> None:
            near = "" if last is None else f", NashConv {last.nash_conv:.5f}"
            show(done, iterations, f"{done:,} of {iterations:,} iterations{near}")

        def stop() -> bool:
            if signals:
                words = "mascarade: interrupted, saving the policy found so far"
                with contextlib.suppress(OSError):  # the terminal has closed
                    print(words, file=sys.stderr, flush=True)
            return bool(signals)

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
    """Write the files, and add their paths to the report.

    The policy is written first, because it takes the most work to compute again.
    """
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
        notice = "no plot, because matplotlib is missing: pip install 'mascarade-env[plot]'"
        print(notice, file=sys.stderr)
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
        "The table shows each player's win share if all players follow the policy. NashConv is the "
        "sum of the win shares that each player could gain by leaving the policy alone."
    ]
    if last.nash_conv > target:
        lines.append(
            f"NashConv has not reached the target of {target:g} yet: use more --iterations."
        )
    if game.tree.players > 2:
        lines.append(
            f"With {game.tree.players} players these algorithms may not reach an equilibrium, so "
            "check the NashConv above."
        )
    if report["output"] is not None:
        plotted = "" if report["plot"] is None else f", and the plot is in {report['plot']}"
        lines += ["", f"The policy is in {report['output']}{plotted}."]
    _print_lines(lines)


def _print_next(rules: Scenario, policy: Path, scenario: str | None, tree: Path | None) -> None:
    """Print commands that use the policy."""
    if scenario is None and scenarios().get(rules.name) == rules:
        scenario = rules.name
    agent = f"tabular:{shlex.quote(str(policy))}"
    scenario_flag = None if scenario is None else f"--scenario {shlex.quote(scenario)}"
    game_flag = scenario_flag if tree is None else f"--tree {shlex.quote(str(tree))}"
    lines = ["Use it as an agent:", f"  mascarade nashconv --agent {agent} {game_flag}"]
    # The other commands do not read a scenario from the file of a tree.
    if scenario_flag is not None:
        lines += [
            f"  mascarade play --opponents {agent} {scenario_flag}",
            f"  mascarade arena --agents {agent},random {scenario_flag}",
        ]
    _print_lines(lines)


def _print_lines(lines: list[str]) -> None:
    console = Console()
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)
