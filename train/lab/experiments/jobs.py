"""Run measurements once, and store their results in train/results."""

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

#: The command that runs measurements.
COMMAND = "python -m lab experiments"


@dataclass(frozen=True, slots=True)
class Job:
    """A measurement.

    Attributes:
        name: the name of its file in train/results.
        given: everything that the result depends on, as JSON types: agents, scenario, settings,
            seeds.
        measure: the function that computes the result from `given`. It must be at the top level of
            a module, so that other processes can import it.
        defaults: the default value of each setting, for stored results that lack a newer setting.
    """

    name: str
    given: dict[str, Any]
    measure: Callable[[dict[str, Any]], dict[str, Any]]
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether a result is stored that was measured with the same `given`."""
        record = result_files.read(self.name)
        if record is None:
            return False
        then = dict(record["given"])
        if "settings" in then:
            try:
                then["settings"] = completed(then["settings"], self.defaults)
            except MascaradeError:  # it used a setting that was removed
                return False
        return bool(result_files.rounded(then) == result_files.rounded(self.given))

    def measured(self) -> dict[str, Any]:
        """Run the measurement and return the record to store."""
        begun = time.monotonic()
        result = self.measure(self.given)
        return {
            "command": f"{COMMAND} {self.name}",
            "given": self.given,
            "versions": versions("torch", "numpy", "numba"),
            "commit": commit(),
            "seconds": round(time.monotonic() - begun, 1),
            **result,
        }

    def do(self) -> None:
        """Run the measurement and store the record."""
        result_files.write(self.name, self.measured())


def do_all(jobs: Sequence[Job], processes: int) -> None:
    """Run all measurements that have no result yet.

    Args:
        jobs: the measurements, in the order in which they start.
        processes: number of measurements that run in parallel.

    Raises:
        MascaradeError: at least one measurement failed. The results of all others are stored.
    """
    left = [job for job in jobs if not job.done]
    print(f"{len(jobs) - len(left)} of {len(jobs)} measurements exist already.", flush=True)
    failed = []
    for number, (job, record) in enumerate(_measured(left, processes), 1):
        if isinstance(record, MascaradeError):
            failed.append(f"{job.name}: {record}")
            continue
        result_files.write(job.name, record)
        print(f"[{number}/{len(left)}] {job.name}: {record['seconds']:.0f} s", flush=True)
    if failed:
        raise MascaradeError(f"these measurements failed: {'; '.join(failed)}")


def _measured(
    jobs: Sequence[Job], processes: int
) -> Iterator[tuple[Job, dict[str, Any] | MascaradeError]]:
    """Yield each job when it is finished, with its record or its error."""
    if processes == 1:
        for job in jobs:
            print(f"{job.name} ...", flush=True)
            yield job, _tried(job)
        return
    # A forked process would copy locks of other threads, so processes are spawned.
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
