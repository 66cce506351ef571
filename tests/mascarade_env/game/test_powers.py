"""The power of each mask: unchallenged, by a bluffer, and by a claimant against a liar."""

from typing import Any

import pytest

from mascarade_env import Game, IllegalActionError
from tests.mascarade_env.game.tables import announce, play, table

unchallenged = pytest.mark.parametrize("holder", [0, 3], ids=["true", "bluff"])


def seated(mask: str, holder: int = 0, **settings: Any) -> Game:
    """Return a table of five in which seat 0 acts and seat `holder` has the mask."""
    masks = [other for other in ("judge", "king", "thief", "cheat", "spy") if other != mask][:4]
    masks.insert(holder, mask)
    return table(*masks, **settings)


def use(mask: str, holder: int = 0, **settings: Any) -> Game:
    """Let seat 0 announce the mask that seat `holder` has, without claims."""
    return announce(seated(mask, holder, **settings), mask)


def claim(mask: str, holder: int, **settings: Any) -> Game:
    """Let seat 0 announce the mask falsely, and seat `holder`, who has it, claim it."""
    return announce(seated(mask, holder, **settings), mask, holder)


def assert_next_turn(game: Game) -> None:
    """Check that the second turn begins, with the player on seat 1."""
    assert (game.phase, game.turn, game.marker, game.seat) == ("turn", 1, 1, 1)
    assert game.winners is None


def targets(*seats: int) -> set[str]:
    return {f"target:{seat}" for seat in seats}


# Judge


@unchallenged
def test_judge_takes_the_whole_tribunal(holder: int) -> None:
    game = use("judge", holder, tribunal=4)
    assert game.coins == [10, 6, 6, 6, 6]
    assert game.tribunal == 0
    assert_next_turn(game)


def test_judge_takes_nothing_from_an_empty_tribunal() -> None:
    game = use("judge")
    assert game.coins == [6, 6, 6, 6, 6]
    assert_next_turn(game)


def test_judge_claimant_leaves_the_fine_of_the_same_turn() -> None:
    game = claim("judge", 2, tribunal=4)
    assert game.coins == [5, 6, 10, 6, 6]
    assert game.tribunal == 1
    assert_next_turn(game)


def test_judge_announcer_leaves_the_fines_of_the_same_turn_to_a_later_one() -> None:
    game = announce(seated("judge", tribunal=4), "judge", 1, 3)
    assert game.coins == [10, 5, 6, 5, 6]
    assert game.tribunal == 2
    announce(play(game, "look"), "judge")
    assert game.coins == [10, 5, 8, 5, 6]
    assert game.tribunal == 0


def test_judge_who_keeps_silent_does_not_take_the_tribunal() -> None:
    game = announce(seated("judge", 2, tribunal=4), "judge", 1)
    assert game.coins == [5, 5, 6, 6, 6]
    assert game.tribunal == 6


def test_judge_wins_with_the_tribunal() -> None:
    game = claim("judge", 2, tribunal=7)
    assert game.coins == [6, 6, 13, 6, 6]
    assert game.tribunal == 0
    assert game.winners == [2]


# Empress and King

bank_masks = pytest.mark.parametrize(("mask", "gain"), [("empress", 3), ("king", 2)])


@unchallenged
@bank_masks
def test_empress_and_king_take_from_the_bank(mask: str, gain: int, holder: int) -> None:
    game = use(mask, holder, tribunal=5)
    assert game.coins == [6 + gain, 6, 6, 6, 6]
    assert game.tribunal == 5
    assert_next_turn(game)


@bank_masks
def test_empress_and_king_as_claimants_take_while_the_liar_pays(mask: str, gain: int) -> None:
    game = claim(mask, 2)
    assert game.coins == [5, 6, 6 + gain, 6, 6]
    assert game.tribunal == 1
    assert_next_turn(game)


@bank_masks
def test_empress_and_king_win_at_13_and_not_at_12(mask: str, gain: int) -> None:
    short = use(mask, coins=[12 - gain, 6, 6, 6, 6])
    assert short.coins[0] == 12
    assert_next_turn(short)
    game = use(mask, coins=[13 - gain, 6, 6, 6, 6])
    assert game.coins[0] == 13
    assert game.winners == [0]


