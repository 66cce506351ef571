"""The losses, against numbers worked out by hand, and the steps that a learner takes."""

import copy
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from mascarade_env import MascaradeError, Schema
from mascarade_train._networks import IMPOSSIBLE
from mascarade_train._ppo import (
    Learner,
    Update,
    divergence,
    entropy_of,
    entropy_weight,
    learning_rate,
    policy_loss,
    teaching_loss,
    win_loss,
)
from mascarade_train._rollouts import Harvest
from mascarade_train._run.processes import ProcessGroup
from mascarade_train._run.resume import restore_learner
from mascarade_train._settings import Settings
from tests.mascarade_train.small_runs import made_up, small
from tests.messages import facts


def log_of(rows: list[list[float]]) -> Tensor:
    """Log-probabilities of a network: far below 0 where the probability is 0."""
    return torch.tensor([[math.log(x) if x else IMPOSSIBLE for x in row] for row in rows])


# Losses


@pytest.mark.parametrize(
    ("before", "now", "advantage", "loss", "slope"),
    [
        (0.5, 0.55, 2.0, -2.2, -2.2),  # within the bounds: the ratio times the advantage
        (0.5, 0.45, -1.0, 0.9, 0.9),
        (0.5, 0.9, 2.0, -2.4, 0.0),  # a good action, clipped at 1.2
        (0.5, 0.3, -1.0, 0.8, 0.0),  # a bad action, clipped at 0.8
        (0.5, 0.3, 2.0, -1.2, -1.2),  # but not clipped in the direction back to the old policy
        (0.5, 0.9, -1.0, 1.8, 1.8),
    ],
)
def test_the_policy_loss_is_clipped_on_the_side_of_the_gain(
    before: float, now: float, advantage: float, loss: float, slope: float
) -> None:
    chance = torch.tensor([math.log(now)], requires_grad=True)
    found = policy_loss(chance, torch.tensor([math.log(before)]), torch.tensor([advantage]), 0.2)
    found.backward()  # type: ignore[no-untyped-call]
    assert chance.grad is not None
    assert float(found.detach()) == pytest.approx(loss, rel=1e-5)
    assert float(chance.grad) == pytest.approx(slope, rel=1e-5)


def test_the_policy_loss_is_a_mean() -> None:
    now, before = torch.log(torch.tensor([[0.55, 0.9], [0.5, 0.5]]))
    found = policy_loss(now, before, torch.tensor([2.0, 2.0]), 0.2)
    assert float(found) == pytest.approx((-2.2 - 2.4) / 2, rel=1e-5)


