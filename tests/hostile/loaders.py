"""Loaders of the environment and of the agents, with valid files to mutate."""

import gzip
import json
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mascarade_agents._cli.play import _agents, _unfinished
from mascarade_agents._ladder.random import RandomAgent
from mascarade_agents._play.session import Session, new_game
from mascarade_agents.arena._journal import Journal
from mascarade_agents.arena._outcome import Outcome
from mascarade_agents.arena._plan import Plan
from mascarade_agents.arena._run import run
from mascarade_env import Game, read_games
from mascarade_env.exact import SavedPolicy, build, load_tree, nash_conv, save_tree
from mascarade_env.game._record_files import record_line
from mascarade_env.game._scenarios import Scenario, resolve
from tests.hostile.mutations import Mutation, as_json, as_lines, mutate_tree, of_arrays, raw

_FEW = 40  # decisions of each game in a record file


@dataclass(frozen=True)
class Loader:
    """A public way to read a file.

    Attributes:
        name: the name of the mutated file, whose ending may matter.
        seeds: a function that returns valid files; it may write other files to the given folder.
        mutate: a function that returns the bytes of a hostile file, from those of a valid one.
        load: a function that reads a file and uses its contents.
    """

    name: str
    seeds: Callable[[Path], list[bytes]]
    mutate: Mutation
    load: Callable[[Path], object]


def _records(folder: Path) -> list[bytes]:
    found = []
    for number, (scenario, trace, beliefs) in enumerate(
        (("4A", False, False), ("tiny-2", True, True), ("12B", False, False), ("4A", True, True))
    ):
        game = Game(scenario, seed=number, names=list("abcdefghijkl")[: resolve(scenario).players])
        while not game.over and len(game.history) < (_FEW if number else 12):
            game.play_randomly(1, seed=len(game.history))
        found.append(record_line(game, trace=trace, beliefs=beliefs).encode())
    return [b"".join(found[:2]), *found[2:]]


def _read_records(path: Path) -> object:
    games = list(read_games(path))
    for game in games:
        assert Game.from_record(game.to_record()).history == game.history
        if not game.over:
            game.observation()
    return games


def _unpacked(mutate: Mutation) -> Mutation:
    """Mutate the contents of a gzip file, or the file itself."""

    def mutated(rng: random.Random, data: bytes) -> bytes:
        if rng.random() < 0.4:
            return raw(rng, data)
        return gzip.compress(mutate(rng, gzip.decompress(data)), 1)

    return mutated


def _played(folder: Path) -> list[bytes]:
    found = []
    for agents in ([None, "random", "honest", "bluffer:0.3"], ["random", None, "random", "random"]):
        game = new_game(resolve("4A"), agents, "Ana", seed=4)
        game.play_randomly(6, seed=1)
        found.append(record_line(game).encode())
    return found


def _resume(path: Path) -> object:
    game = _unfinished(str(path), None)
    session = Session(game, _agents(game), RandomAgent(game.scenario))
    if not session.mine:
        session.step()
    return session


def _scenarios(folder: Path) -> list[bytes]:
    return [json.dumps(resolve(name).to_dict()).encode() for name in ("4A", "tiny-2", "12B")]


def _play(path: Path) -> Scenario:
    scenario = resolve(path)
    game = Game(scenario, seed=0)
    game.play_randomly(_FEW, seed=0)
    if not game.over:
        game.legal_actions()
    return scenario


def _tree(folder: Path) -> list[bytes]:
    save_tree(build("tiny-2"), folder / "seed.npz")
    return [(folder / "seed.npz").read_bytes()]


def _solve(path: Path) -> object:
    tree = load_tree(path).tree
    return nash_conv(tree, tree.uniform())


def _table(folder: Path) -> list[bytes]:
    game = build("tiny-2")
    SavedPolicy.of(game, game.tree.uniform(), made="by hand").save(folder / "seed.npz")
    return [(folder / "seed.npz").read_bytes()]


def _find(path: Path) -> object:
    policy = SavedPolicy.load(path)
    actions, chances = policy.find(int(policy.keys[-1]))
    assert len(actions) == len(chances) > 0
    assert abs(chances.sum() - 1) < 1e-6
    return policy


_ENTRANTS = ["random", "honest"]
_SCENARIO = "4A"


def _journal(folder: Path) -> list[bytes]:
    (folder / "seed.arena").unlink(missing_ok=True)
    run(_ENTRANTS, _SCENARIO, games=8, seed=1, measured=2, output=folder / "seed.arena")
    return [(folder / "seed.arena").read_bytes()]


def _with_checksum(rng: random.Random, line: bytes) -> bytes:
    """Mutate a line of a journal, in most cases with a correct checksum."""
    found = mutate_tree(rng, json.loads(line))
    if isinstance(found, dict) and rng.random() < 0.9:
        found.pop("crc32", None)
        text = json.dumps(found, separators=(",", ":")).encode()
        found["crc32"] = zlib.crc32(text)
    return json.dumps(found, separators=(",", ":")).encode()


def _resume_arena(path: Path) -> object:
    plan = Plan(
        agents=tuple(_ENTRANTS), with_views=(), scenario=resolve(_SCENARIO), games=8, seed=1,
        tables="both", most_decisions=1000, seconds=10.0, measured=2,
    )  # fmt: skip
    with Journal(path, plan, resume=True) as journal:
        done = journal.done
    outcome = Outcome.of(plan, done)
    outcome.behaviour.to_dict()
    assert np.isfinite(outcome.results.shares).all()
    return list(outcome.games())


def loaders() -> Iterator[Loader]:
    """Return all loaders of the environment and of the agents."""
    records = as_lines(as_json)
    yield Loader("record.jsonl", _records, records, _read_records)
    yield Loader("record.jsonl.gz", _packed(_records), _unpacked(records), _read_records)
    yield Loader("resumed.jsonl", _played, records, _resume)
    yield Loader("scenario.json", _scenarios, as_json, _play)
    yield Loader("tree.npz", _tree, of_arrays("head"), _solve)
    yield Loader("table.npz", _table, of_arrays("head"), _find)
    yield Loader("journal.arena", _journal, as_lines(_with_checksum), _resume_arena)


def _packed(seeds: Callable[[Path], list[bytes]]) -> Callable[[Path], list[bytes]]:
    return lambda folder: [gzip.compress(data, 1, mtime=0) for data in seeds(folder)]
