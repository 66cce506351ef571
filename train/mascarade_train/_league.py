"""Who else sits at the tables: frozen snapshots of the learner, and agents by name.

In self-play alone a learner may forget how to answer what it did long ago. A league keeps the past
at the table: in some of the games a guest holds some of the seats. Guests are drawn by how hard
they are, those who take more than their share from the learner most often (prioritised fictitious
self-play, as in Vinyals et al., Nature 575, 2019, here with win shares of any number of players).
"""

import copy
from typing import Any, Protocol, final

import numpy as np
import torch
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._scenarios import MAX_PLAYERS
from mascarade_env.observation._schema import Schema
from mascarade_train._named_agents import NamedAgent
from mascarade_train._networks import Network
from mascarade_train._rollouts import LEARNER
from mascarade_train._run import checkpoints

_MEMORY = 200.0  # games that the learner's share against a guest is averaged over
_TAKEN = 10.0  # fair games that a guest begins with
_HARD = 2.0  # how sharply hard guests are preferred


class _Player(Protocol):
    def decide(
        self,
        schema: Schema,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        chance: np.random.Generator,
    ) -> NDArray[np.int64]:
        """[k] actions."""


class _Guest:
    """A guest, and how the learner fares.

    Attributes:
        name: for the log.
        player: who decides.
        fared: the learner's mean share of the win at tables with it, 1 being the fair share. It
            begins with some games that are taken to have been fair.
        took: the guest's, likewise.
        games: how many these were, at most as many as are remembered.
    """

    def __init__(self, name: str, player: _Player) -> None:
        self.name = name
        self.player = player
        self.fared = self.took = 1.0
        self.games = _TAKEN

    def note(self, fared: NDArray[np.float32], took: NDArray[np.float32]) -> None:
        for own, its in zip(fared.tolist(), took.tolist(), strict=True):
            self.games = min(self.games + 1, _MEMORY)
            self.fared += (own - self.fared) / self.games
            self.took += (its - self.took) / self.games

    @property
    def hardness(self) -> float:
        """How often it is drawn: 1 where the learner gets nothing, less the better it fares.

        What counts is the guest's part of what a seat of each gets. The learner's share alone would
        not do: alone among five guests it may get six times the fair one, and twice is no reason
        to meet them no more.
        """
        part = self.took / max(self.took + self.fared, 1e-9)
        return float(max(part, 0.02) ** _HARD)


