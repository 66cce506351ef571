"""The game where tools expect it: PettingZoo, Gymnasium, and self-play in batches.

Imports the game, knowledge, observation, policies and render. Each file may import those above it:

_spaces.py: the spaces of observations and actions
_frames.py: pictures of a game for `render`
_shaping.py: optional rewards on the way
_opponents.py: which policies hold the other seats; `mascarade_env.Pool`
_learner_tables.py: one learner among opponents at B tables, for `_single.py`, `_vector.py`, SB3
_single.py: Gymnasium's `Env` (users call `gymnasium.make`)
_vector.py: Gymnasium's native `VectorEnv` (users call `gymnasium.make_vec`)
_aec.py: PettingZoo (users import `mascarade_env.mascarade_v0`)
_registration.py: the names under which Gymnasium finds the game
_decisions.py: decisions of all seats, each linked to the next one of the same player
_self_play.py: `mascarade_env.SelfPlay`: all players learn
"""
