"""Self-play against a slow reference: each decision is credited once, to its player."""

import copy
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import Batch, MascaradeError, Scenario, scenarios
from mascarade_env.envs._decisions import Decisions
from mascarade_env.envs._self_play import SelfPlay
from tests.mascarade_env.envs.naive_credit import Decided, targets, targets_of_whoever_is_next
from tests.mascarade_env.envs.sessions import (
    DUEL,
    RICHEST,
    SHORT,
    Session,
    legal_picks,
    new_play,
    run,
    value_of,
)
from tests.tiers import sampled

ESTIMATES = [(1.0, 0.95), (1.0, 0.0), (1.0, 1.0), (0.9, 0.95), (0.9, 0.0), (0.9, 1.0)]


def keys(decisions: Decisions) -> list[tuple[int, int]]:
    pairs = zip(decisions.row.tolist(), decisions.step.tolist(), strict=True)
    return [(int(row), int(step)) for row, step in pairs]


def assert_stored(decisions: Decisions, decided: Mapping[tuple[int, int], Decided]) -> None:
    """Check each decision's fields against its game."""
    expected = [decided[key] for key in keys(decisions)]
    assert decisions.player.tolist() == [d.player for d in expected]
    assert decisions.action.tolist() == [d.action for d in expected]
    assert decisions.value.tolist() == [d.value for d in expected]
    assert decisions.extra("twice").tolist() == [2 * d.value for d in expected]
    assert decisions.extra("pair").tolist() == [[d.player, d.step] for d in expected]
    for observation, mask, d in zip(decisions.observation, decisions.mask, expected, strict=True):
        assert observation.tobytes() == d.observation.tobytes()
        assert mask.tobytes() == d.mask.tobytes()


def assert_targets(decisions: Decisions, expected: Mapping[tuple[int, int], float]) -> None:
    assert sorted(keys(decisions)) == sorted(expected)
    wanted = np.array([expected[key] for key in keys(decisions)])
    np.testing.assert_allclose(decisions.target, wanted, rtol=0, atol=1e-5)
    np.testing.assert_allclose(decisions.advantage, wanted - decisions.value, rtol=0, atol=1e-5)


@pytest.mark.parametrize("window", [1, 3, 40])
@pytest.mark.parametrize(
    "scenario",
    sampled([DUEL, scenarios()["4A"], SHORT, RICHEST, scenarios()["8B"], scenarios()["12B"]]),
    ids=lambda scenario: scenario.name,
)
def test_every_decision_is_credited_once_to_its_player(scenario: Scenario, window: int) -> None:
    session = Session(scenario, window)
    harvested: list[tuple[int, int]] = []
    longest_carried = 0
    while session.steps < 240:
        begin = session.steps
        session.go(window)
        assert session.play.full
        for discount, trace in ESTIMATES:
            decisions = session.play.harvest(discount=discount, trace=trace)
            assert_targets(
                decisions, targets(session.courses, begin, session.steps, discount, trace)
            )
        assert not session.play.full
        assert_stored(decisions, session.decided)
        harvested += keys(decisions)
        if len(decisions):
            longest_carried = max(longest_carried, session.steps - 1 - int(decisions.step.min()))
    over = [course for course in session.courses if course.ended is not None]
    assert len(set(harvested)) == len(harvested)
    assert {(c.row, d.step) for c in over for d in c.decided} <= set(harvested)
    # The rest are the last decisions of players in running games.
    for course in session.courses:
        left = [d.player for d in course.decided if (course.row, d.step) not in harvested]
        assert len(left) == len(set(left))
        assert course.ended is None or not left
    # Both cases occur: decisions carried over, and games that end with a window.
    assert window == 40 or longest_carried >= window * (3 if scenario.players > 2 else 1)
    assert window == 40 or any((course.ended + 1) % window == 0 for course in over if course.ended)
    assert any(course.beyond for course in over) == (scenario in (DUEL, SHORT))


def test_sole_and_shared_wins_and_void_games_were_played() -> None:
    """The scenarios above cover all ways in which a game ends."""
    winners: dict[str, set[int]] = {}
    for scenario in (DUEL, SHORT, RICHEST, scenarios()["12B"]):
        session = Session(scenario, 240)
        session.go(240)
        games = [game for table in session.tables for game in table.finished]
        winners[scenario.name] = {len(game.winners or ()) for game in games}
    assert winners["duel"] >= {0}
    assert winners["short"] >= {0}
    assert {1, 2} <= winners["richest"]
    assert 1 in winners["12B"]


