"""OpenSpiel's own tests, algorithms and bots on our game, unchanged."""

import random
import unittest
from typing import Any

import numpy as np
import pytest

from mascarade_env import Game
from tests.mascarade_env.adapters.openspiel_games import (
    load_game,
    pyspiel,
)
from tests.tiers import sampled, slow_from

api_test = pytest.importorskip("open_spiel.integration_tests.api_test")
games_sim_test = pytest.importorskip("open_spiel.python.tests.games_sim_test")
policy = pytest.importorskip("open_spiel.python.policy")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
cfr, expected_game_score, exploitability, get_all_states, ismcts, mccfr, mcts, playthroughs = (
    pytest.importorskip(f"open_spiel.python.algorithms.{name}")
    for name in (
        "cfr",
        "expected_game_score",
        "exploitability",
        "get_all_states",
        "ismcts",
        "external_sampling_mccfr",
        "mcts",
        "generate_playthrough",
    )
)

GAMES = ["tiny-2", "small-3", "4A", "8A", "12B"]


def run(case: type[unittest.TestCase]) -> None:
    """Run all tests of a class; a failure raises an error."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun
    assert not [text for _, text in result.failures + result.errors]


@pytest.mark.parametrize("name", sampled(GAMES))
def test_the_random_simulations_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_the_simulations_of_python_games(name: str) -> None:
    np.random.seed(0)
    games_sim_test.GamesSimTest().sim_game(load_game(name))


@pytest.mark.parametrize("name", slow_from(3, ["tiny-2", "small-3", "4A", "8A"]))
def test_the_checks_of_the_api(name: str) -> None:
    # It samples a hundred states; with many slots all would be during the deal.
    random.seed(0)
    np.random.seed(0)
    deal = Game(name, seed=0).deal if name == "8A" else None
    attributes = {"game_name": name, "game": load_game(name, deal=deal)}
    run(type("Partial", (api_test.EnforceAPIOnPartialTreeBase,), attributes))


def test_the_checks_of_the_api_on_a_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "tiny-2", (0, 852, 1388))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "tiny-2", 207 + 219)
    attributes = {"game_name": "tiny-2", "game": load_game("tiny-2")}
    run(type("Full", (api_test.EnforceAPIOnFullTreeBase,), attributes))


def test_a_playthrough_is_repeatable() -> None:
    name = "python_mascarade(scenario=4A,turn_limit=5)"
    text = playthroughs.playthrough(name, None, seed=1)
    actions = [int(line[8:]) for line in text.splitlines() if line.startswith("action: ")]
    assert playthroughs.playthrough(name, actions) == text
    assert "PrivateObservationString(3)" in text
    assert "IsTerminal() = True" in text


def test_all_states_of_a_tree_with_chance() -> None:
    """The first decisions after each of the 6 deals of 3 masks."""
    scenario = Game("tiny-2", seed=0).scenario.to_dict() | {"fixed_deal": False}
    game = load_game(scenario)
    assert game.max_chance_nodes_in_history() == 3
    states = get_all_states.get_all_states(game, 4, True, True).values()
    chance = [state for state in states if state.is_chance_node()]
    assert len(chance) == 1 + 3 + 6
    assert len([state for state in states if len(state.history()) == 3]) == 6


def test_all_ways_to_compute_nash_conv_agree() -> None:
    game = load_game("tiny-2")
    uniform = policy.UniformRandomPolicy(game)
    found = exploitability.nash_conv(game, uniform)
    assert found == pytest.approx(1.2604167)
    assert found == pytest.approx(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)))
    assert found == pytest.approx(exploitability.nash_conv(game, uniform, use_cpp_br=True))
    values = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])
    assert sum(values) == pytest.approx(0)


@pytest.mark.parametrize("make", [cfr.CFRPlusSolver, pyspiel.CFRPlusSolver])
def test_regret_minimisation_lowers_nash_conv(make: Any) -> None:
    game = load_game("tiny-2")
    solver = make(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, policy_of(solver)) == pytest.approx(0.467959, abs=1e-5)


def policy_of(solver: Any) -> Any:
    """Return the average policy for OpenSpiel's own code."""
    average = solver.average_policy()
    if isinstance(average, policy.TabularPolicy):
        return policy.python_policy_to_pyspiel_policy(average)
    return average


def test_sampled_regret_minimisation_lowers_nash_conv() -> None:
    np.random.seed(0)
    game = load_game("tiny-2")
    solver = mccfr.ExternalSamplingSolver(game)
    for _ in range(200):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.6


def test_the_environment_of_openspiel_plays_a_game() -> None:
    env = rl_environment.Environment(load_game("4A"), observation_type=None)
    chance = np.random.default_rng(0)
    step = env.reset()
    while not step.last():
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        step = env.step([int(chance.choice(legal))])
    assert sum(step.rewards) == pytest.approx(0)
