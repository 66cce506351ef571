"""The part of the page on agents that beat each other in a cycle."""

from collections.abc import Iterator
from typing import Any

from mascarade_agents.report._numbers import percent
from mascarade_agents.report._page_parts import card, numbers, section
from mascarade_agents.report._plots import Part, bars
from mascarade_agents.report._sentences import unmet


def cycles(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on cycles, if there are any: no order of these agents is right."""
    if summary["cycles"]["found"]:
        body = _shared_out(summary)
        yield section("Agents that beat each other in a cycle", body, kind="cycles")


def no_cycles(summary: dict[str, Any]) -> str:
    """Return a card that says there are none, where some could be."""
    played = sum(count > 0 for count in summary["win_shares"]["count"])
    if played < 3 or summary["cycles"]["found"]:
        return ""
    return card(
        "Cycles",
        "No agents clearly beat each other in a cycle. Where they do, an order misleads, and "
        "alpha-rank and the maximal lottery tell more; here they take small differences for sure "
        "ones.",
        numbers(_shared_out(summary), "Alpha-rank and maximal lottery"),
    )


def _shared_out(summary: dict[str, Any]) -> str:
    """Both measures that need no order, of the agents that were compared."""
    never = unmet(summary)
    equal = f" Pairs that never met count as equal: {never}." if never else ""
    cards = []
    for key, title, note in (
        ("maximal_lottery", "Maximal lottery",
         "Chances to choose each agent by, so that as measured no agent is ahead of the choice: a "
         "Nash equilibrium of the game of choosing an agent."),
        ("alpha_rank", "Alpha-rank",
         "How long each agent is the one that a whole population plays, when what does better "
         "takes over and mutants are rare."),
    ):  # fmt: skip
        values = summary[key]
        known = [agent for agent in summary["ranking"] if values[agent] is not None]
        if not known:
            continue
        order = sorted(known, key=values.__getitem__, reverse=True)
        rows = [
            (summary["agents"][agent], percent(values[agent]), [Part(title, "sure", values[agent])])
            for agent in order
        ]
        cards.append(card(title, note + equal, bars(rows, label=title)))
    if not cards:
        return '<p class="note">Too few agents met to share anything out among them.</p>'
    return f'<div class="cards two">{"".join(cards)}</div>'
