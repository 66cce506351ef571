"""Who knows what: events in, public facts, windows and beliefs out.

Nothing that a player learns comes from anywhere else. The files from `_facts.py` to `_follower.py`
import events and never the row of a game or the rules; a contract in pyproject.toml tests this.
`_agent_view.py` and `_sampling.py` may import `observation` and the rules too. Each file may import
those above it:

_facts.py: FACTS: what everyone at the table knows, from public events; `note`
_world_memory.py: memory for beliefs: sets of worlds that grow and shrink; `need_before_return`
_worlds.py: `Worlds`: a belief as the placements that are possible
_windows.py: the last events that each player saw, as tokens; `remember`
_beliefs.py: neutral beliefs, exact: how an event changes sets of worlds; `believe`
_follower.py: `Follower` and `follow`: the one place where events become knowledge, for B games
_event_buffer.py: the events of a game in order, in an array that grows
_agent_view.py: `AgentView`: what one player knows, from what that player saw alone
_sampling.py: other courses that a game may have taken, as far as one viewer knows
"""
