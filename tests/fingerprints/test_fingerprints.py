"""The behaviour agrees with the file of fingerprints, and changes are found."""

import json
from typing import Any

import numpy as np
import pytest

from tests.fingerprints.compare import TOLERANCE, differences
from tests.fingerprints.digests import Entries, digest, sketch
from tests.fingerprints.groups import FILE, GROUPS
from tests.fingerprints.observations import one_of
from tests.fingerprints.parts import TRACKS, Track

#: The groups of the fast tests; the others take longer.
_FAST = ("information", "networks", "agents")

_ADVICE = (
    "the behaviour has changed. Undo the change, or if it is meant: `make fingerprint`, and state "
    "the reason in CHANGELOG.md"
)


def _saved(group: str) -> Entries:
    found: Entries = json.loads(FILE.read_text("utf-8"))[group]
    return found


def _check(before: Entries, now: Entries, group: str) -> None:
    found = list(differences(before, now, group))
    assert not found, "\n".join([_ADVICE, *found])


@pytest.mark.parametrize(
    "group",
    [pytest.param(name, marks=() if name in _FAST else pytest.mark.slow) for name in GROUPS],
)
def test_a_group_is_as_it_was(group: str) -> None:
    _check(_saved(group), GROUPS[group](), group)


@pytest.mark.parametrize("track", TRACKS)
def test_some_observations_are_as_they_were(track: Track) -> None:
    group, now = f"observations-{track}", one_of(track)
    saved = _saved(group)
    _check({name: saved[name] for name in now}, now, group)


def test_the_file_has_all_groups_and_no_others() -> None:
    assert list(json.loads(FILE.read_text("utf-8"))) == list(GROUPS)


def test_every_entry_that_changes_is_named() -> None:
    before: Entries = {"a": {"b": "00", "c": "11", "old": "2"}, "d": 1.0, "e": 2.0}
    now: Entries = {"a": {"b": "00", "c": "12", "new": "2"}, "d": 1.0 + TOLERANCE / 2, "e": 2.01}
    assert list(differences(before, now, "all")) == [
        "all/a/c differs",
        "all/a/new is new",
        "all/a/old is missing",
        "all/e differs: 2.0 before, 2.01 now",
    ]
    assert list(differences({"a": 1.0}, {"a": float("nan")}, "all"))


@pytest.mark.parametrize(
    "other",
    [
        np.array([1, 2, 4], np.int64),
        np.array([1, 2, 3], np.int32),
        np.array([[1, 2, 3]], np.int64),
        [1, 2, 3],
    ],
)
def test_a_digest_notices_values_types_and_shapes(other: Any) -> None:
    array = np.array([1, 2, 3], np.int64)
    assert digest(array) == digest(array.copy()) == digest(np.array([1, 0, 2, 0, 3, 0])[::2])
    assert digest(other) != digest(array)


def test_a_sum_notices_one_probability_and_not_the_last_bits() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.random((1000, 20)).astype(np.float32)
    noise = rng.uniform(-1e-7, 1e-7, numbers.shape).astype(np.float32)
    assert abs(sketch(numbers + noise) - sketch(numbers)) < TOLERANCE
    shown = 0
    for place in rng.integers(numbers.size, size=50):
        changed = numbers.copy()
        changed.flat[place] += 0.01
        shown += abs(sketch(changed) - sketch(numbers)) > TOLERANCE
    assert shown >= 48
