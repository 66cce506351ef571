"""`Batch` with learners, and steps of some rows alone, against batches of one row.

The others of a learner's row decide by the row's own random numbers, so a batch of one row without
a learner, all of whose decisions are drawn by `random_actions`, plays the same game.
"""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import Batch, IllegalActionError, MascaradeError, Scenario, scenarios
from mascarade_env.game import _batch_kernels as kernels
from mascarade_env.game._batch import Autoreset
from tests.messages import facts

MODES = get_args(Autoreset)
TRACKS = ("memory", "belief", "both", None)
NAMES = list(scenarios())
SHORT = Scenario("short", 6, scenarios()["6A"].masks, turn_limit=9)
TAKES = Scenario("takes", 12, scenarios()["12A"].masks, opening_turns=11, strict=False)
ARRAYS = (
    "state", "final", "player", "mask", "rewards", "terminated", "truncated", "observation",
    "learner",
)  # fmt: skip

Flags = NDArray[np.bool_]


class Alongside:
    """A batch with learners, and a batch of one row without a learner for each row."""

    def __init__(
        self, scenario: Any, learners: list[int], mode: Autoreset, seed: int = 0, **options: Any
    ) -> None:
        self.mode = mode
        self.seeds = [seed + 1000 * row for row in range(len(learners))]
        self.learners = learners.copy()
        self.batch = Batch(
            scenario, len(learners), seed=self.seeds, autoreset=mode, learner=learners, **options
        )
        self.plain = [
            Batch(scenario, 1, seed=[number], autoreset="disabled", **options)
            for number in self.seeds
        ]
        self.ended: Counter[bool] = Counter()  # truncated or not
        size, players = len(learners), self.batch.scenario.players
        self.rewards = np.zeros((size, players), np.float32)
        self.final = [self.batch.final[row].tobytes() for row in range(size)]
        self.flags = np.zeros((size, 2), np.bool_)  # terminated, truncated
        for row in range(size):
            self._others_decide(row)

    def step(self, which: Flags | None = None) -> None:
        rows = np.ones(len(self.plain), np.bool_) if which is None else which
        before = [getattr(self.batch, name).copy() for name in ARRAYS]
        picked = self.batch.random_actions(rows=which)
        drawn = self.batch.state.copy()
        self.batch.step(picked, rows=which)
        for name, old in zip(ARRAYS, before, strict=True):
            assert getattr(self.batch, name)[~rows].tobytes() == old[~rows].tobytes(), name
        assert drawn[~rows].tobytes() == before[0][~rows].tobytes()
        assert not picked[~rows].any()
        for row in np.flatnonzero(rows):
            self._step_row(int(row), int(picked[row]))

    def reset(
        self, which: Flags, seeds: list[int] | None = None, learners: list[int] | None = None
    ) -> None:
        before = [getattr(self.batch, name).copy() for name in ARRAYS]
        self.batch.reset(rows=which, seed=seeds, learner=learners)
        for name, old in zip(ARRAYS, before, strict=True):
            assert getattr(self.batch, name)[~which].tobytes() == old[~which].tobytes(), name
        for row in np.flatnonzero(which).tolist():
            self.plain[row].reset(seed=None if seeds is None else [seeds[row]])
            if learners is not None:
                self.learners[row] = learners[row]
            self.rewards[row] = 0
            self.flags[row] = False
            self._others_decide(row)

    def _step_row(self, row: int, picked: int) -> None:
        plain = self.plain[row]
        self.rewards[row] = 0
        if plain.player[0] >= 0:
            assert plain.random_actions()[0] == picked
            plain.step([picked])
            self._note(row)
        elif self.mode == "next_step":
            plain.reset()
        else:
            return
        if plain.player[0] >= 0:
            self.flags[row] = False
        self._others_decide(row)
        if plain.player[0] < 0 and self.mode == "same_step":
            plain.reset()
            self._others_decide(row)

    def _others_decide(self, row: int) -> None:
        plain, learner = self.plain[row], self.learners[row]
        while learner >= 0 and plain.player[0] not in (-1, learner):
            plain.step(plain.random_actions())
            self._note(row)

    def _note(self, row: int) -> None:
        plain = self.plain[row]
        if plain.player[0] < 0:
            self.rewards[row] = plain.rewards[0]
            self.flags[row] = plain.terminated[0], plain.truncated[0]
            self.final[row] = plain.state[0].tobytes()
            self.ended[bool(plain.truncated[0])] += 1

    def check(self) -> None:
        batch = self.batch
        assert batch.learner.tolist() == self.learners
        assert (batch.rewards == self.rewards).all()
        assert (batch.terminated == self.flags[:, 0]).all()
        assert (batch.truncated == self.flags[:, 1]).all()
        believing = batch.schema is not None and batch.schema.track != "memory"
        players = batch.scenario.players
        beliefs = [batch.belief(k) for k in range(players)] if believing else []
        shared = batch.belief("onlooker") if believing else None
        for row, (plain, learner) in enumerate(zip(self.plain, self.learners, strict=True)):
            assert batch.state[row].tobytes() == plain.state[0].tobytes()
            assert batch.final[row].tobytes() == self.final[row]
            assert batch.player[row] == plain.player[0]
            assert learner < 0 or batch.player[row] in (-1, learner)
            assert (batch.mask[row] == plain.mask[0]).all()
            if batch.schema is not None:
                seen = plain.observation if learner < 0 else plain.observe(learner)
                assert (batch.observation[row] == seen[0]).all()
            if shared is not None:
                assert (shared[row] == plain.belief("onlooker")[0]).all()
                assert batch.exact[row, -1] == plain.exact[0, -1]
            for player, belief in enumerate(beliefs):
                if learner in (-1, player):
                    assert (belief[row] == plain.belief(player)[0]).all()
                    assert batch.exact[row, player] == plain.exact[0, player]
                else:
                    assert not belief[row].any()


