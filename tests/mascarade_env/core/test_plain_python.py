"""`NUMBA_DISABLE_JIT=1` runs the same code: the same games, the same goldens, without warnings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mascarade_env.core._jit import SETTINGS

HERE = Path(__file__).parent


@pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="this already is plain Python")
@pytest.mark.parametrize("tests", ["test_lockstep.py", "test_golden.py"])
def test_in_plain_python(tests: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / tests)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