# Widow


@pytest.mark.parametrize(("before", "after"), [(1, 10), (6, 10), (9, 10), (10, 10), (11, 11)])
@unchallenged
def test_widow_fills_up_to_ten(before: int, after: int, holder: int) -> None:
    game = use("widow", holder, coins=[before, 6, 6, 6, 6])
    assert game.coins == [after, 6, 6, 6, 6]
    assert_next_turn(game)


@pytest.mark.parametrize(("before", "after"), [(6, 10), (9, 10), (10, 10), (15, 15)])
def test_widow_fills_up_to_ten_with_a_higher_goal(before: int, after: int) -> None:
    game = use("widow", coins=[before, 6, 6, 6, 6], goal_coins=20)
    assert game.coins == [after, 6, 6, 6, 6]
    assert_next_turn(game)


@pytest.mark.parametrize("goal", [8, 10])
def test_widow_wins_where_ten_is_enough(goal: int) -> None:
    game = use("widow", goal_coins=goal)
    assert game.coins == [10, 6, 6, 6, 6]
    assert game.winners == [0]


def test_widow_as_claimant_fills_up_to_ten() -> None:
    game = claim("widow", 2, coins=[6, 6, 3, 6, 6])
    assert game.coins == [5, 6, 10, 6, 6]
    assert game.tribunal == 1


# Patron


@unchallenged
def test_patron_gives_to_both_neighbours(holder: int) -> None:
    game = use("patron", holder)
    assert game.coins == [9, 7, 6, 6, 7]
    assert_next_turn(game)


def test_patron_as_claimant_gives_to_the_neighbours_of_the_own_seat() -> None:
    game = claim("patron", 2)
    assert game.coins == [5, 7, 9, 7, 6]
    assert game.tribunal == 1


def test_patron_gives_to_a_neighbour_who_lied_before_the_fine() -> None:
    game = claim("patron", 1)
    assert game.coins == [6, 9, 7, 6, 6]
    assert game.tribunal == 1


def test_patron_lets_a_neighbour_who_lied_win_before_the_fine() -> None:
    game = claim("patron", 1, coins=[12, 6, 6, 6, 6])
    assert game.coins == [13, 9, 7, 6, 6]
    assert game.tribunal == 0
    assert game.winners == [0]


def test_patron_wins_before_the_neighbours_take() -> None:
    game = use("patron", coins=[10, 12, 6, 6, 12])
    assert game.coins == [13, 12, 6, 6, 12]
    assert game.winners == [0]


def test_patron_lets_both_neighbours_win_together() -> None:
    game = use("patron", coins=[9, 12, 6, 6, 12])
    assert game.coins == [12, 13, 6, 6, 13]
    assert game.winners == [1, 4]


def test_patron_lets_one_neighbour_win() -> None:
    game = use("patron", coins=[6, 12, 6, 6, 11])
    assert game.coins == [9, 13, 6, 6, 12]
    assert game.winners == [1]


def test_patron_with_two_players_gives_the_neighbour_once() -> None:
    assert announce(table("patron", "judge"), "patron").coins == [9, 7]


# Peasant

TRUE_ANNOUNCER = ("peasant", "king", "peasant", "judge", "spy")
FALSE_ANNOUNCER = ("king", "peasant", "judge", "peasant", "spy")


@pytest.mark.parametrize("masks", [TRUE_ANNOUNCER, FALSE_ANNOUNCER], ids=["true", "bluff"])
def test_peasant_unchallenged_takes_one(masks: tuple[str, ...]) -> None:
    game = announce(table(*masks), "peasant")
    assert game.coins == [7, 6, 6, 6, 6]
    assert_next_turn(game)


