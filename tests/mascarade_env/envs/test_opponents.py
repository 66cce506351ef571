"""Pools of opponents, and the random numbers that sample from them."""

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import MascaradeError, Pool
from mascarade_env.envs._learner_tables import LearnerTables
from mascarade_env.envs._opponents import RANDOM, RowRandom, as_pool
from tests.messages import facts

ALL = np.ones(1, np.bool_)


def first(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the legal action with the lowest id."""
    return np.asarray(mask.argmax(axis=1))


def last(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the legal action with the highest id."""
    return np.asarray(mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1))


def another(number: int) -> Callable[..., Any]:
    def policy(observation: Any, mask: Any) -> Any:
        return first(observation, mask)

    policy.__name__ = f"policy_{number}"
    return policy


def seeded(count: int, begin: int = 0) -> RowRandom:
    chance = RowRandom(count)
    chance.seed(np.ones(count, np.bool_), np.arange(begin, begin + count))
    return chance


def assert_shares(found: NDArray[Any], expected: dict[Any, float]) -> None:
    """Check that each share is within five deviations; one in a million fails at random."""
    assert set(np.unique(found).tolist()) == {key for key, share in expected.items() if share}
    for key, share in expected.items():
        count = int((found == key).sum())
        deviation = np.sqrt(found.size * share * (1 - share))
        assert abs(count - found.size * share) <= 5 * deviation, (key, count / found.size, share)


# Random numbers by row


@pytest.mark.parametrize("limit", [1, 2, 5, 12, 20, 1000])
def test_numbers_are_uniform_over_rows_and_over_time(limit: int) -> None:
    """Also for neighbouring seeds, which users often choose."""
    rows = np.ones(20_000, np.bool_)
    across = seeded(len(rows)).below(rows, limit)
    lone = seeded(1, 77)
    along = np.concatenate([lone.below(ALL, limit) for _ in range(5_000)])
    for found in (across, along):
        assert found.dtype == np.int64
        bins = found * min(limit, 20) // limit
        assert_shares(bins, dict.fromkeys(range(min(limit, 20)), 1 / min(limit, 20)))


def test_successive_draws_are_independent() -> None:
    rows = np.ones(20_000, np.bool_)
    chance = seeded(len(rows))
    pairs = chance.below(rows, 4) * 4 + chance.below(rows, 4)
    assert_shares(pairs, dict.fromkeys(range(16), 1 / 16))
    one = seeded(len(rows)).below(rows, 4)
    assert_shares(one[1:] * 4 + one[:-1], dict.fromkeys(range(16), 1 / 16))


def test_a_row_does_not_depend_on_the_others() -> None:
    seeds = np.array([3, 2**63 - 1, 0, 3, 123456789])
    together = RowRandom(5)
    together.seed(np.ones(5, np.bool_), seeds)
    alone = [RowRandom(1) for _ in seeds]
    for lone, seed in zip(alone, seeds, strict=True):
        lone.seed(ALL, np.array([seed]))
    which = np.random.default_rng(1)
    for _ in range(60):
        rows = which.random(5) < 0.5
        limit = int(which.integers(1, 30))
        found = together.below(rows, limit)
        assert found.shape == (int(rows.sum()),)
        expected = [alone[row].below(ALL, limit)[0] for row in np.flatnonzero(rows)]
        assert found.tolist() == expected
    some = np.array([False, True, False, False, True])
    together.seed(some, np.array([9, 9]))
    begun = RowRandom(1)
    begun.seed(ALL, np.array([9]))
    assert together.below(some, 1000).tolist() == [begun.below(ALL, 1000)[0]] * 2
    assert together.below(~some, 1000).tolist() == [
        alone[row].below(ALL, 1000)[0] for row in np.flatnonzero(~some)
    ]


def test_global_random_generators_have_no_effect() -> None:
    found = []
    for burn in (1, 2):
        np.random.seed(burn)
        found.append(seeded(50).below(np.ones(50, np.bool_), 1000).tolist())
    assert found[0] == found[1]


# Pool


def test_members_come_and_the_oldest_goes() -> None:
    policies = [another(number) for number in range(5)]
    pool = Pool(policies[:2], keep=3)
    assert len(pool) == 2
    for number, policy in enumerate(policies[2:], start=3):
        pool.add(policy)
        assert len(pool) == min(number, 3)
    rows = np.ones(500, np.bool_)
    drawn, members = pool.draw(seeded(500), rows, 4), pool.members
    assert drawn.shape == (500, 4)
    assert list(members.values()) == policies[2:]
    assert set(np.unique(drawn)) == set(members)
    pool.add("random")
    assert len(pool) == 3
    assert list(members.values()) == policies[2:]  # an earlier copy does not change
    later = pool.members
    assert list(later.values()) == [*policies[3:], "random"]
    assert {key: value for key, value in later.items() if key in members} == {
        key: members[key] for key in list(members)[1:]
    }  # numbers are not used again


