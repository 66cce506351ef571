"""Measurements that are made once, and kept."""

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

from lab import result_files
from mascarade_env._errors import MascaradeError
from mascarade_train._run.provenance import commit, versions
from mascarade_train._settings import completed

#: What starts them.
COMMAND = "python -m lab experiments"


@dataclass(frozen=True, slots=True)
class Job:
    """A measurement.

    Attributes:
        name: of its file in train/results.
        given: all that the result depends on, as JSON: who plays what, settings, seeds.
        measure: makes the result of what is given; a function at the top of a module.
        defaults: of all settings, for results that are older than a setting.
    """

    name: str
    given: dict[str, Any]
    measure: Callable[[dict[str, Any]], dict[str, Any]]
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether there is a result of what is given."""
        found = result_files.read(self.name)
        if found is None:
            return False
        then = dict(found["given"])
        if "settings" in then:
            try:
                then["settings"] = completed(then["settings"], self.defaults)
            except MascaradeError:  # a setting that is gone had an effect
                return False
        return bool(result_files.rounded(then) == result_files.rounded(self.given))

    def measured(self) -> dict[str, Any]:
        """Measure: what is to be kept."""
        begun = time.monotonic()
        found = self.measure(self.given)
        return {
            "command": f"{COMMAND} {self.name}",
            "given": self.given,
            "versions": versions("torch", "numpy", "numba"),
            "commit": commit(),
            "seconds": round(time.monotonic() - begun, 1),
            **found,
        }

    def do(self) -> None:
        """Measure, and keep it."""
        result_files.write(self.name, self.measured())


def do_all(jobs: Sequence[Job], processes: int) -> None:
    """Do what is not done yet.

    Args:
        jobs: in the order in which they begin.
        processes: how many at a time.

    Raises:
        MascaradeError: some cannot be measured; all others have been.
    """
    left = [job for job in jobs if not job.done]
    print(f"{len(jobs) - len(left)} of {len(jobs)} are done already.", flush=True)
    failed = []
    for number, (job, record) in enumerate(_measured(left, processes), 1):
        if isinstance(record, MascaradeError):
            failed.append(f"{job.name}: {record}")
            continue
        result_files.write(job.name, record)
        print(f"[{number}/{len(left)}] {job.name}: {record['seconds']:.0f} s", flush=True)
    if failed:
        raise MascaradeError(f"not measured: {'; '.join(failed)}")


def _measured(
    jobs: Sequence[Job], processes: int
) -> Iterator[tuple[Job, dict[str, Any] | MascaradeError]]:
    """The jobs as they are measured, with what is to be kept or why there is nothing."""
    if processes == 1:
        for job in jobs:
            print(f"{job.name} ...", flush=True)
            yield job, _tried(job)
        return
    # A fork would copy locks of other threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        running = {pool.submit(_tried, job): job for job in jobs}
        try:
            for finished in as_completed(running):
                yield running[finished], finished.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _tried(job: Job) -> dict[str, Any] | MascaradeError:
    try:
        return job.measured()
    except MascaradeError as error:
        return error
