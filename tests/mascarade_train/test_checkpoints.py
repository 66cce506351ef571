"""Checkpoints are complete or unchanged, and hold nothing but data."""

import io
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mascarade_env import Batch, MascaradeError
from mascarade_env.envs._self_play import SelfPlay
from mascarade_train._run import checkpoints
from tests.mascarade_train.trap import Trap
from tests.messages import facts
from tests.tiers import slow_from

STATE: dict[str, Any] = {
    "decisions": 17,
    "seconds": 0.1,
    "words": "seven",
    "learner": {"weight": torch.arange(6.0).reshape(2, 3), "none": None},
    "processes": [{"league": None}, [1, "a", 2.5]],
}


def saved(folder: Path) -> Path:
    checkpoints.save(folder / checkpoints.NAME, STATE)
    return folder / checkpoints.NAME


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = saved(tmp_path)
    for found in (checkpoints.load(file), checkpoints.load(tmp_path)):
        assert found.pop("format") == checkpoints.FORMAT
        assert torch.equal(found["learner"].pop("weight"), STATE["learner"]["weight"])
        assert found.pop("learner") == {"none": None}
        assert found == {name: part for name, part in STATE.items() if name != "learner"}
    assert [path.name for path in tmp_path.iterdir()] == [checkpoints.NAME]


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.array(7),
        np.zeros((0, 4), np.float32),
        np.random.default_rng(0).random((3, 4)),
        np.array([True, False]),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_arrays_of_all_types_can_be_kept(tmp_path: Path, array: np.ndarray[Any, Any]) -> None:
    checkpoints.save(tmp_path / "a.pt", {"array": torch.from_numpy(array)})
    again = checkpoints.as_array(checkpoints.load(tmp_path / "a.pt")["array"])
    assert again.dtype == array.dtype
    np.testing.assert_array_equal(again, array)
    again[...] = np.zeros((), array.dtype)  # a copy


def test_games_resume_from_a_file(tmp_path: Path) -> None:
    def new(seed: int) -> SelfPlay:
        batch = Batch("6A", 4, seed=seed, autoreset="disabled", track="both")
        return SelfPlay(batch, 20, everyone=True)

    def on(play: SelfPlay) -> bytes:
        while not play.full:
            play.step(play.batch.mask.argmax(axis=1), np.zeros((4, 6)))
        return play.harvest().target.tobytes() + play.batch.observation.tobytes()

    play, other = new(1), new(2)
    on(play)
    arrays = {name: torch.from_numpy(array) for name, array in play.arrays().items()}
    checkpoints.save(tmp_path / "a.pt", {"games": arrays})
    found = checkpoints.load(tmp_path / "a.pt")["games"]
    other.restore({name: checkpoints.as_array(array) for name, array in found.items()})
    assert on(other) == on(play)


def test_writing_that_breaks_off_leaves_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(tmp_path)
    before = file.read_bytes()

    def break_off(state: Any, opened: io.BufferedWriter) -> None:
        opened.write(before[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", break_off)
    with pytest.raises(MascaradeError, match=facts("write", file, "No space left on device")):
        checkpoints.save(file, STATE)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [checkpoints.NAME]


FULL = """
import resource, sys
from pathlib import Path
import torch
from mascarade_env import MascaradeError
from mascarade_train._run import checkpoints

file = Path(sys.argv[1])
checkpoints.save(file, {"a": torch.zeros(9)})
before = file.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)  # as on a disk that is full
try:
    checkpoints.save(file, {"a": torch.zeros(10**6)})
except MascaradeError as error:
    print(error)
assert file.read_bytes() == before
assert list(file.parent.iterdir()) == [file]
"""


@pytest.mark.parametrize("room", slow_from(1, [5000, 0, 100, 200_000]))
def test_a_full_disk_keeps_the_last_checkpoint(tmp_path: Path, room: int) -> None:
    file = tmp_path / checkpoints.NAME
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(file), str(room)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"cannot write '{file}': File too large\n"


def test_no_code_of_a_file_is_run(tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    torch.save({"format": checkpoints.FORMAT, "x": Trap(sprung)}, tmp_path / "a.pt")
    with pytest.raises(MascaradeError, match=facts("a.pt", "checkpoint", "no code")):
        checkpoints.load(tmp_path / "a.pt")
    (tmp_path / "b.pt").write_bytes(pickle.dumps(Trap(sprung)))
    with pytest.raises(MascaradeError, match=facts("b.pt", "checkpoint", "beginning")):
        checkpoints.load(tmp_path / "b.pt")
    assert not sprung.exists()
    torch.load(tmp_path / "a.pt", weights_only=False)
    assert sprung.exists()  # otherwise this test would prove nothing


def foreign(kind: str, folder: Path) -> bytes:
    whole = saved(folder).read_bytes()
    if kind == "beginning":
        return whole[: len(whole) // 2]
    if kind == "one byte off":
        at = whole.index(np.arange(6, dtype=np.float32).tobytes())
        return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
    if kind == "other zip":  # such as those of Stable-Baselines3
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("data", "{}")
            archive.writestr("policy.pth", b"\x80\x02")
        return file.getvalue()
    if kind in ("weights", "list", "other format"):
        file = io.BytesIO()
        states = {
            "weights": {"policy.weight": torch.zeros(3)},
            "list": [1, 2],
            "other format": {"format": "mascarade_train.ppo checkpoint 99"},
        }
        torch.save(states[kind], file)
        return file.getvalue()
    return {"empty": b"", "noise": np.random.default_rng(0).bytes(5000)}[kind]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("beginning", facts("checkpoint", "beginning", "another")),
        ("empty", facts("checkpoint", "beginning", "another")),
        ("noise", facts("checkpoint", "beginning", "another")),
        ("one byte off", facts("damaged", "another") + r".* at '.*'"),
        ("other zip", facts("checkpoint", "no code")),
        ("weights", facts("format", None, "'mascarade_train.ppo checkpoint 2'")),
        ("list", facts("format", "'list'")),
        ("other format", facts("format", "'mascarade_train.ppo checkpoint 99'")),
    ],
)
def test_what_is_no_checkpoint_is_told(tmp_path: Path, kind: str, told: str) -> None:
    file = tmp_path / "given.pt"
    file.write_bytes(foreign(kind, tmp_path))
    with pytest.raises(MascaradeError, match=told) as raised:
        checkpoints.load(file)
    assert "given.pt" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(MascaradeError, match=facts("read", "checkpoint.pt")):
        checkpoints.load(tmp_path)
    with pytest.raises(MascaradeError, match=facts("read", "nothing.pt", "No such file")):
        checkpoints.load(tmp_path / "nothing.pt")
    with pytest.raises(MascaradeError, match=facts("write", "no folder/a.pt", "No such file")):
        checkpoints.save(tmp_path / "no folder" / "a.pt", STATE)
