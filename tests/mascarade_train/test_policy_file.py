"""Policy files: written ones are read again, and all others are refused."""

import io
import json
import pickle
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.lib import format as npy

from mascarade_env import MascaradeError, Schema, scenarios
from mascarade_env.exact import SavedPolicy, build
from mascarade_train import _policy_file as policy_file
from mascarade_train._policy_file import FORMAT, PolicyFile
from tests.mascarade_train.random_nets import random_arrays, random_net
from tests.messages import facts


def write(path: Path, card: object, arrays: Mapping[str, Any]) -> Path:
    """Write arrays to a file, valid or not."""
    words = card if isinstance(card, bytes) else json.dumps(card).encode()
    np.savez(path, card=np.frombuffer(words, np.uint8), **arrays)
    return path


def member(array: Any = None, *, header: dict[str, Any] | None = None, data: bytes = b"") -> bytes:
    """The bytes of one array, or of a header with other numbers after it."""
    file = io.BytesIO()
    if header is None:
        npy.write_array(file, np.asarray(array))
    else:
        npy.write_array_header_1_0(file, header)
        file.write(data)
    return file.getvalue()


def with_member(path: Path, name: str, content: bytes) -> Path:
    """A valid file, with one member replaced."""
    sound = path.with_name("sound.npz")
    random_net().save(sound)
    with zipfile.ZipFile(sound) as given, zipfile.ZipFile(path, "w") as made:
        for info in given.infolist():
            made.writestr(info.filename, content if info.filename == name else given.read(info))
    return path


# Written files are read again


@pytest.mark.parametrize("kind", ["float32", "float16"])
@pytest.mark.parametrize("layers", [(), (8,), (12, 8, 4)])
def test_what_is_saved_is_loaded(tmp_path: Path, kind: str, layers: tuple[int, ...]) -> None:
    schema = Schema("6A", "both", padded=True)
    arrays = random_arrays(schema, layers, kind)
    told: dict[str, Any] = {
        "provenance": {"settings": {"width": 8}, "seconds": 1.5},
        "scores": {"random": [0.5, None]},
        "note": "Señora.",
    }
    file = PolicyFile.of(schema, arrays, events=5, scenarios=("6A", "8B"), **told)
    file.save(tmp_path / "policy.npz")
    for place in (tmp_path, tmp_path / "policy.npz", str(tmp_path)):
        found = PolicyFile.load(place)
        assert found.card == {
            "format": FORMAT,
            "scenario": scenarios()["6A"].to_dict(),
            "scenarios": ["6A", "8B"],
            "track": "both",
            "padded": True,
            "observation_size": 1195,
            "actions": 62,
            "events": 5,
            "layers": list(layers),
            **told,
        }
        assert found.arrays.keys() == arrays.keys()
        for name, array in arrays.items():
            assert found.arrays[name].dtype == kind
            np.testing.assert_array_equal(found.arrays[name], array)
        assert (found.actions, found.players, found.layers) == (62, 12, len(layers))
        assert repr(found.schema) == repr(schema)


def test_a_file_is_plain_arrays_for_everybody(tmp_path: Path) -> None:
    file = random_net("4A")
    file.save(tmp_path / "policy.npz")
    with np.load(tmp_path / "policy.npz", allow_pickle=False) as found:
        assert json.loads(found["card"].tobytes()) == file.card
        assert found["policy.weight"].shape == (file.actions, 16)
        assert found["wins.bias"].shape == (4,)


def test_the_same_network_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one.npz", "other.npz"):
        random_net().save(tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "other.npz").read_bytes()


def test_arrays_that_lie_otherwise_in_memory_are_the_same(tmp_path: Path) -> None:
    plain = random_net()
    turned = {name: np.asfortranarray(array) for name, array in plain.arrays.items()}
    PolicyFile(plain.card, turned).save(tmp_path / "policy.npz")
    found = PolicyFile.load(tmp_path)
    for name, array in plain.arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array)


def test_an_old_file_stays_until_the_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.npz"
    random_net(seed=1).save(path)
    before = path.read_bytes()

    def fail(file: Any, **arrays: Any) -> None:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(MascaradeError, match=facts("write", path, "No space left")):
        random_net(seed=2).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# Files that are refused


def no_zip(path: Path) -> None:
    path.write_bytes(b"these are words\n" * 100)


def the_beginning(path: Path) -> None:
    random_net().save(path)
    path.write_bytes(path.read_bytes()[:-200])


def an_empty_file(path: Path) -> None:
    path.touch()


def a_file_of_torch(path: Path) -> None:
    torch.save({"weight": torch.zeros(3)}, path)


