"""What is to be played: everything that determines the games of an arena, and their order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

import mascarade_env
from mascarade_agents.arena import _lineups as lineups
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game import _rng as rng
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario

#: "mixed": agents in equal parts; "one": one agent among copies of another; "both" of these.
Tables: TypeAlias = Literal["mixed", "one", "both"]

MOST_GAMES = 10_000_000
# Games of a chunk, which are played in step: as many as make a batch fast, or so few that little
# is lost where an agent is slow or stalls. Results depend on these numbers.
_TOGETHER = 1024
_TOGETHER_WITH_VIEWS = 8
_MIXING = 1  # tells the random numbers of line-ups from others made of the same seed


@dataclass(frozen=True)
class Plan:
    """What is to be played. Two arenas of the same plan have the same results.

    Attributes:
        agents: their names.
        with_views: which of them need views.
        scenario: what they play.
        games: how many are wanted at mixed tables, and as many of each agent alone against copies
            of each other; there are more if these do not fit whole rotations.
        seed: of the deals, the line-ups and the decisions.
        tables: kinds of table.
        most_decisions: of one player; longer games are broken off.
        seconds: an agent has for one decision.
        measured: so many games, the first ones, are kept in full.
        alone: the agents that sit alone among copies of others; None for all of them.
    """

    agents: tuple[str, ...]
    with_views: tuple[str, ...]
    scenario: Scenario
    games: int
    seed: int
    tables: Tables
    most_decisions: int
    seconds: float
    measured: int
    alone: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if whole(self.games, "games", at_least=1) > MOST_GAMES:
            raise MascaradeError(f"games are at most {MOST_GAMES}, not {self.games}")
        rng.given_seed(self.seed)
        if self.tables not in get_args(Tables):
            raise MascaradeError(f"tables are one of {get_args(Tables)}, not {self.tables!r}")
        if self.tables == "one" and self.scenario.players < 3:
            raise MascaradeError(
                f"{self.scenario.name} has two players: nobody is one against many there; "
                'use tables "mixed"'
            )
        unknown = sorted(set(self.alone or ()) - set(self.agents))
        if unknown or self.alone == ():
            raise MascaradeError(
                f"alone names some of the agents ({', '.join(self.agents)}), not {unknown}"
            )
        whole(self.most_decisions, "most_decisions", at_least=1)
        whole(self.measured, "measured", at_least=0)
        seconds: object = self.seconds
        if not (isinstance(seconds, int | float) and 0 < seconds < float("inf")):
            raise MascaradeError(f"seconds for a decision are more than 0, not {seconds!r}")

    @cached_property
    def mixed_games(self) -> int:
        """How many games are played at mixed tables."""
        return 0 if self.tables == "one" else self._rotations * self.scenario.players

    @cached_property
    def one_games(self) -> int:
        """How many games one agent plays against many, all pairs together."""
        if self.tables == "mixed" or self.scenario.players < 3:
            return 0
        return self._rotations * self.scenario.players * len(self._pairs)

    @property
    def _rotations(self) -> int:
        """How many deals are played, each from every seat."""
        return -(-self.games // self.scenario.players)

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """Which agent sits alone among copies of which other."""
        numbers = range(len(self.agents))
        return [
            (one, many)
            for one in numbers
            for many in numbers
            if one != many and (self.alone is None or self.agents[one] in self.alone)
        ]

    def __len__(self) -> int:
        return self.mixed_games + self.one_games

    @cached_property
    def lineups(self) -> NDArray[np.int16]:
        """[G, n] the number of the agent that each player is, in the order of the results."""
        agents, players = len(self.agents), self.scenario.players
        mixed = lineups.mixed(
            agents,
            players,
            self.mixed_games // players,
            np.random.default_rng((_MIXING, self.seed)),
        )
        pairs = self._pairs
        one = lineups.one_against_many(pairs, players, self.one_games // (players * len(pairs)))
        return np.concatenate([mixed.reshape(-1, players), one.reshape(-1, players)])

    @cached_property
    def deals(self) -> NDArray[np.int64]:
        """[G] the seed of each deal. Deal number d is the same for all agents and tables."""
        players = self.scenario.players
        mixed = np.arange(self.mixed_games) // players
        one = np.arange(self.one_games) // (players * len(self._pairs))
        numbers = np.concatenate([mixed, one])
        seeds: NDArray[np.int64] = rng.row_seeds(self.seed, int(numbers.max()) + 1)[numbers]
        return seeds

    @cached_property
    def chunks(self) -> list[NDArray[np.int64]]:
        """The games that are played together, by number.

        They do not depend on how many workers there are, so nor do results.
        """
        viewing = np.isin(self.agents, self.with_views)[self.lineups].any(axis=1)
        slow, fast = np.flatnonzero(viewing), np.flatnonzero(~viewing)
        return [*_cut(fast, _TOGETHER), *_cut(slow, _TOGETHER_WITH_VIEWS)]

    @property
    def cap(self) -> int:
        """Decisions after which a game is broken off."""
        return self.most_decisions * self.scenario.players

    def replayed(self, game: int, taken: Sequence[int]) -> Game:
        """Return a game played again from its decisions, with the agents' names."""
        names = [self.agents[agent] for agent in self.lineups[game].tolist()]
        played = Game(self.scenario, seed=int(self.deals[game]), names=names)
        for action in taken:
            played.play(action)
        return played

    def header(self) -> dict[str, Any]:
        """Everything that determines results, ready for JSON."""
        more = {} if self.alone is None else {"alone": list(self.alone)}
        return more | {
            "agents": list(self.agents),
            "with_views": list(self.with_views),
            "scenario": self.scenario.to_dict(),
            "games": self.games,
            "seed": self.seed,
            "tables": self.tables,
            "most_decisions": self.most_decisions,
            "seconds": self.seconds,
            "measured": self.measured,
            "package": mascarade_env.__version__,
        }


def _cut(games: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [games[at : at + size] for at in range(0, len(games), size)]
