"""Samples of texts are random, repeatable, and of the kinds that they claim."""

import re

import pytest

from lab.samples import samples


def printed(capsys: pytest.CaptureFixture[str], seed: int) -> str:
    samples(docstrings=4, errors=3, paragraphs=2, seed=seed)
    return capsys.readouterr().out


def test_samples_repeat_by_their_seed(capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys, 1)
    assert printed(capsys, 1) == first
    assert printed(capsys, 2) != first
    for kind, count in (("docstring", 4), ("error", 3), ("paragraph", 2)):
        places = re.findall(rf"^\[{kind} (\d+)\] (\S+):\d+$", first, re.MULTILINE)
        assert [int(number) for number, _ in places] == list(range(1, count + 1))
        assert all(place.endswith(".py") is (kind != "paragraph") for _, place in places)
        assert not any(place.startswith("tests/") for _, place in places)