def a_checkpoint(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("data", "pytorch_variables.pth", "policy.pth"):
            archive.writestr(name, b"x")


def a_zip_of_words(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "words")


def a_tabular_policy(path: Path) -> None:
    game = build("tiny-2")
    SavedPolicy.of(game, game.tree.uniform()).save(path)


def other_arrays(path: Path) -> None:
    np.savez(path, weights=np.zeros(3))


def objects(path: Path) -> None:
    np.savez(path, card=np.array([{"format": FORMAT}], object))


def a_pickle(path: Path) -> None:
    with_member(path, "wins.bias.npy", pickle.dumps([1.0]))


def an_old_array(path: Path) -> None:
    with_member(path, "wins.bias.npy", b"\x93NUMPY\x03\x00" + b"x" * 100)


def fewer_bytes(path: Path) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": (10**6, 10**6)}
    with_member(path, "wins.bias.npy", member(header=header, data=b"1234"))


def a_huge_shape(path: Path) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": (2**62, 2**62)}
    with_member(path, "wins.bias.npy", member(header=header))


def a_negative_shape(path: Path) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": (-1, -4)}
    with_member(path, "wins.bias.npy", member(header=header, data=bytes(16)))


def twice(path: Path) -> None:
    random_net().save(path)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("wins.bias.npy", member(np.zeros(4, np.float32)))


def a_bit_flipped(path: Path) -> None:
    random_net().save(path)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo("trunk.0.weight.npy").header_offset
    data[place + 5000] ^= 1
    path.write_bytes(data)


def no_json(path: Path) -> None:
    write(path, b"{'format': 1}", random_net().arrays)


def no_object(path: Path) -> None:
    write(path, [1, 2], random_net().arrays)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (no_zip, facts(".npz", "another copy")),
        (the_beginning, facts(".npz", "beginning", "another copy")),
        (an_empty_file, facts(".npz", "another copy")),
        (a_file_of_torch, facts("torch", "arrays")),
        (a_checkpoint, facts("Stable-Baselines3", ".zip")),
        (a_zip_of_words, facts("zip", "letter.txt")),
        (a_tabular_policy, facts("`mascarade solve`", "tabular:")),
        (other_arrays, facts("arrays", "no card")),
        (objects, facts("card", "object", "numbers")),
        (a_pickle, "magic string"),
        (an_old_array, r"format \(3, 0\)"),
        (fewer_bytes, facts("4 bytes")),
        (a_huge_shape, facts("0 bytes")),
        (a_negative_shape, facts("16 bytes", "(-1, -4)")),
        (twice, facts("wins.bias", "twice")),
        (a_bit_flipped, "CRC|decompress"),
        (no_json, facts("JSON", "line 1")),
        (no_object, facts("card", "JSON object")),
    ],
)
def test_a_file_of_something_else_is_told(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    path = tmp_path / "policy.npz"
    make(path)
    with pytest.raises(MascaradeError, match=why) as told:
        PolicyFile.load(path)
    assert str(path) in str(told.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nothing.npz"):
        with pytest.raises(MascaradeError, match=facts("read", place, "No such file")):
            PolicyFile.load(place)


def test_a_file_that_would_fill_the_memory_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.npz"
    random_net().save(path)
    monkeypatch.setattr(policy_file, "MOST_BYTES", 10_000)
    with pytest.raises(MascaradeError, match=facts("limit", "10,000")):
        PolicyFile.load(path)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (
            "format",
            "mascarade_train.policy 2",
            facts("'mascarade_train.policy 2'", "'mascarade_train.policy 1'"),
        ),
        ("format", None, facts("format", None, "'mascarade_train.policy 1'")),
        ("scenario", "4A", facts("scenario", "type dict", "'4A'")),
        ("scenario", {"players": 4, "masks": ["judge"] * 6}, facts("coin symbol")),
        ("scenario", {"players": 4, "masks": [["judge"]] * 6}, facts("policy.npz", "mask")),
        ("scenario", scenarios()["6A"].to_dict() | {"name": "4A"}, facts("26 actions", "4A")),
        ("scenarios", ["5A"], facts("scenarios", "4A", "['5A']")),
        ("scenarios", ["4A", "5A"], facts("scenarios", "4A", "padded", "['4A', '5A']")),
        ("scenarios", [], facts("scenarios", "4A", "[]")),
        ("track", "full", facts("track", "memory", "belief", "both", "'full'")),
        ("track", "both", facts("283 numbers", "4A", 411)),
        ("padded", 1, facts("padded", "type bool", 1)),
        ("observation_size", 282, facts("282 numbers", "4A", 283, "version of mascarade-env")),
        ("observation_size", True, facts("observation_size", "type int", True)),
        ("actions", 31, facts("31 actions", "4A", 26)),
        ("events", 1, facts("events", "track belief", 0, 1)),
        ("events", -1, facts("events", "track belief", 0, -1)),
        ("layers", [24], facts("policy.weight") + r".*\(\d+, 24\).*\(\d+, 16\)"),
        ("layers", [24, 16, 16], facts("trunk.2.weight", "missing")),
        ("layers", [24, 10**9], facts("trunk.1.weight", "(1000000000, 24)")),
        ("layers", [24, -16], facts("layers", "widths", "[24, -16]")),
        ("layers", [24, 16.0], facts("layers", "widths", "[24, 16.0]")),
        ("provenance", [], facts("provenance", "type dict", "[]")),
        ("note", None, facts("note", "type str", None)),
        ("author", "somebody", facts("card", "'author'")),
    ],
)
def test_a_card_that_says_something_else_is_told(
    tmp_path: Path, field: str, value: object, why: str
) -> None:
    sound = random_net("4A", "belief")
    path = write(tmp_path / "policy.npz", {**sound.card, field: value}, sound.arrays)
    with pytest.raises(MascaradeError, match=why):
        PolicyFile.load(path)


