"""The numbered rules on powers in steps and on the end, each on a position set up for it."""

import pytest

from mascarade_env import Game, IllegalActionError, Scenario
from tests.mascarade_env.game.tables import announce, play, table

FOUR = ("judge", "spy", "king", "witch")
SIX = ("judge", "trickster", "empress", "king", "witch", "cheat")

# Section 6: powers, in steps


@pytest.mark.parametrize(
    ("mask", "before", "actions", "after"),
    [
        ("king", [6, 11, 6, 6], [], [6, 13, 6, 6]),
        ("patron", [12, 10, 12, 6], [], [12, 13, 12, 6]),
        ("thief", [1, 6, 6, 6], [], [0, 8, 5, 6]),
        ("princess", [6, 11, 6, 6], [], [6, 13, 6, 6]),
        ("fool", [6, 12, 6, 6], [], [6, 13, 6, 6]),
        ("trickster", [6, 11, 9, 6], [], [6, 13, 7, 6]),
        ("cheat", [6, 10, 6, 6], [], [6, 10, 6, 6]),
        ("guru", [3, 6, 6, 6], ["target:0", "declare:guru"], [0, 9, 6, 6]),
        ("puppet_master", [1, 6, 6, 6], ["target:0", "target:2"], [0, 8, 5, 6]),
        ("puppet_master", [6, 11, 6, 6], ["target:0", "target:2"], [5, 13, 5, 6]),
    ],
)
def test_rule_6_nothing_happens_after_the_step_that_ends_the_game(
    mask: str, before: list[int], actions: list[str], after: list[int]
) -> None:
    game = announce(table("judge", mask, "spy", "witch", coins=before), mask, 1)
    play(game, *actions)
    assert game.coins == after
    assert game.tribunal == 0
    assert game.player_at == [0, 1, 2, 3]
    assert game.masks == ["judge", mask, "spy", "witch"]
    assert game.winners == [1]


def test_rule_6_nobody_pays_more_than_they_have() -> None:
    guru = announce(table("guru", "spy", "king", "witch", coins=[6, 2, 6, 6]), "guru")
    assert play(guru, "target:1", "declare:guru").coins == [8, 0, 6, 6]
    trickster = announce(table("trickster", "spy", "king", coins=[3, 1, 1]), "trickster")
    assert play(trickster, "target:2").coins == [4, 1, 0]


def test_rule_6_both_coins_of_the_thief_move_in_one_step() -> None:
    game = announce(table("thief", "spy", "king", "witch", coins=[11, 1, 6, 1]), "thief")
    assert game.coins == [13, 0, 6, 0]
    assert game.winners == [0]


def test_rule_6_two_peasants_take_in_one_step() -> None:
    game = announce(
        table("king", "peasant", "judge", "peasant", coins=[1, 11, 6, 11]), "peasant", 1, 3
    )
    assert game.coins == [1, 13, 6, 13]
    assert game.winners == [1, 3]


def test_rule_6_all_fines_are_one_step() -> None:
    game = announce(table(*FOUR, coins=[1, 8, 8, 4]), "witch", 1)
    assert game.coins == [0, 7, 8, 4]
    assert game.tribunal == 2
    assert game.winners == [2]


def test_rule_6_beggar_compares_anew_at_each_giver() -> None:
    game = announce(table("beggar", "spy", "king", "witch", coins=[5, 6, 7, 7]), "beggar")
    assert game.coins == [7, 5, 6, 7]


def test_rule_6_trickster_is_asked_on_a_tie_alone() -> None:
    alone = announce(table("trickster", "spy", "king", coins=[6, 6, 7]), "trickster")
    assert (alone.turn, alone.coins) == (1, [8, 6, 5])
    tied = announce(table("trickster", "spy", "king", coins=[6, 7, 7]), "trickster")
    assert (tied.turn, tied.phase) == (0, "target")
    assert set(tied.legal_actions()) == {"target:1", "target:2"}


def test_rule_6_witch_may_decline() -> None:
    game = announce(table("witch", "spy", "king"), "witch")
    assert set(game.legal_actions()) == {"decline", "target:1", "target:2"}
    assert play(game, "decline").turn == 1


@pytest.mark.parametrize("mask", ["fool", "puppet_master"])
def test_rule_6_the_two_targets_differ_and_are_others(mask: str) -> None:
    game = announce(table(mask, "spy", "king", "witch", "judge", players=4), mask)
    assert set(game.legal_actions()) == {"target:1", "target:2", "target:3"}
    play(game, "target:2")
    assert set(game.legal_actions()) == {"target:1", "target:3"}
    with pytest.raises(IllegalActionError):
        game.play("target:2")


def test_rule_6_guru_is_answered_with_any_mask_in_play() -> None:
    game = announce(table("guru", "spy", "king", "witch", players=3), "guru")
    play(game, "target:2")
    assert (game.phase, game.player) == ("declare", 2)
    assert set(game.legal_actions()) == {
        "declare:guru", "declare:spy", "declare:king", "declare:witch",
    }  # fmt: skip


