"""OpenSpiel walks the game by itself, node by node; it must come to the same numbers."""

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

# The game small-2, a turn shorter: a tenth of the nodes, each of which OpenSpiel makes in Python.
SHORT: dict[str, Any] = {**scenarios()["small-2"].to_dict(), "name": "short-2", "turn_limit": 5}


@cache
def built(name: str) -> GameTree:
    return build(SHORT if name == "short-2" else name)


@cache
def loaded(name: str) -> Any:
    """Return the same game as OpenSpiel's."""
    return load_game(SHORT if name == "short-2" else name)


def nodes(game: Any, tree: GameTree) -> Iterator[tuple[int, Any]]:
    """The nodes at which players decide, each with OpenSpiel's state."""
    todo = [(0, game.new_initial_state())]
    while todo:
        node, state = todo.pop()
        if not state.is_terminal():
            yield node, state
            first = int(tree.tree.first[node])
            todo += [(first + k, state.child(a)) for k, a in enumerate(state.legal_actions())]


def translated(game: Any, tree: GameTree, policy: Any) -> Policy:
    """A policy of OpenSpiel as one of our tree."""
    found = np.full(len(tree.actions), np.nan)
    for node, state in nodes(game, tree):
        place = tree.tree.start[tree.tree.state[node]]
        if np.isnan(found[place]):
            chances = policy.action_probabilities(state)
            for option, action in enumerate(state.legal_actions()):
                found[place + option] = chances.get(action, 0.0)
    return found


def in_wins(utility: Any, players: int) -> Any:
    """What OpenSpiel counts, in win shares: differences of utilities."""
    return utility * (players - 1) / players


@pytest.mark.parametrize("name", ["tiny-2", pytest.param("short-2", marks=pytest.mark.slow)])
def test_uniform_play_can_be_exploited_as_much(name: str) -> None:
    game, tree = loaded(name), built(name).tree
    theirs = exploitability.nash_conv(game, policies.UniformRandomPolicy(game))
    ours = nash_conv(tree, tree.uniform())
    assert ours.nash_conv == pytest.approx(in_wins(theirs, 2), abs=1e-12)


def test_three_players_can_gain_as_much_each() -> None:
    """A shorter game than those of the suite: walking small-3 takes too long."""
    scenario = {**built("small-3").scenario.to_dict(), "name": "short", "turn_limit": 4}
    game, found = load_game(scenario), build(scenario)
    uniform = policies.UniformRandomPolicy(game)
    theirs = exploitability.nash_conv(game, uniform)
    ours = nash_conv(found.tree, found.tree.uniform())
    assert ours.nash_conv == pytest.approx(in_wins(theirs, 3), abs=1e-12)
    scores = expected_game_score.policy_value(game.new_initial_state(), [uniform] * 3)
    assert ours.values == pytest.approx(1 / 3 + in_wins(np.array(scores), 3), abs=1e-12)
    for player in range(3):
        response = openspiel_best_response.BestResponsePolicy(game, player, uniform)
        gained = 1 / 3 + in_wins(response.value(game.new_initial_state()), 3)
        assert ours.best[player] == pytest.approx(gained, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "solver"), [("cfr", cfr.CFRSolver), ("cfr+", cfr.CFRPlusSolver)]
)
def test_their_regrets_and_ours_lead_to_the_same_value(algorithm: str, solver: Any) -> None:
    """Not to the same policy: where options are equally good, rounding decides.

    What a policy of two players is worth differs from the value of the game by no more than its
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
    assert their_gains.nash_conv == pytest.approx(in_wins(conv, 2), abs=1e-9)
    our_gains = nash_conv(found.tree, ours.average())
    most = {"cfr": 0.06, "cfr+": 0.015}[algorithm]
    assert max(their_gains.nash_conv, our_gains.nash_conv) < most
    apart = abs(their_gains.values[0] - our_gains.values[0])
    assert apart <= their_gains.nash_conv + our_gains.nash_conv


def sampled(game: Any, iterations: int) -> Any:
    """The average policy of external sampling."""
    np.random.seed(3)  # OpenSpiel draws from there
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        game, external_sampling_mccfr.AverageType.SIMPLE
    )
    for _ in range(iterations):
        solver.iteration()
    return solver.average_policy()


def iterated(game: Any, iterations: int) -> Any:
    """The average policy of CFR."""
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


def test_what_sampled_regrets_have_learned_is_worth_the_same() -> None:
    game, found = loaded("tiny-2"), built("tiny-2")
    average = sampled(game, 300)
    theirs = exploitability.nash_conv(game, average)
    ours = nash_conv(found.tree, translated(game, found, average)).nash_conv
    assert ours == pytest.approx(in_wins(theirs, 2), abs=1e-9)
    assert ours < nash_conv(found.tree, found.tree.uniform()).nash_conv / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learned", "iterations", "responder"), [(iterated, 2, 0), (sampled, 20, 1)]
)
def test_the_best_response_to_what_was_learned_gets_the_same(
    learned: Any, iterations: int, responder: int
) -> None:
    """For one player each: OpenSpiel takes seconds for a best response."""
    game, found = loaded("short-2"), built("short-2")
    average = learned(game, iterations)
    translation = translated(game, found, average)
    assert np.abs(translation - found.tree.uniform()).max() > 0.1
    response = openspiel_best_response.BestResponsePolicy(game, responder, average)
    theirs = 1 / 2 + in_wins(response.value(game.new_initial_state()), 2)
    assert best_response(found.tree, translation, responder)[0] == pytest.approx(theirs, abs=1e-9)
