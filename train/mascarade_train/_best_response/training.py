"""The training of a best response: one player learns among copies of an agent that is frozen."""

import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from mascarade_env._policies.protocol import Policy
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._schema import Schema
from mascarade_train._best_response.settings import Kind, ResponseSettings, kinds
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Learner, win_loss
from mascarade_train._rollouts import LEARNER, Collector, Harvest, Rollout
from mascarade_train._run import checkpoints
from mascarade_train._run.resume import restore_learner
from mascarade_train._settings import Settings, as_json

_POINTS = 40  # of the curve of a training
_SHARPER = 1000.0
_TRACK = "both"  # what agents observe


class Point(NamedTuple):
    """How a training stood: the win share while it learned, by sampled actions."""

    kind: Kind
    decisions: int
    share: float


@dataclass(frozen=True, slots=True)
class Figures:
    """How a training stands.

    Attributes:
        done: the share of all trainings that is over.
        kind: of the training.
        decisions: learned in it.
        rate: decisions learned in a second.
        share: win share in the latest games; NaN before the first has ended.
        fair: what equal players get.
        entropy: of a decision, in nats; NaN before the first update.
    """

    done: float
    kind: Kind
    decisions: int
    rate: float
    share: float
    fair: float
    entropy: float

    def __str__(self) -> str:
        won = "-" if math.isnan(self.share) else f"{self.share:.1%}"
        entropy = "-" if math.isnan(self.entropy) else f"{self.entropy:.2f}"
        return (
            f"{self.done:>4.0%} {self.kind}, {self.decisions / 1e6:.2f}M "
            f"{self.rate / 1e3:.1f}k/s, wins {won} (fair {self.fair:.1%}), "
            f"entropy {entropy}"
        )


