"""What was measured, and tables of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from lab import result_files
from lab.experiments import exact, full
from lab.experiments.full import PLAYED
from lab.experiments.jobs import Job

Record: TypeAlias = Mapping[str, Any]
#: A mean with its interval.
Share: TypeAlias = Mapping[str, Any]

NOT_YET = "not measured yet"


def record(name: str) -> Record | None:
    """A record; None if it is not there, or of another network or other settings than now."""
    known = {who: found["policy"] for who in PLAYED if (found := released(who)) is not None}
    job = _jobs(tuple(known.items())).get(name)
    return result_files.read(name) if job is not None and job.done else None


@cache
def _jobs(policies: tuple[tuple[str, str], ...]) -> dict[str, Job]:
    """What can be measured, by name."""
    return {job.name: job for job in (*exact.jobs(), *full.jobs(dict(policies)))}


def released(name: str) -> Record | None:
    """What is known of a released network."""
    return result_files.read(f"{result_files.RELEASED}/{name}")


def percent(share: Share | None) -> str:
    """A share with its interval."""
    if share is None:
        return NOT_YET
    # Adding 0 makes 0 of what is rounded to -0.
    mean, low, high = (round(100 * share[key], 1) + 0.0 for key in ("mean", "low", "high"))
    return f"{mean:.1f} ({low:.1f} to {high:.1f})"


def absent(names: Iterable[str]) -> Iterator[str]:
    """A line on what is left out of a table, if anything is."""
    if words := ", ".join(names):
        yield f"\nNot measured yet: {words}."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
