"""Which cases belong to which tier, and how much of random input a tier tries.

`make test` leaves out what is marked `slow`; `make test-full` runs everything; `make test-nightly`
runs everything with checked array bounds, and multiplies the number of random games by
MASCARADE_EFFORT and the number of mutated inputs by MASCARADE_FUZZ.
"""

import os
from collections.abc import Iterable
from typing import Any

import pytest

from mascarade_env import Scenario, scenarios

SLOW_SHARE = 0.12  # the largest share of all cases

# From 4 to 12 players; together they have all masks.
SAMPLE = frozenset({"4A", "6B", "8B", "12A"})

_EFFORT = int(os.environ.get("MASCARADE_EFFORT", "1"))


def fuzzed(count: int) -> int:
    """Return the number of random games or examples to try: count times MASCARADE_EFFORT."""
    return count * _EFFORT


def sampled(cases: Iterable[str | Scenario]) -> list[Any]:
    """Return the cases, of which named scenarios outside of the sample are slow."""
    beyond = set(scenarios()) - SAMPLE
    slow = pytest.mark.slow
    return [pytest.param(case, marks=slow if _name(case) in beyond else ()) for case in cases]


def _name(case: str | Scenario) -> str:
    return case.name if isinstance(case, Scenario) else case


def slow_from(first: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases, of which those from a position on are slow."""
    slow = pytest.mark.slow
    return [
        pytest.param(case, marks=slow if position >= first else ())
        for position, case in enumerate(cases)
    ]
