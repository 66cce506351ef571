"""Where the blocks of an observation stand in the vectors of a scenario, and the way back.

Slots are listed from the viewer's seat: own seat first, then clockwise, then the centre. Masks are
listed in the order of `MASKS`, those in play alone unless padded.
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

#: Where each block begins, -1 where there is none, and what else writers must know.
LAYOUT = np.dtype(
    (
        np.record,
        np.dtype(
            [(block.name, np.int64) for block in BLOCKS]
            + [
                ("size", np.int64),
                ("columns", np.int64),  # numbers of a slot
                ("seats", np.int64),  # the widths of blocks
                ("slots_wide", np.int64),
                ("masks", np.int64),
                ("column", np.int64, (len(MASK_IDS),)),  # of each mask
                ("cards", np.float32, (len(MASK_IDS),)),  # the block "in_play", by column
                ("sparse", np.int64),  # from here on writers fill all blocks, before there are gaps
                ("coin", np.float32),  # a coin, as a part of the goal
                ("step", np.float32),  # the last of AGE_STEPS
                ("ages", np.float32, (TABLED,)),  # of small numbers of turns
                ("tallies", np.float32, (TABLED,)),  # of small counts
                ("turns", np.float32, (TABLED,)),  # the block "turn" in early turns
                ("tribunals", np.float32, (TABLED,)),  # the block "tribunal" for few coins
            ]
        ),
    )
)


#: Blocks whose numbers are all written each time, the last ones of an observation.
_FILLED = ("own_belief", "onlooker_belief", "exact", "window")


class Schema:
    """The observations of a scenario: which number means what.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        track: "memory" has a window of events, "belief" the neutral beliefs, "both" has both.
        padded: 12 seats, 14 slots and all 16 masks, whatever the scenario has, so that one network
            fits all; what is not there is 0.

    Attributes:
        size: how many numbers an observation has.
        masks: the masks in the order of every "mask" axis.
        places: where each block begins, by name.
        columns: where each column of the block "slots" begins, by name.
    """

    def __init__(
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario,
        track: str = "both",
        *,
        padded: bool = False,
    ) -> None:
        if track not in (*TRACKS, FULL):
            raise MascaradeError(f"a track is one of {', '.join(TRACKS)}, not {track!r}")
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
        """An array of one LAYOUT."""
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
        """Where the blocks begin that writers fill without gaps: none if there is padding."""
        if self.padded or self.track == FULL:
            return self.size
        return min(self.places[name].start for name in _FILLED if name in self.places)

    def views(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The blocks of an observation by name, and the columns of "slots", on the same memory.

        Args:
            observation: one vector, or an array whose last axis is one.
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
        """For each number of these observations its place in those of another schema, -1 for none.

        So one observation can be made of another of the same position, if that one has it all:

            padded = np.append(plain, 0)[Schema("6A", padded=True).indices_in(Schema("6A"))]
        """
        found = np.full(self.size, -1)
        mine, theirs = self.views(found), other.views(np.arange(other.size))
        for name, place in {**self.places, **self.columns}.items():
            if name == "slots" or name not in theirs:
                continue  # the columns of slots are there one by one
            axes = (*(("slot",) if name in self.columns else ()), *place.block.axes)
            pairs = [self._shared(axis, other) for axis in axes]
            here, there = zip(*pairs, strict=True)
            mine[name][np.ix_(*here)] = theirs[name][np.ix_(*there)]
        return found

    def _shared(self, axis: str | int, other: "Schema") -> tuple[list[int], list[int]]:
        """The entries of an axis that another schema has as well: their places here and there."""
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
        """One observation in words: the table, a line for each slot, the last events."""
        self._check(observation)
        if observation.ndim != 1:
            raise MascaradeError(f"describe one observation at a time, not {observation!r:.40}")
        try:
            return "\n".join(described(self, self.views(observation)))
        except (ArithmeticError, TypeError, ValueError) as error:  # NaN, ages of 1 and more
            raise MascaradeError(f"these numbers are no observation: {error}") from error

    def _check(self, observation: NDArray[Any]) -> None:
        shape = getattr(observation, "shape", None)
        if shape is None or shape[-1:] != (self.size,):
            found = type(observation).__name__ if shape is None else f"of shape {shape}"
            raise MascaradeError(f"{self!r} reads arrays of so many, not one {found}")

    @property
    def low(self) -> NDArray[np.float32]:
        """The least value of each number."""
        return self._bounds("low")

    @property
    def high(self) -> NDArray[np.float32]:
        """The largest value of each number."""
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
    """Return a schema, made once for all who ask again and again."""
    return Schema(scenario, track, padded=padded)


def check_padding(scenario: Scenario) -> None:
    """Refuse a scenario that does not fit 12 seats and a centre of 2 slots."""
    centre, room = scenario.slots - scenario.players, MAX_SLOTS - MAX_PLAYERS
    if centre > room:
        raise MascaradeError(
            f"padded, the centre has room for {room} masks; {scenario.name} has {centre} there: "
            "use padded=False"
        )
