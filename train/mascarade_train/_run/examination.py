"""Measure a policy: win shares against agents, and NashConv in small games."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from mascarade_agents import Agent
from mascarade_agents.exact import tabulate
from mascarade_env.exact import GameTree, build, nash_conv
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_train._evaluation import WinShare, alone_among

#: Scenarios whose NashConv is computed in every evaluation, on the whole game tree.
SOLVED = ("tiny-2", "small-2", "small-3", "powers-3", "medium-4")
_SEED = 2**40  # training uses smaller seeds


@dataclass(frozen=True, slots=True)
class Examined:
    """The scores of a policy in games with n players.

    Attributes:
        alone: win share of this policy against n - 1 copies of an agent, by the agent's name.
        against: win share of an agent against n - 1 copies of this policy, by the agent's name.
        nash_conv: the sum over all seats of what a best response gains, in win shares; 0 for an
            equilibrium. None if the game is too large to compute it.
    """

    alone: dict[str, WinShare] = field(default_factory=dict)
    against: dict[str, WinShare] = field(default_factory=dict)
    nash_conv: float | None = None


def examine(agent: Agent, rungs: Sequence[str], games: int, *, both_ways: bool = True) -> Examined:
    """Measure win shares against agents, and NashConv if the game is small enough.

    Args:
        agent: the agent to examine, in its scenario.
        rungs: names of agents to play against.
        games: the minimum number of games against each of these agents.
        both_ways: whether each of these agents also plays against n - 1 copies of `agent`.
    """
    scores = Examined(nash_conv=nash_conv_of(agent))
    share = partial(alone_among, scenario=agent.scenario, games=games, seed=_SEED)
    for name in rungs:
        scores.alone[name] = share(agent, name)
        if both_ways:
            scores.against[name] = share(name, agent)
    return scores


def nash_conv_of(agent: Agent) -> float | None:
    """Return the NashConv of an agent; None if its scenario is not one of `SOLVED`."""
    if agent.scenario not in (scenarios()[name] for name in SOLVED):
        return None
    game = _tree(agent.scenario)
    return nash_conv(game.tree, tabulate(agent, game).policy).nash_conv


@cache
def _tree(scenario: Scenario) -> GameTree:
    return build(scenario)
