"""The numbered rules on setup, turns and challenges, each on a position that the test sets up."""

import pytest

from mascarade_env import MASKS, Game, IllegalActionError
from tests.mascarade_env.game.tables import PRINTED, announce, play, table

FOUR = ("judge", "spy", "king", "witch")
NAMES = {mask.id: mask.name for mask in MASKS}


def shown(game: Game) -> str:
    """Return all that any viewer may know of the game since the deal, as one text."""
    return "\n".join(game.log("onlooker")[len(game.masks) :])


def kinds_of_action(game: Game) -> set[str]:
    return {word.partition(":")[0] for word in game.legal_actions()}


def puppeteer(*claimants: int) -> Game:
    """Let seat 0 announce the Puppet Master falsely; seat 2, who has it, and others claim it."""
    game = table("judge", "spy", "puppet_master", "witch")
    return announce(game, "puppet_master", 2, *claimants)


# Section 3: setup


@pytest.mark.parametrize("name", PRINTED)
def test_rule_3_1_every_seat_starts_with_six_coins(name: str) -> None:
    game = Game(name, seed=1)
    players = int(name[:-1])
    assert game.coins == [6] * players
    assert game.tribunal == 0
    assert game.player_at == list(range(players))


@pytest.mark.parametrize("name", PRINTED)
def test_rule_3_2_six_masks_for_four_and_five_players_and_else_one_each(name: str) -> None:
    assert len(Game(name, seed=1).masks) == max(6, int(name[:-1]))


def test_rule_3_3_every_mask_may_be_dealt_to_every_slot() -> None:
    deals = [Game("4A", seed=seed).deal for seed in range(300)]
    kinds = ["empress", "fool", "judge", "patron", "thief", "trickster"]
    assert all(sorted(deal) == kinds for deal in deals)
    assert {(slot, mask) for deal in deals for slot, mask in enumerate(deal)} == {
        (slot, mask) for slot in range(6) for mask in kinds
    }


def test_rule_3_3_the_masks_lie_as_dealt_when_the_game_begins() -> None:
    game = Game("5B", seed=3)
    assert game.masks == game.deal


@pytest.mark.parametrize("seed", range(5))
def test_rule_3_4_seat_0_begins(seed: int) -> None:
    game = Game("7A", seed=seed)
    assert (game.marker, game.seat, game.player, game.turn) == (0, 0, 0, 0)


def test_rule_3_5_the_bank_never_runs_out() -> None:
    game = table("empress", *FOUR, coins=[900] * 5, goal_coins=1000)
    assert announce(game, "empress").coins == [903, 900, 900, 900, 900]


# Section 4: turns


@pytest.mark.parametrize("name", ["4A", "5A", "6A", "12A"])
def test_rule_4_1_the_opening_is_exactly_four_takes_whatever_the_number_of_players(
    name: str,
) -> None:
    game = Game(name, seed=1)
    players, slots = game.scenario.players, len(game.masks)
    for turn in range(4):
        assert (game.turn, game.player) == (turn, turn)
        own = game.seat
        others = {f"take:{slot}" for slot in range(slots) if slot != own}
        assert set(game.legal_actions()) == others
        with pytest.raises(IllegalActionError):
            game.play("look")
        with pytest.raises(IllegalActionError):
            game.play("announce:judge")
        play(game, f"take:{slots - 1 if turn < slots - 1 else 0}", "swap")
    assert (game.turn, game.seat) == (4, 4 % players)
    assert kinds_of_action(game) == {"take", "look", "announce"}


def test_rule_4_2_a_free_turn_is_a_look_a_take_or_an_announcement() -> None:
    game = table(*FOUR, "fool", "thief", players=4)
    play(game, "look")
    assert set(game.legal_actions()) == {
        "look", "take:0", "take:2", "take:3", "take:4", "take:5", "announce:judge", "announce:spy",
        "announce:king", "announce:witch", "announce:fool", "announce:thief",
    }  # fmt: skip


def test_rule_4_2a_a_look_changes_nothing_and_ends_the_turn() -> None:
    game = play(table(*FOUR), "look")
    assert game.masks == list(FOUR)
    assert (game.turn, game.phase, game.player) == (1, "turn", 1)


