"""Probabilities that other players have a mask and that they claim it.

The neutral belief ignores what players say. Here announcements are evidence. If a player announced
a mask, and no player has moved their mask since, that player more probably has it. The evidence is
stronger if no other player claimed the mask, and if reveals have shown the player to be truthful.
Players who know their own mask have often chosen to keep it, so they more probably have a mask that
brings many coins.
"""

from dataclasses import dataclass

import numpy as np

from mascarade_agents._ladder.observation_reader import Floats, Reading

_ROUNDS = 3  # how often `balanced` normalises the columns and then the rows of a belief
_LEAST = 1e-9
#: The coins that a mask usually brings: a measure of how much players want it.
_WANTED = {
    "judge": 1.0, "empress": 3.0, "king": 2.0, "widow": 1.5, "patron": 3.0, "princess": 2.0,
    "fool": 1.0, "peasant": 1.0, "thief": 2.0, "beggar": 2.0, "trickster": 2.0, "cheat": 1.0,
    "witch": 2.0, "spy": 1.0, "guru": 1.5, "puppet_master": 2.0,
}  # fmt: skip


@dataclass(frozen=True)
class Habits:
    """Prior assumptions about how players announce and claim.

    Attributes:
        trust: the ratio of two probabilities: that a player announces a mask that they have, and
            that they announce a mask that they do not have.
        peace: the factor by which `trust` is multiplied if no player claimed the mask.
        record: the weight of the prior `trust`, as a number of reveals. After more reveals, the
            player's own record counts more than the prior.
        wanted: for players who know their own mask: the increase of the log-odds that they have a
            mask, for each coin that this mask brings.
        sure: the probability that a player claims a mask that they surely have.
        false: the probability that a player claims a mask that they surely do not have.
        likely: the probability that a player who is uncertain claims a mask that they have.
        unsure: the probability that a player who is uncertain claims a mask that they do not have.
        doubt: an onlooker's belief that a player has the mask. Below this belief, players who are
            uncertain claim less often.
        timid: the exponent of that decrease: their probability of a claim is multiplied by
            (belief / doubt) ** timid.
        asked: the weight of the prior `usual`, as a number of decisions to claim or pass.
        usual: the rate of false claims: their number for each decision to claim or pass.
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
    """Return the ratio `Habits.trust` of each player, [k, n], updated by the reveals so far.

    It is multiplied by `Habits.peace` if no player claimed the mask that the player announced last.
    """
    true, false = reading.tallies["proven_true"], reading.tallies["proven_false"]
    record = habits.record
    peace = np.where(reading.unchallenged, habits.peace, 1)
    odds: Floats = habits.trust * peace * (true + record) / (false + record)
    return odds


def boldness(reading: Reading, habits: Habits) -> Floats:
    """Return each player's rate of false claims, divided by the usual rate, [k, n]."""
    tallies = reading.tallies
    spoken = tallies["unproven"] + tallies["proven_true"] + tallies["proven_false"]
    asked = spoken.sum(axis=1, keepdims=True) - spoken
    usual = habits.asked * habits.usual
    ratio: Floats = (tallies["claims_false"] + usual) / (asked * habits.usual + usual)
    return ratio


def claiming(reading: Reading, habits: Habits) -> tuple[Floats, Floats]:
    """Return two arrays of the probabilities that players claim each mask, [k, n, kinds] each.

    The first array is for players who have the mask, the second for players who do not.
    """
    may = np.minimum(1, reading.onlooker[:, : reading.players] / habits.doubt) ** habits.timid
    bold = habits.unsure * boldness(reading, habits)[:, :, None]
    unsure = np.minimum(bold * may, 0.95)
    sure = reading.sure[:, :, None]
    having = np.where(sure, habits.sure, np.maximum(habits.likely * may, unsure))
    lacking = np.where(sure, habits.false, np.maximum(unsure, habits.false))
    return having.astype(np.float32), lacking.astype(np.float32)


def read_belief(reading: Reading, habits: Habits) -> Floats:
    """Return the agent's belief, [k, m, kinds], updated by the last announcements of others."""
    held = reading.said_ago < reading.touched_ago  # the mask has not moved since they announced
    weight = np.where(held, trust(reading, habits), 1)[:, :, None]
    desire = np.array([_WANTED[kind] for kind in reading.scenario.kinds], np.float32)
    likelihood = np.exp(habits.wanted * (desire - desire.mean()))
    factor = (1 + reading.said * (weight - 1)) * np.where(reading.sure[:, :, None], likelihood, 1)
    factor[:, 0] = 1  # the agent's own words are not evidence to itself
    belief = reading.belief.copy()
    belief[:, : reading.players] *= factor
    return balanced(belief, reading.cards)


def balanced(belief: Floats, cards: Floats) -> Floats:
    """Scale beliefs in place, so that they sum to 1 over the masks of each slot, and return them.

    Over the slots, the belief in a mask then sums to about the number of its cards.

    Args:
        belief: [k, m, kinds] non-negative weights; changed in place.
        cards: [kinds] the number of cards of each mask.
    """
    for _ in range(_ROUNDS):
        belief *= cards / np.maximum(belief.sum(axis=1, keepdims=True), _LEAST)
        belief /= np.maximum(belief.sum(axis=2, keepdims=True), _LEAST)
    return belief
