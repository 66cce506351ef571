"""Agents from a Python file of no package: "mine.py:MyAgent", or "mine.py:MyAgent:0.3"."""

import hashlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from mascarade_env._errors import MascaradeError, UnknownNameError, did_you_mean
from mascarade_env._policies.short_errors import in_short

SUFFIX = ".py"


def from_file(file: str, wanted: str) -> tuple[Callable[..., Any], str]:
    """Return what makes the agent, and the argument to make it with.

    The file is run, once in a process.

    Args:
        file: its path.
        wanted: the name of a class or function in it, and after a colon the agent's argument.

    Raises:
        MascaradeError: there is no such file or nothing of that name in it, or its code fails.
    """
    name, _, argument = wanted.partition(":")
    if not name:
        raise MascaradeError(f"name the class after the file, as in {file}:MyAgent")
    module = _module(Path(file))
    made = getattr(module, name, None)
    if not callable(made):
        known = sorted(n for n, value in vars(module).items() if isinstance(value, type))
        raise UnknownNameError(f"no class {name!r} in {file!r}{did_you_mean(name, known)}")
    return made, argument


def _module(path: Path) -> ModuleType:
    """Return the module of a file, by a name that no package has."""
    whole = path.resolve()
    name = f"_mascarade_agent_{hashlib.sha256(str(whole).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    if not whole.is_file():
        raise MascaradeError(f"there is no file {str(path)!r} with an agent in it")
    spec = importlib.util.spec_from_file_location(name, whole)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # while it runs, for dataclasses and pickles of what it defines
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:  # SystemExit too: others' code does not end a program
        del sys.modules[name]
        raise MascaradeError(f"{str(path)!r} cannot be run: {in_short(error)}") from error
    return module