@final
class League:
    """Guests for a `Collector`.

    Args:
        share: the share of games with a guest.
        every: decisions of the learner between two snapshots.
        keep: how many snapshots there are at most.
        agents: names of further guests.
        network: the learner's, which is the first guest as it is now.
    """

    def __init__(
        self, share: float, every: int, keep: int, agents: tuple[str, ...], network: Network
    ) -> None:
        if not 0 <= share <= 1:
            raise MascaradeError(f"--league is a share of games, 0 to 1, not {share}")
        self._share = share
        self._every = whole(every, "--league-every", at_least=1)
        self._keep = whole(keep, "--league-keep", at_least=1)
        self._named = [_Guest(name, NamedAgent(name)) for name in agents]
        self._snapshots: dict[int, _Guest] = {}
        self._count = 0  # snapshots ever taken
        self._due = self._every
        self._take(network)

    @property
    def numbers(self) -> int:
        """Exclusive upper bound of the numbers of all opponents so far."""
        return len(self._named) + self._count

    def seat(self, games: int, players: int, chance: np.random.Generator) -> NDArray[np.int64]:
        """[games, players] who plays in games that are dealt: `LEARNER`, or a guest's number.

        In a game with a guest, that one guest holds 1 to n - 1 seats. The fewer the learner holds
        the more often it is dealt, so much so that it decides most often alone: there it has the
        most to learn from the guest.
        """
        found = np.full((games, players), LEARNER)
        numbers = np.array(list(self._everybody()))
        hard = np.array([guest.hardness for guest in self._everybody().values()])
        with_guest = np.flatnonzero(chance.random(games) < self._share)
        drawn = chance.choice(numbers, len(with_guest), p=hard / hard.sum())
        own = 1 / np.arange(players - 1, 0, -1) ** 2
        seats = 1 + chance.choice(players - 1, len(with_guest), p=own / own.sum())
        order = chance.random((len(with_guest), players)).argsort(axis=1)
        found[with_guest] = np.where(order < seats[:, None], drawn[:, None], LEARNER)
        return found

    def decide(
        self,
        guest: int,
        schema: Schema,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        chance: np.random.Generator,
    ) -> NDArray[np.int64]:
        """[k] the actions of a guest; one that has left by now is played by the oldest snapshot."""
        guests = self._everybody()
        player = guests[guest if guest in guests else min(self._snapshots)].player
        return player.decide(schema, observation, mask, chance)

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        """Games have ended: [k, n] who played, and what part of the win each got."""
        own = seats == LEARNER
        fared, took = (
            (shares * held).sum(axis=1) / np.maximum(held.mean(axis=1), 1e-9)
            for held in (own, ~own)
        )
        for number, guest in self._everybody().items():
            there = (seats == number).any(axis=1)
            guest.note(fared[there], took[there])

    def learned(self, decisions: int, network: Network) -> None:
        """The learner has learned so many decisions; it may be time for a snapshot."""
        if decisions < self._due:
            return
        self._due = decisions + self._every
        self._take(network)
        while len(self._snapshots) > self._keep:
            older = list(self._snapshots)[:-1]
            del self._snapshots[min(older, key=lambda number: self._snapshots[number].hardness)]

    def standing(self) -> dict[str, float]:
        """How the learner fares against each guest, 1 being the fair share."""
        return {
            guest.name: guest.fared for guest in self._everybody().values() if guest.games > _TAKEN
        }

    def state(self) -> dict[str, Any]:
        """All that changes, for a checkpoint."""
        return {
            "count": self._count,
            "due": self._due,
            "named": [[g.name, g.fared, g.took, g.games] for g in self._named],
            "snapshots": [
                [number, guest.fared, guest.took, guest.games, guest.player.network.state_dict()]
                for number, guest in self._snapshots.items()
                if isinstance(guest.player, _Snapshot)
            ],
        }

    def restore(self, state: Any) -> None:
        """Resume from the `state` of a league that was made alike.

        Raises:
            MascaradeError: it has other agents, or is damaged. Nothing has changed.
        """
        if not isinstance(state, dict) or not isinstance(state["named"], list):
            raise checkpoints.damaged("the league", state)
        if [guest.name for guest in self._named] != [name for name, *_ in state["named"]]:
            raise MascaradeError("this run has other --league-agents; leave them as they were")
        named = [_fared(fared) for _, *fared in state["named"]]
        count, due = (
            checkpoints.count(state["count"], "count"),
            checkpoints.count(state["due"], "due"),
        )
        oldest = next(iter(self._snapshots.values())).player
        assert isinstance(oldest, _Snapshot)
        snapshots: dict[int, _Guest] = {}
        for given, *fared, found in state["snapshots"]:
            # Each was taken later than the one before.
            least = max(snapshots, default=len(named) - 1) + 1
            number = checkpoints.number(given, "a snapshot", least, len(named) + count - 1)
            player = _Snapshot(oldest.network)
            weights = checkpoints.weights(found, player.network.state_dict())
            player.network.load_state_dict(weights)
            snapshots[number] = guest = _Guest(self._called(number), player)
            guest.fared, guest.took, guest.games = _fared(fared)
        if not snapshots:
            raise checkpoints.damaged("the snapshots", state["snapshots"])
        for guest, told in zip(self._named, named, strict=True):
            guest.fared, guest.took, guest.games = told
        self._snapshots, self._count, self._due = snapshots, count, due

    def _take(self, network: Network) -> None:
        number = len(self._named) + self._count
        self._snapshots[number] = _Guest(self._called(number), _Snapshot(network))
        self._count += 1

    def _called(self, number: int) -> str:
        return f"snapshot {number - len(self._named)}"

    def _everybody(self) -> dict[int, _Guest]:
        return dict(enumerate(self._named)) | self._snapshots


def _fared(found: list[Any]) -> tuple[float, float, float]:
    """How the learner and a guest fare, and over how many games, as a checkpoint has it."""
    fared, took, games = found
    return (
        checkpoints.number(fared, "how the learner fares", 0.0, float(MAX_PLAYERS)),
        checkpoints.number(took, "how a guest fares", 0.0, float(MAX_PLAYERS)),
        checkpoints.number(games, "the games with a guest", _TAKEN, _MEMORY),
    )


class _Snapshot:
    """What the learner was."""

    def __init__(self, network: Network) -> None:
        self.network = copy.deepcopy(network).requires_grad_(False)

    def decide(
        self,
        schema: Schema,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        chance: np.random.Generator,
    ) -> NDArray[np.int64]:
        """[k] actions."""
        with torch.inference_mode():
            said = self.network(torch.from_numpy(observation), torch.from_numpy(mask))
        noise = np.maximum(chance.standard_exponential(mask.shape, np.float32), 1e-30)
        taken: NDArray[np.int64] = (said.log_probs.exp().numpy() / noise).argmax(axis=1)
        return taken
