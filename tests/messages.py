"""Tests of messages: a message must state certain facts, in any wording."""

import re


def facts(*given: object) -> str:
    """Return a pattern of the texts that state all given facts, in any order.

    A fact is what a reader acts on: a name, a number, a place, an option, a command. It is found as
    a whole, so that "4" is not found in "14", "4A", "-4", "0.4" or "4,000", nor "--league" in
    "--league-keep"; a line may break where it has a space. A verb or an article is not a fact.
    """
    return "(?s)^" + "".join(f"(?=.*{_whole(str(fact))})" for fact in given)


def states(text: str, *given: object) -> bool:
    """Return whether the text states all given facts."""
    return re.search(facts(*given), text) is not None


def lines_stating(text: str, *given: object) -> list[str]:
    """Return the lines of the text each of which states all given facts."""
    return [line for line in text.splitlines() if states(line, *given)]


def _whole(fact: str) -> str:
    """Return a pattern of the fact that no longer word, number or option name contains."""
    if not re.search(r"\w|\S\S", fact):
        raise ValueError(f"{fact!r} is no fact: give a word or a number")
    before = r"(?<![\w-])(?<!\d[.,])" if re.match(r"[\w-]", fact) else ""
    after = r"(?!\w)(?![.,-]\w)" if re.search(r"\w$", fact) else ""
    return before + r"\s+".join(map(re.escape, fact.split())) + after
