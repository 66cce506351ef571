"""The powers with decisions: unchallenged, by a bluffer, and by a claimant."""

import pytest

from mascarade_env import IllegalActionError
from tests.mascarade_env.game.tables import announce, play, table
from tests.mascarade_env.game.test_powers import (
    assert_next_turn,
    claim,
    seated,
    targets,
    unchallenged,
    use,
)

# Every power with targets

aiming = pytest.mark.parametrize(
    ("mask", "gain"),
    [("princess", 2), ("fool", 1), ("witch", 0), ("spy", 0), ("guru", 0), ("puppet_master", 0)],
)


@unchallenged
@aiming
def test_an_announcer_may_choose_every_other_seat(mask: str, gain: int, holder: int) -> None:
    game = use(mask, holder)
    assert (game.phase, game.player, game.seat, game.turn) == ("target", 0, 0, 0)
    assert set(game.legal_actions()) - {"decline"} == targets(1, 2, 3, 4)
    assert game.coins == [6 + gain, 6, 6, 6, 6]


@aiming
def test_a_claimant_may_choose_every_other_seat_before_the_fine(mask: str, gain: int) -> None:
    game = claim(mask, 2)
    assert (game.phase, game.player, game.seat, game.turn) == ("target", 2, 2, 0)
    assert set(game.legal_actions()) - {"decline"} == targets(0, 1, 3, 4)
    assert game.coins == [6, 6, 6 + gain, 6, 6]
    assert game.tribunal == 0


@aiming
def test_only_the_witch_may_decline(mask: str, gain: int) -> None:
    game = use(mask)
    assert ("decline" in game.legal_actions()) == (mask == "witch")
    if mask != "witch":
        with pytest.raises(IllegalActionError):
            game.play("decline")


@aiming
def test_neither_oneself_nor_the_centre_can_be_chosen(mask: str, gain: int) -> None:
    game = announce(table(mask, "judge", "king", "thief", "cheat", players=3), mask)
    assert set(game.legal_actions()) - {"decline"} == targets(1, 2)


# Princess


@unchallenged
def test_princess_moves_no_mask_and_no_coin_of_the_target(holder: int) -> None:
    game = use("princess", holder)
    masks = game.masks
    game.play("target:3")
    assert game.coins == [8, 6, 6, 6, 6]
    assert game.masks == masks
    assert game.barred == [3]
    assert_next_turn(game)


def test_princess_as_claimant_chooses_before_the_liar_pays() -> None:
    game = play(claim("princess", 2), "target:4")
    assert game.coins == [5, 6, 8, 6, 6]
    assert game.tribunal == 1
    assert game.barred == [0, 2, 4]
    assert_next_turn(game)


def test_princess_may_choose_who_has_just_revealed() -> None:
    game = play(claim("princess", 2), "target:0")
    assert game.barred == [0, 2]
    assert_next_turn(game)


@pytest.mark.parametrize("holder", [0, 2])
def test_princess_wins_before_any_target(holder: int) -> None:
    coins = [6, 6, 6, 6, 6]
    coins[holder] = 11
    game = announce(seated("princess", holder, coins=coins), "princess", 2)
    assert game.coins[holder] == 13
    assert game.tribunal == 0
    assert game.winners == [holder]
    assert game.legal_actions() == []


# Fool


@pytest.mark.parametrize("choice", ["swap", "keep"])
def test_fool_takes_two_different_masks_of_others(choice: str) -> None:
    game = use("fool")
    assert game.masks == ["fool", "judge", "king", "thief", "cheat"]
    game.play("target:3")
    assert (game.phase, game.player) == ("target", 0)
    assert set(game.legal_actions()) == targets(1, 2, 4)
    game.play("target:1")
    assert (game.phase, game.player) == ("table", 0)
    assert set(game.legal_actions()) == {"swap", "keep"}
    assert game.masks == ["fool", "judge", "king", "thief", "cheat"]
    game.play(choice)
    swapped = ["fool", "thief", "king", "judge", "cheat"]
    kept = ["fool", "judge", "king", "thief", "cheat"]
    assert game.masks == (swapped if choice == "swap" else kept)
    assert game.coins == [7, 6, 6, 6, 6]
    assert_next_turn(game)


def test_fool_who_bluffs_moves_the_masks_of_two_others_all_the_same() -> None:
    game = play(use("fool", 3), "target:3", "target:4", "swap")
    assert game.masks == ["judge", "king", "thief", "cheat", "fool"]
    assert game.player_at == [0, 1, 2, 3, 4]


