"""`mascarade bench`: how fast it is on this machine."""

import json as json_format
import platform
from importlib.metadata import entry_points, version
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from mascarade_env.benchmarks import Benchmark
from mascarade_env.core.errors import UnknownNameError, did_you_mean


def bench(only: tuple[str, ...] = (), json: bool = False) -> None:
    """Measure speed on this machine: one process, one thread, the best of several rounds.

    Example: mascarade bench --only playouts-6A game-6A

    Args:
        only: Names of the lines to measure; all by default.
        json: Print JSON.
    """
    known = {line.name: line for line in _all_lines()}
    for name in only:
        if name not in known:
            raise UnknownNameError(f"no benchmark {name!r}{did_you_mean(name, known)}")
    chosen = [line for name, line in known.items() if not only or name in only]
    machine = {
        "machine": platform.machine(),
        "processor": _processor(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("mascarade-env", "numpy", "numba")},
    }
    results = []
    with Console(stderr=True).status("") as status:
        for line in chosen:
            status.update(f"{line.name}: {line.about}")
            results.append(_result(line))
    if json:
        print(json_format.dumps({**machine, "results": results}))
    else:
        _print(machine, results)


def _all_lines() -> list[Benchmark]:
    groups = sorted(entry_points(group="mascarade.benchmarks"), key=lambda entry: entry.name)
    return [line for entry in groups for line in entry.load()]


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123  absent elsewhere
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def _result(line: Benchmark) -> dict[str, Any]:
    figure = line.measure()
    return {
        "name": line.name,
        "about": line.about,
        "figure": figure,
        "unit": line.unit,
        "at_least": line.at_least,
        "at_most": line.at_most,
        "reached": line.reached(figure),
    }


def _print(machine: dict[str, str], results: list[dict[str, Any]]) -> None:
    table = Table("name", "what", "figure", "target", "", box=box.SIMPLE, pad_edge=False)
    for result in results:
        at_least, at_most = result["at_least"], result["at_most"]
        target = f">= {_short(at_least)}" if at_least is not None else ""
        target = f"<= {_short(at_most)}" if at_most is not None else target
        verdict = {True: "reached", False: "MISSED", None: ""}[result["reached"]]
        figure = f"{_short(result['figure'])} {result['unit']}"
        table.add_row(result["name"], result["about"], figure, target, verdict)
    console = Console()
    console.print(table)
    console.print("Rates are per second of CPU time; times are wall time.")
    console.print(", ".join(f"{key} {value}" for key, value in machine.items()))


def _short(figure: float) -> str:
    for size, sign in ((1e6, " M"), (1e3, " k")):
        if figure >= size:
            return f"{figure / size:.3g}{sign}"
    return f"{figure:.3g}"
