"""Self-play by regularised policy gradient: `mascarade train`.

One network plays all seats of many games in parallel and learns from the decisions of all players.
The algorithm is PPO with three additions. Without them, the policy of self-play in a bluffing game
moves in cycles, and is easy to exploit in the end:

- Each decision is credited to the player who made it: lambda-returns follow the decisions of one
  player, and skip those of the others.
- The entropy bonus is several times larger than in other games. It keeps every bluff possible.
- A KL penalty to the policy before the update makes each update a step of magnetic mirror descent
  (Sokota et al., ICLR 2023). A KL penalty to the averaged policy may be added.

The baseline is the predicted probability that the acting player wins. The network predicts one
probability for each seat, and learns them as a classifier does.

The file reads from top to bottom: schedules, losses, `Learner`, `Training`. `_settings.py` has the
settings, `_rollouts.py` the games, `_league.py` the opponents, and `_run/` has checkpoints, logs,
the display and processes.
"""

import copy
import math
import time
from collections.abc import Mapping, Sized
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mascarade_env.game._scenarios import resolve
from mascarade_env.observation._schema import Schema
from mascarade_train._agents import NetworkAgent
from mascarade_train._league import League
from mascarade_train._net_policy import NetPolicy
from mascarade_train._networks import Critic, Network
from mascarade_train._policy_file import PolicyFile
from mascarade_train._rollouts import Collector, Harvest, Rollout
from mascarade_train._run import resume
from mascarade_train._run.display import Display, LearningProgress, display
from mascarade_train._run.examination import examine
from mascarade_train._run.logs import Log
from mascarade_train._run.play_measures import PlayCounter, shares
from mascarade_train._run.processes import ALONE, ProcessGroup
from mascarade_train._run.provenance import commit, versions
from mascarade_train._settings import Settings, as_json, checked, start_policy
from mascarade_train._teacher import teacher_of

# Schedules. `over` is the fraction of the training that is over, 0 to 1.


def learning_rate(s: Settings, over: float) -> float:
    """Return Adam's learning rate."""
    return s.learning_rate * (1 - over * (1 - s.learning_rate_end))


def entropy_weight(s: Settings, over: float) -> float:
    """Return the weight of the entropy bonus."""
    return s.entropy * (1 - over * (1 - s.entropy_end))


def teaching_weight(s: Settings, over: float) -> float:
    """Return the weight of the loss that imitates the teacher; 0 without a teacher."""
    return max(1 - over / s.teaching, 0) if s.teacher else 0.0


# Losses. All are means over the K decisions of a minibatch.


def policy_loss(log_probs: Tensor, before: Tensor, advantage: Tensor, clip: float) -> Tensor:
    """Return PPO's clipped loss.

    Args:
        log_probs: [K] log-probabilities of the actions taken, by the current policy.
        before: [K] log-probabilities of these actions, by the policy that took them.
        advantage: [K] advantages of these actions.
        clip: how far the ratio of the two probabilities may move from 1.
    """
    ratio = (log_probs - before).exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * advantage, clipped * advantage).mean()


def entropy_of(log_probs: Tensor) -> Tensor:
    """Return the mean entropy, in nats, of K action distributions [K, A]."""
    return -(log_probs.exp() * log_probs.clamp(min=-30)).sum(1).mean()


def divergence(log_probs: Tensor, others: Tensor) -> Tensor:
    """Return the mean KL divergence KL(log_probs || others) of K action distributions [K, A]."""
    # Illegal actions have equal values in both. The bound keeps probabilities of 0 finite.
    return (log_probs.exp() * (log_probs - others).clamp(-30, 30)).sum(1).mean()


def win_loss(log_wins: Tensor, wins: Tensor) -> Tensor:
    """Return the mean cross-entropy of predicted log win probabilities [K, P] with win shares."""
    return -(wins * log_wins.clamp(min=-30)).sum(1).mean()


def teaching_loss(log_probs: Tensor, teacher_probs: Tensor) -> Tensor:
    """Return the mean cross-entropy of K action distributions [K, A] with the teacher's.

    A row of zeros in `teacher_probs` adds nothing: the teacher was not asked for that decision.
    """
    return -(teacher_probs * log_probs.clamp(min=-30)).sum(1).mean()