def test_rule_6_spy_sees_both_masks_before_deciding() -> None:
    game = announce(table("king", "spy", "witch", "judge"), "spy")
    before = len(game.log(0))
    play(game, "target:2")
    assert game.phase == "table"
    news = "\n".join(game.log(0)[before:])
    assert "King" in news
    assert "Witch" in news


def test_rule_6_everyone_sees_whom_the_spy_chose() -> None:
    game = announce(table("king", "spy", "witch", "judge"), "spy")
    before = len(game.log("onlooker"))
    play(game, "target:2")
    assert "seat 2" in "\n".join(game.log("onlooker")[before:])


def test_rule_6_puppet_master_names_both_before_the_coins_move() -> None:
    game = announce(table("puppet_master", "spy", "king", coins=[6, 1, 6]), "puppet_master")
    play(game, "target:1")
    assert (game.phase, game.coins) == ("target", [6, 1, 6])
    play(game, "target:2")
    assert game.coins == [8, 0, 5]
    assert game.winners == [0]


def test_rule_6_the_ten_of_widow_and_cheat_does_not_change_with_the_goal() -> None:
    widow = announce(table("widow", "spy", coins=[4, 6], goal_coins=20), "widow")
    assert widow.coins == [10, 6]
    assert widow.winners is None
    nine = announce(table("cheat", "spy", coins=[9, 6], goal_coins=10), "cheat")
    assert nine.winners is None
    ten = announce(table("cheat", "spy", coins=[10, 6], goal_coins=20), "cheat")
    assert ten.winners == [0]


@pytest.mark.parametrize("mask", ["princess", "spy", "guru", "witch"])
def test_rule_6_a_single_legal_target_is_still_asked_for(mask: str) -> None:
    game = announce(table(mask, "judge"), mask)
    assert (game.phase, game.player) == ("target", 0)
    assert [word for word in game.legal_actions() if word != "decline"] == ["target:1"]


@pytest.mark.parametrize(("mask", "coins"), [("thief", [7, 5]), ("patron", [9, 7])])
def test_rule_6_the_one_neighbour_of_two_players_counts_once(mask: str, coins: list[int]) -> None:
    assert announce(table(mask, "judge"), mask).coins == coins


# Section 7: the end


@pytest.mark.parametrize(("coins", "winners"), [(9, None), (10, [0]), (12, [0])])
def test_rule_7_1_thirteen_coins_or_more_win(coins: int, winners: list[int] | None) -> None:
    game = announce(table("empress", "spy", "king", coins=[coins, 6, 6]), "empress")
    assert game.coins == [coins + 3, 6, 6]
    assert game.winners == winners
    assert game.over == (winners is not None)


@pytest.mark.parametrize(
    ("masks", "claimants", "winners"),
    [
        (("peasant", "king", "peasant", "judge"), (2,), [0, 2]),
        (("king", "peasant", "judge", "peasant"), (1, 3), [1, 3]),
    ],
)
def test_rule_7_1_two_peasants_at_13_and_14_share_the_win(
    masks: tuple[str, ...], claimants: tuple[int, ...], winners: list[int]
) -> None:
    coins = [6, 6, 6, 6]
    coins[winners[0]], coins[winners[1]] = 11, 12
    game = announce(table(*masks, coins=coins), "peasant", *claimants)
    assert [game.coins[seat] for seat in winners] == [13, 14]
    assert game.tribunal == 0
    assert game.winners == winners
    third = 1 / 3
    expected = [third if player in winners else -third for player in range(4)]
    assert game.returns() == pytest.approx(expected)


def test_rule_7_1_several_win_only_by_the_same_step() -> None:
    game = announce(table("patron", "spy", "king", "witch", coins=[10, 12, 6, 12]), "patron")
    assert game.winners == [0]
    game = announce(table("patron", "spy", "king", "witch", coins=[8, 12, 6, 12]), "patron")
    assert game.winners == [1, 3]


def test_rule_7_1_a_cheat_with_ten_wins_alone() -> None:
    game = announce(table("cheat", "spy", "king", coins=[10, 12, 12]), "cheat")
    assert game.winners == [0]
    assert game.returns() == pytest.approx([1, -1 / 2, -1 / 2])


def test_rule_7_1_the_person_wins_not_the_seat() -> None:
    game = announce(
        table("puppet_master", "judge", "king", "witch", coins=[6, 12, 6, 6]), "puppet_master"
    )
    play(game, "target:1", "target:2")
    announce(game, "king")
    assert game.coins == [8, 13, 5, 6]
    assert game.winners == [2]
    assert game.returns() == pytest.approx([-1 / 3, -1 / 3, 1, -1 / 3])


