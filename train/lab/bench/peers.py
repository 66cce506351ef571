"""Measure random play in comparable packages, the peers.

This file has two uses. As a program in another environment, `PYTHON -I peers.py NAME`, it measures
one peer and prints one line of JSON. As a module in this environment, it lists the peers. So it
imports none of our packages, and imports each peer only in the function that plays it.
"""

import contextlib
import json
import os
import random
import runpy
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROUNDS, ROUND_SECONDS = 5, 0.5

#: The file with the loop of the AEC benchmarks. It is run as a file, because our packages cannot be
#: imported in the environment of the peers.
_AEC_LOOP = Path(__file__).resolve().parents[3] / "mascarade_env/_benchmarks/aec_loop.py"

Work = Callable[[], int]
"""A function that makes some decisions and returns their number."""


@dataclass(frozen=True, slots=True)
class Peer:
    """One line of the table of other packages.

    Attributes:
        name: name of the line.
        packages: the distributions whose versions are reported; the first one is the peer.
        game: the game.
        how: the interface and its options.
        beside: the name of our benchmark with the most similar work.
        url: address of the project.
        prepare: a function that imports the package, and returns the work to measure.
    """

    name: str
    packages: tuple[str, ...]
    game: str
    how: str
    beside: str
    url: str
    prepare: Callable[[], Work]


def _pettingzoo(module: str, maker: str) -> Work:
    env = getattr(import_module(f"pettingzoo.classic.{module}"), maker)()
    env.reset(seed=0)
    play_aec = runpy.run_path(str(_AEC_LOOP))["play_aec"]
    return partial(play_aec, env, 200, random.Random(0).random)


def _rlcard() -> Work:
    env = import_module("rlcard").make("leduc-holdem", config={"seed": 0})
    uniform = random.Random(0).random

    def work() -> int:
        decisions = 0
        for _ in range(100):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(uniform() * len(legal))])
                decisions += 1
        return decisions

    return work


def _openspiel(name: str, observe: bool) -> Work:
    """Return work that plays games of OpenSpiel. Chance nodes do not count as decisions."""
    game = import_module("pyspiel").load_game(name)
    observation = import_module("open_spiel.python.observation").make_observation(game)
    uniform = random.Random(0).random

    def dealt(outcomes: list[tuple[int, float]]) -> int:
        left = uniform()
        for outcome, probability in outcomes:
            left -= probability
            if left < 0:
                return outcome
        return outcomes[-1][0]  # rounding may leave the sum below 1

    def work() -> int:
        decisions = 0
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(dealt(state.chance_outcomes()))
                    continue
                if observe:
                    observation.set_from(state, state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(uniform() * len(legal))])
                decisions += 1
        return decisions

    return work


def _nth_legal(mask: Any, uniform: Any) -> Any:
    """Return a legal action for each row of masks, chosen by uniform random numbers in [0, 1)."""
    numpy = import_module("jax.numpy")
    count = numpy.cumsum(mask.astype(numpy.int32), axis=-1)
    return numpy.argmax(count > numpy.floor(uniform * count[..., -1])[..., None], axis=-1)


def _scanned(step: Callable[[Any], Any], start: Any, batch: int) -> Work:
    """Return work that takes 20 steps of a batch in one compiled call.

    The first call compiles the work. Its input and its output have different types, so the second
    call compiles it again. Time only later calls.
    """
    jax = import_module("jax")
    steps = 20
    many = jax.jit(lambda all_: jax.lax.scan(lambda a, _: (step(a), None), all_, None, steps)[0])
    held = [start]

    def work() -> int:
        held[0] = jax.block_until_ready(many(held[0]))
        return steps * batch

    return work


def _pgx(batch: int) -> Work:
    jax, pgx = import_module("jax"), import_module("pgx")
    env = pgx.make("leduc_holdem")
    each = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def step(all_: Any) -> Any:
        state, key = all_
        key, for_actions, for_steps = jax.random.split(key, 3)
        action = _nth_legal(state.legal_action_mask, jax.random.uniform(for_actions, (batch,)))
        return each(state, action, jax.random.split(for_steps, batch)), key

    first = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch))
    return _scanned(step, (first, jax.random.key(1)), batch)


def _jaxmarl(batch: int) -> Work:
    """Return work that plays games of JaxMARL.

    The observations are part of the state that is passed on. Otherwise the compiler would leave
    them out.
    """
    jax = import_module("jax")
    env = import_module("jaxmarl").make("hanabi")

    def step(all_: Any) -> Any:
        _, state, key = all_
        key, for_actions, for_steps = jax.random.split(key, 3)
        uniform = jax.random.uniform(for_actions, (batch,))
        masks = jax.vmap(env.get_legal_moves)(state)
        actions = {agent: _nth_legal(mask, uniform) for agent, mask in masks.items()}
        keys = jax.random.split(for_steps, batch)
        seen, state, *_ = jax.vmap(env.step)(keys, state, actions)
        return seen, state, key

    seen, state = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.key(0), batch))
    return _scanned(step, (seen, state, jax.random.key(1)), batch)