def test_a_pool_can_begin_with_more_members_than_it_keeps() -> None:
    policies = [another(number) for number in range(5)]
    pool = Pool(iter(policies), keep=2)
    assert list(pool.members.values()) == policies[3:]
    assert len(Pool()) == 1
    assert list(Pool().members.values()) == [RANDOM]
    assert len(Pool([first] * 30)) == 20


@pytest.mark.parametrize("newest", [0.0, 0.25, 0.5, 1.0])
def test_shares(newest: float) -> None:
    pool = Pool([first, last, "random", another(0)], newest=newest)
    rows = np.ones(8_000, np.bool_)
    drawn, members = pool.draw(seeded(len(rows)), rows, 3), pool.members
    shares = dict.fromkeys(members, (1 - newest) / 4)
    shares[max(members)] += newest
    for seat in range(3):
        assert_shares(drawn[:, seat], shares)
    pairs = drawn[:, 0] * 4 + drawn[:, 2]
    number = {key: place for place, key in enumerate(members)}
    assert number == {0: 0, 1: 1, 2: 2, 3: 3}
    assert_shares(pairs, {4 * a + b: shares[a] * shares[b] for a in shares for b in shares})


def test_draws_for_some_rows_depend_on_their_seeds() -> None:
    pool = Pool([first, last, another(0)], newest=0.3)
    whole = pool.draw(seeded(40), np.ones(40, np.bool_), 5)
    some = np.arange(40) % 3 == 1
    assert (pool.draw(seeded(40), some, 5) == whole[some]).all()
    for row in (0, 17, 39):
        assert (pool.draw(seeded(1, row), ALL, 5)[0] == whole[row]).all()
    assert pool.draw(seeded(4), np.zeros(4, np.bool_), 5).shape == (0, 5)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"policies": []}, ("pool", "one member", "random")),
        ({"policies": "random"}, ("policies", "list", "random")),
        ({"policies": ["best"]}, ("unknown agent", "'best'")),
        ({"policies": [None]}, ("opponent", "random", "name", "function", None)),
        ({"policies": first}, ("policies", "list", "random")),
        ({"newest": -0.1}, ("newest", 0, 1, -0.1)),
        ({"newest": 1.1}, ("newest", 0, 1, 1.1)),
        ({"newest": float("nan")}, ("newest", 0, 1, "nan")),
        ({"newest": "often"}, ("newest", 0, 1, "'often'")),
        ({"keep": 0}, ("keep", 1, 0)),
        ({"keep": 1.5}, ("keep", "whole number", 1.5)),
        ({"keep": True}, ("keep", "whole number", True)),
    ],
    ids=[
        "empty",
        "a word",
        "unknown",
        "none",
        "a function",
        "negative",
        "above 1",
        "nan",
        "words",
        "keep none",
        "keep a half",
        "keep a bool",
    ],
)
def test_pools_that_are_refused(arguments: dict[str, Any], why: tuple[object, ...]) -> None:
    with pytest.raises(MascaradeError, match=facts(*why)):
        Pool(**arguments)


def test_a_refused_policy_is_not_added() -> None:
    pool = Pool([first], keep=1)
    with pytest.raises(MascaradeError, match=facts("unknown agent", "'best'")):
        pool.add("best")
    for nobody in (None, 3, [first]):
        with pytest.raises(
            MascaradeError, match=facts("opponent", "random", "function", repr(nobody))
        ):
            pool.add(nobody)  # type: ignore[arg-type]
    assert list(pool.members.values()) == [first]


def test_the_forms_of_opponents() -> None:
    assert as_pool("random") is None
    pool = Pool([first])
    assert as_pool(pool) is pool
    made = as_pool(last)
    assert made is not None
    assert list(made.members.values()) == [last]
    with pytest.raises(MascaradeError, match=facts("unknown agent", "'best'")):
        as_pool("best")
    for nobody in (None, 3, [first], {"random"}, np.array(["random", "random"])):
        with pytest.raises(
            MascaradeError, match=facts("opponents", "random", "function", "Pool", repr(nobody))
        ):
            as_pool(nobody)


# At tables


