"""What an observation is made of, declared once.

_picture.py and _encoder.py write what is declared here, _schema.py places it in a vector,
_describe.py reads a vector back, and OBSERVATION.md is printed from it.
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

#: The tracks of a benchmark: with a window of events, with neutral beliefs, or with both.
Track: TypeAlias = Literal["memory", "belief", "both"]
TRACKS: tuple[Track, ...] = get_args(Track)
FULL = "full"  # the blocks of the full state, which no agent gets

# t turns ago are written as t / (t + AGE_HALF), t turns in all as t / (t + TURN_HALF).
AGE_HALF = 8
TURN_HALF = 40
AGE_STEPS = 32767  # ages and tallies are kept as whole numbers of so many steps
# c times are written as c / (c + TALLY_HALF).
TALLY_HALF = 4

#: Coins are counted so far; more have never been seen, but bank and rules set no bound.
MOST_COINS = 32767
_SHARE = MOST_COINS / 2  # of the goal, which is 2 or more

_BELIEVING = ("belief", "both")


@dataclass(frozen=True, slots=True)
class Block:
    """One part of an observation.

    Attributes:
        name: for `Schema.views`.
        axes: "slot", "player" and "mask" have the lengths of the scenario, numbers have their own.
        meaning: what a number of it says, for people.
        low: the least number.
        high: the largest number.
        encoding: a stable id of how a number is written, for programs: "flag" is 0 or 1. A number
            with another meaning gets another name or encoding; another wording changes neither.
        entries: stable ids of what the last axis lists, if that has a length of its own.
        known: who may know it.
        tracks: the observations it is part of.
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


_AGE = f"t turns ago as t/(t+{AGE_HALF})"
_TALLY = f"so far: c times as c/(c+{TALLY_HALF})"
# Encodings. Those of ages and tallies name what halves them, and their steps.
_COINS = "coins/goal"
_AGE_CODE = f"age/{AGE_HALF}/{AGE_STEPS}"
_TALLY_CODE = f"tally/{TALLY_HALF}/{AGE_STEPS}"
_PROBABILITY = "probability"

