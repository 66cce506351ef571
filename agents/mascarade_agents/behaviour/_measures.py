"""The measures of play, declared once: what is counted here is what MEASURES.md explains.

A measure is the mean of a value over the facts of one kind that fulfil some conditions. The texts
of values and conditions are beside the code that computes them, and its formula is made of these.
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
    """A number that a fact has, or a condition that it fulfils or not.

    Attributes:
        text: in words.
        of: its value for a fact of the kind that it is meant for.
    """

    text: str
    of: Callable[[Any], float | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of play.

    Attributes:
        name: in data.
        title: in tables.
        meaning: in one sentence.
        facts: the kind of facts, or several, that may be opportunities.
        among: what makes a fact an opportunity: all of these.
        counts: what is averaged over the opportunities; for a share, whether it was used.
        unit: of the value.
        span: between which single values mostly lie, for the interval of the mean; None if each is
            0 or 1.
        least: below which no value lies.
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
        """The share or mean in words."""
        chances = " or ".join(_NOUNS[fact] for fact in self.facts)
        conditions = "".join(f", {condition.text}" for condition in self.among)
        sign = "" if self.unit == "share" else "sum of "
        return f"{sign}{self.counts.text} / {chances}{conditions}"

    def value(self, fact: Fact) -> float | None:
        """Return what a fact of the kind counts, None if it is no opportunity."""
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
_UNCLAIMED = Quantity("nobody claims", lambda fact: not fact.claimed)
_CLAIMED = Quantity("somebody claims", lambda fact: fact.claimed)
_SETTLED = Quantity("turn ended", lambda fact: fact.fine is not None)
_SURE_TRUE = Quantity("b(m) = 1", lambda fact: fact.kind == "sure-true")
_HONEST = Quantity("0 < b(m) < 1, b(m) largest", lambda fact: fact.kind == "honest-uncertain")
_GAMBLE = Quantity("0 < b(m), b(m) not largest", lambda fact: fact.kind == "gamble")
_BLUFF = Quantity("b(m) = 0", lambda fact: fact.kind == "knowing bluff")
_GAIN = Quantity("coins gained", lambda fact: fact.gain)
_GAINS = (-1, 6)  # from a fine to what a power brings that takes from a rich player

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
        ("look", "looks", "looks at the own mask"),
        ("take", "takes", "takes two masks under the table"),
        ("announce", "announcements", "announces a mask"),
    )
)

_A = (Announcement,)
_ANNOUNCEMENTS = (
    Measure("false", "false announcements", "How often the announced mask is not the own.",
            _A, (), _FALSE),
    Measure("sure_true", "sure and true ones", "The player knows that it is true.",
            _A, (_EXACT,), _SURE_TRUE),
    Measure("honest_uncertain", "honest, uncertain ones",
            "No other mask is more likely to be the own, but another is possible.",
            _A, (_EXACT,), _HONEST),
    Measure("gamble", "gambles", "It may be the own mask, but another is more likely to be.",
            _A, (_EXACT,), _GAMBLE),
    Measure("knowing_bluff", "knowing bluffs", "The player knows that it is false.",
            _A, (_EXACT,), _BLUFF),
    Measure("honest_false", "honest but false",
            "Of the honest, uncertain ones, those whose mask is not the own: mistakes.",
            _A, (_EXACT, _HONEST), _FALSE),
    Measure("gamble_false", "gambles that are false",
            "Of the gambles, those whose mask is not the own.",
            _A, (_EXACT, _GAMBLE), _FALSE),
    Measure("bluff_success", "false ones unclaimed",
            "Nobody claims against a false announcement: its player uses a power without the mask.",
            _A, (_FALSE, _ANSWERED), _UNCLAIMED),
    Measure("knowing_bluff_success", "knowing bluffs unclaimed",
            "The same of announcements that the player knows to be false.",
            _A, (_EXACT, _BLUFF, _ANSWERED), _UNCLAIMED),
    Measure("caught", "false ones caught",
            "A false announcement is claimed by others and revealed as false: the rest of them.",
            _A, (_FALSE, _ANSWERED), _CLAIMED),
    Measure("claimed_false", "claimed ones are false",
            "Of the announcements of the player that others claim, those revealed as false.",
            _A, (_CLAIMED, _ANSWERED), _FALSE),
    Measure("bluff_tax", "fine for a false one",
            "What a false announcement costs its player in fines, at most 1 coin; one who is not "
            "caught, or whose game ends by the power of another, pays nothing.",
            _A, (_FALSE, _SETTLED),
            Quantity("coins paid as fines", lambda fact: fact.fine), "coins"),
    Measure("gain", "gain by announcing",
            "The fortune of the player at the end of the turn, less that before.",
            _A, (_SETTLED,), _GAIN, "coins", _GAINS, -math.inf),
    Measure("false_gain", "gain by a false one", "The same of false announcements.",
            _A, (_FALSE, _SETTLED), _GAIN, "coins", _GAINS, -math.inf),
)  # fmt: skip

_C = (Answer,)
_ANSWERS = (
    Measure("claim_rate", "claims when asked", "How often the player claims.", _C, (), _CLAIM),
    Measure("claim_precision", "true claims", "The player really has the mask that is claimed.",
            _C, (_CLAIM,), _HOLDS),
    Measure("claim_recall", "claims when it is theirs",
            "The player claims a mask that is the own, known to be or not.",
            _C, (_HOLDS,), _CLAIM),
    Measure("sure_recall", "claims when sure it is",
            "The player claims a mask known to be the own.",
            _C, (_EXACT, _SURE), _CLAIM),
    Measure("sure_claim", "sure claims", "The player knows that the claim is true.",
            _C, (_EXACT, _CLAIM), _SURE),
    Measure("hopeful_claim", "hopeful claims", "The player cannot know whether it is.",
            _C, (_EXACT, _CLAIM), _HOPEFUL),
    Measure("bluff_claim", "bluff claims", "The player knows that the claim is false.",
            _C, (_EXACT, _CLAIM), _NOT_MINE),
    Measure("hopeful_precision", "hopeful claims that hold",
            "The player really has a mask that is claimed in hope.",
            _C, (_EXACT, _CLAIM, _HOPEFUL), _HOLDS),
    Measure("catch_rate", "claims against false ones",
            "Asked about a false announcement, the player claims, by which it is revealed.",
            _C, (_IF_FALSE,), _CLAIM),
    Measure("challenge_precision", "claims that catch",
            "What the player claims was announced falsely, whoever has the mask.",
            _C, (_CLAIM,), _IF_FALSE),
)  # fmt: skip

_S = (SwapOrKeep,)
_CHOICES = (
    Measure("swap_rate", "swaps", "How often masks under the table are swapped, not kept.",
            _S, (), _SWAP),
    Measure("swap_take", "swaps after a take",
            "The same after a take, those of the opening included.",
            _S, (_TAKE,), _SWAP),
    Measure("swap_spy", "swaps by the Spy", "The same by the power of the Spy.",
            _S, (_by("spy"),), _SWAP),
    Measure("swap_fool", "swaps by the Fool", "The same by the power of the Fool.",
            _S, (_by("fool"),), _SWAP),
    Measure("swap_knew_own", "swaps, own mask known",
            "The same after a take when the player knew the own mask, and not the other.",
            _S, (_TAKE, _EXACT, _knew("own known only", True, False)), _SWAP),
    Measure("swap_knew_other", "swaps, other mask known",
            "The same when the player knew the other mask, and not the own.",
            _S, (_TAKE, _EXACT, _knew("other known only", False, True)), _SWAP),
    Measure("swap_knew_both", "swaps, both known", "The same when the player knew both.",
            _S, (_TAKE, _EXACT, _knew("both known", True, True)), _SWAP),
    Measure("swap_knew_neither", "swaps, neither known", "The same when the player knew neither.",
            _S, (_TAKE, _EXACT, _knew("neither known", False, False)), _SWAP),
)  # fmt: skip

_L = (Look,)
_LOOKS = (
    Measure("look_bits", "bits gained by a look",
            "The entropy of the player's belief in the own mask before; after a look it is 0.",
            _L, (_EXACT,),
            Quantity("entropy of the own mask", lambda fact: fact.bits), "bits", (0, 3)),
    Measure("look_placement_bits", "bits open before a look",
            "The entropy of the player's belief in the placement of all masks before a look.",
            _L, (_EXACT,),
            Quantity("entropy of the placement", lambda fact: fact.placement_bits), "bits", (0, 8)),
    Measure("look_known", "looks at a known mask", "Looks that tell the player nothing.",
            _L, (_EXACT,), Quantity("own mask known", lambda fact: fact.bits == 0)),
)  # fmt: skip

_LEFT_OUT = Measure(
    "inexact",
    "decisions left out",
    "Decisions at which the belief of the player was not exact, so that the measures that need "
    "an exact one leave them out.",
    (Announcement, Answer, SwapOrKeep, Look),
    (),
    _INEXACT,
)

#: All measures, in the order of tables. No two have one name or title.
MEASURES: tuple[Measure, ...] = (
    *_TURNS,
    *_ANNOUNCEMENTS,
    *_ANSWERS,
    *_CHOICES,
    *_LOOKS,
    _LEFT_OUT,
)
