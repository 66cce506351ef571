"""Who plays, and who is better: agents, an arena, measures of play. Imports mascarade_env.

from mascarade_agents import Agent, make_agent

agent = make_agent("bluffer:0.3", "6A")
agent.act(game.view(), rng)             # an action id
"""

from mascarade_agents._agent import Agent
from mascarade_agents._registry import agent_names, make_agent
from mascarade_agents._results import Results

__all__ = ["Agent", "Results", "agent_names", "make_agent"]