def decided(tables: LearnerTables, steps: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Return all decisions at each table after some steps with the first legal action."""
    for _ in range(steps):
        tables.step(tables.mask.argmax(axis=1))
        if tables.over.any():
            tables.reset(rows=tables.over)
    for row in range(len(tables)):
        yield row, tuple(word for _, word in tables.game(row).history)


def test_a_pool_plays_as_its_members_play() -> None:
    """A pool with one member plays like it, and differently from a pool with two."""
    games = {}
    for name, opponents in {
        "first": first,
        "pool of first": Pool([first]),
        "newest first": Pool([last, first], newest=1.0),
        "last": last,
        "both": Pool([first, last]),
        "random": "random",
        "pool of random": Pool(),
    }.items():
        tables = LearnerTables("6A", 5, opponents=opponents, track="memory", recording=True)  # type: ignore[arg-type]
        tables.reset(seed=[1, 2, 3, 4, 5])
        games[name] = dict(decided(tables, 3))
    assert games["first"] == games["pool of first"] == games["newest first"]
    assert games["random"] == games["pool of random"]
    assert len({tuple(games[name].values()) for name in ("first", "last", "both", "random")}) == 4


def test_each_seat_of_each_game_has_its_own_draw() -> None:
    """A member plays a whole game on its seat, and seats have different members."""
    tables = LearnerTables("4A", 40, opponents=Pool([first, last]), track="memory", recording=True)
    tables.reset(seed=range(40))
    kinds = []
    for _ in range(2):
        for _ in range(4):
            tables.step(tables.mask.argmax(axis=1))
        for row in range(40):
            played: dict[int, set[str]] = {1: set(), 2: set(), 3: set()}
            game = tables.game(row)
            past = game.at_start()
            for player, word in game.history:
                ids, taken = past.legal_ids(), past.action_id(word)
                if player:
                    assert taken in {ids[0], ids[-1]}
                    played[player].add("first" if taken == ids[0] else "last")
                past.play(word)
            kinds.append([next(iter(played[player])) for player in (1, 2, 3)])
            assert all(len(each) == 1 for each in played.values())
        tables.reset()
    found = np.array([" ".join(each) for each in kinds])
    assert len(np.unique(found)) == 8
    assert (found[:40] != found[40:]).any()


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("name", ["4A", "8B"])
def test_an_opponent_gets_the_observation_of_its_own_player(name: str, padded: bool) -> None:
    """It does not get that of the learner."""
    asked: list[int | None] = []

    def looking(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        game = tables.game(0)
        asked.append(game.player)
        assert (observation[0] == game.observation(padded=padded)).all()
        assert np.isin(tables.batch.unpadded, game.legal_ids()).tolist() == mask[0].tolist()
        return first(observation, mask) if len(asked) % 3 else last(observation, mask)

    tables = LearnerTables(name, 1, opponents=looking, seat=1, padded=padded, recording=True)
    for seed in range(2):
        tables.reset(seed=[seed])
        while not tables.over[0] and len(asked) < 80 * (seed + 1):
            tables.step(tables.mask.argmax(axis=1))
    assert set(asked) == set(range(tables.scenario.players)) - {1}


def test_new_members_play_from_the_next_deal_and_old_ones_to_the_end() -> None:
    asked: list[str] = []

    def noting(name: str) -> Callable[..., Any]:
        def policy(observation: Any, mask: Any) -> Any:
            asked.append(name)
            return first(observation, mask)

        return policy

    pool = Pool([noting("old")], keep=1)
    tables = LearnerTables("4A", 3, opponents=pool, track="memory", seat=3)
    tables.reset(seed=[1, 2, 3])
    pool.add(noting("new"))
    assert set(asked) == {"old"}
    asked.clear()
    for _ in range(2):  # take, swap
        tables.step(tables.mask.argmax(axis=1))
    assert set(asked) == {"old"}
    asked.clear()
    tables.reset(rows=np.array([True, False, False]))
    assert set(asked) == {"new"}
    asked.clear()
    for _ in range(3):
        tables.step(tables.mask.argmax(axis=1))
    assert set(asked) == {"old", "new"}
    asked.clear()
    tables.reset()
    for _ in range(3):
        tables.step(tables.mask.argmax(axis=1))
    assert set(asked) == {"new"}


def test_opponents_get_copies_of_their_own_observations() -> None:
    """Each is called once for all tables that wait for it."""
    shapes = set()

    def vandal(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        picked = first(observation, mask)
        shapes.add((observation.shape[1], mask.shape[1], observation.dtype.name, mask.dtype.name))
        assert len(observation) == len(mask) > 0
        assert mask.any(axis=1).all()
        observation[:] = 7
        mask[:] = 1
        return picked

    for padded in (False, True):
        one, other = (
            LearnerTables("5A", 6, opponents=policy, padded=padded, seat="rotate")
            for policy in (vandal, first)
        )
        for tables in (one, other):
            tables.reset(seed=range(6))
        for _ in range(12):
            assert (one.observation == other.observation).all()
            assert (one.mask == other.mask).all()
            for tables in (one, other):
                tables.step(tables.mask.argmax(axis=1))
        batch = one.batch
        assert batch.schema is not None
        assert (batch.schema.size, batch.num_actions, "float32", "int8") in shapes
    assert len(shapes) == 2


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copied_pool_is_independent(copied: Callable[[Any], Any]) -> None:
    pool = Pool([first, last], newest=0.5, keep=5)
    twin = copied(pool)
    twin.add("random")
    assert (len(pool), len(twin)) == (2, 3)
    assert pool.members == {0: first, 1: last}
    assert twin.members == {0: first, 1: last, 2: "random"}
