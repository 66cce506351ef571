"""Probabilities that other players hold a mask and that they claim it, with words as evidence.

The neutral belief ignores what players say. Here words count: a player who announced a mask, whose
mask has not been touched since, more probably has it. The evidence is stronger if no player
claimed, and if reveals have shown that player to be truthful. A player who knows their mask often
chose to keep it, so it is more probably a good one.
"""

from dataclasses import dataclass

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading

_ROUNDS = 3  # rounds of normalising the columns and rows of a belief
_LEAST = 1e-9
#: The coins that a mask usually brings, as a measure of how much players want it.
_WANTED = {
    "judge": 1.0, "empress": 3.0, "king": 2.0, "widow": 1.5, "patron": 3.0, "princess": 2.0,
    "fool": 1.0, "peasant": 1.0, "thief": 2.0, "beggar": 2.0, "trickster": 2.0, "cheat": 1.0,
    "witch": 2.0, "spy": 1.0, "guru": 1.5, "puppet_master": 2.0,
}  # fmt: skip


@dataclass(frozen=True)
class Habits:
    """Prior assumptions about how players announce and claim.

    Attributes:
        trust: how many times more often players announce a mask that they have than one that they
            do not have.
        peace: the factor by which `trust` grows if no player claimed the mask.
        record: the number of reveals to which `trust` is equivalent; with more reveals, the
            player's own record dominates.
        wanted: the increase, for each coin that a mask brings, of the log-odds that a player who
            knows it kept it.
        sure: the probability that a player who surely has the mask claims it.
        false: the probability that a player who surely does not have it claims it.
        likely: the probability that a player who may have the mask claims it, if they have it.
        unsure: the probability that a player who may have the mask claims it, if they do not.
        doubt: the belief below which claims become rarer.
        timid: the exponent by which they do.
        asked: the number of decisions to claim or pass to which `usual` is equivalent.
        usual: the rate of false claims.
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
    """Return [k, n] how many times more often each player announces their own mask than others."""
    true, false = reading.tallies["proven_true"], reading.tallies["proven_false"]
    record = habits.record
    peace = np.where(reading.unchallenged, habits.peace, 1)
    odds: Floats = habits.trust * peace * (true + record) / (false + record)
    return odds


def boldness(reading: Reading, habits: Habits) -> Floats:
    """Return [k, n] each player's rate of false claims, relative to the usual rate."""
    tallies = reading.tallies
    spoken = tallies["unproven"] + tallies["proven_true"] + tallies["proven_false"]
    asked = spoken.sum(axis=1, keepdims=True) - spoken
    usual = habits.asked * habits.usual
    ratio: Floats = (tallies["claims_false"] + usual) / (asked * habits.usual + usual)
    return ratio


def claiming(reading: Reading, habits: Habits) -> tuple[Floats, Floats]:
    """Return the probabilities that players claim masks they have, and masks they do not have.

    Both arrays are [k, n, kinds].
    """
    may = np.minimum(1, reading.onlooker[:, : reading.players] / habits.doubt) ** habits.timid
    bold = habits.unsure * boldness(reading, habits)[:, :, None]
    unsure = np.minimum(bold * may, 0.95)
    sure = reading.sure[:, :, None]
    having = np.where(sure, habits.sure, np.maximum(habits.likely * may, unsure))
    lacking = np.where(sure, habits.false, np.maximum(unsure, habits.false))
    return having.astype(np.float32), lacking.astype(np.float32)


def read_belief(reading: Reading, habits: Habits) -> Floats:
    """Return [k, m, kinds] the agent's belief, with others' last announcements as evidence."""
    held = reading.said_ago < reading.touched_ago  # the mask was not moved since
    weight = np.where(held, trust(reading, habits), 1)[:, :, None]
    desire = np.array([_WANTED[kind] for kind in reading.scenario.kinds], np.float32)
    likelihood = np.exp(habits.wanted * (desire - desire.mean()))
    factor = (1 + reading.said * (weight - 1)) * np.where(reading.sure[:, :, None], likelihood, 1)
    factor[:, 0] = 1  # the agent's own words are not evidence to itself
    belief = reading.belief.copy()
    belief[:, : reading.players] *= factor
    return balanced(belief, reading.cards)


def balanced(belief: Floats, cards: Floats) -> Floats:
    """Scale beliefs [k, m, kinds], in place, towards one mask per slot and `cards` slots per mask.

    Args:
        belief: [k, m, kinds] non-negative weights; changed in place.
        cards: [kinds] the number of cards of each mask.
    """
    for _ in range(_ROUNDS):
        belief *= cards / np.maximum(belief.sum(axis=1, keepdims=True), _LEAST)
        belief /= np.maximum(belief.sum(axis=2, keepdims=True), _LEAST)
    return belief
