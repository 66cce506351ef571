"""Self-play by regularised policy gradient: `mascarade train`.

One network plays all seats of many games at once and learns from what every player has decided.
It is PPO with three additions, without which self-play in a game of bluffing runs in circles and
ends in habits that are easily exploited:

- each decision is credited to who made it, by lambda-returns along that player's own decisions;
- a bonus for entropy, several times what is usual elsewhere, keeps all bluffs possible;
- the policy is pulled to what it was before the update (the KL divergence from the new to the old
  one), which makes the gradient that of magnetic mirror descent (Sokota et al., ICLR 2023); an
  exponential average of the past may pull as well.

The baseline is not a number but who wins: the network tells the probability of every seat, and
learns them as a classifier does. The file reads from top to bottom: settings, losses, `Learner`;
training.py puts it and games (collect.py) together.
"""

import copy
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from mascarade_env._errors import MascaradeError
from mascarade_env.game._batch import WORLD_LIMIT
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema
from mascarade_train._networks import Critic, Network
from mascarade_train._rollouts import Collector, Harvest
from mascarade_train._run import checkpoints
from mascarade_train._run.processes import World


@dataclass(frozen=True, slots=True)
class Settings:
    """Train a network by self-play, and show what it has learned."""

    preset: str = ""
    """Where the settings come from that are not given."""
    scenario: tuple[str, ...] = ("4A",)
    """A name such as 4A (see `mascarade scenarios`) or a .json file; several with --padded."""
    padded: bool = False
    """Observations and actions of one width for all scenarios."""
    track: Track = "both"
    """What players observe: belief, memory or both."""
    decisions: int = 20_000_000
    """Stop after so many learned decisions, counted over all processes."""
    minutes: float | None = None
    """Learn no longer than that; what is planned over the run is planned over this time. A run
    bounded by --decisions alone can be repeated exactly, one bounded by time cannot."""
    seed: int = 0
    """Of the network, the games and all that is drawn."""
    processes: int = 1
    """Processes that learn together, each from games of its own."""

    games: int = 512
    """Games at once in each process."""
    steps: int = 64
    """Decisions in each game between two updates."""
    epochs: int = 3
    """How often each decision is learned from."""
    minibatches: int = 8
    """Parts that an epoch goes through."""
    worlds: int = WORLD_LIMIT
    """Worlds that a belief may have while training before it is thinned and no longer exact. With
    eight players or more, some hundreds make training several times as fast."""
    learning_rate: float = 1e-3
    """Of Adam, at the beginning."""
    learning_rate_end: float = 0.02
    """What is left of it at the end, as a share; it falls evenly."""
    hold: float = 0.0
    """The share of the training over which neither it nor --entropy falls yet. What stays open for
    long and is sharpened late settles less on the customs of its own table."""
    clip: float = 0.2
    """By what share the chance of an action may change before its gradient is cut off."""
    trace: float = 0.8
    """Lambda of the returns."""
    entropy: float = 0.05
    """Weight of the entropy of decisions, beside advantages of deviation 1. 0: naive self-play. The
    shorter a game, the more one decision moves, and the more is right: 0.3 in small-2."""
    entropy_end: float = 0.3
    """What is left of that weight at the end, as a share; it falls evenly."""
    previous: float = 0.1
    """Weight of the KL divergence from the policy to what it was before the update."""
    magnet: float = 0.0
    """Weight of the KL divergence from the policy to the average of its past."""
    average: float = 0.03
    """How far the average of past weights moves at each epoch. It is this average that is saved
    as the policy; with 1 it is the latest."""
    value: float = 0.5
    """Weight of the loss of the winning probabilities."""
    belief: float = 0.0
    """Weight of the loss of a further head that learns where the masks lie; 0 for no such head."""
    critic: Literal["player", "table"] = "player"
    """Whose winning probabilities are the baseline: what the player may know, or a network apart
    that sees all masks while training."""

    start: Path | None = None
    """A policy to begin with instead of chance: the folder of a run, or a policy file. It has to be
    one for these observations, with layers as wide."""
    teacher: str | None = None
    """An agent that is imitated at first, wherever the learner comes, such as stopper."""
    teaching: float = 0.1
    """The share of the training over which that fades."""

    layers: tuple[int, ...] = (128, 128)
    """Widths of the layers."""
    events: int = 16
    """How many of the last events are read; the window holds 32."""
    embedding: int = 8
    """The length of the vector that an event is read as."""
    slots: int = 0
    """Width of a layer that reads each seat and slot by the same weights; 0 for none. It learns
    sooner whom to aim at, and a quarter fewer decisions a second."""

    league: float = 0.0
    """The share of games with guests: frozen snapshots of the learner, or --league-agents."""
    league_every: int = 1_000_000
    """Decisions between two snapshots."""
    league_keep: int = 20
    """Snapshots at most; then the one that is beaten most easily leaves."""
    league_agents: tuple[str, ...] = ()
    """Agents that are guests too, such as stopper."""

    evaluate_every: int = 2_000_000
    """Decisions between two evaluations, each of which writes a checkpoint too."""
    evaluation: int = 400
    """Games of each kind in an evaluation."""
    rungs: tuple[str, ...] = ("sceptic", "stopper")
    """Agents that it meets in evaluations while it trains; at the end it meets the whole ladder.
    Without a name behind the flag it meets nobody."""
    name: str | None = None
    """Of the run's folder, with a number added if it exists."""
    folder: Path = Path("runs")
    """Where the folders of runs are."""
    resume: Path | None = None
    """The folder of a run that is to go on, with its settings unless others are given."""


