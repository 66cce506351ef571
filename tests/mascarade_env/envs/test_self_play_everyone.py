"""Self-play with values for all players, against a slow reference; and resuming."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import Batch, Game, MascaradeError, Scenario, scenarios
from mascarade_env.envs._decisions import Decisions, Window, WindowShape
from mascarade_env.envs._self_play import SelfPlay
from mascarade_env.game._rng import episode_seed
from tests.mascarade_env.envs.sessions import DUEL, RICHEST, SHORT, legal_picks, new_play, value_of
from tests.messages import facts

ROWS = 4


@dataclass
class Told:
    """A decision with its player's value estimates for all players, by player number."""

    step: int
    player: int
    listed: list[int]  # the players in the order of seats, the acting player first
    values: dict[int, float]


@dataclass
class Course:
    """A game."""

    decided: list[Told] = field(default_factory=list)
    rewards: dict[int, list[float]] = field(default_factory=dict)  # by step
    ended: int | None = None
    beyond: dict[int, dict[int, float]] = field(default_factory=dict)  # by viewer, if truncated


def opinions(observations: NDArray[np.float32], players: int) -> NDArray[np.float32]:
    """Return values of all players, as listed, that differ between players and positions."""
    return np.stack([value_of(np.roll(observations, c, axis=1)) for c in range(players)], axis=1)


def listed(game: Game, player: int) -> list[int]:
    """Return the players clockwise, beginning with one of them."""
    at = game.player_at
    own = at.index(player)
    return at[own:] + at[:own]


class Everyone:
    """A `SelfPlay` with `everyone`, and the same games played singly."""

    def __init__(self, scenario: Scenario, steps: int) -> None:
        self.n = scenario.players
        self.chance = np.random.default_rng(3)
        self.seeds = [int(number) for number in self.chance.integers(2**40, size=ROWS)]
        self.batch = self._batch(scenario)
        self.play = SelfPlay(
            self.batch,
            steps,
            value_of=lambda seen: opinions(seen, self.n),
            everyone=True,
        )
        # The same games with one value for each decision, that of the acting player.
        self.alone = SelfPlay(
            self._batch(scenario), steps, value_of=lambda seen: opinions(seen, self.n)[:, 0]
        )
        self.scenario = scenario
        self.games = [Game(scenario, seed=seed) for seed in self.seeds]
        self.courses = [[Course()] for _ in self.seeds]
        self.steps = 0
        self.moved = 0  # decisions after players have changed seats

    def _batch(self, scenario: Scenario) -> Batch:
        return Batch(scenario, ROWS, seed=self.seeds, autoreset="disabled", track="memory")

    def go(self, steps: int) -> None:
        for _ in range(steps):
            actions = legal_picks(self.batch, self.chance)
            values = opinions(self.batch.observation, self.n)
            self.play.step(actions, values)
            self.alone.step(actions, values[:, 0])
            for row in range(ROWS):
                self._follow(row, int(actions[row]), values[row].tolist())
            self.steps += 1

    def _follow(self, row: int, action: int, values: list[float]) -> None:
        game, course = self.games[row], self.courses[row][-1]
        assert game.player is not None
        order = listed(game, game.player)
        self.moved += game.player_at != list(range(self.n))
        told = dict(zip(order, values, strict=True))
        course.decided.append(Told(self.steps, game.player, order, told))
        game.play(action)
        course.rewards[self.steps] = game.returns()
        if game.over:
            course.ended = self.steps
            if game.truncated:
                for viewer in range(self.n):
                    seen = game.observation(viewer, "memory")[None]
                    thinks = opinions(seen, self.n)[0].tolist()
                    course.beyond[viewer] = dict(zip(listed(game, viewer), thinks, strict=True))
            self.courses[row].append(Course())
            seed = episode_seed(self.seeds[row], len(self.courses[row]) - 1)
            self.games[row] = Game(self.scenario, seed=seed)

    def expected(
        self, begin: int, discount: float, trace: float
    ) -> dict[tuple[int, int], list[float]]:
        """Return the targets, as listed, of decisions that the steps since `begin` complete."""
        found = {}
        for row, courses in enumerate(self.courses):
            for course in courses:
                for told in course.decided:
                    known, target = self._target(course, told, begin, discount, trace)
                    if known:
                        found[row, told.step] = [target[player] for player in told.listed]
        return found

    def _target(
        self, course: Course, told: Told, begin: int, discount: float, trace: float
    ) -> tuple[bool, list[float]]:
        """Return whether the decision is complete since then, and its targets by player."""
        later = [d for d in course.decided if d.player == told.player and d.step > told.step]
        if later:
            until, values = later[0].step, later[0].values
            known = until >= begin
            # Pending decisions count with their value at the end of the window.
            _, after = self._target(course, later[0], 0, discount, trace)
        elif course.ended is not None:
            until = course.ended + 1
            known = course.ended >= begin
            values = course.beyond.get(told.player, dict.fromkeys(range(self.n), 0.0))
            after = [values[player] for player in range(self.n)]
        else:
            return False, [told.values[player] for player in range(self.n)]
        paid = [course.rewards[step] for step in course.rewards if told.step <= step < until]
        return known, [
            sum(each[player] for each in paid)
            + discount * ((1 - trace) * values[player] + trace * after[player])
            for player in range(self.n)
        ]


