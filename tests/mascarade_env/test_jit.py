"""How compiled code is kept: never stale, never in the way, never silent."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import mascarade_env
from mascarade_env import _jit
from mascarade_env._files import locks
from mascarade_env._jit import cache as _cache
from tests.tiers import slow_from

HELPER = """
from mascarade_tiny._jit import compiled

AMOUNT = 1

@compiled
def add(x):
    return x + AMOUNT

@compiled
def item(numbers, at):
    return numbers[at]
"""

KERNEL = """
from mascarade_tiny._jit import compiled
from mascarade_tiny.near.by.helper import add, item

@compiled
def run(x):
    return add(x) * 10 + add(1) - add(2)

@compiled
def again(x):
    return add(x) + 1000

@compiled
def pick(numbers, at):
    return item(numbers, at) + 1
"""

SOURCES = (
    "_jit/__init__.py", "_jit/cache.py", "_jit/parts.py", "_files/locks.py", "_errors.py",
)  # fmt: skip


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A package that compiles with the same code, and two small files, one calling the other."""
    package = tmp_path / "mascarade_tiny"
    for folder in ("_jit", "_files", "kernels", "near/by", "pictures"):
        (package / folder).mkdir(parents=True)
        (package / folder / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "near" / "__init__.py").write_text("")
    packages = '"mascarade_env", "mascarade_agents", "mascarade_train"'
    for name in SOURCES:
        source = (Path(mascarade_env.__file__).parent / name).read_text()
        source = source.replace(packages, '"mascarade_tiny",')
        source = source.replace("mascarade_env.", "mascarade_tiny.")
        source = source.replace("from mascarade_env import", "from mascarade_tiny import")
        source = source.replace("PATIENCE = 0.5", "PATIENCE = 0.0")
        (package / name).write_text(source)
    (package / "near" / "by" / "helper.py").write_text(HELPER)
    (package / "kernels" / "kernel.py").write_text(KERNEL)
    (package / "pictures" / "picture.py").write_text("SIZE = 1")
    return package


def command(code: str) -> list[str]:
    names = "run, again, pick"
    return [sys.executable, "-c", f"from mascarade_tiny.kernels.kernel import {names}; {code}"]