def teaching_weight(s: Settings, over: float) -> float:
    """How much imitation of the teacher counts, when a share of the training is over."""
    return max(1 - over / s.teaching, 0) if s.teacher else 0.0


def scheduled(s: Settings, over: float) -> tuple[float, float]:
    """The learning rate and the weight of the entropy, when a share of the training is over."""
    fallen = max(over - s.hold, 0) / max(1 - s.hold, 1e-9)
    rate = s.learning_rate * (1 - fallen * (1 - s.learning_rate_end))
    return rate, s.entropy * (1 - fallen * (1 - s.entropy_end))


# Losses. All are means over the decisions of a minibatch.


def policy_loss(now: Tensor, before: Tensor, advantage: Tensor, clip: float) -> Tensor:
    """PPO's clipped loss.

    Args:
        now: [K] the logarithm of the chance of the action that was taken.
        before: [K] the same when it was taken.
        advantage: [K].
        clip: by what share the chance may change.
    """
    ratio = (now - before).exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * advantage, clipped * advantage).mean()


def entropy_of(log_chances: Tensor) -> Tensor:
    """The entropy of policies [K, A], in nats."""
    return -(log_chances.exp() * log_chances.clamp(min=-30)).sum(1).mean()


def divergence(log_chances: Tensor, others: Tensor) -> Tensor:
    """The KL divergence from policies [K, A] to others."""
    # Where an action is illegal both are the same; the bound is for chances that have become 0.
    return (log_chances.exp() * (log_chances - others).clamp(-30, 30)).sum(1).mean()


def win_loss(log_wins: Tensor, shares: Tensor) -> Tensor:
    """The cross-entropy of winning probabilities [K, P] with the shares that were won."""
    return -(shares * log_wins.clamp(min=-30)).sum(1).mean()


def belief_loss(log_beliefs: Tensor, truth: Tensor) -> Tensor:
    """The cross-entropy of beliefs [K, slots, masks] with the masks [K, slots], -1 for none."""
    return nn.functional.nll_loss(
        log_beliefs.flatten(0, 1), truth.flatten().long(), ignore_index=-1
    )


