"""A summary as one HTML page that needs nothing else, not even a network."""

from collections.abc import Iterator
from importlib import resources
from typing import Any

from mascarade_agents.report._behaviour_section import conduct
from mascarade_agents.report._cycle_section import cycles, no_cycles
from mascarade_agents.report._matrix_sections import duels, pairs
from mascarade_agents.report._mixed_section import mixed
from mascarade_agents.report._page_parts import html_table, section
from mascarade_agents.report._plots import safe
from mascarade_agents.report._sentences import counted
from mascarade_env.render._shapes import COLOURS

#: What the style sheet uses, and what stands on it.
_ROLES = ("ground", "card", "edge", "ink", "soft", "trough", "likely", "turn", "decides", "claims")


def html_page(summary: dict[str, Any]) -> str:
    """Return a summary as an HTML page: one file, light and dark, for screens and for paper.

    Args:
        summary: made by `summary`, or read from the file that `write_json` wrote.
    """
    title = summary["meta"].get("title") or f"Mascarade {summary['scenario']}: who plays better"
    parts = [
        f"<header><h1>{safe(title)}</h1><p>{safe(_subtitle(summary))}</p></header>",
        section("What this says", _in_words(summary), kind="says"),
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
    games = summary["games"]
    if games["mixed"] + games["one_against_many"] > games["all"]:
        names = {"mixed": "both mixed and one against many"}
    else:
        names = {"mixed": "mixed", "one_against_many": "one against many"}
    names["mirror"] = "of one agent alone"
    kinds = [f"{games[kind]:,} {name}" for kind, name in names.items() if games[kind]]
    split = f" ({', '.join(kinds)})" if len(kinds) > 1 else ""
    return (
        f"{counted(len(summary['agents']), 'agent')}, {summary['players']} players, "
        f"{counted(games['all'], 'game')}{split} from {counted(games['deals'], 'deal')}"
    )


def _in_words(summary: dict[str, Any]) -> str:
    sentences = "".join(f"<p>{safe(sentence)}</p>" for sentence in summary["says"])
    if not summary["games"]["mixed"] and not summary["games"]["one_against_many"]:
        return sentences
    return (
        f'{sentences}<p class="note">What is called clear allows for how many are compared: were '
        "all agents equal, hardly one arena in twenty would show any clear win share, and as few "
        "any clear pair, or any clear one against many. An interval is of 95% for one value alone; "
        "so it may miss the fair share where nothing is clear. It leaves room for kinds of deals "
        "that have not come up, and so is wide where deals are few.</p>"
    )


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
    note = "All players of the agent get nothing of such a game; those of others share the win."
    yield section("Forfeits", f'<p class="note">{note}</p>{body}')


def _settings_section(summary: dict[str, Any]) -> str:
    games = summary["games"]
    meta = {
        key: value
        for key, value in summary["meta"].items()
        if key not in ("title", "forfeits") and value is not None
    }
    lines = [
        *([key.replace("_", " "), value] for key, value in meta.items()),
        ["scenario", summary["scenario"]],
        [
            "games",
            f"{games['all']:,} of {games['deals']:,} deals, {games['decisions']:,} decisions",
        ],
    ]
    return section("How this was made", html_table("How this was made", [], lines, words=True))


def _colours() -> str:
    roles = [each for role in _ROLES for each in (role, f"on {role}") if each in COLOURS]
    light, dark = (
        "".join(f"--{role.replace(' ', '-')}:{COLOURS[role][number]};" for role in roles)
        for number in (0, 1)
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def _style() -> str:
    return resources.files(__package__).joinpath("report.css").read_text("utf-8")
