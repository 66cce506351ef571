"""Plays to win and to stop who is about to."""

import numpy as np

from mascarade_agents.odds import read_belief
from mascarade_agents.reading import Floats, Reading
from mascarade_agents.statistician import Statistician
from mascarade_agents.worth import outcome

_REACH = {"empress": 3, "patron": 3, "king": 2, "princess": 2, "trickster": 2, "thief": 2,
    "fool": 1, "peasant": 1, "beggar": 2, "puppet_master": 2, "guru": 2}  # fmt: skip
_FAR = 5


class Stopper(Statistician):
    """Expected values, minding who is about to win."""

    def finishers(self, reading: Reading) -> Floats:
        """[k, kinds, d]"""
        far = np.arange(_FAR + 1)
        found = np.zeros((len(reading.rows), len(reading.scenario.kinds), len(far)), np.float32)
        for column, kind in enumerate(reading.scenario.kinds):
            if kind == "judge":
                found[:, column] = far <= reading.tribunal[:, None]
            else:
                reach = reading.goal - 10 if kind == "cheat" else _REACH.get(kind, 0)
                found[:, column] = far <= reach
        found[:, :, _FAR] = 0
        return found

    def value(self, reading: Reading, coins: Floats) -> Floats:
        """[...] in fair shares"""
        t = self.taste
        togo = np.clip(reading.goal - coins, 0, 24)
        d = np.arange(25)
        steps = np.array([0, t.s1, t.s2, t.s3, t.s4] + [t.s4 * 0.8**i for i in range(1, 5)], np.float32)[-(-d // 3)] - t.slope * d
        over, share = outcome(coins, reading.goal)
        near = (togo[..., 1:] <= 3).sum(axis=-1)
        return np.where(over, share * reading.players, steps[togo[..., 0].astype(np.int64)] - t.rival * near).astype(np.float32)

    def unit(self, reading: Reading) -> Floats:
        return np.full(len(reading.rows), self.taste.unit, np.float32)

    def relief(self, reading: Reading) -> Floats:
        belief = read_belief(reading, self.habits)[:, : reading.players]
        togo = np.clip(reading.goal - reading.coins, 0, _FAR).astype(np.int64)
        can = np.take_along_axis(self.finishers(reading), togo[:, None], axis=2)  # k, kinds, n
        theirs = np.einsum("knc,kcn->kn", belief, can)
        mine = np.einsum("kc,kcn->kn", belief[:, 0], can)
        return self.taste.unit * self.taste.stop * np.maximum(0, theirs - mine)
