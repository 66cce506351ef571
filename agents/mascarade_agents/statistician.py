"""Weighs what each word would bring over who may have the mask and who may claim it.

Who has a mask: the neutral belief, with the words of others as evidence (see `odds`). Who claims:
those who surely have it, and those who may. From the two follow the chances that an announcement
passes, that the true holder takes the power, that all who spoke were wrong; each outcome is worth
what it leaves everybody with.
"""

from dataclasses import dataclass

import numpy as np

from mascarade_agents.odds import Habits, claiming, read_belief
from mascarade_agents.phases import PhasedAgent
from mascarade_agents.reading import Floats, Reading
from mascarade_agents.worth import changes_of_all, changes_of_announced, holding, in_coins


@dataclass(frozen=True)
class Taste:
    """What the statistician makes of actions whose worth shows later only."""

    look: float = 0.15
    take: float = 0.9
    shown: float = 0.0
    barred: float = 1.0
    deny: float = 0.0
    take0: float = 0.3
    s1: float = 1.2
    s2: float = 1.06
    s3: float = 0.72
    s4: float = 0.55
    slope: float = 0.02
    rival: float = 0.18
    unit: float = 0.09
    stop: float = 0.0


class Statistician(PhasedAgent):
    """Expected values under its belief."""

    habits = Habits()
    taste = Taste()

    def value(self, reading: Reading, coins: Floats) -> Floats:
        """[k, ...] what fortunes [k, ..., n] are worth to the first player."""
        return in_coins(coins, reading.goal)

    def unit(self, reading: Reading) -> Floats:
        """[k] what one more coin is worth."""
        return np.ones(len(reading.rows), np.float32)

    def relief(self, reading: Reading) -> Floats:
        return np.zeros((len(reading.rows), reading.players), np.float32)

    def turn(self, reading: Reading) -> Floats:
        """Expected values of all, over doing nothing."""
        now = self.value(reading, reading.coins)
        unit = self.unit(reading)[:, None]
        announce = self.announcing(reading) - now[:, None]
        worth = holding(reading)
        expected = np.einsum("kmc,kc->km", read_belief(reading, self.habits), worth)
        take = (self.taste.take0 + self.taste.take * (expected[:, 1:] - expected[:, :1])) * unit
        take[:, : reading.players - 1] += self.relief(reading)[:, 1:]
        known = (read_belief(reading,self.habits)[:,0] * np.maximum(worth, 0)).sum(axis=1, keepdims=True) * unit
        look = self.taste.look * (known - announce.max(axis=1, keepdims=True))
        return np.concatenate([take, look, announce], axis=1)

    def announcing(self, reading: Reading) -> Floats:
        """[k, kinds] what announcing each mask leaves oneself with."""
        belief = read_belief(reading, self.habits)
        having, lacking = (table[:, 1:] for table in claiming(reading, self.habits))
        players = reading.players
        coins = reading.coins[:, None, None]
        fine = np.zeros(players, np.float32)
        fine[0] = 1
        change = changes_of_all(reading)  # [k, user, kinds, n]
        mine = self.value(reading, coins[:, 0] + change[:, 0])
        theirs = self.value(reading, coins + change[:, 1:] - fine)
        nobody = self.value(reading, reading.coins - fine)[:, None]
        silent = (1 - lacking).prod(axis=1)
        others = belief[:, 1:]
        others = others / np.maximum(others.sum(axis=1, keepdims=True), 1e-9)
        passed = silent * mine + (1 - silent) * nobody  # if the holder says nothing
        silent_but = silent[:, None] / np.maximum(1 - lacking, 1e-3)
        kept = silent_but * mine[:, None] + (1 - silent_but) * nobody[:, None]
        held = others[:, : players - 1] * (having * theirs + (1 - having) * kept)
        centre = others[:, players - 1 :].sum(axis=1) * passed
        own = belief[:, 0]
        return own * mine + (1 - own) * (held.sum(axis=1) + centre)

    def challenge(self, reading: Reading) -> Floats:
        """[k, 2] what claiming and passing leave oneself with."""
        n, rows = reading.players, reading.rows
        having, lacking = (reading.of_announced(t) for t in claiming(reading, self.habits))
        holder = self.holders(reading, having, lacking)  # [k, m]
        change = changes_of_announced(reading)  # [k, user, n]
        unasked = reading.unasked.copy()
        unasked[:, 0] = False
        spoke = reading.claims.copy()
        spoke[rows, reading.announcer] = True
        me = np.zeros(n, np.float32)
        me[0] = 1
        coins = reading.coins
        fined = spoke[:, None] & ~np.eye(n, dtype=bool)  # [k, holder, n]
        used = coins[:, None] + change - fined
        if_true = self.value(reading, used)  # [k, user]: the user has it, oneself has passed
        if_true_claimed = self.value(reading, used - me * (np.arange(n) > 0)[:, None])
        none_passed = self.value(reading, coins - spoke)
        none_claimed = self.value(reading, coins - spoke - me)
        quiet = self.value(reading, coins + change[rows, reading.announcer])
        contested = reading.claims.any(axis=1)
        silent = np.where(unasked, 1 - lacking, 1).prod(axis=1)
        silent = np.where(contested, 0, silent)
        silent_but = silent[:, None] / np.where(unasked, np.maximum(1 - lacking, 1e-3), 1)
        speaks = np.where(spoke, 1, np.where(unasked, having, 0))
        rest = silent_but * quiet[:, None] + (1 - silent_but) * none_passed[:, None]
        seats, centre = holder[:, :n], holder[:, n:].sum(axis=1)
        passing = (seats * (speaks * if_true + (1 - speaks) * rest)).sum(axis=1)
        passing += centre * (silent * quiet + (1 - silent) * none_passed)
        speaks[:, 0] = 1
        claiming_ = (
            seats * (speaks * if_true_claimed + (1 - speaks) * none_claimed[:, None])
        ).sum(axis=1) + centre * none_claimed
        unit = self.unit(reading)
        claiming_ -= self.taste.shown * unit
        claiming_ -= self.taste.barred * unit * (reading.announcer == n - 1)
        return np.stack([claiming_, passing], axis=1)

    def holders(self, reading: Reading, having: Floats, lacking: Floats) -> Floats:
        """[k, m] who has the mask announced, after what has been said on this turn."""
        holder = reading.of_announced(read_belief(reading, self.habits)).copy()
        n = reading.players
        says = np.ones((len(holder), n), np.float32)
        says = np.where(reading.passes, (1 - having) / np.maximum(1 - lacking, 0.02), says)
        says = np.where(reading.claims, having / np.maximum(lacking, 0.02), says)
        holder[:, :n] *= says
        return holder / np.maximum(holder.sum(axis=1, keepdims=True), 1e-9)
