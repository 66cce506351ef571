"""Random play through PettingZoo's AEC API: the loop that all AEC lines are measured with.

`lab.bench.peers` runs this file in an environment without mascarade_env, so that other packages'
games are measured with the same loop. So it imports nothing of ours.
"""

from collections.abc import Callable
from typing import Any


def play_aec(env: Any, decisions: int, random: Callable[[], float]) -> int:
    """Play random games through PettingZoo's usual loop.

    Args:
        env: a PettingZoo environment with an `action_mask` in its observations.
        decisions: stop after the game in which this many have been made.
        random: returns a number from 0 to below 1.

    Returns:
        How many decisions were made; the last, empty step of each agent is not counted.
    """
    made = 0
    while made < decisions:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0].tolist()
                env.step(legal[int(random() * len(legal))])
                made += 1
    return made
