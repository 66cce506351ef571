"""Opponents in training: a league of earlier snapshots of the learner, and of agents by name.

In self-play alone, a learner may forget how to answer its own earlier strategies. With a league, an
opponent holds some of the seats in a fraction of the games. The more an opponent wins against the
learner, the more often it is sampled. This is prioritised fictitious self-play (Vinyals et al.,
Nature 575, 2019), with win shares for any number of players.
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

_MEMORY = 200.0  # games over which win shares with an opponent are averaged
_TAKEN = 10.0  # imaginary games with fair shares, with which every average starts
_HARD = 2.0  # exponent of the preference for strong opponents


class _Opponent:
    """An opponent, and the win shares in games with it.

    Args:
        name: its name in logs and errors. If there is no snapshot, it is the name of an agent.
        snapshot: the snapshot of the learner; None for an agent.

    Attributes:
        fared: mean win share of the learner's seats in games with this opponent, divided by the
            fair share. The mean starts with `_TAKEN` imaginary games with fair shares.
        took: mean win share of the opponent's seats, computed in the same way.
        games: number of games in these averages, at most `_MEMORY`.
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
        """The sampling weight: 1 if the learner wins nothing, and lower the more the learner wins.

        It is computed from took / (took + fared), which compares a seat of the opponent with a seat
        of the learner. The learner's win share alone would mislead, because its range depends on
        the number of seats. One learner against five opponents can win six times the fair share;
        five learners against one opponent can win only 1.2 times the fair share each.
        """
        part = self.took / max(self.took + self.fared, 1e-9)
        return float(max(part, 0.02) ** _HARD)


@final
class League:
    """The opponents that hold seats in some games of a `Collector`.

    Args:
        share: the fraction of games with an opponent, 0 to 1.
        every: decisions of the learner between two snapshots.
        keep: the number of snapshots to keep.
        agents: names of agents that are opponents too. Agents that need views of whole games are
            slower.
        network: the learner's network, which becomes the first snapshot.

    Raises:
        MascaradeError: a value is outside its range.
    """

    def __init__(
        self, share: float, every: int, keep: int, agents: tuple[str, ...], network: Network
    ) -> None:
        if not 0 <= share <= 1:
            raise MascaradeError(f"--league must be a fraction of games from 0 to 1, not {share}")
        self._share = share
        self._every = whole(every, "--league-every", at_least=1)
        self._keep = whole(keep, "--league-keep", at_least=1)
        self._named = [_Opponent(name) for name in agents]
        self._snapshots: dict[int, _Opponent] = {}
        self._count = 0  # all snapshots so far, dropped ones too
        self._due = self._every
        self._take(network)

    @property
    def numbers(self) -> int:
        """One more than the largest number (id) of any opponent so far."""
        return len(self._named) + self._count

    def seat(self, games: int, players: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Choose the players of new games: `LEARNER` or an opponent's number, [games, players].

        In a game with opponents, copies of one opponent hold 1 to n - 1 seats. The learner most
        often gets a single seat, because there it has the most to learn.
        """
        players_at = np.full((games, players), LEARNER)
        opponents = self._all()
        numbers = np.array(list(opponents))
        hard = np.array([opponent.hardness for opponent in opponents.values()])
        with_opponent = np.flatnonzero(rng.random(games) < self._share)
        sampled = rng.choice(numbers, len(with_opponent), p=hard / hard.sum())
        own = 1 / np.arange(players - 1, 0, -1) ** 2
        seats = 1 + rng.choice(players - 1, len(with_opponent), p=own / own.sum())
        order = rng.random((len(with_opponent), players)).argsort(axis=1)
        players_at[with_opponent] = np.where(order < seats[:, None], sampled[:, None], LEARNER)
        return players_at

    def name(self, number: int) -> str:
        """Return the name of an opponent, for errors."""
        return self._opponent(number).name

    def policy(self, number: int, schema: Schema) -> Policy:
        """Return the policy of an opponent for observations of this layout.

        The oldest snapshot replaces an opponent that was dropped in the meantime.
        """
        return self._opponent(number).policy(schema)

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Record games that have ended.

        Args:
            seats: the players of these games, as `seat` returns them, [k, n].
            shares: their win shares, [k, n].
        """
        own = seats == LEARNER
        fared, took = (
            (shares * held).sum(axis=1) / np.maximum(held.mean(axis=1), 1e-9)
            for held in (own, ~own)
        )
        for number, opponent in self._all().items():
            played = (seats == number).any(axis=1)
            opponent.note(fared[played], took[played])

    def learned(self, decisions: int, network: Network) -> None:
        """Take a snapshot, if one is due after this number of learned decisions."""
        if decisions < self._due:
            return
        self._due = decisions + self._every
        self._take(network)
        while len(self._snapshots) > self._keep:
            older = list(self._snapshots)[:-1]
            del self._snapshots[min(older, key=lambda number: self._snapshots[number].hardness)]

    def standing(self) -> dict[str, float]:
        """Return the learner's mean win share by opponent, divided by the fair share."""
        return {
            opponent.name: opponent.fared
            for opponent in self._all().values()
            if opponent.games > _TAKEN
        }

    def state(self) -> dict[str, Any]:
        """Return snapshots and averages, for a checkpoint."""
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
        """Resume from the `state` of a league with the same arguments.

        Raises:
            MascaradeError: the state is damaged, or has other agents. The league is unchanged.
        """
        if not isinstance(state, dict) or not isinstance(state["named"], list):
            raise checkpoints.damaged("the league", state)
        if [opponent.name for opponent in self._named] != [name for name, *_ in state["named"]]:
            raise MascaradeError(
                "a run cannot change its --league-agents, and this run has others: leave "
                "--league-agents out"
            )
        named = [_fared(fared) for _, *fared in state["named"]]
        count, due = (
            checkpoints.count(state["count"], "count"),
            checkpoints.count(state["due"], "due"),
        )
        oldest = next(iter(self._snapshots.values())).snapshot
        assert oldest is not None
        snapshots: dict[int, _Opponent] = {}
        for stored_number, *fared, stored_weights in state["snapshots"]:
            # Numbers increase, because each snapshot was taken later than the one before.
            least = max(snapshots, default=len(named) - 1) + 1
            number = checkpoints.number(stored_number, "a snapshot", least, len(named) + count - 1)
            snapshot = _Snapshot(oldest.network)
            weights = checkpoints.weights(stored_weights, snapshot.network.state_dict())
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

    def _all(self) -> dict[int, _Opponent]:
        return dict(enumerate(self._named)) | self._snapshots

    def _opponent(self, number: int) -> _Opponent:
        opponents = self._all()
        return opponents[number if number in opponents else min(self._snapshots)]


def _fared(stored: list[Any]) -> tuple[float, float, float]:
    """Return the stored values of `fared`, `took` and `games`, after checking them."""
    fared, took, games = stored
    return (
        checkpoints.number(fared, "the learner's win share", 0.0, float(MAX_PLAYERS)),
        checkpoints.number(took, "an opponent's win share", 0.0, float(MAX_PLAYERS)),
        checkpoints.number(games, "the games with an opponent", _TAKEN, _MEMORY),
    )


@final
class _Snapshot:
    """A frozen copy of the learner, as a policy for the learner's layout of observations."""

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
            output = self.network(
                torch.from_numpy(positions.observations), torch.from_numpy(positions.masks)
            )
        probabilities: NDArray[np.float32] = output.log_probs.exp().numpy()
        return probabilities
