"""Agents from a Python file outside any package: "mine.py:MyAgent" or "mine.py:MyAgent:0.3"."""

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


def from_file(file: str, reference: str) -> tuple[Callable[..., Any], str]:
    """Return the class or function that makes an agent, and the argument for it.

    This runs the file, once in each process.

    Args:
        file: the path of the file.
        reference: the name of a class or function in the file; after a colon, the argument.

    Raises:
        UnknownNameError: the file has no class or function of this name.
        MascaradeError: there is no such file, or its code fails.
    """
    name, _, argument = reference.partition(":")
    if not name:
        raise MascaradeError(
            f"the agent {file!r} names no class: give one after the file, as in {file}:MyAgent"
        )
    module = _module(Path(file))
    make = getattr(module, name, None)
    if not callable(make):
        known = sorted(n for n, value in vars(module).items() if isinstance(value, type))
        raise UnknownNameError(
            f"the file {file!r} has no class {name!r}{did_you_mean(name, known)}"
        )
    return make, argument


def _module(path: Path) -> ModuleType:
    """Return the module of a file, after running it if it has not run yet."""
    whole = path.resolve()
    name = f"_mascarade_agent_{hashlib.sha256(str(whole).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    if not whole.is_file():
        raise MascaradeError(
            f"there is no file {str(path)!r}; give the path of a Python file with an agent"
        )
    spec = importlib.util.spec_from_file_location(name, whole)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # added before it runs, because dataclasses and pickle need it
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:  # SystemExit too: the file must not end the program
        del sys.modules[name]
        raise MascaradeError(f"{str(path)!r} cannot be run: {in_short(error)}") from error
    return module
