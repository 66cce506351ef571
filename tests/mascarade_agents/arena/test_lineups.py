from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from mascarade_agents.arena._lineups import mixed, one_against_many
from mascarade_agents.arena._plan import Plan, Tables
from mascarade_env import MascaradeError, Scenario
from mascarade_env.game._scenarios import resolve
from tests.mascarade_agents.arena.saboteurs import DUEL
from tests.messages import facts


def plan(
    agents: int = 3,
    scenario: str | Scenario = "4A",
    games: int = 40,
    seed: int = 5,
    tables: Tables = "both",
    with_views: tuple[str, ...] = (),
    alone: tuple[str, ...] | None = None,
    pair_games: int | None = None,
) -> Plan:
    return Plan(
        agents=tuple("abcdefghijklmno"[:agents]),
        with_views=with_views,
        scenario=resolve(scenario),
        games=games,
        seed=seed,
        tables=tables,
        most_decisions=1000,
        seconds=10.0,
        measured=0,
        alone=alone,
        pair_games=pair_games,
    )


@pytest.mark.parametrize("agents", [2, 3, 4, 5, 9])
def test_mixed_tables_are_balanced(agents: int) -> None:
    found = mixed(agents, 4, 30, np.random.default_rng(1))
    assert found.shape == (30, 4, 4)
    for deal in found:
        # All rotations have the same players, and each of them once on each seat.
        for seat in range(4):
            assert sorted(deal[:, seat]) == sorted(deal[0])
        counts = Counter(deal[0].tolist())
        if agents >= 4:
            assert set(counts.values()) == {1}
        else:
            assert set(counts) == set(range(agents))
            assert max(counts.values()) - min(counts.values()) <= 1
    often = np.bincount(found[:, 0].ravel(), minlength=agents)
    assert often.max() - often.min() <= 1


def test_everybody_meets_everybody_at_mixed_tables() -> None:
    found = mixed(7, 4, 200, np.random.default_rng(1))[:, 0]
    met = {(a, b) for lineup in found.tolist() for a in lineup for b in lineup if a != b}
    assert len(met) == 7 * 6
    neighbours = {(a, b) for lineup in found.tolist() for a, b in pairwise(lineup)}
    assert len(neighbours) == 7 * 6


def test_one_against_many() -> None:
    pairs = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0)]
    found = one_against_many(pairs, 4, 2)
    assert found.shape == (2, 5, 4, 4)
    np.testing.assert_array_equal(found[0], found[1])
    for (one, many), games in zip(pairs, found[0], strict=True):
        np.testing.assert_array_equal(games, np.where(np.eye(4), one, many))


def test_all_have_the_same_deals() -> None:
    p = plan()
    assert (p.mixed_games, p.one_games, len(p)) == (40, 240, 280)
    assert len(np.unique(p.deals)) == 10
    one = slice(p.mixed_games, None)
    lineups, deals = p.lineups[one], p.deals[one]
    by_pair: dict[tuple[int, int], list[int]] = {}
    for lineup, deal in zip(lineups.tolist(), deals.tolist(), strict=True):
        (alone,) = [agent for agent in lineup if lineup.count(agent) == 1]
        (many,) = {agent for agent in lineup if agent != alone}
        by_pair.setdefault((alone, many), []).append(deal)
    assert len(by_pair) == 6
    assert len({tuple(deals) for deals in by_pair.values()}) == 1
    assert set(deals.tolist()) <= set(p.deals[: p.mixed_games].tolist())


def test_more_games_begin_with_the_same_deals() -> None:
    few, many = plan(games=8, tables="mixed"), plan(games=80, tables="mixed")
    np.testing.assert_array_equal(few.deals, many.deals[:8])
    np.testing.assert_array_equal(few.lineups, many.lineups[:8])
    other = plan(games=80, tables="mixed", seed=6)
    assert not np.isin(other.deals, many.deals).any()


@pytest.mark.parametrize(
    ("tables", "mixed_games", "one_games"),
    [("mixed", 44, 0), ("one", 0, 264), ("both", 44, 264)],
)
def test_games_are_rounded_up_to_whole_rotations(
    tables: Tables, mixed_games: int, one_games: int
) -> None:
    p = plan(games=41, tables=tables)
    assert (p.mixed_games, p.one_games) == (mixed_games, one_games)
    assert len(p.lineups) == len(p.deals) == len(p) == mixed_games + one_games


def test_some_agents_alone_can_sit_alone() -> None:
    p = plan(tables="one", alone=("c", "a"))
    assert p.one_games == len(p) == 160
    firsts, counts = np.unique([[g[0], g[1]] for g in p.lineups[::4]], axis=0, return_counts=True)
    assert firsts.tolist() == [[0, 1], [0, 2], [2, 0], [2, 1]]
    assert set(counts.tolist()) == {10}
    assert p.header()["alone"] == ["c", "a"]
    assert "alone" not in plan().header()  # so files of earlier arenas can be resumed
    for alone in ((), ("a", "nobody")):
        with pytest.raises(MascaradeError, match=facts("alone", "agents", "a", "b", "c")):
            plan(alone=alone)


def test_pairs_may_play_another_number_of_games() -> None:
    p = plan(games=8, pair_games=41)
    assert (p.mixed_games, p.one_games) == (8, 6 * 44)
    same, more = plan(games=8), plan(games=44)
    np.testing.assert_array_equal(p.lineups[:8], same.lineups[:8])
    np.testing.assert_array_equal(p.lineups[8:], more.lineups[44:])
    np.testing.assert_array_equal(p.deals[8:], more.deals[44:])
    assert p.header()["pair_games"] == 41
    assert "pair_games" not in same.header()  # so files of earlier arenas can be resumed
    for games in (0, 10**7 + 1):
        with pytest.raises(MascaradeError, match=facts("pair_games", games)):
            plan(pair_games=games)


def test_two_players_are_never_one_against_many() -> None:
    assert plan(scenario=DUEL).one_games == 0
    with pytest.raises(MascaradeError, match=facts("duel", 2, 3, 'tables "mixed"')):
        plan(scenario=DUEL, tables="one")


def test_chunks_hold_every_game_once() -> None:
    p = plan(agents=3, games=3000, with_views=("b",), tables="one")
    games = np.concatenate(p.chunks)
    assert sorted(games.tolist()) == list(range(len(p)))
    viewing = (p.lineups == 1).any(axis=1)
    for chunk in p.chunks:
        assert len(set(viewing[chunk].tolist())) == 1
        assert len(chunk) <= (8 if viewing[chunk[0]] else 1024)
