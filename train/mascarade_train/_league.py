"""Who else sits at the tables: frozen snapshots of the learner, and agents by name.

In self-play alone a learner may forget how to answer what it did long ago. A league keeps the past
at the table: in some of the games an opponent holds some of the seats. Opponents are drawn by how
hard they are, those who take more than their share from the learner most often (prioritised
fictitious self-play, as in Vinyals et al., Nature 575, 2019, here with win shares of any number of
players).
"""

import copy
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._policies.names import fitted_by_name
from mascarade_env._policies.protocol import Policy, Positions
from mascarade_env.game._scenarios import MAX_PLAYERS
from mascarade_env.observation._schema import Schema
from mascarade_train._networks import Network
from mascarade_train._rollouts import LEARNER
from mascarade_train._run import checkpoints

_MEMORY = 200.0  # games that the learner's share against an opponent is averaged over
_TAKEN = 10.0  # fair games that an opponent begins with
_HARD = 2.0  # how sharply hard opponents are preferred


class _Opponent:
    """An opponent, and how the learner fares against it.

    Args:
        name: for the log; of an agent too, unless there is a snapshot.
        snapshot: what the learner was, if the opponent is that.

    Attributes:
        fared: the learner's mean share of the win at tables with it, 1 being the fair share. It
            begins with some games that are taken to have been fair.
        took: the opponent's, likewise.
        games: how many these were, at most as many as are remembered.
    """

    def __init__(self, name: str, snapshot: "_Snapshot | None" = None) -> None:
        self.name = name
        self.snapshot = snapshot
        self.fared = self.took = 1.0
        self.games = _TAKEN
        self._policies: dict[Schema, Policy] = {}

    def policy(self, schema: Schema) -> Policy:
        if self.snapshot is not None:
            return self.snapshot
        if schema not in self._policies:
            self._policies[schema] = fitted_by_name(self.name, schema)
        return self._policies[schema]

    def note(self, fared: NDArray[np.float32], took: NDArray[np.float32]) -> None:
        for own, its in zip(fared.tolist(), took.tolist(), strict=True):
            self.games = min(self.games + 1, _MEMORY)
            self.fared += (own - self.fared) / self.games
            self.took += (its - self.took) / self.games

    @property
    def hardness(self) -> float:
        """How often it is drawn: 1 where the learner gets nothing, less the better it fares.

        What counts is the opponent's part of what a seat of each gets. The learner's share alone
        does not serve: alone among five copies of an opponent the learner may get six times the
        fair share, so doubling it does not mean that the opponent is solved.
        """
        part = self.took / max(self.took + self.fared, 1e-9)
        return float(max(part, 0.02) ** _HARD)


