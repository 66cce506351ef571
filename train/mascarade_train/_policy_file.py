"""Trained networks on disk: one `.npz` of a card and weights, from which no code is run.

The array `card` is JSON in UTF-8, a byte a number: what was learned, how, and what came of it. The
weights are float32 or float16:

| arrays | shapes | |
|---|---|---|
| `tokens` | [4, words, length] | a vector for each word of an event; only if events are read |
| `trunk.0.weight`, `trunk.0.bias`, ... | [width, numbers], [width] | hidden layers, with ReLU |
| `slots.weight` | [length, numbers of a slot] | only if slots are read apart; with ReLU |
| `pooled.weight` | [width, length] | is added to the first layer, of the sum over slots |
| `asked.weight`, `asked.bias` | [2 * length, width] | what is asked of slots: to take, to target |
| `policy.weight`, `policy.bias` | [actions, width], [actions] | what actions score |
| `wins.weight`, `wins.bias` | [players, width], [players] | what players score |

The first layer reads the observation, but not the block `window`, which holds words and not
numbers. In its place come the last events of it, as many as `events` on the card says, older ones
first: each is the sum of the vectors of its four words, with ReLU.

Slots that are read apart (_slots.py) have a vector each. To the score of each action that is about
a slot comes the product of that vector with the half of `asked` that the kind of action has, and
`asked` is the last layer of the trunk with these weights.

A softmax over the legal actions gives their chances. A softmax over the players at the table gives
their probabilities to win, by seat: first who decides, then clockwise. A padded network has scores
for 12 players.
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

#: How many words there are; each of the four of an event has a vector for every one of them.
WORDS = LAST_WORD + 1

#: Of the weights of a network. Those of this package have a hundredth of it.
MOST_BYTES = 2**28

#: The policy in the folder of a run.
NAME = "policy.npz"

_FIELDS: dict[str, type] = {
    "format": str, "scenario": dict, "scenarios": list, "track": str, "padded": bool,
    "observation_size": int, "actions": int, "events": int, "layers": list, "provenance": dict,
    "scores": dict, "note": str,
}  # fmt: skip
_KINDS = ("float32", "float16")
_ANOTHER = "take another copy of it, or train anew"


@dataclass(frozen=True, eq=False)
class PolicyFile:
    """A trained network and its card. One that exists is sound: others are refused.

    Attributes:
        card: what is known about it; see `of`.
        arrays: the weights, by name.
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
        """Return a network, and a card written for it.

        Args:
            schema: of the observations that it has learned from.
            arrays: the weights, by the names of a policy file.
            events: how many of the last events of the window are read.
            scenarios: the names of all scenarios that it has learned, that of `schema` first; by
                default no others.
            provenance: how it was made: settings, decisions, seconds, versions; any JSON.
            scores: how well it plays; any JSON.
            note: a sentence about it.
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
        """Write it to a file, which is there whole or as it was before."""
        words = json.dumps(self.card, indent=1).encode()
        arrays: dict[str, Any] = {"card": np.frombuffer(words, np.uint8), **self.arrays}
        with making(path) as beside, beside.open("wb") as file:
            np.savez_compressed(file, **arrays)
            file.flush()
            os.fsync(file.fileno())

    @classmethod
    def load(cls, path: str | Path) -> "PolicyFile":
        """Read a policy file, or the one in the folder of a run.

        Raises:
            MascaradeError: there is none, or it is damaged or something else.
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
            raise MascaradeError(f"{str(file)!r} is no policy to play: {error}") from error
        except OSError as error:
            raise MascaradeError(f"cannot read {str(file)!r}: {error.strerror or error}") from error
        except Exception as error:  # what a damaged file raises is up to zip, zlib and NumPy
            raise MascaradeError(
                f"{str(file)!r} is no whole policy file: {error}; {_ANOTHER}"
            ) from error

    @cached_property
    def schema(self) -> Schema:
        """Of the observations that it reads."""
        scenario = Scenario.from_dict(self.card["scenario"])
        return schema_of(scenario, self.card["track"], self.card["padded"])

    @property
    def actions(self) -> int:
        """How many action ids it knows."""
        return int(self.card["actions"])

    @property
    def players(self) -> int:
        """For how many players it tells who will win: 12 if padded."""
        return self.schema.seats

    @property
    def events(self) -> int:
        """How many of the last events of the window it reads."""
        return int(self.card["events"])

    @property
    def layers(self) -> int:
        """How many hidden layers it has."""
        return len(self.card["layers"])

    @property
    def slots(self) -> int:
        """The length of the vectors of slots; 0 if none are read apart."""
        weight = self.arrays.get("slots.weight")
        return weight.shape[0] if weight is not None and weight.ndim else 0

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Return what arrays the card promises."""
        found: dict[str, tuple[int, ...]] = {}
        width = numbers_read(self.schema)
        if self.card["events"]:
            given = self.arrays.get("tokens")
            length = given.shape[-1] if given is not None and given.ndim else 0
            found["tokens"] = (len(TOKEN), WORDS, length)
            width += self.card["events"] * length
        for layer, out in enumerate(self.card["layers"]):
            found |= {f"trunk.{layer}.weight": (out, width), f"trunk.{layer}.bias": (out,)}
            width = out
        if self.slots and self.card["layers"]:
            found["slots.weight"] = (self.slots, slot_width(self.schema))
            found["pooled.weight"] = (self.card["layers"][0], self.slots)
            found |= {"asked.weight": (2 * self.slots, width), "asked.bias": (2 * self.slots,)}
        for head, out in (("policy", self.actions), ("wins", self.players)):
            found |= {f"{head}.weight": (out, width), f"{head}.bias": (out,)}
        return found


def numbers_read(schema: Schema) -> int:
    """How many numbers of an observation are read as numbers: all before the window of events."""
    return schema.places["window"].start if "window" in schema.places else schema.size


def action_count(schema: Schema) -> int:
    """Return how many action ids a network knows that reads such observations."""
    return MAX_ACTIONS if schema.padded else int(count_ids(new_rows(schema.scenario, 1)[0]))


def _parsed(card: NDArray[Any]) -> dict[str, Any]:
    found = json_in(card)
    if not isinstance(found, dict):
        raise ValueError("its card is no JSON object")
    return found


def _without_card(arrays: Mapping[str, Any]) -> str:
    if "head" in arrays:
        return 'it is of `mascarade solve` or `mascarade tree`: play it by "tabular:...", if it can'
    return "it holds arrays, but no card: name another"


def _check_fields(card: Mapping[str, Any]) -> None:
    """Whether all is there and of the right types."""
    if card.get("format") != FORMAT:
        raise MascaradeError(
            f"its format is {card.get('format')!r:.60}, and {FORMAT!r} is read here: name another, "
            "or play it with the version of mascarade-env that made it"
        )
    for field, kind in _FIELDS.items():
        if type(card.get(field)) is not kind:
            found = f"{card[field]!r:.60}" if field in card else "missing"
            raise MascaradeError(f"on its card {field} is of the type {kind.__name__}, not {found}")
    if unknown := card.keys() - _FIELDS.keys():
        raise MascaradeError(f"on its card there is {min(unknown)!r:.60}, which has no meaning")
    if not all(type(width) is int and width > 0 for width in card["layers"]):
        raise MascaradeError(f"on its card layers are widths, not {card['layers']!r:.60}")
    if card["track"] not in TRACKS:
        raise MascaradeError(
            f"on its card track is one of {', '.join(TRACKS)}, not {card['track']!r:.60}"
        )
    most = 0 if card["track"] == "belief" else WINDOW
    if not 0 <= card["events"] <= most:
        raise MascaradeError(
            f"on its card events is how many of the last events it reads, at most {most} on the "
            f"track {card['track']}, not {card['events']!r:.60}"
        )
    try:
        json.dumps(card, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise MascaradeError(
            f"its card is no JSON ({error}): give dicts, lists, words, and Python's own numbers"
        ) from error


def _check_learned(card: Mapping[str, Any], schema: Schema) -> None:
    """Check that a card agrees with this version of the package."""
    name, names = schema.scenario.name, card["scenarios"]
    several = len(names) > 1 and not schema.padded
    if names[:1] != [name] or several or not all(isinstance(other, str) for other in names):
        raise MascaradeError(
            f"on its card scenarios are names that begin with its scenario, {name}, and more than "
            f"that if it is padded; not {names!r:.60}"
        )
    for what, stored, now in (
        ("numbers in an observation", card["observation_size"], schema.size),
        ("actions", card["actions"], action_count(schema)),
    ):
        if stored != now:
            raise MascaradeError(
                f"it knows {stored} {what}, but now {name} has {now}: another version of "
                "mascarade-env made it; play it with that, or train anew"
            )


def _check_arrays(arrays: Mapping[str, Weights], shapes: Mapping[str, tuple[int, ...]]) -> None:
    for name, shape in shapes.items():
        if name not in arrays:
            raise MascaradeError(f"the array {name} is missing; {_ANOTHER}")
        array = arrays[name]
        if array.dtype.name not in _KINDS:
            raise MascaradeError(f"{name} is {' or '.join(_KINDS)}, not {array.dtype.name}")
        if array.shape != shape:
            raise MascaradeError(f"by its card {name} has the shape {shape}, not {array.shape}")
        if not np.isfinite(array).all():
            raise MascaradeError(
                f"{name} holds numbers that are not finite: the training went wrong before it was "
                "written; take an earlier one"
            )
    if unknown := arrays.keys() - shapes.keys():
        raise MascaradeError(f"the array {min(unknown)!r:.60} has no meaning; {_ANOTHER}")