@pytest.mark.parametrize(
    ("before", "after", "winners"),
    [
        ([6, 1, 6, 6], [8, 0, 6, 5], [0]),
        ([3, 1, 9, 6], [5, 0, 9, 5], [2]),
        ([5, 1, 7, 4], [7, 0, 7, 3], [0, 2]),
        ([1, 1, 9, 10], [3, 0, 9, 9], [2, 3]),
    ],
)
def test_rule_7_2_with_a_player_at_0_the_richest_win(
    before: list[int], after: list[int], winners: list[int]
) -> None:
    game = announce(table("thief", "spy", "king", "witch", coins=before), "thief")
    assert game.coins == after
    assert game.winners == winners
    assert not game.truncated


def test_rule_7_2_thirteen_coins_go_before_0_coins() -> None:
    game = announce(table("guru", "spy", "king", "witch", coins=[10, 3, 6, 6]), "guru")
    play(game, "target:1", "declare:king")
    assert game.coins == [13, 0, 6, 6]
    assert game.winners == [0]


@pytest.mark.parametrize(
    ("before", "after", "winners"),
    [
        ([1, 1, 5, 5], [0, 0, 5, 5], [2, 3]),
        ([1, 6, 5, 5], [0, 5, 5, 5], [1, 2, 3]),
        ([9, 1, 8, 8], [8, 0, 8, 8], [0, 2, 3]),
    ],
)
def test_rule_7_2_fines_of_several_liars_end_the_game(
    before: list[int], after: list[int], winners: list[int]
) -> None:
    game = announce(table(*FOUR, coins=before), "king", 1)
    assert game.coins == after
    assert game.tribunal == 2
    assert game.winners == winners


def test_rule_7_3_there_is_no_turn_limit_by_itself() -> None:
    game = play(table(*FOUR), "look*500")
    assert (game.turn, game.over) == (500, False)


def test_rule_7_3_the_game_is_void_at_the_limit_which_counts_the_opening() -> None:
    game = Game(Scenario("limited", 6, SIX, turn_limit=5), seed=1)
    play(game, "take:1", "keep", "take:0", "keep", "take:0", "keep", "take:0", "keep")
    assert not game.over
    play(game, "take:0")
    assert not game.over
    play(game, "keep")
    assert (game.over, game.truncated, game.phase) == (True, True, "over")
    assert (game.player, game.seat, game.legal_actions()) == (None, None, [])
    assert game.winners == []
    assert game.returns() == [0, 0, 0, 0, 0, 0]
    with pytest.raises(IllegalActionError):
        game.play("look")


def test_rule_7_3_the_limit_may_fall_in_the_opening() -> None:
    game = Game(Scenario("limited", 6, SIX, turn_limit=2), seed=1)
    assert play(game, "take:1", "keep", "take:0", "swap").truncated


def test_rule_7_3_the_richest_win_at_the_limit_of_a_scenario_that_says_so() -> None:
    game = table(*FOUR, coins=[5, 9, 9, 2], turn_limit=1, at_limit="richest")
    play(game, "look")
    assert (game.over, game.truncated) == (True, False)
    assert game.winners == [1, 2]
    assert game.returns() == pytest.approx([-1 / 3, 1 / 3, 1 / 3, -1 / 3])


def test_rule_7_3_fines_of_the_last_turn_are_paid_before_the_richest_are_sought() -> None:
    game = table(*FOUR, coins=[9, 9, 8, 8], turn_limit=1, at_limit="richest")
    announce(game, "spy", 3)
    assert game.coins == [8, 9, 8, 7]
    assert game.winners == [1]


@pytest.mark.parametrize("at_limit", ["void", "richest"])
def test_rule_7_3_a_win_in_the_last_turn_counts(at_limit: str) -> None:
    game = table("empress", *FOUR, coins=[10, 6, 6, 6, 6], turn_limit=1, at_limit=at_limit)
    announce(game, "empress")
    assert game.coins[0] == 13
    assert (game.winners, game.truncated) == ([0], False)


@pytest.mark.parametrize(
    ("coins", "expected"),
    [
        ([9, 5, 5, 5], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([9, 9, 5, 5], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
        ([9, 9, 9, 5], [1 / 9, 1 / 9, 1 / 9, -1 / 3]),
        ([9, 9, 9, 9], [0, 0, 0, 0]),
        ([2, 1], [1, -1]),
        ([1, 7, 1, 1, 1, 1], [-0.2, 1, -0.2, -0.2, -0.2, -0.2]),
        ([7, 1, 7, 1, 1, 1], [0.4, -0.2, 0.4, -0.2, -0.2, -0.2]),
    ],
)
def test_rule_7_returns(coins: list[int], expected: list[float]) -> None:
    masks = SIX[: len(coins)]
    game = table(*masks, coins=coins, turn_limit=1, at_limit="richest")
    assert game.returns() == [0] * len(coins)
    play(game, "look")
    assert game.returns() == pytest.approx(expected)
    assert sum(game.returns()) == pytest.approx(0)
