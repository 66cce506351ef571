"""Measures of a policy on a whole tree agree with those of the games that it plays."""

from collections import defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents.behaviour import MEASURES, Tally, observe
from mascarade_env import Game, Scenario
from mascarade_env.exact import GameTree, Policy, SavedPolicy, Solver, build, reach_of
from mascarade_env.exact._behaviour import MEASURES as EXACT
from mascarade_env.exact._behaviour import conduct
from mascarade_env.exact._memories import key_of

#: By a measure that must occur: scenarios small enough to play every course of the game.
SMALL = {
    "gamble": Scenario(
        "fourth-3", 3, ("king", "thief", "judge"),
        opening_turns=3, turn_limit=4, at_limit="richest", strict=False, fixed_deal=True,
    ),
    "swap_spy": Scenario(
        "spy-2", 2, ("spy", "king", "judge"),
        opening_turns=1, turn_limit=2, at_limit="richest", strict=False, fixed_deal=True,
    ),
    "swap_fool": Scenario(
        "fool-3", 3, ("fool", "king", "thief"),
        opening_turns=1, turn_limit=2, at_limit="richest", strict=False, fixed_deal=True,
    ),
}  # fmt: skip

BOTH = [measure for measure in MEASURES if measure.name in EXACT]


def any_policy(game: GameTree) -> Policy:
    """Return a random policy that never takes some options."""
    rng = np.random.default_rng(3)
    weights = rng.exponential(size=len(game.actions)) * (rng.random(len(game.actions)) < 0.6)
    first = game.tree.start[:-1]
    weights[first] += 0.01
    sums = np.add.reduceat(weights, first)
    return np.asarray(weights / sums[game.tree.state_of_option])


def test_exact_measures_have_the_titles_of_measures_of_agents() -> None:
    assert {measure.name: measure.title for measure in BOTH} == {
        name: title for name, title in EXACT.items() if name not in ("false_known", "mixing")
    }


@pytest.mark.parametrize("occurs", SMALL)
def test_exact_measures_weigh_every_course_of_a_game_by_its_probability(occurs: str) -> None:
    scenario = SMALL[occurs]
    game = build(scenario)
    policy = any_policy(game)
    ends = np.flatnonzero(game.tree.state < 0)
    probabilities = reach_of(game.tree, policy)[ends]
    sums: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros((2, scenario.players)))
    shared = 0.0
    for way, probability in zip(game.ways_to(ends), probabilities, strict=True):
        if probability == 0:
            continue
        played = Game(scenario, seed=0)
        for action in way[way >= 0].tolist():
            played.play(action)
        shared += probability * (len(played.winners or []) in (0, scenario.players))
        for fact in observe(played):
            for measure in BOTH:
                if isinstance(fact, measure.facts):
                    value = measure.value(fact)
                    if value is not None:
                        sums[measure.name][:, fact.player] += probability, probability * value
    found = conduct(game, policy)
    assert found.shared == pytest.approx(shared)
    for measure in BOTH:
        here = found.measures[measure.name]
        np.testing.assert_allclose((here.number, here.total), sums[measure.name], atol=1e-12)
    assert sums[occurs].any(axis=1).all()
    assert sums["knowing_bluff"].any(axis=1).all()


def test_measures_of_sampled_games_agree_with_exact_measures() -> None:
    game = build("tiny-2")
    solver = Solver(game.tree)
    solver.run(300)
    saved = SavedPolicy.of(game, solver.average())
    rng = np.random.default_rng(5)
    total = Tally()
    for seed in range(600):
        total += Tally.of(sampled(saved, seed, rng))
    exact = conduct(game, solver.average())
    compared = 0
    for player, agent in enumerate(total.agents):
        for measure in BOTH:
            estimate = total.estimate(agent, "all", measure.name)
            if estimate.value is None or estimate.low is None or estimate.high is None:
                continue
            # Twice the interval: with this number of comparisons some exceed a single 95% interval.
            low = 2 * estimate.low - estimate.value
            high = 2 * estimate.high - estimate.value
            assert low <= exact.mean(measure.name, player) <= high, measure.name
            compared += 1
    assert compared > 20


def sampled(saved: SavedPolicy, seed: int, rng: np.random.Generator) -> Game:
    """Play a game by a saved policy, with its information states looked up from views."""
    played = Game(saved.scenario, seed=seed)
    while (player := played.player) is not None:
        actions, probabilities = saved.find(key_of(played.view().events, player))
        played.play(int(rng.choice(actions, p=probabilities)))
    return played
