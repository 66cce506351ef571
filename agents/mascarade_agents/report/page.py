"""A summary as one HTML page that needs nothing else, not even a network."""

from collections.abc import Iterator
from importlib import resources
from typing import Any

from mascarade_agents.report.conduct import conduct
from mascarade_agents.report.drawing import Part, Row, bars, dot_plot, safe
from mascarade_agents.report.maps import duels, pairs
from mascarade_agents.report.numbers import interval, percent, plain, scale_for
from mascarade_agents.report.parts import card, numbers, section, table
from mascarade_agents.report.words import counted
from mascarade_env.render.shapes import COLOURS

#: What the style sheet uses, and what stands on it.
_ROLES = ("ground", "card", "edge", "ink", "soft", "trough", "likely", "turn", "decides", "claims")


def html_page(found: dict[str, Any]) -> str:
    """A summary as a page to look at: one file, light and dark, for screens and for paper.

    Args:
        found: made by `summary`, or read from the file that `write_json` wrote.
    """
    title = found["meta"].get("title") or f"Mascarade {found['scenario']}: who plays better"
    parts = [
        f"<header><h1>{safe(title)}</h1><p>{safe(_below(found))}</p></header>",
        section(
            "What this says",
            "".join(f"<p>{safe(sentence)}</p>" for sentence in found["says"]),
            kind="says",
        ),
        *_on_cycles(found, first=True),
        *_on_mixed(found),
        *duels(found),
        *pairs(found),
        *_on_cycles(found, first=False),
        *conduct(found),
        *_on_forfeits(found),
        _how(found),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{safe(title)}</title>\n<style>{_colours()}\n{_style()}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _below(found: dict[str, Any]) -> str:
    games = found["games"]
    kinds = [
        f"{games[kind]:,} {name}"
        for kind, name in (
            ("mixed", "mixed"),
            ("one_against_many", "one against many"),
            ("mirror", "of one agent alone"),
        )
        if games[kind]
    ]
    split = f" ({', '.join(kinds)})" if len(kinds) > 1 else ""
    return (
        f"{counted(len(found['agents']), 'agent')}, {found['players']} players, "
        f"{counted(games['all'], 'game')}{split} from {counted(games['deals'], 'deal')}"
    )


def _on_mixed(found: dict[str, Any]) -> Iterator[str]:
    if not found["games"]["mixed"]:
        return
    shares, skill, names = found["win_shares"], found["skill"], found["agents"]
    ranked = [agent for agent in found["ranking"] if shares["value"][agent] is not None]
    rows = [
        Row(
            names[agent],
            shares["value"][agent],
            shares["low"][agent],
            shares["high"][agent],
            f"{percent(shares['value'][agent])} "
            f"({interval(shares['low'][agent], shares['high'][agent], percent)})",
        )
        for agent in ranked
    ]
    fair = found["fair_share"]
    wins = dot_plot(
        rows,
        scale_for([0.0, fair, *shares["high"]], most=1),
        percent,
        label="Win shares in mixed games",
        mark=(fair, f"fair {percent(fair)}"),
    )
    by_skill = sorted(ranked, key=lambda agent: -skill["mu"][agent])
    rated = [
        Row(
            names[agent],
            mu := skill["mu"][agent],
            mu - 2 * (sigma := skill["sigma"][agent]),
            mu + 2 * sigma,
            f"{plain(mu)} (+- {plain(sigma)})",
        )
        for agent in by_skill
    ]
    skills = dot_plot(
        rated,
        scale_for([25.0, *(end for row in rated for end in (row.low, row.high))]),
        plain,
        label="OpenSkill ratings",
        mark=(25.0, "start 25"),
    )
    cards = [
        card(
            "Win shares",
            "What part of the wins a player gets that is this agent: 1/w of a game that w players "
            "win. Lines are 95% intervals, made by drawing deals.",
            wins,
        ),
        card(
            "OpenSkill",
            "Plackett-Luce ratings; lines are two sigma each way. Those who do not win count as "
            "equal, which pulls ratings together: their order tells more than their distance.",
            skills,
        ),
    ]
    heads = ["agent", "win share", "95% interval", "played", "mu", "sigma", "ordinal", "forfeits"]
    lines = [
        [
            names[agent],
            percent(shares["value"][agent]),
            interval(shares["low"][agent], shares["high"][agent], percent),
            f"{shares['count'][agent]:,}",
            *(plain(skill[column][agent]) for column in ("mu", "sigma", "ordinal")),
            f"{found['forfeits'][agent]:,}",
        ]
        for agent in ranked
    ]
    more = numbers(table("Mixed games", heads, lines))
    yield section("Mixed games", f'<div class="cards two">{"".join(cards)}</div>{more}')


def _on_cycles(found: dict[str, Any], *, first: bool) -> Iterator[str]:
    """Near the top where there are cycles; at the end, closed, where there are none."""
    if not found["games"]["mixed"] or len(found["agents"]) < 2:
        return
    if first != bool(found["cycles"]["found"]):
        return
    cards = []
    for key, title, note in (
        ("maximal_lottery", "Maximal lottery",
         "Chances to choose each agent by, so that no agent is ahead of the choice: a Nash "
         "equilibrium of the game of choosing an agent."),
        ("alpha_rank", "Alpha-rank",
         "How long each agent is the one that a whole population plays, when what does better "
         "takes over and mutants are rare."),
    ):  # fmt: skip
        order = sorted(found["ranking"], key=found[key].__getitem__, reverse=True)
        rows = [
            (found["agents"][agent], percent(found[key][agent]),
             [Part(title, "sure", found[key][agent])])
            for agent in order
        ]  # fmt: skip
        cards.append(card(title, note, bars(rows, label=title)))
    body = f'<div class="cards two">{"".join(cards)}</div>'
    if first:
        yield section("Agents that beat each other in a cycle", body, kind="cycles")
    else:
        yield section(
            "Cycles",
            '<p class="note">No agents clearly beat each other in a cycle. Where they do, these '
            "two tell more than an order; here they take small differences for sure ones.</p>"
            f"<details><summary>Alpha-rank and maximal lottery</summary>{body}</details>",
        )


def _on_forfeits(found: dict[str, Any]) -> Iterator[str]:
    told = found["meta"].get("forfeits") or []
    lost = [agent for agent in found["ranking"] if found["forfeits"][agent]]
    if not lost and not told:
        return
    body = table(
        "Forfeits",
        ["agent", "games forfeited"],
        [[found["agents"][agent], f"{found['forfeits'][agent]:,}"] for agent in lost],
    )
    if told:
        lines = [
            [entry.get("agent", ""), entry.get("count", 1), entry.get("reason", "")]
            for entry in told
        ]
        body += table("Reasons of forfeits", ["agent", "games", "reason"], lines, words=True)
    note = "Who forfeits gets nothing of the game, and all others share the win."
    yield section("Forfeits", f'<p class="note">{note}</p>{body}')


def _how(found: dict[str, Any]) -> str:
    games = found["games"]
    meta = {
        key: value
        for key, value in found["meta"].items()
        if key not in ("title", "forfeits") and value is not None
    }
    lines = [
        *([key.replace("_", " "), value] for key, value in meta.items()),
        ["scenario", found["scenario"]],
        [
            "games",
            f"{games['all']:,} of {games['deals']:,} deals, {games['decisions']:,} decisions",
        ],
    ]
    return section("How this was made", table("How this was made", [], lines, words=True))


def _colours() -> str:
    roles = [each for role in _ROLES for each in (role, f"on {role}") if each in COLOURS]
    light, dark = (
        "".join(f"--{role.replace(' ', '-')}:{COLOURS[role][number]};" for role in roles)
        for number in (0, 1)
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def _style() -> str:
    return resources.files(__package__).joinpath("report.css").read_text("utf-8")