def spread(players: int, size: int) -> list[int]:
    """Return learners of all numbers, and rows without a learner."""
    return [row % (players + 1) - 1 for row in range(size)]


def no_room(batch: Batch) -> None:
    """Shrink the beliefs of a batch to the room that they use."""
    (follower,) = batch._followers
    beliefs = follower.data.beliefs
    fewer = beliefs.worlds[: int(beliefs.heap["top"][0])].copy()
    follower.data = follower.data._replace(beliefs=beliefs._replace(worlds=fewer))
    batch._parts = [batch._part(0)]


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_plays_as_without_a_learner(name: str) -> None:
    mode = MODES[NAMES.index(name) % 3]
    players = scenarios()[name].players
    both = Alongside(name, spread(players, players + 2), mode, seed=NAMES.index(name))
    both.check()
    for _ in range(45):
        both.step()
        both.check()
        if mode == "disabled":
            over = both.batch.player < 0
            if over.all():
                both.reset(over)
    assert both.ended[False] > players / 2


@pytest.mark.parametrize("track", TRACKS)
@pytest.mark.parametrize("mode", MODES)
def test_tracks_and_modes(mode: Autoreset, track: Any) -> None:
    for scenario, padded in ((SHORT, False), ("4B", True)):
        both = Alongside(scenario, [0, 3, -1, 2, 1], mode, track=track, padded=padded)
        for _ in range(50):
            both.check()
            both.step()
        both.check()
        assert both.ended[scenario == SHORT] >= 4


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("most", [20, 100, 4096])
@pytest.mark.parametrize(
    "scenario", [scenarios()["8A"], scenarios()["12A"], TAKES], ids=lambda s: s.name
)
def test_beliefs_outgrow_their_room_within_a_step(
    scenario: Scenario, most: int, mode: Autoreset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the room is full, the step is done in two parts with the same results."""
    told: Counter[Any] = Counter()
    for kernel in ("step_rows", "reset_rows"):
        plain = getattr(kernels, kernel)

        def counting(*args: Any, name: str = kernel, plain: Any = plain) -> Any:
            answer = plain(*args)
            told[name, int(answer[0])] += 1
            return answer

        monkeypatch.setattr(kernels, kernel, counting)
    last = scenario.players - 1
    both = Alongside(scenario, [0, last, -1, 3, last], mode, track="belief", most_worlds=most)
    told.clear()
    for step in range(40):
        no_room(both.batch)
        both.step()
        if step % 8 == 7:
            no_room(both.batch)
            both.reset(np.arange(5) % 2 == step % 2)
        both.check()
    assert told["step_rows", kernels.NOT_YET] > 0
    assert told["step_rows", kernels.NO_ROOM] > 0
    assert told["reset_rows", kernels.NOT_YET] > 0 or scenario != TAKES
    assert both.batch.thinned > 0 or most == 4096


@pytest.mark.parametrize("tight", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_some_rows(mode: Autoreset, tight: bool) -> None:
    """Steps and resets of random rows, with some new learners and seeds."""
    chance = np.random.default_rng(MODES.index(mode))
    both = Alongside("7A", spread(7, 9), mode, seed=5)
    for step in range(90):
        which = chance.random(9) < chance.choice([0.0, 0.3, 0.8, 1.0])
        if tight:
            no_room(both.batch)
        if step % 9 < 8:
            both.step(which)
        else:
            seeds = chance.integers(2**62, size=9).tolist() if step % 18 < 9 else None
            learners = chance.integers(-1, 7, size=9).tolist() if step % 27 < 18 else None
            both.reset(which, seeds, learners)
        both.check()
    assert both.ended[False] > 3


def test_one_learner_for_all_and_none_again() -> None:
    batch, listed = Batch("5A", 4, seed=3, learner=2), Batch("5A", 4, seed=3, learner=[2] * 4)
    plain = Batch("5A", 4, seed=3)
    assert batch.learner.tolist() == [2] * 4
    assert plain.learner.tolist() == [-1] * 4
    for _ in range(30):
        for each in (batch, listed):
            each.step(each.random_actions())
        assert batch.state.tobytes() == listed.state.tobytes()
        assert set(batch.player.tolist()) == {2}
    batch.reset()
    assert set(batch.player.tolist()) == {2}  # the learner stays
    batch.reset(seed=3, learner=-1)
    assert batch.player.tolist() == plain.player.tolist()
    for _ in range(60):
        assert batch.state.tobytes() == plain.state.tobytes()
        assert (batch.observation == plain.observation).all()
        assert (batch.belief(0) == plain.belief(0)).all()
        for each in (batch, plain):
            each.step(each.random_actions())


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]
)
def test_a_copy_with_learners_is_independent(copied: Callable[[Batch], Batch]) -> None:
    def run(batch: Batch, steps: int) -> list[bytes]:
        for _ in range(steps):
            batch.step(batch.random_actions())
        batch.reset(rows=np.arange(6) == 1)
        return [getattr(batch, name).tobytes() for name in ARRAYS]

    batch = Batch(SHORT, 6, seed=2, learner=[0, 1, 2, -1, 5, 0])
    run(batch, 7)
    before = [getattr(batch, name).tobytes() for name in ARRAYS]
    twin = copied(batch)
    assert [getattr(twin, name).tobytes() for name in ARRAYS] == before
    after = run(twin, 25)
    assert [getattr(batch, name).tobytes() for name in ARRAYS] == before
    assert run(batch, 25) == after
    with pytest.raises(ValueError, match="read-only"):
        twin.learner[0] = 1


def test_actions_of_other_rows_are_ignored() -> None:
    batch = Batch("4A", 3, seed=1, learner=[1, -1, 2])
    legal = batch.random_actions()
    first = np.array([True, False, False])
    batch.step([int(legal[0]), -1, 10**9], rows=first)
    before = [getattr(batch, name).tobytes() for name in ARRAYS]
    with pytest.raises(IllegalActionError, match=facts("row 2", "action id", 10**9, 25)):
        batch.step([-1, legal[1], 10**9], rows=~first)
    with pytest.raises(IllegalActionError, match=facts("row 0", "action id", -1, 25)):
        batch.step([-1, -1, -1])
    nobody = np.zeros(3, np.bool_)
    batch.step([-1, -1, -1], rows=nobody)
    batch.reset(rows=nobody, seed=[1, 2, 3], learner=[0, 0, 0])
    assert not batch.random_actions(rows=nobody).any()
    assert [getattr(batch, name).tobytes() for name in ARRAYS] == before


@pytest.mark.parametrize("rows", [[True], [1, 0, 1], np.ones((3, 1), bool), "all", [[1], [1, 2]]])
def test_rows_are_an_array_of_bools(rows: Any) -> None:
    batch = Batch("6A", 3, seed=1, learner=2)
    before = batch.state.tobytes()
    picked = batch.mask.argmax(axis=1)
    uses: tuple[Callable[[], Any], ...] = (
        lambda: batch.step(picked, rows=rows),
        lambda: batch.random_actions(rows=rows),
        lambda: batch.reset(rows=rows, learner=1),
    )
    for use in uses:
        with pytest.raises(MascaradeError, match=facts("rows", 3, "bools")):
            use()
    assert batch.state.tobytes() == before
    assert batch.learner.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "learner", [6, -2, 1.0, True, "0", [1, 2], [[1, 2, 3]], [0, 1, 6], [[1], [1, 2]]]
)
def test_learners_that_are_refused(learner: Any) -> None:
    batch = Batch("6A", 3, seed=1, learner=2)
    before = [getattr(batch, name).tobytes() for name in ARRAYS]
    with pytest.raises(MascaradeError, match="player"):
        batch.reset(learner=learner)
    with pytest.raises(MascaradeError, match="player"):
        Batch("6A", 3, seed=1, learner=learner)
    assert [getattr(batch, name).tobytes() for name in ARRAYS] == before


def test_a_learner_must_have_a_turn() -> None:
    """The last seat has a turn if there is one turn for each player; with fewer, maybe not."""
    deck = scenarios()["4A"].masks
    for limit in (4, 5):
        scenario = Scenario("brief", 4, deck, turn_limit=limit, opening_turns=0, strict=False)
        for mode in MODES:
            both = Alongside(scenario, [0, 1, 2, 3, -1, 3], mode, seed=limit)
            for _ in range(30):
                both.check()
                both.step()
    brief = Scenario("brief", 4, deck, turn_limit=3)
    batch = Batch(brief, 2, seed=0)
    for learner in (0, [3, -1]):
        with pytest.raises(MascaradeError, match=facts("brief", "3 turns", "turn_limit")):
            batch.reset(learner=learner)
    assert batch.learner.tolist() == [-1, -1]
    batch.reset(learner=[-1, -1])
