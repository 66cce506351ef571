"""Batch against single games: equal rows for every size, order and autoreset mode."""

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

from mascarade_env import Batch, Game, IllegalActionError, MascaradeError, Scenario, scenarios
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._batch import Autoreset
from mascarade_env.game._events import LOG
from mascarade_env.game._rng import episode_seed
from mascarade_env.game._state import new_rows
from mascarade_env.observation._blocks import COLUMNS
from tests.messages import facts, states

SHORT = Scenario("short", 6, scenarios()["6A"].masks, turn_limit=9)  # some games end void


def assert_shows(batch: Batch, row: int, game: Game) -> None:
    """Check that a row shows what a game shows."""
    n = batch.scenario.players
    state = batch.state[row]
    assert state["coins"][:n].tolist() == game.coins
    assert state["mask_at"].tolist() == game._rows["mask_at"][0].tolist()
    assert batch.player[row] == (-1 if game.player is None else game.player)
    assert batch.mask[row].tolist() == (
        [1] * game.num_actions if game.over else game.legal_mask().tolist()
    )


@pytest.mark.parametrize("scenario", [*scenarios().values(), SHORT], ids=lambda s: s.name)
def test_rows_are_single_games(scenario: Scenario) -> None:
    """Every row is followed by a Game; a game that ends is compared with its final rewards."""
    size = 8
    batch = Batch(scenario, size, seed=100)
    games = [Game(scenario, seed=seed) for seed in batch.state["seed"]]
    chance = np.random.default_rng(1)
    ended = 0
    for _ in range(150):
        for row, game in enumerate(games):
            assert_shows(batch, row, game)
        actions = [chance.choice(game.legal_ids()) for game in games]
        batch.step(actions)
        for row, action in enumerate(actions):
            games[row].play(int(action))
            game = games[row]
            assert batch.rewards[row].tolist() == np.array(game.returns(), np.float32).tolist()
            assert batch.terminated[row] == (game.over and not game.truncated)
            assert batch.truncated[row] == game.truncated
            if game.over:
                ended += 1
                assert batch.final[row].tobytes() == game._rows[0].tobytes()
                games[row] = Game(scenario, seed=int(batch.state[row]["seed"]))
    assert ended >= size


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_each_autoreset_mode(mode: Autoreset) -> None:
    batch = Batch(SHORT, 16, seed=3, autoreset=mode)
    before = batch.state.copy()
    rewards = np.zeros(16)
    for _ in range(400):
        resting = batch.player == -1
        done_before = (batch.terminated | batch.truncated).copy()
        batch.step(batch.random_actions())
        done = batch.terminated | batch.truncated
        rewards += np.abs(batch.rewards).sum(axis=1)
        if mode == "same_step":
            assert not (batch.player == -1).any()
            assert not (batch.state["phase"] == 5).any()
        elif mode == "next_step":
            # The step after the end only deals the next game: it has no reward.
            assert (batch.player[resting] >= 0).all()
            assert not done[resting].any()
            assert not batch.rewards[resting].any()
            assert (batch.state["turn"][resting] == 0).all()
            assert ((batch.player == -1) == done).all()
        else:
            assert (done[done_before]).all()  # both stay set while the row rests
            assert not batch.rewards[resting].any()
            assert (batch.mask[done] == 1).all()
    if mode == "disabled":
        assert (batch.player == -1).all()
        assert (batch.state["status"] != 0).all()
        assert batch.state.tobytes() == batch.final.tobytes()
    else:
        assert (batch.state["seed"] != before["seed"]).all()
    assert (rewards[batch.final["status"] == 1] > 0).all()


def test_next_step_and_same_step_play_the_same_games() -> None:
    """The games of a row have the same seeds in both modes, so the same deals in the same order."""
    deals: list[list[bytes]] = []
    for mode in ("same_step", "next_step"):
        batch = Batch("4A", 4, seed=9, autoreset=mode)
        seen: list[list[bytes]] = [[] for _ in range(4)]
        while min(map(len, seen)) < 4:
            for row in range(4):
                deal = batch.state[row]["deal"].tobytes()
                if not seen[row] or seen[row][-1] != deal:
                    seen[row].append(deal)
            batch.step(batch.random_actions())
        deals.append([deal for row in seen for deal in row[:4]])
    assert deals[0] == deals[1]


def test_a_row_does_not_depend_on_its_place_or_the_size() -> None:
    seeds = [5, 77, 2**62, 0]
    batches = [Batch("8A", 4, seed=seeds), Batch("8A", 4, seed=seeds[::-1])]
    lone = Batch("8A", 1, seed=[77])
    small, large = Batch("8A", 3, seed=77), Batch("8A", 300, seed=77)
    for _ in range(400):
        for batch in (*batches, lone, small, large):
            batch.step(batch.random_actions())
        assert batches[0].state.tobytes() == batches[1].state[::-1].tobytes()
        assert batches[0].state[1].tobytes() == lone.state[0].tobytes()
        assert large.state[:3].tobytes() == small.state.tobytes()


