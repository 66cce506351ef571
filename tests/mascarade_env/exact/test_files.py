"""Files of trees and policies: what was saved is loaded, and bad files are refused."""

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mascarade_env import Game
from mascarade_env._errors import MascaradeError
from mascarade_env.exact import (
    GameTree,
    SavedPolicy,
    Solver,
    build,
    load_tree,
    nash_conv,
    save_tree,
)
from mascarade_env.exact._files import check_place
from mascarade_env.exact._memories import key_of
from tests.messages import facts


@pytest.fixture(scope="module")
def tiny() -> GameTree:
    return build("tiny-2")


@pytest.fixture(scope="module")
def solved(tiny: GameTree) -> np.ndarray:
    solver = Solver(tiny.tree)
    solver.run(50)
    return solver.average()


def test_a_saved_tree_is_loaded_unchanged(tiny: GameTree, tmp_path: Path) -> None:
    save_tree(tiny, tmp_path / "tiny.npz")
    found = load_tree(tmp_path / "tiny.npz")
    assert found.scenario == tiny.scenario
    for name in ("actions", "keys", "turn", "phase", "announced", "own"):
        assert getattr(found, name).tolist() == getattr(tiny, name).tolist()
    for name in ("state", "owner", "options", "payoffs", "chance"):
        assert getattr(found.tree, name).tolist() == getattr(tiny.tree, name).tolist()


def test_a_saved_policy_is_loaded_for_its_tree(
    tiny: GameTree, solved: np.ndarray, tmp_path: Path
) -> None:
    SavedPolicy.of(tiny, solved, algorithm="cfr+").save(tmp_path / "policy.npz")
    found = SavedPolicy.load(tmp_path / "policy.npz")
    assert found.about == {"algorithm": "cfr+"}
    assert found.on(tiny) == pytest.approx(solved, abs=1e-7)
    gains = nash_conv(tiny.tree, found.on(tiny)).nash_conv
    assert gains == pytest.approx(nash_conv(tiny.tree, solved).nash_conv, abs=1e-6)


def test_a_policy_finds_the_state_of_a_player(tiny: GameTree, solved: np.ndarray) -> None:
    policy = SavedPolicy.of(tiny, solved)
    chance = np.random.default_rng(1)
    for seed in range(50):
        game, node = Game("tiny-2", seed=seed), 0
        while not game.over:
            assert game.player is not None
            state = tiny.tree.state[node]
            here = slice(tiny.tree.start[state], tiny.tree.start[state + 1])
            ids, chances = policy.find(key_of(game.view(game.player).events, game.player))
            assert ids.tolist() == game.legal_ids()
            assert chances.tolist() == solved[here].tolist()
            option = int(chance.integers(len(ids)))
            game.play(int(ids[option]))
            node = int(tiny.tree.first[node]) + option


def test_an_unknown_state_is_not_found(tiny: GameTree, solved: np.ndarray) -> None:
    policy = SavedPolicy.of(tiny, solved)
    for key in (0, int(policy.keys[0]) + 1, 2**62):
        with pytest.raises(KeyError):
            policy.find(key)


def test_a_policy_of_another_tree_is_refused(tiny: GameTree, solved: np.ndarray) -> None:
    other = build({**tiny.scenario.to_dict(), "name": "other", "turn_limit": 3})
    with pytest.raises(MascaradeError, match=facts("policy", "tiny-2", "other")):
        SavedPolicy.of(tiny, solved).on(other)


def test_other_files_are_refused(tiny: GameTree, solved: np.ndarray, tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    SavedPolicy.of(tiny, solved).save(whole)
    save_tree(tiny, tmp_path / "tree.npz")
    (tmp_path / "cut.npz").write_bytes(whole.read_bytes()[:3000])
    (tmp_path / "text.npz").write_text("nothing")
    (tmp_path / "code.npz").write_bytes(pickle.dumps(print))
    np.savez(tmp_path / "other.npz", head=np.zeros(3))
    for name in ("cut", "text", "code", "other", "tree"):
        with pytest.raises(MascaradeError, match=facts(f"{name}.npz", "mascarade policy 1")):
            SavedPolicy.load(tmp_path / f"{name}.npz")
    with pytest.raises(
        MascaradeError, match=facts(whole.name, "mascarade tree 1", "mascarade policy 1")
    ):
        load_tree(whole)
    for path in (tmp_path / "none.npz", tmp_path):
        with pytest.raises(MascaradeError, match=facts("read", path)):
            SavedPolicy.load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("keys", 7),
        ("options", 0),
        ("options", 99),
        ("chances", -1.0),
        ("chances", np.nan),
        ("actions", 9999),
        ("actions", -1),
    ],
)
def test_arrays_that_are_not_a_policy_are_refused(
    tiny: GameTree, solved: np.ndarray, tmp_path: Path, name: str, value: float
) -> None:
    path = tmp_path / "policy.npz"
    SavedPolicy.of(tiny, solved).save(path)
    with np.load(path) as found:
        arrays = dict(found)
    arrays[name][5] = value
    np.savez(path, **arrays)
    with pytest.raises(MascaradeError, match=facts(path) + ".*(policy|out-of-bounds)"):
        SavedPolicy.load(path)


