"""An agent as a function: it plays its own scenario, and is refused where another is played."""

import pickle
from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from mascarade_agents._registry import make_agent
from mascarade_env import Batch, MascaradeError, Pool, scenarios
from mascarade_env.testing import check_agent
from mascarade_train._evaluation import win_share
from tests.messages import facts


def test_it_decides_as_the_agent_does() -> None:
    agent = make_agent("bluffer:0.4", "4A")
    policy = agent.policy(seed=3)
    batch = Batch("4A", 64, seed=1, track="both")
    rng = np.random.default_rng(3)
    for _ in range(20):
        wanted = agent.act_batch(batch.observation, batch.mask, (), rng)
        np.testing.assert_array_equal(policy(batch.observation, batch.mask), wanted)
        batch.step(wanted)
    again = pickle.loads(pickle.dumps(policy))  # where it stands now
    np.testing.assert_array_equal(
        again(batch.observation, batch.mask), policy(batch.observation, batch.mask)
    )


def test_another_scenario_of_the_same_shape_is_refused() -> None:
    """4A and 4B have the same numbers and actions, and other masks."""
    policy = make_agent("honest", "4A").policy()
    told = ("plays 4A", "not 4B", "masks")
    for opponents in (policy, Pool(["random", policy])):
        env = gymnasium.make("Mascarade-v0", scenario="4B", opponents=opponents)
        with pytest.raises(MascaradeError, match=facts(*told)):
            env.reset(seed=0)
    pool = Pool(["random"])
    env = gymnasium.make("Mascarade-v0", scenario="4B", opponents=pool)
    env.reset(seed=0)
    pool.add(policy)
    with pytest.raises(MascaradeError, match=facts(*told)):
        env.reset(seed=0)
    with pytest.raises(MascaradeError, match=facts(*told)):
        check_agent(policy, "4B", games=4)
    for sides in ((policy, "random"), (make_agent("honest", "4B").policy(), policy)):
        with pytest.raises(MascaradeError, match=facts(*told)):
            win_share(sides[0], "4B", opponents=sides[1], games=4)


def test_another_name_is_no_other_scenario() -> None:
    renamed = replace(scenarios()["4A"], name="mine")
    env = gymnasium.make(
        "Mascarade-v0", scenario=renamed, opponents=make_agent("honest", "4A").policy()
    )
    env.reset(seed=0)
    richer = replace(scenarios()["4A"], start_coins=7, strict=False)
    env = gymnasium.make(
        "Mascarade-v0", scenario=richer, opponents=make_agent("honest", "4A").policy()
    )
    with pytest.raises(MascaradeError, match=facts("plays 4A", "not 4A", "start_coins", "strict")):
        env.reset(seed=0)