def test_batches_step_in_threads() -> None:
    """Compiled code releases the interpreter's lock: two batches in two threads are independent."""

    def run(batch: Batch) -> None:
        for _ in range(300):
            batch.step(batch.random_actions())

    together = [Batch("9B", 64, seed=k) for k in range(2)]
    threads = [threading.Thread(target=run, args=[batch]) for batch in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, batch in enumerate(together):
        alone = Batch("9B", 64, seed=k)
        run(alone)
        assert alone.state.tobytes() == batch.state.tobytes()


def test_reset_of_some_rows() -> None:
    batch = Batch("6A", 5, seed=1, autoreset="disabled")
    while (batch.player >= 0).any():
        batch.step(batch.random_actions())
    before = batch.state.copy()
    which = np.array([False, True, False, True, False])
    batch.reset(rows=which, seed=[0, 11, 0, 13, 0])
    assert batch.state[~which].tobytes() == before[~which].tobytes()
    assert batch.state["seed"][which].tolist() == [11, 13]
    assert_shows(batch, 1, Game("6A", seed=11))
    assert_shows(batch, 3, Game("6A", seed=13))
    assert batch.terminated.tolist() == [True, False, True, False, True]
    assert not batch.rewards[which].any()


@pytest.mark.parametrize("rows", [[True], [1, 0, 1], np.ones((3, 1), bool), "all", [[1], [1, 2]]])
def test_rows_to_reset_are_an_array_of_bools(rows: Any) -> None:
    batch = Batch("6A", 3, seed=1)
    before = batch.state.tobytes()
    with pytest.raises(MascaradeError, match=facts("rows", 3, "bools")):
        batch.reset(rows=rows, seed=4)
    assert batch.state.tobytes() == before


def test_seeds_of_rows() -> None:
    assert Batch("6A", 3, seed=np.array([4, 4, 2])).state["seed"].tolist() == [4, 4, 2]
    assert Batch("6A", 1, seed=np.array(3)).state["seed"] == Batch("6A", 1, seed=3).state["seed"]
    assert Batch("6A", 3, seed=range(3)).state["seed"].tolist() == [0, 1, 2]
    assert (Batch("6A", 9).state["seed"] != Batch("6A", 9).state["seed"]).all()


def test_seeds_made_from_one_mean_the_same_for_ever() -> None:
    """If this changes, every published seed gives other games: raise the minor version."""
    batch = Batch("6A", 2, seed=7)
    assert batch.state["seed"].tolist() == [8460147692890830636, 305367881871196605]
    batch.reset()
    assert batch.state["seed"].tolist() == [8735476754862144729, 2067447314612168919]


@pytest.mark.parametrize(
    "seed",
    [2**63, -1, 0.5, [1], [1, 2, 3], "ab", [0, -1], True, [1, [2]], [None, 3], bytearray(b"ab")],
)
def test_seeds_that_are_refused(seed: Any) -> None:
    with pytest.raises(MascaradeError, match="seed"):
        Batch("6A", 2, seed=seed)


def test_seeds_are_distinct() -> None:
    """Among many rows and games, and among batches of neighbouring seeds."""
    seeds: list[int] = []
    for seed in range(5):
        batch = Batch("4A", 2000, seed=seed, autoreset="disabled")
        for _ in range(40):
            seeds += batch.state["seed"].tolist()
            batch.reset()
    first = [episode_seed(first, 40) for first in range(2000)]  # seeds 0, 1, 2, ...
    first += [episode_seed(row, episode) for row in range(20) for episode in range(100)]
    assert len(set(seeds)) == len(seeds) == 5 * 40 * 2000
    assert len(set(first)) == 4000 - 20  # twenty seeds are in both lists, as intended
    assert min(seeds) >= 0


def test_every_kind_of_reset_deals_the_next_game_of_a_row() -> None:
    """Resetting without a seed deals what autoreset would have dealt, always the same."""
    resting, going = Batch("4A", 6, seed=9, autoreset="disabled"), Batch("4A", 6, seed=9)
    for _ in range(300):
        assert (resting.state["seed"] == going.state["seed"]).all()
        resting.step(resting.random_actions())
        going.step(going.random_actions())
        over = resting.player == -1
        if over.any():
            resting.reset(rows=over)
    resting.reset(seed=9)
    assert resting.state["seed"].tolist() == Batch("4A", 6, seed=9).state["seed"].tolist()
    resting.reset()
    again = Batch("4A", 6, seed=9)
    again.reset()
    assert resting.state.tobytes() == again.state.tobytes()


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_of_a_batch_is_independent(copied: Any) -> None:
    def run(batch: Batch, steps: int) -> list[bytes]:
        for _ in range(steps):
            batch.step(batch.random_actions())
        shown = ("state", "final", "player", "mask", "rewards", "terminated", "truncated")
        return [getattr(batch, name).tobytes() for name in shown]

    batch = Batch(SHORT, 5, seed=2, autoreset="next_step")
    before = run(batch, 45)
    twin = copied(batch)
    assert run(twin, 0) == before
    after = run(twin, 50)
    assert run(batch, 0) == before
    assert run(batch, 50) == after
    with pytest.raises(ValueError, match="read-only"):
        twin.mask[0, 0] = 1


def test_the_layout_of_a_pickle_holds_no_sentences() -> None:
    """A new wording must leave pickles valid."""
    layout = Batch("6A", 1, seed=1).__getstate__()["format"]
    for column in COLUMNS:
        assert column.name in layout
        assert column.meaning not in layout


def test_a_pickle_of_another_layout_is_refused() -> None:
    saved = Batch("6A", 1, seed=1).__getstate__()
    with pytest.raises(MascaradeError, match=facts("pickled", "version")):
        Batch.__new__(Batch).__setstate__({**saved, "format": "older"})


def test_actions_of_any_sort_of_whole_numbers() -> None:
    one, other = Batch("6A", 6, seed=0), Batch("6A", 6, seed=0)
    for kind in (np.int8, np.uint64, ">i4", np.int64):
        picked = one.random_actions()
        assert (other.random_actions() == picked).all()
        one.step(picked.tolist())
        wide = np.zeros(12, kind)
        wide[::2] = picked
        strided = wide[::2]
        strided.flags.writeable = False
        other.step(strided)
        assert one.state.tobytes() == other.state.tobytes()


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([0, 5], ("row 1", "look", "turn", "player 0", "seat 0", "take:1")),
        ([0, -1], ("row 1", "action id", -1, 0, 27)),
        ([99, 0], ("row 0", "action id", 99, 27)),
        ([0], ("actions", 2, "whole numbers")),
        ([0.0, 1.0], ("actions", 2, "whole numbers")),
        ([[0, 1]], ("actions", 2, "whole numbers")),
        (["look", "look"], ("actions", 2, "whole numbers")),
        ([[1], [1, 2]], ("actions", 2, "whole numbers")),
        (np.array([0, 2**64 - 1], np.uint64), ("row 1", 2**64 - 1, 27)),
    ],
)
def test_an_illegal_action_names_the_row_and_changes_nothing(
    actions: Any, why: tuple[object, ...]
) -> None:
    batch = Batch("6A", 2, seed=0)
    before = batch.state.tobytes()
    with pytest.raises(IllegalActionError) as caught:
        batch.step(actions)
    assert states(str(caught.value), *why)
    assert batch.state.tobytes() == before


