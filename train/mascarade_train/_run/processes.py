"""Several processes that train one network together, each on its own games.

Every process computes the gradient of one minibatch, and all apply the mean of these gradients, so
all copies of the network stay equal. `--processes 2` starts two on one machine. For several
machines use torchrun, which sets the rank of each process in environment variables.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Sized
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor
from torch.multiprocessing import get_context
from torch.multiprocessing.spawn import ProcessExitedException, ProcessRaisedException, spawn

from mascarade_env._errors import MascaradeError
from mascarade_env.cli._interrupts import noted

_WHY = "why"  # the name of the file for a process's error
_LOOK = 0.2  # seconds between two checks for signals to pass on
_GRACE = 20  # seconds that processes get to end after one of them has failed


class ProcessGroup:
    """The processes of a training; by default a single one.

    Attributes:
        rank: the number of this process. Process 0 leads: it writes files and shows progress.
        size: the number of processes.
        stops: a sized object; its length is the number of stop signals so far.
    """

    def __init__(self, rank: int = 0, size: int = 1, stops: Sized = ()) -> None:
        self.rank = rank
        self.size = size
        self.stops = stops

    @property
    def leads(self) -> bool:
        """Whether this process writes files and shows progress."""
        return self.rank == 0

    def mean(self, tensors: Iterable[Tensor]) -> None:
        """Replace tensors with their means over the processes."""
        if self.size == 1:
            return
        some = list(tensors)
        flat = torch.cat([tensor.reshape(-1) for tensor in some])
        dist.all_reduce(flat)
        flat /= self.size
        parts = torch.split(flat, [tensor.numel() for tensor in some])
        for tensor, part in zip(some, parts, strict=True):
            tensor.copy_(part.reshape(tensor.shape))

    def sum(self, numbers: Iterable[float]) -> list[float]:
        """Return each number summed over the processes."""
        if self.size == 1:
            return list(numbers)
        sums = torch.tensor(list(numbers), dtype=torch.float64)
        dist.all_reduce(sums)
        return [float(number) for number in sums]

    def gather(self, mine: Any) -> list[Any]:
        """Collect one object from each process; return all in process 0, and [] in the others."""
        if self.size == 1:
            return [mine]
        all_objects: list[Any] = [None] * self.size if self.leads else []
        dist.gather_object(mine, all_objects if self.leads else None)
        return all_objects


#: The group of a training with a single process.
ALONE = ProcessGroup()


def by_torchrun() -> bool:
    """Return whether torchrun started this process.

    RANK and WORLD_SIZE do not show this, because other programs set them too.
    """
    return "TORCHELASTIC_RUN_ID" in os.environ


def leads() -> bool:
    """Return whether this process leads; it can be called before the processes connect."""
    return not by_torchrun() or int(os.environ["RANK"]) == 0


def size(processes: int) -> int:
    """Return the number of processes: torchrun's number if torchrun started this process.

    Otherwise return `processes`.
    """
    return int(os.environ["WORLD_SIZE"]) if by_torchrun() else processes


def run_in_parallel(processes: int, work: Callable[..., None], *arguments: Any) -> int:
    """Call `work(group, *arguments)` in `processes` processes; if one fails, all end.

    If torchrun started this process, call `work` in this process only.

    Returns:
        The number of the first stop signal; 0 if there was none.

    Raises:
        MascaradeError: `work` raised this error in a process, or a process was killed.
    """
    with noted(most=1) as came:
        if by_torchrun():
            dist.init_process_group("gloo")
            try:
                work(ProcessGroup(dist.get_rank(), dist.get_world_size(), came), *arguments)
                dist.barrier()  # leaving while others still communicate could abort this process
            finally:
                dist.destroy_process_group()
        elif processes == 1:
            work(ProcessGroup(stops=came), *arguments)
        else:
            with tempfile.TemporaryDirectory() as folder:
                _run_all(processes, Path(folder), came, work, arguments)
    return came[0] if came else 0


class _Start(NamedTuple):
    """The data that a process needs to join the others.

    Attributes:
        size: the number of processes.
        folder: the folder through which they connect, and where they write their errors.
        asked: a shared counter of the stop signals that the starting process received.
    """

    size: int
    folder: Path
    asked: Any


def _run_all(
    processes: int,
    folder: Path,
    came: list[int],
    work: Callable[..., None],
    arguments: tuple[Any, ...],
) -> None:
    """Start the processes, pass signals to them, and wait until all have ended."""
    start = _Start(processes, folder, get_context("spawn").Value("i", 0))
    started = spawn(  # type: ignore[no-untyped-call]
        _join, (start, work, arguments), nprocs=processes, join=False
    )
    try:
        # After a failure, `join` kills processes that still wait for the failed one.
        while not started.join(timeout=_LOOK, grace_period=_GRACE):
            start.asked.value = len(came)  # Ctrl-C reaches all processes, `kill` only this one
    except (ProcessRaisedException, ProcessExitedException) as error:
        if (folder / _WHY).exists():
            raise MascaradeError((folder / _WHY).read_text("utf-8")) from None
        if came:
            raise KeyboardInterrupt from error
        if isinstance(error, ProcessRaisedException):
            raise
        raise MascaradeError(
            f"a process of the run was killed ({error}); the last checkpoint is complete: resume "
            "the run with --resume"
        ) from error
    finally:
        for process in started.processes:
            process.kill()


def _join(rank: int, start: _Start, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    with noted(most=1) as came:
        meeting = (start.folder / "meeting").as_uri()
        dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=start.size)
        try:
            work(ProcessGroup(rank, start.size, _Stops(came, start.asked)), *arguments)
            dist.barrier()
        except MascaradeError as error:
            (start.folder / _WHY).write_text(str(error), "utf-8")
            raise
        finally:
            dist.destroy_process_group()


class _Stops:
    """The stop signals of a process that another process started; `len` counts them.

    It received some of them itself; the process that started it passed on the others.
    """

    def __init__(self, came: list[int], asked: Any) -> None:
        self._came = came
        self._asked = asked

    def __len__(self) -> int:
        return len(self._came) + int(self._asked.value)