@pytest.mark.parametrize(
    ("slot", "choice", "after"),
    [
        (2, "swap", ["king", "spy", "judge", "witch", "fool"]),
        (2, "keep", ["judge", "spy", "king", "witch", "fool"]),
        (4, "swap", ["fool", "spy", "king", "witch", "judge"]),
        (4, "keep", ["judge", "spy", "king", "witch", "fool"]),
    ],
)
def test_rule_4_2b_a_take_swaps_or_keeps(slot: int, choice: str, after: list[str]) -> None:
    game = play(table(*FOUR, "fool", players=4), f"take:{slot}")
    assert (game.phase, game.player, game.turn) == ("table", 0, 0)
    assert set(game.legal_actions()) == {"swap", "keep"}
    assert game.masks == [*FOUR, "fool"]
    game.play(choice)
    assert game.masks == after
    assert game.coins == [6, 6, 6, 6]
    assert (game.turn, game.phase, game.player) == (1, "turn", 1)


def test_rule_4_2b_two_different_slots_are_taken() -> None:
    game = table(*FOUR)
    with pytest.raises(IllegalActionError):
        game.play("take:0")
    assert (game.turn, game.phase, game.player) == (0, "turn", 0)


def test_rule_4_2c_only_masks_in_play_can_be_announced_the_centre_included() -> None:
    game = table("judge", "peasant", "peasant", "king", players=3)
    words = [word for word in game.legal_actions() if word.startswith("announce")]
    assert sorted(words) == ["announce:judge", "announce:king", "announce:peasant"]
    with pytest.raises(IllegalActionError):
        game.play("announce:empress")


@pytest.mark.parametrize(
    "masks", [("judge", "king", "spy", "witch"), FOUR], ids=["rightly", "falsely"]
)
def test_rule_4_3_who_revealed_rightly_or_not_may_not_announce_next(masks: tuple[str, ...]) -> None:
    game = announce(table(*masks), "king", 1)
    assert game.player == 1
    assert set(game.legal_actions()) == {"look", "take:0", "take:2", "take:3"}
    with pytest.raises(IllegalActionError):
        game.play("announce:king")


@pytest.mark.parametrize("actions", [["look"], ["take:3", "swap"], ["take:0", "keep"]])
def test_rule_4_3_who_is_barred_may_look_and_take(actions: list[str]) -> None:
    game = play(announce(table(*FOUR), "king", 1), *actions)
    assert (game.turn, game.player) == (2, 2)


def test_rule_4_3_who_is_barred_may_claim() -> None:
    game = announce(table(*FOUR), "king", 2)
    assert 2 in game.barred
    game.play("announce:witch")
    assert game.player == 2
    assert set(game.legal_actions()) == {"claim", "pass"}
    play(game, "claim", "pass", "pass")
    assert game.coins == [5, 5, 7, 6]


def test_rule_4_3_the_bar_lasts_for_just_the_next_turn() -> None:
    game = announce(table(*FOUR), "king", 2)
    assert game.barred == [0, 2]
    assert "announce" in kinds_of_action(game)
    play(game, "look")
    assert game.barred == []
    assert game.player == 2
    assert "announce" in kinds_of_action(game)


def test_rule_4_3_who_was_barred_may_announce_a_round_later() -> None:
    game = announce(table(*FOUR), "king", 1)
    assert "announce" not in kinds_of_action(game)
    play(game, "look", "look", "look", "look")
    assert (game.turn, game.player) == (5, 1)
    assert "announce" in kinds_of_action(game)


def test_rule_4_3_nobody_is_barred_by_an_announcement_that_is_not_challenged() -> None:
    game = announce(table(*FOUR), "king")
    assert game.barred == []
    assert "announce" in kinds_of_action(game)


def test_rule_4_3_who_passes_with_the_mask_is_not_barred() -> None:
    game = announce(table("judge", "king", "spy", "witch"), "king", 3)
    assert game.barred == [0, 3]
    assert "announce" in kinds_of_action(game)


@pytest.mark.parametrize("name", ["declare:spy", "declare:king"], ids=["right", "wrong"])
def test_rule_4_3_the_target_of_the_guru_is_barred(name: str) -> None:
    game = announce(table("guru", "spy", "king", "witch"), "guru")
    play(game, "target:1", name)
    assert game.barred == [1]
    assert set(game.legal_actions()) == {"look", "take:0", "take:2", "take:3"}