@pytest.mark.parametrize(
    ("masks", "claimants", "coins", "tribunal"),
    [
        (TRUE_ANNOUNCER, (1,), [7, 5, 6, 6, 6], 1),
        (FALSE_ANNOUNCER, (1,), [5, 7, 6, 6, 6], 1),
        (FALSE_ANNOUNCER, (2, 3), [5, 6, 5, 7, 6], 2),
        (TRUE_ANNOUNCER, (2,), [8, 6, 8, 6, 6], 0),
        (TRUE_ANNOUNCER, (1, 2), [8, 5, 8, 6, 6], 1),
        (FALSE_ANNOUNCER, (1, 3), [5, 8, 6, 8, 6], 1),
        (FALSE_ANNOUNCER, (2, 4), [5, 6, 5, 6, 5], 3),
    ],
)
def test_peasants_take_one_alone_and_two_each_together(
    masks: tuple[str, ...], claimants: tuple[int, ...], coins: list[int], tribunal: int
) -> None:
    game = announce(table(*masks), "peasant", *claimants)
    assert game.coins == coins
    assert game.tribunal == tribunal
    assert_next_turn(game)


def test_two_peasants_of_whom_one_wins() -> None:
    game = announce(table(*TRUE_ANNOUNCER, coins=[10, 6, 11, 6, 6]), "peasant", 2)
    assert game.coins == [12, 6, 13, 6, 6]
    assert game.winners == [2]


# Thief


@unchallenged
def test_thief_takes_from_both_neighbours(holder: int) -> None:
    game = use("thief", holder)
    assert game.coins == [8, 5, 6, 6, 5]
    assert_next_turn(game)


def test_thief_as_claimant_takes_from_the_neighbours_of_the_own_seat() -> None:
    game = claim("thief", 2)
    assert game.coins == [5, 5, 8, 5, 6]
    assert game.tribunal == 1


def test_thief_takes_from_a_neighbour_who_lied_before_the_fine() -> None:
    game = claim("thief", 1)
    assert game.coins == [4, 8, 5, 6, 6]
    assert game.tribunal == 1


def test_thief_takes_both_coins_in_one_step() -> None:
    game = use("thief", coins=[5, 1, 6, 6, 1])
    assert game.coins == [7, 0, 6, 6, 0]
    assert game.winners == [0]


def test_thief_who_ruins_a_neighbour_may_let_another_win() -> None:
    game = use("thief", coins=[6, 1, 9, 6, 6])
    assert game.coins == [8, 0, 9, 6, 5]
    assert game.winners == [2]


@pytest.mark.parametrize(("before", "after"), [(11, 13), (12, 14)])
def test_thief_wins_at_the_goal(before: int, after: int) -> None:
    game = use("thief", coins=[before, 6, 6, 6, 6])
    assert game.coins == [after, 5, 6, 6, 5]
    assert game.winners == [0]


def test_thief_with_two_players_takes_from_the_neighbour_once() -> None:
    assert announce(table("thief", "judge"), "thief").coins == [7, 5]


# Beggar


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([6, 7, 7, 7, 7], [7, 6, 7, 7, 7]),  # equal after the first giver
        ([4, 6, 6, 6, 6], [6, 5, 5, 6, 6]),  # equal after two
        ([4, 5, 6, 6, 6], [6, 4, 5, 6, 6]),  # the left gives first
        ([3, 6, 3, 5, 9], [6, 5, 3, 4, 8]),  # a poorer player in between gives nothing
        ([1, 9, 9, 9, 9], [5, 8, 8, 8, 8]),
        ([6, 6, 6, 6, 6], [6, 6, 6, 6, 6]),
        ([9, 8, 7, 2, 1], [9, 8, 7, 2, 1]),
    ],
)
@unchallenged
def test_beggar_gets_one_from_each_who_is_richer_at_that_moment(
    before: list[int], after: list[int], holder: int
) -> None:
    game = use("beggar", holder, coins=before)
    assert game.coins == after
    assert_next_turn(game)


def test_beggar_as_claimant_begins_on_the_left_of_the_own_seat() -> None:
    game = claim("beggar", 2, coins=[6, 6, 4, 6, 6])
    assert game.coins == [5, 6, 6, 5, 5]
    assert game.tribunal == 1
    assert_next_turn(game)


def test_beggar_takes_from_the_liar_before_the_fine() -> None:
    game = claim("beggar", 4, coins=[2, 6, 6, 6, 1])
    assert game.coins == [0, 5, 5, 5, 5]
    assert game.tribunal == 1
    assert game.winners == [1, 2, 3, 4]


