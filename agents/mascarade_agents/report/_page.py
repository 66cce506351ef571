"""A summary as one HTML page that needs nothing else, not even a network."""

from collections.abc import Iterator
from importlib import resources
from typing import Any

from mascarade_agents.report._behaviour_section import conduct
from mascarade_agents.report._cycle_section import cycles, no_cycles
from mascarade_agents.report._matrix_sections import duels, pairs
from mascarade_agents.report._mixed_section import mixed
from mascarade_agents.report._page_parts import section, table
from mascarade_agents.report._plots import safe
from mascarade_agents.report._sentences import counted
from mascarade_env.render._shapes import COLOURS

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
        section("What this says", _in_words(found), kind="says"),
        *cycles(found),
        *mixed(found),
        *pairs(found, no_cycles(found)),
        *duels(found),
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
    if games["mixed"] + games["one_against_many"] > games["all"]:
        names = {"mixed": "both mixed and one against many"}
    else:
        names = {"mixed": "mixed", "one_against_many": "one against many"}
    names["mirror"] = "of one agent alone"
    kinds = [f"{games[kind]:,} {name}" for kind, name in names.items() if games[kind]]
    split = f" ({', '.join(kinds)})" if len(kinds) > 1 else ""
    return (
        f"{counted(len(found['agents']), 'agent')}, {found['players']} players, "
        f"{counted(games['all'], 'game')}{split} from {counted(games['deals'], 'deal')}"
    )


def _in_words(found: dict[str, Any]) -> str:
    said = "".join(f"<p>{safe(sentence)}</p>" for sentence in found["says"])
    if not found["games"]["mixed"] and not found["games"]["one_against_many"]:
        return said
    return (
        f'{said}<p class="note">What is called clear allows for how many are compared: were all '
        "agents equal, hardly one arena in twenty would show any clear win share, and as few any "
        "clear pair, or any clear one against many. An interval is of 95% for one value alone; so "
        "it may miss the fair share where nothing is clear. It leaves room for kinds of deals that "
        "have not come up, and so is wide where deals are few.</p>"
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
    note = "All players of the agent get nothing of such a game; those of others share the win."
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