def test_the_arrays_cannot_be_written_by_others() -> None:
    """If a user could change a mask, illegal actions would reach the rules."""
    batch = Batch("6A", 2, seed=0)
    for name in ("mask", "player", "rewards", "terminated", "truncated", "state", "final"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[0] = getattr(batch, name)[0]


def test_arrays_are_allocated_once() -> None:
    batch = Batch("6A", 4, seed=0)
    mask, rewards = batch.mask, batch.rewards
    batch.step(batch.random_actions())
    assert batch.mask is mask
    assert batch.rewards is rewards
    assert len(batch) == 4


@pytest.mark.parametrize("size", [0, -1, 1.0, "4", True, None])
def test_sizes_that_are_refused(size: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("size", repr(size))):
        Batch("6A", size)


def test_autoreset_that_is_unknown() -> None:
    with pytest.raises(
        MascaradeError, match=facts("autoreset", "same_step", "next_step", "disabled", "never")
    ):
        Batch("6A", 2, autoreset="never")  # type: ignore[arg-type]


def test_random_actions_are_all_the_legal_ones() -> None:
    batch = Batch("6A", 2000, seed=0)
    picked = batch.random_actions()
    assert batch.mask[np.arange(2000), picked].all()
    assert set(picked.tolist()) == set(range(5))


def test_playouts_in_compiled_code_are_the_games_that_game_plays() -> None:
    rows, logs, legals = new_rows(SHORT, 3), np.zeros(1, LOG), np.zeros(1, LEGAL)
    for row in range(3):
        game = Game(SHORT, seed=row)
        rng.seed_row(rows[row], row)
        rules.deal(rows[row], logs[0])
        made = rules.playout(rows[row], logs[0], legals[0], 5)
        assert made == game.play_randomly(5) == 5
        assert rows[row].tobytes() == game._rows[0].tobytes()
        made = rules.playout(rows[row], logs[0], legals[0], 1000)
        assert made == game.play_randomly()
        assert rows[row].tobytes() == game._rows[0].tobytes()
