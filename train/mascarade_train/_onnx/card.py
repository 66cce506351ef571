"""The card beside an ONNX graph: all that a bot for another frontend needs to know."""

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

#: What a graph and its card agree on.
IDENTITY = ("format", "scenario", "track", "padded")

_EXAMPLE_DECISIONS = 12  # of the game in the example, before its position
_DIGITS = 7


def identity(file: PolicyFile) -> dict[str, Any]:
    """Return what stands on a card and in its graph, to tell whether they belong together."""
    learned = {name: file.card[name] for name in IDENTITY if name != "format"}
    return {"format": FORMAT, **learned}


def digest(graph: bytes) -> str:
    """Return the digest of the bytes of an ONNX file."""
    return hashlib.sha256(graph).hexdigest()


def card_of(file: PolicyFile, graph: bytes) -> dict[str, Any]:
    """Return the card of a network.

    Args:
        file: the network.
        graph: the bytes of its ONNX file, whose digest tells whether a copy is whole.
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
                "observations and action ids are those of this version; where a later one changes "
                "them, its changelog says so, and its minor number is higher"
            ),
        },
        "inputs": [
            _tensor("observation", "float32", schema.size, "what the player who decides may know"),
            _tensor("mask", "int8", file.actions, "1 for the ids of legal actions, 0 for others"),
        ],
        "outputs": [
            _tensor(
                "log_chances",
                "float32",
                file.actions,
                "the natural logarithms of the chances of actions; -1e9 where the mask is 0",
            ),
            _tensor(
                "wins",
                "float32",
                file.players,
                "how likely each player wins, by seat: first who decides, then clockwise; 0 for "
                "seats without a player",
            ),
        ],
        "choosing": (
            "Draw the action by the chances exp(log_chances), as the network has learned: so take "
            "the id with the largest log_chances - log(-log(u)), each u a random number of its own "
            "from the open interval (0, 1). Taking the largest log_chances instead is another "
            "policy, which others can read."
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
    """Return what each number says; the words are those of the declared blocks."""
    slots = schema.places["slots"]
    reading = {
        "slots": (
            "listed from the seat of who decides: own seat first, then clockwise, then the centre"
        ),
        "masks": "listed in the order of the list masks, here and wherever numbers go by mask",
        "ages and tallies": "rounded down to a multiple of 1/32767",
        "neutral belief": (
            "how likely the masks lie so, given all that the player has seen, if every swap or "
            "keep of others were the toss of a fair coin, and announcements, claims and choices "
            "said nothing"
        ),
        "sure": SURE,
    }
    if schema.padded:
        reading["padded"] = (
            f"as if there were {MAX_PLAYERS} seats, {MAX_SLOTS} slots and all {len(MASK_IDS)} "
            f"masks, in every scenario: the centre begins at slot {MAX_PLAYERS}, and what is not "
            "there is 0"
        )
    if "window" in schema.places:
        reading["tokens"] = TOKENS
        reading["window"] = f"of its events this network reads the last {events}; others may be 0"
    return {
        "size": schema.size,
        "seats": schema.seats,
        "slots": schema.slots,
        "masks": list(schema.masks),
        "reading": reading,
        "blocks": [
            {"name": name, "first": place.start, "shape": list(place.shape), **_told(place.block)}
            for name, place in schema.places.items()
        ],
        "columns of slots": {
            "where": (
                "the numbers of one slot stand together: the column with offset c of slot s is "
                f"number {slots.start} + {slots.shape[1]} s + c"
            ),
            "columns": [
                {"name": name, "offset": place.start, "shape": list(place.shape)}
                | _told(place.block)
                for name, place in schema.columns.items()
            ],
        },
    }


def _told(block: Block) -> dict[str, Any]:
    return {"low": block.low, "high": block.high, "meaning": block.meaning}


def _actions(schema: Schema) -> Iterator[dict[str, Any]]:
    """Yield all actions by id, as `game/_actions.py` numbers them."""
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
    "claim": "claim to have the announced mask as well",
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
    """A position with its numbers, and what the network makes of it: a bot can be tested by it."""
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
        "meaning": "what the graph says of the position that this game record leads to",
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
