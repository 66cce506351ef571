"""How probable it is that others hold a mask, and that they claim it, as their words have shown.

The neutral belief takes nothing from what players say. Here their words count as evidence: who
announced a mask, and has had it in peace since, rather has it, the more so the more often reveals
have shown that player to speak the truth; who has passed rather has not.
"""

from dataclasses import dataclass

import numpy as np

from mascarade_agents.reading import Floats, Reading

_ROUNDS = 3  # of making rows and columns of a belief sum to what they must
_LEAST = 1e-9
_WANTED = {"judge": 1.0, "empress": 3.0, "king": 2.0, "widow": 1.5, "patron": 3.0, "princess": 2.0, "fool": 1.0, "peasant": 1.0,
    "thief": 2.0, "beggar": 2.0, "trickster": 2.0, "cheat": 1.0, "witch": 2.0, "spy": 1.0, "guru": 1.5, "puppet_master": 2.0}  # fmt: skip


@dataclass(frozen=True)
class Habits:
    """What is expected of players of whom nothing is known yet.

    Attributes:
        trust: how much more often a mask is announced by who has it than by who has not.
        record: reveals that this counts as much as; more of them, and a player's own record rules.
        claims_sure: how often who surely has the mask claims it.
        claims_false: how often who surely has it not claims it.
        claims_unsure: how often who may have it claims it, when believing it with even chances.
        bold: the power of the belief with which claims of the unsure become rarer.
    """

    trust: float = 3.0
    record: float = 3.0
    claims_sure: float = 0.95
    claims_false: float = 0.03
    claims_unsure: float = 0.55
    bold: float = 1.5
    doubt: float = 0.25
    claims_likely: float = 0.88
    wanted: float = 0.2
    peace: float = 5.0
    asked: float = 20.0
    usual: float = 0.06


def trust(reading: Reading, habits: Habits) -> Floats:
    """[k, n] how much more often each player announces a mask when having it than when not."""
    true, false = reading.tallies["proven_true"], reading.tallies["proven_false"]
    record = habits.record
    peace = np.where(reading.unchallenged, habits.peace, 1)
    return habits.trust * peace * (true + record) / (false + record)


def boldness(reading: Reading, habits: Habits) -> Floats:
    """[k, n] how much more often than usual each player has claimed falsely."""
    tallies = reading.tallies
    spoken = tallies["unproven"] + tallies["proven_true"] + tallies["proven_false"]
    asked = spoken.sum(axis=1, keepdims=True) - spoken
    usual = habits.asked * habits.usual
    return (tallies["claims_false"] + usual) / (asked * habits.usual + usual)


def claiming(reading: Reading, habits: Habits) -> tuple[Floats, Floats]:
    """[k, n, kinds] twice: how often each player claims each mask when having it, when not."""
    belief = reading.onlooker[:, : reading.players]
    bold = habits.claims_unsure * boldness(reading, habits)[:, :, None]
    likely = np.minimum(1, belief / habits.doubt) ** habits.bold
    unsure = np.minimum(bold * likely, 0.95)
    sure = reading.sure[:, :, None]
    having = np.where(sure, habits.claims_sure, np.maximum(habits.claims_likely * likely, unsure))
    lacking = np.where(sure, habits.claims_false, np.maximum(unsure, habits.claims_false))
    return having.astype(np.float32), lacking.astype(np.float32)


def read_belief(reading: Reading, habits: Habits) -> Floats:
    """[k, m, kinds] the own belief, with others' last announcements as evidence."""
    since = reading.said_ago < reading.touched_ago  # nobody has had the mask in hand since
    since[:, 0] = False
    weight = np.where(since, trust(reading, habits), 1)[:, :, None]
    factor = 1 + reading.said * (weight - 1)
    want = np.array([_WANTED[kind] for kind in reading.scenario.kinds], np.float32)
    knows = reading.sure.copy()
    knows[:, 0] = False
    factor *= np.where(knows[:, :, None], np.exp(habits.wanted * (want - want.mean())), 1)
    belief = reading.belief.copy()
    belief[:, : reading.players] *= factor
    return balanced(belief, reading.cards)


def balanced(belief: Floats, cards: Floats) -> Floats:
    """Beliefs [k, m, kinds] scaled so that each slot has one mask, and each mask its cards."""
    for _ in range(_ROUNDS):
        belief *= cards / np.maximum(belief.sum(axis=1, keepdims=True), _LEAST)
        belief /= np.maximum(belief.sum(axis=2, keepdims=True), _LEAST)
    return belief