def test_rule_4_3_the_target_of_the_princess_is_barred() -> None:
    game = announce(table("princess", "spy", "king", "witch"), "princess")
    play(game, "target:1")
    assert game.barred == [1]
    assert set(game.legal_actions()) == {"look", "take:0", "take:2", "take:3"}


@pytest.mark.parametrize(
    ("mask", "actions"),
    [
        ("spy", ["target:1", "swap"]),
        ("fool", ["target:1", "target:2", "swap"]),
        ("witch", ["target:1"]),
        ("puppet_master", ["target:1", "target:2"]),
        ("trickster", ["target:1"]),
    ],
)
def test_rule_4_3_other_targets_are_not_barred(mask: str, actions: list[str]) -> None:
    game = announce(table(mask, "judge", "king", "cheat"), mask)
    play(game, *actions)
    assert game.turn == 1
    assert game.barred == []
    assert "announce" in kinds_of_action(game)


def test_rule_4_3_the_bar_goes_with_an_announcer_moved_to_the_next_seat() -> None:
    game = play(puppeteer(), "target:0", "target:1")
    assert game.player_at == [1, 0, 2, 3]
    assert game.coins == [5, 4, 8, 6]
    assert (game.seat, game.player) == (1, 0)
    assert game.barred == [0, 2]
    assert set(game.legal_actions()) == {"look", "take:0", "take:2", "take:3"}


def test_rule_4_3_the_bar_hits_who_sits_there_since_an_exchange_of_seats() -> None:
    game = announce(table("puppet_master", "judge", "king", "witch"), "puppet_master")
    play(game, "target:2", "target:3")
    announce(game, "judge", 2)  # claimed by player 3, who now sits on seat 2
    assert (game.seat, game.player) == (2, 3)
    assert game.barred == [1, 3]
    assert kinds_of_action(game) == {"take", "look"}


def test_rule_4_3_the_bar_does_not_stay_on_the_seat_of_who_revealed() -> None:
    game = play(puppeteer(1), "target:1", "target:3")
    assert game.player_at == [0, 3, 2, 1]
    assert game.coins == [5, 5, 8, 4]
    assert (game.seat, game.player) == (1, 3)
    assert game.barred == [0, 1, 2]
    assert kinds_of_action(game) == {"look", "take", "announce"}


@pytest.mark.parametrize("claimant", [1, 2, 3])
def test_rule_4_4_the_marker_moves_on_from_the_announcer_not_the_claimant(claimant: int) -> None:
    game = announce(table(*FOUR), "king", claimant)
    assert (game.marker, game.seat) == (1, 1)


def test_rule_4_4_the_marker_goes_round_the_table() -> None:
    game = table(*FOUR)
    seats = []
    for _ in range(9):
        seats.append(game.marker)
        play(game, "look")
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3, 0]


def test_rule_4_4_the_marker_moves_on_from_where_it_was_after_an_exchange_of_seats() -> None:
    game = play(puppeteer(), "target:0", "target:3")
    assert game.player_at == [3, 1, 2, 0]
    assert (game.marker, game.player) == (1, 1)
    players = []
    for _ in range(5):
        players.append(game.player)
        play(game, "look")
    assert players == [1, 2, 0, 3, 1]


def test_rule_4_5_who_showed_the_mask_outside_the_own_turn_need_not_look() -> None:
    game = play(announce(table("princess", "spy", "king", "witch"), "princess"), "target:1")
    play(game, "take:3", "swap")
    assert (game.turn, game.player) == (2, 2)


# Section 5: announcement and challenge


@pytest.mark.parametrize(
    "answers",
    [["pass"] * 4, ["claim", "pass", "pass", "pass"], ["claim"] * 4],
    ids=["no claim", "one claim", "all claim"],
)
def test_rule_5_1_every_other_player_is_asked_once_from_the_left(answers: list[str]) -> None:
    game = play(table(*FOUR, "thief"), "look", "look", "announce:judge")
    asked = []
    for answer in answers:
        assert game.phase == "challenge"
        assert set(game.legal_actions()) == {"claim", "pass"}
        asked.append(game.seat)
        game.play(answer)
    assert asked == [3, 4, 0, 1]
    assert (game.phase, game.turn) == ("turn", 3)