#: What is said of each slot. The numbers of one slot stand together, as the block "slots".
COLUMNS: tuple[Block, ...] = (
    # Of the slot
    Block("occupied", (), "1 at a seat with a player; 0 in the centre and in padding"),
    Block(
        "coins",
        (),
        "the fortune on the seat, up to 32767, divided by the goal",
        high=_SHARE,
        encoding=_COINS,
    ),
    Block("decides", (), "1 at the seat of who decides now"),
    Block("marker", (), "1 at the seat whose turn it is"),
    Block(
        "revealed_ago",
        (),
        f"when a mask was last dealt there or revealed to everyone: {_AGE}",
        encoding=_AGE_CODE,
    ),
    Block(
        "touched_ago",
        (),
        f"when a mask was last dealt there or came back from under the table: {_AGE}",
        encoding=_AGE_CODE,
    ),
    # Of the slot on this turn
    Block("under_table", (), "1 if the mask is under the table"),
    Block("chosen", (), "1 at a seat chosen as a target on this turn, whoever sits there now"),
    Block(
        "uses_power",
        (),
        "1 at the seat of who uses the power announced, both seats for two Peasants",
    ),
    Block(
        "answer",
        (len(ANSWERS),),
        f"what the player has said to this turn's announcement: {', '.join(ANSWERS)}; "
        "all 0 on a turn without one",
        entries=ANSWERS,
    ),
    # Of the player who sits there
    Block(
        "barred",
        (),
        "1 if the player may not announce on this turn, having revealed on the one before",
    ),
    Block(
        "sure",
        (),
        "1 if the player must know the mask of this seat, as everyone can tell (see Sure)",
    ),
    Block(
        "said_ago",
        (),
        f"when the player last announced (a claim is no announcement): {_AGE}; 0 also if never",
        encoding=_AGE_CODE,
    ),
    Block(
        "said_outcome",
        (len(OUTCOMES),),
        f"what became of that: {', '.join(OUTCOMES)}. Open until all have answered; the last two "
        "are known from a reveal; all 0 if never",
        entries=OUTCOMES,
    ),
    Block(
        "unproven",
        (),
        f"announcements of the player that nobody claimed, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "proven_true",
        (),
        f"announcements that a reveal showed to be true, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "proven_false",
        (),
        f"announcements that a reveal showed to be false, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block(
        "claims_true", (), f"claims that a reveal showed to be true, {_TALLY}", encoding=_TALLY_CODE
    ),
    Block(
        "claims_false",
        (),
        f"claims that a reveal showed to be false, {_TALLY}",
        encoding=_TALLY_CODE,
    ),
    Block("said", ("mask",), "the mask the player last announced; all 0 if none"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands in the observations of a scenario.

    Attributes:
        block: the block.
        start: index of its first number; of a column, within the numbers of a slot.
        shape: of the block.
    """

    block: Block
    start: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        """One past its last number."""
        return self.start + int(np.prod(self.shape))


def placed(blocks: Sequence[Block], lengths: Mapping[str, int]) -> dict[str, Place]:
    """Blocks one after the other."""
    places: dict[str, Place] = {}
    end = 0
    for block in blocks:
        shape = tuple(axis if isinstance(axis, int) else lengths[axis] for axis in block.axes)
        places[block.name] = Place(block, end, shape)
        end = places[block.name].stop
    return places


# The columns by number, for compiled code.
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
        "what is said of each slot, see its columns",
        high=_SHARE,
        encoding="columns",
    ),
    Block("phase", (len(PHASES),), f"what is to be decided: {', '.join(PHASES)}", entries=PHASES),
    Block("announced", ("mask",), "the mask announced on this turn; all 0 if none"),
    Block(
        "in_play",
        ("mask",),
        "how many cards of the mask are in play, divided by 2",
        encoding="cards/2",
    ),
    Block(
        "tribunal",
        (1,),
        "the coins of the tribunal, up to 32767, divided by the goal",
        high=_SHARE,
        encoding=_COINS,
    ),
    Block("turn", (1,), f"t turns have ended, as t/(t+{TURN_HALF})", encoding=f"turns/{TURN_HALF}"),
    Block(
        "opening_left",
        (1,),
        "turns of the opening that are left, divided by 4",
        high=MAX_TURNS / 4,
        encoding="turns/4",
    ),
    Block(
        "limit_near",
        (1,),
        "1/t if the game stops after t more turns, this one included; 0 without a limit or at it",
        encoding="1/turns",
    ),
    Block("goal", (1,), "the goal, divided by 13", high=MAX_COINS / 13, encoding="coins/13"),
    Block(
        "own_belief",
        ("slot", "mask"),
        "the viewer's neutral belief: the probability that the mask lies at the slot",
        encoding=_PROBABILITY,
        known="the viewer",
        tracks=_BELIEVING,
    ),
    Block(
        "onlooker_belief",
        ("slot", "mask"),
        "the same for an onlooker, who sees what all players see",
        encoding=_PROBABILITY,
        tracks=(*_BELIEVING, FULL),
    ),
    Block(
        "exact",
        (2,),
        "1 if the own belief is exact, 1 if the onlooker's is; 0 once its worlds were thinned",
        entries=("own", "onlooker"),
        known="the viewer",
        tracks=_BELIEVING,
    ),
    Block(
        "window",
        (WINDOW, len(TOKEN)),
        "the last events that the viewer saw, the latest last, as whole numbers (see Tokens)",
        high=LAST_WORD,
        encoding="words",
        entries=TOKEN,
        known="the viewer",
        tracks=("memory", "both"),
    ),
    Block("truth", ("slot", "mask"), "1 where the mask lies", known="critics", tracks=(FULL,)),
    Block(
        "beliefs",
        ("player", "slot", "mask"),
        "the neutral beliefs of all players, by seat; seats and slots from the viewer's seat",
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
