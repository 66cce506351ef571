"""The fast tier stays a fair sample of all tests."""

from collections import defaultdict
from pathlib import PurePosixPath

import pytest

from tests.conftest import COLLECTED
from tests.tiers import SLOW_SHARE


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> dict[str, bool]:
    """Whether each test is slow, by id."""
    found = request.config.stash[COLLECTED]
    folders = {name.partition("/")[2].partition("/")[0] for name in found}
    if not folders >= {"mascarade_env", "mascarade_agents", "mascarade_train"}:
        pytest.skip("only some of the tests were asked for")
    return found


def test_few_tests_are_slow(collected: dict[str, bool]) -> None:
    assert 0 < sum(collected.values()) <= SLOW_SHARE * len(collected)


def test_each_file_has_fast_tests(collected: dict[str, bool]) -> None:
    """So that `make test` looks at all that `make test-full` looks at."""
    slow: dict[PurePosixPath, set[bool]] = defaultdict(set)
    for name, is_slow in collected.items():
        slow[PurePosixPath(name.partition("::")[0])].add(is_slow)
    assert [str(file) for file, kinds in slow.items() if kinds == {True}] == []
