"""What can go wrong, each with a message that says what to do.

Whatever is refused is refused with a `MascaradeError`, which is a `ValueError`, and nothing has
changed. Files that cannot be written raise the system's own `OSError`.

These classes report the package that users import them from as their module: tracebacks print it.
Other public classes keep the module that defines them, where `inspect.getsource` looks for them.
"""

import difflib
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np


class MascaradeError(ValueError):
    """Base of all errors this package raises on purpose."""

    __module__ = "mascarade_env"


class UnknownNameError(MascaradeError):
    """A scenario, mask or action word that does not exist."""

    __module__ = "mascarade_env"


class IllegalActionError(MascaradeError):
    """An action that is not legal now."""

    __module__ = "mascarade_env"


class ScenarioError(MascaradeError):
    """A scenario that breaks a rule; `rule` is the number of that rule."""

    __module__ = "mascarade_env"

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(rule, message)
        self.rule = rule

    def __str__(self) -> str:
        rule, message = self.args
        return f"rule {rule}: {message}"


class RecordError(MascaradeError):
    """A game record that cannot be read or that breaks the rules.

    Attributes:
        reason: what is wrong, without the place.
        step: number of the step at fault, counted from 0, if it is a step.
        file: the file it was read from, if any.
        line: line in that file, counted from 1.
        readable: how many games of the file were read before this one.
    """

    __module__ = "mascarade_env"

    def __init__(self, reason: str, *, step: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.step = step
        self.file: str | None = None
        self.line: int | None = None
        self.readable: int | None = None

    def __str__(self) -> str:
        place = [] if self.file is None else [self.file]
        place += [] if self.line is None else [f"line {self.line}"]
        place += [] if self.step is None else [f"step {self.step}"]
        text = f"{', '.join(place)}: {self.reason}" if place else self.reason
        if self.readable is not None:
            text += f" (games read before it: {self.readable})"
        return text


class InexactBeliefWarning(UserWarning):
    """A belief is an approximation, because too many placements are possible."""

    __module__ = "mascarade_env"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return the end of an error message: the nearest known word, and all of them."""
    words = list(known)
    near = difflib.get_close_matches(str(word), words, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{hint} (known: {', '.join(words)})"


def whole(number: Any, what: str, *, at_least: int | None = None) -> int:
    """A whole number of any type but bool, or an error that says what it should have been."""
    try:
        if isinstance(number, bool | np.bool_):
            raise TypeError
        found = operator.index(number)
    except TypeError:
        raise MascaradeError(f"{what} is a whole number, not {number!r}") from None
    if at_least is not None and found < at_least:
        raise MascaradeError(f"{what} is {at_least} or more, not {found}")
    return found
