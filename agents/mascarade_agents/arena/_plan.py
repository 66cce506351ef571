"""The plan of an arena: everything that determines its games, and their order."""

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
# The games of a chunk are played in step. A large chunk makes a batch fast; a small one loses
# little where an agent is slow or stalls. Results depend on these numbers.
_TOGETHER = 1024
_TOGETHER_WITH_VIEWS = 8
_MIXING = 1  # separates the random numbers of line-ups from others made of the same seed


@dataclass(frozen=True)
class Plan:
    """The plan of an arena. Two arenas of the same plan have the same results.

    A rotation is one deal played from every seat, so n games for n players. Each number of games is
    rounded up to whole rotations.

    Attributes:
        agents: names of the agents.
        with_views: the agents that need views.
        scenario: what they play.
        games: games at mixed tables.
        seed: seed of the deals, the line-ups and the decisions.
        tables: kinds of table.
        most_decisions: decisions of one player in a game; longer games are stopped.
        seconds: time limit of an agent for one decision.
        measured: the first games, up to this number, are kept in full.
        alone: the agents that play one against many; None for all of them.
        pair_games: games of each agent against copies of each other one; None for as many as
            `games`.
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
    pair_games: int | None = None

    def __post_init__(self) -> None:
        for name, games in (("games", self.games), ("pair_games", self.pair_games)):
            if games is not None and whole(games, name, at_least=1) > MOST_GAMES:
                raise MascaradeError(f"{name} must be at most {MOST_GAMES}, not {games}")
        rng.given_seed(self.seed)
        if self.tables not in get_args(Tables):
            raise MascaradeError(f"tables must be one of {get_args(Tables)}, not {self.tables!r}")
        if self.tables == "one" and self.scenario.players < 3:
            raise MascaradeError(
                "one against many needs 3 players or more, and "
                f'{self.scenario.name} has 2: use tables "mixed"'
            )
        unknown = sorted(set(self.alone or ()) - set(self.agents))
        if unknown or self.alone == ():
            raise MascaradeError(
                f"alone must name some of the agents ({', '.join(self.agents)}), not {unknown}"
            )
        whole(self.most_decisions, "most_decisions", at_least=1)
        whole(self.measured, "measured", at_least=0)
        seconds: object = self.seconds
        if not (isinstance(seconds, int | float) and 0 < seconds < float("inf")):
            raise MascaradeError(f"seconds for a decision must be more than 0, not {seconds!r}")

    @cached_property
    def mixed_games(self) -> int:
        """Number of games at mixed tables."""
        return 0 if self.tables == "one" else self._rounded_up(self.games)

    @cached_property
    def one_games(self) -> int:
        """Number of games of one against many, all pairs together."""
        if self.tables == "mixed" or self.scenario.players < 3:
            return 0
        games = self.games if self.pair_games is None else self.pair_games
        return self._rounded_up(games) * len(self._pairs)

    def _rounded_up(self, games: int) -> int:
        """Return a number of games, rounded up to whole rotations."""
        players = self.scenario.players
        return -(-games // players) * players

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """The pairs of one against many: the agent that is alone, and that of the copies."""
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
        """The numbers of the games of each chunk; fast games come first.

        Chunks do not depend on the number of workers, so results do not either.
        """
        slow, fast = np.flatnonzero(self._viewing), np.flatnonzero(~self._viewing)
        return [*_cut(fast, _TOGETHER), *_cut(slow, _TOGETHER_WITH_VIEWS)]

    @property
    def fast_games(self) -> int:
        """Number of games in which no agent needs views; they are played first."""
        return int((~self._viewing).sum())

    @cached_property
    def _viewing(self) -> NDArray[np.bool_]:
        """[G] whether an agent in the game needs views."""
        viewing: NDArray[np.bool_] = np.any(
            np.isin(self.agents, self.with_views)[self.lineups], axis=1
        )
        return viewing

    @property
    def cap(self) -> int:
        """Number of decisions after which a game is stopped."""
        return self.most_decisions * self.scenario.players

    def replayed(self, game: int, taken: Sequence[int]) -> Game:
        """Return a game replayed from its decisions, with the agents' names."""
        names = [self.agents[agent] for agent in self.lineups[game].tolist()]
        played = Game(self.scenario, seed=int(self.deals[game]), names=names)
        for action in taken:
            played.play(action)
        return played

    def header(self) -> dict[str, Any]:
        """Return everything that determines the results, ready for JSON."""
        alone = {} if self.alone is None else {"alone": list(self.alone)}
        pair_games = {} if self.pair_games is None else {"pair_games": self.pair_games}
        return {
            **alone,
            **pair_games,
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
