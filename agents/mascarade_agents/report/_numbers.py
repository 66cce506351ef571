"""Formats of numbers, and the scales of plots."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

NOTHING = "-"

Form: TypeAlias = Callable[[float | None], str]


def percent(value: float | None) -> str:
    """Return a share as a percentage with one decimal."""
    return NOTHING if value is None else f"{value:.1%}"


def plain(value: float | None) -> str:
    """Return a number with two decimals."""
    return NOTHING if value is None else f"{value:.2f}"


def tick(value: float, form: Form) -> str:
    """Return the label of a tick: the number without trailing zeros, with % if it is a share."""
    return f"{100 * value:g}%" if form is percent else f"{value:g}"


def form_of(unit: str) -> Form:
    """Return the function that formats numbers of a unit."""
    return percent if unit == "share" else plain


def interval(low: float | None, high: float | None, form: Form) -> str:
    """Return an interval as "low to high", or "-" if an end is missing."""
    if low is None or high is None:
        return NOTHING
    return f"{form(low).removesuffix('%')} to {form(high)}"


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis of a plot, from `low` to `high`, with its labelled `ticks`."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return the position of a value on the axis: 0 at `low`, 1 at `high`."""
        return (value - self.low) / (self.high - self.low)


def scale_for(values: Iterable[float | None], *, most: float = math.inf) -> Scale:
    """Return a scale that covers all the values, and whose ends are round numbers.

    Args:
        values: numbers to cover; None is skipped.
        most: the largest allowed upper end, such as 1 for shares.
    """
    numbers = [value for value in values if value is not None] or [0.0]
    low, high = min(numbers), max(numbers)
    if low == high:
        low, high = min(0.0, low), max(0.0, high) or low + 1.0
    step = _round_step((high - low) / 4)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(place * step, 12) for place in range(first, last + 1))
    if ticks[-1] > most:
        ticks = (*ticks[:-1], most)
    return Scale(ticks[0], ticks[-1], ticks)


def _round_step(step: float) -> float:
    """Return the smallest number 1, 2 or 5 times a power of ten that is at least `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= step * 0.999)
