"""How numbers are written, and the scales they are drawn on."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

NOTHING = "-"

Form: TypeAlias = Callable[[float | None], str]


def percent(value: float | None) -> str:
    """Return a share in per cent with one digit after the point."""
    return NOTHING if value is None else f"{value:.1%}"


def plain(value: float | None) -> str:
    """Return a number with two digits after the point."""
    return NOTHING if value is None else f"{value:.2f}"


def tick(value: float, form: Form) -> str:
    """Return a round number as that form writes it, without noughts at its end."""
    return f"{100 * value:g}%" if form is percent else f"{value:g}"


def form_of(unit: str) -> Form:
    """Return how numbers of a unit are written."""
    return percent if unit == "share" else plain


def interval(low: float | None, high: float | None, form: Form) -> str:
    """Return an interval; nothing if there is none."""
    if low is None or high is None:
        return NOTHING
    return f"{form(low).removesuffix('%')} to {form(high)}"


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers, and those of them that are named."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Return where a value lies on the stretch, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def scale_for(values: Iterable[float | None], *, most: float = math.inf) -> Scale:
    """Return a scale that holds all the values, with round ends.

    Args:
        values: None is left out.
        most: the upper end is not above it.
    """
    known = [value for value in values if value is not None] or [0.0]
    low, high = min(known), max(known)
    if low == high:
        low, high = min(0.0, low), max(0.0, high) or low + 1.0
    step = _round_step((high - low) / 4)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(place * step, 12) for place in range(first, last + 1))
    if ticks[-1] > most:
        ticks = (*ticks[:-1], most)
    return Scale(ticks[0], ticks[-1], ticks)


def _round_step(step: float) -> float:
    """Return the next 1, 2 or 5 with noughts."""
    size = 10.0 ** math.floor(math.log10(step))
    return next(each * size for each in (1, 2, 5, 10) if each * size >= step * 0.999)
