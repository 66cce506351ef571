"""Games of one deal are one cluster, even if they are added at different times."""

import json
from itertools import pairwise

import numpy as np
import pytest

from mascarade_agents.behaviour import MEASURES, Estimate, Tally
from mascarade_agents.behaviour._intervals import estimate
from mascarade_env import Game
from tests.mascarade_agents.behaviour.hands import (
    TRIO,
    played,
    random_games,
    reseeded,
    tallied,
    trio,
)


def _width(tally: Tally, measure: str) -> float:
    found = tally.estimate("player 0", "all", measure)
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_deals_are_clusters() -> None:
    words = ["announce:king pass pass", "announce:king claim pass", "announce:judge pass pass"]
    games = [reseeded(played(each), seed) for seed in range(5) for each in words]
    tally = tallied(games)
    assert len(tally.sums()["player 0"]) == 5
    found = tally.estimate("player 0", "all", "false")
    expected = estimate(np.full(5, 3.0), np.full(5, 2.0), span=None)
    assert found == expected
    # Games as separate clusters would give a narrower interval.
    alone = tallied([reseeded(game, number) for number, game in enumerate(games)])
    assert alone.estimate("player 0", "all", "false").value == found.value
    assert _width(alone, "false") < _width(tally, "false")


def test_one_deal_alone_has_no_interval() -> None:
    tally = tallied([played("announce:king pass pass") for _ in range(20)])
    assert tally.estimate("player 0", "all", "false") == Estimate(1.0, None, None, 20)


def test_equal_seeds_with_different_deals_are_different_clusters() -> None:
    games = [played("look"), played("look", trio("king", "judge", "thief"))]
    assert len(tallied(games).sums()["player 0"]) == 2


@pytest.mark.parametrize("seed", [None, True, "7", 1.5])
def test_each_game_without_a_seed_is_a_cluster(seed: object) -> None:
    games = [played("look") for _ in range(4)]
    for game in games:
        game.meta = {"seed": seed}
    parts = [tallied(games[:1]), tallied(games[1:]), tallied([played("look")])]
    for tally in (parts[0] + parts[1] + parts[2], parts[2] + parts[1] + parts[0]):
        assert [deal is None for deal, _ in tally.sums()["player 0"]].count(True) == 4
        again = Tally.from_sums(json.loads(json.dumps(tally.sums())))
        assert again == tally
        assert len((again + again).sums()["player 0"]) == 9  # the one with a seed is one deal
        assert tally.estimate("player 0", "all", "look_rate").count == 5


def test_games_of_one_deal_form_one_cluster_in_any_order() -> None:
    games = random_games("6A", 4)
    again = random_games("6A", 4)[::-1]
    for game in again:
        game.names = ["alice", "carol"] * 3
    one = Tally()
    for pair in zip(games, again[::-1], strict=True):
        one += tallied(pair)
    other = tallied(games) + Tally.from_sums(json.loads(json.dumps(tallied(again).sums())))
    assert one.agents == other.agents == ["alice", "bob", "carol"]
    assert len(one.sums()["alice"]) == len(other.sums()["alice"]) == 4
    for declared in MEASURES:
        found = [tally.estimate("alice", "all", declared.name) for tally in (one, other)]
        assert found[0].count == found[1].count
        assert (found[0].low, found[0].high) == pytest.approx((found[1].low, found[1].high))


def test_an_estimate_does_not_change_later_sums() -> None:
    first = tallied(random_games("4A", 2))
    count = first.estimate("alice", "all", "look_rate").count
    total = first + first
    assert total.estimate("alice", "all", "look_rate").count == 2 * count
    assert first.estimate("alice", "all", "look_rate").count == count


def test_sums_have_counts_and_values_of_each_deal() -> None:
    game = played("announce:king pass pass announce:king claim pass", names=["a", "b", "b"])
    assert Tally.of(game).sums()["a"] == [
        ("0 judge king thief", {"early": {
            "look_rate": [1, 0], "take_rate": [1, 0], "announce_rate": [1, 1],
            "false": [1, 1], "sure_true": [1, 0], "honest_uncertain": [1, 0], "gamble": [1, 0],
            "knowing_bluff": [1, 1], "bluff_success": [1, 1], "knowing_bluff_success": [1, 1],
            "caught": [1, 0], "bluff_tax": [1, 0], "gain": [1, 2], "false_gain": [1, 2],
            "inexact": [1, 0],
        }, "middle": {"claim_rate": [1, 0], "inexact": [1, 0]}}),
    ]  # fmt: skip


def test_more_games_make_narrower_intervals() -> None:
    games = [g for seed in range(3) for g in _some(seed)]
    widths = [_width(tallied(games[:count]), "claim_rate") for count in (6, 24, 96)]
    assert all(wide > narrow for wide, narrow in pairwise(widths))


def _some(seed: int) -> list[Game]:
    games = [Game(TRIO, seed=1000 * seed + number) for number in range(32)]
    for game in games:
        game.play_randomly(40)
    return games
