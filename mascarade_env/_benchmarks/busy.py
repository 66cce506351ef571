"""Detect whether the machine does other work while `mascarade bench` measures."""

import os
import statistics
import time
from collections.abc import Sequence

PROBE = 0.1  # seconds of wall time of one test
FREE = 0.95  # below this share of a core the machine is busy
CALM = 0.5  # above this load per core, before the measurement, the machine is busy


def share_of_core() -> float:
    """Return the share of a core, 0 to 1, that this process gets while it computes all the time."""
    begun, used = time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < PROBE:
        pass
    return (time.process_time() - used) / (time.perf_counter() - begun)


def load_per_core() -> float:
    """Return the load average of the last minute divided by the number of cores; 0 if unknown."""
    if not hasattr(os, "getloadavg"):  # Windows
        return 0.0
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def busy_notice(load: float, shares: Sequence[float]) -> str | None:
    """Return a warning if the machine was busy, or None if it was not.

    Args:
        load: the load per core before the measurement.
        shares: the shares of a core that the process got, tested between benchmarks.
    """
    share = statistics.fmean(shares) if shares else 1.0
    if share >= FREE and load <= CALM:
        return None
    return (
        f"The machine was busy (load {load:.1f} per core at the start; this process got "
        f"{share:.0%} of a core), so these figures are worse than on a free machine: stop other "
        "programs and measure again."
    )
