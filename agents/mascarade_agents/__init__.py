"""Agents that play, an arena that compares them, and measures of play.

    from mascarade_agents import Agent, make_agent

    agent = make_agent("bluffer:0.3", "6A")
    agent.act(game.view(), rng)             # an action id

`Agent` is the base class of agents. `make_agent` makes an agent by its name, `agent_names` lists
the names, and `LADDER` lists the hand-written agents in order of strength. `Results` holds the
games of an arena as arrays.

Public modules: `arena` plays agents against each other, `ratings` estimates their strength,
`behaviour` measures how they play, and `report` prints the results. `exact` computes, in small
games, how much an opponent can gain against them. A name that begins with an underscore may change
in any version.

This package imports mascarade_env, and never mascarade_train. Contracts in pyproject.toml fix the
order of imports: agents first, then ratings and measures, then the arena and reports. The files:

_agent.py: `Agent`: the base class of policies for one scenario
_registry.py: agents by name, and the names that data may hold
_ladder/: the hand-written agents
_search/: the agents that search
_tabular.py: an agent that plays a solved policy from a file
_results.py: `Results`
ratings/: estimates of strength
behaviour/: measures of play
arena/: games between agents
report/: the results of an arena as tables, JSON and a page
_play/: games of a person against agents
exact/: agents in solved games
_cli/: the commands
_benchmarks/: benchmarks for `mascarade bench`
"""

from mascarade_agents._agent import Agent
from mascarade_agents._ladder import LADDER
from mascarade_agents._registry import agent_names, make_agent
from mascarade_agents._results import Results

__all__ = ["LADDER", "Agent", "Results", "agent_names", "make_agent"]
