"""Policies of agents as tables over whole trees, and what best responses gain."""

import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents import Agent, make_agent
from mascarade_agents._ladder.random import RandomAgent
from mascarade_agents.exact import least_gains, tabulate
from mascarade_env import AgentView, Game, MascaradeError, Positions, scenarios
from mascarade_env.exact import Gains, GameTree, build, nash_conv, reach_of
from tests.messages import facts
from tests.tiers import slow_from

LADDER = ("random", "honest", "bluffer:0.3", "sceptic", "opportunist", "statistician", "stopper")


@cache
def tree(scenario: str) -> GameTree:
    return build(scenario)


def agent(name: str, scenario: str) -> Agent:
    return make_agent(name, scenario)


def same(one: Gains, other: Gains) -> None:
    assert np.abs(one.values - other.values).max() < 1e-12
    assert np.abs(one.best - other.best).max() < 1e-12
    assert abs(one.nash_conv - other.nash_conv) < 1e-12


class Secretive(RandomAgent):
    """A random agent that hides its probabilities."""

    def probabilities(self, positions: Positions) -> Any:
        return None


class Viewing(Agent):
    """An agent that needs views, and takes the last legal action."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_ids()[-1]


@pytest.mark.parametrize("scenario", ["tiny-2", "small-3"])
def test_random_play_is_uniform(scenario: str) -> None:
    game = tree(scenario)
    table = tabulate(agent("random", scenario), game)
    assert table.exact
    assert table.asked == game.tree.states
    assert np.abs(table.policy - game.tree.uniform()).max() < 1e-15
    uniform = nash_conv(game.tree, game.tree.uniform())
    assert abs(nash_conv(game.tree, table.policy).nash_conv - uniform.nash_conv) < 1e-12


@pytest.mark.parametrize("name", LADDER)
def test_agents_decide_in_trees_as_in_games(name: str) -> None:
    """Compare the table with the agent's probabilities along random games."""
    game, asked = tree("tiny-2"), agent(name, "tiny-2")
    policy = tabulate(asked, game).policy
    rng = np.random.default_rng(3)
    for _ in range(25):
        node = 0
        played = Game("tiny-2", seed=1)
        while (state := int(game.tree.state[node])) >= 0:
            options = slice(game.tree.start[state], game.tree.start[state + 1])
            view = played.view()
            reports: Any = asked.probabilities(Positions.of_views([view]))
            assert np.allclose(reports[0, game.actions[options]], policy[options], atol=1e-6)
            option = int(rng.integers(options.stop - options.start))
            played.play(int(game.actions[options][option]))
            node = int(game.tree.first[node]) + option


def test_a_deterministic_agent_is_a_pure_policy() -> None:
    game = tree("tiny-2")
    table = tabulate(Viewing(scenarios()["tiny-2"]), game, draws=3)
    assert not table.exact
    assert table.draws == 3
    last = np.zeros(len(table.policy))
    last[game.tree.start[1:] - 1] = 1
    assert np.array_equal(table.policy, last)
    assert np.array_equal(table.halves, [last, last])


@pytest.mark.parametrize("name", slow_from(1, ["honest", "bluffer:0.3", "stopper"]))
def test_unreachable_states_do_not_matter(name: str) -> None:
    for scenario in ("tiny-2", "small-3"):
        game = tree(scenario)
        whole = tabulate(agent(name, scenario), game)
        part = tabulate(agent(name, scenario), game, only_reached=True)
        assert part.asked < whole.asked / 4
        same(nash_conv(game.tree, whole.policy), nash_conv(game.tree, part.policy))
        reached = np.unique(game.tree.state[reach_of(game.tree, whole.policy) > 0])
        mine = np.isin(game.tree.state_of_option, reached[reached >= 0])
        assert np.array_equal(part.policy[mine], whole.policy[mine])


