"""`mascarade bench`: measure the speed of the package on this machine."""

import json as json_format
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from mascarade_env._benchmarks.measuring import Figure, Measured, all_lines, measure
from mascarade_env._errors import UnknownNameError, did_you_mean
from mascarade_env.cli._consoles import show


def bench(only: tuple[str, ...] = (), json: bool = False) -> None:
    """Measure speed on this machine, in one process, as the best of several rounds.

    Example: mascarade bench --only playouts-6A game-6A

    Args:
        only: Names of the benchmarks to run; all by default.
        json: Print JSON instead of a table.
    """
    lines = {line.name: line for line in all_lines()}
    check_names(only, list(lines))
    measured = measure([line for name, line in lines.items() if name in (only or lines)])
    if json:
        _print_json(measured)
    else:
        print_figures(measured.figures)
        print_machine(measured)
    print_busy(measured)


def check_names(only: Sequence[str], known: Sequence[str]) -> None:
    """Raise an error if a name is not the name of a benchmark."""
    for name in only:
        if name not in known:
            raise UnknownNameError(f"there is no benchmark {name!r}{did_you_mean(name, known)}")


def print_figures(figures: Sequence[Figure]) -> None:
    """Print a table of figures and targets, which shows whether each figure meets its target."""
    table = new_table("name", "what", "figure", "target", "")
    for figure in figures:
        line = figure.line
        table.add_row(line.name, line.about, figure.text, figure.target, figure.verdict)
    show(table)


def print_machine(measured: Measured) -> None:
    """Print the machine and the versions of packages, because the figures depend on them."""
    console = Console()
    console.print("Rates are per second of CPU time; times are wall time.")
    console.print(", ".join(f"{key} {value}" for key, value in measured.machine.items()))


def print_busy(measured: Measured) -> None:
    """Warn on standard error if the machine was busy."""
    if measured.busy is not None:
        Console(stderr=True).print(measured.busy, soft_wrap=True, highlight=False)


def new_table(*heads: str) -> Table:
    """Return an empty table in the style of this command."""
    return Table(*heads, box=box.SIMPLE, pad_edge=False)


def _print_json(measured: Measured) -> None:
    results = [
        {
            "name": figure.line.name,
            "about": figure.line.about,
            "figure": figure.value,
            "unit": figure.line.unit,
            "at_least": figure.line.at_least,
            "at_most": figure.line.at_most,
            "reached": None if figure.value is None else figure.line.reached(figure.value),
            "missing": figure.missing or None,
        }
        for figure in measured.figures
    ]
    print(json_format.dumps({**measured.machine, "busy": measured.busy, "results": results}))
