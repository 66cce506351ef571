"""How good a policy is: against the hand-written agents, and against best responses."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from mascarade_agents import Agent
from mascarade_agents.exact import tabulate
from mascarade_env.exact import GameTree, build, nash_conv
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_train._evaluation import WinShare, alone_among

#: Scenarios whose trees are searched for best responses while training goes on.
SOLVED = ("tiny-2", "small-2", "small-3", "powers-3", "medium-4")
_SEED = 2**40  # of games that training does not deal


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found.

    Attributes:
        alone: win shares alone among copies of agents, by their names.
        against: win shares of agents alone among copies of this one.
        nash_conv: what best responses gain in all, in win shares; None if the game is too large.
    """

    alone: dict[str, WinShare] = field(default_factory=dict)
    against: dict[str, WinShare] = field(default_factory=dict)
    nash_conv: float | None = None


def examine(agent: Agent, rungs: Sequence[str], games: int, *, both_ways: bool = True) -> Examined:
    """Meet hand-written agents, or where the game is known as a whole tree, best responses.

    Args:
        agent: what is examined, in its scenario.
        rungs: names of agents.
        games: how many of each kind, at least.
        both_ways: also one of each rung among copies of the agent.
    """
    found = Examined(nash_conv=nash_conv_of(agent))
    meet = partial(alone_among, scenario=agent.scenario, games=games, seed=_SEED)
    for name in rungs:
        found.alone[name] = meet(agent, name)
        if both_ways:
            found.against[name] = meet(name, agent)
    return found


def nash_conv_of(agent: Agent) -> float | None:
    """Return what the best responses gain in all; None if the game is not of the exact suite."""
    if agent.scenario not in (scenarios()[name] for name in SOLVED):
        return None
    game = _tree(agent.scenario)
    return nash_conv(game.tree, tabulate(agent, game).policy).nash_conv


@cache
def _tree(scenario: Scenario) -> GameTree:
    return build(scenario)
