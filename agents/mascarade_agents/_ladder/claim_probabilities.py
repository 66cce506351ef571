"""How probable it is that others hold a mask, and that they claim it, as their words have shown.

The neutral belief takes nothing from what players say. Here their words count as evidence: who
announced a mask, and has had it in peace since, rather has it, the more so the more often reveals
have shown that player to speak the truth. Who knows their mask has often chosen it, so it is rather
a good one.
"""

from dataclasses import dataclass

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading

_ROUNDS = 3  # of making rows and columns of a belief sum to what they must
_LEAST = 1e-9
#: Coins that a mask brings as a rule: how much players want to have it.
_WANTED = {
    "judge": 1.0, "empress": 3.0, "king": 2.0, "widow": 1.5, "patron": 3.0, "princess": 2.0,
    "fool": 1.0, "peasant": 1.0, "thief": 2.0, "beggar": 2.0, "trickster": 2.0, "cheat": 1.0,
    "witch": 2.0, "spy": 1.0, "guru": 1.5, "puppet_master": 2.0,
}  # fmt: skip


@dataclass(frozen=True)
class Habits:
    """What is expected of players of whom nothing is known yet.

    Attributes:
        trust: how much more often a mask is announced by who has it than by who has not.
        peace: how much more that is worth if nobody claimed it.
        record: reveals that `trust` counts as much as; with more, a player's own record rules.
        wanted: how much likelier a player who knows a mask kept it, for each coin it brings more.
        sure: how often who surely has the mask claims it.
        false: how often who surely has it not claims it.
        likely: how often who may have the mask claims it, when it is so.
        unsure: how often who may have the mask claims it, when it is not so.
        doubt: belief from which a player may have it; below, claims become rarer by `timid`.
        timid: the power of the belief with which they do.
        asked: decisions to claim or pass that `usual` counts as much as.
        usual: how often players claim falsely.
    """

    trust: float = 3.0
    peace: float = 5.0
    record: float = 3.0
    wanted: float = 0.2
    sure: float = 0.95
    false: float = 0.03
    likely: float = 0.88
    unsure: float = 0.55
    doubt: float = 0.25
    timid: float = 1.5
    asked: float = 20.0
    usual: float = 0.06


def trust(reading: Reading, habits: Habits) -> Floats:
    """[k, n] how much more often each player announces a mask when having it than when not."""
    true, false = reading.tallies["proven_true"], reading.tallies["proven_false"]
    record = habits.record
    peace = np.where(reading.unchallenged, habits.peace, 1)
    odds: Floats = habits.trust * peace * (true + record) / (false + record)
    return odds


def boldness(reading: Reading, habits: Habits) -> Floats:
    """Return [k, n] how much more often than usual each player has claimed falsely."""
    tallies = reading.tallies
    spoken = tallies["unproven"] + tallies["proven_true"] + tallies["proven_false"]
    asked = spoken.sum(axis=1, keepdims=True) - spoken
    usual = habits.asked * habits.usual
    ratio: Floats = (tallies["claims_false"] + usual) / (asked * habits.usual + usual)
    return ratio


def claiming(reading: Reading, habits: Habits) -> tuple[Floats, Floats]:
    """[k, n, kinds] twice: how often each player claims each mask when having it, when not."""
    may = np.minimum(1, reading.onlooker[:, : reading.players] / habits.doubt) ** habits.timid
    bold = habits.unsure * boldness(reading, habits)[:, :, None]
    unsure = np.minimum(bold * may, 0.95)
    sure = reading.sure[:, :, None]
    having = np.where(sure, habits.sure, np.maximum(habits.likely * may, unsure))
    lacking = np.where(sure, habits.false, np.maximum(unsure, habits.false))
    return having.astype(np.float32), lacking.astype(np.float32)


def read_belief(reading: Reading, habits: Habits) -> Floats:
    """Return [k, m, kinds] the own belief, with others' last announcements as evidence."""
    held = reading.said_ago < reading.touched_ago  # nobody has had it in hand since
    weight = np.where(held, trust(reading, habits), 1)[:, :, None]
    desire = np.array([_WANTED[kind] for kind in reading.scenario.kinds], np.float32)
    likelihood = np.exp(habits.wanted * (desire - desire.mean()))
    factor = (1 + reading.said * (weight - 1)) * np.where(reading.sure[:, :, None], likelihood, 1)
    factor[:, 0] = 1  # oneself has nothing to learn from one's own words
    belief = reading.belief.copy()
    belief[:, : reading.players] *= factor
    return balanced(belief, reading.cards)


def balanced(belief: Floats, cards: Floats) -> Floats:
    """Beliefs [k, m, kinds] scaled so that each slot has one mask, and each mask its cards."""
    for _ in range(_ROUNDS):
        belief *= cards / np.maximum(belief.sum(axis=1, keepdims=True), _LEAST)
        belief /= np.maximum(belief.sum(axis=2, keepdims=True), _LEAST)
    return belief
