"""The section of the page on how the agents play, from measures of play."""

import math
from collections.abc import Iterator
from typing import Any

from mascarade_agents.report._numbers import NOTHING, form_of, interval, scale_for
from mascarade_agents.report._page_parts import card, html_table, numbers, section
from mascarade_agents.report._plots import Part, Row, bars, dot_plot, legend
from mascarade_agents.report._sentences import counted

#: The four kinds of announcements and their styles, from announcements that the player knows to be
#: true to those that the player knows to be false.
_KINDS = {
    "sure_true": "sure",
    "honest_uncertain": "honest",
    "gamble": "gamble",
    "knowing_bluff": "bluff",
}

#: The measures shown first, because they show best how an agent bluffs and answers bluffs.
_FIRST = (
    *("announce_rate", "bluff_success", "gain", "claim_rate"),
    *("challenge_precision", "catch_rate", "claim_precision", "look_rate"),
)
_SHOWN = 6  # measures that are visible at first; the others open with a click


def conduct(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on how the agents play, if there are measures."""
    behaviour = summary["behaviour"]
    if not behaviour or not behaviour["agents"] or not behaviour["measures"]:
        return
    phases = behaviour["phases"]
    ranked = [summary["agents"][agent] for agent in summary["ranking"]]
    agents = [name for name in ranked if name in behaviour["agents"]]
    agents += [name for name in behaviour["agents"] if name not in agents]
    pieces = [_source(summary)]
    if all(kind in behaviour["measures"] for kind in _KINDS):
        pieces.append(_kinds(behaviour, agents, phases))
    measured = [
        name
        for name in behaviour["measures"]
        if name not in _KINDS and _measured(behaviour, agents, phases[0], name)
    ]
    # The sort is stable, so the other measures keep their order.
    measured.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    cards = [_measure(behaviour, agents, phases, name) for name in measured]
    if cards:
        pieces.append(_cards(cards[:_SHOWN]))
    if more := cards[_SHOWN:]:
        title = counted(len(more), "more measure")
        pieces.append(f'<details class="more"><summary>{title}</summary>{_cards(more)}</details>')
    if len(pieces) > 1:
        yield section("How they play", "\n".join(pieces))


def _cards(cards: list[str]) -> str:
    return f'<div class="cards three">{"".join(cards)}</div>'


def _source(summary: dict[str, Any]) -> str:
    """Return a paragraph: how many games were measured, and how to read the numbers."""
    measured = summary["meta"].get("measured_games")
    games = f"Measured in {counted(measured, 'game')}. " if isinstance(measured, int) else ""
    return (
        f'<p class="note">{games}The number after "of" counts the opportunities. Lines are 95% '
        "intervals. Measures depend on the opponents too.</p>"
    )


def _estimate_of(behaviour: dict[str, Any], agent: str, phase: str, measure: str) -> dict[str, Any]:
    """Return a measure of an agent in a phase.

    If it was not measured, all values are None, and the count is 0.
    """
    unmeasured = {"value": None, "low": None, "high": None, "count": 0}
    return {**unmeasured, **behaviour["agents"][agent].get(phase, {}).get(measure, {})}


def _measured(behaviour: dict[str, Any], agents: list[str], phase: str, measure: str) -> bool:
    """Return whether the measure has a value for at least one of the agents."""
    return any(
        _estimate_of(behaviour, agent, phase, measure)["value"] is not None for agent in agents
    )


def _kinds(behaviour: dict[str, Any], agents: list[str], phases: list[str]) -> str:
    """Return a card with a plot for each phase: the kinds of announcements of each agent."""
    titles = {kind: behaviour["measures"][kind]["title"] for kind in _KINDS}
    pictures = []
    for phase in phases:
        if not any(_measured(behaviour, agents, phase, kind) for kind in _KINDS):
            continue
        rows = []
        for agent in agents:
            estimates = {kind: _estimate_of(behaviour, agent, phase, kind) for kind in _KINDS}
            count = max(measured["count"] for measured in estimates.values())
            parts = [
                Part(titles[kind], style, estimates[kind]["value"])
                for kind, style in _KINDS.items()
                if estimates[kind]["value"]
            ]
            rows.append((agent, f"of {count:,}" if count else "none", parts))
        plot = bars(rows, label=f"What was announced, {phase}")
        pictures.append(f"<div><h4>{_phase(phase)}</h4>{plot}</div>")
    if not pictures:
        return ""
    note = "What the announcing player could know about the truth of the announcement."
    meanings = [
        (style, f"{_capital(titles[kind])}: {behaviour['measures'][kind]['meaning']}")
        for kind, style in _KINDS.items()
    ]
    lines = [
        [titles[kind], agent, *_cells(behaviour, agent, phases, kind)]
        for kind in _KINDS
        for agent in agents
    ]
    more = numbers(html_table("What is announced, by phase", ["kind", "agent", *phases], lines))
    small = f'<div class="multiples">{"".join(pictures)}</div>'
    return card("What is announced", note, legend(meanings) + small, more)


def _measure(behaviour: dict[str, Any], agents: list[str], phases: list[str], name: str) -> str:
    """Return a card for a measure: a plot over whole games, and a table by phase."""
    measure = behaviour["measures"][name]
    share = measure["unit"] == "share"
    form = form_of(measure["unit"])
    rows = []
    for agent in agents:
        estimate = _estimate_of(behaviour, agent, phases[0], name)
        value, low, high = estimate["value"], estimate["low"], estimate["high"]
        text = form(value) if value is None else f"{form(value)} of {estimate['count']:,}"
        rows.append(Row(agent, value, low, high, text))
    ends = [end for row in rows for end in (row.value, row.low, row.high)]
    scale = scale_for([0.0, 1.0, *ends] if share else [0.0, *ends], most=1.0 if share else math.inf)
    plot = dot_plot(rows, scale, form, label=measure["title"])
    unit = "" if share else f" In {measure['unit']}."
    lines = [[agent, *_cells(behaviour, agent, phases, name)] for agent in agents]
    more = numbers(
        html_table(f"{measure['title']}, by phase", ["agent", *phases], lines),
        "The numbers, by phase",
    )
    return card(_capital(measure["title"]), measure["meaning"] + unit, plot, more)


def _cells(behaviour: dict[str, Any], agent: str, phases: list[str], measure: str) -> list[str]:
    form = form_of(behaviour["measures"][measure]["unit"])
    cells = []
    for phase in phases:
        estimate = _estimate_of(behaviour, agent, phase, measure)
        within = interval(estimate["low"], estimate["high"], form)
        known = "" if within == NOTHING else f" ({within})"
        cells.append(f"{form(estimate['value'])}{known}")
    return cells


def _phase(phase: str) -> str:
    return "Whole games" if phase == "all" else _capital(phase)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
