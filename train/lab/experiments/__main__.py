"""Makes the measurements behind RESULTS.md: `python -m lab.experiments`."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from lab.experiments import exact, full
from lab.experiments.jobs import Job, do_all
from mascarade_env._errors import MascaradeError, whole


@dataclass(frozen=True, slots=True)
class Options:
    """Make the measurements behind RESULTS.md that are not there yet.

    Example: python -m lab.experiments exact --processes 2
    """

    names: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """What the names of measurements begin with, such as exact or full/6A; all by default."""
    processes: int = 1
    """How many are made at a time."""
    list: bool = False
    """Only list them."""


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


def main(arguments: list[str] | None = None) -> int:
    """Measure as the command line says; returns the exit code."""
    try:
        options = tyro.cli(Options, prog="python -m lab.experiments", args=arguments)
        whole(options.processes, "--processes", at_least=1)
        jobs = chosen(options.names)
        if options.list:
            for job in jobs:
                print(f"{'done   ' if job.done else 'missing'}  {job.name}")
            return 0
        # For the processes that are started: one thread each, or they wait for each other.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        do_all(jobs, options.processes)
    except (MascaradeError, OSError) as error:
        print(f"lab.experiments: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("lab.experiments: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
