from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import MascaradeError, Scenario
from mascarade_env.testing import ConformanceError, check_agent
from mascarade_env.testing import _agents as agents
from tests.messages import facts

DUEL = Scenario(
    "duel", players=2, masks=("king", "thief", "judge"), strict=False, opening_turns=2, turn_limit=9
)

Observations = NDArray[np.float32]
Masks = NDArray[np.int8]


def first(observation: Observations, mask: Masks) -> Any:
    return mask.argmax(axis=1)


def by_what_it_sees(observation: Observations, mask: Masks) -> Any:
    weights = np.linspace(-1, 1, mask.shape[1] * observation.shape[1]).reshape(-1, mask.shape[1])
    liking = np.array([np.sin(row.astype(np.float64) @ weights) for row in observation])
    return np.where(mask == 1, liking, -2).argmax(axis=1)


class Random:
    def __init__(self) -> None:
        self.chance = np.random.default_rng(0)

    def __call__(self, observation: Observations, mask: Masks) -> Any:
        return (self.chance.random(mask.shape) * mask).argmax(axis=1)


@pytest.mark.parametrize("scenario", ["4A", "8B", DUEL])
@pytest.mark.parametrize("padded", [False, True])
def test_good_agents_pass(scenario: Any, padded: bool) -> None:
    report = check_agent(by_what_it_sees, scenario, games=16, padded=padded)
    assert report.repeatable
    assert report.reordered == report.positions > report.legal_sets > 0
    assert set(report.phases) >= {"turn", "table", "challenge"}
    assert ("declare" in report.phases) == (padded or scenario == "8B")
    assert ("two players" in report.surveyed) == padded
    assert report.games == 16
    assert report.decisions > 0
    assert report.unfinished == 0
    assert report.seconds > 0


def test_a_random_agent_passes_and_nothing_is_said_about_the_order_of_rows() -> None:
    report = check_agent(Random(), "6A", games=600, track="memory")
    assert not report.repeatable
    assert report.reordered == 0
    assert report.fair_share == 1 / 6
    assert 0.1 < report.win_share < 0.24  # 4 standard errors


def test_an_agent_may_return_a_list() -> None:
    assert check_agent(lambda _, mask: first(_, mask).tolist(), "4A", games=4).games == 4


def writes(observation: Observations, mask: Masks) -> Any:
    answer = mask.argmax(axis=1)
    mask[:, 0] = 1
    return answer


def scales(observation: Observations, mask: Masks) -> Any:
    observation *= 2
    return mask.argmax(axis=1)


def always_the_same(observation: Observations, mask: Masks) -> Any:
    return np.full(len(mask), 3)


def out_of_range(observation: Observations, mask: Masks) -> Any:
    return np.full(len(mask), mask.shape[1])


def squeezes(observation: Observations, mask: Masks) -> Any:
    return mask.argmax(axis=1).squeeze()


def fails_alone(observation: Observations, mask: Masks) -> Any:
    if len(mask) == 1:
        raise IndexError("alone")
    return mask.argmax(axis=1)


def one_for_all(observation: Observations, mask: Masks) -> Any:
    return mask.argmax(axis=1)[:1]


def floats(observation: Observations, mask: Masks) -> Any:
    return mask.argmax(axis=1).astype(float)


def probabilities(observation: Observations, mask: Masks) -> Any:
    return mask / mask.sum(axis=1, keepdims=True)


def by_row(observation: Observations, mask: Masks) -> Any:
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return np.where(np.arange(len(mask)) % 2, last, mask.argmax(axis=1))


def careless_in_play(observation: Observations, mask: Masks) -> Any:
    """Choose legal actions, except in a batch of four rows, as at the four tables below."""
    return mask.argmax(axis=1) if len(mask) != 4 else np.zeros(4, int)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (writes, facts("mask", 0, 1) + r".*\[\d+, 0\]"),
        (scales, facts("observation", "copy")),
        (always_the_same, facts("agent", "action 3", "legal")),
        (out_of_range, facts("agent", "action", "legal")),
        (squeezes, facts("1 actions", "int64", "()")),
        (fails_alone, facts("1 actions", "IndexError: alone")),
        (one_for_all, facts("int64", "shape (1,)")),
        (floats, facts("float64", "shape", "integers")),
        (probabilities, facts("float64", "shape", "integers")),
        (by_row, facts("rows", "order")),
        (careless_in_play, r"game seed \d+, step \d+, player_\d"),
    ],
)
def test_faults_of_agents_are_found(agent: Any, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_agent(agent, "4A", games=4)


def test_an_agent_for_one_width_fails_as_a_padded_agent() -> None:
    weights = np.zeros(400)
    with pytest.raises(ConformanceError, match=facts("ValueError")):
        check_agent(lambda seen, mask: (seen @ weights, mask.argmax(axis=1))[1], padded=True)


def test_endless_games_are_stopped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "_MOST_DECISIONS", 3)
    report = check_agent(first, "4A", games=8)
    assert report.unfinished == report.games == 8
    assert report.decisions == 24
    assert report.win_share == 0


def test_other_objects_are_refused() -> None:
    with pytest.raises(
        MascaradeError,
        match=facts("agent", "observations", "masks", "act_batch", "'random'"),
    ):
        check_agent("random")  # type: ignore[arg-type]
    with pytest.raises(MascaradeError, match=facts("games", 6, 5)):
        check_agent(first, "6A", games=5)