def keys(decisions: Decisions) -> list[tuple[int, int]]:
    pairs = zip(decisions.row.tolist(), decisions.step.tolist(), strict=True)
    return [(int(row), int(step)) for row, step in pairs]


@pytest.mark.parametrize(
    ("scenario", "steps"),
    [
        (DUEL, 60),
        (SHORT, 120),
        (RICHEST, 90),
        (scenarios()["8B"], 400),
        (scenarios()["12B"], 400),
    ],
    ids=lambda given: getattr(given, "name", None),
)
@pytest.mark.parametrize("window", [3, 40])
def test_everyone_is_credited_as_by_hand(scenario: Scenario, steps: int, window: int) -> None:
    games = Everyone(scenario, window)
    harvested = 0
    while games.steps < steps:
        begin = games.steps
        games.go(window)
        last = window == 40 or games.steps + window >= steps  # the reference is slow
        for discount, trace in ((1.0, 0.95), (0.9, 0.5))[: 2 if last else 1]:
            decisions = games.play.harvest(discount=discount, trace=trace)
            alone = games.alone.harvest(discount=discount, trace=trace)
            np.testing.assert_array_equal(decisions.advantage, alone.advantage)
            np.testing.assert_array_equal(decisions.value[:, 0], alone.value)
            if not last:
                continue
            expected = games.expected(begin, discount, trace)
            assert sorted(keys(decisions)) == sorted(expected)
            if expected:
                wanted = np.array([expected[key] for key in keys(decisions)])
                np.testing.assert_allclose(decisions.target, wanted, rtol=0, atol=1e-5)
        harvested += len(decisions)
    assert harvested > 0.7 * ROWS * steps - ROWS * games.n
    # Both cases occur: players who have changed seats, and games cut off at the turn limit.
    assert (games.moved > 0) == (scenario.name in ("8B", "12B"))
    cut = any(course.beyond for courses in games.courses for course in courses)
    assert cut == (scenario in (DUEL, SHORT))


def test_a_game_by_hand() -> None:
    """Two players, three decisions, one win."""
    window = Window(WindowShape(2, 3, 1, 0, 1), {}, everyone=True)
    values = [[0.1, -0.2], [0.3, 0.4], [0.5, -0.6]]
    for step, (who, value) in enumerate(zip([0, 1, 0], values, strict=True)):
        window.fields["player"][window.place] = who
        window.fields["order"][window.place] = [[who, 1 - who]]
        window.fields["step"][window.place] = step
        window.fields["value"][window.place] = value
        window.link(np.array([[1, -1] if step == 2 else [0, 0]], np.float32))
    window.close(np.array([True]))
    decisions = window.look_back(1.0, 0.5)
    # The target of the last decision is the return. That of the first is half of the return plus
    # half of the value at the last decision. Targets of player 1 list player 1 first.
    np.testing.assert_allclose(
        decisions.target, [[0.75, -0.8], [-1.0, 1.0], [1.0, -1.0]], rtol=1e-6
    )
    np.testing.assert_allclose(decisions.advantage, [0.65, -1.4, 0.5], rtol=1e-6)
    np.testing.assert_allclose(decisions.value, [[0.1, -0.2], [0.4, 0.3], [0.5, -0.6]])


