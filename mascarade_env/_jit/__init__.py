"""The one door to Numba: `compiled` turns a scalar function into machine code.

Nothing is compiled at import, and then only what is called. When a first call compiles for long, a
line on stderr says so, once an hour for each cache. With `NUMBA_DISABLE_JIT=1` the same functions
run as plain Python. Imports Numba and `_files`. Beside `compiled`, `inlined` and `sealed`:

cache.py: compiled code on disk, in a folder named after a hash of its sources
parts.py: compile what only compiled code calls as a part of its callers
prefetch.py: ask the processor for memory before it is needed
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

SETTINGS: Any = numba.config  # Numba makes its attributes at run time
# Division by zero follows NumPy, not Python: the kernels never divide by zero, and the check would
# cost time. Nor do they make arrays, so they do without Numba's runtime, which would count
# references to each array that is passed on or sliced: half the time of a step of a batch. Numba
# would also make a second way to call each function, from C, which nothing uses.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "pipeline_class": _parts.Compiler,
}
if hasattr(numba.core.options.DefaultOptions, "_nrt"):  # not documented, so it may go
    _OPTIONS["_nrt"] = False
_type_of: Any = numba.typeof  # has no annotations
_plain: Any = types.unliteral  # the same
PATIENCE = 0.5  # seconds of compiling that need no notice


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a scalar function with Numba, cached on disk where a folder can be written."""
    return _jitted(function, always=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that takes many arrays and is called for every game of a batch.

    Its code is put where it is called: passing an array means passing eight numbers.
    """
    return _jitted(function, always=True)


def sealed(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that gets arguments of the same types all its life, arrays' layout included.

    The first call decides the types. Later ones go straight to the machine code: looking at the
    types of many structured arrays again takes ten times as long as passing them. Nothing is
    checked any more, so call it only with arrays that were made here.
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

    return call  # type: ignore[return-value]  # a kernel has no keywords


def _jitted(function: Callable[P, R], *, always: bool) -> Callable[P, R]:
    """Compile a function for Python, and as a part of compiled code that calls it.

    Args:
        function: the function.
        always: put its code where it is called, whatever its size.
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
        # Numba would compile `left_of(g, seat, 3)` and `left_of(g, seat, 4)` one by one.
        return part.get_call_template(tuple(map(_plain, arguments)), keywords)

    whole.compile = compile_once
    whole.get_call_template = template
    whole.get_overload = part.get_overload
    whole.part = part
    found: Callable[P, R] = whole
    return found


@contextlib.contextmanager
def _turn_to_compile(whole: Any, folder: Path | None, signature: Any) -> Iterator[None]:
    """Compile when no other process does, with a notice; what is kept needs neither."""

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
        with contextlib.suppress(RuntimeError):  # no more threads: then without a notice
            timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _announce(folder: Path | None) -> None:
    """Report that a compilation is under way: a first call that is silent looks like a hang."""
    if first_to_announce(folder):
        say("compiling for this machine, once (10 to 20 s in all) ...")
