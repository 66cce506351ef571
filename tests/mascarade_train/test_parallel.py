"""Two processes that train one network."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from mascarade_env import MascaradeError
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Training
from mascarade_train._run import checkpoints
from mascarade_train._run.processes import ProcessGroup, leads, run_in_parallel, size
from tests.mascarade_train.small_runs import EVERYTHING, After, different, small
from tests.messages import facts

SETTINGS = small(**EVERYTHING | {"processes": 2, "decisions": 500, "evaluate_every": 200})


def test_alone_it_is_all_there_is() -> None:
    group = ProcessGroup()
    tensors = [torch.arange(3.0)]
    group.mean(tensors)
    assert tensors[0].tolist() == [0, 1, 2]
    assert group.sum([1, 2.5]) == [1, 2.5]
    assert group.gather("mine") == ["mine"]
    assert group.leads
    done: list[Any] = []
    run_in_parallel(1, lambda group, *given: done.extend([group.size, *given]), "a", 2)
    assert done == [1, "a", 2]


@pytest.mark.parametrize(("rank", "elastic"), [("0", True), ("1", True), ("1", False)])
def test_processes_are_as_many_as_torchrun_says(
    monkeypatch: pytest.MonkeyPatch, rank: str, *, elastic: bool
) -> None:
    """Other programs set these variables too, with another meaning."""
    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("WORLD_SIZE", "2")
    if elastic:
        monkeypatch.setenv("TORCHELASTIC_RUN_ID", "none")
    assert leads() is (rank == "0" or not elastic)
    assert size(3) == (2 if elastic else 3)


@pytest.mark.slow
def test_torchrun_starts_processes_that_learn_together(tmp_path: Path) -> None:
    words = ["train", "--scenario", "tiny-2", "--decisions", 300, "--games", 8, "--steps", 8]
    words += ["--layers", 8, "--events", 2, "--rungs", "--evaluation", 2]
    words += ["--name", "mine", "--folder", tmp_path]
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    mascarade = Path(sys.executable).with_name("mascarade")
    told = subprocess.run(
        [*torchrun, "--no-python", mascarade, *map(str, words)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("2 x 8 games in parallel") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert len(checkpoints.load(tmp_path / "mine")["processes"]) == 2
    card = PolicyFile.load(tmp_path / "mine").card
    assert card["provenance"]["settings"]["processes"] == 2


def work(group: ProcessGroup, folder: Path) -> None:
    """The work of one of two processes; the test below checks its results."""
    tensors = [torch.full((2, 3), 1.0 + group.rank), torch.tensor([10.0 * group.rank])]
    group.mean(iter(tensors))
    told: dict[str, Any] = {
        "means": [tensor.flatten().tolist() for tensor in tensors],
        "shape": list(tensors[0].shape),
        "sum": group.sum([1, 2.0**60 + 2.0**40, group.rank]),
        "gathered": group.gather({"rank": group.rank}),
        "leads": group.leads,
    }
    for name, stops in (("whole", None), ("parts", 3), ("parts", None)):
        made = Training(SETTINGS, folder / name, group)
        if name == "parts" and stops is None:
            made.restore(checkpoints.load(folder / name))
        made.go(() if stops is None else After(stops))
        told[f"{name} {stops}"] = [made.decisions, made.updates]
        torch.save(made.learner.state(), folder / f"{name} {group.rank}.pt")
    (folder / f"{group.rank}.json").write_text(json.dumps(told))


@pytest.mark.slow
def test_two_processes_learn_as_one(tmp_path: Path) -> None:
    """Their networks stay equal, and a resumed run equals an uninterrupted one."""
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    run_in_parallel(2, work, tmp_path)
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in (0, 1))
    for told in (first, second):
        assert told["means"] == [[1.5] * 6, [5.0]]
        assert told["shape"] == [2, 3]
        assert told["sum"] == [2, 2.0**61 + 2.0**41, 1]
        assert told["whole None"] == told["parts None"] == first["whole None"]
        assert 0 < told["parts 3"][0] < 500 <= told["whole None"][0]
    assert first["gathered"] == [{"rank": 0}, {"rank": 1}]
    assert (second["gathered"], first["leads"], second["leads"]) == ([], True, False)
    learners = [
        torch.load(tmp_path / f"{name} {rank}.pt", weights_only=True)
        for name in ("whole", "parts")
        for rank in (0, 1)
    ]
    for other in learners[1:]:
        assert different(learners[0], other) == []
    whole, parts = (checkpoints.load(tmp_path / name) for name in ("whole", "parts"))
    assert different(whole, parts) == []
    # Each has played different games.
    assert len(whole["processes"]) == 2
    assert len(different(*whole["processes"])) > 5
    arrays = [PolicyFile.load(tmp_path / name).arrays for name in ("whole", "parts")]
    assert all((arrays[0][name] == array).all() for name, array in arrays[1].items())


def fail(group: ProcessGroup, how: str) -> None:
    if how == "error" and not group.leads:
        raise MascaradeError("this cannot be learned")
    if how == "kill" and not group.leads:
        os.kill(os.getpid(), signal.SIGKILL)
    group.sum([1])  # waits for the other


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("error", "^this cannot be learned$"),
        pytest.param("kill", facts("process", "SIGKILL", "--resume"), marks=pytest.mark.slow),
    ],
)
def test_if_one_fails_all_end(how: str, told: str) -> None:
    with pytest.raises(MascaradeError, match=told):
        run_in_parallel(2, fail, how)
