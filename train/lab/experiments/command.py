"""`python -m lab experiments`: run the measurements for RESULTS.md."""

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
    """Run the measurements for RESULTS.md that have no result yet.

    Example: python -m lab experiments exact --processes 2

    The same command resumes an interrupted run.

    Args:
        names: Measurements to run, by the beginnings of their names, such as exact or full/6A. All
            by default.
        processes: Number of measurements to run in parallel, each in a separate process.
        list: List the measurements, and whether each has a result. Run none.
    """
    whole(processes, "--processes", at_least=1)
    jobs = chosen(names)
    if list:
        for job in jobs:
            print(f"{'done   ' if job.done else 'missing'}  {job.name}")
        return
    # Each process uses one thread, because more threads would compete for cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    do_all(jobs, processes)


def chosen(names: Sequence[str]) -> list[Job]:
    """Return the measurements whose names begin with one of `names`; all if `names` is empty.

    Raises:
        MascaradeError: no measurement has a name that begins with one of `names`.
    """
    jobs = [*exact.jobs(), *full.jobs()]
    beginnings = tuple(names) or ("",)
    selected = [job for job in jobs if job.name.startswith(beginnings)]
    for name in beginnings:
        if not any(job.name.startswith(name) for job in jobs):
            absent = f"; not released yet: {', '.join(full.missing())}" if full.missing() else ""
            raise MascaradeError(
                f"no measurement has a name that begins with {name!r}: --list shows all "
                f"names{absent}"
            )
    return selected
