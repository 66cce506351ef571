"""The HTML page of an arena: one file that loads no other files.

The other modules of this package make the sections of the page. report.css has the styles.
"""

from collections.abc import Iterator
from importlib import resources
from typing import Any

from mascarade_agents.report._behaviour_section import conduct
from mascarade_agents.report._cycle_section import cycles, no_cycles
from mascarade_agents.report._matrix_sections import duels, pairs
from mascarade_agents.report._mixed_section import mixed
from mascarade_agents.report._page_parts import html_table, section, terms
from mascarade_agents.report._plots import safe
from mascarade_agents.report._sentences import counted
from mascarade_env.render._shapes import COLOURS

#: The colours that the style sheet uses, by role.
_ROLES = ("ground", "card", "edge", "ink", "soft", "trough", "likely", "turn", "decides", "claims")


#: Names for those keys of `meta` that a reader may not understand.
_SETTINGS = {
    "package": "version of mascarade-env",
    "games_wanted": "games asked for",
    "broken_off": "games truncated",
    "seconds_per_decision": "seconds per decision, at most",
}


def html_page(summary: dict[str, Any]) -> str:
    """Return a summary as an HTML page, with light and dark colours, for screens and paper.

    Args:
        summary: the return value of `summary`, or the JSON of a file that `write_json` wrote.
    """
    title = summary["meta"].get("title") or f"Mascarade {summary['scenario']}: arena"
    parts = [
        f"<header><h1>{safe(title)}</h1><p>{safe(_subtitle(summary))}</p></header>",
        section("Summary", _in_words(summary), kind="says"),
        *cycles(summary),
        *mixed(summary),
        *pairs(summary, no_cycles(summary)),
        *duels(summary),
        *conduct(summary),
        *_on_forfeits(summary),
        _settings_section(summary),
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


def _subtitle(summary: dict[str, Any]) -> str:
    games, many = summary["games"], summary["players"] - 1
    if games["mixed"] + games["one_against_many"] > games["all"]:
        names = {"mixed": f"both mixed and 1 vs {many}"}
    else:
        names = {"mixed": "mixed", "one_against_many": f"of 1 vs {many}"}
    names["mirror"] = "with one agent for all players"
    kinds = [f"{games[kind]:,} {name}" for kind, name in names.items() if games[kind]]
    split = f" ({', '.join(kinds)})" if len(kinds) > 1 else ""
    return (
        f"{counted(len(summary['agents']), 'agent')}, {summary['players']} players, "
        f"{counted(games['all'], 'game')}{split} from {counted(games['deals'], 'deal')}"
    )


def _in_words(summary: dict[str, Any]) -> str:
    sentences = "".join(f"<p>{safe(sentence)}</p>" for sentence in summary["says"])
    words = f"<div>{sentences}</div>"
    if not summary["games"]["mixed"] and not summary["games"]["one_against_many"]:
        return words
    return f'<div class="cards said">{words}{terms(_meanings(summary))}</div>'


def _meanings(summary: dict[str, Any]) -> dict[str, str]:
    """Return the terms that the page uses, with their meanings."""
    games, players = summary["games"], summary["players"]
    meanings = {
        "Win share": "1 for a win, divided by the number of players who win the game.",
        "Fair share": f"The win share of equal players: 1/{players}, one divided by the number of "
        "players.",
    }
    if games["mixed"]:
        meanings["Mixed game"] = (
            "A game in which all agents have the same number of players, as far as possible."
        )
    if games["one_against_many"]:
        meanings[f"1 vs {players - 1}"] = (
            f"A game of one player of an agent against {players - 1} players of another agent."
        )
        meanings["A beats B both ways"] = (
            "One A against copies of B wins significantly more than the fair share, and one B "
            "against copies of A wins significantly less."
        )
    meanings |= {
        "95% interval": "A range from a bootstrap over deals. In 95 of 100 arenas like this one, "
        "the range contains the true value.",
        "Significant": "Significant at 95% after correction for the number of comparisons. So an "
        "interval may exclude the fair share although the difference is not significant.",
    }
    if games["mixed"]:
        meanings["OpenSkill rating"] = (
            "A rating for games of many players. Players who do not win count as tied, which "
            "makes all ratings more similar: compare their order, not their distances."
        )
        meanings["Sigma, spread"] = (
            "Two standard deviations of a rating. Sigma is its uncertainty. Spread shows how much "
            "it changes with the order of the games."
        )
    return meanings


def _on_forfeits(summary: dict[str, Any]) -> Iterator[str]:
    reasons = summary["meta"].get("forfeits") or []
    lost = [agent for agent in summary["ranking"] if summary["forfeits"][agent]]
    if not lost and not reasons:
        return
    body = html_table(
        "Forfeits",
        ["agent", "games forfeited"],
        [[summary["agents"][agent], f"{summary['forfeits'][agent]:,}"] for agent in lost],
    )
    if reasons:
        lines = [
            [entry.get("agent", ""), entry.get("count", 1), entry.get("reason", "")]
            for entry in reasons
        ]
        body += html_table("Reasons of forfeits", ["agent", "games", "reason"], lines, words=True)
    note = (
        "In a forfeited game, the players of the agent that forfeits get nothing, and the other "
        "players share the win."
    )
    yield section("Forfeits", f'<p class="note">{note}</p>{body}')


def _settings_section(summary: dict[str, Any]) -> str:
    games = summary["games"]
    meta = {
        key: value
        for key, value in summary["meta"].items()
        if key not in ("title", "forfeits") and value is not None
    }
    lines = [
        *([_SETTINGS.get(key, key.replace("_", " ")), value] for key, value in meta.items()),
        ["scenario", summary["scenario"]],
        [
            "games",
            f"{games['all']:,} of {games['deals']:,} deals, {games['decisions']:,} decisions",
        ],
    ]
    return section("Settings", html_table("Settings", [], lines, words=True))


def _colours() -> str:
    roles = [each for role in _ROLES for each in (role, f"on {role}") if each in COLOURS]
    light, dark = (
        "".join(f"--{role.replace(' ', '-')}:{COLOURS[role][number]};" for role in roles)
        for number in (0, 1)
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def _style() -> str:
    return resources.files(__package__).joinpath("report.css").read_text("utf-8")
