"""Compare results exactly: types, dtypes, shapes and every bit."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError


def difference(one: Any, other: Any) -> str | None:
    """Describe the first difference between two results; return None if they are the same.

    Numbers are compared bit by bit: NaN equals NaN, -0.0 differs from 0.0, and 1 from 1.0 and True.

        >>> difference({"a": [1, float("nan")]}, {"a": [1, float("nan")]}) is None
        True
        >>> difference({"a": np.zeros(3)}, {"a": np.array([0.0, 2.0, 0.0])})
        "['a'][1] is 0.0 in one and 2.0 in the other"

    Args:
        one: an array, number, text, None, a dataclass, or nested containers of these.
        other: the result to compare it with.

    Raises:
        MascaradeError: the results hold a value that cannot be compared, such as a function.
    """
    return _differs("", one, other)


def held(shown: Any) -> Any:
    """Copy the containers of a result, but not the arrays and values in them."""
    if isinstance(shown, dict):
        return {key: held(value) for key, value in shown.items()}
    if isinstance(shown, list):
        return [held(value) for value in shown]
    if isinstance(shown, tuple) and type(shown) is tuple:
        return tuple(held(value) for value in shown)
    return shown


def arrays_in(shown: Any) -> Iterator[NDArray[Any]]:
    """Yield all arrays in a result."""
    if isinstance(shown, np.ndarray):
        yield shown
        if shown.dtype.hasobject:
            yield from arrays_in(shown.tolist())
    elif isinstance(shown, dict):
        for value in shown.values():
            yield from arrays_in(value)
    elif isinstance(shown, list | tuple):
        for value in shown:
            yield from arrays_in(value)


def _differs(at: str, one: Any, other: Any) -> str | None:
    if type(one) is not type(other):
        return f"{at or 'it'} is of type {type(one).__name__} and {type(other).__name__}"
    if isinstance(one, np.ndarray) or hasattr(type(one), "__array__"):  # also tensors
        return _arrays_differ(at, np.asarray(one), np.asarray(other))
    if isinstance(one, dict | list | tuple) or dataclasses.is_dataclass(one):
        return _first(_parts_differ(at, one, other))
    if _same(at, one, other):
        return None
    return f"{at or 'it'} is {_short(one)} in one and {_short(other)} in the other"


def _parts_differ(at: str, one: Any, other: Any) -> Iterator[str | None]:
    if isinstance(one, dict):
        if list(one) != list(other):
            yield f"{at or 'it'} has the keys {list(one)} and {list(other)}"
            return
        for key in one:
            yield _differs(f"{at}[{key!r}]", one[key], other[key])
    elif isinstance(one, list | tuple):
        if len(one) != len(other):
            yield f"{at or 'it'} has {len(one)} and {len(other)} entries"
            return
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield _differs(f"{at}[{number}]", *pair)
    else:
        for name in (field.name for field in dataclasses.fields(one)):
            yield _differs(f"{at}.{name}", getattr(one, name), getattr(other, name))


def _same(at: str, one: Any, other: Any) -> bool:
    """Return whether two values of one type are the same. They are not arrays or containers."""
    if isinstance(one, float | complex):
        return np.asarray(one).tobytes() == np.asarray(other).tobytes()
    if one is not other and getattr(type(one), "__eq__") is object.__eq__:  # noqa: B009  mypy
        raise MascaradeError(
            f"{at or 'it'} cannot be compared, because {type(one).__name__} does not define ==: "
            "return arrays, numbers, text, or containers of them"
        )
    return bool(one == other)


def _arrays_differ(at: str, one: NDArray[Any], other: NDArray[Any]) -> str | None:
    if one.dtype != other.dtype or one.shape != other.shape:
        return (
            f"{at or 'it'} is {one.dtype} of shape {one.shape} in one and {other.dtype} of shape "
            f"{other.shape} in the other"
        )
    if one.dtype.names is not None:  # by field, because there may be unused bytes between
        return _first(
            _arrays_differ(f"{at}[{name!r}]", one[name], other[name]) for name in one.dtype.names
        )
    if one.dtype.hasobject:
        return _first(
            _differs(f"{at}{_place(place)}", one[place], other[place])
            for place in np.ndindex(one.shape)
        )
    if one.tobytes() == other.tobytes():
        return None
    return _first(
        f"{at + _place(place) or 'it'} is {one[place]} in one and {other[place]} in the other"
        for place in np.ndindex(one.shape)
        if one[place].tobytes() != other[place].tobytes()
    )


def _first(differences: Iterator[str | None]) -> str | None:
    return next((words for words in differences if words is not None), None)


def _place(place: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, place))}]" if place else ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
