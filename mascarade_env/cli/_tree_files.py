"""Build the tree of a scenario with a progress bar, or read it from a file."""

from pathlib import Path

from mascarade_env._errors import MascaradeError
from mascarade_env.cli._progress import bar
from mascarade_env.exact import GameTree, build, load_tree
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.render._scene import printable

#: The scenario if the user does not name one.
SCENARIO = "small-2"


def known(scenario: str | None, tree: Path | None) -> tuple[Scenario, GameTree | None]:
    """Return the scenario that the options name, and its tree if `tree` is a file."""
    if tree is None:
        return resolve(SCENARIO if scenario is None else scenario), None
    with bar() as show:
        show(0, None, f"reading {printable(str(tree))}")
        game = load_tree(tree)
    if scenario is not None and resolve(scenario).to_dict() != game.scenario.to_dict():
        raise MascaradeError(
            printable(
                f"{tree} contains the tree of {game.scenario.name}, not of the scenario "
                f"{scenario}: use only one of --tree and --scenario"
            )
        )
    return game.scenario, game


def built(rules: Scenario) -> GameTree:
    """Build and return the tree of a scenario, and show the number of nodes during the work."""
    name = printable(rules.name)
    with bar() as show:
        return build(
            rules, progress=lambda nodes: show(nodes, None, f"the tree of {name}: {nodes:,} nodes")
        )


def check_npz(out: Path) -> None:
    """Raise an error if the file name does not end in .npz."""
    if out.suffix != ".npz":
        raise MascaradeError(f"--out must be a file whose name ends in .npz, not {str(out)!r}")