@pytest.mark.parametrize("trace", [0.0, 0.95, 1.0])
def test_targets_of_win_shares_sum_to_1(trace: float) -> None:
    """If values are win shares, targets are win shares too."""
    batch = Batch(RICHEST, 16, seed=2, autoreset="disabled", track="memory")
    play, chance = SelfPlay(batch, 30, everyone=True), np.random.default_rng(0)
    for _ in range(3):
        while not play.full:
            shares = chance.dirichlet(np.ones(6), 16)
            play.step(legal_picks(batch, chance), (6 * shares - 1) / 5)
        targets = (1 + 5 * play.harvest(trace=trace).target) / 6
        np.testing.assert_allclose(targets.sum(axis=1), 1, atol=1e-5)
        assert targets.min() > -1e-5


def test_values_of_everyone_have_their_shape() -> None:
    play = new_play(everyone=True, value_of=lambda seen: np.zeros(len(seen)), steps=200)
    with pytest.raises(MascaradeError, match=facts("values", "shape", "(16, 6)", "(16,)")):
        play.step(play.batch.random_actions(), np.zeros(16))

    def until_games_are_cut() -> None:
        while True:
            play.step(play.batch.random_actions(), np.zeros((16, 6)))

    with pytest.raises(MascaradeError, match=facts("value_of", "shape") + r".*\(\d+, 6\)"):
        until_games_are_cut()


# Resuming in another object


def windows(play: SelfPlay, count: int, seed: int) -> list[bytes]:
    """Return the bytes of all harvested fields."""
    chance, found = np.random.default_rng(seed), []
    for _ in range(count):
        while not play.full:
            values = chance.normal(size=(16, 6))
            play.step(legal_picks(play.batch, chance), values, twice=2 * values)
        d = play.harvest()
        fields = (d.observation, d.mask, d.action, d.player, d.step, d.target, d.extra("twice"))
        found += [field.tobytes() for field in fields]
    return found


def new(**options: Any) -> SelfPlay:
    given = {"everyone": True, "extras": {"twice": ("float64", (6,))}} | options
    return new_play(value_of=lambda seen: opinions(seen, 6), **given)


def test_a_restored_self_play_continues_in_the_same_way() -> None:
    play, other = new(), new()
    windows(play, 3, seed=1)
    arrays = play.arrays()
    before = {name: array.tobytes() for name, array in arrays.items()}
    after = windows(play, 3, seed=2)
    assert {name: array.tobytes() for name, array in arrays.items()} == before  # copies
    windows(other, 2, seed=5)
    other.restore(arrays)
    assert windows(other, 3, seed=2) == after
    other.restore(arrays)  # restoring does not change them
    assert {name: array.tobytes() for name, array in other.arrays().items()} == before
    assert windows(other, 3, seed=2) == after


def test_a_window_must_be_harvested_before_it_is_stored() -> None:
    play = new()
    play.step(play.batch.random_actions(), np.zeros((16, 6)), twice=np.zeros((16, 6)))
    with pytest.raises(MascaradeError, match=facts("harvest", "window")):
        play.arrays()


def test_arrays_of_another_self_play_are_refused() -> None:
    other_batch = Batch("6A", 16, seed=5, autoreset="disabled", track="belief")
    others: Sequence[SelfPlay] = (
        new(extras={"thrice": "float64"}),
        new(everyone=False),
        SelfPlay(other_batch, 10, everyone=True, extras={"twice": ("float64", (6,))}),
    )
    arrays = new().arrays()
    for other in others:
        with pytest.raises(MascaradeError, match=facts("arrays", "SelfPlay")):
            other.restore(arrays)
    with pytest.raises(
        MascaradeError, match=facts("arrays", "SelfPlay", "scenario", "size", "track", "extras")
    ):
        new().restore({name: arrays[name] for name in list(arrays)[1:]})
