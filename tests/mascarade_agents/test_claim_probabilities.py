"""Agents draw actions with the probabilities that they report."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents import make_agent
from mascarade_agents._ladder.observation_reader import Floats, Reading
from mascarade_agents._ladder.scored_agent import PhasedAgent
from mascarade_env import Batch, Positions
from tests.mascarade_agents.positions import KINDS, belief, observation, six
from tests.tiers import slow_from

NAMES = [
    *("random", "honest", "bluffer:0.3", "bluffer:1", "sceptic:0.2", "opportunist"),
    *("statistician", "stopper"),
]
DRAWS = 4000


@cache
def positions(scenario: str) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Return observations and masks of some positions of every phase, from random games."""
    batch = Batch(scenario, 48, seed=7)
    observations, masks, phases = [], [], []
    for _ in range(60):
        batch.step(batch.random_actions())
        observations.append(batch.observation.copy())
        masks.append(batch.mask.copy())
        phases.append(batch.state["phase"].copy())
    phase = np.concatenate(phases)
    chosen = np.concatenate([np.flatnonzero(phase == each)[:5] for each in np.unique(phase)])
    return np.concatenate(observations)[chosen], np.concatenate(masks)[chosen]


@pytest.mark.parametrize("scenario", slow_from(1, ["4B", "8B"]))
@pytest.mark.parametrize("name", NAMES)
def test_actions_are_drawn_with_the_reported_probabilities(name: str, scenario: str) -> None:
    observations, masks = positions(scenario)
    agent = make_agent(name, scenario)
    probabilities = agent.probabilities(Positions(observations, masks, agent.reads))
    assert probabilities is not None
    assert probabilities.dtype == np.float64
    assert (probabilities >= 0).all()
    assert (probabilities[masks == 0] == 0).all()
    assert np.abs(probabilities.sum(axis=1) - 1).max() < 1e-12
    assert ((probabilities > 0) & (probabilities < 1)).any()  # some decisions are random
    rows = np.repeat(np.arange(len(masks)), DRAWS)
    rng = np.random.default_rng(1)
    taken = agent.act_batch(Positions(observations[rows], masks[rows], agent.reads), rng)
    counted = np.zeros(masks.shape)
    np.add.at(counted, (rows, taken), 1 / DRAWS)
    spread = np.sqrt(probabilities * (1 - probabilities) / DRAWS)
    assert (np.abs(counted - probabilities) <= 5 * spread + 1e-9).all()


def test_probabilities_do_not_depend_on_other_rows() -> None:
    observations, masks = positions("8B")
    for name in NAMES:
        agent = make_agent(name, "8B")
        together: Any = agent.probabilities(Positions(observations, masks, agent.reads))
        for row in range(0, len(masks), 7):
            alone: Any = agent.probabilities(
                Positions(observations[[row]], masks[[row]], agent.reads)
            )
            assert np.array_equal(alone[0], together[row])


class Scored(PhasedAgent):
    """An agent whose scores a test sets."""

    scores: Floats

    def turn(self, reading: Reading) -> Floats:
        return np.broadcast_to(self.scores, (len(reading.rows), len(self.scores)))

    def challenge(self, reading: Reading) -> Floats:
        raise AssertionError("this game has no announcement")


def test_scores_that_hardly_differ_are_ties() -> None:
    game = six()
    agent = Scored(game.scenario)
    legal = game.legal_ids()
    agent.scores = np.full(agent.ids.spans[0][1], -1, np.float32)
    agent.scores[legal[2:5]] = [0.5, 0.49995, 0.4998]
    agent.scores[game.legal_mask()[: len(agent.scores)] == 0] = 9
    shown = observation(game), game.legal_mask()[None]
    probabilities: Any = agent.probabilities(Positions(*shown, agent.reads))
    assert np.flatnonzero(probabilities[0]).tolist() == legal[2:4]
    assert set(probabilities[0].tolist()) == {0.0, 0.5}
    taken = {
        int(agent.act_batch(Positions(*shown, agent.reads), np.random.default_rng(seed))[0])
        for seed in range(40)
    }
    assert taken == set(legal[2:4])


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_a_bluffer_reports_its_rate_of_bluffs(rate: float) -> None:
    # Seat 0 has the judge of an empty tribunal; the place of the empress is uncertain.
    game = six()
    unknown = belief({"judge": 1}, *[dict.fromkeys(KINDS[1:], 0.2)] * 5)
    shown = observation(game, own_belief=unknown, sure=[1, 0, 0, 0, 0, 0])
    bluffer = make_agent(f"bluffer:{rate}", game.scenario)
    known: Any = bluffer.probabilities(Positions(shown, game.legal_mask()[None], bluffer.reads))
    assert known[0, game.action_id("announce:empress")] == rate


def test_a_search_has_no_probabilities() -> None:
    game = six()
    for name in ("flat:4", "ismcts:4"):
        view = game.view()
        searcher = make_agent(name, game.scenario)
        assert searcher.probabilities(Positions.of_views([view])) is None
