"""Win shares counted in environments, to compare with those of the arena."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import Policy, Positions
from mascarade_env._policies.translation import fitted
from mascarade_env.envs._learner_tables import LearnerTables


def shares_at_tables(
    policy: Policy, opponents: Any, scenario: Any, games: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return [games] the win share of one player against opponents, in every seat equally often."""
    tables = LearnerTables(scenario, games, opponents=opponents, seat="rotate")
    assert tables.batch.schema is not None
    player, rng = fitted(policy, tables.batch.schema), np.random.default_rng(seed)
    tables.reset(seed=np.arange(games) + seed)
    returns = np.zeros(games)
    while (running := ~tables.over).any():
        taken = np.zeros(games, np.int64)
        taken[running] = player.act_batch(Positions.of_batch(tables.batch, running), rng)
        tables.step(taken)
        returns += tables.reward
    players = tables.scenario.players
    return np.maximum((1 + (players - 1) * returns) / players, 0)
