"""Environments: PettingZoo, Gymnasium, and self-play in batches.

This package imports the game, knowledge, observation, policies and render. For adapters to other
libraries see `mascarade_env.adapters`. Each file in this list may import those above it:

_spaces.py: the spaces of observations and actions
_frames.py: pictures of a game for `render`
_shaping.py: optional rewards before the end of a game
_opponents.py: the policies on the other seats; `mascarade_env.Pool`
_learner_tables.py: one learner among opponents at B tables, for `_single.py`, `_vector.py`, SB3
_single.py: Gymnasium's `Env`, made by `gymnasium.make`
_vector.py: Gymnasium's `VectorEnv`, made by `gymnasium.make_vec`
_aec.py: the environment of PettingZoo, imported as `mascarade_env.mascarade_v0`
_registration.py: the names of the game in the registries of Gymnasium and PettingZoo
_decisions.py: decisions of all seats, each linked to the next one of the same player
_self_play.py: `mascarade_env.SelfPlay`: collect the decisions of all players
"""
