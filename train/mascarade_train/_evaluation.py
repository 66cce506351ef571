"""How good a policy is, and how it plays: many whole games in step."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mascarade_agents.behaviour import Tally
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.envs._learner_tables import Tables
from mascarade_env.envs._opponents import RANDOM, Policy, check_plays
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track

#: The rules know no end (rules 7.3). Games that last longer than so many decisions of one player
#: are broken off and count as shared by all.
MOST_DECISIONS = 1000

#: Games that count for the width of intervals alone (Agresti and Coull 1998).
_MORE = (0.0, 0.0, 1.0, 1.0)

POLICY = "policy"  # what a watched policy is called in tallies


@dataclass(frozen=True, slots=True)
class WinShare:
    """What part of the wins a player got: 1/w of a game that w players won.

    Equal players get `fair`, one n-th, each; so does everybody in a game without a winner.

    Attributes:
        mean: over all games.
        margin: half the width of the 95% interval of the mean, by the normal approximation. It is
            as if two more games had been won and two lost, or who won nothing would be sure to.
        games: how many.
        fair: what equal players get.
        broken_off: games that lasted too long.
    """

    mean: float
    margin: float
    games: int
    fair: float
    broken_off: int

    @property
    def low(self) -> float:
        """The lower end of the 95% interval."""
        return self.mean - self.margin

    def __str__(self) -> str:
        games = "game" if self.broken_off == 1 else "games"
        cut = f" ({self.broken_off} {games} broken off)" if self.broken_off else ""
        return f"{self.mean:.1%} ± {self.margin:.1%}{cut}"


def win_share(
    policy: Policy,
    scenario: str | Path | Mapping[str, Any] | Scenario,
    *,
    opponents: Policy | Literal["random"] = RANDOM,
    games: int = 4000,
    track: Track = "both",
    padded: bool = False,
    seed: int = 0,
) -> WinShare:
    """One player among opponents of one kind, in every seat equally often.

    Game i has the seed `seed + i` and the player in seat i mod n, so that policies measured with
    the same seed get the same deals.

    Args:
        policy: the player.
        scenario: as for `Batch`.
        opponents: who sits in all other seats.
        games: how many whole games.
        track: what policies observe.
        padded: as for `Batch`.
        seed: of the first game.
    """
    count = whole(games, "games", at_least=2)
    tables = Tables(scenario, count, opponents=opponents, seat="rotate", track=track, padded=padded)
    check_plays(policy, tables.scenario)
    tables.reset(seed=np.arange(count) + seed)
    returns = np.zeros(count)
    for _ in range(MOST_DECISIONS):
        running = ~tables.over
        if not running.any():
            break
        taken = np.zeros(count, np.int64)
        taken[running] = policy(tables.observation[running], tables.mask[running])
        tables.step(taken)
        if tables.illegal.any():
            raise MascaradeError("the policy took an illegal action")
        returns += tables.reward
    players = tables.scenario.players
    shares = np.maximum((1 + (players - 1) * returns) / players, 0)  # not less, by rounding
    return WinShare(
        mean=float(shares.mean()),
        margin=float(1.96 * np.append(shares, _MORE).std(ddof=1) / np.sqrt(count)),
        games=count,
        fair=1 / players,
        broken_off=int(np.count_nonzero(~tables.over)),
    )


@dataclass(frozen=True, slots=True)
class Watched:
    """How a policy plays when it holds all seats.

    Attributes:
        tally: of all games, the policy being the agent `POLICY`; MEASURES.md tells of the measures.
        broken_off: games that lasted too long, counted up to there.
    """

    tally: Tally
    broken_off: int

    def share(self, measure: str) -> float | None:
        """A measure over all phases of the games, None where there was no chance."""
        return self.tally.estimate(POLICY, "all", measure).value


def watched(
    policy: Policy,
    scenario: str | Path | Mapping[str, Any] | Scenario,
    *,
    games: int = 500,
    track: Track = "both",
    padded: bool = False,
    seed: int = 0,
) -> Watched:
    """How a policy plays in games in which it holds all seats."""
    table: dict[str, Any] = {"track": track, "padded": padded, "seed": seed}
    played = self_play_games(policy, scenario, games, most=MOST_DECISIONS, **table)
    names = [POLICY] * played[0].scenario.players
    return Watched(
        tally=sum((Tally.of(game, names) for game in played), Tally()),
        broken_off=sum(not game.over for game in played),
    )


def self_play_games(
    policy: Policy,
    scenario: str | Path | Mapping[str, Any] | Scenario,
    games: int,
    *,
    track: Track = "both",
    padded: bool = False,
    seed: int = 0,
    most: int,
) -> list[Game]:
    """Games in which a policy holds all seats, broken off after `most` decisions of one player."""
    count = whole(games, "games", at_least=1)
    batch = Batch(scenario, count, seed=seed, autoreset="disabled", track=track, padded=padded)
    twins = [Game(batch.scenario, seed=int(number)) for number in batch.state["seed"]]
    for _ in range(most * batch.scenario.players):
        running = batch.player != NOBODY
        if not running.any():
            break
        taken = np.zeros(count, np.int64)
        taken[running] = policy(batch.observation[running], batch.mask[running])
        for row in np.flatnonzero(running).tolist():
            twins[row].play(int(batch.unpadded[taken[row]]))
        batch.step(taken, rows=running)
    return twins
