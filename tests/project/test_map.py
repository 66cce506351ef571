"""The map of the code: docstrings of packages, and what CONTRIBUTING.md says about the code.

The docstring of each package lists its files, one a line: "name.py: what", "folder/: what".
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT, ROOT / "agents", ROOT / "train")  # what packages are imported from
PACKAGES = {
    ".".join(init.parent.relative_to(source).parts): init.parent
    for source in SOURCES
    for root in ("mascarade_env", "mascarade_agents", "mascarade_train", "lab")
    for init in sorted((source / root).rglob("__init__.py"))
}


def docstring(package: str) -> str:
    tree = ast.parse((PACKAGES[package] / "__init__.py").read_text("utf-8"))
    return ast.get_docstring(tree) or ""


def listed(package: str) -> list[str]:
    """What the docstring of a package lists, in order: files, and folders with a slash."""
    return re.findall(r"^([\w.]+\.\w+|\w+/): \S", docstring(package), re.MULTILINE)


def in_order(package: str) -> bool:
    words = " ".join(docstring(package).split())
    return bool(re.search(r"may import (those|the files|the files listed) above it", words))


def modules(folder: Path) -> set[str]:
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    return files | {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}


def imported(file: Path) -> Iterator[str]:
    """Names of modules, and of what is taken from them, without imports for type checkers."""
    waiting: list[ast.AST] = [ast.parse(file.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)
        waiting += ast.iter_child_nodes(node)


def test_packages_are_found() -> None:
    assert len(PACKAGES) > 30
    assert sum(map(in_order, PACKAGES)) > 15


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_lists_its_files(package: str) -> None:
    folder, entries = PACKAGES[package], listed(package)
    assert len(entries) == len(set(entries))
    assert not [entry for entry in entries if not (folder / entry).exists()], "these are gone"
    assert not modules(folder) - set(entries), "the docstring of the package lacks these"


@pytest.mark.parametrize("package", PACKAGES)
def test_files_import_those_above_them_where_the_package_says_so(package: str) -> None:
    if not in_order(package):
        return
    folder, entries = PACKAGES[package], listed(package)
    for number, entry in enumerate(entries):
        below = tuple(f"{package}.{name.removesuffix('.py')}." for name in entries[number + 1 :])
        for name in imported(folder / entry) if entry.endswith(".py") else ():
            assert not f"{name}.".startswith(below), f"{entry} imports {name}"


def test_contributing_names_files_and_functions_that_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Tests\n")[0]
    page = re.sub(r"\n## Style\n.*?(?=\n## )", "", page, flags=re.DOTALL)  # words, not names
    spans = set(re.findall(r"`([^`\n]+)`", page))
    files = {span for span in spans if re.fullmatch(r"[\w./]+\.(py|toml|md|txt)", span)}
    assert len(files) > 30
    folders = [ROOT / name for name in ("mascarade_env", "agents", "train", "tests")]
    there = [*ROOT.glob("*.*"), *(path for folder in folders for path in folder.rglob("*.*"))]
    places = [f"/{path.relative_to(ROOT).as_posix()}" for path in there]
    gone = [name for name in files if not any(at.endswith(f"/{name}") for at in places)]
    assert not gone
    names = {span.partition("(")[0] for span in spans - files}
    names = {name.rpartition(".")[2] for name in names if re.fullmatch(r"[\w.]+", name)}
    assert len(names) > 60
    sources = {path for package in PACKAGES.values() for path in package.glob("*.py")}
    code = " ".join(path.read_text("utf-8") for path in sources)
    unknown = names - set(re.findall(r"\w+", code))
    assert not unknown
