"""The terminal report: sentences and tables for 80 columns or fewer, with or without colour."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mascarade_agents.ratings._skill import START
from mascarade_agents.report._numbers import NOTHING, interval, percent, plain
from mascarade_agents.report._plots import cut
from mascarade_env.render._scene import printable

_MOST = 12  # columns of the matrix
_COLUMN = 5  # letters in the widest column
_NARROW, _WIDE = 18, 40  # the most letters of a name, on narrow and on wide terminals


def print_summary(summary: dict[str, Any], console: Console | None = None) -> None:
    """Print a summary as sentences, a table of agents, and a table of one against many.

    Args:
        summary: the return value of `summary`.
        console: the console to print to; the standard output by default.
    """
    console = console or Console()
    length = _NARROW if console.width < 110 else _WIDE
    names = [cut(printable(name), length) for name in summary["agents"]]
    for sentence in summary["says"]:
        console.print(Text(printable(sentence)))
    brief = console.width < 80
    fair = f"fair share 1/{summary['players']} = {percent(summary['fair_share'])}"
    if summary["games"]["mixed"]:
        title = f"Mixed games of {summary['scenario']}, {fair}"
        _print(console, title, _agents(summary, names, brief=brief))
        _explain(console, summary, brief=brief)
    elif summary["games"]["all"]:
        _print(console, f"Games of {summary['scenario']}", _agents(summary, names, brief=brief))
    if summary["games"]["one_against_many"]:
        most = max(min((console.width - _NARROW - 3) // _COLUMN, _MOST), 1)
        more = "" if len(names) <= most else f"; the best {most} agents"
        many = summary["players"] - 1
        title = (
            f"1 vs {many}: win share in % of one row agent against {many} copies of the column "
            f"agent{more}"
        )
        _print(console, title, _duels(summary, names, most))
        console.print(Text(f"* differs significantly from the {fair}"))


def _explain(console: Console, summary: dict[str, Any], *, brief: bool) -> None:
    """Print the meaning of the columns that a reader may not know."""
    meanings = [] if brief else [f"skill: OpenSkill rating, {START:g} before the first game."]
    meanings += [] if brief else ["sigma: its standard deviation."]
    if summary["cycles"]["found"]:
        meanings.append(
            "lottery: if you choose an agent with these probabilities, no agent is ahead of it."
        )
    if meanings:
        console.print(Text(" ".join(meanings)))


def _print(console: Console, title: str, table: Table) -> None:
    console.print()
    console.print(Text(printable(title), "bold"))
    console.print(table)


def _agents(summary: dict[str, Any], names: list[str], *, brief: bool) -> Table:
    """Return a table of all agents, best first; with fewer columns if `brief`."""
    mixed = summary["games"]["mixed"] > 0
    heads = ["win share", "95% interval"] if mixed else []
    heads += ["played", "skill", "sigma"] if mixed and not brief else []
    heads += ["lottery"] if summary["cycles"]["found"] else []
    table = _table([*heads, "forfeits"])
    shares, skill = summary["win_shares"], summary["skill"]
    for agent in summary["ranking"]:
        cells = []
        if mixed:
            cells = [
                percent(shares["value"][agent]),
                interval(shares["low"][agent], shares["high"][agent], percent),
            ]
        if mixed and not brief:
            cells += [
                f"{shares['count'][agent]:,}",
                plain(skill["mu"][agent]),
                plain(skill["sigma"][agent]),
            ]
        if summary["cycles"]["found"]:
            cells.append(percent(summary["maximal_lottery"][agent]))
        table.add_row(Text(names[agent]), *cells, f"{summary['forfeits'][agent]:,}")
    return table


def _duels(summary: dict[str, Any], names: list[str], most: int) -> Table:
    """Return a table of win shares between the best agents; `most` limits their number."""
    one, significant = summary["one_against_many"]["one"], summary["one_against_many"]["clear"]
    agents = summary["ranking"][:most]
    table = _table([str(place) for place in range(1, len(agents) + 1)])
    for place, agent in enumerate(agents, start=1):
        cells = []
        for other in agents:
            value = one["value"][agent][other]
            star = "*" if significant[agent][other] else ""
            cells.append(NOTHING if value is None else f"{100 * value:.0f}{star}")
        table.add_row(Text(f"{place} {names[agent]}"), *cells)
    return table


def _table(heads: list[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("agent", no_wrap=True)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table
