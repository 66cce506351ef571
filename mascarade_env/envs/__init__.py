"""The game where tools expect it: PettingZoo, Gymnasium, and self-play in batches.

`_aec` is the PettingZoo environment (users import `mascarade_env.mascarade_v0`), `_single` and
`_vector` are the Gymnasium ones (users call `gymnasium.make`), on `_learner_tables`: one learner
among opponents (`_opponents`). `_self_play` is `mascarade_env.SelfPlay`: all players learn, each
decision is credited by `_decisions`. Imports the game, knowledge, observation and render.
"""