def teaching_loss(log_chances: Tensor, taught: Tensor) -> Tensor:
    """The cross-entropy of policies [K, A] with the chances of a teacher; 0 where it was silent."""
    return -(taught * log_chances.clamp(min=-30)).sum(1).mean()


class Update(NamedTuple):
    """What an update has shown, on average over its minibatches."""

    policy_loss: float
    entropy: float
    divergence: float
    win_loss: float
    belief_loss: float
    learning_rate: float


class Learner:
    """The network and all that changes with it.

    Args:
        settings: how it learns.
        schemas: of what it observes, one for each scenario.
    """

    def __init__(self, settings: Settings, schemas: list[Schema]) -> None:
        s = self.settings = settings
        torch.manual_seed(s.seed)
        self.network = Network(
            schemas[0],
            s.layers,
            events=s.events,
            embedding=s.embedding,
            slots=s.slots,
            believing=s.belief > 0,
        )
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.critic = Critic(schemas[0], s.layers) if s.critic == "table" else None
        weights = list(self.network.parameters())
        if self.critic is not None:
            weights += self.critic.parameters()
        self._weights = weights
        self.optimiser = torch.optim.Adam(weights, lr=s.learning_rate, eps=1e-5, fused=True)

    def says(self, games: Collector, chance: np.random.Generator) -> tuple[Any, Any]:
        """[B, A] the logarithms of the chances of actions, [B, P] who wins; 0 for guests.

        Args:
            games: in which it decides.
            chance: draws the guests.
        """
        own = games.own(chance)
        rows: Any = slice(None) if own.all() else np.flatnonzero(own)
        with torch.inference_mode():
            said = self.network(
                torch.from_numpy(games.observation[rows]), torch.from_numpy(games.mask[rows])
            )
            log_wins = said.log_wins
            if self.critic is not None:
                log_wins = self.critic(torch.from_numpy(games.full[rows]))
            found = said.log_chances.numpy(), log_wins.exp().numpy()
        if own.all():
            return found
        everywhere = tuple(np.zeros((games.size, part.shape[1]), np.float32) for part in found)
        for whole, part in zip(everywhere, found, strict=True):
            whole[rows] = part
        return everywhere[0], everywhere[1]

    def learn(
        self, harvest: Harvest, over: float, chance: np.random.Generator, world: World
    ) -> Update:
        """Learn from some decisions.

        Args:
            harvest: the decisions.
            over: the share of the training that is over, for what changes with it.
            chance: draws the minibatches.
            world: who else learns.
        """
        s = self.settings
        rate, openness = scheduled(s, over)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        count, total, squares = world.sum(
            (len(harvest.action), harvest.advantage.sum(), (harvest.advantage**2).sum())
        )
        mean = total / max(count, 1)
        deviation = math.sqrt(max(squares / max(count, 1) - mean**2, 0)) + 1e-8
        given = [torch.from_numpy(array) for array in harvest]
        found, learned = torch.zeros(5), 0
        for _ in range(s.epochs):
            order = torch.from_numpy(chance.permutation(len(harvest.action)))
            for picks in order.tensor_split(s.minibatches):
                some = [array[picks] for array in given]
                parts = self._losses(some, mean, deviation)
                self._step(self._weighed(parts, openness, over), world)
                if len(picks):  # else it has no gradient, but other processes wait for it
                    found += torch.stack([part.detach() for part in parts[:5]])
                    learned += 1
            with torch.no_grad():
                for kept, new in zip(
                    self.average.parameters(), self.network.parameters(), strict=True
                ):
                    kept.lerp_(new, s.average)
        policy, entropy, past, won, belief = (found / max(learned, 1)).tolist()
        return Update(policy, entropy, past, won, belief, rate)

    def learn_wins(self, harvest: Harvest, chance: np.random.Generator) -> None:
        """Let the critic that sees the table learn who wins, and nothing else change."""
        assert self.critic is not None
        full, wins = torch.from_numpy(harvest.full), torch.from_numpy(harvest.wins)
        for _ in range(self.settings.epochs):
            order = torch.from_numpy(chance.permutation(len(harvest.action)))
            for picks in order.tensor_split(self.settings.minibatches):
                if len(picks):
                    self._step(win_loss(self.critic(full[picks]), wins[picks]), World())

    def _losses(self, some: list[Tensor], mean: float, deviation: float) -> tuple[Tensor, ...]:
        """Of the policy, its entropy, the past, wins, beliefs, the average, the teacher."""
        s = self.settings
        observation, mask, action, before, advantage, wins, truth, full, taught = some
        said = self.network(observation, mask)
        now = said.log_chances.gather(1, action[:, None])[:, 0]
        then = before.gather(1, action[:, None])[:, 0]
        none = torch.zeros(())
        won = win_loss(said.log_wins, wins)
        if self.critic is not None:
            won = won + win_loss(self.critic(full), wins)
        magnet = none
        if s.magnet:
            with torch.no_grad():
                past = self.average(observation, mask).log_chances
            magnet = divergence(said.log_chances, past)
        return (
            policy_loss(now, then, (advantage - mean) / deviation, s.clip),
            entropy_of(said.log_chances),
            divergence(said.log_chances, before),
            won,
            none if said.log_beliefs is None else belief_loss(said.log_beliefs, truth),
            magnet,
            teaching_loss(said.log_chances, taught) if taught.shape[1] else none,
        )

    def _weighed(self, parts: tuple[Tensor, ...], openness: float, over: float) -> Tensor:
        s = self.settings
        policy, entropy, past, won, belief, magnet, taught = parts
        loss = policy - openness * entropy + s.previous * past + s.value * won
        return loss + s.belief * belief + s.magnet * magnet + teaching_weight(s, over) * taught

    def _step(self, loss: Tensor, world: World) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        world.mean(weight.grad for weight in self._weights if weight.grad is not None)
        nn.utils.clip_grad_norm_(self._weights, 0.5)
        self.optimiser.step()

    def state(self) -> dict[str, Any]:
        """Return all that changes, for a checkpoint."""
        return {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "critic": None if self.critic is None else self.critic.state_dict(),
            "optimiser": self.optimiser.state_dict()["state"],
        }

    def restore(self, state: Any) -> None:
        """Resume from the `state` of a learner that was made alike.

        Raises:
            MascaradeError: it is of another network, or damaged. Nothing has changed.
        """
        if not isinstance(state, dict):
            raise checkpoints.damaged("the learner", state)
        networks: dict[str, nn.Module] = {"network": self.network, "average": self.average}
        if self.critic is not None:
            networks["critic"] = self.critic
        elif state["critic"] is not None:
            raise MascaradeError(
                "the checkpoint is of another network; leave its settings as they were (it has a "
                "critic)"
            )
        found = {
            name: checkpoints.weights(state[name], network.state_dict())
            for name, network in networks.items()
        }
        moments = self._moments(state["optimiser"])
        for name, network in networks.items():
            network.load_state_dict(found[name])
        # The groups of the optimiser are as they were made: each update sets their learning rate.
        groups = self.optimiser.state_dict()["param_groups"]
        self.optimiser.load_state_dict({"state": moments, "param_groups": groups})

    def _moments(self, found: Any) -> dict[int, dict[str, Tensor]]:
        """What Adam remembers of each weight that has had a gradient, if it is that."""
        if not isinstance(found, dict) or not found.keys() <= set(range(len(self._weights))):
            raise checkpoints.damaged("what the optimiser remembers", found)
        for number, moments in found.items():
            weight = self._weights[number].detach()
            own = {"step": torch.zeros(()), "exp_avg": weight, "exp_avg_sq": weight}
            checkpoints.weights(moments, own)
            for name in ("step", "exp_avg_sq"):
                if (moments[name] < 0).any():
                    raise checkpoints.damaged(f"{name} of the optimiser", moments[name])
        return found
