"""What is compiled at first use is told on stderr, which tests of commands look at."""

import pytest

from mascarade_env.core import _jit


@pytest.fixture(autouse=True)
def _silent_compilations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "PATIENCE", 1e6)
