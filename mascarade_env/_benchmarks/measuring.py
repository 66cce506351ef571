"""Run benchmarks one after the other, and detect whether the machine was busy."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from rich.console import Console

from mascarade_env._benchmarks import Benchmark
from mascarade_env._benchmarks.busy import busy_notice, load_per_core, share_of_core
from mascarade_env._benchmarks.machine import describe_machine


@dataclass(frozen=True, slots=True)
class Figure:
    """The figure of one benchmark.

    Attributes:
        line: the benchmark.
        value: the figure; None if a package is missing.
        missing: the reason if there is no figure.
    """

    line: Benchmark
    value: float | None
    missing: str = ""

    @property
    def text(self) -> str:
        """The figure with its unit, or the reason why there is no figure."""
        if self.value is None:
            return f"none: {self.missing}"
        return f"{short(self.value)} {self.line.unit}".rstrip()

    @property
    def target(self) -> str:
        """The target, or an empty text if the benchmark has no target."""
        if self.line.at_least is not None:
            return f">= {short(self.line.at_least)}"
        return "" if self.line.at_most is None else f"<= {short(self.line.at_most)}"

    @property
    def verdict(self) -> str:
        """Whether the figure meets the target; an empty text if there is no figure or target."""
        reached = None if self.value is None else self.line.reached(self.value)
        return {True: "reached", False: "MISSED", None: ""}[reached]


class Measured(NamedTuple):
    """Figures, and the machine on which they were measured.

    Attributes:
        machine: the machine and the versions of packages.
        figures: one for each benchmark.
        busy: a warning that the machine was busy; None if it was not.
    """

    machine: dict[str, Any]
    figures: list[Figure]
    busy: str | None


def short(figure: float) -> str:
    """Return a figure with three digits, and k or M for thousands or millions."""
    for size, sign in ((1e6, " M"), (1e3, " k")):
        if figure >= size:
            return f"{figure / size:.3g}{sign}"
    return f"{figure:.3g}"


def all_lines() -> list[Benchmark]:
    """Return the benchmarks of all packages: the entry points of `mascarade.benchmarks`."""
    groups = sorted(entry_points(group="mascarade.benchmarks"), key=lambda entry: entry.name)
    return [line for entry in groups for line in entry.load()]


def measure(lines: Sequence[Benchmark]) -> Measured:
    """Run benchmarks; meanwhile the terminal shows the current benchmark."""
    load = load_per_core()
    figures, shares = [], []
    with Console(stderr=True).status("", spinner="line") as status:
        for line in lines:
            status.update(f"{line.name}: {line.about}")
            shares.append(share_of_core())
            try:
                figures.append(Figure(line, line.measure()))
            except ImportError as missing:  # the package of an extra
                figures.append(Figure(line, None, str(missing)))
    return Measured(describe_machine(), figures, busy_notice(load, shares))
