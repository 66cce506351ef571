"""Views that are made of the decisions in the rows of a batch."""

import numpy as np
import pytest

from mascarade_env import Batch, Game
from mascarade_env._policies.histories import Histories
from mascarade_env.game._positions import NOBODY
from tests.mascarade_env.policies.players import LastByMask, LastByView


@pytest.mark.parametrize("padded", [False, True])
def test_views_are_those_of_the_games_in_the_rows(padded: bool) -> None:
    """Also of rows that are dealt again, and with decisions in some rows alone."""
    batch = Batch("4A", 6, seed=2, padded=padded, autoreset="disabled")
    plain = Batch("4A", 6, seed=2, autoreset="disabled")
    histories, rng = Histories(batch), np.random.default_rng(4)
    policy = LastByView(batch.scenario)
    looked = 0
    for _ in range(120):
        over = batch.player == NOBODY
        if over.any():
            batch.reset(rows=over)
            plain.reset(rows=over)
            histories.forget(over)
        rows = rng.random(6) < 0.7
        taken = batch.random_actions(rows=rows)
        batch.step(taken, rows=rows)
        plain.step(np.maximum(batch.unpadded[taken], 0), rows=rows)
        histories.add(taken, rows)
        asked = np.flatnonzero((batch.player != NOBODY) & (rng.random(6) < 0.3))
        shown = histories.positions(asked, policy)
        for row, view in zip(asked, shown.views, strict=True):
            assert view.player == batch.player[row]
            np.testing.assert_array_equal(view.observation(), plain.observation[row])
            np.testing.assert_array_equal(view.legal_mask(), plain.mask[row])
            looked += 1
    assert looked > 100


def test_views_are_made_for_who_needs_them_and_when_they_are_asked_for() -> None:
    batch = Batch("4A", 4, seed=1)
    histories = Histories(batch)
    scenario = batch.scenario
    assert histories.positions(np.arange(4), LastByMask(scenario)).views == ()
    views = histories.positions(np.arange(4), LastByView(scenario)).views
    assert not histories._followed
    assert views[2].player == batch.player[2]
    assert list(histories._followed) == [2]
    histories.drop_views(np.ones(4, np.bool_))
    assert not histories._followed
    assert not [each for each in vars(views).values() if isinstance(each, Histories | Game)]


def test_a_game_is_played_again_from_its_decisions() -> None:
    batch = Batch("6A", 3, seed=8, padded=True, autoreset="disabled")
    histories = Histories(batch)
    for _ in range(90):  # more than there is room for at first
        running = batch.player != NOBODY
        taken = batch.random_actions(rows=running)
        batch.step(taken, rows=running)
        histories.add(taken, running)
    for row in range(3):
        game = histories.game(row)
        assert len(game.history) == batch.state["decisions"][row] == histories.lengths[row]
        assert game.over == bool(batch.player[row] == NOBODY)
        assert game.coins == batch.state["coins"][row][:6].tolist()
    assert histories.lengths.max() > 64
