"""Threads share the games of a batch without changing the results."""

import copy
import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import Batch, IllegalActionError, MascaradeError
from mascarade_env.game._threads import run_all
from tests.messages import facts
from tests.waiting import LONG

CASES: dict[str, dict[str, Any]] = {
    "all decide": {"scenario": "6A", "size": 11, "track": "both"},
    "learners": {
        "scenario": "8B", "size": 13, "track": "belief", "most_worlds": 32,
        "learner": [row % 9 - 1 for row in range(13)],
    },
    "padded": {"scenario": "4B", "size": 5, "track": "memory", "padded": True},
    "rest": {"scenario": "12B", "size": 4, "track": "both", "autoreset": "disabled"},
    "next step": {"scenario": "6B", "size": 7, "track": None, "autoreset": "next_step"},
}  # fmt: skip


def shown(batch: Batch) -> list[bytes]:
    """Return all arrays that a batch shows."""
    arrays: list[NDArray[Any]] = [
        batch.player, batch.observation, batch.mask, batch.rewards, batch.terminated,
        batch.truncated, batch.state, batch.final, batch.series,
    ]  # fmt: skip
    if batch.schema is not None and "own_belief" in batch.schema.places:
        viewers = np.arange(len(batch)) % batch.scenario.players
        arrays += [batch.exact, batch.belief(viewers), batch.full_state(0), batch.observe(viewers)]
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("case", CASES)
def test_the_number_of_threads_changes_nothing(case: str) -> None:
    batches = [Batch(**CASES[case], seed=7, threads=threads) for threads in (1, 2, 3, 64)]
    for step in range(60):
        chosen = None if step % 3 else np.arange(len(batches[0])) % 3 != step % 2
        for batch in batches:
            batch.step(batch.random_actions(), rows=chosen)
        if step == 30:
            for batch in batches:
                batch.reset(rows=chosen)
        one, *others = map(shown, batches)
        assert all(other == one for other in others)
    assert len({batch.thinned for batch in batches}) == 1


def test_an_illegal_action_in_any_part_changes_no_game() -> None:
    batch = Batch("6A", 9, seed=2, threads=3)
    for row in (0, 4, 8):
        actions = batch.random_actions()
        before = shown(batch)
        actions[row] = np.flatnonzero(batch.mask[row] == 0)[0]
        with pytest.raises(IllegalActionError, match=f"row {row}: "):
            batch.step(actions)
        assert shown(batch) == before
        batch.step(batch.random_actions())


def test_copies_use_the_same_number_of_threads() -> None:
    batch = Batch("8A", 10, seed=3, threads=2)
    for _ in range(20):
        batch.step(batch.random_actions())
    twins = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for _ in range(20):
        for each in (batch, *twins):
            each.step(each.random_actions())
        assert all(shown(twin) == shown(batch) for twin in twins)
    assert [len(twin._parts) for twin in twins] == [2, 2]


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "two"])
def test_a_bad_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("threads")):
        Batch("6A", 2, threads=threads)


def test_all_calls_end_before_an_interrupt_is_raised() -> None:
    ended: list[int] = []
    begun = threading.Event()

    def interrupted() -> None:
        begun.wait(LONG)
        raise KeyboardInterrupt

    def slow() -> None:
        begun.set()
        threading.Event().wait(0.2)
        ended.append(1)

    with pytest.raises(KeyboardInterrupt):
        run_all([interrupted, slow, slow])
    assert ended == [1, 1]


def test_an_interrupt_at_any_moment_finds_all_calls_made_or_none() -> None:
    """It must not leave a lock held either, for which later calls would wait for ever."""
    program = (
        "import random, signal\n"
        "from mascarade_env.game._threads import run_all\n"
        "def interrupt(*_): raise KeyboardInterrupt\n"
        "signal.signal(signal.SIGALRM, interrupt)\n"
        "moments, interrupts = random.Random(1), 0\n"
        "for _ in range(1500):\n"
        "    made = []\n"
        "    try:\n"
        "        signal.setitimer(signal.ITIMER_REAL, 1e-6 + moments.random() * 3e-4)\n"
        "        run_all([lambda: made.append(1)] * 4)\n"
        "        signal.setitimer(signal.ITIMER_REAL, 0)\n"
        "    except KeyboardInterrupt:\n"
        "        interrupts += 1\n"
        "    assert len(made) in (0, 4), made\n"
        "assert interrupts > 100, interrupts\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=LONG)


def test_an_error_in_another_thread_is_raised() -> None:
    def wrong() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_all([lambda: None, wrong])


def test_a_child_process_has_threads_of_its_own() -> None:
    """A fork copies no threads: calls that waited for the parent's threads would hang."""
    program = (
        "import os, mascarade_env\n"
        "batch = mascarade_env.Batch('6A', 6, seed=1, threads=3)\n"
        "batch.step(batch.random_actions())\n"
        "child = os.fork()\n"
        "batch.step(batch.random_actions())\n"
        "print(hash(batch.observation.tobytes()), flush=True)\n"
        "if child: os.waitpid(child, 0)\n"
        "else: os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=LONG,
        env={"PYTHONHASHSEED": "0", "PATH": ""},
    )
    one, other = done.stdout.split()
    assert one == other


def test_an_interrupt_while_beliefs_grow_loses_no_worlds() -> None:
    """It may come after the follower has new arrays, and before the kernels have them."""
    batch, twin = (Batch("8A", 3, seed=5) for _ in range(2))
    for _ in range(10):
        batch._followers[0].grow(64)
        for each in (batch, twin):
            for _ in range(6):
                each.step(each.random_actions())
    assert shown(copy.deepcopy(batch)) == shown(batch) == shown(twin)
    batch._grow(0, 10_000)
    for _ in range(60):
        for each in (batch, twin):
            each.step(each.random_actions())
    assert shown(batch) == shown(twin)
