"""How compiled code is kept: never stale, never in the way, never silent."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env.core import _jit

HELPER = """
from mascarade_tiny._jit import compiled

AMOUNT = 1

@compiled
def add(x):
    return x + AMOUNT
"""

KERNEL = """
from mascarade_tiny._jit import compiled
from mascarade_tiny.helper import add

@compiled
def run(x):
    return add(x) * 10 + add(1) - add(2)
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A package with the same `_jit.py` and two small files, one calling the other."""
    package = tmp_path / "mascarade_tiny"
    package.mkdir()
    source = Path(_jit.__file__).read_text()
    told = source.replace("PATIENCE = 0.5", "PATIENCE = 0.0").replace("_agents", "_tiny")
    (package / "_jit.py").write_text(told)
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text(HELPER)
    (package / "kernel.py").write_text(KERNEL)
    return package


def run(package: Path, code: str = "print(run(4))", **environment: str) -> tuple[str, str]:
    """Output and errors of a fresh process that has `run` of the package."""
    names = {"NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}
    inherited = {key: value for key, value in os.environ.items() if key not in names}
    done = subprocess.run(
        [sys.executable, "-c", f"from mascarade_tiny.kernel import run; {code}"],
        env={**inherited, "PYTHONPATH": str(package.parent), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def caches(folder: Path) -> list[Path]:
    return sorted(folder.glob("mascarade-*"))


def test_an_edit_in_another_file_is_noticed(tiny: Path) -> None:
    assert run(tiny)[0] == "49"
    (old,) = caches(tiny / "__pycache__")
    (tiny / "helper.py").write_text(HELPER.replace("AMOUNT = 1", "AMOUNT = 2"))
    assert run(tiny)[0] == "59"
    (new,) = caches(tiny / "__pycache__")  # the stale one is gone
    assert new != old


def test_compiling_is_announced_once_and_kept(tiny: Path) -> None:
    first, second = run(tiny)[1], run(tiny)[1]
    assert first.count("compiling for this machine, once") == 1
    assert first.count("compiled in ") == 1
    assert second == ""
    assert list(caches(tiny / "__pycache__")[0].rglob("*.nbc"))


def test_literal_numbers_do_not_multiply_the_work(tiny: Path) -> None:
    code = "from mascarade_tiny.helper import add; print(run(4), len(add.signatures))"
    assert run(tiny, code)[0] == "49 1"


@pytest.mark.parametrize("stderr", ["full", "closed"])
def test_an_announcement_that_nobody_can_hear_does_no_harm(tiny: Path, stderr: str) -> None:
    where = {"full": "open('/dev/full', 'w')", "closed": "None"}[stderr]
    code = f"import sys; sys.stderr = {where}; print(run(4)); sys.stderr = sys.__stderr__"
    assert run(tiny, code)[0] == "49"


def test_locks_of_editors_are_no_sources(tiny: Path) -> None:
    (tiny / ".#kernel.py").symlink_to("nobody@nowhere:1")
    assert run(tiny)[0] == "49"


def test_other_packages_keep_their_cache_folder(tiny: Path) -> None:
    code = "import numba; print(run(4), repr(numba.config.CACHE_DIR))"
    assert run(tiny, code)[0] == "49 ''"


def test_a_read_only_installation_uses_the_users_folder(tiny: Path, tmp_path: Path) -> None:
    (tiny / "__pycache__").write_text("a file where the folder should be")
    assert run(tiny, XDG_CACHE_HOME=str(tmp_path / "home"))[0] == "49"
    assert caches(tmp_path / "home" / "mascarade_env")


def test_the_folder_numba_is_told_comes_first(tiny: Path, tmp_path: Path) -> None:
    assert run(tiny, NUMBA_CACHE_DIR=str(tmp_path / "told"))[0] == "49"
    assert caches(tmp_path / "told")
    assert not caches(tiny / "__pycache__")


def test_without_any_folder_it_compiles_in_memory(tiny: Path, tmp_path: Path) -> None:
    (tiny / "__pycache__").write_text("")
    source = (tiny / "_jit.py").read_text()
    never = source.replace("folder.mkdir(parents=True, exist_ok=True)", "raise OSError")
    assert never != source
    (tiny / "_jit.py").write_text(never)
    assert run(tiny)[0] == "49"
    assert not list(tmp_path.rglob("*.nbc"))


def test_without_compiling_the_functions_are_plain_python(tiny: Path) -> None:
    output, errors = run(tiny, "print(run(4), type(run).__name__)", NUMBA_DISABLE_JIT="1")
    assert output == "49 function"
    assert errors == ""


def test_a_compilation_that_is_short_is_not_announced(tiny: Path) -> None:
    source = (tiny / "_jit.py").read_text()
    (tiny / "_jit.py").write_text(source.replace("PATIENCE = 0.0", "PATIENCE = 60.0"))
    assert run(tiny) == ("49", "")


def test_functions_of_other_people_are_compiled_in_peace() -> None:
    """Numba tells of every compilation, of functions without a module too."""
    program = (
        "import mascarade_env, numba\n"
        "space = {'__name__': None}\n"
        "exec('def add(x): return x + 1', space)\n"
        "print(numba.njit(space['add'])(3))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("4\n", "")


def test_a_folder_told_as_relative_is_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "here")
    folder = _jit.cache_folder.__wrapped__(_jit.CORE)
    assert folder is not None
    assert folder.is_absolute()
    assert folder.parent == tmp_path / "here"


@pytest.mark.skipif(_jit.SETTINGS.DISABLE_JIT, reason="needs compiled code")
def test_a_sealed_kernel_looks_at_types_once() -> None:
    @_jit.sealed
    def doubled(numbers: NDArray[np.int64], times: int) -> int:
        for k in range(len(numbers)):
            numbers[k] *= 2
        return len(numbers) * times

    for length in (3, 5):
        numbers = np.arange(length)
        assert doubled(numbers, 2) == 2 * length
        assert (numbers == 2 * np.arange(length)).all()
    with pytest.raises(TypeError):
        doubled("no array", 2)  # type: ignore[arg-type]
