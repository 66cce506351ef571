"""Play the games of a training, and collect the decisions that the learner made in them.

`Collector` plays many games in parallel, of one scenario or of several padded ones (with
observations and actions of one width). The learner holds all seats, or shares them with opponents.
The collector asks the learner for probabilities, samples actions, and collects the learner's
decisions with the win shares that followed. It knows the learner only as a function, `Predict`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.protocol import Policy, legal_actions
from mascarade_env._policies.short_errors import faults_of
from mascarade_env.envs._self_play import SelfPlay
from mascarade_env.game._batch import BATCH_WORLD_LIMIT, Batch
from mascarade_env.observation._blocks import FULL
from mascarade_env.observation._schema import Schema

LEARNER = -1  # stands for the learner where opponents have a number

#: Limit of decisions per player in a game of training. A longer game is truncated, and all players
#: share the win. Evaluations truncate games in the same way, with a higher limit.
LONGEST = 250

#: A function that makes the learner's predictions. It takes observations [K, D], action masks
#: [K, A] and full states [K, F] (F = 0 without `Rollout.full`). It returns log-probabilities of
#: actions [K, A] and win probabilities by seat, the acting player's seat first, [K, P].
Predict: TypeAlias = Callable[
    [NDArray[np.float32], NDArray[np.int8], NDArray[np.float32]],
    tuple[NDArray[np.float32], NDArray[np.float32]],
]

#: Bounds (low, high) of numbers in checkpoints, with 0.01 for rounding. A value is 1 for a win, 0
#: for a fair share, and between -1 and 0 for a loss.
_BOUNDS = {
    "value": (-1.01, 1.01), "extra log_chances": (-2e9, 0.01), "extra taught": (0.0, 1.01)
}  # fmt: skip


class Opponents(Protocol):
    """Opponents that hold seats in some games; each has a number."""

    @property
    def numbers(self) -> int:
        """One more than the largest number (id) of any opponent so far."""

    def seat(self, games: int, players: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Choose the players of new games: `LEARNER` or an opponent's number, [games, players]."""

    def name(self, number: int) -> str:
        """Return the name of an opponent, for errors."""

    def policy(self, number: int, schema: Schema) -> Policy:
        """Return the policy of an opponent for observations of this layout."""

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Record games that have ended.

        Args:
            seats: the players of these games, as `seat` returns them, [k, n].
            shares: their win shares, [k, n].
        """


class Rollout(NamedTuple):
    """The settings of a `Collector`.

    Attributes:
        games: games to play in parallel, divided among the scenarios.
        steps: decisions in each game between two harvests.
        seed: the seed of the games.
        most_worlds: limit on the number of worlds (placements of all masks) in a belief.
        full: whether to make full states too, for a critic.
    """

    games: int
    steps: int
    seed: int
    most_worlds: int = BATCH_WORLD_LIMIT
    full: bool = False


class Harvest(NamedTuple):
    """N decisions of the learner.

    Attributes:
        observation: [N, D] observations of the acting players.
        mask: [N, A] action masks, 1 for each legal action.
        action: [N] ids of the actions taken.
        log_probs: [N, A] log-probabilities of all actions at the time of the decision.
        advantage: [N] advantages for the acting player, in win shares.
        wins: [N, P] lambda-returns as win shares by seat, the acting player's seat first.
        held: [N] the acting player's mask, as its column in blocks with a column for each mask.
        full: [N, F] full states; F = 0 unless `Rollout.full`.
        teacher_probs: [N, A] the teacher's action probabilities; a row is 0 if the teacher was not
            asked. [N, 0] without a teacher.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    advantage: NDArray[np.float32]
    wins: NDArray[np.float32]
    held: NDArray[np.int8]
    full: NDArray[np.float32]
    teacher_probs: NDArray[np.float32]


