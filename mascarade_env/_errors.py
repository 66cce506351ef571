"""The exceptions and warnings of the package, and helpers that write error messages.

Invalid input raises a `MascaradeError`, which is a `ValueError`. A call that raises it has changed
nothing. A file that cannot be written raises the `OSError` of the operating system.

Tracebacks print the `__module__` of an error. So for these classes it is the package from which
users import them. Other public classes keep the module that defines them, because
`inspect.getsource` needs it.
"""

import difflib
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np


class MascaradeError(ValueError):
    """Base class of all errors that this package raises on purpose."""

    __module__ = "mascarade_env"


class UnknownNameError(MascaradeError):
    """A scenario, mask or action word that does not exist."""

    __module__ = "mascarade_env"


class UnknownKeyError(UnknownNameError, KeyError):
    """An unknown name that was used as the key of a mapping."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would print it in quotes


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
        reason: what is wrong, without the file, line and step.
        step: index of the step that is wrong, from 0; None if the error is not in a step.
        file: the file that the record was read from; None if it was not read from a file.
        line: line number in that file, from 1.
        readable: number of games read from the file before this record.
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
    """A belief is approximate, because it does not keep all placements that are possible."""

    __module__ = "mascarade_env"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return the end of an error message: the word most similar to `word`, and all known words."""
    words = list(known)
    near = difflib.get_close_matches(str(word), words, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{hint} (known: {', '.join(words)})"


def whole(number: Any, what: str, *, at_least: int | None = None) -> int:
    """Return a whole number as an `int`. It may have any integer type except bool.

    Args:
        number: the value to check.
        what: the name of the value, for the error message.
        at_least: the smallest value allowed.

    Raises:
        MascaradeError: `number` is not a whole number, or it is too small.
    """
    try:
        if isinstance(number, bool | np.bool_):
            raise TypeError
        value = operator.index(number)
    except TypeError:
        raise MascaradeError(f"{what} must be a whole number, not {number!r}") from None
    if at_least is not None and value < at_least:
        raise MascaradeError(f"{what} must be {at_least} or more, not {value}")
    return value
