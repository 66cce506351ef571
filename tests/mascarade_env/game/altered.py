"""Run tests in plain Python on an altered package, for several requests in one process.

A new process spends seconds on loading NumPy, Numba and pytest; this one loads them once. Each line
of its input is a request in JSON: a file of the package, the text to replace, its replacement, and
ids of tests. Without a file the package is unchanged. Each line of its output is an `Answer`.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, TypedDict

import pytest

PACKAGE = Path(__file__).parents[3] / "mascarade_env"


class Answer(TypedDict):
    """The exit code and output of pytest, and the phase and exception of each failure."""

    code: int
    failures: list[list[str]]
    output: str


class _Loader(importlib.machinery.SourceFileLoader):
    """Load a module from a changed source, without reading or writing bytecode."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_data(self, path: str) -> bytes:
        return self.source.encode() if path == self.path else super().get_data(path)

    def path_stats(self, path: str) -> Any:
        raise OSError("an altered source has no bytecode")


class _Finder(importlib.abc.MetaPathFinder):
    """Find one module of the package in its altered version."""

    def __init__(self, path: Path, source: str) -> None:
        self.name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        self.loader = _Loader(self.name, str(path), source)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self.loader.path, loader=self.loader
        )


class _Failures:
    """A plugin of pytest that records failures."""

    def __init__(self) -> None:
        self.found: list[list[str]] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        if call.excinfo is not None:
            self.found.append([call.when, call.excinfo.typename])
        return (yield)


@contextmanager
def _altered(file: str, true: str, wrong: str) -> Iterator[None]:
    """Forget the loaded package and its tests; load an altered version at the next import."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ("mascarade_env", "tests"):
            del sys.modules[name]
    finders = []
    if file:
        source = (PACKAGE / file).read_text("utf-8")
        assert source.count(true) == 1
        finders = [_Finder(PACKAGE / file, source.replace(true, wrong))]
    sys.meta_path[:0] = finders
    try:
        yield
    finally:
        del sys.meta_path[: len(finders)]


def run(file: str, true: str, wrong: str, tests: list[str]) -> Answer:
    """Run tests up to the first failure."""
    failures, output = _Failures(), io.StringIO()
    options = ["-xq", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with _altered(file, true, wrong), redirect_stdout(output), redirect_stderr(output):
        code = pytest.main([*options, *tests], [failures])
    return {"code": int(code), "failures": failures.found, "output": output.getvalue()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(*json.loads(line))), flush=True)
