"""Agents as teachers: their positions, their probabilities, and how the learner imitates them."""

import copy
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from mascarade_agents._agent import Agent
from mascarade_agents._registry import make_agent
from mascarade_env import AgentView, Batch, MascaradeError, Policy, Positions, Schema, scenarios
from mascarade_env._policies.translation import fitted
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._state import new_rows
from mascarade_train._networks import IMPOSSIBLE
from mascarade_train._ppo import Learner, teaching_loss, teaching_weight
from mascarade_train._rollouts import LEARNER, Collector, Rollout
from mascarade_train._run import checkpoints
from mascarade_train._run.processes import ProcessGroup
from mascarade_train._settings import Settings, checked
from mascarade_train._teacher import teacher_of
from tests.mascarade_train.small_runs import made_up, small, training
from tests.messages import facts

# The probabilities of a teacher


@pytest.mark.parametrize("name", ["stopper", "bluffer:0.4", "random"])
@pytest.mark.parametrize("scenario", ["4A", "8B"])
def test_it_teaches_what_the_agent_knows_padded_or_not(name: str, scenario: str) -> None:
    given = scenarios()[scenario]
    agent = make_agent(name, given)
    plain = Batch(given, 32, seed=4, track="both")
    padded = Batch(given, 32, seed=4, track="both", padded=True)
    assert plain.schema is not None
    assert padded.schema is not None
    teachers = teacher_of(name, plain.schema), teacher_of(name, padded.schema)
    ids, chance = np.array(padded_ids(new_rows(given, 1)[0])), np.random.default_rng(0)
    mixed = 0
    for _ in range(40):
        wanted = agent.probabilities(Positions.of_batch(plain))
        assert wanted is not None
        found = teachers[0].probabilities(Positions.of_batch(plain))
        wide = teachers[1].probabilities(Positions.of_batch(padded))
        assert found is not None
        assert wide is not None
        np.testing.assert_allclose(found, wanted, atol=1e-6)
        np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
        np.testing.assert_array_equal(wide[:, ids], found)
        assert not wide[padded.mask == 0].any()
        mixed += int(((found > 0) & (found < 1)).any(axis=1).sum())
        taken = np.array([chance.choice(len(row), p=row / row.sum()) for row in found])
        plain.step(taken)
        padded.step(ids[taken])
    assert mixed > 50


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"teacher": "stoper"}, facts("agent", "'stoper'", "'stopper'")),
        ({"teacher": "ismcts:5"}, facts("ismcts:5", "probabilities", "teach")),
        ({"teacher": "stopper", "track": "belief"}, facts("stopper", '"both"', '"belief"')),
        ({"teacher": "stopper", "teaching": 1.5}, facts("--teaching", 0, 1, 1.5)),
        ({"teacher": "stopper", "teaching": math.nan}, facts("--teaching", 0, 1, "nan")),
        ({"teacher": "stopper", "teaching": 0.0}, facts("--teaching 0", "--teacher")),
    ],
    ids=str,
)
def test_who_cannot_teach_is_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(MascaradeError, match=told):
        checked(small(**changes))


def test_who_does_not_know_probabilities_may_be_an_opponent_but_no_teacher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(make_agent("stopper")), "probabilities", Agent.probabilities)
    checked(small(league=0.5, league_agents=("stopper",)))
    with pytest.raises(MascaradeError, match=facts("stopper", "probabilities", "teach")):
        checked(small(teacher="stopper"))


# The positions of a teacher


class ByWhatIsSeen:
    """A teacher whose answer is a hash of its observation instead of probabilities."""

    reads = None
    needs_views = False

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, schema: Schema) -> Policy:
        return self

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Any:
        raise NotImplementedError

    def probabilities(self, positions: Positions) -> NDArray[np.float32]:
        assert positions.observations.shape == (len(positions), positions.schema.size)
        self.asked += len(positions)
        return self.word(positions.observations, positions.masks)

    @staticmethod
    def word(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.float32]:
        weights = np.cos(1 + np.arange(observation.shape[1]))
        sums = (observation * weights).sum(axis=1, keepdims=True)
        found: NDArray[np.float32] = (sums * mask).astype(np.float32)
        return found


class OddSeats:
    """An opponent on the odd seats of every game; it takes the first legal action."""

    numbers = 1
    reads = None
    needs_views = False

    def __init__(self) -> None:
        self.decided = 0

    def seat(self, games: int, players: int, chance: np.random.Generator) -> NDArray[np.int64]:
        found = np.full((games, players), LEARNER)
        found[:, 1::2] = 0
        return found

    def name(self, number: int) -> str:
        return "odd seats"

    def policy(self, number: int, schema: Schema) -> Policy:
        return self

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        self.decided += len(positions)
        found: NDArray[np.int64] = positions.masks.argmax(axis=1)
        return found

    def probabilities(self, positions: Positions) -> None:
        return None

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        pass


