"""Save and load trees and policies: `.npz` files of plain arrays, which cannot run code."""

import contextlib
import errno
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._files.arrays import json_in, read_arrays
from mascarade_env.exact._game_tree import GameTree
from mascarade_env.exact._tree import KINDS, Policy, Tree
from mascarade_env.game._actions import count_ids
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import NOBODY, PHASES
from mascarade_env.game._scenarios import MAX_TURNS, Scenario
from mascarade_env.game._state import new_rows

_TREE, _POLICY = "mascarade tree 1", "mascarade policy 1"
_OF_GAME: dict[str, type[np.generic]] = {
    "actions": np.int16, "keys": np.int64, "turn": np.int32, "phase": np.int8,
    "announced": np.int8, "own": np.int8,
}  # fmt: skip
_OF_POLICY: dict[str, type[np.generic]] = {
    "keys": np.int64, "options": np.int32, "actions": np.int16, "chances": np.float32,
}  # fmt: skip
_RANGES = {
    "turn": (0, MAX_TURNS), "phase": (0, len(PHASES) - 1), "announced": (NOBODY, len(MASKS) - 1),
    "own": (NOBODY, len(MASKS) - 1),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """A policy without its tree. Information states are found by their keys.

    Attributes:
        scenario: the scenario for which the policy was computed.
        keys: [I] the keys of the information states, ascending.
        start: [I + 1] the index in `actions` of the first option of each information state.
        actions: [S] the action ids.
        probabilities: [S] the probability of each action.
        about: how the policy was computed, such as the algorithm and the iterations.
    """

    scenario: Scenario
    keys: NDArray[np.int64]
    start: NDArray[np.int64]
    actions: NDArray[np.int16]
    probabilities: Policy
    about: Mapping[str, Any]

    @classmethod
    def of(cls, game: GameTree, policy: Policy, **about: Any) -> "SavedPolicy":
        """Make a `SavedPolicy` from a policy of a tree, and store `about` in it."""
        played = game.tree.checked(policy)
        order = np.argsort(game.keys)
        options = game.tree.options[order].astype(np.int64)
        start = np.concatenate([[0], np.cumsum(options)])
        # In the tree the options of the k-th key are adjacent too, but at another place.
        shift = np.repeat(game.tree.start[order] - start[:-1], options)
        places = np.arange(start[-1]) + shift
        return cls(
            game.scenario, game.keys[order], start, game.actions[places], played[places], about
        )

    def on(self, game: GameTree) -> Policy:
        """Return the policy in the order of the options of a tree, [S].

        Raises:
            MascaradeError: the tree has other information states.
        """
        order = np.argsort(game.keys)
        options = game.tree.options[order]
        if not np.array_equal(game.keys[order], self.keys):
            raise MascaradeError(
                f"this policy of {self.scenario.name} does not fit the tree of "
                f"{game.scenario.name}, because it was computed for another scenario or other "
                "rules: solve this scenario with this version"
            )
        policy = np.empty(len(self.probabilities))
        shift = np.repeat(game.tree.start[order] - self.start[:-1], options)
        policy[np.arange(len(policy)) + shift] = self.probabilities
        return game.tree.checked(policy)

    def find(self, key: int) -> tuple[NDArray[np.int16], Policy]:
        """Return the action ids of an information state, and their probabilities.

        Raises:
            KeyError: no information state has this key.
        """
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            raise KeyError(key)
        options = slice(int(self.start[place]), int(self.start[place + 1]))
        return self.actions[options], self.probabilities[options]

    def save(self, path: str | Path) -> None:
        """Write the policy to a file, with probabilities as float32."""
        arrays: dict[str, Any] = {
            "keys": self.keys,
            "options": np.diff(self.start).astype(np.int32),
            "actions": self.actions,
            "chances": self.probabilities.astype(np.float32),
        }
        _write(path, _POLICY, self.scenario, arrays, about=dict(self.about))

    @classmethod
    def load(cls, path: str | Path) -> "SavedPolicy":
        """Read a file that `save` has written."""
        with _read(path, _POLICY) as (head, arrays):
            scenario, about = Scenario.from_dict(head["scenario"]), head["about"]
            keys, options, actions, stored = _typed(arrays, _OF_POLICY).values()
            start = np.concatenate([[0], np.cumsum(options)]).astype(np.int64)
            probabilities = stored.astype(np.float64)
            sound = (
                isinstance(about, dict)
                and keys.ndim == options.ndim == actions.ndim == probabilities.ndim == 1
                and len(options) == len(keys) > 0
                and (options > 0).all()
                and len(actions) == len(probabilities) == start[-1]
                and (np.diff(keys) > 0).all()
                and _are_ids(actions, scenario)
                and (probabilities >= 0).all()
            )
            sums = np.add.reduceat(probabilities, start[:-1]) if sound else np.zeros(1)
            if not (np.abs(sums - 1) < 1e-5).all():
                raise ValueError(
                    "its arrays do not give each information state action ids with probabilities "
                    "that sum to 1"
                )
            probabilities /= np.repeat(sums, options)
            return cls(scenario, keys, start, actions, probabilities, about)


def save_tree(game: GameTree, path: str | Path) -> None:
    """Write the tree of a scenario to a file."""
    arrays = {name: getattr(game.tree, name) for name in KINDS}
    arrays |= {name: getattr(game, name) for name in _OF_GAME}
    _write(path, _TREE, game.scenario, arrays)


def load_tree(path: str | Path) -> GameTree:
    """Read a file that `save_tree` has written."""
    with _read(path, _TREE) as (head, arrays):
        scenario = Scenario.from_dict(head["scenario"])
        tree = Tree(**_typed(arrays, KINDS))
        meaning = _typed(arrays, _OF_GAME)
        for name, array in meaning.items():
            length = {"actions": len(tree.chance), "own": tree.nodes}.get(name, tree.states)
            if array.shape != (length,):
                raise ValueError(
                    f"{name} has the shape {array.shape}, but the tree needs ({length},)"
                )
        if tree.players != scenario.players or not _are_ids(meaning["actions"], scenario):
            raise ValueError("its scenario has other players or other actions than its tree")
        for name, (low, high) in _RANGES.items():
            if ((meaning[name] < low) | (meaning[name] > high)).any():
                raise ValueError(f"{name} has numbers outside {low} to {high}")
        if ((tree.payoffs < 0) | (tree.payoffs > 1)).any():
            raise ValueError("payoffs has numbers outside 0 to 1")
        return GameTree(scenario, tree, **meaning)


def _typed(
    arrays: Mapping[str, NDArray[Any]], kinds: Mapping[str, type[np.generic]]
) -> dict[str, NDArray[Any]]:
    """Return the arrays with these names; raise an error if one has another type than in `kinds`.

    A smaller type is refused too, because the array would need more memory after conversion.
    """
    for name, kind in kinds.items():
        if arrays[name].dtype != kind:
            raise ValueError(f"{name} has the type {arrays[name].dtype}, not {kind.__name__}")
    return {name: arrays[name] for name in kinds}


def _are_ids(actions: NDArray[np.int16], scenario: Scenario) -> bool:
    most = count_ids(new_rows(scenario, 1)[0])
    return bool(((actions >= 0) & (actions < most)).all())


def check_place(path: str | Path) -> None:
    """Check that a file can be written, so that a command can fail before its work.

    Raises:
        MascaradeError: the file cannot be written.
    """
    if _is_device(_target(path)):
        return
    with making(path) as beside:
        beside.touch()
        beside.unlink()


def _write(
    path: str | Path,
    kind: str,
    scenario: Scenario,
    arrays: dict[str, Any],
    **head: Any,
) -> None:
    """Write arrays and a JSON head. If writing fails, an existing file stays as it was."""
    words = json.dumps({"kind": kind, "scenario": scenario.to_dict(), **head})
    with making(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, head=np.frombuffer(words.encode(), np.uint8), **arrays)


@contextlib.contextmanager
def making(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path in the folder of a file. The body writes to this path.

    When the body ends, the temporary file replaces the file. If the body fails, the file stays as
    it was and the temporary file is removed. For a terminal, a pipe or a device, the yielded path
    is the path itself.

    Raises:
        MascaradeError: the file cannot be written; the error names the file and the reason.
    """
    target = _target(path)
    if _is_device(target):
        with _named(path):
            yield target
        return
    beside = target.with_name(f".{os.getpid()}-{target.name}")  # keep the suffix: .gz selects gzip
    try:
        with _named(path):
            yield beside
            if beside.exists():
                beside.replace(target)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _target(path: str | Path) -> Path:
    """Return the path to which links lead; raise an error for a folder or an impossible name."""
    with _named(path):
        if not str(path):
            raise FileNotFoundError(errno.ENOENT, "the name is empty")
        try:
            target = Path(os.path.realpath(path))  # raises no error for a cycle of links
        except ValueError as error:
            raise OSError(errno.EINVAL, str(error)) from error
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return target


def _is_device(target: Path) -> bool:
    """Return whether a path is a terminal, a pipe or a device, which must not be replaced."""
    return target.exists() and not target.is_file()


@contextlib.contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Turn an OSError in the `with` block into an error that names the file."""
    try:
        yield
    except OSError as error:
        raise MascaradeError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


@contextlib.contextmanager
def _read(path: str | Path, kind: str) -> Iterator[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
    """Yield the head of a file and its arrays by name; errors of the body name the file."""
    try:
        arrays = read_arrays(path)
        head = json_in(arrays["head"])
        if head["kind"] != kind:
            raise ValueError(f"it contains a {head['kind']}")
        yield head, arrays
    except OSError as error:
        raise MascaradeError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except Exception as error:  # zip, NumPy and JSON raise many types for a damaged file
        raise MascaradeError(
            f"{str(path)!r} is not a valid file of a {kind}: {error}; name another file, or write "
            "it again"
        ) from error
