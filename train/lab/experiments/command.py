"""`python -m lab experiments`: make the measurements for RESULTS.md."""

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
    """Make the measurements for RESULTS.md that do not exist yet.

    Example: python -m lab experiments exact --processes 2

    The same command resumes an interrupted run.

    Args:
        names: Beginnings of the names of measurements, such as exact or full/6A; all by default.
        processes: Measurements to make in parallel, one process each.
        list: List the measurements and whether they exist, and make none.
    """
    whole(processes, "--processes", at_least=1)
    jobs = chosen(names)
    if list:
        for job in jobs:
            print(f"{'done   ' if job.done else 'missing'}  {job.name}")
        return
    # The started processes use one thread each, because more would compete for cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    do_all(jobs, processes)


def chosen(names: Sequence[str]) -> list[Job]:
    """Return the measurements whose names begin with one of `names`; all if `names` is empty.

    Raises:
        MascaradeError: there are none for one of `names`.
    """
    jobs = [*exact.jobs(), *full.jobs()]
    beginnings = tuple(names) or ("",)
    selected = [job for job in jobs if job.name.startswith(beginnings)]
    for name in beginnings:
        if not any(job.name.startswith(name) for job in jobs):
            absent = f"; not released yet: {', '.join(full.missing())}" if full.missing() else ""
            raise MascaradeError(
                f"no measurement's name begins with {name!r}: see --list for all{absent}"
            )
    return selected
