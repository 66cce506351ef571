"""Trees and policies on disk: `.npz` files of plain arrays, from which no code is run."""

import contextlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import Scenario
from mascarade_env.exact.game_tree import GameTree
from mascarade_env.exact.tree import Policy, Tree

_TREE, _POLICY = "mascarade tree 1", "mascarade policy 1"
_OF_TREE = [field.name for field in fields(Tree)]
_OF_GAME = [field.name for field in fields(GameTree) if field.name not in ("scenario", "tree")]


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """A policy that stands for itself: it finds its information states by their keys.

    Attributes:
        scenario: what it plays.
        keys: [I] of the information states, ascending.
        start: [I + 1] where their options begin.
        actions: [S] the action ids.
        chances: [S] their probabilities.
        about: how it was made.
    """

    scenario: Scenario
    keys: NDArray[np.int64]
    start: NDArray[np.int64]
    actions: NDArray[np.int16]
    chances: Policy
    about: Mapping[str, Any]

    @classmethod
    def of(cls, game: GameTree, policy: Policy, **about: Any) -> "SavedPolicy":
        """A policy of a tree, and what is to be known about it."""
        played = game.tree.checked(policy)
        order = np.argsort(game.keys)
        options = game.tree.options[order].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(options)])
        # The options of the k-th key stand side by side in the tree too, at another place.
        shift = np.repeat(game.tree.start[order] - start[:-1], options)
        places = np.arange(start[-1]) + shift
        return cls(
            game.scenario, game.keys[order], start, game.actions[places], played[places], about
        )

    def on(self, game: GameTree) -> Policy:
        """The policy as one of a tree of its scenario."""
        order = np.argsort(game.keys)
        options = game.tree.options[order]
        if not np.array_equal(game.keys[order], self.keys):
            raise MascaradeError(
                f"this policy of {self.scenario.name} does not fit the tree of "
                f"{game.scenario.name}: it was made for another scenario or by other rules"
            )
        policy = np.empty(len(self.chances))
        shift = np.repeat(game.tree.start[order] - self.start[:-1], options)
        policy[np.arange(len(policy)) + shift] = self.chances
        return game.tree.checked(policy)

    def find(self, key: int) -> tuple[NDArray[np.int16], Policy]:
        """The action ids of an information state, and their probabilities.

        Raises:
            KeyError: there is none of this key.
        """
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            raise KeyError(key)
        here = slice(int(self.start[place]), int(self.start[place + 1]))
        return self.actions[here], self.chances[here]

    def save(self, path: str | Path) -> None:
        """Write it to a file; probabilities are rounded to 24 bits."""
        arrays: dict[str, Any] = {
            "keys": self.keys,
            "options": np.diff(self.start).astype(np.int32),
            "actions": self.actions,
            "chances": self.chances.astype(np.float32),
        }
        _write(path, _POLICY, self.scenario, arrays, about=dict(self.about))

    @classmethod
    def load(cls, path: str | Path) -> "SavedPolicy":
        """Read a file that `save` has written."""
        head, arrays = _read(path, _POLICY, ["keys", "options", "actions", "chances"])
        keys, options, actions, given = arrays
        with _faults_told(path, _POLICY):
            start = np.concatenate([[0], np.cumsum(options)]).astype(np.int64)
            chances = given.astype(np.float64)
            sums = np.add.reduceat(chances, start[:-1])
            sound = (
                (np.diff(keys) > 0).all()
                and (options > 0).all()
                and len(options) == len(keys)
                and len(actions) == len(chances) == start[-1]
                and (chances >= 0).all()
                and (np.abs(sums - 1) < 1e-5).all()
            )
            if not sound:
                raise ValueError("its numbers are no policy")
            chances /= np.repeat(sums, options)
            return cls(
                Scenario.from_dict(head["scenario"]), keys, start, actions, chances, head["about"]
            )


def save_tree(game: GameTree, path: str | Path) -> None:
    """Write the tree of a scenario to a file."""
    arrays = {name: getattr(game.tree, name) for name in _OF_TREE}
    arrays |= {name: getattr(game, name) for name in _OF_GAME}
    _write(path, _TREE, game.scenario, arrays)


def load_tree(path: str | Path) -> GameTree:
    """Read a file that `save_tree` has written."""
    head, arrays = _read(path, _TREE, [*_OF_TREE, *_OF_GAME])
    with _faults_told(path, _TREE):
        tree = Tree(*arrays[: len(_OF_TREE)])
        game = GameTree(Scenario.from_dict(head["scenario"]), tree, *arrays[len(_OF_TREE) :])
        for name in _OF_GAME:
            length = {"actions": len(tree.chance), "own": tree.nodes}.get(name, tree.states)
            if getattr(game, name).shape != (length,):
                raise ValueError(f"{name} does not fit the tree")
        return game


def _write(
    path: str | Path,
    kind: str,
    scenario: Scenario,
    arrays: dict[str, Any],
    **head: Any,
) -> None:
    """Write arrays under a head; the file is there whole, or as it was before."""
    target = Path(path)
    words = json.dumps({"kind": kind, "scenario": scenario.to_dict(), **head})
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            np.savez_compressed(file, head=np.frombuffer(words.encode(), np.uint8), **arrays)
        beside.replace(target)
    except OSError as error:
        raise MascaradeError(f"cannot write {str(target)!r}: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def _read(
    path: str | Path, kind: str, names: list[str]
) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """The head of a file, and its arrays of these names."""
    # NumPy leaves a file open that it cannot read.
    with _faults_told(path, kind), Path(path).open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError("it is no .npz file, or only the beginning of one")
        file.seek(0)
        found = np.load(file, allow_pickle=False)
        head = json.loads(found["head"].tobytes())
        if head["kind"] != kind:
            raise ValueError(f"it is a {head['kind']}")
        return head, [found[name] for name in names]


@contextlib.contextmanager
def _faults_told(path: str | Path, kind: str) -> Iterator[None]:
    """Say of a file that cannot be read what it should have been."""
    try:
        yield
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise MascaradeError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (
        ValueError, TypeError, AttributeError, IndexError, LookupError, OSError, EOFError,
        zipfile.BadZipFile, zlib.error, MascaradeError,
    ) as error:  # fmt: skip
        raise MascaradeError(
            f"{str(path)!r} is no whole file of a {kind}: {error}; write it anew"
        ) from error
