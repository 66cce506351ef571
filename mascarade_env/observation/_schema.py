"""`Schema`: where each block of an observation is in the vectors of a scenario.

Slots are in the viewer's order: the viewer's seat first, then the other seats clockwise, then the
centre. Masks are in the order of `MASKS`: the masks in play, or all masks if padded.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.game._masks import MASK_IDS, mask_number
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, Scenario, resolve
from mascarade_env.observation._blocks import (
    AGE_HALF,
    AGE_STEPS,
    BLOCKS,
    COLUMNS,
    FULL,
    TALLY_HALF,
    TRACKS,
    TURN_HALF,
    placed,
)
from mascarade_env.observation._describe import described
from mascarade_env.observation._picture import TABLED, table_of

#: The index of each block, -1 for none, and the other numbers that the encoder needs.
LAYOUT = np.dtype(
    (
        np.record,
        np.dtype(
            [(block.name, np.int64) for block in BLOCKS]
            + [
                ("size", np.int64),
                ("columns", np.int64),  # length of the last axis of "slots"
                ("seats", np.int64),  # number of seats, padding included
                ("slots_wide", np.int64),  # number of slots, padding included
                ("masks", np.int64),
                ("column", np.int64, (len(MASK_IDS),)),  # index of each mask on a "mask" axis
                ("cards", np.float32, (len(MASK_IDS),)),  # the block "in_play"
                ("sparse", np.int64),  # the encoder clears numbers before this, writes later ones
                ("coin", np.float32),  # 1 / goal
                ("step", np.float32),  # 1 / AGE_STEPS
                ("ages", np.float32, (TABLED,)),  # values of ages, by number of turns
                ("tallies", np.float32, (TABLED,)),  # values of tallies, by count
                ("turns", np.float32, (TABLED,)),  # the block "turn", by number of turns
                ("tribunals", np.float32, (TABLED,)),  # the block "tribunal", by number of coins
            ]
        ),
    )
)


#: The last blocks of an observation. The encoder writes every number of these.
_FILLED = ("own_belief", "onlooker_belief", "exact", "window")


class Schema:
    """The layout of observations of a scenario: what each number of the vector means.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        track: what observations hold besides public facts: with "memory" a window of recent events,
            with "belief" neutral beliefs, with "both" the window and the beliefs. "full" is the
            layout of `full_state`.
        padded: whether to lay out 12 seats, 14 slots and all 16 masks, so that one network fits
            every scenario. Numbers for seats, slots and masks that the scenario lacks are 0.

    Attributes:
        size: the length of an observation.
        masks: the ids of the masks, in the order of every "mask" axis.
        places: the place of each block, by name.
        columns: the place of each column of the block "slots", by name.

    Raises:
        UnknownNameError: there is no such scenario.
        MascaradeError: there is no such track, or the scenario has too many masks in the centre for
            the padding.
    """

    def __init__(
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario,
        track: str = "both",
        *,
        padded: bool = False,
    ) -> None:
        if track not in (*TRACKS, FULL):
            raise MascaradeError(
                f"track must be one of {', '.join((*TRACKS, FULL))}, not {track!r}"
            )
        self.scenario = resolve(scenario)
        if padded:
            check_padding(self.scenario)
        self.track = track
        self.padded = padded
        self.masks: tuple[str, ...] = MASK_IDS if padded else self.scenario.kinds
        self.seats = MAX_PLAYERS if padded else self.scenario.players
        self.slots = MAX_SLOTS if padded else self.scenario.slots
        lengths = {"slot": self.slots, "player": self.seats, "mask": len(self.masks)}
        self.columns = placed(COLUMNS, lengths)
        lengths["column"] = self.columns["said"].stop
        self.places = placed([block for block in BLOCKS if track in block.tracks], lengths)
        self.size = max(place.stop for place in self.places.values())

    @cached_property
    def layout(self) -> NDArray[Any]:
        """The layout for compiled code: an array of one LAYOUT."""
        layout = np.zeros(1, LAYOUT)
        for block in BLOCKS:
            layout[block.name] = self.places[block.name].start if block.name in self.places else -1
        layout["size"] = self.size
        layout["columns"] = self.columns["said"].stop
        layout["seats"] = self.seats
        layout["slots_wide"] = self.slots
        layout["masks"] = len(self.masks)
        for column, mask in enumerate(self.masks):
            layout["column"][0, mask_number(mask)] = column
            layout["cards"][0, column] = self.scenario.masks.count(mask) * 0.5
        layout["sparse"] = self._sparse
        layout["coin"] = 1 / self.scenario.goal_coins
        layout["step"] = 1 / AGE_STEPS
        layout["ages"] = table_of(AGE_HALF)
        layout["tallies"] = table_of(TALLY_HALF)
        few = np.arange(TABLED)
        layout["turns"] = few / (few + TURN_HALF)
        layout["tribunals"] = few / self.scenario.goal_coins
        return layout

    @property
    def _sparse(self) -> int:
        """The encoder writes every number from this index on; `size` if there is padding."""
        if self.padded or self.track == FULL:
            return self.size
        return min(self.places[name].start for name in _FILLED if name in self.places)

    def views(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the blocks of observations and the columns of "slots", by name.

        The arrays are views: they share memory with `observation`.

        Args:
            observation: [..., size] one or more observations.

        Raises:
            MascaradeError: the last axis of the array does not have length `size`.
        """
        self._check(observation)
        rows = observation.shape[:-1]
        views = {
            name: observation[..., place.start : place.stop].reshape(*rows, *place.shape)
            for name, place in self.places.items()
        }
        slots = views["slots"]
        for name, place in self.columns.items():
            column = slots[..., place.start : place.stop]
            views[name] = column if place.shape else column[..., 0]
        return views

    def indices_in(self, other: "Schema") -> NDArray[np.int64]:
        """Return for each number its index in observations of another schema, -1 for none, [size].

        The indices convert an observation `plain` of the other schema to this schema:

            padded = np.append(plain, 0)[Schema("6A", padded=True).indices_in(Schema("6A"))]
        """
        indices = np.full(self.size, -1)
        mine, theirs = self.views(indices), other.views(np.arange(other.size))
        for name, place in {**self.places, **self.columns}.items():
            if name == "slots" or name not in theirs:
                continue  # each column of "slots" is an entry too
            axes = (*(("slot",) if name in self.columns else ()), *place.block.axes)
            pairs = [self._shared(axis, other) for axis in axes]
            here, there = zip(*pairs, strict=True)
            mine[name][np.ix_(*here)] = theirs[name][np.ix_(*there)]
        return indices

    def _shared(self, axis: str | int, other: "Schema") -> tuple[list[int], list[int]]:
        """Return the indices of the common entries of an axis, here and in another schema."""
        if isinstance(axis, int):
            return list(range(axis)), list(range(axis))
        if axis == "mask":
            both = [mask for mask in self.masks if mask in other.masks]
            return [self.masks.index(m) for m in both], [other.masks.index(m) for m in both]
        seats = range(min(self.seats, other.seats))
        centre = range(min(self.slots - self.seats, other.slots - other.seats))
        if axis == "player":
            centre = range(0)
        return (
            [*seats, *(self.seats + place for place in centre)],
            [*seats, *(other.seats + place for place in centre)],
        )

    def describe(self, observation: NDArray[Any]) -> str:
        """Return one observation in words: the table, a line for each slot, the last events.

        Raises:
            MascaradeError: `observation` is not one vector, or its numbers are not an observation.
        """
        self._check(observation)
        if observation.ndim != 1:
            raise MascaradeError(
                f"pass one observation, of shape ({self.size},), not one of shape "
                f"{observation.shape}"
            )
        try:
            return "\n".join(described(self, self.views(observation)))
        except (ArithmeticError, TypeError, ValueError) as error:  # NaN, ages of 1 and more
            raise MascaradeError(
                f"these numbers are not an observation: {error}; pass an array from a game or batch"
            ) from error

    def _check(self, observation: NDArray[Any]) -> None:
        shape = getattr(observation, "shape", None)
        if shape is None or shape[-1:] != (self.size,):
            kind = type(observation).__name__ if shape is None else f"an array of shape {shape}"
            raise MascaradeError(
                f"{self!r} needs an array whose last axis has length {self.size}, not {kind}"
            )

    @property
    def low(self) -> NDArray[np.float32]:
        """The smallest possible value of each number, [size]."""
        return self._bounds("low")

    @property
    def high(self) -> NDArray[np.float32]:
        """The largest possible value of each number, [size]."""
        return self._bounds("high")

    def _bounds(self, side: str) -> NDArray[np.float32]:
        bounds = np.empty(self.size, np.float32)
        for place in self.places.values():
            bounds[place.start : place.stop] = getattr(place.block, side)
        views = self.views(bounds)
        for name, place in self.columns.items():
            views[name][...] = getattr(place.block, side)
        return bounds

    def __repr__(self) -> str:
        padded = ", padded=True" if self.padded else ""
        return f"Schema({self.scenario.name!r}, {self.track!r}{padded}) of {self.size} numbers"


@lru_cache(maxsize=256)
def schema_of(scenario: Scenario, track: str, padded: bool) -> Schema:
    """Return the schema for these arguments, from a cache."""
    return Schema(scenario, track, padded=padded)


def check_padding(scenario: Scenario) -> None:
    """Refuse a scenario that does not fit 12 seats and a centre of 2 slots."""
    centre, room = scenario.slots - scenario.players, MAX_SLOTS - MAX_PLAYERS
    if centre > room:
        raise MascaradeError(
            f"padded=True has room for {room} masks in the centre, but {scenario.name} has "
            f"{centre}; use padded=False"
        )
