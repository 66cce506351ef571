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

#: "mixed": all agents share the seats; "one": one agent against copies of another; "both" of these.
Tables: TypeAlias = Literal["mixed", "one", "both"]

MOST_GAMES = 10_000_000
# Numbers of games in a chunk. The games of a chunk are played in step, so large chunks are fast. In
# a small chunk, less work is repeated when an agent stalls. Results depend on these numbers.
_TOGETHER = 1024
_TOGETHER_WITH_VIEWS = 8
_MIXING = 1  # makes the random numbers of line-ups differ from others with the same seed


@dataclass(frozen=True)
class Plan:
    """The plan of an arena. Two arenas with the same plan have the same results.

    With n players, each deal is played in n games, so that every agent plays it from every seat.
    Each number of games is rounded up to a multiple of n.

    Attributes:
        agents: names of the agents.
        with_views: the agents that need views.
        scenario: the scenario.
        games: number of games at mixed tables.
        seed: seed of the deals, the line-ups and the decisions.
        tables: kinds of tables.
        most_decisions: most decisions of one player in a game; longer games are stopped.
        seconds: time limit of an agent for one decision, in seconds.
        measured: number of games, counted from the first, whose decisions are all kept.
        alone: names of the agents that play one against many; None for all of them.
        pair_games: number of games of each agent against copies of each other agent; None for the
            number in `games`.
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
                f"alone must be names of agents in this arena ({', '.join(self.agents)}), or None "
                f"for all, not {list(self.alone or ())}"
            )
        whole(self.most_decisions, "most_decisions", at_least=1)
        whole(self.measured, "measured", at_least=0)
        seconds: object = self.seconds
        if not (isinstance(seconds, int | float) and 0 < seconds < float("inf")):
            raise MascaradeError(
                f"seconds for a decision must be a number above 0, not {seconds!r}"
            )

    @cached_property
    def mixed_games(self) -> int:
        """Number of games at mixed tables."""
        return 0 if self.tables == "one" else self._rounded_up(self.games)

    @cached_property
    def one_games(self) -> int:
        """Number of games of one against many, summed over all pairs."""
        if self.tables == "mixed" or self.scenario.players < 3:
            return 0
        games = self.games if self.pair_games is None else self.pair_games
        return self._rounded_up(games) * len(self._pairs)

    def _rounded_up(self, games: int) -> int:
        """Return a number of games, rounded up to a multiple of the number of players."""
        players = self.scenario.players
        return -(-games // players) * players

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """The pairs of agents in one against many: the single one, and the one with copies."""
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
        """The number of each player's agent, [G, n], in the order of the results."""
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
        """The seed of each game's deal, [G]. All agents and tables have the same d-th deal."""
        players = self.scenario.players
        mixed = np.arange(self.mixed_games) // players
        one = np.arange(self.one_games) // (players * len(self._pairs))
        numbers = np.concatenate([mixed, one])
        seeds: NDArray[np.int64] = rng.row_seeds(self.seed, int(numbers.max()) + 1)[numbers]
        return seeds

    @cached_property
    def chunks(self) -> list[NDArray[np.int64]]:
        """The numbers of the games in each chunk. Games without views come first, as they are fast.

        Chunks do not depend on the number of workers, so the results do not either.
        """
        slow, fast = np.flatnonzero(self._viewing), np.flatnonzero(~self._viewing)
        return [*_cut(fast, _TOGETHER), *_cut(slow, _TOGETHER_WITH_VIEWS)]

    @property
    def fast_games(self) -> int:
        """Number of games in which no agent needs views. They are played first."""
        return int((~self._viewing).sum())

    @cached_property
    def _viewing(self) -> NDArray[np.bool_]:
        """Whether an agent in each game needs views, [G]."""
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
        """Return everything that determines the results, as JSON types."""
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
