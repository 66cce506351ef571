"""Several processes that learn one network together, each from games of its own.

Every process computes the gradient of its own minibatch, and all descend along the mean of these
gradients, so all networks stay equal. On one machine `--processes 2` starts them; on several, start
them with torchrun, which gives each its rank in environment variables.
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

_WHY = "why"  # the file for the error of a process
_LOOK = 0.2  # seconds between two looks for signals to pass on
_GRACE = 20  # seconds that processes get to end after one of them has failed


class ProcessGroup:
    """The processes that learn together; one alone by default.

    Attributes:
        rank: the number of this process; 0 leads: it writes and shows.
        size: how many there are.
        stops: its length is the number of signals that asked this process to end.
    """

    def __init__(self, rank: int = 0, size: int = 1, stops: Sized = ()) -> None:
        self.rank = rank
        self.size = size
        self.stops = stops

    @property
    def leads(self) -> bool:
        """Whether this process writes and shows."""
        return self.rank == 0

    def mean(self, tensors: Iterable[Tensor]) -> None:
        """Replace tensors by their means over the processes."""
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
        found = torch.tensor(list(numbers), dtype=torch.float64)
        dist.all_reduce(found)
        return [float(number) for number in found]

    def gather(self, mine: Any) -> list[Any]:
        """Return what each process gives, in the one that leads; the others get an empty list."""
        if self.size == 1:
            return [mine]
        found: list[Any] = [None] * self.size if self.leads else []
        dist.gather_object(mine, found if self.leads else None)
        return found


#: One process that learns by itself.
ALONE = ProcessGroup()


def by_torchrun() -> bool:
    """Return whether torchrun has started this process; others set RANK and WORLD_SIZE as well."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def leads() -> bool:
    """Return whether this process leads, as far as is known before the processes meet."""
    return not by_torchrun() or int(os.environ["RANK"]) == 0


def size(processes: int) -> int:
    """Return how many processes learn: as many as torchrun has started, or as were asked for."""
    return int(os.environ["WORLD_SIZE"]) if by_torchrun() else processes


def run_in_parallel(processes: int, work: Callable[..., None], *arguments: Any) -> int:
    """Call `work(group, *arguments)` in `processes` processes; if one fails, all end.

    Started by torchrun, this process is one of those that torchrun has started.

    Returns:
        The number of the first signal that asked to end, 0 for none.
    """
    with noted(most=1) as came:
        if by_torchrun():
            dist.init_process_group("gloo")
            try:
                work(ProcessGroup(dist.get_rank(), dist.get_world_size(), came), *arguments)
                dist.barrier()  # one that leaves while others still talk to it may be aborted
            finally:
                dist.destroy_process_group()
        elif processes == 1:
            work(ProcessGroup(stops=came), *arguments)
        else:
            with tempfile.TemporaryDirectory() as folder:
                _run_all(processes, Path(folder), came, work, arguments)
    return came[0] if came else 0


class _Start(NamedTuple):
    """What a process needs to join the others.

    Attributes:
        size: how many there are.
        folder: where they meet, and leave their errors.
        asked: how many signals the process that started them has got.
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
    """Start the processes, pass signals on to them, and wait until all have ended."""
    start = _Start(processes, folder, get_context("spawn").Value("i", 0))
    started = spawn(  # type: ignore[no-untyped-call]
        _join, (start, work, arguments), nprocs=processes, join=False
    )
    try:
        # One that has failed may leave another waiting for it, which then is killed.
        while not started.join(timeout=_LOOK, grace_period=_GRACE):
            start.asked.value = len(came)  # Ctrl-C reaches all of them, `kill` this one only
    except (ProcessRaisedException, ProcessExitedException) as error:
        if (folder / _WHY).exists():
            raise MascaradeError((folder / _WHY).read_text("utf-8")) from None
        if came:
            raise KeyboardInterrupt from error
        if isinstance(error, ProcessRaisedException):
            raise
        raise MascaradeError(
            f"a process of the run was ended from outside ({error}); the last "
            "checkpoint is complete: resume from it with --resume"
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
    """Signals to this process, and those that the one which started it passes on."""

    def __init__(self, came: list[int], asked: Any) -> None:
        self._came = came
        self._asked = asked

    def __len__(self) -> int:
        return len(self._came) + int(self._asked.value)
