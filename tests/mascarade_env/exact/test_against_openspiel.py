"""OpenSpiel walks the same games node by node, and must get the same numbers."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies
from open_spiel.python.algorithms import best_response as openspiel_best_response
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
)

from mascarade_env import scenarios
from mascarade_env.adapters.openspiel import load_game
from mascarade_env.exact import GameTree, Policy, Solver, best_response, build, nash_conv

# The game small-2 with one turn less: a tenth of the nodes, because OpenSpiel is slow in Python.
SHORT: dict[str, Any] = {**scenarios()["small-2"].to_dict(), "name": "short-2", "turn_limit": 5}


@cache
def built(name: str) -> GameTree:
    return build(SHORT if name == "short-2" else name)


@cache
def loaded(name: str) -> Any:
    """Return the same game for OpenSpiel."""
    return load_game(SHORT if name == "short-2" else name)


def nodes(game: Any, tree: GameTree) -> Iterator[tuple[int, Any]]:
    """Yield the nodes at which players decide, each with the state of OpenSpiel."""
    todo = [(0, game.new_initial_state())]
    while todo:
        node, state = todo.pop()
        if not state.is_terminal():
            yield node, state
            first = int(tree.tree.first[node])
            todo += [(first + k, state.child(a)) for k, a in enumerate(state.legal_actions())]


def translated(game: Any, tree: GameTree, policy: Any) -> Policy:
    """Convert a policy of OpenSpiel to one of our tree."""
    converted = np.full(len(tree.actions), np.nan)
    for node, state in nodes(game, tree):
        place = tree.tree.start[tree.tree.state[node]]
        if np.isnan(converted[place]):
            probabilities = policy.action_probabilities(state)
            for option, action in enumerate(state.legal_actions()):
                converted[place + option] = probabilities.get(action, 0.0)
    return converted


def in_win_shares(utility: Any, players: int) -> Any:
    """Convert a difference of OpenSpiel's utilities to win shares."""
    return utility * (players - 1) / players


@pytest.mark.parametrize("name", ["tiny-2", pytest.param("short-2", marks=pytest.mark.slow)])
def test_uniform_play_has_the_same_nash_conv(name: str) -> None:
    game, tree = loaded(name), built(name).tree
    theirs = exploitability.nash_conv(game, policies.UniformRandomPolicy(game))
    ours = nash_conv(tree, tree.uniform())
    assert ours.nash_conv == pytest.approx(in_win_shares(theirs, 2), abs=1e-12)


def test_each_of_three_players_can_gain_the_same() -> None:
    """A shorter game than those of the suite: walking small-3 takes too long."""
    scenario = {**built("small-3").scenario.to_dict(), "name": "short", "turn_limit": 4}
    game, found = load_game(scenario), build(scenario)
    uniform = policies.UniformRandomPolicy(game)
    theirs = exploitability.nash_conv(game, uniform)
    ours = nash_conv(found.tree, found.tree.uniform())
    assert ours.nash_conv == pytest.approx(in_win_shares(theirs, 3), abs=1e-12)
    scores = expected_game_score.policy_value(game.new_initial_state(), [uniform] * 3)
    assert ours.values == pytest.approx(1 / 3 + in_win_shares(np.array(scores), 3), abs=1e-12)
    for player in range(3):
        response = openspiel_best_response.BestResponsePolicy(game, player, uniform)
        gained = 1 / 3 + in_win_shares(response.value(game.new_initial_state()), 3)
        assert ours.best[player] == pytest.approx(gained, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "solver"), [("cfr", cfr.CFRSolver), ("cfr+", cfr.CFRPlusSolver)]
)
def test_both_solvers_reach_the_same_value(algorithm: str, solver: Any) -> None:
    """The policies may differ, because rounding decides between equally good options.

    With two players, the value of a policy differs from the value of the game by at most its
    NashConv.
    """
    game, found = loaded("tiny-2"), built("tiny-2")
    theirs, ours = solver(game), Solver(found.tree, algorithm)
    for _ in range(100):
        theirs.evaluate_and_update_policy()
    ours.run(100)
    average = theirs.average_policy()
    their_gains = nash_conv(found.tree, translated(game, found, average))
    conv = exploitability.nash_conv(game, average)
    assert their_gains.nash_conv == pytest.approx(in_win_shares(conv, 2), abs=1e-9)
    our_gains = nash_conv(found.tree, ours.average())
    most = {"cfr": 0.06, "cfr+": 0.015}[algorithm]
    assert max(their_gains.nash_conv, our_gains.nash_conv) < most
    apart = abs(their_gains.values[0] - our_gains.values[0])
    assert apart <= their_gains.nash_conv + our_gains.nash_conv


def sampled(game: Any, iterations: int) -> Any:
    """Return the average policy of external sampling."""
    np.random.seed(3)  # the generator of OpenSpiel
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        game, external_sampling_mccfr.AverageType.SIMPLE
    )
    for _ in range(iterations):
        solver.iteration()
    return solver.average_policy()


def iterated(game: Any, iterations: int) -> Any:
    """Return the average policy of CFR."""
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


def test_a_policy_learned_by_sampling_has_the_same_nash_conv() -> None:
    game, found = loaded("tiny-2"), built("tiny-2")
    average = sampled(game, 300)
    theirs = exploitability.nash_conv(game, average)
    ours = nash_conv(found.tree, translated(game, found, average)).nash_conv
    assert ours == pytest.approx(in_win_shares(theirs, 2), abs=1e-9)
    assert ours < nash_conv(found.tree, found.tree.uniform()).nash_conv / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learned", "iterations", "responder"), [(iterated, 2, 0), (sampled, 20, 1)]
)
def test_best_responses_to_learned_policies_get_the_same(
    learned: Any, iterations: int, responder: int
) -> None:
    """One player for each policy, because OpenSpiel takes seconds for a best response."""
    game, found = loaded("short-2"), built("short-2")
    average = learned(game, iterations)
    translation = translated(game, found, average)
    assert np.abs(translation - found.tree.uniform()).max() > 0.1
    response = openspiel_best_response.BestResponsePolicy(game, responder, average)
    theirs = 1 / 2 + in_win_shares(response.value(game.new_initial_state()), 2)
    assert best_response(found.tree, translation, responder)[0] == pytest.approx(theirs, abs=1e-9)
