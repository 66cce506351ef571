"""The tree of a scenario, built while somebody watches or read from a file; files for results."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from mascarade_env.cli.progress import bar
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_env.exact import GameTree, build, load_tree
from mascarade_env.exact.files import check_place
from mascarade_env.render.scene import printable

#: Which scenario is meant if none is named.
SCENARIO = "small-2"


def known(scenario: str | None, tree: Path | None) -> tuple[Scenario, GameTree | None]:
    """The scenario that is meant, and its tree if that is in a file."""
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
    """The tree of a scenario."""
    name = printable(rules.name)
    with bar() as show:
        return build(
            rules, watch=lambda nodes: show(nodes, None, f"the tree of {name}: {nodes:,} nodes")
        )


def check_npz(out: Path) -> None:
    """Refuse names of files that NumPy's arrays are not looked for in."""
    if out.suffix != ".npz":
        raise MascaradeError(f"--out is a file whose name ends in .npz, not {str(out)!r}")


def check_outputs(
    outputs: Mapping[str, Path], scenario: str | None = None, tree: Path | None = None
) -> None:
    """Rather refuse files now than when the work is done: no place, or the place of another.

    Args:
        outputs: what shall be written, by what it is called.
        scenario: what is read, if it is a file.
        tree: what is read.
    """
    files = {} if tree is None else {"--tree": tree}
    if scenario is not None and scenario.endswith(".json"):
        files["--scenario"] = Path(scenario)
    for what, path in outputs.items():
        for other, file in files.items():
            if _same(path, file):
                raise MascaradeError(
                    f"{what} would overwrite {str(file)!r}, the file of {other}: name another file"
                )
        files[what] = path
        _check_writable(path)


def make_folder(path: Path) -> None:
    """The folder of a file that is to be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MascaradeError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _check_writable(path: Path) -> None:
    """Whether a file can be made; nothing is left of the trial, not even a folder."""
    missing = [folder for folder in path.parents if not os.path.lexists(folder)]
    try:
        make_folder(path)
        check_place(path)
    finally:
        for folder in missing:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there yet
        return os.path.realpath(one) == os.path.realpath(other)