def test_entropy_counts_legal_actions_alone() -> None:
    chances = log_of([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    assert float(entropy_of(chances)) == pytest.approx(math.log(2) / 2)
    assert float(entropy_of(log_of([[0.2, 0.3, 0.5]]))) == pytest.approx(
        -sum(p * math.log(p) for p in (0.2, 0.3, 0.5))
    )


def test_divergence_is_from_the_first_to_the_second() -> None:
    """KL(p, q) = sum p log p/q, to which an illegal action adds nothing."""
    p, q = log_of([[0.9, 0.1, 0.0]]), log_of([[0.5, 0.5, 0.0]])
    there = 0.9 * math.log(1.8) + 0.1 * math.log(0.2)
    back = 0.5 * math.log(1 / 1.8) + 0.5 * math.log(5)
    assert float(divergence(p, q)) == pytest.approx(there, rel=1e-5)
    assert float(divergence(q, p)) == pytest.approx(back, rel=1e-5)
    assert abs(there - back) > 0.1
    assert float(divergence(p, p)) == 0


def test_gradients_stay_finite_where_there_is_no_chance() -> None:
    """Illegal actions, and actions with a probability of almost 0."""
    scores = torch.tensor([[0.0, 200.0, -200.0, IMPOSSIBLE]], requires_grad=True)
    log_probs = scores.log_softmax(1)
    past = torch.tensor([[0.0, -200.0, 200.0, IMPOSSIBLE]]).log_softmax(1)
    for loss in (entropy_of(log_probs), divergence(log_probs, past)):
        (gradient,) = torch.autograd.grad(loss, scores, retain_graph=True)
        assert torch.isfinite(loss)
        assert torch.isfinite(gradient).all()
        assert float(gradient[0, 3]) == 0


def test_the_win_loss_is_a_cross_entropy_with_shares() -> None:
    wins = log_of([[0.5, 0.25, 0.25, 0.0], [0.1, 0.9, 0.0, 0.0]])
    shares = torch.tensor([[0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])
    wanted = -(math.log(0.25) + (math.log(0.1) + math.log(0.9)) / 2) / 2
    assert float(win_loss(wins, shares)) == pytest.approx(wanted, rel=1e-5)


# Learning


def learner(*, sees_all: bool = False, **changes: Any) -> Learner:
    s = small(**changes)
    return Learner(s, Schema(s.scenario[0], s.track, padded=s.padded), sees_all=sees_all)


def learned(made: Learner, harvest: Harvest, times: int = 1, over: float = 0.0) -> Update:
    chance = np.random.default_rng(0)
    for _ in range(times):
        update = made.learn(harvest, over, chance)
    return update


def says(made: Learner, harvest: Harvest) -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        said = made.network(torch.from_numpy(harvest.observation), torch.from_numpy(harvest.mask))
    return said.log_probs, said.log_wins


def from_its_own(made: Learner, harvest: Harvest) -> Harvest:
    """The same decisions as if this learner had made them."""
    return harvest._replace(log_probs=says(made, harvest)[0].numpy())


def taken(log_probs: Tensor, harvest: Harvest) -> Tensor:
    return log_probs.gather(1, torch.from_numpy(harvest.action)[:, None])[:, 0]


@pytest.fixture(scope="module")
def harvest() -> Harvest:
    return made_up(Schema("4A", "both"), 128)


def test_what_went_well_is_done_more_often(harvest: Harvest) -> None:
    made = learner(entropy=0.0, previous=0.0, learning_rate=1e-3)
    given = from_its_own(made, harvest)
    before = taken(says(made, given)[0], given)
    learned(made, given, 30)
    change = (taken(says(made, given)[0], given) - before).exp()
    better = torch.from_numpy(given.advantage > 0.5)
    worse = torch.from_numpy(given.advantage < -0.5)
    assert change[better].mean() > 1.1
    assert change[worse].mean() < 0.9


def test_the_weight_of_the_past_holds_it_back(harvest: Harvest) -> None:
    moved = []
    for weight in (0.0, 100.0):
        made = learner(previous=weight, entropy=0.0)
        given = from_its_own(made, harvest)
        learned(made, given, 20)
        moved.append(float(divergence(says(made, given)[0], torch.from_numpy(given.log_probs))))
    assert moved[1] < moved[0] / 20


def test_entropy_makes_it_do_anything(harvest: Harvest) -> None:
    changes = []
    for weight in (0.0, 10.0):
        made = learner(entropy=weight, previous=0.0, learning_rate=1e-2)
        with torch.no_grad():
            made.network.policy.weight.normal_(0, 3)
        before = float(entropy_of(says(made, harvest)[0]))
        learned(made, from_its_own(made, harvest), 30)
        changes.append(float(entropy_of(says(made, harvest)[0])) - before)
    assert changes[0] < 0.1
    assert changes[1] > 0.3


@pytest.mark.parametrize("sees_all", [False, True])
def test_it_learns_who_wins(harvest: Harvest, sees_all: bool) -> None:
    made = learner(sees_all=sees_all, entropy=0.0, learning_rate=1e-2)
    wins = np.zeros_like(harvest.wins)
    wins[:, 2] = 1
    given = harvest._replace(wins=wins, advantage=np.zeros_like(harvest.advantage))
    first, last = learned(made, given), learned(made, given, 20)
    assert first.win_loss == pytest.approx(math.log(4) * (1 + sees_all), rel=0.3)
    assert last.win_loss < 0.1
    with torch.no_grad():
        if made.critic is not None:
            assert (made.critic(torch.from_numpy(given.full)).argmax(1) == 2).all()
    assert (says(made, given)[1].argmax(1) == 2).all()


def test_advantages_are_taken_in_deviations_of_all(harvest: Harvest) -> None:
    """The scale and level of advantages do not matter."""
    states = []
    for scale, level in ((1.0, 0.0), (64.0, 8.0)):
        made = learner()
        advantage = (harvest.advantage * scale + level).astype(np.float32)
        learned(made, harvest._replace(advantage=advantage))
        states.append(made.network.policy.weight.detach())
    torch.testing.assert_close(*states, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(("over", "weight"), [(0.0, 0.4), (0.5, 0.25), (1.0, 0.1)])
def test_the_learning_rate_and_the_entropy_fall_evenly(over: float, weight: float) -> None:
    s = Settings(entropy=0.4, entropy_end=0.25, learning_rate=0.8, learning_rate_end=0.25)
    assert learning_rate(s, over) == pytest.approx(2 * weight)
    assert entropy_weight(s, over) == pytest.approx(weight)


class Noting(ProcessGroup):
    """A learner that records its first gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.gradient: list[Tensor] = []

    def mean(self, tensors: Iterable[Tensor]) -> None:
        some = [tensor.clone() for tensor in tensors]
        self.gradient = self.gradient or some


def test_the_loss_is_the_sum_of_its_parts(harvest: Harvest) -> None:
    """Each loss has its weight, half-way through training; the old policy is second in the KL."""
    made = learner(
        sees_all=True, magnet=0.6, teacher="stopper", entropy=0.2, entropy_end=0.5, previous=0.3,
        value=0.7, teaching=1.0, epochs=1, minibatches=1,
    )  # fmt: skip
    with torch.no_grad():
        made.network.policy.weight.normal_(0, 1)
    taught = np.eye(harvest.mask.shape[1], dtype=np.float32)[harvest.mask.argmax(axis=1)]
    given = harvest._replace(teacher_probs=taught)
    h = [torch.from_numpy(array) for array in given]
    said, critic = made.network(h[0], h[1]), made.critic
    assert critic is not None
    advantage = (h[4] - h[4].mean()) / h[4].std(correction=0)
    before = h[3].gather(1, h[2][:, None])[:, 0]
    loss = (
        policy_loss(taken(said.log_probs, given), before, advantage, 0.2)
        - 0.2 * 0.75 * entropy_of(said.log_probs)
        + 0.3 * divergence(said.log_probs, h[3])
        + 0.7 * (win_loss(said.log_wins, h[5]) + win_loss(critic(h[7]), h[5]))
        + 0.6 * divergence(said.log_probs, made.average(h[0], h[1]).log_probs)
        + 0.5 * teaching_loss(said.log_probs, h[8])
    )
    weights = [*made.network.parameters(), *critic.parameters()]
    wanted = torch.autograd.grad(loss, weights)
    noting = Noting()
    made.learn(given, 0.5, np.random.default_rng(0), noting)
    torch.testing.assert_close(noting.gradient, list(wanted), rtol=1e-3, atol=1e-5)


class WithOthers(Noting):
    """Another process has the same number of decisions, all with an advantage lower by 3."""

    def sum(self, numbers: Iterable[float]) -> list[float]:
        count, total, squares = numbers
        return [2 * count, 2 * total - 3 * count, 2 * squares - 6 * total + 9 * count]


def test_level_and_scale_of_advantages_are_those_of_all_processes(harvest: Harvest) -> None:
    made = learner(entropy=0.0, previous=0.0, value=0.0, epochs=1, minibatches=1)
    given = from_its_own(made, harvest)
    here = torch.from_numpy(given.advantage)
    everywhere = torch.cat([here, here - 3])
    advantage = (here - everywhere.mean()) / everywhere.std(correction=0)
    now = taken(made.network(*map(torch.from_numpy, given[:2])).log_probs, given)
    loss = policy_loss(now, now.detach(), advantage, 0.2)
    (wanted,) = torch.autograd.grad(loss, [made.network.policy.weight])
    world = WithOthers()
    made.learn(given, 0.0, np.random.default_rng(0), world)
    found = next(part for part in world.gradient if part.shape == wanted.shape)
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("sees_all", [False, True])
def test_the_baseline_is_of_the_critic_if_there_is_one(harvest: Harvest, sees_all: bool) -> None:
    made = learner(sees_all=sees_all)
    with torch.no_grad():
        made.network.wins.bias[1] = 20
        if made.critic is not None:
            made.critic.wins.bias[2] = 20
    log_probs, wins = made.predict(harvest.observation, harvest.mask, harvest.full)
    assert (wins.argmax(axis=1) == (2 if sees_all else 1)).all()
    np.testing.assert_allclose(wins.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(log_probs, says(made, harvest)[0].numpy())


def test_no_step_is_of_more_than_a_bounded_gradient(harvest: Harvest) -> None:
    """The gradient is clipped, even for a huge loss: Adam's first moment shows it."""
    made = learner(value=1e4, epochs=1, minibatches=1)
    learned(made, harvest)
    moments = [state["exp_avg"].flatten() / 0.1 for state in made.optimiser.state.values()]
    assert float(torch.cat(moments).norm()) == pytest.approx(0.5, rel=1e-3)


class Standstill(ProcessGroup):
    """Other processes whose gradients make the mean 0."""

    def mean(self, tensors: Iterable[Tensor]) -> None:
        for tensor in tensors:
            tensor.zero_()


def test_a_step_is_that_of_the_mean_gradient(harvest: Harvest) -> None:
    made = learner(sees_all=True)
    before = copy.deepcopy(made.state())
    made.learn(harvest, 0.0, np.random.default_rng(0), Standstill())
    for part in ("network", "critic"):
        for name, array in made.state()[part].items():
            assert torch.equal(array, before[part][name]), name


def test_the_average_follows_at_each_epoch(harvest: Harvest) -> None:
    made = learner(average=0.25, epochs=1)
    first = made.network.policy.weight.detach().clone()
    torch.testing.assert_close(made.average.policy.weight, first, rtol=0, atol=0)
    learned(made, harvest)
    now = made.network.policy.weight.detach()
    assert not torch.equal(first, now)
    torch.testing.assert_close(made.average.policy.weight, 0.75 * first + 0.25 * now)
    latest = learner(average=1.0)
    learned(latest, harvest)
    torch.testing.assert_close(latest.average.policy.weight, latest.network.policy.weight)


def test_the_average_moves_as_often_as_all_is_learned_from(harvest: Harvest) -> None:
    thrice, once = learner(average=0.25, epochs=3), learner(average=0.25, epochs=1)
    learned(thrice, harvest)
    learned(once, harvest, 3)
    assert torch.equal(thrice.network.policy.weight, once.network.policy.weight)
    assert torch.equal(thrice.average.policy.weight, once.average.policy.weight)


def test_the_magnet_pulls_to_the_average(harvest: Harvest) -> None:
    moved = []
    for weight in (0.0, 100.0):
        made = learner(magnet=weight, previous=0.0, entropy=0.0, average=0.0)
        given = from_its_own(made, harvest)
        learned(made, given, 20)
        moved.append(float(divergence(says(made, given)[0], torch.from_numpy(given.log_probs))))
    assert moved[1] < moved[0] / 20


def test_the_rate_falls_evenly(harvest: Harvest) -> None:
    made = learner(learning_rate=0.01, learning_rate_end=0.2)
    rates = [learned(made, harvest, over=over).learning_rate for over in (0.0, 0.5, 1.0)]
    assert rates == pytest.approx([0.01, 0.006, 0.002])
    assert made.optimiser.param_groups[0]["lr"] == rates[-1]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_decisions_or_none_do_no_harm(harvest: Harvest, count: int) -> None:
    """A short window may have no decision with a known outcome, or fewer than minibatches."""
    made = learner(minibatches=8, sees_all=True, magnet=0.1)
    update = learned(made, Harvest._make(array[:count] for array in harvest))
    assert all(math.isfinite(number) for number in update)
    assert all(torch.isfinite(weight).all() for weight in made.network.parameters())
    assert (update.entropy > 0) == (count > 0)


def test_restored_it_goes_on_as_it_would_have(harvest: Harvest) -> None:
    made, other = learner(sees_all=True), learner(sees_all=True, seed=5)
    learned(made, harvest, 2)
    restore_learner(other, copy.deepcopy(made.state()))  # as through a file
    for one in (made, other):
        learned(one, harvest, 2)
    for name, array in made.network.state_dict().items():
        assert torch.equal(array, other.network.state_dict()[name]), name
    for name, array in made.average.state_dict().items():
        assert torch.equal(array, other.average.state_dict()[name]), name
    assert made.critic is not None
    assert other.critic is not None
    assert torch.equal(made.critic.wins.weight, other.critic.wins.weight)


@pytest.mark.parametrize(
    "changes",
    [
        {"layers": (17,)},
        {"layers": (16, 16)},
        {"events": 4},
        {"sees_all": True},
        {"scenario": ("6A",)},
        {"track": "belief"},
    ],
    ids=str,
)
def test_another_network_is_not_restored(changes: dict[str, Any]) -> None:
    with pytest.raises(MascaradeError, match=facts("another network")):
        restore_learner(learner(**changes), learner().state())
    with pytest.raises(MascaradeError, match=facts("another network")):
        restore_learner(learner(), learner(**changes).state())