@final
class League:
    """Opponents for a `Collector`.

    Args:
        share: the share of games with an opponent.
        every: decisions of the learner between two snapshots.
        keep: limit of snapshots.
        agents: names of further opponents. One that needs views of whole games plays more slowly.
        network: the learner's; the first opponent is what it is now.
    """

    def __init__(
        self, share: float, every: int, keep: int, agents: tuple[str, ...], network: Network
    ) -> None:
        if not 0 <= share <= 1:
            raise MascaradeError(f"--league is a share of games, 0 to 1, not {share}")
        self._share = share
        self._every = whole(every, "--league-every", at_least=1)
        self._keep = whole(keep, "--league-keep", at_least=1)
        self._named = [_Opponent(name) for name in agents]
        self._snapshots: dict[int, _Opponent] = {}
        self._count = 0  # snapshots ever taken
        self._due = self._every
        self._take(network)

    @property
    def numbers(self) -> int:
        """Exclusive upper bound of the numbers of all opponents so far."""
        return len(self._named) + self._count

    def seat(self, games: int, players: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return [games, players] `LEARNER` or an opponent's number, for games just dealt.

        In a game with an opponent, that one opponent holds 1 to n - 1 seats. The fewer seats the
        learner holds, the more often such a game is dealt, so much so that most of its decisions
        are made alone against the opponent: there it has the most to learn.
        """
        found = np.full((games, players), LEARNER)
        numbers = np.array(list(self._everybody()))
        hard = np.array([opponent.hardness for opponent in self._everybody().values()])
        with_opponent = np.flatnonzero(rng.random(games) < self._share)
        drawn = rng.choice(numbers, len(with_opponent), p=hard / hard.sum())
        own = 1 / np.arange(players - 1, 0, -1) ** 2
        seats = 1 + rng.choice(players - 1, len(with_opponent), p=own / own.sum())
        order = rng.random((len(with_opponent), players)).argsort(axis=1)
        found[with_opponent] = np.where(order < seats[:, None], drawn[:, None], LEARNER)
        return found

    def policy(self, number: int, schema: Schema) -> Policy:
        """Return an opponent as it plays where observations have this layout.

        One that has left by now is played by the oldest snapshot.
        """
        opponents = self._everybody()
        found = opponents[number if number in opponents else min(self._snapshots)]
        return found.policy(schema)

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Note games that have ended: [k, n] who played, and the share of the win of each."""
        own = seats == LEARNER
        fared, took = (
            (shares * held).sum(axis=1) / np.maximum(held.mean(axis=1), 1e-9)
            for held in (own, ~own)
        )
        for number, opponent in self._everybody().items():
            there = (seats == number).any(axis=1)
            opponent.note(fared[there], took[there])

    def learned(self, decisions: int, network: Network) -> None:
        """Take a snapshot if it is due after this number of learned decisions."""
        if decisions < self._due:
            return
        self._due = decisions + self._every
        self._take(network)
        while len(self._snapshots) > self._keep:
            older = list(self._snapshots)[:-1]
            del self._snapshots[min(older, key=lambda number: self._snapshots[number].hardness)]

    def standing(self) -> dict[str, float]:
        """Return how the learner fares against each opponent, 1 being the fair share."""
        return {
            opponent.name: opponent.fared
            for opponent in self._everybody().values()
            if opponent.games > _TAKEN
        }

    def state(self) -> dict[str, Any]:
        """Return all that changes, for a checkpoint."""
        return {
            "count": self._count,
            "due": self._due,
            "named": [[g.name, g.fared, g.took, g.games] for g in self._named],
            "snapshots": [
                [number, each.fared, each.took, each.games, each.snapshot.network.state_dict()]
                for number, each in self._snapshots.items()
                if each.snapshot is not None
            ],
        }

    def restore(self, state: Any) -> None:
        """Resume from the `state` of a league that was made alike.

        Raises:
            MascaradeError: it has other agents, or is damaged. Nothing has changed.
        """
        if not isinstance(state, dict) or not isinstance(state["named"], list):
            raise checkpoints.damaged("the league", state)
        if [opponent.name for opponent in self._named] != [name for name, *_ in state["named"]]:
            raise MascaradeError("this run has other --league-agents; leave them as they were")
        named = [_fared(fared) for _, *fared in state["named"]]
        count, due = (
            checkpoints.count(state["count"], "count"),
            checkpoints.count(state["due"], "due"),
        )
        oldest = next(iter(self._snapshots.values())).snapshot
        assert oldest is not None
        snapshots: dict[int, _Opponent] = {}
        for given, *fared, found in state["snapshots"]:
            # Each was taken later than the one before.
            least = max(snapshots, default=len(named) - 1) + 1
            number = checkpoints.number(given, "a snapshot", least, len(named) + count - 1)
            snapshot = _Snapshot(oldest.network)
            weights = checkpoints.weights(found, snapshot.network.state_dict())
            snapshot.network.load_state_dict(weights)
            snapshots[number] = opponent = _Opponent(self._called(number), snapshot)
            opponent.fared, opponent.took, opponent.games = _fared(fared)
        if not snapshots:
            raise checkpoints.damaged("the snapshots", state["snapshots"])
        for opponent, fared in zip(self._named, named, strict=True):
            opponent.fared, opponent.took, opponent.games = fared
        self._snapshots, self._count, self._due = snapshots, count, due

    def _take(self, network: Network) -> None:
        number = len(self._named) + self._count
        self._snapshots[number] = _Opponent(self._called(number), _Snapshot(network))
        self._count += 1

    def _called(self, number: int) -> str:
        return f"snapshot {number - len(self._named)}"

    def _everybody(self) -> dict[int, _Opponent]:
        return dict(enumerate(self._named)) | self._snapshots


def _fared(found: list[Any]) -> tuple[float, float, float]:
    """Return how the learner and an opponent fare, and over how many games, from a checkpoint."""
    fared, took, games = found
    return (
        checkpoints.number(fared, "how the learner fares", 0.0, float(MAX_PLAYERS)),
        checkpoints.number(took, "how an opponent fares", 0.0, float(MAX_PLAYERS)),
        checkpoints.number(games, "the games with an opponent", _TAKEN, _MEMORY),
    )


@final
class _Snapshot:
    """The learner as it was, as a policy; it plays only where the learner plays."""

    reads = None
    needs_views = False

    def __init__(self, network: Network) -> None:
        self.network = copy.deepcopy(network).requires_grad_(False)

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        noise = np.maximum(rng.standard_exponential(positions.masks.shape, np.float32), 1e-30)
        taken: NDArray[np.int64] = (self.probabilities(positions) / noise).argmax(axis=1)
        return taken

    def probabilities(self, positions: Positions) -> NDArray[np.float32]:
        with torch.inference_mode():
            found = self.network(
                torch.from_numpy(positions.observations), torch.from_numpy(positions.masks)
            )
        probabilities: NDArray[np.float32] = found.log_probs.exp().numpy()
        return probabilities
