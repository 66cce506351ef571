"""Who learns: training of agents by self-play. Imports mascarade_agents and mascarade_env."""