@pytest.mark.parametrize("scenario", [RICHEST, scenarios()["5B"]], ids=lambda s: s.name)
def test_a_whole_game_in_a_window_is_worth_its_return(scenario: Scenario) -> None:
    """With discount 1 and lambda 1, the target of each decision is its player's return."""
    session = Session(scenario, 250)
    session.go(250)
    decisions = session.play.harvest(discount=1, trace=1)
    target = dict(zip(keys(decisions), decisions.target.tolist(), strict=True))
    games = 0
    for table in session.tables:
        for course, game in zip(table.courses, table.finished, strict=False):
            returns = {d.player: target[course.row, d.step] for d in course.decided}
            for d in course.decided:
                assert target[course.row, d.step] == pytest.approx(
                    game.returns()[d.player], abs=1e-5
                )
            if len(returns) == scenario.players:
                games += 1
                assert sum(returns.values()) == pytest.approx(0, abs=1e-5)
    assert games >= 4


@pytest.mark.parametrize("scenario", [RICHEST, scenarios()["4A"]], ids=lambda s: s.name)
@pytest.mark.parametrize("trace", [0.0, 0.95, 1.0])
def test_the_usual_mistake_gives_other_targets(scenario: Scenario, trace: float) -> None:
    """Bootstrapping from the next decision in the game gives many wrong targets."""
    session = Session(scenario, 120)
    session.go(120)
    decisions = session.play.harvest(trace=trace)
    wrong = targets_of_whoever_is_next(session.courses, 0, 120, 1.0, trace)
    differ = [
        abs(wrong[key] - target) > 1e-3
        for key, target in zip(keys(decisions), decisions.target.tolist(), strict=True)
        if key in wrong
    ]
    assert len(differ) > 300
    assert np.mean(differ) > 0.3


def test_only_the_learner_is_credited_among_random_players() -> None:
    """Its target is its return; the others decide within a step."""
    learners = np.arange(12) % 6
    batch = Batch(RICHEST, 12, seed=4, autoreset="disabled", track="memory", learner=learners)
    play, chance = SelfPlay(batch, 80), np.random.default_rng(0)
    ended: list[list[int]] = [[-1] for _ in range(12)]
    returns: list[list[float]] = [[] for _ in range(12)]
    for step in range(80):
        play.step(legal_picks(batch, chance), np.zeros(12))
        for row in np.flatnonzero(play.terminated):
            ended[row].append(step)
            returns[row].append(float(play.rewards[row, learners[row]]))
    decisions = play.harvest(trace=1)
    np.testing.assert_array_equal(decisions.player, learners[decisions.row])
    played = 0
    for row, step, target in zip(decisions.row, decisions.step, decisions.target, strict=True):
        game = int(np.searchsorted(ended[row], step)) - 1
        if game < len(returns[row]):
            assert target == pytest.approx(returns[row][game])
            played += 1
    assert played > 600


def test_windows_may_be_harvested_before_they_are_full() -> None:
    session = Session(SHORT, 50)
    for steps in (7, 1, 50, 2, 23, 30):
        begin = session.steps
        session.go(steps)
        assert session.play.full == (steps == 50)
        decisions = session.play.harvest()
        assert_targets(decisions, targets(session.courses, begin, session.steps, 1.0, 0.95))
        assert_stored(decisions, session.decided)


def test_rewards_and_ends_of_the_last_step_are_shown() -> None:
    """The batch shows the next games by then."""
    session = Session(SHORT, 200, rows=8)
    truncated = terminated = 0
    for _ in range(200):
        session.go(1)
        play = session.play
        for row, table in enumerate(session.tables):
            last = [c for c in table.courses if session.steps - 1 in c.rewards]
            assert play.rewards[row].tolist() == pytest.approx(last[0].rewards[session.steps - 1])
            over = last[0].ended is not None
            assert play.truncated[row] == (over and last[0].beyond is not None)
            assert play.terminated[row] == (over and last[0].beyond is None)
        truncated += int(play.truncated.sum())
        terminated += int(play.terminated.sum())
        assert (session.batch.player >= 0).all()
    assert truncated > 0
    assert terminated > 0


