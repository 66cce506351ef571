"""The tree of a scenario, built while somebody watches or read from a file."""

import time
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import resolve
from mascarade_env.exact import GameTree, build, load_tree

#: Which scenario is meant if none is named.
SCENARIO = "small-2"


def built(scenario: str) -> tuple[GameTree, float]:
    """The tree of a scenario, and how many seconds it took."""
    rules = resolve(scenario)
    name = escape(rules.name)
    begun = time.perf_counter()
    with Console(stderr=True).status("") as status:
        game = build(
            rules, watch=lambda nodes: status.update(f"the tree of {name}: {nodes:,} nodes")
        )
    return game, time.perf_counter() - begun


def built_or_read(scenario: str | None, file: Path | None) -> GameTree:
    """The tree in a file, if one is named, else that of a scenario."""
    if file is None:
        return built(scenario or SCENARIO)[0]
    with Console(stderr=True).status(f"reading {escape(str(file))}"):
        game = load_tree(file)
    if scenario is not None and resolve(scenario).to_dict() != game.scenario.to_dict():
        raise MascaradeError(
            f"{file} holds the tree of {game.scenario.name}, not of the scenario {scenario}: leave "
            "out one of the two"
        )
    return game


def check_writable(path: Path) -> None:
    """Rather refuse a file now than when the work is done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not path.exists()
        path.open("ab").close()
        if new:
            path.unlink()
    except OSError as error:
        raise MascaradeError(f"cannot write {str(path)!r}: {error.strerror}") from error
