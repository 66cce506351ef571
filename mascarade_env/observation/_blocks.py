"""The parts of an observation, called blocks: their names, shapes, ranges and meanings.

_picture.py and _encoder.py write these blocks, and _schema.py arranges them in a vector.
_describe.py puts a vector into words. OBSERVATION.md is generated from this file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import PHASES
from mascarade_env.game._scenarios import MAX_COINS, MAX_TURNS
from mascarade_env.knowledge._facts import ANSWERS, OUTCOMES
from mascarade_env.knowledge._windows import LAST_WORD, TOKEN, WINDOW

#: Kinds of observations: with a window of recent events, with neutral beliefs, or with both.
Track: TypeAlias = Literal["memory", "belief", "both"]
TRACKS: tuple[Track, ...] = get_args(Track)
FULL = "full"  # the track of full states, which agents must not see

# "t turns ago" is the number t / (t + AGE_HALF), "t turns so far" is t / (t + TURN_HALF).
AGE_HALF = 8
TURN_HALF = 40
AGE_STEPS = 32767  # ages and tallies are rounded down to a multiple of 1 / AGE_STEPS
# "c times" is the number c / (c + TALLY_HALF).
TALLY_HALF = 4

#: The largest number of coins that is shown. The rules set no limit, but no game has had more.
MOST_COINS = 32767
_SHARE = MOST_COINS / 2  # largest number of coins / goal; a goal is 2 or more

_BELIEVING = ("belief", "both")


@dataclass(frozen=True, slots=True)
class Block:
    """One part of an observation.

    Attributes:
        name: the key in `Schema.views`.
        axes: the axes of its array: "slot", "player" or "mask", whose lengths the scenario
            determines, or a number, which is the length of the axis.
        meaning: what its numbers mean, for people.
        low: the smallest possible value.
        high: the largest possible value.
        encoding: a stable id of how values are encoded, for programs: "flag" is 0 or 1. If the
            meaning of a number changes, its name or encoding must change too. A new wording of
            `meaning` changes neither.
        entries: stable ids of the entries of the last axis, if its length is a number.
        known: the viewers who may know the block.
        tracks: the tracks whose observations have this block.
    """

    name: str
    axes: tuple[str | int, ...]
    meaning: str
    low: float = 0
    high: float = 1
    encoding: str = "flag"
    entries: tuple[str, ...] = ()
    known: str = "everyone"
    tracks: tuple[str, ...] = (*TRACKS, FULL)


_AGE = f"as t/(t+{AGE_HALF})"
_TALLY = f"so far, as c/(c+{TALLY_HALF})"
# Encodings. The encodings of ages and tallies contain the constants of their formulas.
_COINS = "coins/goal"
_AGE_CODE = f"age/{AGE_HALF}/{AGE_STEPS}"
_TALLY_CODE = f"tally/{TALLY_HALF}/{AGE_STEPS}"
_PROBABILITY = "probability"

#: The facts about each slot. The block "slots" has these columns for each slot.
COLUMNS: tuple[Block, ...] = (
    # About the slot
    Block("occupied", (), "1 at a seat with a player; 0 in the centre and in padding"),
    Block(
        "coins",
        (),
        "the fortune on the seat, up to 32767, divided by the goal",
        high=_SHARE,
        encoding=_COINS,
    ),
    Block("decides", (), "1 at the seat of the acting player"),
    Block("marker", (), "1 at the seat whose turn it is"),
    Block(
        "revealed_ago",
        (),
        f"number t of turns since a mask was last dealt there or revealed to everyone, {_AGE}",
        encoding=_AGE_CODE,
    ),
    Block(
        "touched_ago",
        (),
        f"number t of turns since a mask was last dealt there or came back from under the table, "
        f"{_AGE}",
        encoding=_AGE_CODE,
    ),
    # About the slot on this turn
    Block("under_table", (), "1 if the mask is under the table"),
    Block("chosen", (), "1 at a seat that was chosen as a target on this turn"),
    Block(
        "uses_power",
        (),
        "1 at the seat of the player who uses the announced power; at two seats for two Peasants",
    ),
    Block(
        "answer",
        (len(ANSWERS),),
        f"the player's answer to this turn's announcement: {', '.join(ANSWERS)}; "
        "all 0 on a turn without an announcement",
        entries=ANSWERS,
    ),
    # About the player on the seat
    Block(
        "barred",
        (),
        "1 if the player may not announce on this turn, because they revealed on the turn before",
    ),
    Block(
        "sure",
        (),
        "1 if the player must know the mask of this seat, by public facts (see Sure)",
    ),
    Block(
        "said_ago",
        (),
        f"number t of turns since the player last announced (claims do not count), {_AGE}; also 0 "
        "if there is no announcement yet",
        encoding=_AGE_CODE,
    ),
    Block(
        "said_outcome",
        (len(OUTCOMES),),
        f"outcome of that announcement: {', '.join(OUTCOMES)}. It is open until all have "
        "answered, and true or false only after a reveal; all 0 if there is none",
        entries=OUTCOMES,
    ),
    Block(
        "unproven",
        (),
        f"number c of the player's announcements that no other player claimed, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "proven_true",
        (),
        f"number c of the player's announcements that a reveal showed to be true, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "proven_false",
        (),
        f"number c of the player's announcements that a reveal showed to be false, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "claims_true",
        (),
        f"number c of the player's claims that a reveal showed to be true, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "claims_false",
        (),
        f"number c of the player's claims that a reveal showed to be false, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block("said", ("mask",), "1 for the mask that the player last announced; all 0 if none"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a block in the observations of a scenario.

    Attributes:
        block: the block.
        start: the index of the block's first number; for a column, its index among the numbers of a
            slot.
        shape: the shape of the block.
    """

    block: Block
    start: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        """The index just after the last number of the block."""
        return self.start + int(np.prod(self.shape))


