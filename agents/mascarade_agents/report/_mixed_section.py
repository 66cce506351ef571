"""The section of the page on mixed games: win shares and ratings."""

from collections.abc import Iterator
from typing import Any

from mascarade_agents.ratings._skill import START
from mascarade_agents.report._numbers import NOTHING, interval, percent, plain, scale_for
from mascarade_agents.report._page_parts import card, html_table, numbers, section
from mascarade_agents.report._plots import Row, dot_plot, legend, safe
from mascarade_agents.report._sentences import listed

_SIGNIFICANTLY = {1: "above", 0: NOTHING, -1: "below"}


def mixed(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on mixed games, if there are mixed games."""
    if not summary["games"]["mixed"]:
        return
    shares, skill, names = summary["win_shares"], summary["skill"], summary["agents"]
    ranked = [agent for agent in summary["ranking"] if shares["value"][agent] is not None]
    heads = ["agent", "win share", "95% interval", "significantly", "played"]
    heads += ["mu", "sigma", "spread", "ordinal", "forfeits"]
    lines = [
        [
            names[agent],
            percent(shares["value"][agent]),
            interval(shares["low"][agent], shares["high"][agent], percent),
            _SIGNIFICANTLY[shares["clear"][agent]],
            f"{shares['count'][agent]:,}",
            *(plain(skill[column][agent]) for column in ("mu", "sigma", "spread", "ordinal")),
            f"{summary['forfeits'][agent]:,}",
        ]
        for agent in ranked
    ]
    more = numbers(html_table("Mixed games", heads, lines))
    cards = f'<div class="cards two">{_shares(summary, ranked)}{_skill(summary, ranked)}</div>'
    yield section("Mixed games", cards + more)


def _shares(summary: dict[str, Any], ranked: list[int]) -> str:
    shares, fair = summary["win_shares"], summary["fair_share"]
    rows = []
    for agent in ranked:
        value, low, high = (shares[end][agent] for end in ("value", "low", "high"))
        text = f"{percent(value)} ({interval(low, high, percent)})"
        rows.append(Row(summary["agents"][agent], value, low, high, text))
    plot = dot_plot(
        rows,
        scale_for([0.0, fair, *shares["high"]], most=1),
        percent,
        label="Win shares in mixed games",
        mark=fair,
    )
    key = legend(
        (("interval", "95% interval"),
         ("mark", f"fair share, 1/{summary['players']} = {percent(fair)}"))
    )  # fmt: skip
    return card("Win shares", "Each dot is the mean win share of an agent.", key + plot)


def _skill(summary: dict[str, Any], ranked: list[int]) -> str:
    skill = summary["skill"]
    by_skill = sorted(ranked, key=lambda agent: -skill["mu"][agent])
    rows = []
    for agent in by_skill:
        mu, sigma, spread = (skill[column][agent] for column in ("mu", "sigma", "spread"))
        low, high = mu - 2 * sigma, mu + 2 * sigma
        text = f"{plain(mu)} ({interval(low, high, plain)})"
        rows.append(Row(summary["agents"][agent], mu, low, high, text, spread))
    plot = dot_plot(
        rows,
        scale_for([START, *(end for row in rows for end in (row.low, row.high))]),
        plain,
        label="OpenSkill ratings",
        mark=START,
    )
    key = legend(
        (("interval", "two sigma on each side"),
         ("spread", "one spread on each side"),
         ("mark", f"rating before the first game, {START:g}"))
    )  # fmt: skip
    more = ""
    if near := _close_in_skill(summary, by_skill):
        groups = safe("; ".join(near))
        more = f'<p class="note">Ratings that differ by less than the spread: {groups}.</p>'

    note = "Each dot is the OpenSkill rating of an agent."
    return card("OpenSkill ratings", note, key + plot, more)


def _close_in_skill(summary: dict[str, Any], by_skill: list[int]) -> list[str]:
    """Return groups of agents: ratings next to each other differ by less than the spread."""
    mu, spread = summary["skill"]["mu"], summary["skill"]["spread"]
    groups: list[list[int]] = []
    for agent in by_skill:
        last = groups[-1][-1] if groups else agent
        if groups and mu[last] - mu[agent] < max(spread[last], spread[agent]):
            groups[-1].append(agent)
        else:
            groups.append([agent])
    return [
        listed([summary["agents"][agent] for agent in group]) for group in groups if len(group) > 1
    ]
