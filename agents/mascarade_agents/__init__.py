"""Who plays, and who is better: agents, an arena, measures of play.

from mascarade_agents import Agent, make_agent

agent = make_agent("bluffer:0.3", "6A")
agent.act(game.view(), rng)             # an action id

`Agent` is the base of agents, `make_agent` makes one by its name, `agent_names` lists the names,
and `LADDER` the hand-written ones by strength. `Results` holds the games of an arena as arrays.

Public modules: `arena` plays agents against each other, `ratings` orders them, `behaviour` measures
how they play, `report` prints all that, `exact` finds what could be gained from them. A name that
begins with an underscore may change in any version: `_ladder` has the hand-written agents,
`_search` those that search, `_play` the game of a person against agents, `_cli` the commands.
Imports mascarade_env, never mascarade_train.
"""

from mascarade_agents._agent import Agent
from mascarade_agents._ladder import LADDER
from mascarade_agents._registry import agent_names, make_agent
from mascarade_agents._results import Results

__all__ = ["LADDER", "Agent", "Results", "agent_names", "make_agent"]
