"""The sections of the page whose plots are maps of agents against agents."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mascarade_agents.report._heat_maps import Cell, heat_map
from mascarade_agents.report._numbers import interval, percent
from mascarade_agents.report._page_parts import card, html_table, numbers, section
from mascarade_agents.report._plots import legend


class _Matrix(NamedTuple):
    """A matrix of agents against agents, as it is drawn."""

    title: str
    note: str  # a sentence or two
    numbers: dict[str, Any]  # `value`, `low`, `high`, `count`, each [A][A]
    clear: Sequence[Sequence[Any]]  # [A][A] whether a value is clearly off the centre
    centre: float


def duels(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on one against many, if that was played."""
    if not summary["games"]["one_against_many"]:
        return
    fair, n = summary["fair_share"], summary["players"]
    both = summary["one_against_many"]
    intro = (
        f"One agent alone at a table of {n - 1} copies of another. Both maps are centred at the "
        f"fair share, {percent(fair)}. Bold: clearly off it. An agent beats another both ways if "
        "it clearly wins more alone among its copies, and that other clearly less alone among "
        "copies of the agent."
    )
    clear, turned = both["clear"], list(zip(*both["clear"], strict=True))
    one = "Win share in % of a single one (row) among copies of another (column)."
    many = "Mean win share in % of one of the copies (row) around a single other (column)."
    cards = [
        _matrix_card(summary, _Matrix("The one", one, both["one"], clear, fair)),
        _matrix_card(summary, _Matrix("The many", many, both["many"], turned, fair)),
    ]
    names, ranking, beats = summary["agents"], summary["ranking"], both["beats"]
    wins = [
        [names[agent], ", ".join(names[other] for other in ranking if beats[agent][other])]
        for agent in ranking
        if any(beats[agent])
    ]
    body = f'<p class="note">{intro}</p><div class="cards maps">{"".join(cards)}</div>'
    if wins:
        body += html_table("Who beats whom", ["agent", "beats both ways"], wins, words=True)
    yield section("One against many", body)


def pairs(summary: dict[str, Any], more: str = "") -> Iterator[str]:
    """Yield the section on pairs of agents at the same table, if there are any.

    Args:
        summary: made by `summary`.
        more: a card beside the map.
    """
    if not summary["games"]["mixed"] or len(summary["agents"]) < 2:
        return
    note = (
        "How often in % a player of one agent (row) gets more than one of another (column) at the "
        "same table; ties count half. Few win a game, so most pairs tie and values lie near 50. "
        "Bold: clearly off one half."
    )
    ahead = summary["cycles"]["ahead"]
    clear = [
        [one or other for one, other in zip(line, column, strict=True)]
        for line, column in zip(ahead, zip(*ahead, strict=True), strict=True)
    ]
    plot = _matrix_card(summary, _Matrix("", note, summary["pairwise"], clear, 0.5))
    yield section("Pairs", f'<div class="cards maps">{plot}{more}</div>')


def _matrix_card(summary: dict[str, Any], matrix: _Matrix) -> str:
    """Return a heat map of the agents that were played, its legend and its numbers."""
    counts, centre = matrix.numbers["count"], matrix.centre
    played = [
        agent
        for agent in summary["ranking"]
        if any(counts[agent]) or any(line[agent] for line in counts)
    ]
    names = [summary["agents"][agent] for agent in played]
    values = [value for line in matrix.numbers["value"] for value in line if value is not None]
    reach = max([0.05, *(abs(value - centre) for value in values)])
    cells: list[list[Cell]] = []
    lines = []
    for agent in played:
        colours: list[Cell] = []
        texts = [summary["agents"][agent]]
        for other in played:
            value, low, high, count = (
                matrix.numbers[key][agent][other] for key in ("value", "low", "high", "count")
            )
            text = "" if value is None else f"{percent(value)} ({interval(low, high, percent)})"
            both = f"{summary['agents'][agent]}, {summary['agents'][other]}"
            cell = value, f"{both}: {text} of {count:,}", bool(matrix.clear[agent][other])
            colours.append(cell)
            texts.append(text)
        cells.append(colours)
        lines.append(texts)
    title = matrix.title or "Pairs"
    label = f"{title}, in per cent; the numbers stand in the table below"
    plot = heat_map(names, cells, centre=centre, reach=reach, label=label)
    entries = (("below", f"down to {percent(max(0.0, centre - reach))}"),
               ("cell", f"at {percent(centre)}"),
               ("above", f"up to {percent(centre + reach)}"))  # fmt: skip
    below = numbers(html_table(f"{title}, row and column", ["", *names], lines))
    return card(matrix.title, matrix.note, legend(entries) + plot, below, scroll=True)
