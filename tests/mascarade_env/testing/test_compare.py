from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from mascarade_env import MascaradeError
from mascarade_env.testing import difference
from mascarade_env.testing._compare import arrays_in, held
from tests.messages import facts

NAN = float("nan")
ROW = np.dtype([("mask", np.int8), ("coins", np.int64)], align=True)


@dataclass
class Told:
    belief: Any


def objects(*values: Any) -> Any:
    array = np.empty(len(values), object)
    array[:] = values
    return array


@pytest.mark.parametrize(
    "make",
    [
        lambda: None,
        lambda: NAN,
        lambda: {"a": [1, ("x", b"y")], 2: {3, 4}},
        lambda: np.array([1.0, NAN, -0.0]),
        lambda: np.float32(NAN),
        lambda: np.zeros((0, 3)),
        lambda: np.array([(1, 2)], ROW),
        lambda: objects(None, np.arange(3)),
        lambda: Told(np.ones(2)),
    ],
)
def test_the_same_is_the_same(make: Any) -> None:
    assert difference(make(), make()) is None


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (1, 1.0, "of type int and float"),
        (1, True, "of type int and bool"),
        (0.0, -0.0, "it is 0.0 in one"),
        ("a", "b", "it is 'a' in one and 'b' in the other"),
        (np.float32(1), np.float32(2), "it is 1.0 in one and 2.0"),
        (np.float32(1), np.float64(1), "of type float32 and float64"),
        (np.zeros(2), np.zeros(2, np.float32), "float64 of shape .* float32 of shape"),
        (np.zeros(2), np.zeros((2, 1)), r"shape \(2, 1\)"),
        (np.array([[0.0, NAN]]), np.array([[0.0, 1.0]]), r"\[0, 1\] is nan in one and 1.0"),
        (np.array([0.0]), np.array([-0.0]), r"\[0\] is 0.0 in one and -0.0"),
        ({"a": 1}, {"b": 1}, r"keys \['a'\] and \['b'\]"),
        ({"a": [1, 2]}, {"a": [1, 3]}, r"\['a'\]\[1\] is 2 in one"),
        ([1], [1, 2], "1 and 2 entries"),
        (np.array([(1, 2)], ROW), np.array([(1, 3)], ROW), r"\['coins'\]\[0\] is 2"),
        (objects(np.zeros(1)), objects(np.ones(1)), r"\[0\]\[0\] is 0.0"),
        (Told(np.zeros(1)), Told(np.ones(1)), r"\.belief\[0\] is 0.0"),
    ],
)
def test_a_difference_is_found_and_named(one: Any, other: Any, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(difference(one, other))


def test_bytes_between_fields_do_not_count() -> None:
    one, other = np.zeros(1, ROW), np.frombuffer(b"\0" + b"\7" * 7 + b"\0" * 8, ROW)
    assert one.tobytes() != other.tobytes()
    assert difference(one, other) is None


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(MascaradeError, match=facts("[0]", "compared", "object")):
        difference([object()], [object()])


def test_held_results_see_later_writes_and_not_later_entries() -> None:
    array = np.zeros(2)
    shown: dict[str, Any] = {"a": [array], "b": (array,)}
    kept = held(shown)
    shown["a"].append(array)
    array[0] = 1
    assert difference(kept, {"a": [np.array([1.0, 0])], "b": (np.array([1.0, 0]),)}) is None
    assert len(list(arrays_in(shown))) == 3
    assert len(list(arrays_in(objects(None, array)))) == 2