class Losses(NamedTuple):
    """The parts of the loss, each a scalar. All are minimised except the entropy."""

    policy: Tensor
    entropy: Tensor
    divergence: Tensor
    wins: Tensor
    magnet: Tensor
    teaching: Tensor

    def total(self, s: Settings, over: float) -> Tensor:
        """Return the weighted sum to minimise."""
        loss = self.policy - entropy_weight(s, over) * self.entropy
        loss = loss + s.previous * self.divergence + s.value * self.wins
        return loss + s.magnet * self.magnet + teaching_weight(s, over) * self.teaching


# Learning.


class Minibatch(NamedTuple):
    """K decisions of a `Harvest` as tensors."""

    observation: Tensor
    mask: Tensor
    action: Tensor
    log_probs: Tensor
    advantage: Tensor
    wins: Tensor
    held: Tensor
    full: Tensor
    teacher_probs: Tensor


class Update(NamedTuple):
    """Losses averaged over the minibatches of an update, and its learning rate."""

    policy_loss: float
    entropy: float
    divergence: float
    win_loss: float
    learning_rate: float


class Learner:
    """The network, its averaged copy, the critic and the optimiser.

    Args:
        settings: the settings of the training.
        schema: the layout of the observations that the network reads.
        sees_all: whether a separate critic, which sees all masks, predicts the baseline instead of
            the network. Best responses use it, because their opponents do not change.
    """

    def __init__(self, settings: Settings, schema: Schema, *, sees_all: bool = False) -> None:
        s = self.settings = settings
        torch.manual_seed(s.seed)
        self.network = Network(
            schema, s.layers, events=s.events, embedding=s.embedding, slots=s.slots
        )
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.critic = Critic(schema, s.layers) if sees_all else None
        self.weights = list(self.network.parameters())
        if self.critic is not None:
            self.weights += self.critic.parameters()
        self.optimiser = torch.optim.Adam(self.weights, lr=s.learning_rate, eps=1e-5, fused=True)

    def predict(
        self,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        full: NDArray[np.float32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return log-probabilities of actions, [K, A], and win probabilities, [K, P].

        Args:
            observation: [K, D] observations of the acting players.
            mask: [K, A] action masks.
            full: [K, F] full states, which only the critic reads.
        """
        with torch.inference_mode():
            output = self.network(torch.from_numpy(observation), torch.from_numpy(mask))
            log_wins = output.log_wins
            if self.critic is not None:
                log_wins = self.critic(torch.from_numpy(full))
            return output.log_probs.numpy(), log_wins.exp().numpy()

    def learn(
        self,
        harvest: Harvest,
        over: float,
        rng: np.random.Generator,
        group: ProcessGroup = ALONE,
    ) -> Update:
        """Update the weights from the decisions of a window of steps.

        Args:
            harvest: the decisions.
            over: the fraction of the training that is over, 0 to 1.
            rng: shuffles the decisions into minibatches.
            group: the processes that train together.
        """
        s = self.settings
        for parameters in self.optimiser.param_groups:
            parameters["lr"] = learning_rate(s, over)
        advantage = _normalised(harvest.advantage, group)
        decisions = [torch.from_numpy(array) for array in harvest._replace(advantage=advantage)]
        sums, minibatches = torch.zeros(4), 0
        for _ in range(s.epochs):
            order = torch.from_numpy(rng.permutation(len(harvest.action)))
            for picks in order.tensor_split(s.minibatches):
                losses = self._losses(Minibatch(*(array[picks] for array in decisions)))
                self.descend(losses.total(s, over), group)
                # An empty minibatch has no gradient, but `descend` must run: other processes wait.
                if len(picks):
                    sums += torch.stack([part.detach() for part in losses[:4]])
                    minibatches += 1
            with torch.no_grad():
                for averaged, latest in zip(
                    self.average.parameters(), self.network.parameters(), strict=True
                ):
                    averaged.lerp_(latest, s.average)
        policy, entropy, past, wins = (sums / max(minibatches, 1)).tolist()
        return Update(policy, entropy, past, wins, learning_rate(s, over))

    def _losses(self, some: Minibatch) -> Losses:
        # torch adds up gradients in the order of these lines. Another order rounds differently, and
        # a training would no longer repeat exactly.
        s = self.settings
        log_probs, log_wins = self.network(some.observation, some.mask)
        taken = log_probs.gather(1, some.action[:, None])[:, 0]
        before = some.log_probs.gather(1, some.action[:, None])[:, 0]
        none = torch.zeros(())
        wins = win_loss(log_wins, some.wins)
        if self.critic is not None:
            wins = wins + win_loss(self.critic(some.full), some.wins)
        magnet = none
        if s.magnet:
            with torch.no_grad():
                averaged = self.average(some.observation, some.mask).log_probs
            magnet = divergence(log_probs, averaged)
        return Losses(
            policy=policy_loss(taken, before, some.advantage, s.clip),
            entropy=entropy_of(log_probs),
            divergence=divergence(log_probs, some.log_probs),
            wins=wins,
            magnet=magnet,
            teaching=(
                teaching_loss(log_probs, some.teacher_probs)
                if some.teacher_probs.shape[1]
                else none
            ),
        )

    def descend(self, loss: Tensor, group: ProcessGroup = ALONE) -> None:
        """Take a step down the gradient of a loss, averaged over the processes."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        group.mean(weight.grad for weight in self.weights if weight.grad is not None)
        nn.utils.clip_grad_norm_(self.weights, 0.5)
        self.optimiser.step()

    def state(self) -> dict[str, Any]:
        """Return weights and Adam's moments for a checkpoint; `_run.resume` restores them."""
        return {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "critic": None if self.critic is None else self.critic.state_dict(),
            "optimiser": self.optimiser.state_dict()["state"],
        }


def _normalised(advantage: NDArray[np.float32], group: ProcessGroup) -> NDArray[np.float32]:
    """Return advantages scaled to mean 0 and standard deviation 1 over all processes."""
    count, total, squares = group.sum((len(advantage), advantage.sum(), (advantage**2).sum()))
    mean = total / max(count, 1)
    deviation = math.sqrt(max(squares / max(count, 1) - mean**2, 0)) + 1e-8
    return (advantage - mean) / deviation


# The loop.


class Training:
    """A run of self-play. It plays, learns, evaluates, and writes checkpoints and logs.

    Example:
        ```python
        from pathlib import Path

        from mascarade_train import Settings, Training

        folder = Path("runs/first")
        folder.mkdir(parents=True)
        training = Training(Settings(scenario=("4A",), decisions=100_000), folder)
        training.go()
        training.policy().save("first.npz")
        ```

    Args:
        settings: the settings of the run.
        run: the folder of the run, which must exist.
        group: the processes of the run, each of which has its own `Training`.

    Raises:
        MascaradeError: a setting is not valid.
    """

    def __init__(self, settings: Settings, run: Path, group: ProcessGroup = ALONE) -> None:
        torch.set_num_threads(1)  # the networks are so small that more threads are slower
        self.settings = s = checked(settings)
        self.run = run
        self.group = group
        self.schemas = [Schema(resolve(name), s.track, padded=s.padded) for name in s.scenario]
        self.learner = Learner(s, self.schemas[0])
        self.started: Mapping[str, Any] | None = None  # provenance of the policy of --start
        if s.start is not None and s.resume is None:
            policy = start_policy(s, self.schemas[0])
            self.started = dict(policy.card["provenance"])
            for network in (self.learner.network, self.learner.average):
                network.load_arrays(policy.arrays)
        self.league = (
            League(s.league, s.league_every, s.league_keep, s.league_agents, self.learner.network)
            if s.league
            else None
        )
        # Each process has its own games and random numbers; all have the same network.
        self.games = Collector(
            self.schemas,
            Rollout(s.games, s.steps, s.seed + 1_000_003 * (group.rank + 1), s.most_worlds),
            self.league,
            partial(teacher_of, s.teacher) if s.teacher else None,
        )
        self.rng = np.random.default_rng([s.seed, group.rank])
        self.decisions = 0  # learned decisions of all processes
        self.seconds = 0.0  # time of learning, without evaluations
        self.updates = 0
        self.due = s.evaluate_every  # decisions at which the next evaluation is due
        self.examined = True  # whether the last checkpoint was evaluated
        self.win_shares: dict[str, float] = {}  # by agent, in the last evaluation

    @property
    def over(self) -> float:
        """The fraction of the training that is over, 0 to 1."""
        s = self.settings
        timed = 0.0 if s.minutes is None else self.seconds / (60 * s.minutes)
        return min(max(self.decisions / s.decisions, timed), 1.0)

    def go(self, stops: Sized = ()) -> None:
        """Train until the budget is spent, or until a stop signal.

        Args:
            stops: a sized object whose length is the number of stop signals so far.
        """
        counter = PlayCounter(self.schemas[0])
        leads = self.group.leads
        writing = closing(Log(self.run, self.decisions)) if leads else nullcontext()
        with display(visible=leads) as shown, writing as log:
            if not self.examined:  # the run was stopped between a checkpoint and its evaluation
                self._examine(log)
            while self.over < 1 and not self.group.sum([len(stops)])[0]:
                begun = time.monotonic()
                harvest, update = self.update()
                counts = [len(harvest.action), time.monotonic() - begun, *counter.count(harvest)]
                learned, seconds, *play = self.group.sum(counts)
                self.decisions += int(learned)
                self.seconds += seconds / self.group.size
                self.updates += 1
                if self.league is not None:
                    self.league.learned(self.decisions, self.learner.network)
                self._report(update, shares(play), shown, log)
                if self.decisions >= self.due or self.over >= 1:
                    self.due = self.decisions + self.settings.evaluate_every
                    self.examined = False
                    self.save()
                    self._examine(log)
            self.save()

    def update(self) -> tuple[Harvest, Update]:
        """Play a window of steps, and learn from its decisions."""
        s = self.settings
        self.games.teaching = teaching_weight(s, self.over) > 0
        harvest = self.games.collect(self.learner.predict, s.trace, self.rng)
        return harvest, self.learner.learn(harvest, self.over, self.rng, self.group)

    def _report(
        self, update: Update, play: Mapping[str, float], shown: Display, log: Log | None
    ) -> None:
        """Show an update and log it."""
        rate = self.decisions / self.seconds
        shown.show(
            LearningProgress(self.over, self.decisions, rate, update.entropy, play, self.win_shares)
        )
        if log is not None:
            log.learned(self.decisions, self.seconds, update._asdict(), play)
            if self.league is not None:
                log.league(self.decisions, self.league.standing())

    def _examine(self, log: Log | None) -> None:
        """Evaluate the policy in the process that writes the log; the other processes wait."""
        self.examined = True
        if log is None:
            return
        agent = NetworkAgent(self.schemas[0].scenario, NetPolicy(self.policy()))
        scores = examine(agent, self.settings.rungs, self.settings.evaluation, both_ways=False)
        self.win_shares = {name: share.mean for name, share in scores.alone.items()}
        log.examined(self.decisions, self.seconds, scores)

    def policy(self) -> PolicyFile:
        """Return the averaged policy with its card, as `save` writes it."""
        return PolicyFile.of(
            self.schemas[0],
            self.learner.average.arrays(),
            events=self.learner.network.events,
            scenarios=[schema.scenario.name for schema in self.schemas],
            provenance={
                "settings": as_json(self.settings),
                "decisions": self.decisions,
                "seconds": round(self.seconds, 1),
                "versions": versions("torch", "numpy", "numba"),
                "commit": commit(),
                **({} if self.started is None else {"start": self.started}),
            },
        )

    def save(self) -> None:
        """Write the checkpoint and the policy; all processes must call it."""
        resume.save(self)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Resume from a checkpoint.

        Raises:
            MascaradeError: the checkpoint is damaged, or belongs to another run.
        """
        resume.restore(self, saved)
