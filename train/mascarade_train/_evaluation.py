"""How good a policy is, by an arena, and how it plays: many whole games in step."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mascarade_agents._registry import make_agent
from mascarade_agents.arena import MOST_DECISIONS, Factory, run
from mascarade_agents.behaviour import Tally
from mascarade_agents.ratings import one_against_many, win_shares
from mascarade_env._errors import MascaradeError, whole
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.protocol import Policy, legal_actions
from mascarade_env._policies.translation import fitted
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._schema import schema_of

POLICY = "policy"  # the name of a watched policy in tallies

_ONE, _MANY = "the policy", "its opponents"  # names in the arena


@dataclass(frozen=True, slots=True)
class WinShare:
    """The share of the wins that a player got: 1/w of a game that w players won.

    Equal players get `fair`, one n-th, each; so does everybody in a game without a winner.

    Attributes:
        mean: over all games.
        low: the lower end of the 95% interval of the mean, by the arena's bootstrap over deals.
        high: the upper end.
        games: how many.
        fair: what equal players get.
        broken_off: games that lasted too long.
    """

    mean: float
    low: float
    high: float
    games: int
    fair: float
    broken_off: int

    def __str__(self) -> str:
        games = "game" if self.broken_off == 1 else "games"
        cut = f" ({self.broken_off} {games} broken off)" if self.broken_off else ""
        return f"{self.mean:.1%} ({self.low:.1%} to {self.high:.1%}){cut}"


def alone_among(
    policy: Policy | str,
    opponents: Policy | str,
    scenario: str | Path | Scenario,
    *,
    games: int,
    seed: int,
) -> WinShare:
    """Let one player meet copies of another at the tables of an arena, in every seat equally often.

    Policies that are measured with the same seed get the same deals.

    Args:
        policy: holds one seat; a policy, or the name of one.
        opponents: holds all other seats.
        scenario: what is played.
        games: how many, at least; a deal is played from each seat.
        seed: of the arena.

    Raises:
        MascaradeError: one of the two cannot play the scenario, or forfeited a game.
    """
    rules = resolve(scenario)
    duel = rules.players == 2  # mixed tables are the same as one against many there
    outcome = run(
        [_entrant(_ONE, policy), _entrant(_MANY, opponents)],
        rules,
        games=games,
        seed=seed,
        tables="mixed" if duel else "one",
        alone=None if duel else [_ONE],
    )
    for forfeit in outcome.forfeits:
        at_fault = policy if forfeit.agent == _ONE else opponents
        name = repr(at_fault) if isinstance(at_fault, str) else forfeit.agent
        raise MascaradeError(f"{name} forfeited {forfeit.games} games: {forfeit.reason}")
    results = outcome.results
    found, at = (win_shares(results), (0,)) if duel else (one_against_many(results).one, (0, 1))
    return WinShare(
        mean=float(found.value[at]),
        low=float(found.low[at]),
        high=float(found.high[at]),
        games=int(found.count[at]),
        fair=1 / rules.players,
        broken_off=outcome.broken_off,
    )


def _entrant(called: str, policy: Policy | str) -> tuple[str, Factory]:
    """Return an entrant of an arena that has this name there."""
    if isinstance(policy, str):
        return called, lambda scenario, _: make_agent(policy, scenario)
    return called, lambda scenario, _: policy


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
        """Return a measure over all phases of the games, None where there was no chance."""
        return self.tally.estimate(POLICY, "all", measure).value


def watched(
    policy: Policy, scenario: str | Path | Scenario, *, games: int = 500, seed: int = 0
) -> Watched:
    """Measure how a policy plays in games in which it holds all seats."""
    played = self_play_games(policy, scenario, games, most=MOST_DECISIONS, seed=seed)
    names = [POLICY] * played[0].scenario.players
    return Watched(
        tally=sum((Tally.of(game, names) for game in played), Tally()),
        broken_off=sum(not game.over for game in played),
    )


def self_play_games(
    policy: Policy, scenario: str | Path | Scenario, games: int, *, most: int, seed: int = 0
) -> list[Game]:
    """Play games in which a policy holds all seats.

    Args:
        policy: holds all seats.
        scenario: what is played.
        games: how many.
        most: decisions of one player after which a game is broken off.
        seed: of the games, and of what the policy draws.
    """
    count = whole(games, "games", at_least=1)
    shown = schema_of(resolve(scenario), "both", False)
    player = fitted(policy, shown)
    batch = Batch(shown.scenario, count, seed=seed, autoreset="disabled", track="both")
    histories, rng = Histories(batch), np.random.default_rng(seed)
    for _ in range(most * batch.scenario.players):
        running = batch.player != NOBODY
        if not running.any():
            break
        rows = np.flatnonzero(running)
        taken = np.zeros(count, np.int64)
        answer = player.act_batch(histories.positions(rows, player), rng)
        taken[rows] = legal_actions(answer, batch, rows, "the policy")
        batch.step(taken, rows=running)
        histories.add(taken, running)
    return [histories.game(row) for row in range(count)]
