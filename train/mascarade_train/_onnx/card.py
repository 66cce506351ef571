"""The card next to an ONNX file: its inputs and outputs, for bots in other programs.

BOTS.md of `mascarade_agents` shows how to use it.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import __version__
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS
from mascarade_env.game._state import new_rows
from mascarade_env.observation._blocks import Block
from mascarade_env.observation._reference import SURE, TOKENS
from mascarade_env.observation._schema import Schema, schema_of
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile

FORMAT = "mascarade_train.onnx 2"

#: The fields that a graph and its card have in common.
IDENTITY = ("format", "scenario", "track", "padded")

_EXAMPLE_DECISIONS = 12  # decisions of the game before the position of the example
_DIGITS = 7


def identity(file: PolicyFile) -> dict[str, Any]:
    """Return the fields that show whether a card and a graph belong together."""
    learned = {name: file.card[name] for name in IDENTITY if name != "format"}
    return {"format": FORMAT, **learned}


def digest(graph: bytes) -> str:
    """Return the SHA-256 of the bytes of an ONNX file, in hexadecimal."""
    return hashlib.sha256(graph).hexdigest()


def card_of(file: PolicyFile, graph: bytes) -> dict[str, Any]:
    """Return the card of a network.

    Args:
        file: the network.
        graph: the bytes of its ONNX file; their digest on the card detects damaged copies.
    """
    schema = file.schema
    return {
        **identity(file),
        "sha256": digest(graph),
        "scenarios": file.card["scenarios"],
        "note": file.card["note"],
        "version": {
            "mascarade-env": __version__,
            "meaning": (
                "observations and action ids are those of this version; a later version that "
                "changes them says so in its changelog and has a higher minor number"
            ),
        },
        "inputs": [
            _tensor("observation", "float32", schema.size, "what the acting player may know"),
            _tensor("mask", "int8", file.actions, "1 for legal action ids, 0 for all others"),
        ],
        "outputs": [
            _tensor(
                "log_chances",
                "float32",
                file.actions,
                "natural logarithms of the action probabilities; -1e9 where the mask is 0",
            ),
            _tensor(
                "wins",
                "float32",
                file.players,
                "win probabilities by seat: the acting player first, then clockwise; 0 for seats "
                "without a player",
            ),
        ],
        "choosing": (
            "Sample the action by the probabilities exp(log_chances), as the network did in "
            "training: take the id with the largest log_chances - log(-log(u)), with a new random "
            "number u from the open interval (0, 1) for each id. Always taking the largest "
            "log_chances is another policy, which opponents can predict."
        ),
        "observation": _observation(schema, file.events),
        "actions": list(_actions(schema)),
        "provenance": file.card["provenance"],
        "scores": file.card["scores"],
        "example": _example(file),
    }


def _tensor(name: str, kind: str, width: int, meaning: str) -> dict[str, Any]:
    return {"name": name, "type": kind, "shape": ["batch", width], "meaning": meaning}


def _observation(schema: Schema, events: int) -> dict[str, Any]:
    """Return the description of an observation, with the meaning of each declared block."""
    slots = schema.places["slots"]
    reading = {
        "slots": (
            "places for masks, in this order: the acting player's seat, the other seats clockwise, "
            "then the centre"
        ),
        "masks": "numbers by mask are in the order of the list masks",
        "ages and tallies": "rounded down to a multiple of 1/32767",
        "neutral belief": (
            "the probability that a mask is in a slot, given all that the player has seen, if "
            "other players swap or keep by the toss of a fair coin, and announcements, claims and "
            "choices carry no information"
        ),
        "sure": SURE,
    }
    if schema.padded:
        reading["padded"] = (
            f"every scenario has the same layout, with {MAX_PLAYERS} seats, {MAX_SLOTS} slots and "
            f"all {len(MASK_IDS)} masks: the centre begins at slot {MAX_PLAYERS}, and numbers of "
            "absent seats, slots and masks are 0"
        )
    if "window" in schema.places:
        reading["tokens"] = TOKENS
        reading["window"] = f"this network reads the latest {events} events; others may be 0"
    return {
        "size": schema.size,
        "seats": schema.seats,
        "slots": schema.slots,
        "masks": list(schema.masks),
        "reading": reading,
        "blocks": [
            {"name": name, "first": place.start, "shape": list(place.shape), **_range(place.block)}
            for name, place in schema.places.items()
        ],
        "columns of slots": {
            "where": (
                "the numbers of one slot are consecutive: the column with offset c of slot s is "
                f"number {slots.start} + {slots.shape[1]} s + c"
            ),
            "columns": [
                {"name": name, "offset": place.start, "shape": list(place.shape)}
                | _range(place.block)
                for name, place in schema.columns.items()
            ],
        },
    }


def _range(block: Block) -> dict[str, Any]:
    return {"low": block.low, "high": block.high, "meaning": block.meaning}


def _actions(schema: Schema) -> Iterator[dict[str, Any]]:
    """Yield all actions in the order of their ids in `game/_actions.py`."""
    kinds: list[dict[str, Any]] = []
    others = range(1, schema.seats)
    kinds += ({"action": "take", "seat": seat} for seat in others)
    kinds += ({"action": "take", "centre": place} for place in range(schema.slots - schema.seats))
    kinds += [{"action": "look"}]
    kinds += ({"action": "announce", "mask": mask} for mask in schema.masks)
    kinds += ({"action": word} for word in ("swap", "keep", "claim", "pass"))
    kinds += ({"action": "target", "seat": seat} for seat in others)
    kinds += [{"action": "decline"}]
    kinds += ({"action": "declare", "mask": mask} for mask in schema.masks)
    for number, action in enumerate(kinds):
        yield {"id": number, **action, "words": _words(action)}


_WORDS = {
    "take": "take the mask of {place}",
    "look": "look at your own mask",
    "announce": "announce the {mask}",
    "swap": "swap the two masks under the table",
    "keep": "put the two masks back as they were",
    "claim": "claim to have the announced mask too",
    "pass": "pass: claim nothing",
    "target": "target the player on {place}",
    "decline": "decline to use the power",
    "declare": "declare the {mask}",
}


def _words(action: dict[str, Any]) -> str:
    """Return an action in words."""
    seat, slot = action.get("seat"), action.get("centre")
    steps = "1 place" if seat == 1 else f"{seat} places"
    place = f"slot {slot} of the centre" if seat is None else f"the seat {steps} to the left"
    return _WORDS[action["action"]].format(place=place, mask=action.get("mask"))


def _example(file: PolicyFile) -> dict[str, Any]:
    """Return a position with the inputs and outputs of the network, to test a bot with."""
    schema = file.schema
    game = Game(schema.scenario, seed=0)
    game.play_randomly(_EXAMPLE_DECISIONS, seed=0)
    while game.over:
        game.undo()
    everything = schema_of(schema.scenario, "both", False)
    seen = np.append(game.observation(), np.float32(0))[schema.indices_in(everything)]
    ids = np.arange(file.actions)
    if schema.padded:
        ids = np.array(padded_ids(new_rows(schema.scenario, 1)[0]))
    mask = np.zeros(file.actions, np.int8)
    mask[ids[game.legal_ids()]] = 1
    net = NetPolicy(file)
    return {
        "meaning": "inputs and outputs of the graph in the position after this game record",
        "record": game.to_record(),
        "player who decides": game.player,
        "observation in words": schema.describe(seen).splitlines(),
        "observation": _rounded(seen),
        "mask": mask.tolist(),
        "log_chances": _rounded(net.log_chances(seen[None], mask[None])[0]),
        "wins": _rounded(net.wins(seen[None])[0]),
    }


def _rounded(numbers: NDArray[np.float32]) -> list[float]:
    return [float(f"{number:.{_DIGITS}g}") for number in numbers.tolist()]