def play(games: Collector, seats: int, chance: np.random.Generator) -> None:
    """Play at random until a window can be harvested."""

    def predict(_: Any, mask: NDArray[np.int8], __: Any) -> tuple[Any, Any]:
        log_probs = np.where(mask > 0, np.float32(0), np.float32(-1e9))
        return log_probs, np.full((len(mask), seats), 1 / seats, np.float32)

    while not games.ready:
        games.step(predict, chance)


@pytest.mark.parametrize("opponents", [False, True])
@pytest.mark.parametrize(("names", "seats"), [(("4A",), 4), (("4A", "6A"), 12)], ids=str)
def test_it_is_asked_about_each_of_the_learners_positions_and_told_no_more(
    names: tuple[str, ...], seats: int, opponents: bool
) -> None:
    """Its answer depends on the observation alone, so each answer identifies an observation."""
    schemas = [Schema(name, "both", padded=len(names) > 1) for name in names]
    teacher, others, chance = ByWhatIsSeen(), OddSeats(), np.random.default_rng(0)
    games = Collector(schemas, Rollout(6, 20, 3, full=True), others if opponents else None, teacher)
    for _ in range(3):
        play(games, seats, chance)
        harvest = games.harvest(0.95)
        assert len(harvest.action) > 20
        # Also decisions of earlier windows, which were carried over with their answers.
        word = ByWhatIsSeen.word(harvest.observation, harvest.mask)
        np.testing.assert_array_equal(harvest.teacher_probs, word)
        assert (np.abs(word).max(axis=1) > 0).all()
    assert teacher.asked == 3 * 20 * 6 - others.decided
    assert (others.decided > 0) == opponents


def test_it_is_not_asked_any_more_when_it_teaches_no_more() -> None:
    teacher, chance = ByWhatIsSeen(), np.random.default_rng(0)
    games = Collector([Schema("4A", "both")], Rollout(6, 20, 3), None, teacher)
    play(games, 4, chance)
    games.harvest(0.95)
    asked, games.teaching = teacher.asked, False
    play(games, 4, chance)
    later = games.harvest(0.95)
    assert teacher.asked == asked
    silent = ~later.teacher_probs.any(axis=1)
    assert 0 < (~silent).sum() <= 6 * 4  # carried decisions have their answers
    assert silent.sum() > 60
    without = Collector([Schema("4A", "both")], Rollout(6, 20, 3))
    play(without, 4, chance)
    assert without.harvest(0.95).teacher_probs.shape[1] == 0


# How the learner imitates


def log_of(rows: list[list[float]]) -> Tensor:
    return torch.tensor([[math.log(x) if x else IMPOSSIBLE for x in row] for row in rows])


def test_the_teaching_loss_is_a_cross_entropy_where_something_was_said() -> None:
    chances = log_of([[0.5, 0.25, 0.25, 0.0], [0.1, 0.9, 0.0, 0.0], [0.3, 0.3, 0.4, 0.0]])
    taught = torch.tensor([[0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0] * 4])
    wanted = -(math.log(0.25) + (math.log(0.1) + math.log(0.9)) / 2 + 0) / 3
    assert float(teaching_loss(chances, taught)) == pytest.approx(wanted, rel=1e-5)


def test_the_teaching_loss_stays_finite_where_the_learner_sees_no_chance() -> None:
    scores = torch.tensor([[0.0, 200.0, -200.0, IMPOSSIBLE]], requires_grad=True)
    loss = teaching_loss(scores.log_softmax(1), torch.tensor([[0.5, 0.0, 0.5, 0.0]]))
    (gradient,) = torch.autograd.grad(loss, scores)
    assert float(loss.detach()) == pytest.approx(30)
    assert torch.isfinite(gradient).all()


def test_imitation_fades_evenly() -> None:
    s = Settings(teacher="stopper", teaching=0.2)
    weights = [teaching_weight(s, over) for over in (0.0, 0.05, 0.1, 0.2, 0.7, 1.0)]
    assert weights == pytest.approx([1, 0.75, 0.5, 0, 0, 0])
    assert teaching_weight(Settings(teaching=0.2), 0.0) == 0
    assert teaching_weight(Settings(teacher="stopper", teaching=1.0), 0.5) == 0.5


class Noting(ProcessGroup):
    """A learner that records each gradient and then clears it, so that no weight changes."""

    def __init__(self) -> None:
        super().__init__()
        self.gradients: list[Tensor] = []

    def mean(self, tensors: Iterable[Tensor]) -> None:
        some = list(tensors)
        self.gradients.append(torch.cat([tensor.flatten() for tensor in some]))
        for tensor in some:
            tensor.zero_()


