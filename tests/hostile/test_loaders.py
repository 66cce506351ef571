"""Every loader accepts a mutated file or refuses it, and never crashes, hangs or runs code.

MASCARADE_FUZZ multiplies the number of inputs; the first inputs are the same in each run.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mascarade_env import Game, MascaradeError
from mascarade_env.game._scenarios import Scenario, resolve
from tests.hostile.child import GROUPS, NOTE

#: Number of inputs for each loader.
INPUTS = 40 * int(os.environ.get("MASCARADE_FUZZ", "1"))
#: Inputs for each loader in one process, and the time limit of one input in seconds.
BATCH, HANG = 2000, 300.0
_ROOT = Path(__file__).parents[2]


def fed(group: str, folder: Path, first: int, count: int) -> list[dict[str, Any]]:
    """Feed inputs to each loader of a group, and return the reports."""
    words = [sys.executable, "-X", "faulthandler", "-m", "tests.hostile.child", group, str(folder)]
    paths = [str(_ROOT), str(_ROOT / "agents"), str(_ROOT / "train")]
    with (folder / "report").open("wb") as report, (folder / "errors").open("wb") as errors:
        child = subprocess.Popen(
            [*words, str(first), str(count)], stdout=report, stderr=errors, cwd=_ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        try:
            _wait(child, folder / NOTE)
        finally:
            child.kill()
            child.wait()
    why = (folder / "errors").read_text(errors="replace")[-3000:]
    assert child.returncode == 0, f"at {_reading(folder)}, the input is in {folder}: {why}"
    return [json.loads(line) for line in (folder / "report").read_text().splitlines()]


def _wait(child: subprocess.Popen[bytes], note: Path) -> None:
    """Wait until a process ends; fail if it reads one input for too long."""
    last, since = "", time.monotonic()
    while child.poll() is None:
        now = _reading(note.parent)
        if now != last:
            last, since = now, time.monotonic()
        assert time.monotonic() - since < HANG, f"{now} hangs; the input is in {note.parent}"
        time.sleep(0.05)


def _reading(folder: Path) -> str:
    note = folder / NOTE
    return note.read_text() if note.exists() else "the beginning"


@pytest.mark.parametrize("group", GROUPS)
def test_a_mutated_file_is_read_or_refused(group: str, tmp_path: Path) -> None:
    for first in range(0, INPUTS, BATCH):
        for found in fed(group, tmp_path, first, min(BATCH, INPUTS - first)):
            print(json.dumps({"first": first, **found}))
            assert not found["faults"], "\n".join([f"inputs in {tmp_path}", *found["faults"]])
            assert found["refused"] > 0


@pytest.mark.slow
def test_a_crash_and_a_hang_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.py").write_text(
        "import ctypes, time, random\n"
        "from tests.hostile.loaders import Loader\n"
        "def load(path):\n"
        "    if path.read_bytes() == b'crash':\n"
        "        ctypes.string_at(0)\n"
        "    while path.read_bytes() == b'hang':\n"
        "        time.sleep(1)\n"
        "def loaders():\n"
        "    for word in (b'crash', b'hang'):\n"
        "        yield Loader(word.decode(), lambda folder: [b'x'], lambda rng, data: word, load)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    child = "import runpy, sys; from tests.hostile import child; child.GROUPS['b'] = 'broken'"
    for name in ("crash", "hang"):
        place = tmp_path / name
        place.mkdir()
        program = f"{child}; sys.argv[1:] = ['b', {str(place)!r}, '3', '1', {name!r}]; child.main()"
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), str(tmp_path)])}
        process = subprocess.Popen(
            [sys.executable, "-c", program], cwd=_ROOT, env=env, stderr=subprocess.DEVNULL
        )
        monkeypatch.setitem(globals(), "HANG", 3.0 if name == "hang" else HANG)
        try:
            if name == "hang":
                with pytest.raises(AssertionError, match="hang 3 hangs; the input is in"):
                    _wait_from_note(process, place)
            else:
                _wait(process, place / NOTE)
                assert process.returncode < 0  # by a signal
        finally:
            process.kill()
            process.wait()
        assert (place / NOTE).read_text() == f"{name} 3"
        assert (place / name).read_bytes() == name.encode()


def _wait_from_note(process: subprocess.Popen[bytes], place: Path) -> None:
    """Wait as `_wait`, but from the first input on, because starting a process takes long."""
    while not (place / NOTE).exists() and process.poll() is None:
        time.sleep(0.05)
    _wait(process, place / NOTE)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
_FIELDS = list(resolve("4A").to_dict())


@settings(max_examples=5 * INPUTS, deadline=None)
@given(st.dictionaries(st.sampled_from(_FIELDS), _JSON, max_size=4))
def test_any_fields_of_a_scenario_are_sound_or_refused(changes: dict[str, Any]) -> None:
    try:
        scenario = Scenario.from_dict({**resolve("4A").to_dict(), **changes})
    except MascaradeError:
        return
    Game(scenario, seed=0).play_randomly(5, seed=0)