# Trickster


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([6, 7, 9, 6, 6], [8, 7, 7, 6, 6]),
        ([10, 7, 6, 6, 6], [12, 5, 6, 6, 6]),  # the user is richer than the victim
        ([8, 6, 6, 6, 8], [10, 6, 6, 6, 6]),  # the user does not tie
    ],
)
@unchallenged
def test_trickster_takes_two_from_the_one_richest_unasked(
    before: list[int], after: list[int], holder: int
) -> None:
    game = use("trickster", holder, coins=before)
    assert game.coins == after
    assert_next_turn(game)


def test_trickster_chooses_among_the_richest_on_a_tie() -> None:
    game = use("trickster", coins=[6, 8, 6, 8, 7])
    assert (game.phase, game.player) == ("target", 0)
    assert set(game.legal_actions()) == targets(1, 3)
    with pytest.raises(IllegalActionError):
        game.play("target:4")
    game.play("target:3")
    assert game.coins == [8, 8, 6, 6, 7]
    assert_next_turn(game)


def test_trickster_as_claimant_may_take_from_the_liar_before_the_fine() -> None:
    game = claim("trickster", 2, coins=[9, 6, 6, 6, 6])
    assert game.coins == [6, 6, 8, 6, 6]
    assert game.tribunal == 1


def test_trickster_as_claimant_is_asked_on_a_tie() -> None:
    game = claim("trickster", 2, coins=[9, 9, 12, 6, 6])
    assert (game.phase, game.player, game.tribunal) == ("target", 2, 0)
    assert set(game.legal_actions()) == targets(0, 1)


def test_trickster_takes_the_only_coin_of_a_victim() -> None:
    game = play(use("trickster", coins=[1, 1, 1, 1, 1]), "target:2")
    assert game.coins == [2, 1, 0, 1, 1]
    assert game.winners == [0]


@pytest.mark.parametrize(("victim", "after"), [(1, [6, 0]), (2, [7, 0])])
def test_trickster_ruins_the_other_of_two(victim: int, after: list[int]) -> None:
    game = announce(table("trickster", "judge", coins=[5, victim]), "trickster")
    assert game.coins == after
    assert game.winners == [0]


def test_trickster_wins_at_the_goal() -> None:
    game = use("trickster", coins=[11, 6, 9, 6, 6])
    assert game.coins == [13, 6, 7, 6, 6]
    assert game.winners == [0]


# Cheat


@pytest.mark.parametrize("goal", [13, 20])
@pytest.mark.parametrize("coins", [10, 11, 12])
@unchallenged
def test_cheat_wins_with_ten_or_more_whatever_the_goal(coins: int, goal: int, holder: int) -> None:
    game = use("cheat", holder, coins=[coins, 6, 6, 6, 6], goal_coins=goal)
    assert game.coins == [coins, 6, 6, 6, 6]
    assert game.winners == [0]


@pytest.mark.parametrize("goal", [10, 13, 20])
def test_cheat_with_nine_has_no_power(goal: int) -> None:
    game = use("cheat", coins=[9, 6, 6, 6, 6], goal_coins=goal)
    assert game.coins == [9, 6, 6, 6, 6]
    assert_next_turn(game)


def test_cheat_wins_alone_though_others_are_richer() -> None:
    assert use("cheat", coins=[10, 12, 12, 6, 6]).winners == [0]


def test_cheat_as_claimant_wins_and_the_liar_pays_nothing() -> None:
    game = claim("cheat", 2, coins=[6, 6, 10, 6, 6])
    assert game.coins == [6, 6, 10, 6, 6]
    assert game.tribunal == 0
    assert game.winners == [2]


def test_cheat_as_claimant_with_nine_only_makes_the_liar_pay() -> None:
    game = claim("cheat", 2, coins=[12, 6, 9, 6, 6])
    assert game.coins == [11, 6, 9, 6, 6]
    assert_next_turn(game)


def test_false_cheats_with_ten_do_not_win_when_challenged() -> None:
    game = announce(seated("cheat", 3, coins=[10, 10, 6, 6, 6]), "cheat", 1)
    assert game.coins == [9, 9, 6, 6, 6]
    assert_next_turn(game)