class Narrow(RandomAgent):
    """An agent that draws one of the first two legal actions, and hides its probabilities."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        masks = positions.masks
        first = masks.argmax(axis=1)
        rest = masks.copy()
        rest[np.arange(len(rest)), first] = 0
        second = np.where(rest.any(axis=1), rest.argmax(axis=1), first)
        drawn: NDArray[np.int64] = np.where(rng.random(len(masks)) < 0.5, first, second)
        return drawn

    def probabilities(self, positions: Positions) -> Any:
        return None


def test_states_that_either_half_of_the_draws_reaches_are_tabulated() -> None:
    game = tree("small-3")
    tree_of_it = game.tree
    table = tabulate(Narrow(game.scenario), game, draws=2, seed=3, only_reached=True)
    start, options = tree_of_it.start, tree_of_it.options
    third = start[:-1] + 2
    seen = 0
    for half in table.halves:
        for player in range(tree_of_it.players):
            mine = tree_of_it.owner[tree_of_it.state_of_option] == player
            reach = reach_of(tree_of_it, np.where(mine, tree_of_it.uniform(), half))
            reached = np.unique(tree_of_it.state[(reach > 0) & (tree_of_it.state >= 0)])
            reached = reached[(options[reached] > 2) & (tree_of_it.owner[reached] != player)]
            seen += len(reached)
            assert (half[third[reached]] == 0).all()
    assert seen > 100


def test_the_halves_of_the_draws_are_independent() -> None:
    game = tree("tiny-2")
    table = tabulate(Secretive(game.scenario), game, draws=5, seed=1)
    first, second = table.halves
    for half, draws in ((first, 3), (second, 2)):
        drawn = half * draws
        assert np.abs(drawn - np.rint(drawn)).max() < 1e-9
    assert (first != second).any()
    assert np.allclose(table.policy, (3 * first + 2 * second) / 5)
    assert np.allclose(np.add.reduceat(table.policy, game.tree.start[:-1]), 1)
    again = tabulate(Secretive(game.scenario), game, draws=5, seed=1)
    other = tabulate(Secretive(game.scenario), game, draws=5, seed=2)
    assert np.array_equal(table.policy, again.policy)
    assert (table.policy != other.policy).any()


def test_two_figures_bracket_the_true_one_on_average() -> None:
    game = tree("tiny-2")
    exact = nash_conv(game.tree, game.tree.uniform())
    low, high, values = [], [], []
    for seed in range(16):
        table = tabulate(Secretive(game.scenario), game, draws=16, seed=seed)
        most, least = nash_conv(game.tree, table.policy), least_gains(game.tree, table)
        low.append(least.best)
        high.append(most.best)
        values.append(least.values)
    bound = 3 * np.std(values, axis=0) / np.sqrt(len(values))
    assert (np.abs(np.mean(values, axis=0) - exact.values) < bound).all()
    assert (np.mean(low, axis=0) < exact.best).all()
    assert (exact.best < np.mean(high, axis=0)).all()
    more = tabulate(Secretive(game.scenario), game, draws=600, seed=0)
    ends = least_gains(game.tree, more).nash_conv, nash_conv(game.tree, more.policy).nash_conv
    assert np.abs(np.array(ends) - exact.nash_conv).max() < 0.08
    assert ends[1] - ends[0] < 0.3 * (np.sum(high) - np.sum(low)) / len(low)


def test_both_figures_are_equal_for_agents_with_probabilities() -> None:
    game = tree("small-3")
    table = tabulate(agent("bluffer:0.5", "small-3"), game)
    same(nash_conv(game.tree, table.policy), least_gains(game.tree, table))


def test_progress_is_reported() -> None:
    game, reports = tree("small-3"), []
    tabulate(agent("honest", "small-3"), game, progress=lambda done, of: reports.append((done, of)))
    done = [each for each, _ in reports]
    assert done == sorted(set(done))
    assert reports[-1] == (game.tree.states, game.tree.states)


class Faulty(RandomAgent):
    """An agent that returns what a test sets."""

    taken: Any = None
    answer: Any = None

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Any:
        if self.taken is None:
            return super().act_batch(positions, rng)
        return self.taken(positions.masks)

    def probabilities(self, positions: Positions) -> Any:
        return None if self.answer is None else self.answer(positions.masks)


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (lambda masks: 1 / 0, ("act_batch", "ZeroDivisionError: division by zero")),
        (lambda masks: sys.exit("enough"), ("act_batch", "SystemExit: enough")),
        (
            lambda masks: masks.argmin(axis=1),
            ("illegal action", "legal", "'look'"),
        ),
        (lambda masks: np.full(len(masks), -1), ("illegal action", "action id", -1)),
        (lambda masks: np.full(len(masks), 99), ("illegal action", "action id", 99)),
        (lambda masks: masks.argmax(axis=1) * 1.0, ("float64", "shape", "action ids")),
        (lambda masks: [0], ("int64", "shape (1,)", "action ids")),
        (lambda masks: None, ("object", "shape ()", "action ids")),
    ],
)
def test_faults_of_agents_without_probabilities_are_reported(
    taken: Any, words: tuple[object, ...]
) -> None:
    faulty = Faulty(scenarios()["tiny-2"])
    faulty.taken = taken
    with pytest.raises(MascaradeError, match=facts(*words)):
        tabulate(faulty, tree("tiny-2"), draws=2)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda masks: 1 / 0, ("probabilities", "ZeroDivisionError")),
        (lambda masks: "often", ("probabilities", "ValueError")),
        (lambda masks: masks[:, 1:] / 2, ("probabilities", "shape")),
        (lambda masks: masks / 2, ("sum", 1)),
        (lambda masks: masks * np.nan, ("sum", 1)),
        (lambda masks: np.full(masks.shape, 1 / masks.shape[1]), ("sum", 1, 0)),
        (lambda masks: masks * 3.0 - 2, ("sum", 1)),
    ],
)
def test_wrong_probabilities_are_refused(answer: Any, words: tuple[object, ...]) -> None:
    faulty = Faulty(scenarios()["tiny-2"])
    faulty.answer = answer
    with pytest.raises(MascaradeError, match=facts(*words)):
        tabulate(faulty, tree("tiny-2"), draws=2)


def test_an_interrupt_ends_it() -> None:
    def interrupted(masks: Any) -> Any:
        raise KeyboardInterrupt

    faulty = Faulty(scenarios()["tiny-2"])
    faulty.taken = interrupted
    with pytest.raises(KeyboardInterrupt):
        tabulate(faulty, tree("tiny-2"), draws=2)


def test_agents_cannot_change_the_arrays_they_get() -> None:
    class Scribbles(RandomAgent):
        def probabilities(self, positions: Positions) -> Any:
            positions.observations[:] = 0
            found = super().probabilities(positions)
            positions.masks[:] = 1
            return found

    game = tree("tiny-2")
    table = tabulate(Scribbles(game.scenario), game)
    assert np.abs(table.policy - game.tree.uniform()).max() < 1e-15


def test_an_agent_of_another_scenario_is_refused() -> None:
    game = tree("tiny-2")
    with pytest.raises(MascaradeError, match=facts("plays small-2", "not tiny-2")):
        tabulate(agent("honest", "small-2"), game)
    with pytest.raises(MascaradeError, match=facts("draws", 2, 1)):
        tabulate(agent("honest", "tiny-2"), game, draws=1)
    with pytest.raises(MascaradeError, match=facts("seed", 0, -1)):
        tabulate(agent("honest", "tiny-2"), game, seed=-1)
    for actions in (game.actions[::-1].copy(), np.roll(game.actions, 1)):
        with pytest.raises(MascaradeError, match=facts("tree", "rules")):
            tabulate(agent("honest", "tiny-2"), replace(game, actions=actions))
