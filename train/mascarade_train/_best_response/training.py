"""One training of a best response: one player learns against copies of a frozen agent."""

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

_POINTS = 40  # points on the curve of a training
_SHARPER = 1000.0  # factor on scores, after which sampling takes the most probable action
_TRACK = "both"  # the track of the observations that agents get


class Point(NamedTuple):
    """A point of a learning curve: the win share during training, when actions are sampled."""

    kind: Kind
    decisions: int
    share: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a training for the progress line.

    Attributes:
        done: the fraction of all trainings that is over, 0 to 1.
        kind: the settings of this training.
        decisions: learned decisions of this training.
        rate: learned decisions per second.
        share: win share in the latest games; NaN before the first game has ended.
        fair: the win share of equal players, 1/n.
        entropy: mean entropy of a decision, in nats; NaN before the first update.
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
    """Opponents for a `Collector`: the frozen policy holds all seats except one, the learner's.

    The learner moves to the next seat in each game.

    Args:
        frozen: the policy on all other seats; it reads `Schema(scenario, "both")`.
        agent: its name, for errors.

    Attributes:
        numbers: 1, because the only opponent has number 0.
    """

    numbers = 1

    def __init__(self, frozen: Policy, agent: str) -> None:
        self._frozen = frozen
        self._agent = agent
        self._dealt = 0
        self._won, self._games = 0.0, 0

    def seat(self, games: int, players: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the players of new games, [games, players]: one `LEARNER` in each, else 0.

        The learner gets every seat equally often.
        """
        seats = np.zeros((games, players), np.int64)
        rows = np.arange(games)
        seats[rows, (self._dealt + rows) % players] = LEARNER
        self._dealt += games
        return seats

    def name(self, number: int) -> str:
        """Return the name of the frozen agent."""
        return self._agent

    def policy(self, number: int, schema: Schema) -> Policy:
        """Return the frozen policy."""
        return self._frozen

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Add up the learner's win shares in games that have ended."""
        self._won += float(shares[seats == LEARNER].sum())
        self._games += len(seats)

    def share(self) -> float:
        """Return the learner's win share since the last call; NaN if no game has ended."""
        share = self._won / self._games if self._games else math.nan
        self._won, self._games = 0.0, 0
        return share

    def state(self) -> list[float]:
        """Return the counters, for a checkpoint."""
        return [self._dealt, self._won, self._games]

    def restore(self, state: Any) -> None:
        """Restore the counters from a `state`."""
        dealt, won, games = state
        self._dealt = checkpoints.count(dealt, "games dealt")
        self._won = checkpoints.number(won, "games won", 0.0, 1e18)
        self._games = checkpoints.count(games, "games played")


class ResponseTraining:
    """One training of a response.

    Args:
        s: the settings of the search.
        kind: the settings of this training.
        scenario: the scenario to play.
        opponents: the frozen agent on all other seats; use a separate object for each training.
        start: the policy to start from; None for random weights.
    """

    def __init__(
        self,
        s: ResponseSettings,
        kind: Kind,
        scenario: Scenario,
        opponents: FrozenOpponents,
        start: PolicyFile | None,
    ) -> None:
        torch.set_num_threads(1)  # small networks: more threads only wait for each other
        self.kind = kind
        self.decisions = 0
        self.noted = False  # whether the last update has added to the curve
        self._rng = np.random.default_rng([kind.seed, 1])
        self._due = 0.0  # fraction of the budget at which the next point of the curve is due
        self._share = self._entropy = math.nan
        self.curve: list[Point] = []
        self._s = s
        self._schema = Schema(scenario, _TRACK)
        self._opponents = opponents
        # The response makes 1/n of the decisions of n players.
        steps = max(round(s.batch * scenario.players / s.games), 1)
        self._learner = Learner(_learning(s, kind, start), self._schema, sees_all=True)
        if start is not None:
            for network in (self._learner.network, self._learner.average):
                network.load_arrays(start.arrays)
        rollout = Rollout(s.games, steps, kind.seed + 1, s.most_worlds, full=True)
        self._games = Collector([self._schema], rollout, self._opponents)

    def updates(self, before: float) -> Iterator[Figures]:
        """Learn until the budget is spent; yield the figures after each update.

        Args:
            before: the fraction of all trainings that was over before this one.
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
        """Train the critic alone to predict who wins."""
        learner, s = self._learner, self._s
        assert learner.critic is not None
        full, wins = torch.from_numpy(harvest.full), torch.from_numpy(harvest.wins)
        for _ in range(s.epochs):
            order = torch.from_numpy(self._rng.permutation(len(harvest.action)))
            for picks in order.tensor_split(s.minibatches):
                if len(picks):
                    learner.descend(win_loss(learner.critic(full[picks]), wins[picks]))

    def state(self) -> dict[str, Any]:
        """Return everything needed to resume, for a checkpoint. Call it between updates.

        For a finished training, return only its results.
        """
        results: dict[str, Any] = {
            "decisions": self.decisions,
            "curve": [[point.decisions, point.share] for point in self.curve],
            "average": self._learner.average.state_dict(),
        }
        if self.decisions >= self._s.decisions:
            return results
        (games,) = self._games.arrays()
        return results | {
            "learner": self._learner.state(),
            "games": {name: torch.from_numpy(array) for name, array in games.items()},
            "chance": json.dumps(self._rng.bit_generator.state),
            "table": self._opponents.state(),
            "due": self._due,
            "share": None if math.isnan(self._share) else self._share,
        }

    def restore(self, state: Any) -> None:
        """Resume from the `state` of a training with the same arguments.

        Raises:
            MascaradeError: the state is damaged, or belongs to another training.
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

    def versions(self) -> dict[str, PolicyFile]:
        """Return the candidates that this training gives, by version."""
        settings, agent = as_json(self._s), self._opponents.name(0)
        file = PolicyFile.of(
            self._schema,
            self._learner.average.arrays(),
            events=self._learner.network.events,
            provenance={**self.kind._asdict(), "decisions": self.decisions, "settings": settings},
            note=f"A best response to {agent}, trained against copies of it.",
        )
        return {"average": file, "average, sharp": sharpened(file)}


def _learning(s: ResponseSettings, kind: Kind, start: PolicyFile | None) -> Settings:
    """Return the settings of the learner.

    There is no KL penalty, because it does not matter how exploitable a response is.
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
    """Return a network that always takes the most probable action of a given network."""
    arrays = {
        name: array * array.dtype.type(_SHARPER)
        if name.startswith(("policy.", "asked."))
        else array
        for name, array in file.arrays.items()
    }
    return PolicyFile(file.card, arrays)
