import numpy as np
import pytest

from mascarade_agents._ladder.power_values import (
    FORTUNE,
    WIN,
    changes,
    changes_of_all,
    changes_of_announced,
    finishing,
    gains,
    in_coins,
    outcome,
    own_changes,
)
from mascarade_env.game._masks import MASK_IDS
from tests.mascarade_agents.positions import reading, six
from tests.mascarade_env.game.tables import announce, play, table

FORTUNES = ([6, 6, 6, 6, 6], [4, 7, 5, 9, 6], [9, 3, 8, 2, 10], [11, 5, 6, 7, 4], [5, 2, 2, 3, 2])


@pytest.mark.parametrize("coins", FORTUNES, ids=str)
@pytest.mark.parametrize("mask", MASK_IDS)
def test_changes_follow_the_rules(mask: str, coins: list[int]) -> None:
    others = [other for other in ("judge", "king", "thief", "widow", "spy") if other != mask][:4]
    masks = ["peasant", "peasant", *others[:3]] if mask == "peasant" else [mask, *others]
    game = announce(table(*masks, coins=coins, tribunal=2), mask)
    richest = 1 + np.argsort(-np.array(coins[1:]), kind="stable")
    if mask == "witch":
        play(game, f"target:{richest[0]}" if max(coins) > coins[0] else "decline")
    while game.phase in ("target", "declare", "table"):
        if game.phase == "declare":
            play(game, "declare:judge" if game.seat != masks.index("judge") else "declare:king")
        elif game.phase == "table":
            play(game, "keep")
        else:
            play(
                game, next(f"target:{s}" for s in richest if f"target:{s}" in game.legal_actions())
            )
    found = changes(
        mask,
        np.array([coins], np.float32),
        np.array([2], np.float32),
        np.ones((1, 5), np.float32),
        13,
    )[0]
    if mask == "cheat" and coins[0] >= FORTUNE:
        assert game.winners == [0]
        assert found.tolist() == [13, 0, 0, 0, 0]
        return
    after = np.array(coins) + found
    assert after.tolist() == game.coins
    over, share = outcome(after[None].astype(np.float32), 13)
    assert bool(over[0]) == game.over
    assert share[0] == (1 / len(game.winners) if game.winners and 0 in game.winners else 0)


@pytest.mark.parametrize(
    ("coins", "over", "share"),
    [
        ([12, 12, 1], False, 0),
        ([13, 12, 1], True, 1),
        ([13, 14, 1], True, 0.5),  # both reach the goal in one step
        ([12, 13, 1], True, 0),
        ([7, 5, 0], True, 1),  # a player is broke: the richest wins
        ([7, 7, 0], True, 0.5),
        ([6, 7, 0], True, 0),
    ],
    ids=str,
)
def test_outcome(coins: list[int], over: bool, share: float) -> None:
    found = outcome(np.array(coins, np.float32), 13)
    assert bool(found[0]) == over
    assert float(found[1]) == share


def test_a_win_counts_more_than_any_coins() -> None:
    won, near = in_coins(np.array([[13, 6, 6], [12, 6, 6]], np.float32), 13)
    assert won > near + WIN / 2


def test_two_players_have_one_neighbour() -> None:
    coins = np.array([[6, 6]], np.float32)
    hidden, tribunal = np.ones((1, 2), np.float32), np.zeros(1, np.float32)
    assert changes("thief", coins, tribunal, hidden, 13).tolist() == [[1, -1]]
    assert changes("patron", coins, tribunal, hidden, 13).tolist() == [[3, 1]]


def test_changes_of_all_are_seen_from_each_seat() -> None:
    read = reading(six(), coins=[4, 6, 7, 8, 9, 5])
    change = changes_of_all(read)[0]
    trickster = read.scenario.kinds.index("trickster")
    assert (change[0] == own_changes(read)[0]).all()
    assert change[2, trickster].tolist() == [0, 0, 2, 0, -2, 0]
    assert change[4, trickster].tolist() == [0, 0, 0, -2, 2, 0]


def test_changes_of_announced_are_among_those_of_all() -> None:
    read = reading(play(six(), "announce:witch"), coins=[4, 6, 7, 8, 9, 5])
    witch = read.scenario.kinds.index("witch")
    assert (changes_of_announced(read)[0] == changes_of_all(read)[0, :, witch]).all()


def test_gains_count_the_win() -> None:
    read = reading(six(), coins=[10, 6, 6, 6, 6, 6])
    gain = dict(zip(read.scenario.kinds, gains(read)[0], strict=True))
    assert gain["empress"] > WIN / 2
    assert gain["cheat"] > WIN / 2
    assert gain["king"] == 2
    assert gain["trickster"] == 2


def test_winning_masks_of_each_player() -> None:
    read = reading(six(), coins=[11, 10, 6, 6, 6, 6], tribunal=[7])
    wins = finishing(read)[0]
    kinds = read.scenario.kinds
    assert {kinds[k] for k in np.flatnonzero(wins[0])} == {
        "judge", "empress", "king", "trickster", "cheat",
    }  # fmt: skip
    assert {kinds[k] for k in np.flatnonzero(wins[1])} == {"judge", "empress", "cheat"}
    assert {kinds[k] for k in np.flatnonzero(wins[2])} == {"judge"}