def test_a_card_that_is_not_complete_is_told(tmp_path: Path) -> None:
    sound = random_net()
    for field in sound.card.keys() - {"format"}:
        card = {name: value for name, value in sound.card.items() if name != field}
        with pytest.raises(MascaradeError, match=facts(field, "type", "missing")):
            PolicyFile.load(write(tmp_path / "policy.npz", card, sound.arrays))


@pytest.mark.parametrize(
    ("name", "array", "why"),
    [
        ("wins.bias", np.array([0, 0, np.nan, 0], np.float32), facts("wins.bias", "not finite")),
        ("wins.bias", np.array([0, 0, np.inf, 0], np.float16), facts("wins.bias", "not finite")),
        ("wins.bias", np.zeros(4), facts("wins.bias", "float32", "float16", "float64")),
        ("wins.bias", np.zeros(4, np.int32), facts("wins.bias", "float32", "float16", "int32")),
        ("wins.bias", np.zeros(5, np.float32), facts("wins.bias", "(4,)", "(5,)")),
        ("wins.bias", np.zeros((4, 1), np.float32), facts("wins.bias", "(4,)", "(4, 1)")),
        ("more", np.zeros(5, np.float32), facts("array", "'more'")),
    ],
)
def test_weights_that_are_none_are_told(tmp_path: Path, name: str, array: Any, why: str) -> None:
    sound = random_net("4A")
    arrays = {**sound.arrays, name: array}
    with pytest.raises(MascaradeError, match=why):
        PolicyFile.load(write(tmp_path / "policy.npz", sound.card, arrays))
    with pytest.raises(MascaradeError, match=why):
        PolicyFile.of(Schema("4A", "belief"), arrays)


@pytest.mark.parametrize(
    ("events", "tokens", "why"),
    [
        (33, np.zeros((4, 41, 3), np.float32), facts("events", "track both", 32, 33)),
        (5, None, facts("tokens", "missing")),
        (5, np.zeros((4, 40, 3), np.float32), facts("tokens", "(4, 41, 3)")),
        (5, np.zeros((3, 41, 3), np.float32), facts("tokens", "(4, 41, 3)")),
        (5, np.zeros((4, 41), np.float32), facts("tokens", "(4, 41, 41)", "(4, 41)")),
        (5, np.zeros((), np.float32), facts("tokens", "(4, 41, 0)", "()")),
        (5, np.full((4, 41, 3), np.nan, np.float32), facts("tokens", "not finite")),
        (4, np.zeros((4, 41, 3), np.float32), facts("trunk.0.weight", "shape")),
        (0, np.zeros((4, 41, 3), np.float32), facts("trunk.0.weight", "shape")),
    ],
)
def test_vectors_of_words_that_do_not_fit_are_told(events: int, tokens: Any, why: str) -> None:
    schema = Schema("4A", "both")
    arrays = random_arrays(schema, events=5)
    del arrays["tokens"]
    if tokens is not None:
        arrays["tokens"] = tokens
    with pytest.raises(MascaradeError, match=why):
        PolicyFile.of(schema, arrays, events=events)


def test_what_cannot_be_written_on_a_card_is_told() -> None:
    for given in (np.float32(1), float("nan"), {1, 2}):
        with pytest.raises(MascaradeError, match=facts("card", "JSON", "finite Python numbers")):
            random_net(provenance={"figure": given})