def test_rule_5_1_answers_are_heard_at_once() -> None:
    game = play(table(*FOUR), "announce:king")
    before = game.log("onlooker")
    game.play("claim")
    claimed = game.log("onlooker")[len(before) :]
    game.play("pass")
    passed = game.log(3)[len(before) + len(claimed) :]
    assert any("player 1" in line and "claim" in line for line in claimed)
    assert any("player 2" in line and "pass" in line for line in passed)


@pytest.mark.parametrize("announcer", ["king", "judge"], ids=["true", "bluff"])
def test_rule_5_2_without_a_claim_the_power_is_used_and_no_mask_shown(announcer: str) -> None:
    rest = [mask for mask in FOUR if mask != announcer]
    game = announce(table(announcer, *rest), "king")
    assert game.coins == [8, 6, 6, 6]
    assert game.tribunal == 0
    assert not any(NAMES[mask] in shown(game) for mask in ("judge", "spy", "witch"))


def test_rule_5_3_all_who_spoke_reveal_after_the_last_answer() -> None:
    game = play(table(*FOUR), "announce:king", "claim", "claim")
    assert not any(NAMES[mask] in shown(game) for mask in ("judge", "spy", "witch"))
    game.play("pass")
    assert all(NAMES[mask] in shown(game) for mask in ("judge", "spy"))
    assert NAMES["witch"] not in shown(game)


@pytest.mark.parametrize(
    ("claimants", "coins", "tribunal"),
    [
        ((1,), [5, 5, 6, 6], 2),  # no true claim, so no power
        ((2,), [5, 6, 8, 6], 1),
        ((1, 2), [5, 5, 8, 6], 2),
        ((1, 2, 3), [5, 5, 8, 5], 3),
    ],
)
def test_rule_5_3_who_has_the_mask_uses_the_power(
    claimants: tuple[int, ...], coins: list[int], tribunal: int
) -> None:
    game = announce(table(*FOUR), "king", *claimants)
    assert game.coins == coins
    assert game.tribunal == tribunal


def test_rule_5_3_a_true_announcer_uses_the_power_against_claimants() -> None:
    game = announce(table("king", "judge", "spy", "witch"), "king", 1, 3)
    assert game.coins == [8, 5, 6, 5]
    assert game.tribunal == 2


def test_rule_5_3_two_true_peasants_both_take_two() -> None:
    game = announce(table("judge", "peasant", "king", "peasant"), "peasant", 1, 3)
    assert game.coins == [5, 8, 6, 8]


def test_rule_5_4_the_judge_does_not_take_the_fines_of_the_turn() -> None:
    game = announce(table("spy", "judge", "king", "witch", tribunal=2), "judge", 1, 2)
    assert game.coins == [5, 8, 5, 6]
    assert game.tribunal == 2


def test_rule_5_4_a_liar_pays_from_the_fortune_got_from_the_witch() -> None:
    game = announce(table(*FOUR, coins=[1, 6, 6, 8]), "witch", 3)
    play(game, "target:0")
    assert game.coins == [7, 6, 6, 1]
    assert game.winners is None


def test_rule_5_4_a_liar_pays_from_the_fortune_left_by_the_witch() -> None:
    game = announce(table(*FOUR, coins=[8, 6, 6, 1]), "witch", 3)
    play(game, "target:0")
    assert game.coins == [0, 6, 6, 8]
    assert game.winners == [3]


def test_rule_5_4_a_liar_pays_from_the_fortune_at_the_new_seat() -> None:
    game = announce(
        table("judge", "spy", "puppet_master", "witch", coins=[2, 6, 6, 6]), "puppet_master", 2
    )
    play(game, "target:0", "target:3")
    assert game.player_at == [3, 1, 2, 0]
    assert game.coins == [1, 6, 8, 4]
    assert game.winners is None


def test_rule_5_4_a_liar_may_pay_the_last_coin_of_the_new_seat() -> None:
    game = announce(
        table("judge", "spy", "puppet_master", "witch", coins=[6, 6, 6, 2]), "puppet_master", 2
    )
    play(game, "target:0", "target:3")
    assert game.coins == [5, 6, 8, 0]
    assert game.winners == [2]


def test_rule_5_5_the_masks_are_face_down_again_before_the_next_turn() -> None:
    game = announce(table(*FOUR), "king", 2)
    assert game.masks == list(FOUR)
    before = game.log("onlooker")
    play(game, "look", "look", "look", "look")
    news = "\n".join(game.log("onlooker")[len(before) :])
    assert not any(NAMES[mask] in news for mask in FOUR)