class FrozenOpponents:
    """Opponents for a `Collector`: one learner in each game, in the next seat each time.

    Args:
        frozen: holds all other seats; it reads `Schema(scenario, "both")`.

    Attributes:
        numbers: the one opponent has number 0.
    """

    numbers = 1

    def __init__(self, frozen: Policy) -> None:
        self._frozen = frozen
        self._dealt = 0
        self._won, self._games = 0.0, 0

    def seat(self, games: int, players: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return [games, players] the learner once in each row, in all columns equally often."""
        found = np.zeros((games, players), np.int64)
        rows = np.arange(games)
        found[rows, (self._dealt + rows) % players] = LEARNER
        self._dealt += games
        return found

    def policy(self, number: int, schema: Schema) -> Policy:
        """Return the frozen policy."""
        return self._frozen

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Count what the learner has won."""
        self._won += float(shares[seats == LEARNER].sum())
        self._games += len(seats)

    def share(self) -> float:
        """Return the learner's share of the wins since the last call; NaN without games."""
        found = self._won / self._games if self._games else math.nan
        self._won, self._games = 0.0, 0
        return found

    def state(self) -> list[float]:
        """Return all that changes, for a checkpoint."""
        return [self._dealt, self._won, self._games]

    def restore(self, state: Any) -> None:
        """Resume from a `state`."""
        dealt, won, games = state
        self._dealt = checkpoints.count(dealt, "games dealt")
        self._won = checkpoints.number(won, "games won", 0.0, 1e18)
        self._games = checkpoints.count(games, "games played")


class ResponseTraining:
    """A training of a response, from its first game on.

    Args:
        s: the settings of the search.
        kind: which of its trainings.
        scenario: what is played.
        frozen: holds the other seats.
        start: the policy to begin with, if there is one.
    """

    def __init__(
        self,
        s: ResponseSettings,
        kind: Kind,
        scenario: Scenario,
        frozen: Policy,
        start: PolicyFile | None,
    ) -> None:
        torch.set_num_threads(1)  # small networks: more threads only wait for each other
        self.kind = kind
        self.decisions = 0
        self.noted = False  # whether the last update has added to the curve
        self._rng = np.random.default_rng([kind.seed, 1])
        self._due = 0.0  # the share of the budget after which the next point of the curve comes
        self._share = self._entropy = math.nan
        self.curve: list[Point] = []
        self._s = s
        self._schema = Schema(scenario, _TRACK)
        self._opponents = FrozenOpponents(frozen)
        # Of the decisions of n players, one n-th are its own.
        steps = max(round(s.batch * scenario.players / s.games), 1)
        self._learner = Learner(_learning(s, kind, start), self._schema, sees_all=True)
        if start is not None:
            for network in (self._learner.network, self._learner.average):
                network.load_arrays(start.arrays)
        rollout = Rollout(s.games, steps, kind.seed + 1, s.most_worlds, full=True)
        self._games = Collector([self._schema], rollout, self._opponents)

    def updates(self, before: float) -> Iterator[Figures]:
        """Learn until the budget is spent; yield the figures of each update.

        Args:
            before: the share of all trainings that is over already.
        """
        s, rng = self._s, self._rng
        begun, first = time.monotonic(), self.decisions
        while self.decisions < s.decisions:
            harvest = self._games.collect(self._learner.predict, s.trace, rng)
            if not len(harvest.action):
                continue
            over = self.decisions / s.decisions
            self.decisions += len(harvest.action)
            if over < s.warming:
                self._warm(harvest)
            else:
                self._entropy = self._learner.learn(harvest, over, rng).entropy
            self.noted = self.decisions >= self._due * s.decisions
            if self.noted:
                self._due += 1 / _POINTS
                self._share = self._opponents.share()
                if not math.isnan(self._share):
                    self.curve.append(Point(self.kind, self.decisions, self._share))
            done = min(self.decisions / s.decisions, 1.0)
            yield Figures(
                done=before + done / len(kinds(s)),
                kind=self.kind,
                decisions=self.decisions,
                rate=(self.decisions - first) / (time.monotonic() - begun),
                share=self._share,
                fair=1 / self._schema.scenario.players,
                entropy=self._entropy,
            )

    def _warm(self, harvest: Harvest) -> None:
        """Let the critic learn who wins, and change nothing else."""
        learner, s = self._learner, self._s
        assert learner.critic is not None
        full, wins = torch.from_numpy(harvest.full), torch.from_numpy(harvest.wins)
        for _ in range(s.epochs):
            order = torch.from_numpy(self._rng.permutation(len(harvest.action)))
            for picks in order.tensor_split(s.minibatches):
                if len(picks):
                    learner.descend(win_loss(learner.critic(full[picks]), wins[picks]))

    def state(self) -> dict[str, Any]:
        """Return all that it takes to resume, for a checkpoint; of one that is over, its results.

        To be called between updates.
        """
        found: dict[str, Any] = {
            "decisions": self.decisions,
            "curve": [[point.decisions, point.share] for point in self.curve],
            "average": self._learner.average.state_dict(),
        }
        if self.decisions >= self._s.decisions:
            return found
        (games,) = self._games.arrays()
        return found | {
            "learner": self._learner.state(),
            "games": {name: torch.from_numpy(array) for name, array in games.items()},
            "chance": json.dumps(self._rng.bit_generator.state),
            "table": self._opponents.state(),
            "due": self._due,
            "share": None if math.isnan(self._share) else self._share,
        }

    def restore(self, state: Any) -> None:
        """Resume from a `state` of a training that was made alike.

        Raises:
            MascaradeError: it is of another training, or damaged.
        """
        average = self._learner.average
        average.load_state_dict(checkpoints.weights(state["average"], average.state_dict()))
        self.decisions = checkpoints.count(state["decisions"], "decisions")
        self.curve = [
            Point(
                self.kind,
                checkpoints.number(decisions, "a point of the curve", 1, self.decisions),
                checkpoints.number(share, "a point of the curve", 0.0, 1.01),
            )
            for decisions, share in state["curve"]
        ]
        if self.decisions >= self._s.decisions:
            return
        restore_learner(self._learner, state["learner"])
        arrays = {name: checkpoints.as_array(array) for name, array in state["games"].items()}
        self._games.restore([arrays])
        self._rng.bit_generator.state = checkpoints.random_state(state["chance"])
        self._opponents.restore(state["table"])
        self._due = checkpoints.number(state["due"], "due", 0.0, 2.0)
        if state["share"] is not None:
            self._share = checkpoints.number(state["share"], "the share won", 0.0, 1.01)

    def versions(self, agent: str) -> dict[str, PolicyFile]:
        """Return the versions of what was learned, to choose from.

        Args:
            agent: the name of the agent it responds to, for the card.
        """
        settings = as_json(self._s)
        file = PolicyFile.of(
            self._schema,
            self._learner.average.arrays(),
            events=self._learner.network.events,
            provenance={**self.kind._asdict(), "decisions": self.decisions, "settings": settings},
            note=f"A response to {agent}, trained among copies of it.",
        )
        return {"average": file, "average, sharp": sharpened(file)}


def _learning(s: ResponseSettings, kind: Kind, start: PolicyFile | None) -> Settings:
    """Return how the response learns.

    A response need not be hard to exploit, so there is no KL penalty.
    """
    shape: dict[str, Any] = {"layers": s.layers, "events": s.events, "slots": s.slots}
    if start is not None:
        layers = tuple(start.card["layers"])
        shape = {"layers": layers, "events": start.events, "slots": start.slots}
        if start.events:
            shape["embedding"] = start.arrays["tokens"].shape[2]
    return Settings(
        seed=kind.seed,
        epochs=s.epochs,
        minibatches=s.minibatches,
        learning_rate=kind.learning_rate,
        learning_rate_end=s.learning_rate_end,
        entropy=kind.entropy,
        entropy_end=s.entropy_end,
        previous=0.0,
        average=s.average,
        **shape,
    )


def sharpened(file: PolicyFile) -> PolicyFile:
    """Return the network that always takes the action which this one takes most often."""
    arrays = {
        name: array * array.dtype.type(_SHARPER)
        if name.startswith(("policy.", "asked."))
        else array
        for name, array in file.arrays.items()
    }
    return PolicyFile(file.card, arrays)