def test_fool_as_claimant_chooses_two_others_of_the_own_seat() -> None:
    game = play(claim("fool", 2), "target:4")
    assert set(game.legal_actions()) == targets(0, 1, 3)
    play(game, "target:0")
    assert (game.phase, game.player, game.tribunal) == ("table", 2, 0)
    game.play("swap")
    assert game.masks == ["cheat", "king", "fool", "thief", "judge"]
    assert game.coins == [5, 6, 7, 6, 6]
    assert_next_turn(game)


def test_fool_with_three_players_is_asked_for_the_single_second_target() -> None:
    game = play(announce(table("fool", "judge", "king", "thief", players=3), "fool"), "target:2")
    assert (game.phase, game.legal_actions()) == ("target", ["target:1"])


def test_fool_wins_before_any_target() -> None:
    game = use("fool", coins=[12, 6, 6, 6, 6])
    assert game.coins[0] == 13
    assert game.winners == [0]


# Witch


@unchallenged
def test_witch_exchanges_whole_fortunes(holder: int) -> None:
    game = play(use("witch", holder, coins=[3, 6, 9, 6, 6]), "target:2")
    assert game.coins == [9, 6, 3, 6, 6]
    assert game.player_at == [0, 1, 2, 3, 4]
    assert_next_turn(game)


def test_witch_may_exchange_for_less() -> None:
    assert play(use("witch", coins=[9, 6, 2, 6, 6]), "target:2").coins == [2, 6, 9, 6, 6]


@unchallenged
def test_witch_may_decline(holder: int) -> None:
    game = play(use("witch", holder, coins=[3, 6, 9, 6, 6]), "decline")
    assert game.coins == [3, 6, 9, 6, 6]
    assert_next_turn(game)


@pytest.mark.parametrize(
    ("choice", "after"),
    [
        ("target:3", [5, 6, 9, 3, 6]),
        ("target:0", [2, 6, 6, 9, 6]),  # the liar pays from the Witch's former fortune
        ("decline", [5, 6, 3, 9, 6]),
    ],
)
def test_witch_as_claimant_acts_before_the_liar_pays(choice: str, after: list[int]) -> None:
    game = play(claim("witch", 2, coins=[6, 6, 3, 9, 6]), choice)
    assert game.coins == after
    assert game.tribunal == 1
    assert_next_turn(game)


# Spy


@pytest.mark.parametrize(
    ("holder", "choice", "after"),
    [
        (0, "swap", ["thief", "judge", "king", "spy", "cheat"]),
        (0, "keep", ["spy", "judge", "king", "thief", "cheat"]),
        (1, "swap", ["thief", "spy", "king", "judge", "cheat"]),  # a bluffer
        (1, "keep", ["judge", "spy", "king", "thief", "cheat"]),
    ],
)
def test_spy_swaps_or_keeps(holder: int, choice: str, after: list[str]) -> None:
    game = use("spy", holder)
    before = game.masks
    game.play("target:3")
    assert (game.phase, game.player) == ("table", 0)
    assert set(game.legal_actions()) == {"swap", "keep"}
    assert game.masks == before
    game.play(choice)
    assert game.masks == after
    assert game.coins == [6, 6, 6, 6, 6]
    assert_next_turn(game)


def test_spy_as_claimant_swaps_the_own_mask() -> None:
    game = play(claim("spy", 2), "target:4")
    assert (game.phase, game.player) == ("table", 2)
    game.play("swap")
    assert game.masks == ["judge", "king", "cheat", "thief", "spy"]
    assert game.coins == [5, 6, 6, 6, 6]
    assert_next_turn(game)


# Guru


@unchallenged
def test_guru_makes_the_target_name_a_mask_in_play(holder: int) -> None:
    game = play(use("guru", holder), "target:4")
    assert (game.phase, game.player, game.seat) == ("declare", 4, 4)
    assert set(game.legal_actions()) == {
        "declare:guru", "declare:judge", "declare:king", "declare:thief", "declare:cheat",
    }  # fmt: skip


def test_guru_gets_nothing_for_the_right_name() -> None:
    game = play(use("guru", coins=[6, 6, 6, 3, 6]), "target:3", "declare:thief")
    assert game.coins == [6, 6, 6, 3, 6]
    assert game.masks == ["guru", "judge", "king", "thief", "cheat"]
    assert_next_turn(game)


@pytest.mark.parametrize(("before", "after"), [([6, 6], [10, 2]), ([6, 5], [10, 1])])
@pytest.mark.parametrize("name", ["declare:guru", "declare:judge", "declare:cheat"])
def test_guru_gets_four_for_a_wrong_name(before: list[int], after: list[int], name: str) -> None:
    coins = [before[0], 6, 6, before[1], 6]
    game = play(use("guru", coins=coins), "target:3", name)
    assert game.coins == [after[0], 6, 6, after[1], 6]
    assert_next_turn(game)


