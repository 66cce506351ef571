"""Trained networks on disk: an `.npz` file with a card and weights. Loading it runs no code.

The array `card` is JSON in UTF-8, one byte per element. It describes what the network learned, how
it learned, and how well it plays. The weights are float32 or float16:

| arrays | shapes | |
|---|---|---|
| `tokens` | [4, tokens, length] | a vector for each token of an event; only if it reads events |
| `trunk.0.weight`, `trunk.0.bias`, ... | [width, numbers], [width] | hidden layers, with ReLU |
| `slots.weight` | [length, numbers of a slot] | only with a layer for slots; with ReLU |
| `pooled.weight` | [width, length] | maps the sum over slots to a part of the first layer |
| `asked.weight`, `asked.bias` | [2 * length, width] | vectors to compare with slots: take, target |
| `policy.weight`, `policy.bias` | [actions, width], [actions] | scores of actions |
| `wins.weight`, `wins.bias` | [players, width], [players] | scores of players |

The input of the first layer is the observation without the block `window`, which holds tokens
(numbers that stand for words). The latest events of the window follow instead, the oldest first;
`events` on the card is their number. The input for an event is the sum of the vectors of its four
tokens, with ReLU.

With a layer for slots (_slots.py), each slot (place for a mask) has a vector. `asked` maps the last
layer of the trunk to two vectors: one for actions that take a mask, one for actions that target a
player. The product of this vector and the slot's vector is added to the score of the action.

A softmax over the legal actions gives their probabilities. A softmax over the players at the table
gives the probability that each player wins, by seat: first the acting player, then clockwise. A
padded network (one layout for all scenarios) has scores for 12 players.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._files.arrays import json_in, read_arrays
from mascarade_env.exact._files import making
from mascarade_env.game._actions import MAX_ACTIONS, count_ids
from mascarade_env.game._scenarios import Scenario
from mascarade_env.game._state import new_rows
from mascarade_env.knowledge._windows import LAST_WORD, TOKEN, WINDOW
from mascarade_env.observation._blocks import TRACKS
from mascarade_env.observation._schema import Schema, schema_of
from mascarade_train._slots import slot_width

Weights: TypeAlias = NDArray[np.floating[Any]]

FORMAT = "mascarade_train.policy 1"

#: The number of tokens. Each of the four places of an event has a vector for every token.
WORDS = LAST_WORD + 1

#: Limit on the size of a network's weights, about 100 times the size of a released network.
MOST_BYTES = 2**28

#: The name of the policy file in the folder of a run.
NAME = "policy.npz"

_FIELDS: dict[str, type] = {
    "format": str, "scenario": dict, "scenarios": list, "track": str, "padded": bool,
    "observation_size": int, "actions": int, "events": int, "layers": list, "provenance": dict,
    "scores": dict, "note": str,
}  # fmt: skip
_KINDS = ("float32", "float16")
_ANOTHER = "get another copy of the file, or train the network again"


@dataclass(frozen=True, eq=False)
class PolicyFile:
    """A trained network and its card. Creating the object checks them.

    Attributes:
        card: facts about the network, as JSON; `of` explains the fields.
        arrays: the weights, by name.

    Raises:
        MascaradeError: the card or an array is not valid.
    """

    card: Mapping[str, Any]
    arrays: Mapping[str, Weights]

    def __post_init__(self) -> None:
        _check_fields(self.card)
        _check_learned(self.card, self.schema)
        _check_arrays(self.arrays, self._shapes())

    @classmethod
    def of(  # noqa: PLR0913  what a card may hold, by keyword
        cls,
        schema: Schema,
        arrays: Mapping[str, Weights],
        *,
        events: int = 0,
        scenarios: Sequence[str] = (),
        provenance: Mapping[str, Any] | None = None,
        scores: Mapping[str, Any] | None = None,
        note: str = "",
    ) -> "PolicyFile":
        """Return a network with a new card.

        Args:
            schema: the layout of the observations that it learned from.
            arrays: the weights, by their names in a policy file.
            events: how many of the latest events of the window it reads.
            scenarios: the names of all scenarios that it learned, the scenario of `schema` first;
                by default only this scenario.
            provenance: how it was made: settings, decisions, seconds, versions; any JSON.
            scores: how well it plays; any JSON.
            note: a sentence about the network.

        Raises:
            MascaradeError: a value is not valid, or the arrays do not fit the layout.
        """
        layers: list[int] = []
        while (bias := arrays.get(f"trunk.{len(layers)}.bias")) is not None:
            layers.append(bias.size)
        card = {
            "format": FORMAT,
            "scenario": schema.scenario.to_dict(),
            "scenarios": list(scenarios) or [schema.scenario.name],
            "track": schema.track,
            "padded": schema.padded,
            "observation_size": schema.size,
            "actions": action_count(schema),
            "events": events,
            "layers": layers,
            "provenance": dict(provenance or {}),
            "scores": dict(scores or {}),
            "note": note,
        }
        return cls(card, dict(arrays))

    def save(self, path: str | Path) -> None:
        """Write the network to a file. After an error the file is as it was before."""
        words = json.dumps(self.card, indent=1).encode()
        arrays: dict[str, Any] = {"card": np.frombuffer(words, np.uint8), **self.arrays}
        with making(path) as beside, beside.open("wb") as file:
            np.savez_compressed(file, **arrays)
            file.flush()
            os.fsync(file.fileno())

    @classmethod
    def load(cls, path: str | Path) -> "PolicyFile":
        """Read a policy file, or the policy file in the folder of a run.

        Raises:
            MascaradeError: the file does not exist, is damaged, or is not a policy file.
        """
        file = Path(path)
        if file.is_dir():
            file /= NAME
        try:
            arrays = read_arrays(file, MOST_BYTES)
            card = arrays.pop("card", None)
            if card is None:
                raise MascaradeError(_without_card(arrays))
            return cls(_parsed(card), arrays)
        except MascaradeError as error:
            raise MascaradeError(f"{str(file)!r} is not a valid policy file: {error}") from error
        except OSError as error:
            raise MascaradeError(
                f"cannot read {str(file)!r}: {error.strerror or error}; check the path"
            ) from error
        except Exception as error:  # zip, zlib and NumPy raise many types for a damaged file
            raise MascaradeError(
                f"{str(file)!r} is not a policy file, or is damaged: {error}; {_ANOTHER}"
            ) from error

    @cached_property
    def schema(self) -> Schema:
        """The layout of the observations that it reads."""
        scenario = Scenario.from_dict(self.card["scenario"])
        return schema_of(scenario, self.card["track"], self.card["padded"])

    @property
    def actions(self) -> int:
        """The number of action ids."""
        return int(self.card["actions"])

    @property
    def players(self) -> int:
        """The number of players whose win probabilities the network predicts; 12 if padded."""
        return self.schema.seats

    @property
    def events(self) -> int:
        """How many of the latest events of the window the network reads."""
        return int(self.card["events"])

    @property
    def layers(self) -> int:
        """The number of hidden layers."""
        return len(self.card["layers"])

    @property
    def slots(self) -> int:
        """The length of the vectors of slots; 0 if it has no layer for slots."""
        weight = self.arrays.get("slots.weight")
        return weight.shape[0] if weight is not None and weight.ndim else 0

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes that the arrays must have according to the card."""
        shapes: dict[str, tuple[int, ...]] = {}
        width = numbers_read(self.schema)
        if self.card["events"]:
            tokens = self.arrays.get("tokens")
            length = tokens.shape[-1] if tokens is not None and tokens.ndim else 0
            shapes["tokens"] = (len(TOKEN), WORDS, length)
            width += self.card["events"] * length
        for layer, out in enumerate(self.card["layers"]):
            shapes |= {f"trunk.{layer}.weight": (out, width), f"trunk.{layer}.bias": (out,)}
            width = out
        if self.slots and self.card["layers"]:
            shapes["slots.weight"] = (self.slots, slot_width(self.schema))
            shapes["pooled.weight"] = (self.card["layers"][0], self.slots)
            shapes |= {"asked.weight": (2 * self.slots, width), "asked.bias": (2 * self.slots,)}
        for head, out in (("policy", self.actions), ("wins", self.players)):
            shapes |= {f"{head}.weight": (out, width), f"{head}.bias": (out,)}
        return shapes


