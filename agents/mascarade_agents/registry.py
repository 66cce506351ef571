"""Agents by name: "random", "bluffer:0.3", "ismcts:500", "net:path/to/file".

What stands before the colon names an entry point of the group `mascarade.agents`, of any installed
package; what stands after it is for the agent to read. So others add agents by a few lines in
their own pyproject.toml:

    [project.entry-points."mascarade.agents"]
    my_agent = "my_package:MyAgent"

An agent of a file needs no package: "mine.py:MyAgent", or "mine.py:MyAgent:0.3".
"""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from mascarade_agents.agent import Agent
from mascarade_agents.from_file import SUFFIX, from_file
from mascarade_agents.mishaps import in_short
from mascarade_env.core.errors import MascaradeError, UnknownNameError, did_you_mean
from mascarade_env.core.scenarios import Scenario, resolve

GROUP = "mascarade.agents"


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def agent_names() -> list[str]:
    """What may stand before the colon."""
    return sorted(_entries())


def make_agent(name: str, scenario: str | Path | Mapping[str, Any] | Scenario = "6A") -> Agent:
    """The agent of a name such as "bluffer:0.3".

    Args:
        name: the name of an entry point, and after a colon what the agent wants to know; or a file
            that ends in `.py`, and after a colon the class in it.
        scenario: what it plays: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.

    Raises:
        UnknownNameError: there is no such agent.
        MascaradeError: it cannot be made as told, a library is missing that it needs, or its code
            fails.
    """
    rules = resolve(scenario)
    try:
        make, given, where = _maker(name)
        agent = make(rules, given)
    except (MascaradeError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit too: others' code does not end a program
        raise MascaradeError(f"agent {name!r} cannot be made: {in_short(error)}") from error
    if not isinstance(agent, Agent):
        raise MascaradeError(
            f"agent {name!r} of {where} is no mascarade_agents.Agent, but {agent!r}"
        )
    return agent


def _maker(name: str) -> tuple[Callable[[Scenario, str], object], str, str]:
    """What makes an agent, what that one wants to know, and where it comes from."""
    kind, _, argument = name.partition(":")
    if kind.endswith(SUFFIX):
        return *from_file(kind, argument), kind
    known = _entries()
    if kind not in known:
        raise UnknownNameError(
            f"unknown agent {kind!r}{did_you_mean(kind, sorted(known))}; one of your own is called "
            "by its file and class, as in mine.py:MyAgent"
        )
    return known[kind].load(), argument, known[kind].value