def _openspiel_lines(name: str, game: str) -> tuple[Peer, Peer]:
    url = "https://github.com/google-deepmind/open_spiel"
    packages = ("open_spiel",)
    short, how = game.lower(), "pyspiel from Python"
    return (
        Peer(
            f"openspiel-{short}",
            packages,
            game,
            f"{how}, no observations",
            "game-6A",
            url,
            partial(_openspiel, name, False),
        ),
        Peer(
            f"openspiel-{short}-seen",
            packages,
            game,
            f"{how}, observation tensor of the acting player, in a buffer",
            "aec-raw-6A",
            url,
            partial(_openspiel, name, True),
        ),
    )


def _pettingzoo_lines(module: str, game: str, *also: str) -> tuple[Peer, Peer]:
    url = "https://github.com/Farama-Foundation/PettingZoo"
    packages, short = ("pettingzoo", *also), game.lower().replace(" ", "-")
    raw, full = (
        Peer(
            f"pettingzoo-{short}-{maker.removesuffix('_env')}",
            packages,
            game,
            f"{module}.{maker}(), AEC loop",
            f"aec-{maker.removesuffix('_env')}-6A",
            url,
            partial(_pettingzoo, module, maker),
        )
        for maker in ("raw_env", "env")
    )
    return raw, full


def _jax_line(package: str, game: str, batch: int, prepare: Callable[[int], Work]) -> Peer:
    project = {"pgx": "sotetsuk/pgx", "jaxmarl": "FLAIROx/JaxMARL"}[package]
    return Peer(
        f"{package}-{game.lower()}-{batch}",
        (package, "jax"),
        game,
        f"batch of {batch:,}, `jit(scan(vmap(step)))`, observations, automatic resets, CPU",
        "memory-6A",
        f"https://github.com/{project}",
        partial(prepare, batch),
    )


PEERS = (
    *_openspiel_lines("leduc_poker", "Leduc"),
    *_openspiel_lines("hanabi", "Hanabi"),
    *_pettingzoo_lines("connect_four_v3", "Connect Four"),
    *_pettingzoo_lines("leduc_holdem_v4", "Leduc", "rlcard"),
    Peer(
        "rlcard-leduc",
        ("rlcard",),
        "Leduc",
        "Env.step() from Python, states with observations",
        "aec-raw-6A",
        "https://github.com/datamllab/rlcard",
        _rlcard,
    ),
    _jax_line("pgx", "Leduc", 4096, _pgx),
    _jax_line("jaxmarl", "Hanabi", 256, _jaxmarl),
    _jax_line("jaxmarl", "Hanabi", 4096, _jaxmarl),
)


def rates(work: Work) -> tuple[float, float]:
    """Return decisions per second, by CPU time and by wall time, each in the best of 5 rounds."""
    for _ in range(3):
        work()
    best_of_cpu = best_of_wall = 0.0
    for _ in range(ROUNDS):
        decisions, cpu, wall = 0, time.process_time(), time.perf_counter()
        while time.process_time() - cpu < ROUND_SECONDS:
            decisions += work()
        best_of_cpu = max(best_of_cpu, decisions / (time.process_time() - cpu))
        best_of_wall = max(best_of_wall, decisions / (time.perf_counter() - wall))
    return best_of_cpu, best_of_wall


def _stay_on_one_core() -> None:
    """Use only one core, so that packages with several threads have no advantage."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _versions(packages: tuple[str, ...]) -> str:
    own, *others = [version(package) for package in packages]
    beside = ", ".join(map(" ".join, zip(packages[1:], others, strict=True)))
    return f"{own} ({beside})" if beside else own


def main(name: str) -> None:
    """Measure one peer and print its line of JSON."""
    peer = {peer.name: peer for peer in PEERS}[name]
    os.environ["JAX_PLATFORMS"] = "cpu"
    warnings.simplefilter("ignore")
    _stay_on_one_core()
    result: dict[str, Any] = {"name": name}
    try:
        result["version"] = _versions(peer.packages)
        with contextlib.redirect_stdout(sys.stderr):  # some packages print when they are imported
            result["rate"], result["wall_rate"] = rates(peer.prepare())
    except ModuleNotFoundError as error:  # also raised for a missing distribution
        result["error"] = f"not installed: {error.name}"
    except Exception as error:
        result["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
