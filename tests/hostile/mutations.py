"""Random mutations of bytes, JSON, zip files and lines, from a seeded generator."""

import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Mutation: TypeAlias = Callable[[random.Random, bytes], bytes]

#: A Python file that must never run; child.py writes it.
CODE = "evil.py"
_NUMBERS = (
    0, 1, -1, 2, 7, 12, 13, 14, 127, 128, 255, 2**15, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53,
    2**63 - 1, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e-300, 1e308, 1e9, 3.0,
)  # fmt: skip
_WORDS = (
    "", "a", "6A", "judge", "king", "swap", "take:1", "announce:king", "\0", "é", "\ud800", "../x",
    "/dev/zero", f"{CODE}:Mine", f"./{CODE}:Mine", f"net:{CODE}", "net:/dev/zero", "tabular:../x",
    "random", "honest", "bluffer:9", "x" * 5000, "-1", "nan", "1e999", "true", "{}", "both", "full",
)  # fmt: skip
_CONTAINERS: tuple[Any, ...] = (
    [],
    {},
    [[]],
    [None] * 40,
    {"a": {}},
    {"": 0},
    [0.5, 0.5],
    [1, "a", None],
)


def value(rng: random.Random) -> Any:
    """Return a random JSON value of a kind that may break readers."""
    kind = rng.randrange(8)
    if kind < 3:
        return rng.choice(_NUMBERS)
    if kind < 6:
        return rng.choice(_WORDS)
    return json.loads(json.dumps(rng.choice((None, True, False, *_CONTAINERS))))


def raw(rng: random.Random, data: bytes) -> bytes:
    """Flip bits, cut, repeat, insert, and overwrite with numbers of several bytes."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(found) + 1)
        end = min(len(found), at + rng.choice((1, 2, 4, 8, 30, 300)))
        rng.choice(_CHANGES)(rng, found, at, end)
    return bytes(found)


def _flip(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    if at < end:
        found[at] ^= 1 << rng.randrange(8)


def _digit(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    digits = [place for place, byte in enumerate(found) if 48 <= byte < 58]
    if digits:
        found[rng.choice(digits)] = rng.choice(b"0123456789-.e")


def _cut(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    del found[at : end if rng.random() < 0.7 else len(found)]


def _repeat(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    found[at:at] = found[at:end] * rng.choice((1, 2, 50))


def _insert(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    found[at:at] = rng.randbytes(rng.choice((1, 3, 20)))


def _splice(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    other = rng.randrange(len(found) + 1)
    found[at:end] = found[other : other + end - at]


def _number(rng: random.Random, found: bytearray, at: int, end: int) -> None:
    width = rng.choice((1, 2, 4, 8))
    number = rng.choice((0, 1, 2**31 - 1, 2**32 - 1, 2**64 - 1, rng.getrandbits(64)))
    found[at : at + width] = (number % 2 ** (8 * width)).to_bytes(width, "little")


_CHANGES = (_flip, _flip, _digit, _cut, _repeat, _insert, _splice, _number)


def places(node: Any) -> list[tuple[Any, Any]]:
    """Return all pairs (container, key) of a tree of dicts and lists."""
    found: list[tuple[Any, Any]] = []
    todo = [node]
    while todo:
        here = todo.pop()
        if isinstance(here, dict | list):
            keys = list(here) if isinstance(here, dict) else list(range(len(here)))
            found += [(here, key) for key in keys]
            todo += [here[key] for key in keys]
    return found


def mutate_tree(rng: random.Random, node: Any) -> Any:
    """Change some values and keys of a tree of dicts and lists in place; return the tree."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        known = places(node)
        if not known:
            return value(rng)
        here, key = rng.choice(known)
        other, its = rng.choice(known)
        kind = rng.randrange(8)
        if kind == 0 and type(here[key]) in (int, float):
            here[key] += rng.choice((1, -1, 0.5, 100))
        elif kind == 1:
            del here[key]
        elif kind == 2 and isinstance(here, list):
            here.insert(key, here[key])
        elif kind == 3:
            copied = [json.loads(json.dumps(part, default=str)) for part in (here[key], other[its])]
            other[its], here[key] = copied
        elif kind == 4 and isinstance(here, dict):
            here[str(value(rng))[:50]] = here.pop(key)
        elif kind == 5 and isinstance(here, dict):
            here[str(its)] = value(rng)
        elif kind == 6 and isinstance(here[key], list):
            rng.shuffle(here[key])
        else:
            here[key] = value(rng)
    return node


