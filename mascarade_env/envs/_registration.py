"""Register the game with Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "Mascarade-v0"
PETTINGZOO_ID = "mascarade/mascarade-v0"


def register() -> None:
    """Add the game to both registries if they do not have it yet."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="mascarade_env.envs._single:MascaradeEnv",
            vector_entry_point="mascarade_env.envs._vector:MascaradeVectorEnv",
        )
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="mascarade_env.mascarade_v0:env")
