"""The section of the page on agents that beat each other in a cycle."""

from collections.abc import Iterator
from typing import Any

from mascarade_agents.report._numbers import percent
from mascarade_agents.report._page_parts import card, numbers, section
from mascarade_agents.report._plots import Part, bars
from mascarade_agents.report._sentences import unmet


def cycles(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on cycles, if there is a cycle."""
    if summary["cycles"]["found"]:
        body = _without_ranking(summary)
        yield section("Agents that beat each other in a cycle", body, kind="cycles")


def no_cycles(summary: dict[str, Any]) -> str:
    """Return a card that reports that there is no cycle.

    Return an empty text if there is a cycle, or if fewer than 3 agents played mixed games.
    """
    played = sum(count > 0 for count in summary["win_shares"]["count"])
    if played < 3 or summary["cycles"]["found"]:
        return ""
    return card(
        "Cycles",
        "No agents beat each other in a cycle of significant differences.",
        numbers(
            '<p class="note">These measures treat all differences as certain, even small ones.</p>'
            + _without_ranking(summary),
            "Alpha-rank and maximal lottery",
        ),
    )


def _without_ranking(summary: dict[str, Any]) -> str:
    """Return the two measures that need no ranking, for the agents that were compared."""
    never = unmet(summary)
    equal = f" Pairs that never met count as equal: {never}." if never else ""
    cards = []
    for key, title, note in (
        ("maximal_lottery", "Maximal lottery",
         "If you choose an agent with these probabilities, no agent was ahead of it on average."),
        ("alpha_rank", "Alpha-rank",
         "The fraction of time for which a population plays each agent, if better agents spread "
         "in it and new agents appear rarely."),
    ):  # fmt: skip
        values = summary[key]
        compared = [agent for agent in summary["ranking"] if values[agent] is not None]
        if not compared:
            continue
        order = sorted(compared, key=values.__getitem__, reverse=True)
        rows = [
            (summary["agents"][agent], percent(values[agent]), [Part(title, "sure", values[agent])])
            for agent in order
        ]
        cards.append(card(title, note + equal, bars(rows, label=title)))
    if not cards:
        return '<p class="note">Too few agents met to compute these measures.</p>'
    return f'<div class="cards two">{"".join(cards)}</div>'
