"""The tree of a scenario, built with a progress bar or read from a file."""

from pathlib import Path

from mascarade_env._errors import MascaradeError
from mascarade_env.cli._progress import bar
from mascarade_env.exact import GameTree, build, load_tree
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.render._scene import printable

#: Which scenario is meant if none is named.
SCENARIO = "small-2"


def known(scenario: str | None, tree: Path | None) -> tuple[Scenario, GameTree | None]:
    """Return the scenario that is meant, and its tree if that is in a file."""
    if tree is None:
        return resolve(SCENARIO if scenario is None else scenario), None
    with bar() as show:
        show(0, None, f"reading {printable(str(tree))}")
        game = load_tree(tree)
    if scenario is not None and resolve(scenario).to_dict() != game.scenario.to_dict():
        raise MascaradeError(
            printable(
                f"{tree} holds the tree of {game.scenario.name}, not of the scenario {scenario}: "
                "leave out one of the two"
            )
        )
    return game.scenario, game


def built(rules: Scenario) -> GameTree:
    """Return the tree of a scenario."""
    name = printable(rules.name)
    with bar() as show:
        return build(
            rules, progress=lambda nodes: show(nodes, None, f"the tree of {name}: {nodes:,} nodes")
        )


def check_npz(out: Path) -> None:
    """Refuse names of files that NumPy's arrays are not looked for in."""
    if out.suffix != ".npz":
        raise MascaradeError(f"--out is a file whose name ends in .npz, not {str(out)!r}")
