"""Win shares and watched games of policies whose results are known."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents import Agent, make_agent
from mascarade_agents.arena import run
from mascarade_agents.ratings import one_against_many, win_shares
from mascarade_env import MascaradeError, Policy, Positions, Scenario, scenarios
from mascarade_train._evaluation import POLICY, WinShare, alone_among, watched
from tests.mascarade_train.counting import shares_at_tables
from tests.messages import facts, states

# The King of player 0 wins at once if no player interferes: seat 0 wins, and no other.
FIRST = Scenario(
    "first",
    3,
    ("king", "judge", "thief"),
    start_coins=11,
    opening_turns=0,
    fixed_deal=True,
    strict=False,
)


class AnnouncesKing(Agent):
    """Announces the king and never claims."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        # Ids of three players, slots and kinds: 3 is announce:judge, 4 announce:king, 9 pass.
        return np.where(positions.masks[:, 9] == 1, 9, 4)


def test_who_wins_from_one_seat_has_that_seats_share() -> None:
    king = AnnouncesKing(FIRST)
    found = alone_among(king, AnnouncesKing(FIRST), FIRST, games=300, seed=0)
    assert found.mean == pytest.approx(1 / 3)
    assert found.low <= found.mean <= found.high
    assert (found.games, found.fair, found.broken_off) == (300, 1 / 3, 0)
    assert str(found).startswith("33.3% (")


def test_figures_are_those_of_the_arena() -> None:
    found = alone_among("honest", "random", "4A", games=200, seed=5)
    outcome = run(["honest", "random"], "4A", games=200, seed=5, tables="one", alone=["honest"])
    one = one_against_many(outcome.results).one
    assert (found.mean, found.low, found.high) == (one.value[0, 1], one.low[0, 1], one.high[0, 1])
    assert found.games == one.count[0, 1] == len(outcome.results.deals) == 200


def test_two_players_meet_from_both_seats() -> None:
    found = alone_among("honest", "random", "tiny-2", games=100, seed=5)
    outcome = run(["honest", "random"], "tiny-2", games=100, seed=5, tables="mixed")
    shares = win_shares(outcome.results)
    assert (found.mean, found.low, found.high) == (shares.value[0], shares.low[0], shares.high[0])
    assert (found.games, found.fair) == (100, 0.5)


def test_who_never_wins_has_nothing() -> None:
    """A few games do not prove it."""
    found = alone_among("random", "stopper", "4A", games=8, seed=1)
    assert found.mean == found.low == 0
    assert found.high > 0.5  # two deals


@pytest.mark.parametrize("name", ["4A", "8A"])
def test_equal_players_get_equal_shares(name: str) -> None:
    found = alone_among("random", "random", name, games=2000, seed=1)
    assert abs(found.mean - found.fair) < found.high - found.low  # four deviations


def test_games_are_counted_as_at_the_tables_of_environments() -> None:
    honest = make_agent("honest", "4A")
    found = alone_among(honest, "random", "4A", games=2000, seed=1)
    counted = shares_at_tables(honest, "random", "4A", 2000).mean()
    assert found.mean > 0.3
    assert abs(found.mean - counted) < found.high - found.low


def test_void_games_are_shared() -> None:
    void = Scenario("void", 4, scenarios()["4A"].masks, turn_limit=4)
    found = alone_among("random", "random", void, games=12, seed=0)
    assert (found.mean, found.games, found.broken_off) == (0.25, 12, 0)


def test_games_that_are_broken_off_are_reported() -> None:
    found = WinShare(0.25, 0.2, 0.3, 100, 0.25, 3)
    assert str(found) == "25.0% (20.0% to 30.0%) (3 games truncated)"
    assert states(str(replace(found, broken_off=1)), "1 game")


def test_games_without_end_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mascarade_train._evaluation.MOST_DECISIONS", 3)
    cut = watched(make_agent("random", "4A"), "4A", games=5)
    assert cut.broken_off == 5
    assert cut.share("claim_rate") is not None


class Illegal(Agent):
    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        taken: NDArray[np.int64] = positions.masks.argmin(axis=1)
        return taken


def test_a_forfeit_is_an_error() -> None:
    illegal = Illegal(scenarios()["4A"])
    with pytest.raises(MascaradeError, match=facts("the policy", "forfeited", "legal")):
        alone_among(illegal, "random", "4A", games=4, seed=0)
    with pytest.raises(MascaradeError, match=facts("its opponents", "forfeited", "legal")):
        alone_among("random", illegal, "4A", games=4, seed=0)


def test_who_plays_another_scenario_is_refused() -> None:
    honest = make_agent("honest", "4A")
    sides: tuple[Policy | str, Policy | str]
    for sides in (("random", honest), (honest, "random")):
        with pytest.raises(MascaradeError, match=facts("plays 4A", "not 4B", "masks")):
            alone_among(sides[0], sides[1], "4B", games=4, seed=0)


def test_watched_games_are_whole() -> None:
    found = watched(AnnouncesKing(FIRST), FIRST, games=7)
    # Player 0 announces, 1 and 2 pass, player 0 wins.
    assert found.broken_off == 0
    assert (found.share("announce_rate"), found.share("false")) == (1, 0)
    assert found.tally.estimate(POLICY, "all", "announce_rate").count == 7
    assert (found.share("claim_rate"), found.share("claim_precision")) == (0, None)
    assert found.tally.estimate(POLICY, "all", "claim_rate").count == 14
