"""The public interface as text: `make api` writes tests/project/public_api.txt.

Everything is read from the source, not from loaded modules: annotations look the same on every
version of Python and NumPy, and an adapter is read without the library that it adapts.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lab.pages.versions import PUBLIC_MODULES

ROOT = Path(__file__).parents[2]
FILE = ROOT / "tests" / "project" / "public_api.txt"
SOURCES = {
    "mascarade_env": ROOT,
    "mascarade_agents": ROOT / "agents",
    "mascarade_train": ROOT / "train",
}
_PRINTED_DECORATORS = ("classmethod", "property", "staticmethod", "cached_property")

Definition = ast.ClassDef | ast.FunctionDef | ast.AnnAssign | ast.Assign


def text() -> str:
    """Return the whole file."""
    return "\n".join(line for name in PUBLIC_MODULES for line in (*_module(name), "")) + "\n"


def promised(module: str) -> list[str]:
    """Return the names in `__all__` of a module; none if it has no `__all__`."""
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return []


def path_of(module: str) -> Path:
    """Return the file of a module or package."""
    place = SOURCES[module.partition(".")[0]].joinpath(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _module(name: str) -> Iterator[str]:
    yield f"# {name}"
    for exported in sorted(promised(name)):
        home = _home(name, exported)
        if home is None:
            yield f"{exported}: module"
        else:
            yield from _lines(exported, *home)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text("utf-8"))


def _home(module: str, name: str) -> tuple[str, Definition] | None:
    """Return the module that defines a name, and the definition; None for a module itself."""
    if path_of(f"{module}.{name}").exists():
        return None
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name == (alias.asname or alias.name) and node.module:
                    return _home(node.module, alias.name)
    for node in _tree(module).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return module, node
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
            return module, node
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return module, node
    raise LookupError(f"{module} neither defines nor imports {name}")


def _lines(name: str, module: str, node: Definition) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield f"class {name}({', '.join(ast.unparse(base) for base in node.bases)})"
        for line in _members(module, node).values():
            yield f"    {line}"
    elif isinstance(node, ast.FunctionDef):
        yield f"def {name}{_signature(node)}"
    elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        yield f"{name} = {ast.unparse(node.value) if node.value else ''}"
    elif isinstance(node, ast.AnnAssign):
        yield f"{name}: {ast.unparse(node.annotation)}"
    else:
        yield f"{name}: {_type_of(node.value)}"


def _members(module: str, node: ast.ClassDef) -> dict[str, str]:
    """Return a line for each public member, in alphabetical order, by its name.

    Members inherited from classes of this project are included.
    """
    lines: dict[str, str] = {}
    for place, base in _bases(module, node):
        lines |= _members(place, base)
    if _is_record(node):
        fields = ", ".join(ast.unparse(item) for item in _fields(module, node))
        lines["__init__"] = f"def __init__(self, {fields})"
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            lines = _attributes(item) | lines  # what the class or constructor says comes first
        if isinstance(item, ast.FunctionDef) and _is_public(item.name):
            decorators = [ast.unparse(each).rpartition(".")[2] for each in item.decorator_list]
            if "setter" in decorators:
                lines[f"{item.name} ="] = f"{item.name} can be set"
                continue
            kinds = "".join(f"@{each} " for each in decorators if each in _PRINTED_DECORATORS)
            lines[item.name] = f"{kinds}def {item.name}{_signature(item)}"
        elif isinstance(item, ast.AnnAssign) and _is_public(ast.unparse(item.target)):
            if not _is_record(node) or "ClassVar" in ast.unparse(item.annotation):
                lines[ast.unparse(item.target)] = (
                    f"{ast.unparse(item.target)}: {ast.unparse(item.annotation)}"
                )
        elif isinstance(item, ast.Assign) and _is_public(ast.unparse(item.targets[0])):
            lines[ast.unparse(item.targets[0])] = (
                f"{ast.unparse(item.targets[0])}: {_type_of(item.value)}"
            )
    return dict(sorted(lines.items()))


def _bases(module: str, node: ast.ClassDef) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the bases of a class that this project defines, each with its module, last first."""
    for base in reversed(node.bases):
        try:
            home = _home(module, ast.unparse(base))
        except (LookupError, OSError):  # a builtin; a class of another package
            continue
        if home is not None and isinstance(home[1], ast.ClassDef):
            yield home[0], home[1]


def _is_record(node: ast.ClassDef) -> bool:
    """Return whether the constructor takes the fields: a dataclass or a named tuple."""
    decorators = [ast.unparse(each).partition("(")[0] for each in node.decorator_list]
    return "dataclass" in decorators or "NamedTuple" in [ast.unparse(base) for base in node.bases]


def _fields(module: str, node: ast.ClassDef) -> list[ast.AnnAssign]:
    fields = [item for place, base in _bases(module, node) for item in _fields(place, base)]
    return fields + [
        item
        for item in node.body
        if isinstance(item, ast.AnnAssign)
        and "ClassVar" not in ast.unparse(item.annotation)
        and "init=False" not in ast.unparse(item)
    ]


def _attributes(method: ast.FunctionDef) -> dict[str, str]:
    """Return a line for each public attribute that a method sets, with its type if written."""
    types = {
        argument.arg: ast.unparse(argument.annotation)
        for argument in (*method.args.args, *method.args.kwonlyargs)
        if argument.annotation
    }
    lines: dict[str, str] = {}
    for item in ast.walk(method):
        target: ast.expr
        if isinstance(item, ast.AnnAssign):
            target, written = item.target, ast.unparse(item.annotation)
        elif isinstance(item, ast.Assign) and len(item.targets) == 1:
            target, written = item.targets[0], types.get(ast.unparse(item.value), "")
        else:
            continue
        if not isinstance(target, ast.Attribute) or ast.unparse(target.value) != "self":
            continue
        if _is_public(target.attr):
            lines[target.attr] = f"{target.attr}: {written}" if written else target.attr
    return lines


def _is_public(name: str) -> bool:
    return name in {"__init__", "__call__", "__len__", "__iter__"} or not name.startswith("_")


def _signature(function: ast.FunctionDef) -> str:
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(function.args)}){returns}"


def _type_of(value: ast.expr) -> str:
    try:
        return type(ast.literal_eval(value)).__name__
    except ValueError:
        return ast.unparse(value.func if isinstance(value, ast.Call) else value)


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