def numbers_read(schema: Schema) -> int:
    """Return how many values of an observation precede the window of events, which holds tokens."""
    return schema.places["window"].start if "window" in schema.places else schema.size


def action_count(schema: Schema) -> int:
    """Return the number of action ids for a network that reads this layout."""
    return MAX_ACTIONS if schema.padded else int(count_ids(new_rows(schema.scenario, 1)[0]))


def _parsed(card: NDArray[Any]) -> dict[str, Any]:
    content = json_in(card)
    if not isinstance(content, dict):
        raise ValueError("its card is not a JSON object")
    return content


def _without_card(arrays: Mapping[str, Any]) -> str:
    if "head" in arrays:
        return (
            "it is a file of `mascarade solve` or `mascarade tree`: play solutions as tabular:FILE"
        )
    return "it holds arrays but no card: name a policy file that training wrote"


def _check_fields(card: Mapping[str, Any]) -> None:
    """Check that all fields of a card exist and have the right types."""
    if card.get("format") != FORMAT:
        raise MascaradeError(
            f"its format is {card.get('format')!r:.60}, and this version reads {FORMAT!r}: name "
            "another file, or play it with the version of mascarade-env that wrote it"
        )
    for field, kind in _FIELDS.items():
        if type(card.get(field)) is not kind:
            value = f"{card[field]!r:.60}" if field in card else "missing"
            raise MascaradeError(
                f"{field!r} on its card must be of type {kind.__name__}, not {value}"
            )
    if unknown := card.keys() - _FIELDS.keys():
        raise MascaradeError(
            f"its card has the unknown field {min(unknown)!r:.60}: remove it, or put it under "
            "provenance"
        )
    if not all(type(width) is int and width > 0 for width in card["layers"]):
        raise MascaradeError(
            f"'layers' on its card must be widths above 0, not {card['layers']!r:.60}"
        )
    if card["track"] not in TRACKS:
        raise MascaradeError(
            f"'track' on its card must be one of {', '.join(TRACKS)}, not {card['track']!r:.60}"
        )
    most = 0 if card["track"] == "belief" else WINDOW
    if not 0 <= card["events"] <= most:
        raise MascaradeError(
            f"'events' on its card must be from 0 to {most} on the track {card['track']}, not "
            f"{card['events']!r:.60}"
        )
    try:
        json.dumps(card, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise MascaradeError(
            f"its card cannot be written as JSON ({error}): use dicts, lists, strings and finite "
            "Python numbers"
        ) from error


def _check_learned(card: Mapping[str, Any], schema: Schema) -> None:
    """Check that the fields of a card agree with each other, and with this version."""
    name, names = schema.scenario.name, card["scenarios"]
    several = len(names) > 1 and not schema.padded
    if names[:1] != [name] or several or not all(isinstance(other, str) for other in names):
        raise MascaradeError(
            f"the field 'scenarios' of its card is {names!r:.60}; it must be a list of names, "
            f"first {name}, and others only if the network is padded"
        )
    for what, stored, now in (
        ("numbers in an observation", card["observation_size"], schema.size),
        ("actions", card["actions"], action_count(schema)),
    ):
        if stored != now:
            raise MascaradeError(
                f"it was trained with {stored} {what}, but {name} has {now} in this version of "
                "mascarade-env: play it with the version that wrote it, or train a new network"
            )


def _check_arrays(arrays: Mapping[str, Weights], shapes: Mapping[str, tuple[int, ...]]) -> None:
    for name, shape in shapes.items():
        if name not in arrays:
            raise MascaradeError(f"the array {name} is missing; {_ANOTHER}")
        array = arrays[name]
        if array.dtype.name not in _KINDS:
            raise MascaradeError(
                f"the array {name} must be of type {' or '.join(_KINDS)}, not {array.dtype.name}"
            )
        if array.shape != shape:
            raise MascaradeError(
                f"according to its card, the array {name} must have the shape {shape}, not "
                f"{array.shape}; {_ANOTHER}"
            )
        if not np.isfinite(array).all():
            raise MascaradeError(
                f"the array {name} has numbers that are not finite, because training diverged: use "
                "an earlier policy, or train with a lower learning rate"
            )
    if unknown := arrays.keys() - shapes.keys():
        raise MascaradeError(f"the array {min(unknown)!r:.60} is unknown; {_ANOTHER}")
