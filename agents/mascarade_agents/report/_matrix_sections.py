"""The sections of the page that compare agents in pairs, with heat maps."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mascarade_agents.report._heat_maps import Cell, heat_map
from mascarade_agents.report._numbers import interval, percent
from mascarade_agents.report._page_parts import card, html_table, numbers, section
from mascarade_agents.report._plots import legend


class _Matrix(NamedTuple):
    """A matrix of agents against agents.

    Attributes:
        title: the heading of the card.
        note: the caption, one plain sentence.
        numbers: `value`, `low`, `high` and `count`, each [A][A].
        significant: [A][A] whether a value differs significantly from the centre.
        centre: the value of a cell without colour.
        centre_name: the centre in words.
    """

    title: str
    note: str
    numbers: dict[str, Any]
    significant: Sequence[Sequence[Any]]
    centre: float
    centre_name: str


def duels(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on one against many, if there are games of this kind."""
    if not summary["games"]["one_against_many"]:
        return
    fair, many = summary["fair_share"], summary["players"] - 1
    both = summary["one_against_many"]
    significant = both["clear"]
    transposed = list(zip(*significant, strict=True))
    name = f"the fair share, {percent(fair)}"
    of_one = f"Win share in % of one row agent against {many} copies of the column agent."
    of_many = f"Win share in % of each of {many} copies of the row agent against one column agent."
    cards = [
        _matrix_card(
            summary, _Matrix(f"1 vs {many}: the one", of_one, both["one"], significant, fair, name)
        ),
        _matrix_card(
            summary,
            _Matrix(f"1 vs {many}: the many", of_many, both["many"], transposed, fair, name),
        ),
    ]
    names, ranking, beats = summary["agents"], summary["ranking"], both["beats"]
    wins = [
        [names[agent], ", ".join(names[other] for other in ranking if beats[agent][other])]
        for agent in ranking
        if any(beats[agent])
    ]
    body = f'<div class="cards two">{"".join(cards)}</div>'
    if wins:
        body += html_table(
            "Agents that beat others both ways", ["agent", "beats both ways"], wins, words=True
        )
    yield section("One against many", body)


def pairs(summary: dict[str, Any], more: str = "") -> Iterator[str]:
    """Yield the section on pairs of agents at the same table, if there are mixed games.

    Args:
        summary: the return value of `summary`.
        more: a card to show next to the heat map.
    """
    if not summary["games"]["mixed"] or len(summary["agents"]) < 2:
        return
    note = (
        "How often, in %, the row agent gets a larger win share than the column agent at the same "
        "table; a tie counts as one half."
    )
    ahead = summary["cycles"]["ahead"]
    significant = [
        [one or other for one, other in zip(line, column, strict=True)]
        for line, column in zip(ahead, zip(*ahead, strict=True), strict=True)
    ]
    matrix = _Matrix("At the same table", note, summary["pairwise"], significant, 0.5, "one half")
    body = f'<div class="cards two pairs">{_matrix_card(summary, matrix)}{more}</div>'
    yield section("Pairs", body)


def _matrix_card(summary: dict[str, Any], matrix: _Matrix) -> str:
    """Return a card with a heat map of the agents that played, its legend and its numbers."""
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
            significant = bool(matrix.significant[agent][other])
            colours.append(Cell(value, f"{both}: {text} of {count:,}", significant))
            texts.append(text)
        cells.append(colours)
        lines.append(texts)
    plot = heat_map(names, cells, centre=centre, reach=reach, label=f"{matrix.title}, in per cent")
    colours_mean = (
        ("below", f"below {matrix.centre_name}"),
        ("above", f"above {matrix.centre_name}"),
    )
    bold = '<p class="note"><strong>Bold</strong> numbers differ significantly.</p>'
    below = numbers(html_table(f"{matrix.title}, with intervals", ["", *names], lines))
    return card(matrix.title, matrix.note, legend(colours_mean) + plot, bold + below)