def as_json(rng: random.Random, data: bytes) -> bytes:
    """Mutate the value of a JSON text, or sometimes its text."""
    if rng.random() < 0.3:
        return raw(rng, data)
    return json.dumps(mutate_tree(rng, json.loads(data))).encode()


def as_lines(mutate: Mutation) -> Mutation:
    """Mutate one line, or change the order of lines."""

    def mutated(rng: random.Random, data: bytes) -> bytes:
        lines = data.splitlines()
        kind = rng.randrange(10)
        at = rng.randrange(len(lines))
        if kind == 0:
            return raw(rng, data)
        if kind == 1:
            lines.insert(at, lines.pop(rng.randrange(len(lines))))
        elif kind == 2:
            lines[at:at] = [b""] * rng.choice((1, 30, 2000))
        else:
            lines[at] = mutate(rng, lines[at])
        return b"\n".join(lines) + rng.choice((b"\n", b"\n", b""))

    return mutated


def as_zip(mutate: Callable[[random.Random, str, bytes], bytes]) -> Mutation:
    """Mutate a member of a zip file and pack it with correct checksums, or mutate the file."""

    def mutated(rng: random.Random, data: bytes) -> bytes:
        if rng.random() < 0.25:
            return raw(rng, data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(name, archive.read(name)) for name in archive.namelist()]
        at = rng.randrange(len(members))
        name, content = members[at]
        kind = rng.randrange(12)
        if kind == 0:
            del members[at]
        elif kind == 1:
            members.insert(at, (name, content))
        elif kind == 2:
            members[at] = raw(rng, name.encode()).decode("latin-1") or "x", content
        elif kind == 3:
            other = rng.randrange(len(members))
            members[at], members[other] = (name, members[other][1]), (members[other][0], content)
        else:
            members[at] = name, mutate(rng, name, content)
        packed = io.BytesIO()
        method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
        with zipfile.ZipFile(packed, "w", method) as archive:
            for name, content in members:
                archive.writestr(zipfile.ZipInfo(name), content, method)
        return packed.getvalue()

    return mutated


def of_arrays(*texts: str) -> Mutation:
    """Mutate an `.npz` file; the members of the given names are JSON texts."""

    def mutate(rng: random.Random, name: str, content: bytes) -> bytes:
        if rng.random() < 0.2:
            return raw(rng, content)
        array = np.load(io.BytesIO(content), allow_pickle=False)
        if name.removesuffix(".npy") in texts and rng.random() < 0.9:
            array = np.frombuffer(as_json(rng, array.tobytes()), np.uint8)
        else:
            array = _array(rng, array)
        packed = io.BytesIO()
        np.save(packed, array, allow_pickle=False)
        return packed.getvalue()

    return as_zip(mutate)


def _array(rng: random.Random, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Change a number, the type, the length or the shape of an array."""
    kind = rng.randrange(8)
    if kind < 4 and array.size:
        changed = array.copy()
        for _ in range(rng.choice((1, 1, 3))):
            with np.errstate(all="ignore"):
                new = np.array(rng.choice((*_NUMBERS[:-6], np.nan, np.inf)))
                if array.dtype.kind == "f" or np.isfinite(new.astype(float)):
                    held = new.astype(float).astype(array.dtype)
                    changed.flat[rng.randrange(array.size)] = held
        return changed
    if kind == 4:
        types = ("int8", "uint8", "int16", "int32", "int64", "float16", "float64", "bool", "U3")
        with np.errstate(all="ignore"):
            return array.astype(rng.choice(types))
    if kind == 5:
        return array[: rng.randrange(len(array) + 1)] if array.ndim else array
    if kind == 6:
        return np.concatenate([array, array[:1]]) if array.ndim else array
    return array.reshape(rng.choice(((-1,), (1, -1), (-1, 1), (1, -1, 1))))