def test_endless_games_are_stopped_with_reward_0() -> None:
    batch = Batch("4A", 3, seed=1, autoreset="disabled", track="memory")
    play = SelfPlay(batch, 100, longest=30)
    ends = []
    for step in range(100):
        swaps = np.array([batch.mask[row].argmax() for row in range(3)])  # only takes and swaps
        play.step(swaps, np.full(3, 0.5))
        assert not play.terminated.any()
        if play.truncated.any():
            ends.append(step + 1)
            assert play.truncated.all()
            assert not play.rewards.any()
            assert (batch.state["decisions"] == 0).all()  # the next games
    assert ends == [30, 60, 90]
    decisions = play.harvest(discount=1.0, trace=1.0)
    assert len(decisions) >= 3 * 90
    whole = decisions.step < 90  # in stopped games without further decisions
    assert (decisions.target[whole] == 0).all()
    assert not (decisions.target[~whole] == 0).any()


def test_a_limit_does_not_change_shorter_games() -> None:
    def played(longest: int | None) -> Decisions:
        batch = Batch("4A", 16, seed=1, autoreset="disabled", track="memory")
        play, chance = SelfPlay(batch, 200, longest=longest), np.random.default_rng(0)
        while not play.full:
            play.step(legal_picks(batch, chance), np.zeros(16))
            assert longest is None or not play.truncated.any()
        return play.harvest()

    free, bounded = played(None), played(4000)
    assert free.target.tobytes() == bounded.target.tobytes()
    assert free.observation.tobytes() == bounded.observation.tobytes()


def test_the_same_seeds_give_the_same_data() -> None:
    assert run(new_play(), 1, 8, 10) == run(new_play(), 1, 8, 10)
    assert run(new_play(), 1, 8, 10) != run(new_play(), 2, 8, 10)


def pickled(play: SelfPlay) -> SelfPlay:
    read: SelfPlay = pickle.loads(pickle.dumps(play))
    return read


@pytest.mark.parametrize("copier", [copy.deepcopy, pickled])
def test_copies_are_independent(copier: Any) -> None:
    play = new_play()
    run(play, 1, 3, 7)
    other = copier(play)
    assert run(play, 2, 4, 10) == run(other, 2, 4, 10)


def test_observations_are_those_of_a_new_batch() -> None:
    """With beliefs, and padded; the same actions give the same observations and masks."""
    made = [
        Batch("6A", 8, seed=3, autoreset=mode, track="both", padded=True)
        for mode in ("disabled", "same_step")
    ]
    play, fresh = SelfPlay(made[0], 60), made[1]
    seen: list[tuple[NDArray[Any], ...]] = []
    chance = np.random.default_rng(0)
    while not play.full:
        seen.append((fresh.observation.copy(), fresh.mask.copy(), fresh.player.copy()))
        picks = legal_picks(fresh, chance)
        play.step(picks, np.zeros(8))
        fresh.step(picks)
    decisions = play.harvest()
    assert len(decisions) > 300
    observations, masks, players = (np.stack(arrays) for arrays in zip(*seen, strict=True))
    at = decisions.step, decisions.row
    np.testing.assert_array_equal(decisions.observation, observations[at])
    np.testing.assert_array_equal(decisions.mask, masks[at])
    np.testing.assert_array_equal(decisions.player, players[at])


def test_games_that_are_over_at_the_start_are_dealt_again() -> None:
    batch = Batch(DUEL, 4, seed=1, autoreset="disabled", track="memory")
    while (batch.player >= 0).any():
        batch.step(batch.random_actions())
    play = SelfPlay(batch, 5, value_of=value_of)
    assert (batch.player >= 0).all()
    run(play, 0, 2, 5)


def test_extras_are_stored_as_given_at_the_decision() -> None:
    """Also if they are views of the batch, which the step changes."""
    batch = Batch("4A", 8, seed=1, autoreset="disabled", track="belief")
    numbers = batch.observation.shape[1]
    kinds = {"seen": ("float32", (numbers,)), "legal": ("int8", (batch.num_actions,))}
    play = SelfPlay(batch, 30, extras=kinds)
    while not play.full:
        actions = batch.random_actions()
        play.step(actions, np.zeros(8, "f4"), seen=batch.observation, legal=batch.mask)
    decisions = play.harvest()
    assert len(decisions) > 150
    np.testing.assert_array_equal(decisions.extra("seen"), decisions.observation)
    np.testing.assert_array_equal(decisions.extra("legal"), decisions.mask)


