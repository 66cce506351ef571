"""The section of the page on mixed games: win shares and ratings."""

from collections.abc import Iterator
from typing import Any

from mascarade_agents.report._numbers import NOTHING, interval, percent, plain, scale_for
from mascarade_agents.report._page_parts import card, html_table, numbers, section
from mascarade_agents.report._plots import Row, dot_plot, legend
from mascarade_agents.report._sentences import listed

_CLEARLY = {1: "above", 0: NOTHING, -1: "below"}


def mixed(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the section on mixed games, if any were played."""
    if not summary["games"]["mixed"]:
        return
    shares, skill, names = summary["win_shares"], summary["skill"], summary["agents"]
    ranked = [agent for agent in summary["ranking"] if shares["value"][agent] is not None]
    heads = ["agent", "win share", "95% interval", "clearly", "played"]
    heads += ["mu", "sigma", "spread", "ordinal", "forfeits"]
    lines = [
        [
            names[agent],
            percent(shares["value"][agent]),
            interval(shares["low"][agent], shares["high"][agent], percent),
            _CLEARLY[shares["clear"][agent]],
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
        mark=(fair, f"fair {percent(fair)}"),
    )
    return card(
        "Win shares",
        "What part of the wins a player gets that is this agent: 1/w of a game that w players "
        "win. Lines are 95% intervals, made by drawing deals.",
        plot,
    )


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
        scale_for([25.0, *(end for row in rows for end in (row.low, row.high))]),
        plain,
        label="OpenSkill ratings",
        mark=(25.0, "start 25"),
    )
    note = (
        "Plackett-Luce ratings, the means over many orders in which the games are taken. Those who "
        "do not win count as equal, which pulls ratings together: their order tells more than "
        "their distance."
    )
    if near := _close_in_skill(summary, by_skill):
        note += (
            " Nearer their neighbours than the spread, so that another order of the games may turn "
            f"them round: {'; '.join(near)}."
        )
    lines = (("sigma", "two sigma each way"),
             ("spread", "spread each way: one standard deviation between orders"))  # fmt: skip
    return card("OpenSkill", note, legend(lines) + plot)


def _close_in_skill(summary: dict[str, Any], by_skill: list[int]) -> list[str]:
    """Agents that are nearer their neighbours than the spread, in words."""
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
