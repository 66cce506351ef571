"""Benchmarks of the rules, of `Game` and `Batch`, and of the start of a program."""

import os
import random
import subprocess
import sys
import tempfile
from functools import partial

import numpy as np

from mascarade_env._benchmarks import ROUNDS, Benchmark, best_rate
from mascarade_env._jit import compiled
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._batch import Batch
from mascarade_env.game._events import LOG
from mascarade_env.game._game import Game
from mascarade_env.game._positions import Rows
from mascarade_env.game._scenarios import resolve
from mascarade_env.game._state import GAME, new_rows


@compiled
def _whole_games(rows: Rows, logs: Rows, legals: Rows) -> int:
    decisions = 0
    for i in range(len(rows)):
        rng.seed_row(rows[i], i)
        rules.deal(rows[i], logs[0])
        decisions += rules.playout(rows[i], logs[0], legals[0], 1_000_000)
    return decisions


@compiled
def _copies(rows: Rows, rounds: int) -> int:
    """Copy rows. Each copy reads the previous copy, so the compiler cannot skip any of them."""
    for k in range(rounds):
        rows[(k + 1) % len(rows)] = rows[k % len(rows)]
    return rounds


def _playouts(scenario: str) -> float:
    """Measure random games from the deal to the end, in compiled code."""
    rows, logs, legals = (
        new_rows(resolve(scenario), 20_000),
        np.zeros(1, LOG),
        np.zeros(1, LEGAL),
    )
    return best_rate(lambda: _whole_games(rows, logs, legals))


def _game_by_id() -> float:
    """Measure the usual loop of a user: read the legal ids, choose one, and call `play`."""

    def work() -> int:
        generator, decisions = random.Random(0), 0
        for seed in range(200):
            game = Game("6A", seed=seed)
            while not game.over:
                game.play(generator.choice(game.legal_ids()))
                decisions += 1
        return decisions

    return best_rate(work)


def _batch_steps() -> float:
    """Measure steps of 4,096 games without observations, with random actions in compiled code."""
    batch = Batch("6A", 4096, seed=0, track=None)

    def work() -> int:
        for _ in range(50):
            batch.step(batch.random_actions())
        return 50 * len(batch)

    return best_rate(work)


def _clone_compiled() -> float:
    rows = new_rows(resolve("12B"), 65)
    return 1e6 / best_rate(lambda: _copies(rows, 2_000_000))


def _clone_python() -> float:
    game = Game("6A", seed=0)
    game.play_randomly(100)

    def work() -> int:
        for _ in range(50_000):
            game.clone()
        return 50_000

    return 1e6 / best_rate(work)


_FIRST_GAME = (
    "game = mascarade_env.Game('6A', seed=0); game.play(game.legal_actions()[0]); "
    "game.legal_actions()"
)
_SOME_GAME = (
    "game = mascarade_env.Game('6A', seed=0); game.play_randomly(5); game.observation(); "
    "batch = mascarade_env.Batch('6A', 2, seed=0); batch.step(batch.random_actions())"
)


def _seconds(before: str, timed: str, **environment: str) -> float:
    """Run `before` and then `timed` in a new interpreter; return the wall time of `timed`."""
    program = (
        f"{before}\nimport time; begun = time.perf_counter()\n{timed}\n"
        "print(time.perf_counter() - begun)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def _import_seconds() -> float:
    return min(_seconds("import numpy, numba", "import mascarade_env") for _ in range(ROUNDS))


def _first_compile_seconds(code: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return _seconds("import mascarade_env", code, NUMBA_CACHE_DIR=folder)


def _later_start_seconds() -> float:
    """Measure a whole process: the start of Python, imports, a game and a batch."""
    code = f"import mascarade_env; {_SOME_GAME}"
    run = f"subprocess.run([sys.executable, '-c', {code!r}], check=True)"
    return min(_seconds("import subprocess, sys", run) for _ in range(ROUNDS))


BENCHMARKS = (
    Benchmark(
        "playouts-6A",
        "decisions of random games in compiled code, 6A",
        "/s",
        lambda: _playouts("6A"),
        at_least=8e6,
    ),
    Benchmark(
        "playouts-12B",
        "the same, 12B",
        "/s",
        lambda: _playouts("12B"),
    ),
    Benchmark(
        "batch-6A",
        "decisions of a Batch of 4,096 games, 6A, without observations",
        "/s",
        _batch_steps,
    ),
    Benchmark(
        "game-6A",
        "decisions of Game by action id from Python, 6A",
        "/s",
        _game_by_id,
        at_least=200e3,
    ),
    Benchmark("clone-compiled", "copy of a row in compiled code", "us", _clone_compiled, at_most=1),
    Benchmark("clone-python", "Game.clone() after 100 decisions", "us", _clone_python, at_most=5),
    Benchmark("state", "memory of one game", "bytes", lambda: GAME.itemsize, at_most=256),
    Benchmark(
        "import",
        "import of mascarade_env, without numpy and numba",
        "s",
        _import_seconds,
        at_most=0.5,
    ),
    Benchmark(
        "first-game",
        "first game after installation: deal, legal actions, a decision",
        "s",
        partial(_first_compile_seconds, _FIRST_GAME),
        at_most=8,
    ),
    Benchmark(
        "first-compile",
        "first game and batch after installation",
        "s",
        partial(_first_compile_seconds, _SOME_GAME),
        at_most=20,
    ),
    Benchmark(
        "later-start",
        "later start: whole process with a game and a batch",
        "s",
        _later_start_seconds,
        at_most=2,
    ),
)