def placed(blocks: Sequence[Block], lengths: Mapping[str, int]) -> dict[str, Place]:
    """Return the place of each block by name; the blocks follow each other without gaps."""
    places: dict[str, Place] = {}
    end = 0
    for block in blocks:
        shape = tuple(axis if isinstance(axis, int) else lengths[axis] for axis in block.axes)
        places[block.name] = Place(block, end, shape)
        end = places[block.name].stop
    return places


# The start of each column, for compiled code.
_WIDEST = placed(COLUMNS, {"mask": len(MASK_IDS)})
(
    OCCUPIED, COINS, DECIDES, MARKER, REVEALED_AGO, TOUCHED_AGO,
    UNDER_TABLE, CHOSEN, USES_POWER, ANSWER,
    BARRED, SURE, SAID_AGO, SAID_OUTCOME,
    UNPROVEN, PROVEN_TRUE, PROVEN_FALSE, CLAIMS_TRUE, CLAIMS_FALSE,
    SAID,
) = (place.start for place in _WIDEST.values())  # fmt: skip

BLOCKS: tuple[Block, ...] = (
    Block(
        "slots",
        ("slot", "column"),
        "the facts about each slot, see its columns",
        high=_SHARE,
        encoding="columns",
    ),
    Block(
        "phase",
        (len(PHASES),),
        f"1 for the kind of the next decision: {', '.join(PHASES)}",
        entries=PHASES,
    ),
    Block("announced", ("mask",), "1 for the mask announced on this turn; all 0 if none"),
    Block(
        "in_play",
        ("mask",),
        "the number of cards of the mask in play, divided by 2",
        encoding="cards/2",
    ),
    Block(
        "tribunal",
        (1,),
        "the coins of the tribunal, up to 32767, divided by the goal",
        high=_SHARE,
        encoding=_COINS,
    ),
    Block(
        "turn",
        (1,),
        f"the number t of turns that have ended, as t/(t+{TURN_HALF})",
        encoding=f"turns/{TURN_HALF}",
    ),
    Block(
        "opening_left",
        (1,),
        "the number of turns of the opening that are left, divided by 4",
        high=MAX_TURNS / 4,
        encoding="turns/4",
    ),
    Block(
        "limit_near",
        (1,),
        "1/t if the game stops after t more turns, including this turn; 0 if there is no turn "
        "limit, or after it is reached",
        encoding="1/turns",
    ),
    Block("goal", (1,), "the goal, divided by 13", high=MAX_COINS / 13, encoding="coins/13"),
    Block(
        "own_belief",
        ("slot", "mask"),
        "the viewer's neutral belief: the probability that the mask is at the slot",
        encoding=_PROBABILITY,
        known="the viewer",
        tracks=_BELIEVING,
    ),
    Block(
        "onlooker_belief",
        ("slot", "mask"),
        "the neutral belief of the onlooker, who sees only what all players see",
        encoding=_PROBABILITY,
        tracks=(*_BELIEVING, FULL),
    ),
    Block(
        "exact",
        (2,),
        "two numbers: 1 if the viewer's belief is exact, and 1 if the onlooker's belief is exact; "
        "0 if possible placements were dropped since the deal, because there were too many",
        entries=("own", "onlooker"),
        known="the viewer",
        tracks=_BELIEVING,
    ),
    Block(
        "window",
        (WINDOW, len(TOKEN)),
        "the last events that the viewer saw, oldest first, as whole numbers (see Tokens)",
        high=LAST_WORD,
        encoding="words",
        entries=TOKEN,
        known="the viewer",
        tracks=("memory", "both"),
    ),
    Block("truth", ("slot", "mask"), "1 where the mask is", known="critics", tracks=(FULL,)),
    Block(
        "beliefs",
        ("player", "slot", "mask"),
        "the neutral beliefs of all players, by seat; seats and slots count from the viewer's seat",
        encoding=_PROBABILITY,
        known="critics",
        tracks=(FULL,),
    ),
    Block(
        "all_exact",
        ("player",),
        "1 if the belief of the player on the seat is exact",
        known="critics",
        tracks=(FULL,),
    ),
)