def damaged(array: NDArray[Any], how: str) -> NDArray[Any] | None:
    """Return an array as an attacker could write it."""
    if how == "missing":
        return None
    if how == "shape":
        return np.stack([array, array])
    if how == "type":
        return array.astype(np.int32 if array.dtype != np.int32 else np.int64)
    raw = {
        "7f": b"\x7f" * array.nbytes,
        "ff": b"\xff" * array.nbytes,
        "noise": np.random.default_rng(0).bytes(array.nbytes),
    }[how]
    return np.frombuffer(raw, array.dtype).reshape(array.shape)


@pytest.mark.parametrize("how", ["missing", "shape", "type", "7f", "ff", "noise"])
def test_damaged_arrays_are_refused(how: str) -> None:
    """Compiled code must not use any number in them as an index unchecked."""
    play = new_play(extras={"own": np.bool_, "far": ("float64", (2,))})

    def on(windows: int) -> None:
        chance = np.random.default_rng(7)
        for _ in range(windows * 10):
            actions = legal_picks(play.batch, chance)
            play.step(actions, np.zeros(16), own=np.ones(16, np.bool_), far=np.ones((16, 2)))
            if play.full:
                play.harvest()

    on(4)
    kept = play.arrays()
    assert kept.keys() == {
        "series", "learner", "lengths", "actions", "digest", "taken",
        "carried.value", "carried.extra own", "carried.extra far",
    }  # fmt: skip
    for name, array in kept.items():
        given = damaged(array, how)
        # Data that is only stored with decisions may be any finite numbers.
        harmless = name.startswith("carried") and how in ("7f", "noise")
        harmless |= name == "carried.extra own" and how == "ff"
        harmless |= name == "learner" and how == "ff"  # means no learner
        rest = {other: a for other, a in kept.items() if other != name}
        if harmless:
            continue
        with pytest.raises(MascaradeError) as refused:
            play.restore(rest if given is None else rest | {name: given})
        assert "\n" not in str(refused.value), name
    play.restore(kept)
    on(2)


def test_impossible_decisions_are_refused() -> None:
    play = new_play()
    run(play, 0, 3, 10)
    kept = play.arrays()
    longer = kept["lengths"] + (np.arange(16) == 3)
    row = int(kept["lengths"].argmax())
    end = int(kept["lengths"][: row + 1].sum())  # the end of this row's decisions
    shifted = kept["lengths"].copy()
    shifted[row] -= 1
    shifted[(row + 1) % 16] += 1
    without = np.delete(kept["actions"], end - 1)
    for changes in (
        {"lengths": longer},
        {"lengths": shifted},
        {"lengths": -longer},
        {"actions": kept["actions"][::-1].copy()},
        {"actions": kept["actions"][:-1]},
        {"actions": without, "lengths": kept["lengths"] - (np.arange(16) == row)},
        {"series": kept["series"] + 1},
        {"taken": np.array(1)},
    ):
        with pytest.raises(MascaradeError):
            play.restore(kept | changes)
    play.restore(kept)


def test_games_that_began_before_cannot_be_stored() -> None:
    """Their first decisions are unknown."""
    batch = Batch(SHORT, 4, seed=5, autoreset="disabled", track="memory")
    batch.step(batch.random_actions())
    play = SelfPlay(batch, 5, value_of=value_of)
    run(play, 0, 1, 5)
    if (play.batch.series[:, 1] == 0).any():
        with pytest.raises(MascaradeError, match="batch that has just been dealt"):
            play.arrays()


def test_long_games_and_games_with_learners_are_replayed() -> None:
    """Games longer than the initial room, and games in which others act within a step."""
    for learner in (None, [0, 1, 2, 3]):
        batches = [Batch("4A", 4, seed=3, autoreset="disabled", learner=learner) for _ in range(2)]
        made = [SelfPlay(batch, 300, longest=400) for batch in batches]
        for _ in range(150):  # only takes and swaps
            made[0].step(made[0].batch.mask.argmax(axis=1), np.zeros(4))
        made[0].harvest()
        kept = made[0].arrays()
        if learner is None:
            assert kept["lengths"].min() == 150
        made[1].restore(kept)
        for one, two in zip(kept.values(), made[1].arrays().values(), strict=True):
            np.testing.assert_array_equal(one, two)
        assert run(made[0], 4, 2, 20) == run(made[1], 4, 2, 20)
