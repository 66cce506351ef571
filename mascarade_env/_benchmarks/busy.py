"""Whether the machine does other work while `mascarade bench` measures."""

import os
import statistics
import time
from collections.abc import Sequence

PROBE = 0.1  # seconds of wall time that one look at the machine takes
FREE = 0.95  # share of a core below which the machine is busy
CALM = 0.5  # load per core, before anything is measured, above which it is busy


def share_of_core() -> float:
    """Return the share of a core that this process gets when it asks for all of it, 0 to 1."""
    begun, used = time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < PROBE:
        pass
    return (time.process_time() - used) / (time.perf_counter() - begun)


def load_per_core() -> float:
    """Return the load of the last minute, divided by the number of cores; 0 where unknown."""
    if not hasattr(os, "getloadavg"):  # Windows
        return 0.0
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def busy_notice(load: float, shares: Sequence[float]) -> str | None:
    """Return one line that says that the machine is busy, None if it is not.

    Args:
        load: the load per core before anything was measured.
        shares: of a core that the process got, looked at between measurements.
    """
    share = statistics.fmean(shares) if shares else 1.0
    if share >= FREE and load <= CALM:
        return None
    return (
        f"The machine was busy: load {load:.1f} per core before measuring, and this process got "
        f"{share:.0%} of a core. The figures are worse than on a free machine: stop other programs "
        "and measure again."
    )
