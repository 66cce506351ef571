"""Random play through PettingZoo's AEC API: the loop of all AEC benchmarks.

`lab.bench.peers` runs this file in an environment without mascarade_env, to measure games of other
packages with the same loop. So it must not import other files of this project.
"""

from collections.abc import Callable
from typing import Any


def play_aec(env: Any, decisions: int, random: Callable[[], float]) -> int:
    """Play random games with PettingZoo's usual loop.

    Args:
        env: a PettingZoo environment with an `action_mask` in its observations.
        decisions: stop after the game in which this number of decisions is reached.
        random: a function that returns a random number in [0, 1).

    Returns:
        The number of decisions, without the last, empty step of each agent.
    """
    count = 0
    while count < decisions:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0].tolist()
                env.step(legal[int(random() * len(legal))])
                count += 1
    return count
