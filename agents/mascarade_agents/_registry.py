"""Agents by name: "random", "bluffer:0.3", "ismcts:500", "net:path/to/file".

The part before the colon is the name of an entry point in the group `mascarade.agents`, which any
installed package may define. The agent reads the part after the colon. So another package adds an
agent by two lines in its pyproject.toml:

    [project.entry-points."mascarade.agents"]
    my_agent = "my_package:MyAgent"

An agent in a Python file does not need a package: "mine.py:MyAgent", or "mine.py:MyAgent:0.3".

`make_agent` runs the code of an agent. Give it only names that the user has typed or that
`check_stored` accepts: names in records, checkpoints and other data may come from anybody.
"""

import os
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import Any

from mascarade_agents._agent import Agent
from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env._policies.from_file import SUFFIX
from mascarade_env._policies.names import make_policy, registered
from mascarade_env.game._scenarios import Scenario, resolve


def agent_names() -> list[str]:
    """Return the names of agents, without the argument after the colon."""
    return sorted(registered())


def check_stored(name: str, file: str | Path, flag: str) -> None:
    """Refuse a stored agent name that could run code or read files elsewhere.

    The part before the colon must be a registered name. If the part after it is a file of weights,
    this file must be in the folder of the data file, and its path must be relative and without
    "..". Python files are always refused.

    Args:
        name: the name of the agent in the data file.
        file: the data file that the user has named, or its folder.
        flag: the flag with which the user can name the agent on the command line instead.

    Raises:
        MascaradeError: the name is refused; the error says why and what to do.
    """
    kind, _, argument = name.partition(":")
    folder = Path(file) if Path(file).is_dir() else Path(file).parent
    if kind.endswith(SUFFIX):
        why = "it is a Python file, and code that is named in data never runs"
    elif kind not in (known := registered()):
        why = f"there is no agent {kind!r:.60}{did_you_mean(kind, sorted(known))}"
    elif _leads_out(argument, folder):
        why = f"its file is not in the folder {str(folder)!r}, or is not named by a relative path"
    else:
        return
    raise MascaradeError(
        f"{str(file)!r} names the agent {name!r:.200}, which is refused: {why}; if you trust this "
        f"agent, name it on the command line, by {flag}"
    )


def _leads_out(argument: str, folder: Path) -> bool:
    """Return whether an argument is the path of a file outside a folder."""
    path = PureWindowsPath(argument)  # it splits paths at both kinds of slashes
    if path.anchor or ".." in path.parts or argument.startswith("~"):
        return True
    if len(path.parts) < 2 and not os.path.lexists(argument):
        return False
    try:
        return not Path(os.path.realpath(argument)).is_relative_to(os.path.realpath(folder))
    except ValueError:  # no file can have this name
        return True


def make_agent(name: str, scenario: str | Path | Mapping[str, Any] | Scenario = "6A") -> Agent:
    """Make the agent with a name such as "bluffer:0.3".

    Args:
        name: the name of an entry point, optionally with a colon and an argument; or a file whose
            name ends in `.py`, with a colon and the name of a class in it.
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.

    Raises:
        UnknownNameError: no agent has this name.
        MascaradeError: the argument is wrong, a library that the agent needs is missing, or its
            code fails.
    """
    made = make_policy(name, resolve(scenario))
    if not isinstance(made, Agent):
        raise MascaradeError(
            f"agent {name!r} must be an object of a subclass of mascarade_agents.Agent, not "
            f"{made!r}"
        )
    return made
