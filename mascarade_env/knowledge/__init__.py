"""What each viewer knows: public facts, windows of recent events, and beliefs.

A viewer is a player or the onlooker. All knowledge is computed from the events that a viewer sees:
the files from `_facts.py` to `_follower.py` never import the row of a game or the rules. A contract
in pyproject.toml tests this. `_agent_view.py` and `_sampling.py` may also import `observation` and
the rules. Each file may import the files above it:

_facts.py: FACTS: what everyone at the table knows, from public events; `note`
_world_memory.py: memory for beliefs: sets of worlds that grow and shrink; `need_before_return`
_worlds.py: `Worlds`: a belief as a list of possible placements with probabilities
_windows.py: the last events that each player saw, as tokens; `remember`
_beliefs.py: neutral beliefs: how an event changes sets of worlds; `believe`
_follower.py: `Follower` and `follow`: turn events into knowledge, for B games
_event_buffer.py: the events of a game in order, in an array that grows
_agent_view.py: `AgentView`: what one player knows, from the events that this player saw
_sampling.py: sampled histories that one viewer cannot tell from the history of a game
"""