def test_the_gradient_of_imitation_is_weighed_by_what_is_left_of_it() -> None:
    schema = Schema("4A", "both")
    harvest = made_up(schema, 64)
    taught = np.eye(harvest.mask.shape[1], dtype=np.float32)[harvest.mask.argmax(axis=1)]
    harvest = harvest._replace(teacher_probs=taught, advantage=np.zeros_like(harvest.advantage))
    found = []
    for over in (0.0, 0.3, 0.4, 0.9):
        settings = small(
            teacher="stopper", teaching=0.4, entropy=0.0, previous=0.0, value=0.0,
            epochs=1, minibatches=1,
        )  # fmt: skip
        noting = Noting()
        Learner(settings, schema).learn(harvest, over, np.random.default_rng(0), noting)
        found += noting.gradients
    assert float(found[0].norm()) > 0.01
    torch.testing.assert_close(found[1], found[0] / 4)
    assert not found[2].any()
    assert not found[3].any()


def test_the_learner_comes_to_do_as_it_is_taught() -> None:
    schema = Schema("4A", "both")
    harvest = made_up(schema, 128)
    best = harvest.mask.argmax(axis=1)
    taught = np.eye(harvest.mask.shape[1], dtype=np.float32)[best]
    harvest = harvest._replace(teacher_probs=taught, advantage=np.zeros_like(harvest.advantage))
    made = Learner(small(teacher="stopper", learning_rate=1e-2, entropy=0.0), schema)

    def agrees() -> float:
        with torch.no_grad():
            said = made.network(
                torch.from_numpy(harvest.observation), torch.from_numpy(harvest.mask)
            )
        return float(said.log_probs.exp()[np.arange(128), best].mean())

    before, chance = agrees(), np.random.default_rng(0)
    for _ in range(40):
        made.learn(harvest, 0.0, chance)
    assert before < 0.5
    assert agrees() > 0.9


def test_a_run_asks_its_teacher_while_it_teaches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = training(tmp_path, teacher="stopper", teaching=0.5)
    asked: list[float] = []
    kind = type(make_agent("stopper"))
    known = kind.probabilities

    def probabilities(self: Agent, positions: Positions) -> Any:
        asked.append(made.over)
        return known(self, positions)

    monkeypatch.setattr(kind, "probabilities", probabilities)
    made.go()
    assert made.over == 1
    assert 0.2 < max(asked) < 0.5
    assert len(asked) % made.settings.steps == 0
    assert len(asked) < made.updates * made.settings.steps


def test_a_run_without_a_teacher_gets_none_when_it_goes_on(tmp_path: Path) -> None:
    training(tmp_path).save()
    saved = checkpoints.load(tmp_path)
    made = training(tmp_path, teacher="stopper")
    with pytest.raises(MascaradeError, match=facts("no teacher", "leave --teacher")):
        made.restore(copy.deepcopy(saved))


class Even(Agent):
    """An agent that samples a legal action of its view."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal_ids()))

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        found = np.zeros(positions.masks.shape)
        for row, view in zip(found, positions.views, strict=True):
            row[view.legal_ids()] = 1 / len(view.legal_ids())
        return found


@pytest.mark.parametrize("padded", [False, True])
def test_an_agent_written_with_views_can_teach(padded: bool) -> None:
    def even(schema: Schema) -> Policy:
        return fitted(Even(schema.scenario), schema)

    games = Collector([Schema("4A", "both", padded=padded)], Rollout(4, 12, 3), None, even)
    play(games, 12 if padded else 4, np.random.default_rng(0))
    harvest = games.harvest(0.95)
    wanted = harvest.mask / harvest.mask.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(harvest.teacher_probs, wanted, atol=1e-6)


def test_a_teacher_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first position, and later while it is asked in training."""
    (tmp_path / "mine.py").write_text(
        "from mascarade_agents import Agent\n"
        "class Bad(Agent):\n"
        "    def act(self, view, rng):\n        return 0\n"
        "    def probabilities(self, positions):\n"
        "        if len(positions) < 3:\n            return positions.masks\n"
        "        raise KeyError('lost')\n"
        "class Worse(Bad):\n"
        "    def probabilities(self, positions):\n        raise KeyError('lost')\n"
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MascaradeError, match=facts("teacher", "'mine.py:Worse'", "'lost'")):
        training(tmp_path, teacher="mine.py:Worse")
    run = training(tmp_path, teacher="mine.py:Bad")
    with pytest.raises(MascaradeError, match=facts("the teacher", "failed", "'lost'")):
        run.update()
