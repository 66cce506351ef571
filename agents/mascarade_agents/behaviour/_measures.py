"""Declarations of the measures of play, from which MEASURES.md is generated.

A measure is the mean of a value over its opportunities. The opportunities are the facts of some
kinds that fulfil the conditions of the measure. Each value and each condition has a text next to
the code that computes it. The formula of a measure consists of these texts.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mascarade_agents.behaviour._facts import (
    Announcement,
    Answer,
    Fact,
    Look,
    SwapOrKeep,
    Turn,
)

Unit: TypeAlias = Literal["share", "coins", "bits"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that a fact gives, or a condition on it.

    Attributes:
        text: the quantity in words.
        of: a function from a fact to its value.
    """

    text: str
    of: Callable[[Any], float | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of play.

    Attributes:
        name: its name in data.
        title: its name in tables.
        meaning: a sentence that explains it.
        facts: the kinds of facts that may be opportunities.
        among: the conditions; a fact that fulfils all of them is an opportunity.
        counts: the value that is averaged over the opportunities.
        unit: the unit of the value.
        span: the range in which most single values are, for the interval of the mean; None if
            each value is 0 or 1.
        least: the smallest possible value.
    """

    name: str
    title: str
    meaning: str
    facts: tuple[type[Fact], ...]
    among: tuple[Quantity, ...]
    counts: Quantity
    unit: Unit = "share"
    span: tuple[float, float] | None = None
    least: float = 0

    @property
    def formula(self) -> str:
        """The ratio in words: the value, a slash, and the opportunities with their conditions."""
        opportunities = " or ".join(_NOUNS[fact] for fact in self.facts)
        conditions = "".join(f", {condition.text}" for condition in self.among)
        sign = "" if self.unit == "share" else "sum of "
        return f"{sign}{self.counts.text} / {opportunities}{conditions}"

    def value(self, fact: Fact) -> float | None:
        """Return the value of a fact, or None if the fact is not an opportunity."""
        for condition in self.among:
            if not condition.of(fact):
                return None
        value = self.counts.of(fact)
        return None if value is None else float(value)


_NOUNS: dict[type[Fact], str] = {
    Turn: "turns",
    Announcement: "announcements",
    Answer: "answers",
    SwapOrKeep: "choices",
    Look: "looks",
}

_EXACT = Quantity("belief exact", lambda fact: fact.exact)
_INEXACT = Quantity("belief not exact", lambda fact: not fact.exact)

_FALSE = Quantity("false", lambda fact: fact.false)
_ANSWERED = Quantity("all answered", lambda fact: fact.answered)
_UNCLAIMED = Quantity("no other player claims", lambda fact: not fact.claimed)
_CLAIMED = Quantity("another player claims", lambda fact: fact.claimed)
_SETTLED = Quantity("turn ended", lambda fact: fact.fine is not None)
_SURE_TRUE = Quantity("b(m) = 1", lambda fact: fact.kind == "sure-true")
_HONEST = Quantity("0 < b(m) < 1, b(m) largest", lambda fact: fact.kind == "honest-uncertain")
_GAMBLE = Quantity("0 < b(m), b(m) not largest", lambda fact: fact.kind == "gamble")
_BLUFF = Quantity("b(m) = 0", lambda fact: fact.kind == "knowing bluff")
_GAIN = Quantity("coins gained", lambda fact: fact.gain)
_GAINS = (-1, 6)  # from a fine to the coins that a power takes from a rich player

_CLAIM = Quantity("claim", lambda fact: fact.claims)
_HOLDS = Quantity("has the mask", lambda fact: fact.holds)
_IF_FALSE = Quantity("announcement false", lambda fact: fact.false)
_SURE = Quantity("b(m) = 1", lambda fact: fact.kind == "sure")
_HOPEFUL = Quantity("0 < b(m) < 1", lambda fact: fact.kind == "hopeful")
_NOT_MINE = Quantity("b(m) = 0", lambda fact: fact.kind == "bluff")

_SWAP = Quantity("swap", lambda fact: fact.swaps)
_TAKE = Quantity("after a take", lambda fact: fact.by == "take")


def _chosen(choice: str) -> Quantity:
    return Quantity(choice, lambda fact: fact.choice == choice)


def _by(mask: str) -> Quantity:
    return Quantity(f"by the {mask.title()}", lambda fact: fact.by == mask)


def _knew(text: str, own: bool, other: bool) -> Quantity:
    return Quantity(text, lambda fact: fact.knew == (own, other))


_TURNS = tuple(
    Measure(f"{name}_rate", title, f"How often the player {does}.", (Turn,), (), _chosen(name))
    for name, title, does in (
        ("look", "looks", "looks at their own mask"),
        ("take", "takes", "takes two masks under the table"),
        ("announce", "announcements", "announces a mask"),
    )
)

_A = (Announcement,)
_ANNOUNCEMENTS = (
    Measure("false", "false announcements",
            "How often the player does not hold the announced mask.",
            _A, (), _FALSE),
    Measure("sure_true", "sure and true ones",
            "The player knows that the announcement is true.",
            _A, (_EXACT,), _SURE_TRUE),
    Measure("honest_uncertain", "honest, uncertain ones",
            "The player announces the mask that is most probably their own, without certainty.",
            _A, (_EXACT,), _HONEST),
    Measure("gamble", "gambles",
            "The player may hold the mask, but more probably holds another mask.",
            _A, (_EXACT,), _GAMBLE),
    Measure("knowing_bluff", "knowing bluffs",
            "The player knows that the announcement is false.",
            _A, (_EXACT,), _BLUFF),
    Measure("honest_false", "honest but false",
            "How often honest, uncertain announcements are false. These are honest mistakes.",
            _A, (_EXACT, _HONEST), _FALSE),
    Measure("gamble_false", "gambles that are false",
            "How often gambles are false.",
            _A, (_EXACT, _GAMBLE), _FALSE),
    Measure("bluff_success", "false ones unclaimed",
            "How often no player claims a falsely announced mask, so that the announcer uses its "
            "power.",
            _A, (_FALSE, _ANSWERED), _UNCLAIMED),
    Measure("knowing_bluff_success", "knowing bluffs unclaimed",
            "How often no player claims a mask that the announcer knows to be false.",
            _A, (_EXACT, _BLUFF, _ANSWERED), _UNCLAIMED),
    Measure("caught", "false ones caught",
            "How often another player claims a falsely announced mask, which reveals that the "
            "announcement is false.",
            _A, (_FALSE, _ANSWERED), _CLAIMED),
    Measure("claimed_false", "claimed ones are false",
            "How often an announcement is false if another player claims the mask.",
            _A, (_CLAIMED, _ANSWERED), _FALSE),
    Measure("bluff_tax", "fine for a false one",
            "The mean fine for a false announcement, at most 1 coin. It is 0 for a player who is "
            "not caught, or if another player's power ends the game.",
            _A, (_FALSE, _SETTLED),
            Quantity("coins paid as fines", lambda fact: fact.fine), "coins"),
    Measure("gain", "gain by announcing",
            "The mean change of the player's coins over a turn with an announcement.",
            _A, (_SETTLED,), _GAIN, "coins", _GAINS, -math.inf),
    Measure("false_gain", "gain by a false one",
            "The mean change of the player's coins over a turn with a false announcement.",
            _A, (_FALSE, _SETTLED), _GAIN, "coins", _GAINS, -math.inf),
)  # fmt: skip

_C = (Answer,)
_ANSWERS = (
    Measure("claim_rate", "claims when asked",
            "How often the player claims the mask that another player announced.",
            _C, (), _CLAIM),
    Measure("claim_precision", "true claims", "How often the player holds the claimed mask.",
            _C, (_CLAIM,), _HOLDS),
    Measure("claim_recall", "claims when it is theirs",
            "How often the player claims a mask that they hold, whether they know it or not.",
            _C, (_HOLDS,), _CLAIM),
    Measure("sure_recall", "claims when sure it is",
            "How often the player claims a mask that they know to be their own.",
            _C, (_EXACT, _SURE), _CLAIM),
    Measure("sure_claim", "sure claims", "The player knows that the claim is true.",
            _C, (_EXACT, _CLAIM), _SURE),
    Measure("hopeful_claim", "hopeful claims",
            "The player does not know whether the claim is true.",
            _C, (_EXACT, _CLAIM), _HOPEFUL),
    Measure("bluff_claim", "bluff claims", "The player knows that the claim is false.",
            _C, (_EXACT, _CLAIM), _NOT_MINE),
    Measure("hopeful_precision", "hopeful claims that hold",
            "How often hopeful claims are true.",
            _C, (_EXACT, _CLAIM, _HOPEFUL), _HOLDS),
    Measure("catch_rate", "claims against false ones",
            "How often the player claims a falsely announced mask.",
            _C, (_IF_FALSE,), _CLAIM),
    Measure("challenge_precision", "claims that catch",
            "How often the announcement is false if the player claims the mask.",
            _C, (_CLAIM,), _IF_FALSE),
)  # fmt: skip

_S = (SwapOrKeep,)
_CHOICES = (
    Measure("swap_rate", "swaps",
            "How often the player swaps the masks under the table instead of keeping them.",
            _S, (), _SWAP),
    Measure("swap_take", "swaps after a take",
            "How often the player swaps after a take, including the opening.",
            _S, (_TAKE,), _SWAP),
    Measure("swap_spy", "swaps by the Spy",
            "How often the player swaps with the power of the Spy.",
            _S, (_by("spy"),), _SWAP),
    Measure("swap_fool", "swaps by the Fool",
            "How often the player swaps with the power of the Fool.",
            _S, (_by("fool"),), _SWAP),
    Measure("swap_knew_own", "swaps, own mask known",
            "How often the player swaps after a take if they knew only their own mask.",
            _S, (_TAKE, _EXACT, _knew("own known only", True, False)), _SWAP),
    Measure("swap_knew_other", "swaps, other mask known",
            "How often the player swaps after a take if they knew only the other mask.",
            _S, (_TAKE, _EXACT, _knew("other known only", False, True)), _SWAP),
    Measure("swap_knew_both", "swaps, both known",
            "How often the player swaps after a take if they knew both masks.",
            _S, (_TAKE, _EXACT, _knew("both known", True, True)), _SWAP),
    Measure("swap_knew_neither", "swaps, neither known",
            "How often the player swaps after a take if they knew neither mask.",
            _S, (_TAKE, _EXACT, _knew("neither known", False, False)), _SWAP),
)  # fmt: skip

_L = (Look,)
_LOOKS = (
    Measure("look_bits", "bits gained by a look",
            "The entropy of the player's belief about their own mask before a look. It is 0 "
            "after the look.",
            _L, (_EXACT,),
            Quantity("entropy of the own mask", lambda fact: fact.bits), "bits", (0, 3)),
    Measure("look_placement_bits", "bits open before a look",
            "The entropy of the player's belief about the placement of all masks before a look.",
            _L, (_EXACT,),
            Quantity("entropy of the placement", lambda fact: fact.placement_bits), "bits", (0, 8)),
    Measure("look_known", "looks at a known mask",
            "How often the player looks although they know their own mask.",
            _L, (_EXACT,), Quantity("own mask known", lambda fact: fact.bits == 0)),
)  # fmt: skip

_LEFT_OUT = Measure(
    "inexact",
    "decisions left out",
    "How often the player's belief is not exact. Measures that need an exact belief leave out "
    "these decisions.",
    (Announcement, Answer, SwapOrKeep, Look),
    (),
    _INEXACT,
)

#: All measures, in the order of tables. Names and titles are unique.
MEASURES: tuple[Measure, ...] = (
    *_TURNS,
    *_ANNOUNCEMENTS,
    *_ANSWERS,
    *_CHOICES,
    *_LOOKS,
    _LEFT_OUT,
)
