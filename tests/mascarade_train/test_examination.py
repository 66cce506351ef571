"""Evaluations: the opponents, and NashConv."""

import pytest

from mascarade_agents._registry import make_agent
from mascarade_agents.exact import tabulate
from mascarade_env import scenarios
from mascarade_env.exact import build, nash_conv
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import alone_among
from mascarade_train._net_policy import NetPolicy
from mascarade_train._run.examination import SOLVED, examine, nash_conv_of
from tests.mascarade_train.random_nets import random_net


def test_rungs_are_met_both_ways() -> None:
    four = scenarios()["4A"]
    agent = make_agent("honest", four)
    found = examine(agent, ["random", "stopper"], 200)
    assert found.nash_conv is None
    assert list(found.alone) == list(found.against) == ["random", "stopper"]
    assert found.alone["random"].low > 0.25 > found.against["random"].mean
    assert found.alone["random"].games == 200
    once = examine(agent, ["random"], 200, both_ways=False)
    assert once.alone == {"random": found.alone["random"]}  # the same games each time
    assert once.against == {}
    assert examine(agent, [], 2) == type(found)()


def test_it_is_the_agent_that_is_alone() -> None:
    four = scenarios()["4A"]
    strong, weak = make_agent("stopper", four), make_agent("random", four)
    found = examine(weak, ["stopper"], 100)
    direct = alone_among(weak, strong, four, games=100, seed=2**40)
    assert found.alone["stopper"] == direct
    assert found.alone["stopper"].mean < 0.25 < found.against["stopper"].mean


@pytest.mark.parametrize("padded", [False, True])
def test_what_best_responses_gain(padded: bool) -> None:
    tiny = scenarios()["tiny-2"]
    agent = NetworkAgent(tiny, NetPolicy(random_net("tiny-2", "both", padded=padded)))
    game = build("tiny-2")
    wanted = nash_conv(game.tree, tabulate(agent, game).policy).nash_conv
    assert nash_conv_of(agent) == pytest.approx(wanted)
    assert examine(agent, [], 2).nash_conv == pytest.approx(wanted)
    assert 0 < wanted < 1
    assert nash_conv_of(make_agent("random", tiny)) == pytest.approx(
        nash_conv(game.tree, game.tree.uniform()).nash_conv
    )


def test_scenarios_that_are_small_trees_are_solved() -> None:
    assert set(SOLVED) == {name for name, one in scenarios().items() if one.turn_limit}
