"""The statistician computes the expected value of announcements and claims.

The probability that a player has a mask is the neutral belief, updated by what players have said
(see claim_probabilities.py). The probability that a player claims it depends on whether they surely
or possibly have it, and on how often they have claimed falsely. Together these give the
probabilities of all outcomes: no player claims, the player who has the mask uses its power, or no
player who announced or claimed the mask has it. An outcome is worth the agent's coins after it; a
win or loss is converted to coins.
"""

from typing import ClassVar

import numpy as np

from mascarade_agents._ladder.choices import swap_or_keep
from mascarade_agents._ladder.claim_probabilities import Habits, claiming, read_belief
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.power_values import (
    changes_of_all,
    changes_of_announced,
    expected,
    holding,
    in_coins,
)
from mascarade_agents._ladder.scored_agent import PhasedAgent

_LEAST = 1e-3
_LOOK = 0.15  # score of a look, as a fraction of the value of knowing its own mask
_TAKE = 0.9  # score of a take, as a fraction of the difference in worth of the two masks
_VEIL = 0.3  # coins added to a take, after which others are less certain of the agent's mask
# Coins added to announcements for each round without one, after the first `_QUIET` rounds: while
# all players look and take, no player gets nearer to the win.
_SILENCE = 0.5
_QUIET = 2.0
_SHOWN = 0.01  # coins subtracted from a claim that reveals a mask that it knows
_BARRED = 1.0  # coins subtracted from a claim that prevents an announcement on its next turn


class Statistician(PhasedAgent):
    """An agent that maximises the expected value of its actions.

    Attributes:
        habits: its assumptions about other players.
        shy: the coins subtracted from announcements while it does not know its own mask.
        later: if it can win with a mask now, the probability that it can still win with it on its
            next turn.
    """

    habits: ClassVar[Habits] = Habits()
    shy: ClassVar[float] = 0.0
    later: ClassVar[float] = 1.0

    def turn(self, reading: Reading) -> Floats:
        """Return the expected values of takes, look and announcements, [k, m + kinds]."""
        belief = read_belief(reading, self.habits)
        announce = (
            self._announcing(reading, belief) - in_coins(reading.coins, reading.goal)[:, None]
        )
        announce -= self.shy * ~reading.known.any(axis=1, keepdims=True)
        announce += _SILENCE * np.maximum(0, reading.silence / reading.players - _QUIET)[:, None]
        worth = holding(reading, self.later)
        places = expected(belief, worth)
        take = _VEIL + _TAKE * (places[:, 1:] - places[:, :1])
        known = (belief[:, 0] * np.maximum(worth, 0)).sum(axis=1)
        look = _LOOK * (known - announce.max(axis=1))
        return np.concatenate([take, look[:, None], announce], axis=1)

    def table(self, reading: Reading) -> Floats:
        """Return the scores of swap and keep, [k, 2]."""
        belief = read_belief(reading, self.habits)
        return swap_or_keep(reading, belief, holding(reading, self.later))

    def _announcing(self, reading: Reading, belief: Floats) -> Floats:
        """Return the expected fortune after announcing each mask, [k, kinds]."""
        n, goal = reading.players, reading.goal
        having, lacking = (each[:, 1:] for each in claiming(reading, self.habits))
        fine = np.eye(1, n, dtype=np.float32)[0]
        coins = reading.coins[:, None, None]
        change = changes_of_all(reading)
        mine = in_coins(coins[:, 0] + change[:, 0], goal)[:, None]
        theirs = in_coins(coins + change[:, 1:] - fine, goal)
        nobody = in_coins(reading.coins - fine, goal)[:, None, None]
        silent = (1 - lacking).prod(axis=1, keepdims=True)
        but = silent / np.maximum(1 - lacking, _LEAST)  # no player but this one claims
        unclaimed = but * mine + (1 - but) * nobody
        claimed = having * theirs + (1 - having) * unclaimed
        others = belief[:, 1:] / np.maximum(belief[:, 1:].sum(axis=1, keepdims=True), _LEAST)
        lying = (others[:, : n - 1] * claimed).sum(axis=1)
        centre = others[:, n - 1 :].sum(axis=1)
        lying += centre * (silent * mine + (1 - silent) * nobody)[:, 0]
        own = belief[:, 0]
        value: Floats = own * mine[:, 0] + (1 - own) * lying
        return value

    def challenge(self, reading: Reading) -> Floats:
        """Return the expected fortunes after a claim and after a pass, [k, 2]."""
        n, rows, goal, coins = reading.players, reading.rows, reading.goal, reading.coins
        having, lacking = (reading.of_announced(t) for t in claiming(reading, self.habits))
        holder = self._holder(reading, having, lacking)
        change = changes_of_announced(reading)
        later = reading.unasked.copy()
        later[:, 0] = False
        spoke = reading.claims.copy()
        spoke[rows, reading.announcer] = True
        seats, centre = holder[:, :n], holder[:, n:].sum(axis=1)
        other = np.arange(n) > 0
        fine = np.eye(1, n, dtype=np.float32)[0]
        # The agent's fortune if one player has the mask, and if no player who claims it has it.
        used = coins[:, None] + change - (spoke[:, None] & ~np.eye(n, dtype=bool))
        true = in_coins(used, goal)
        true_fined = in_coins(used - fine * other[:, None], goal)
        false = in_coins(coins - spoke, goal)[:, None]
        false_fined = in_coins(coins - spoke - fine, goal)[:, None]
        quiet = in_coins(coins + change[rows, reading.announcer], goal)[:, None]
        silent = np.where(later, 1 - lacking, 1).prod(axis=1, keepdims=True)
        silent = np.where(reading.claims.any(axis=1, keepdims=True), 0, silent)
        but = silent / np.where(later, np.maximum(1 - lacking, _LEAST), 1)
        speaks = np.where(spoke, 1, np.where(later, having, 0))
        unclaimed = but * quiet + (1 - but) * false
        passing = (seats * (speaks * true + (1 - speaks) * unclaimed)).sum(axis=1)
        passing += centre * (silent * quiet + (1 - silent) * false)[:, 0]
        speaks[:, 0] = 1
        claim = (seats * (speaks * true_fined + (1 - speaks) * false_fined)).sum(axis=1)
        claim += centre * false_fined[:, 0]
        claim -= _SHOWN * reading.known[rows, reading.announced]
        claim -= _BARRED * (reading.announcer == n - 1)  # the agent's own turn is next
        return np.stack([claim, passing], axis=1)

    def _holder(self, reading: Reading, having: Floats, lacking: Floats) -> Floats:
        """Return the probability of the announced mask at each place, given the answers, [k, m]."""
        holder = reading.of_announced(read_belief(reading, self.habits)).copy()
        passed = (1 - having) / np.maximum(1 - lacking, 0.02)
        claimed = having / np.maximum(lacking, 0.02)
        likelihood = np.where(reading.passes, passed, np.where(reading.claims, claimed, 1))
        holder[:, : reading.players] *= likelihood
        holder /= np.maximum(holder.sum(axis=1, keepdims=True), _LEAST)
        return holder
