"""Who plays, and who is better: agents, an arena, measures of play.

from mascarade_agents import Agent, make_agent

agent = make_agent("bluffer:0.3", "6A")
agent.act(game.view(), rng)             # an action id

`Agent` is the base of agents, `make_agent` makes one by its name, `agent_names` lists the names,
and `LADDER` the hand-written ones by strength. `Results` holds the games of an arena as arrays.

Public modules: `arena` plays agents against each other, `ratings` orders them, `behaviour` measures
how they play, `report` prints all that, `exact` finds what could be gained from them. A name that
begins with an underscore may change in any version.

Imports mascarade_env, never mascarade_train. Who plays comes first, then who is better, then who
reports; the contracts in pyproject.toml have each one's place:

_agent.py: `Agent`: the base class of policies for one scenario
_registry.py: agents by name, and which names data may hold
_ladder/: the hand-written agents
_search/: the agents that search
_tabular.py: a solved policy as an agent
_results.py: `Results`
ratings/: orders of agents
behaviour/: measures of play
arena/: agents play each other
report/: what an arena found, as tables, JSON and a page
_play/: a person at the table
exact/: agents in games that are solved
_cli/: the commands
_benchmarks/: lines of `mascarade bench`
"""

from mascarade_agents._agent import Agent
from mascarade_agents._ladder import LADDER
from mascarade_agents._registry import agent_names, make_agent
from mascarade_agents._results import Results

__all__ = ["LADDER", "Agent", "Results", "agent_names", "make_agent"]