def surroundings(package: Path, **environment: str) -> dict[str, str]:
    names = {"NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}
    inherited = {key: value for key, value in os.environ.items() if key not in names}
    return {**inherited, "PYTHONPATH": str(package.parent), **environment}


def run(package: Path, code: str = "print(run(4))", **environment: str) -> tuple[str, str]:
    """Output and errors of a fresh process that has `run` of the package."""
    done = subprocess.run(
        command(code),
        env=surroundings(package, **environment),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip(), done.stderr


def caches(folder: Path) -> list[Path]:
    return sorted(folder.glob("mascarade-*"))


def kept_in(folder: Path) -> list[Path]:
    """The files of compiled code in a cache."""
    return sorted(path for path in folder.rglob("*-*") if path.is_file())


def test_an_edit_in_another_folder_is_noticed(tiny: Path) -> None:
    assert run(tiny)[0] == "49"
    (old,) = caches(tiny / "__pycache__")
    helper = tiny / "near" / "by" / "helper.py"
    helper.write_text(HELPER.replace("AMOUNT = 1", "AMOUNT = 2"))
    assert run(tiny)[0] == "59"
    (new,) = caches(tiny / "__pycache__")  # the stale one is gone
    assert new != old


def test_an_edit_where_nothing_is_compiled_changes_nothing(tiny: Path) -> None:
    before = _cache.sources_hash(tiny, "mascarade_env")
    (tiny / "pictures" / "picture.py").write_text("SIZE = 2")
    assert _cache.sources_hash(tiny, "mascarade_env") == before
    (tiny / "pictures" / "kernel.py").write_text("from mascarade_tiny._jit import compiled")
    assert _cache.sources_hash(tiny, "mascarade_env") != before


@pytest.mark.parametrize("name", _cache.PACKAGES)
def test_the_hash_covers_all_folders_of_each_package_that_compiles(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit reaches the package and those that may call it, and no other."""
    for package in _cache.PACKAGES:
        folder = tmp_path / package / "one" / "two"
        folder.mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text("")
        (folder / "kernel.py").write_text("from mascarade_env._jit import compiled")
    monkeypatch.setattr(_cache, "_folder_of", lambda package: tmp_path / package)

    def hashes() -> list[str]:
        return [_cache.sources_hash(tmp_path / each, each) for each in (*_cache.PACKAGES, "other")]

    (tmp_path / "other").mkdir()
    before = hashes()
    (tmp_path / name / "one" / "two" / "constants.py").write_text("")
    changed = [one != other for one, other in zip(before, hashes(), strict=True)]
    place = _cache.PACKAGES.index(name)
    assert changed == [False] * place + [True] * (len(changed) - place)


def imported_by(file: Path) -> Iterator[Path]:
    """The files of our packages that a file imports from when it is imported."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                package, *inner = name.split(".")
                if package in _cache.PACKAGES:
                    folder = _cache._folder_of(package)
                    assert folder is not None
                    path = folder.joinpath(*inner)
                    yield from filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py"))


def test_the_hash_covers_all_that_kernels_import() -> None:
    """What they compile in may come from there, such as the number of a mask."""
    folders = [folder for name in _cache.PACKAGES if (folder := _cache._folder_of(name))]
    covered = {path for folder in folders for path in _cache.compiled_from(folder)}
    found: set[Path] = set()
    left = [path for path in covered if "_jit import" in path.read_text("utf-8")]
    assert len(left) > 20
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += imported_by(path)
    assert not {path for path in found - covered if path.read_text("utf-8")}


def test_compiling_is_announced_once_and_kept(tiny: Path) -> None:
    first, second = run(tiny)[1], run(tiny)[1]
    assert first.count("\n") == first.count("compiling for this machine, once") == 1
    assert second == ""
    assert kept_in(caches(tiny / "__pycache__")[0])


def test_what_one_process_has_announced_another_does_not(tiny: Path) -> None:
    assert run(tiny)[1] != ""
    assert run(tiny, "print(again(4))") == ("1005", "")


def test_several_processes_compile_once(tiny: Path) -> None:
    """The others wait for the first, print nothing, and find all in the cache."""
    jit = tiny / "_jit" / "__init__.py"
    slow = jit.read_text().replace(
        "        timer = ", "        __import__('time').sleep(1.0)\n        timer = "
    )
    assert slow != jit.read_text()
    jit.write_text(slow)
    code = (
        "from numba.core import event\n"
        "with event.install_recorder('numba:compile') as seen: number = run(4)\n"
        "print(number, len(seen.buffer))"
    )
    started = [
        subprocess.Popen(
            command(f"exec({code!r})"),
            env=surroundings(tiny),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    ended = [process.communicate(timeout=300) for process in started]
    assert sorted(output.split()[0] for output, _ in ended) == ["49"] * 3
    assert sum(output.split()[1] == "0" for output, _ in ended) == 2
    assert sum("compiling for this machine" in errors for _, errors in ended) == 1


def test_waiting_for_another_process_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cache, "WAIT", 0.2)
    looks = []
    with locks.only_writer(tmp_path):
        for _ in range(5):  # in all: each kernel would wait for a process that is suspended
            with _cache.turn(tmp_path, lambda: bool(looks.append(0))):  # type: ignore[func-returns-value]
                pass
    assert 0 < len(looks) <= 0.2 / _cache.POLL + 2


def test_a_cache_folder_that_leads_nowhere_is_passed_over(tiny: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert run(tiny, NUMBA_CACHE_DIR=str(loop / "x"))[0] == "49"


def test_literal_numbers_do_not_multiply_the_work(tiny: Path) -> None:
    code = (
        "from mascarade_tiny.near.by.helper import add; "
        "print(run(4), len(add.part.signatures), len(add.signatures))"
    )
    assert run(tiny, code)[0] == "49 1 0"


@pytest.mark.parametrize("left", slow_from(1, [-1, 0, 10, 500]))
def test_a_damaged_file_is_compiled_again(tiny: Path, left: int) -> None:
    """It is cut off; with -1 one byte has changed."""
    run(tiny)
    (folder,) = caches(tiny / "__pycache__")
    files = kept_in(folder)
    for path in files:
        data = bytearray(path.read_bytes())
        if left < 0:
            data[len(data) // 2] ^= 1
        path.write_bytes(data if left < 0 else data[:left])
    output, errors = run(tiny)
    assert output == "49"
    assert errors.count("\n") == 1  # no second notice in the same hour
    assert f"cache of compiled code {str(folder)!r}: a file was damaged" in errors
    assert run(tiny) == ("49", "")
    assert run(tiny, "print(again(4))")[0] == "1005"  # calls a part that was damaged too


def test_a_file_of_another_library_is_compiled_again(tiny: Path) -> None:
    run(tiny)
    (folder,) = caches(tiny / "__pycache__")
    code = (
        "import hashlib, pathlib\n"
        f"for path in pathlib.Path({str(folder)!r}).glob('*-*'):\n"
        "    path.write_bytes(hashlib.sha256(b'no pickle').digest() + b'no pickle')\n"
        "print(run(4))"
    )
    output, errors = run(tiny, f"exec({code!r})")
    assert output == "49"
    assert "could not be used (UnpicklingError)" in errors
    assert errors.count("\n") == 1


def test_a_folder_that_becomes_read_only_does_no_harm(tiny: Path) -> None:
    """Root may write everywhere, so the folder goes and a file takes its place."""
    code = (
        "import pathlib, shutil\n"
        f"(folder,) = pathlib.Path({str(tiny / '__pycache__')!r}).glob('mascarade-*')\n"
        "shutil.rmtree(folder); folder.write_text('')\n"
        "print(run(4), again(4))"
    )
    output, errors = run(tiny, f"exec({code!r})")
    assert output == "49 1005"
    assert errors.count("compiled code is not kept: ") == 1
    assert "Traceback" not in errors


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system that a few files fill."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=72k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_folder_that_runs_full_does_no_harm(tiny: Path, small: Path) -> None:
    code = "(__import__('pathlib').Path({!r}) / 'rest').write_bytes(bytes(60000)); print(run(4))"
    output, errors = run(tiny, code.format(str(small)), NUMBA_CACHE_DIR=str(small))
    assert output == "49"
    assert errors.count("compiled code is not kept: No space left on device") == 1
    assert "Traceback" not in errors
    assert not list(small.rglob(".run-*"))
    assert run(tiny, NUMBA_CACHE_DIR=str(small))[0] == "49"


@pytest.mark.parametrize("stderr", ["full", "closed"])
def test_an_announcement_that_nobody_can_hear_does_no_harm(tiny: Path, stderr: str) -> None:
    where = {"full": "open('/dev/full', 'w')", "closed": "None"}[stderr]
    code = f"import sys; sys.stderr = {where}; print(run(4)); sys.stderr = sys.__stderr__"
    assert run(tiny, code)[0] == "49"


def test_errors_come_out_of_helpers(tiny: Path) -> None:
    """As they are compiled, and as they are loaded."""
    code = (
        "import numpy\n"
        "print(pick(numpy.arange(3), 2))\n"
        "try: pick(numpy.arange(3), 5)\n"
        "except IndexError as error: print(error)"
    )
    for _ in range(2):
        output = run(tiny, f"exec({code!r})", NUMBA_BOUNDSCHECK="1")[0]
        assert output.splitlines() == ["3", "index is out of bounds"]


def test_locks_of_editors_are_no_sources(tiny: Path) -> None:
    (tiny / "kernels" / ".#kernel.py").symlink_to("nobody@nowhere:1")
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
    source = (tiny / "_jit" / "cache.py").read_text()
    never = source.replace("folder.mkdir(parents=True, exist_ok=True)", "raise OSError")
    assert never != source
    (tiny / "_jit" / "cache.py").write_text(never)
    assert run(tiny)[0] == "49"
    assert not list(tmp_path.rglob("run-*"))


def test_without_compiling_the_functions_are_plain_python(tiny: Path) -> None:
    output, errors = run(tiny, "print(run(4), type(run).__name__)", NUMBA_DISABLE_JIT="1")
    assert output == "49 function"
    assert errors == ""


def test_a_compilation_that_is_short_is_not_announced(tiny: Path) -> None:
    source = (tiny / "_jit" / "__init__.py").read_text()
    (tiny / "_jit" / "__init__.py").write_text(source.replace("PATIENCE = 0.0", "PATIENCE = 60.0"))
    assert run(tiny) == ("49", "")


def test_functions_of_other_people_are_compiled_in_peace() -> None:
    """Numba reports every compilation, also of functions without a module."""
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
    folder = _cache.cache_folder.__wrapped__(Path(_jit.__file__).parents[1], "mascarade_env")
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
