"""Who plays, and who is better: agents and the arena. Imports mascarade_env, never torch."""
