"""Measure the win share of a policy in an arena, and how it plays."""

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

POLICY = "policy"  # the agent's name in tallies

_ONE, _MANY = "the policy", "its opponents"  # the two agents' names in the arena


@dataclass(frozen=True, slots=True)
class WinShare:
    """The win share of a player, with its 95% interval.

    A game that w players win counts 1/w for each of them. A game without a winner counts 1/n for
    all n players.

    Attributes:
        mean: the mean over all games, 0 to 1.
        low: the lower end of the 95% interval of the mean, by the arena's bootstrap over deals.
        high: the upper end of this interval.
        games: the number of games.
        fair: the win share of equal players, 1/n.
        broken_off: the number of games that were truncated because they lasted too long.
    """

    mean: float
    low: float
    high: float
    games: int
    fair: float
    broken_off: int

    def __str__(self) -> str:
        games = "game" if self.broken_off == 1 else "games"
        truncated = f" ({self.broken_off} {games} truncated)" if self.broken_off else ""
        return f"{self.mean:.1%} ({self.low:.1%} to {self.high:.1%}){truncated}"


def alone_among(
    policy: Policy | str,
    opponents: Policy | str,
    scenario: str | Path | Scenario,
    *,
    games: int,
    seed: int,
) -> WinShare:
    """Measure the win share of one player against n - 1 copies of another, in an arena.

    The player sits in every seat equally often. Measurements with the same seed use the same deals.

    Args:
        policy: the policy on one seat, or the name of an agent.
        opponents: the policy on all other seats, or the name of an agent.
        scenario: the scenario to play.
        games: the minimum number of games; every deal is played once from each seat.
        seed: the seed of the arena.

    Raises:
        MascaradeError: a policy cannot play the scenario, or forfeited a game.
    """
    rules = resolve(scenario)
    duel = rules.players == 2  # with two players, mixed tables are one against many
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
    shares, at = (win_shares(results), (0,)) if duel else (one_against_many(results).one, (0, 1))
    return WinShare(
        mean=float(shares.value[at]),
        low=float(shares.low[at]),
        high=float(shares.high[at]),
        games=int(shares.count[at]),
        fair=1 / rules.players,
        broken_off=outcome.broken_off,
    )


def _entrant(called: str, policy: Policy | str) -> tuple[str, Factory]:
    """Return an entrant for an arena: its name there, and a function that makes its agent."""
    if isinstance(policy, str):
        return called, lambda scenario, _: make_agent(policy, scenario)
    return called, lambda scenario, _: policy


@dataclass(frozen=True, slots=True)
class Watched:
    """Measures of play in games in which one policy holds all seats.

    Attributes:
        tally: the counts of all games, for the agent `POLICY`; MEASURES.md defines the measures.
        broken_off: the number of truncated games, which are counted up to the truncation.
    """

    tally: Tally
    broken_off: int

    def share(self, measure: str) -> float | None:
        """Return a measure, over all phases of the games.

        It is None if no opportunity for it occurred (see MEASURES.md).
        """
        return self.tally.estimate(POLICY, "all", measure).value


def watched(
    policy: Policy, scenario: str | Path | Scenario, *, games: int = 500, seed: int = 0
) -> Watched:
    """Measure play in games in which the policy holds all seats."""
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
        policy: the policy on all seats.
        scenario: the scenario to play.
        games: the number of games.
        most: limit of decisions per player; longer games are truncated.
        seed: the seed of the games, and of the rng that the policy samples with.

    Raises:
        MascaradeError: the policy cannot play the scenario, or answers with an illegal action.
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
