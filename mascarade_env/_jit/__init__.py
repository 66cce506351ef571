"""Decorators that compile scalar functions with Numba: `compiled`, `inlined` and `sealed`.

A function is compiled on its first call, and its code is stored on disk. If this takes long, a line
on stderr announces it, once an hour for each cache. With `NUMBA_DISABLE_JIT=1` the same functions
run as plain Python. The package imports Numba and `_files`. Its other files:

cache.py: compiled code on disk, in a folder named after a hash of its sources
parts.py: compiling functions that only compiled code calls, as parts of their callers
prefetch.py: loading memory into the processor's cache before it is needed
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numba.core.options
from numba.core import types

from mascarade_env._jit import parts as _parts
from mascarade_env._jit.cache import Kept, first_to_announce, folder_for, say, turn

P = ParamSpec("P")
R = TypeVar("R")

SETTINGS: Any = numba.config  # Any, because Numba adds its attributes at run time
# error_model: the kernels never divide by zero, so Python's check would only cost time. _nrt: they
# make no arrays, so Numba need not count references to arrays; this would take half the time of a
# step of a batch. no_cfunc_wrapper: no code calls the functions from C.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "pipeline_class": _parts.Compiler,
}
if hasattr(numba.core.options.DefaultOptions, "_nrt"):  # not documented, so it may be missing
    _OPTIONS["_nrt"] = False
_type_of: Any = numba.typeof  # Any, because Numba has no annotations
_plain: Any = types.unliteral  # Any for the same reason
PATIENCE = 0.5  # seconds of compiling before a notice is printed


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a scalar function with Numba, and store its code on disk if a folder is writable."""
    return _jitted(function, always=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function, and always inline it into its callers.

    Use it for functions that take many arrays and run for every game of a batch: compiled code
    passes an array as eight numbers.
    """
    return _jitted(function, always=True)


def sealed(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel whose arguments have the same types in all calls, array layouts included.

    The first call determines the types. Later calls run the machine code without checking types,
    because this check takes ten times as long as the call itself if there are many structured
    arrays. So call a kernel only with arrays that this package has made.
    """
    if SETTINGS.DISABLE_JIT:
        return function
    jitted: Any = compiled(function)
    entry: Callable[..., R] | None = None

    def call(*arguments: Any) -> R:
        nonlocal entry
        if entry is None:
            entry = jitted.compile(tuple(map(_type_of, arguments)))
        assert entry is not None
        return entry(*arguments)

    return call  # type: ignore[return-value]  # a kernel has no keyword arguments


def _jitted(function: Callable[P, R], *, always: bool) -> Callable[P, R]:
    """Compile a function twice: for calls from Python, and for calls from compiled code.

    Args:
        function: the function.
        always: whether to inline it into all its callers, even if it is large.
    """
    if SETTINGS.DISABLE_JIT:
        return function
    whole: Any = numba.njit(**_OPTIONS)(function)
    of_part: dict[str, Any] = {"no_cpython_wrapper": True, "forceinline": always}
    part: Any = numba.njit(**of_part, **_OPTIONS)(function)
    folder = folder_for(function)
    if folder is not None:
        whole._cache = Kept(function, folder, _parts.reduce_whole, _parts.rebuild_whole)
        part._cache = Kept(function, folder, _parts.reduce_part, _parts.rebuild_part)
    compile_whole = whole.compile

    def compile_once(signature: Any) -> Any:
        with _turn_to_compile(whole, folder, signature):
            return compile_whole(signature)

    def template(arguments: Any, keywords: Any) -> Any:
        # Without this, Numba would compile `left_of(g, seat, 3)` and `left_of(g, seat, 4)` twice.
        return part.get_call_template(tuple(map(_plain, arguments)), keywords)

    whole.compile = compile_once
    whole.get_call_template = template
    whole.get_overload = part.get_overload
    whole.part = part
    callable_from_python: Callable[P, R] = whole
    return callable_from_python


@contextlib.contextmanager
def _turn_to_compile(whole: Any, folder: Path | None, signature: Any) -> Iterator[None]:
    """Let the body compile while no other process does, and print a notice about it.

    If the code is stored, do nothing.
    """

    def kept() -> bool:
        return folder is not None and whole._cache.holds(signature, whole.targetctx)

    if kept():
        yield
        return
    with contextlib.nullcontext() if folder is None else turn(folder, kept):
        if kept():
            yield
            return
        timer = threading.Timer(PATIENCE, _announce, (folder,))
        timer.daemon = True
        with contextlib.suppress(RuntimeError):  # if no thread can start, compile without a notice
            timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _announce(folder: Path | None) -> None:
    """Print that a compilation is running, because a long silent call looks like a hang."""
    if first_to_announce(folder):
        say("compiling for this machine, once (10 to 20 s in all) ...")
