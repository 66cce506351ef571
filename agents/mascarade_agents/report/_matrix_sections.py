"""The sections of the page whose plots are maps of agents against agents."""

from collections.abc import Iterator, Sequence
from typing import Any

from mascarade_agents.report._heat_maps import Cell, heat_map
from mascarade_agents.report._numbers import interval, percent
from mascarade_agents.report._page_parts import card, numbers, section, table
from mascarade_agents.report._plots import legend


def duels(found: dict[str, Any]) -> Iterator[str]:
    """The section on one against many, if that was played."""
    if not found["games"]["one_against_many"]:
        return
    fair, n = found["fair_share"], found["players"]
    both = found["one_against_many"]
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
        _matrix(found, both["one"], clear, fair, "The one", one),
        _matrix(found, both["many"], turned, fair, "The many", many),
    ]
    names, beats = found["agents"], both["beats"]
    wins = [
        [names[agent], ", ".join(names[other] for other in found["ranking"] if beats[agent][other])]
        for agent in found["ranking"]
        if any(beats[agent])
    ]
    body = f'<p class="note">{intro}</p><div class="cards maps">{"".join(cards)}</div>'
    if wins:
        body += table("Who beats whom", ["agent", "beats both ways"], wins, words=True)
    yield section("One against many", body)


def pairs(found: dict[str, Any], more: str = "") -> Iterator[str]:
    """The section on pairs of agents at the same table, if there are any.

    Args:
        found: the summary.
        more: a card beside the map.
    """
    if not found["games"]["mixed"] or len(found["agents"]) < 2:
        return
    note = (
        "How often in % a player of one agent (row) gets more than one of another (column) at the "
        "same table; ties count half. Few win a game, so most pairs tie and values lie near 50. "
        "Bold: clearly off one half."
    )
    ahead = found["cycles"]["ahead"]
    clear = [
        [one or other for one, other in zip(line, column, strict=True)]
        for line, column in zip(ahead, zip(*ahead, strict=True), strict=True)
    ]
    drawn = _matrix(found, found["pairwise"], clear, 0.5, "", note)
    yield section("Pairs", f'<div class="cards maps">{drawn}{more}</div>')


def _matrix(
    found: dict[str, Any],
    matrix: dict[str, Any],
    clear: Sequence[Sequence[Any]],
    centre: float,
    title: str,
    note: str,
) -> str:
    """A heat map of the agents that were played, its legend and its numbers."""
    played = [
        agent
        for agent in found["ranking"]
        if any(matrix["count"][agent]) or any(line[agent] for line in matrix["count"])
    ]
    names = [found["agents"][agent] for agent in played]
    values = [value for line in matrix["value"] for value in line if value is not None]
    reach = max([0.05, *(abs(value - centre) for value in values)])
    cells: list[list[Cell]] = []
    lines = []
    for agent in played:
        colours: list[Cell] = []
        texts = [found["agents"][agent]]
        for other in played:
            value, low, high, count = (
                matrix[end][agent][other] for end in ("value", "low", "high", "count")
            )
            text = "" if value is None else f"{percent(value)} ({interval(low, high, percent)})"
            told = f"{found['agents'][agent]}, {found['agents'][other]}: {text} of {count:,}"
            colours.append((value, told, bool(clear[agent][other])))
            texts.append(text)
        cells.append(colours)
        lines.append(texts)
    label = f"{title or 'Pairs'}, in per cent; the numbers stand in the table below"
    drawn = heat_map(names, cells, centre=centre, reach=reach, label=label)
    entries = (("below", f"down to {percent(max(0.0, centre - reach))}"),
               ("cell", f"at {percent(centre)}"),
               ("above", f"up to {percent(centre + reach)}"))  # fmt: skip
    whole = numbers(table(f"{title or 'Pairs'}, row and column", ["", *names], lines))
    return card(title, note, legend(entries) + drawn, whole, scroll=True)