@final
class Collector:
    """Plays games by the learner's probabilities, and collects the learner's decisions.

    Args:
        schemas: the layout of observations for each scenario. All must have the same track. If
            there are several, all must be padded.
        rollout: the number of games, steps and so on.
        opponents: opponents that hold seats in some games; None if the learner holds all seats.
        teacher: a function from a layout of observations to the policy to imitate, which must know
            its action probabilities; None for no teacher.

    Attributes:
        teaching: whether to ask the teacher.
        size: games played in parallel.
        observation: [size, D] observation of the acting player in each game.
        mask: [size, A] action masks.
        full: [size, F] full states.
        finished: number of games that have ended so far.
    """

    def __init__(
        self,
        schemas: Sequence[Schema],
        rollout: Rollout,
        opponents: Opponents | None = None,
        teacher: Callable[[Schema], Policy] | None = None,
    ) -> None:
        self.teaching = teacher is not None
        counts = _divided(rollout.games, len(schemas))
        self._scenarios = [
            _ScenarioGames(
                schema,
                rollout._replace(games=count, seed=rollout.seed + 1000 * number),
                opponents,
                teacher,
            )
            for number, (schema, count) in enumerate(zip(schemas, counts, strict=True))
        ]
        ends = np.cumsum(counts).tolist()
        self._parts = [slice(end - n, end) for end, n in zip(ends, counts, strict=True)]
        self.size = rollout.games
        first = self._scenarios[0]
        self.observation = np.empty((self.size, first.batch.observation.shape[1]), np.float32)
        self.mask = np.empty((self.size, first.batch.num_actions), np.int8)
        self.full = np.empty((self.size, first.full.shape[1]), np.float32)
        self.finished = 0
        self._observe()

    @property
    def ready(self) -> bool:
        """Whether a whole window of steps has been played, so that `harvest` can be called."""
        return self._scenarios[0].play.full

    def collect(self, predict: Predict, trace: float, rng: np.random.Generator) -> Harvest:
        """Play a window of steps, and return the learner's decisions whose outcome is known.

        Args:
            predict: the learner.
            trace: lambda of the lambda-returns, 0 to 1.
            rng: samples opponents and actions.
        """
        while not self.ready:
            self.step(predict, rng)
        return self.harvest(trace)

    def step(self, predict: Predict, rng: np.random.Generator) -> None:
        """Take one decision in each game.

        Args:
            predict: the learner, called for the games in which it acts.
            rng: samples the opponents of new games, and the actions.
        """
        own = np.concatenate([games.seat(rng) for games in self._scenarios])
        log_probs, wins = self._predicted(predict, own)
        # The argmax of probabilities divided by exponential noise is a sample from them.
        noise = np.maximum(rng.standard_exponential(log_probs.shape, np.float32), 1e-30)
        actions = (np.exp(log_probs) / noise).argmax(axis=1)
        for games, part in zip(self._scenarios, self._parts, strict=True):
            self.finished += games.step(
                actions[part], log_probs[part], wins[part], rng, teaching=self.teaching
            )
        self._observe()

    def harvest(self, trace: float) -> Harvest:
        """Return the learner's decisions whose outcome is known.

        Args:
            trace: lambda of the lambda-returns, 0 to 1.
        """
        parts = [games.harvest(trace, self._scenarios[0].seats) for games in self._scenarios]
        if len(parts) == 1:
            return parts[0]
        return Harvest(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def arrays(self) -> list[dict[str, NDArray[Any]]]:
        """Return the state from which `restore` resumes. Call this method after a harvest."""
        return [games.arrays() for games in self._scenarios]

    def restore(self, arrays: Sequence[Mapping[str, NDArray[Any]]]) -> None:
        """Resume from the `arrays` of a collector with the same arguments.

        Restore the opponents before you call this method.

        Raises:
            MascaradeError: the arrays are damaged, or come from games with other settings.
        """
        if len(arrays) != len(self._scenarios):
            raise MascaradeError(
                f"these arrays hold games of {len(arrays)} scenarios, not of "
                f"{len(self._scenarios)}: restore arrays of the same scenarios"
            )
        for games, saved in zip(self._scenarios, arrays, strict=True):
            games.restore(saved)
        self._observe()

    def _predicted(
        self, predict: Predict, own: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the learner's predictions, [size, A] and [size, P]; 0 where an opponent acts."""
        if own.all():
            return predict(self.observation, self.mask, self.full)
        rows = np.flatnonzero(own)
        predicted = predict(self.observation[rows], self.mask[rows], self.full[rows])
        log_probs, wins = (np.zeros((self.size, p.shape[1]), np.float32) for p in predicted)
        log_probs[rows], wins[rows] = predicted
        return log_probs, wins

    def _observe(self) -> None:
        for games, part in zip(self._scenarios, self._parts, strict=True):
            self.observation[part] = games.batch.observation
            self.mask[part] = games.batch.mask
            self.full[part] = games.look()


class _ScenarioGames:
    """The B games of one scenario.

    Attributes:
        batch: the games.
        play: credits each decision to the player who made it.
        seats: P, the number of seats whose win probabilities the learner predicts.
        players_at: [B, n] `LEARNER` or the number of an opponent, for each player.
        unseated: [B] whether the game is new and `seat` has not chosen its opponents yet.
        full: [B, F] full states.
    """

    def __init__(
        self,
        schema: Schema,
        rollout: Rollout,
        opponents: Opponents | None,
        teacher: Callable[[Schema], Policy] | None,
    ) -> None:
        if schema.track == FULL:
            raise MascaradeError(
                "a learner that plays must observe only what players may know: choose the track "
                f"belief, memory or both, not {FULL}"
            )
        self.schema = schema
        self.batch = Batch(
            schema.scenario,
            rollout.games,
            seed=rollout.seed,
            autoreset="disabled",
            track=schema.track,  # type: ignore[arg-type]  # FULL was refused above
            padded=schema.padded,
            most_worlds=rollout.most_worlds,
        )
        self.players = schema.scenario.players
        self.seats = schema.seats
        self._opponents = opponents
        self._teacher = None if teacher is None else teacher(schema)
        self._with_full = rollout.full
        self.full = np.empty((rollout.games, 0), np.float32)
        self.look()
        # The names of these extras are stored in checkpoints, except for those of `_seen`.
        extras: dict[str, DTypeLike] = {
            "log_chances": ("float32", (self.batch.num_actions,)),
            "held": np.int8,
            "own": np.bool_,
        }
        if teacher is not None:
            extras["taught"] = ("float32", (self.batch.num_actions,))
        if rollout.full:
            extras["full"] = ("float32", (self.full.shape[1],))
        longest = LONGEST * self.players
        self.play = SelfPlay(
            self.batch, rollout.steps, everyone=True, extras=extras, longest=longest
        )
        self.players_at = np.full((rollout.games, self.players), LEARNER)
        self.unseated = np.ones(rollout.games, np.bool_)
        self._column = schema.layout["column"][0].astype(np.int8)  # by mask

    def look(self) -> NDArray[np.float32]:
        """Return the full states of the current positions, [B, F]; F = 0 without `Rollout.full`."""
        if self._with_full:
            self.full = self.batch.full_state()
        return self.full

    def seat(self, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Choose the opponents of new games; return whether the learner acts, by game, [B]."""
        if self._opponents is not None and self.unseated.any():
            count = int(self.unseated.sum())
            self.players_at[self.unseated] = self._opponents.seat(count, self.players, rng)
            self.unseated[:] = False
        own: NDArray[np.bool_] = self._acting() == LEARNER
        return own

    def step(
        self,
        actions: NDArray[np.int64],
        log_probs: NDArray[np.float32],
        wins: NDArray[np.float32],
        rng: np.random.Generator,
        *,
        teaching: bool,
    ) -> int:
        """Take one decision in each game; return the number of games that ended."""
        acting = self._acting()
        own = acting == LEARNER
        if self._opponents is not None:
            for number in np.unique(acting[~own]).tolist():
                rows = np.flatnonzero(acting == number)
                actions[rows] = self._answer(self._opponents, number, rows, rng)
        self.play.step(
            actions,
            (self.players * wins[:, : self.players] - 1) / (self.players - 1),
            log_chances=log_probs,
            **self._seen(),
            **self._taught(own if teaching else np.zeros_like(own)),
        )
        over = self.play.terminated | self.play.truncated
        if self._opponents is not None and over.any():
            self._opponents.ended(self.players_at[over], self._shares(self.play.rewards[over]))
        self.unseated = over
        return int(over.sum())

    def _answer(
        self, opponents: Opponents, number: int, rows: NDArray[np.intp], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return the actions of an opponent in some rows; raise its errors as MascaradeError."""
        policy, name = opponents.policy(number, self.schema), f"opponent {opponents.name(number)!r}"
        positions = self.play.histories.positions(rows, policy)
        with faults_of(name):
            answer = policy.act_batch(positions, rng)
        return legal_actions(answer, self.batch, rows, name)

    def harvest(self, trace: float, seats: int) -> Harvest:
        """Return the learner's decisions, with win shares for `seats` seats."""
        decisions = self.play.harvest(discount=1.0, trace=trace)
        if self._opponents is not None:
            decisions = decisions[decisions.extra("own")]
        none = np.empty((len(decisions), 0), np.float32)
        wins = np.zeros((len(decisions), seats), np.float32)
        wins[:, : self.players] = self._shares(decisions.target)
        return Harvest(
            observation=decisions.observation,
            mask=decisions.mask,
            action=decisions.action,
            log_probs=decisions.extra("log_chances"),
            advantage=decisions.advantage * ((self.players - 1) / self.players),
            wins=wins,
            held=decisions.extra("held"),
            full=decisions.extra("full") if self._with_full else none,
            teacher_probs=none if self._teacher is None else decisions.extra("taught"),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state for `restore`; it stores `players_at` under the name `guests`."""
        seen = {f"carried.extra {name}" for name in self._seen()}
        arrays = {name: a for name, a in self.play.arrays().items() if name not in seen}
        return arrays | {"guests": self.players_at.copy(), "unseated": self.unseated.copy()}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Resume from the result of `arrays`, after checking all of it."""
        own = {"guests": self.players_at, "unseated": self.unseated}
        highest = LEARNER if self._opponents is None else self._opponents.numbers - 1
        bounds = {"guests": (LEARNER, highest)} | {
            f"carried.{name}": bounds for name, bounds in _BOUNDS.items()
        }
        if not own.keys() <= saved.keys():
            raise MascaradeError(
                f"these arrays are damaged: {' or '.join(own)} is missing; restore other arrays"
            )
        for name, (low, high) in bounds.items():
            if name in saved and not ((saved[name] >= low) & (saved[name] <= high)).all():
                raise MascaradeError(
                    f"these arrays are damaged: {name} has numbers outside {low} to {high}; "
                    "restore other arrays"
                )
        for name, array in own.items():
            if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
                raise MascaradeError(
                    f"these arrays are of games with other settings: {name} has another shape or "
                    "type; restore arrays of games with the same settings"
                )
            array[...] = saved[name]
        rest = {name: array for name, array in saved.items() if name not in own}
        self.play.restore(rest, self._seen_again)

    def _seen(self) -> dict[str, NDArray[Any]]:
        """Return the extras (data of each decision) that can be computed from the positions."""
        extras: dict[str, NDArray[Any]] = {"held": self._held(), "own": self._acting() == LEARNER}
        return extras | ({"full": self.full} if self._with_full else {})

    def _seen_again(self) -> dict[str, NDArray[Any]]:
        """Return the extras of `_seen` in a replay, after making full states if needed."""
        self.look()
        return self._seen()

    def _acting(self) -> NDArray[np.int64]:
        """Return who acts in each game: `LEARNER`, or the number of an opponent, [B]."""
        acting: NDArray[np.int64] = self.players_at[np.arange(len(self.batch)), self.batch.player]
        return acting

    def _taught(self, rows: NDArray[np.bool_]) -> dict[str, NDArray[np.float32]]:
        """Return the teacher's action probabilities as an extra; 0 where `rows` is False."""
        if self._teacher is None:
            return {}
        taught = np.zeros(self.batch.mask.shape, np.float32)
        if rows.any():
            shown = self.play.histories.positions(np.flatnonzero(rows), self._teacher)
            with faults_of("the teacher"):
                taught[rows] = self._teacher.probabilities(shown)
        return {"taught": taught}

    def _shares(self, returns: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the win shares that correspond to returns."""
        shares = (1 + (self.players - 1) * returns) / self.players
        return np.maximum(shares, 0, dtype=np.float32)  # rounding can make them negative

    def _held(self) -> NDArray[np.int8]:
        """Return the acting player's mask, as its column in blocks by mask, [B]."""
        state, rows = self.batch.state, np.arange(len(self.batch))
        held: NDArray[np.int8] = self._column[
            state["mask_at"][rows, state["seat_of"][rows, self.batch.player]]
        ]
        return held


def _divided(games: int, scenarios: int) -> list[int]:
    """Divide games among scenarios as evenly as possible."""
    if games < scenarios:
        raise MascaradeError(
            f"--games {games} is too small for {scenarios} scenarios, because each needs a game: "
            f"give at least {scenarios}"
        )
    return [games // scenarios + (number < games % scenarios) for number in range(scenarios)]
