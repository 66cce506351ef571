"""Malicious checkpoints: each is refused with one line, and none ends the process.

The work is done in a child process, so that a crash is a result and does not end the tests.
"""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mascarade_env import MascaradeError
from mascarade_env.cli import main
from mascarade_train._run import checkpoints
from mascarade_train._run.resume import settings_of
from mascarade_train._settings import checked
from tests.mascarade_train.small_runs import EVERYTHING, training
from tests.messages import facts

_HUGE = {bool: 2, int: 2**63, float: 1e300, str: "x" * 100_000}


def noise(count: int) -> "np.ndarray[Any, Any]":
    return np.frombuffer(np.random.default_rng(4).bytes(count), np.uint8)


def filled(tensor: torch.Tensor, raw: "np.ndarray[Any, Any]") -> torch.Tensor:
    again = torch.from_numpy(np.resize(raw, tensor.nbytes).copy()).view(tensor.dtype)
    return again.reshape(tensor.shape)


#: Changes to a tensor, and to any other value.
TENSORS: dict[str, Callable[[torch.Tensor], Any]] = {
    "7f": lambda t: filled(t, np.full(1, 0x7F, np.uint8)),
    "ff": lambda t: filled(t, np.full(1, 0xFF, np.uint8)),
    "noise": lambda t: filled(t, noise(t.nbytes)),
    "shape": lambda t: torch.stack([t, t]),
    "type": lambda t: t.to(torch.int32),
    "expanded": lambda t: t.reshape(-1)[:1].expand(2**40),
    "sparse": lambda t: t.reshape(-1).to_sparse(),
    "meta": lambda t: torch.empty(t.shape, dtype=t.dtype, device="meta"),
    "none": lambda t: None,
}
OTHERS: dict[str, Callable[[Any], Any]] = {
    "none": lambda v: None if v is not None else 7,
    "list": lambda v: [[]],
    "words": lambda v: {"x": 1},
    "huge": lambda v: _HUGE.get(type(v), -(2**63)),
    "negative": lambda v: -1 if type(v) in (int, float) else b"\xff",
    "nan": lambda v: float("nan"),
}


def leaves(part: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All values in a checkpoint, each with its path."""
    if isinstance(part, dict):
        pairs = list(part.items())
    elif isinstance(part, list):
        pairs = list(enumerate(part))
    else:
        yield at, part
        return
    for name, inner in pairs:
        yield from leaves(inner, (*at, name))


def changed(saved: dict[str, Any], at: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy of a checkpoint with one value replaced; removed if the new value is ..."""
    found = made = dict(saved)
    for name in at[:-1]:
        inner = made[name]
        made[name] = dict(inner) if isinstance(inner, dict) else list(inner)
        made = made[name]
    if value is ...:
        del made[at[-1]]
    else:
        made[at[-1]] = value
    return found


def same(one: Any, two: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return (
            isinstance(two, torch.Tensor)
            and two.device == one.device
            and (two.layout, two.dtype, two.shape) == (one.layout, one.dtype, one.shape)
            and two.numpy().tobytes() == one.numpy().tobytes()
        )
    return type(one) is type(two) and bool(one == two)


def child(folder: Path) -> None:
    """Restore all crafted checkpoints; print those accepted, or refused in several lines."""
    made = training(folder, **EVERYTHING)
    saved = checkpoints.load(folder)
    tried = 0
    for at, value in leaves(saved):
        if at[0] in ("format", "settings"):
            continue
        ways = TENSORS if isinstance(value, torch.Tensor) else OTHERS
        crafted = {"missing": ...} | {name: way(value) for name, way in ways.items()}
        for how, instead in crafted.items():
            if same(value, instead):
                continue
            if (at[-1], how) in (("taken", "noise"), ("guests", "ff")):
                continue  # any count is valid; the learner is the same everywhere
            tried += 1
            try:
                made.restore(changed(saved, at, instead))
            except MascaradeError as error:
                if "\n" not in str(error):
                    continue
                print(json.dumps([*map(str, at), how, f"in lines: {error}"]), flush=True)
            except BaseException as error:
                print(json.dumps([*map(str, at), how, repr(error)]), flush=True)
            else:
                print(json.dumps([*map(str, at), how, "accepted"]), flush=True)
    made.restore(saved)
    print(tried, flush=True)


@pytest.mark.slow
def test_each_part_of_a_checkpoint_is_checked(tmp_path: Path) -> None:
    made = training(tmp_path, **EVERYTHING | {"decisions": 300})
    made.go()
    words = f"from {__name__} import *; child(Path({str(tmp_path)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    *found, tried = done.stdout.splitlines()
    assert int(tried) > 1000
    assert found == []


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"layers": [10**9]}, "--layers"),
        ({"layers": [16, 10**9]}, "parts of the checkpoint"),
        ({"games": 10**12}, "--games"),
        ({"processes": 10**6}, "--processes"),
        ({"embedding": 10**9}, "--embedding"),
        ({"slots": 10**9}, "--slots"),
        ({"minibatches": 10**12}, "--minibatches"),
        ({"minibatches": 60_000}, "--minibatches"),
        ({"steps": 10**6}, "--steps"),
        ({"epochs": 10**6}, "--epochs"),
        ({"evaluation": 10**9}, "--evaluation"),
        ({"scenario": [["4A"]]}, "--scenario"),
        ({"layers": ["16"]}, "--layers"),
        ({"rungs": [7]}, "--rungs"),
    ],
    ids=str,
)
def test_settings_take_no_more_memory_than_the_file_stands_for(
    tmp_path: Path, changes: dict[str, Any], name: str
) -> None:
    made = training(tmp_path)
    made.save()
    saved = checkpoints.load(tmp_path)
    given = json.loads(saved["settings"]) | changes
    checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": json.dumps(given)})
    with pytest.raises(MascaradeError, match=name) as refused:
        checked(settings_of(tmp_path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["policy.npz", "settings.json", "log.jsonl", ".lock"])
def test_a_run_with_links_is_not_resumed(tmp_path: Path, name: str) -> None:
    run, victim = tmp_path / "run", tmp_path / "victim"
    run.mkdir()
    training(run).save()
    victim.write_text("precious")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(victim)
    with pytest.raises(MascaradeError, match=facts("link", repr(name))):
        settings_of(run)
    assert main(["train", "--resume", str(run)]) == 2
    assert victim.read_text() == "precious"


def test_nested_settings_are_refused(tmp_path: Path) -> None:
    made = training(tmp_path)
    made.save()
    saved = checkpoints.load(tmp_path)
    checkpoints.save(tmp_path / checkpoints.NAME, saved | {"settings": "[" * 100_000})
    with pytest.raises(MascaradeError, match=facts("settings", "another checkpoint")):
        settings_of(tmp_path)


def test_a_file_that_unpacks_to_more_is_refused(tmp_path: Path) -> None:
    training(tmp_path).save()
    file, packed = tmp_path / checkpoints.NAME, tmp_path / "packed.pt"
    with (
        zipfile.ZipFile(file) as archive,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as other,
    ):
        for entry in archive.namelist():
            other.writestr(entry, archive.read(entry))
    with pytest.raises(MascaradeError, match=r"packed.pt' is compressed"):
        checkpoints.load(packed)


def test_a_checkpoint_of_an_earlier_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / checkpoints.NAME
    torch.save({"format": "mascarade_train.ppo checkpoint 1", "settings": "{}"}, file)
    with pytest.raises(MascaradeError, match=r"checkpoint 1.*checkpoint 2.*--start"):
        checkpoints.load(file)