def test_arrays_that_do_not_fit_the_tree_are_refused(tiny: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    save_tree(tiny, path)
    with np.load(path) as found:
        arrays = dict(found)
    for name in ("own", "actions", "keys", "state"):
        for wrong in (arrays[name][:-1], arrays[name].astype(str), arrays[name].astype(int) + 9999):
            if name == "keys" and wrong.dtype.kind == "i" and len(wrong) == len(arrays[name]):
                continue  # any number may be a key
            np.savez(path, **{**arrays, name: wrong})
            with pytest.raises(MascaradeError, match=facts(path, "mascarade tree 1")):
                load_tree(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turn", -1), ("phase", 6), ("phase", -1), ("announced", -2), ("announced", 16),
        ("own", -2), ("own", 16), ("payoffs", 1.5), ("payoffs", -0.5),
    ],
)  # fmt: skip
def test_numbers_out_of_range_are_refused(
    tiny: GameTree, tmp_path: Path, name: str, value: float
) -> None:
    path = tmp_path / "tree.npz"
    save_tree(tiny, path)
    with np.load(path) as found:
        arrays = dict(found)
    arrays[name].flat[0] = value
    np.savez(path, **arrays)
    with pytest.raises(MascaradeError, match=name):
        load_tree(path)


@pytest.mark.parametrize(("name", "kind"), [("options", np.int8), ("chance", np.bool_)])
def test_arrays_that_would_grow_when_converted_are_refused(
    tiny: GameTree, tmp_path: Path, name: str, kind: type[np.generic]
) -> None:
    path = tmp_path / "tree.npz"
    save_tree(tiny, path)
    with np.load(path) as found:
        arrays = dict(found)
    np.savez(path, **{**arrays, name: arrays[name].astype(kind)})
    with pytest.raises(MascaradeError, match=f"{name} has the type {np.dtype(kind)}, not"):
        load_tree(path)


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tiny: GameTree, solved: np.ndarray, tmp_path: Path
) -> None:
    with pytest.raises(MascaradeError, match=facts("write", "no/folder.npz", "No such file")):
        SavedPolicy.of(tiny, solved).save(tmp_path / "no" / "folder.npz")
    (tmp_path / "folder").mkdir()
    with pytest.raises(MascaradeError, match=facts("write", "folder", "Is a directory")):
        SavedPolicy.of(tiny, solved).save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("load", [SavedPolicy.load, load_tree])
def test_damaged_files_are_refused(
    tiny: GameTree, solved: np.ndarray, tmp_path: Path, load: Callable[[Path], object]
) -> None:
    """Any error of zip, NumPy or JSON becomes a `MascaradeError`."""
    path = tmp_path / "whole.npz"
    if load == load_tree:
        save_tree(tiny, path)
    else:
        SavedPolicy.of(tiny, solved).save(path)
    whole, chance = path.read_bytes(), np.random.default_rng(4)
    refused = 0
    for _ in range(150):
        damaged = bytearray(whole)
        for place in chance.integers(len(whole), size=3):
            damaged[place] = int(chance.integers(256))
        path.write_bytes(damaged)
        try:
            load(path)
        except MascaradeError:
            refused += 1
    assert refused > 50


def test_a_deeply_nested_head_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.npz"
    np.savez(path, head=np.frombuffer(b"[" * 200_000, np.uint8))
    with pytest.raises(MascaradeError, match=facts(path, "mascarade policy 1")):
        SavedPolicy.load(path)


def test_the_place_of_a_file_is_checked_and_left_as_it_was(tmp_path: Path) -> None:
    check_place(tmp_path / "new.npz")
    assert not list(tmp_path.iterdir())
    for wrong in (tmp_path, tmp_path / "no" / "new.npz", tmp_path / f"{'x' * 250}.npz"):
        with pytest.raises(MascaradeError, match=facts("write", wrong)):
            check_place(wrong)


def test_a_link_is_followed(tiny: GameTree, solved: np.ndarray, tmp_path: Path) -> None:
    (tmp_path / "link.npz").symlink_to(tmp_path / "true.npz")
    SavedPolicy.of(tiny, solved).save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink()
    assert SavedPolicy.load(tmp_path / "true.npz").scenario == tiny.scenario
