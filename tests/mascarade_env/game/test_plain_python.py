"""With `NUMBA_DISABLE_JIT=1` the same code gives the same games and goldens, without warnings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mascarade_env._jit import SETTINGS
from tests.tiers import SAMPLE

HERE = Path(__file__).parent
FAST = " or ".join(["random", *sorted(SAMPLE)])


@pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="this already is plain Python")
@pytest.mark.parametrize(
    "chosen", [FAST, pytest.param(f"not ({FAST})", marks=pytest.mark.slow)], ids=["sample", "rest"]
)
def test_in_plain_python(chosen: str) -> None:
    tests = [str(HERE / name) for name in ("test_lockstep.py", "test_golden.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *tests],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
