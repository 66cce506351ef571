"""`python -m lab experiments`: make the measurements behind RESULTS.md."""

import os
from collections.abc import Sequence
from typing import Annotated

import tyro

from lab.experiments import exact, full
from lab.experiments.jobs import Job, do_all
from mascarade_env._errors import MascaradeError, whole


def experiments(
    names: Annotated[tuple[str, ...], tyro.conf.Positional] = (),
    processes: int = 1,
    list: bool = False,  # noqa: A002  the flag is --list
) -> None:
    """Make the measurements behind RESULTS.md that are not there yet.

    Example: python -m lab experiments exact --processes 2

    An interrupted run is resumed by the same command.

    Args:
        names: What the names of measurements begin with, such as exact or full/6A; all by default.
        processes: How many measurements are made at a time.
        list: Only list them, and whether they are done.
    """
    whole(processes, "--processes", at_least=1)
    jobs = chosen(names)
    if list:
        for job in jobs:
            print(f"{'done   ' if job.done else 'missing'}  {job.name}")
        return
    # For the processes that are started: one thread each, or they wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    do_all(jobs, processes)


def chosen(names: Sequence[str]) -> list[Job]:
    """The measurements whose names begin so.

    Raises:
        MascaradeError: there are none.
    """
    jobs = [*exact.jobs(), *full.jobs()]
    wanted = tuple(names) or ("",)
    found = [job for job in jobs if job.name.startswith(wanted)]
    for name in wanted:
        if not any(job.name.startswith(name) for job in jobs):
            absent = f"; not released yet: {', '.join(full.missing())}" if full.missing() else ""
            raise MascaradeError(f"no measurement's name begins with {name!r}{absent}")
    return found
