"""Describe the machine and the packages. The figures of `mascarade bench` depend on them."""

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = (
    "mascarade-env", "numpy", "numba", "gymnasium", "pettingzoo",
    "stable-baselines3", "sb3-contrib", "torch",
)  # fmt: skip


def describe_machine() -> dict[str, Any]:
    """Return the processor, the system and the package versions, without host names or paths."""
    release = re.match(r"\d+(\.\d+)*", platform.release())
    return {
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {release[0] if release else ''}".rstrip(),
        "python": platform.python_version(),
        **{name: number for name in _PACKAGES if (number := _version(name))},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # the package of an extra
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:  # other systems have no such file
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.processor()