@pytest.mark.parametrize(
    ("before", "after", "winners"),
    [
        ([6, 6, 6, 4, 6], [10, 6, 6, 0, 6], [0]),
        ([6, 6, 6, 3, 6], [9, 6, 6, 0, 6], [0]),
        ([6, 6, 11, 3, 6], [9, 6, 11, 0, 6], [2]),
        ([6, 6, 9, 3, 6], [9, 6, 9, 0, 6], [0, 2]),
        ([10, 6, 6, 3, 6], [13, 6, 6, 0, 6], [0]),
        ([9, 6, 6, 6, 6], [13, 6, 6, 2, 6], [0]),
        ([2, 6, 6, 1, 6], [3, 6, 6, 0, 6], [1, 2, 4]),
    ],
)
def test_guru_ends_the_game(before: list[int], after: list[int], winners: list[int]) -> None:
    game = play(use("guru", coins=before), "target:3", "declare:guru")
    assert game.coins == after
    assert game.winners == winners


def test_guru_as_claimant_is_paid_before_the_fine() -> None:
    game = play(claim("guru", 2), "target:0")
    assert (game.phase, game.player, game.tribunal) == ("declare", 0, 0)
    game.play("declare:king")
    assert game.coins == [1, 6, 10, 6, 6]
    assert game.tribunal == 1
    assert_next_turn(game)


def test_guru_leaves_a_liar_the_last_coin_for_the_fine() -> None:
    game = play(claim("guru", 2, coins=[5, 6, 6, 6, 6]), "target:0", "declare:king")
    assert game.coins == [0, 6, 10, 6, 6]
    assert game.tribunal == 1
    assert game.winners == [2]


def test_guru_accepts_either_peasant_under_one_name() -> None:
    for seat in (1, 2):
        game = announce(table("guru", "peasant", "peasant", "judge"), "guru")
        game.play(f"target:{seat}")
        names = game.legal_actions()
        assert sorted(names) == ["declare:guru", "declare:judge", "declare:peasant"]
        game.play("declare:peasant")
        assert game.coins == [6, 6, 6, 6]


def test_guru_accepts_the_name_of_a_centre_mask_as_a_wrong_one() -> None:
    game = announce(table("guru", "judge", "king", "thief", players=3), "guru")
    play(game, "target:1", "declare:thief")
    assert game.coins == [10, 2, 6]


# Puppet Master


@unchallenged
@pytest.mark.parametrize("seats", [(1, 3), (3, 1)])
def test_puppet_master_takes_two_coins_and_moves_two_players(
    holder: int, seats: tuple[int, int]
) -> None:
    game = use("puppet_master", holder)
    masks = game.masks
    first, second = seats
    game.play(f"target:{first}")
    assert (game.phase, game.player) == ("target", 0)
    assert set(game.legal_actions()) == targets(second, 2, 4)
    assert game.coins == [6, 6, 6, 6, 6]
    game.play(f"target:{second}")
    assert game.coins == [8, 5, 6, 5, 6]
    assert game.masks == masks
    assert game.player_at == [0, 3, 2, 1, 4]
    assert_next_turn(game)
    assert game.player == 3


def test_puppet_master_as_claimant_may_move_the_liar_who_pays_at_the_new_seat() -> None:
    game = play(claim("puppet_master", 2), "target:0", "target:4")
    assert game.player_at == [4, 1, 2, 3, 0]
    assert game.coins == [5, 6, 8, 6, 4]
    assert game.tribunal == 1
    assert_next_turn(game)


def test_puppet_master_moves_players_who_moved_before() -> None:
    game = play(use("puppet_master"), "target:1", "target:3", "look")
    announce(game, "puppet_master")
    play(game, "target:3", "target:4")
    assert game.player_at == [0, 3, 2, 4, 1]
    assert game.coins == [8, 5, 8, 4, 5]


@pytest.mark.parametrize(
    ("before", "after", "winners"),
    [
        ([11, 6, 6, 6, 6], [13, 5, 6, 5, 6], [0]),
        ([6, 1, 6, 9, 6], [8, 0, 6, 8, 6], [0, 3]),
        ([5, 1, 7, 1, 6], [7, 0, 7, 0, 6], [0, 2]),
    ],
)
def test_puppet_master_whose_taking_ends_the_game_moves_nobody(
    before: list[int], after: list[int], winners: list[int]
) -> None:
    game = play(use("puppet_master", coins=before), "target:1", "target:3")
    assert game.coins == after
    assert game.player_at == [0, 1, 2, 3, 4]
    assert game.winners == winners


def test_puppet_master_with_three_players_is_asked_for_the_single_second_target() -> None:
    game = announce(table("puppet_master", "judge", "king"), "puppet_master")
    game.play("target:2")
    assert (game.phase, game.legal_actions()) == ("target", ["target:1"])
