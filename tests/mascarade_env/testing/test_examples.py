import doctest
from types import ModuleType

import pytest

from mascarade_env.testing import _agents as agents
from mascarade_env.testing import _compare as compare
from mascarade_env.testing import _environments as environments
from mascarade_env.testing import _leaks as leaks


@pytest.mark.parametrize("module", [agents, compare, environments, leaks])
def test_examples_in_docstrings_do_what_they_show(module: ModuleType) -> None:
    found = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 0
    assert found.failed == 0
