"""What holds for all tests."""

import sys
from pathlib import Path

import pytest

import mascarade_env
from mascarade_env import Batch, Game, _jit
from mascarade_env._jit import cache as _cache

# The first run of a fresh checkout compiles as it goes; on a busy machine that takes long enough to
# be announced, in the midst of what commands print. Tests of the announcement start a new process.
_jit.PATIENCE = 3600.0

# The terminal of these tests is a Unix one.
collect_ignore = ["mascarade_agents/cli/test_play.py"] if sys.platform == "win32" else []

# Whether each test that was collected is slow, by id, before any is left out.
COLLECTED = pytest.StashKey[dict[str, bool]]()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what most tests need before workers start: each would compile the same."""
    workers = session.config.getoption("numprocesses", None)  # of pytest-xdist, if it is there
    package = Path(mascarade_env.__file__).parent
    folder = None if _jit.SETTINGS.DISABLE_JIT else _cache.cache_folder(package, package.name)
    if workers and folder and not any(folder.glob("step_rows-*")):
        batch = Batch("4A", size=2, seed=0, track="both")
        batch.step(batch.random_actions())
        game = Game("4A", seed=0)
        game.play_randomly(3, seed=0)
        game.observation(0)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Count the tests of the tiers, and begin with slow ones: at the end, a worker would idle."""
    config.stash[COLLECTED] = {
        item.nodeid: item.get_closest_marker("slow") is not None for item in items
    }
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
