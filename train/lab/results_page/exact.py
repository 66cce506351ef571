"""The parts of RESULTS.md about games that are computed on their whole trees."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from lab.experiments.exact import METHODS, SCENARIOS, SEEDS
from lab.results_page.pictures import nash_conv_picture, spread
from lab.results_page.records import NOT_YET, Record, absent, record, table
from mascarade_env.exact._behaviour import MEASURES

#: The goals: by scenario, the largest NashConv after ten million decisions.
GOALS = {"small-2": 0.10, "small-3": 0.15}

_REGULARISED = "regularised"
_RARE = 1e-3  # decisions per game; if there are fewer, the share is in brackets


def seeds_of(scenario: str, method: str) -> list[Record]:
    """Return the records of the runs that are complete."""
    runs = (record(f"exact/{scenario}-{method}-{seed}") for seed in SEEDS)
    return [run for run in runs if run is not None]


def pictures() -> Iterator[str]:
    """Yield the lines that show the pictures, with a text for readers who cannot see them."""
    for scenario in SCENARIOS:
        words = ", ".join(_ways(scenario))
        title = f"NashConv in {scenario} on a log scale, medians over seeds"
        picture = f"![{title}: {words}](results/{_picture(scenario)})"
        yield picture if words else f"{scenario}: {NOT_YET}."
        yield ""


def _ways(scenario: str) -> Iterator[str]:
    for method in METHODS:
        if runs := seeds_of(scenario, method):
            middle = spread([run["curve"] for run in runs]).middle
            yield f"{method} self-play from {middle[0]:.2f} to {middle[-1]:.3f}"
    if (cfr := record(f"exact/{scenario}-cfr")) is not None:
        first, last = cfr["curve"][0][1], cfr["curve"][-1][1]
        yield f"CFR+ from {first:.2f} to {last:.5f} over its iterations"


def draw(folder: Path) -> list[Path]:
    """Draw the pictures of all scenarios with measurements, and return their files."""
    drawn = []
    for scenario in SCENARIOS:
        uniform, cfr = record(f"exact/{scenario}-uniform"), record(f"exact/{scenario}-cfr")
        learned = {
            method: [run["curve"] for run in seeds_of(scenario, method)] for method in METHODS
        }
        if cfr is None and not any(learned.values()):
            continue
        drawn.append(folder / _picture(scenario))
        nash_conv_picture(
            drawn[-1],
            scenario,
            uniform=None if uniform is None else uniform["nash_conv"],
            learned=learned,
            cfr=[] if cfr is None else cfr["curve"],
            goal=GOALS[scenario],
        )
    return drawn


def _picture(scenario: str) -> str:
    return f"nashconv-{scenario}.svg"


def ends() -> Iterator[str]:
    """Yield the table of NashConv at the end of training."""
    yield from table(
        ["game", "policy", "after", "NashConv, mean", "range over seeds", "goal"],
        (row for scenario in SCENARIOS for row in _rows(scenario)),
    )


def _rows(scenario: str) -> Iterator[list[str]]:
    uniform, cfr = record(f"exact/{scenario}-uniform"), record(f"exact/{scenario}-cfr")
    yield [scenario, "uniform", "", _nash_conv(uniform, ".3f"), "", ""]
    for method in METHODS:
        goal = f"at most {GOALS[scenario]:.2f}" if method == _REGULARISED else ""
        runs = seeds_of(scenario, method)
        if not runs:
            yield [scenario, method, "", NOT_YET, "", goal]
            continue
        values = [run["nash_conv"] for run in runs]
        yield [
            scenario,
            method,
            f"{max(run['decisions'] for run in runs):,} decisions, {_number_of(runs)}",
            f"{sum(values) / len(values):.3f}",
            f"{min(values):.3f} to {max(values):.3f}",
            goal,
        ]
    after = "" if cfr is None else f"{cfr['curve'][-1][0]:,} iterations, {cfr['nodes']:,} nodes"
    yield [scenario, "CFR+", after, _nash_conv(cfr, ".5f"), "", ""]


def _nash_conv(run: Record | None, form: str) -> str:
    return NOT_YET if run is None else format(run["nash_conv"], form)


def _number_of(runs: Sequence[Record]) -> str:
    all_done = len(runs) == len(SEEDS)
    return f"{len(runs)} seeds" if all_done else f"{len(runs)} of {len(SEEDS)} seeds so far"


def play() -> Iterator[str]:
    """Yield the table with measures of play for each scenario and policy."""
    columns: dict[str, list[Record]] = {}
    for scenario in SCENARIOS:
        for title, name in (("uniform", "uniform"), *((m, "") for m in METHODS), ("CFR+", "cfr")):
            run = record(f"exact/{scenario}-{name}") if name else None
            runs = seeds_of(scenario, title) if not name else [run] if run else []
            columns[f"{scenario}, {title}"] = runs
    missing = [title for title, runs in columns.items() if not runs]
    columns = {title: runs for title, runs in columns.items() if runs}
    if not columns:
        yield f"This is {NOT_YET}."
        return
    yield from table(
        ["", *columns],
        [
            _measured("*games that all players win*", columns, lambda run: (run["shared"], 1.0)),
            *(_measured(f"{MEASURES[name]} (`{name}`)", columns, _of(name)) for name in MEASURES),
        ],
    )
    yield from absent(missing)


def _of(name: str) -> Callable[[Record], tuple[float | None, float]]:
    """Return a function that returns, for a run, a measure's share and decisions per game."""
    return lambda run: (run["play"][name]["share"], run["play"][name]["in_a_game"])


def _measured(
    title: str,
    columns: Mapping[str, Sequence[Record]],
    value: Callable[[Record], tuple[float | None, float]],
) -> list[str]:
    cells = []
    for runs in columns.values():
        values = [value(run) for run in runs]
        shares = [100 * share for share, _ in values if share is not None]
        if not shares:
            cells.append("-" if runs else NOT_YET)
            continue
        text = f"{sum(shares) / len(shares):.1f}"
        if len(shares) > 1:
            text += f", {min(shares):.1f} to {max(shares):.1f}"
        rare = sum(count for _, count in values) / len(values) < _RARE
        cells.append(f"({text})" if rare else text)
    return [title, *cells]


def equilibrium(scenario: str, name: str) -> str:
    """Return a measure of play in the equilibrium of a scenario, in percent."""
    run = record(f"exact/{scenario}-cfr")
    return _measured("", {"": [] if run is None else [run]}, _of(name))[1]
