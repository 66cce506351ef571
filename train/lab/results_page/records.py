"""Records of measurements, and tables made from them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from lab import result_files
from lab.experiments import exact, full
from lab.experiments.full import PLAYED
from lab.experiments.jobs import Job

Record: TypeAlias = Mapping[str, Any]
#: A mean with its 95% interval.
Share: TypeAlias = Mapping[str, Any]

NOT_YET = "not measured yet"


def record(name: str) -> Record | None:
    """Return a record; None if it is missing or out of date.

    A record is out of date if its network or its settings are not the current ones.
    """
    policies = {who: card["policy"] for who in PLAYED if (card := released(who)) is not None}
    job = _jobs(tuple(policies.items())).get(name)
    return result_files.read(name) if job is not None and job.done else None


@cache
def _jobs(policies: tuple[tuple[str, str], ...]) -> dict[str, Job]:
    """Return all measurements, by name."""
    return {job.name: job for job in (*exact.jobs(), *full.jobs(dict(policies)))}


def released(name: str) -> Record | None:
    """Return the record of a released network; None if it does not exist."""
    return result_files.read(f"{result_files.RELEASED}/{name}")


def percent(share: Share | None) -> str:
    """Return a share with its interval, in percent."""
    if share is None:
        return NOT_YET
    # Adding 0 turns -0 into 0.
    mean, low, high = (round(100 * share[key], 1) + 0.0 for key in ("mean", "low", "high"))
    return f"{mean:.1f} ({low:.1f} to {high:.1f})"


def absent(names: Iterable[str]) -> Iterator[str]:
    """Yield a line that lists what a table leaves out; nothing if the table is complete."""
    if words := ", ".join(names):
        yield f"\nNot measured yet: {words}."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
