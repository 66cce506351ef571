import doctest
from types import ModuleType

import pytest

from mascarade_env.testing import agents, compare, environments, leaks


@pytest.mark.parametrize("module", [agents, compare, environments, leaks])
def test_examples_in_docstrings_do_what_they_show(module: ModuleType) -> None:
    found = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 0
    assert found.failed == 0
