"""The log of each viewer has what this viewer may know by rules 8, and nothing else."""

import pytest

from mascarade_env import MASKS, Game
from tests.mascarade_env.game.tables import announce, play, table
from tests.messages import lines_stating, states

NAMES = {mask.id: mask.name for mask in MASKS}
Viewer = int | str


def news(game: Game, viewer: Viewer, *actions: str) -> str:
    """Return the sentences that a viewer gets for these actions, taken on a copy of the game."""
    before = log(game, viewer)
    after = log(play(game.clone(), *actions), viewer)
    assert after[: len(before)] == before
    return "\n".join(after[len(before) :])


def log(game: Game, viewer: Viewer) -> list[str]:
    return game.log(viewer)  # type: ignore[arg-type]


def masks_named(text: str) -> set[str]:
    return {mask for mask, name in NAMES.items() if name in text}


def tells_the_choice(game: Game, viewer: Viewer) -> bool:
    """Return whether the viewer learns if the masks under the table are swapped or kept."""
    assert game.phase == "table"
    return news(game, viewer, "swap") != news(game, viewer, "keep")


FIVE = ("judge", "spy", "king", "fool", "princess")
OTHERS: list[Viewer] = [1, 2, 3, 4, "onlooker"]
EVERYBODY: list[Viewer] = [0, 1, 2, 3, "onlooker", "all"]
ENTITLED: list[Viewer] = [0, "all"]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_the_deal(viewer: Viewer) -> None:
    told = log(Game("4A", seed=1), viewer)
    places = ["seat 0", "seat 1", "seat 2", "seat 3", "centre slot 4", "centre slot 5"]
    deal = Game("4A", seed=1).deal
    for line, mask, place in zip(told[:6], deal, places, strict=True):
        assert masks_named(line) == {mask}
        assert states(line, place)


@pytest.mark.parametrize("viewer", ENTITLED)
def test_the_player_who_looks_sees_the_mask(viewer: Viewer) -> None:
    assert masks_named(news(table(*FIVE), viewer, "look")) == {"judge"}


@pytest.mark.parametrize("viewer", OTHERS)
def test_others_see_that_a_player_looks_but_not_the_mask(viewer: Viewer) -> None:
    told = news(table(*FIVE), viewer, "look")
    assert masks_named(told) == set()
    assert lines_stating(told, "player 0", "seat 0")


@pytest.mark.parametrize("viewer", [*ENTITLED, *OTHERS])
def test_everyone_sees_which_slots_are_taken_and_no_player_the_masks(viewer: Viewer) -> None:
    game = table(*FIVE, "witch", players=5)
    for action, place in (("take:2", "seat 2"), ("take:5", "slot 5")):
        told = news(game, viewer, action)
        assert lines_stating(told, "player 0", "seat 0", place)
        assert masks_named(told) == set()


@pytest.mark.parametrize(
    "actions", [["take:2"], ["spy", "target:2"], ["fool", "target:2", "target:3"]]
)
@pytest.mark.parametrize("viewer", [*ENTITLED, *OTHERS])
def test_the_player_who_swaps_or_keeps_sees_which(actions: list[str], viewer: Viewer) -> None:
    game = table(*FIVE)
    if actions[0] in NAMES:
        announce(game, actions[0])
        actions = actions[1:]
    play(game, *actions)
    assert tells_the_choice(game, viewer) == (viewer in ENTITLED)


def test_the_announcer_does_not_see_if_a_claimant_swaps_or_keeps() -> None:
    game = play(announce(table(*FIVE), "fool", 3), "target:0", "target:1")
    entitled = [
        viewer for viewer in [*range(5), "onlooker", "all"] if tells_the_choice(game, viewer)
    ]
    assert entitled == [3, "all"]


@pytest.mark.parametrize("viewer", ENTITLED)
def test_the_spy_sees_both_masks(viewer: Viewer) -> None:
    game = announce(table(*FIVE), "spy")
    assert masks_named(news(game, viewer, "target:2")) == {"judge", "king"}


@pytest.mark.parametrize("viewer", OTHERS)
def test_others_see_the_target_of_the_spy_but_no_mask(viewer: Viewer) -> None:
    told = news(announce(table(*FIVE), "spy"), viewer, "target:2")
    assert masks_named(told) == set()
    assert lines_stating(told, "player 0", "seat 2")


@pytest.mark.parametrize("viewer", [0, 1, 3, 4, "all"])
def test_all_but_the_target_see_the_mask_shown_for_the_princess(viewer: Viewer) -> None:
    game = announce(table(*FIVE), "princess")
    assert masks_named(news(game, viewer, "target:2")) == {"king"}


@pytest.mark.parametrize("viewer", [2, "onlooker"])
def test_the_target_of_the_princess_and_the_public_see_only_the_choice(
    viewer: Viewer,
) -> None:
    told = news(announce(table(*FIVE), "princess"), viewer, "target:2")
    assert masks_named(told) == set()
    assert lines_stating(told, "player 0", "seat 2")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_the_name_and_the_mask_given_to_the_guru(viewer: Viewer) -> None:
    game = play(announce(table("judge", "spy", "king", "guru"), "guru"), "target:2")
    assert masks_named(news(game, viewer, "declare:spy")) - {"guru"} == {"spy", "king"}


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_the_masks_revealed_in_a_challenge(viewer: Viewer) -> None:
    game = play(table("judge", "spy", "king", "witch"), "announce:king", "claim", "claim")
    assert masks_named(news(game, viewer, "pass")) == {"judge", "spy", "king"}


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_announcements_answers_and_targets(viewer: Viewer) -> None:
    game = table("judge", "spy", "king", "witch")
    assert "Witch" in news(game, viewer, "announce:witch")
    play(game, "announce:witch")
    assert news(game, viewer, "claim") != news(game, viewer, "pass")
    play(game, "pass*3")
    told = {action: news(game, viewer, action) for action in game.legal_actions()}
    assert set(told) == {"decline", "target:1", "target:2", "target:3"}
    assert len(set(told.values())) == 4


def payments(told: str) -> list[str]:
    return [line for line in told.splitlines() if "coin" in line]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_which_coins_move(viewer: Viewer) -> None:
    king = play(table("judge", "spy", "king", "thief"), "announce:king", "pass", "claim")
    told = payments(news(king, viewer, "pass"))
    assert len(told) == 2
    assert states(told[0], 2, "from the bank", "to seat 2")
    assert states(told[1], 1, "from seat 0", "to the tribunal")
    thief = play(table("judge", "spy", "king", "thief"), "announce:thief", "pass", "pass")
    told = sorted(payments(news(thief, viewer, "pass")))
    assert len(told) == 2
    assert states(told[0], 1, "from seat 1", "to seat 0")
    assert states(told[1], 1, "from seat 3", "to seat 0")
    judge = play(king, "pass", "announce:judge", "pass", "pass")
    (only,) = payments(news(judge, viewer, "pass"))
    assert states(only, 1, "from the tribunal", "to seat 1")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_whether_fortunes_are_exchanged(viewer: Viewer) -> None:
    game = announce(table("judge", "spy", "king", "witch"), "witch")
    exchanged = news(game, viewer, "target:3")
    (exchange,) = [line for line in exchanged.splitlines() if "fortune" in line]
    assert states(exchange, "seat 0", "seat 3")
    declined = news(game, viewer, "decline")
    assert states(declined.splitlines()[0], "player 0")
    assert "seat" not in declined.splitlines()[0]
    assert "fortune" not in declined


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_who_uses_a_power(viewer: Viewer) -> None:
    peasants = play(table("judge", "peasant", "king", "peasant"), "announce:peasant", "claim")
    told = lines_stating(news(peasants, viewer, "pass", "claim"), "power", "Peasant")
    assert len(told) == 2
    assert states(told[0], "player 1")
    assert states(told[1], "player 3")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_who_wins(viewer: Viewer) -> None:
    game = table("judge", "peasant", "king", "peasant", start_coins=11)
    told = news(game, viewer, "announce:peasant", "claim", "pass", "claim")
    winners = [line for line in told.splitlines() if "win" in line]
    assert len(winners) == 2
    assert states(winners[0], "player 1")
    assert states(winners[1], "player 3")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everyone_sees_whose_turn_begins_and_the_limit(viewer: Viewer) -> None:
    game = table("judge", "spy", "king", "witch", turn_limit=2)
    assert states(log(game, viewer)[-1], "turn 0", "player 0", "seat 0")
    assert lines_stating(news(game, viewer, "look"), "turn 1", "player 1", "seat 1")
    assert "limit" not in news(game, viewer, "look")
    assert lines_stating(news(game, viewer, "look", "look"), "limit", 2)


@pytest.fixture
def moved() -> Game:
    """Return a game in which players 1 and 3 have exchanged seats, and player 3 acts on seat 1."""
    game = announce(table("puppet_master", "judge", "spy", "princess", "king"), "puppet_master")
    return play(game, "target:1", "target:3")


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, 4, "onlooker", "all"])
def test_everyone_sees_who_exchanged_seats(viewer: Viewer, moved: Game) -> None:
    told = [line for line in log(moved, viewer) if "exchange" in line]
    assert len(told) == 1
    assert states(told[0], "seat 1", "seat 3")


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, 4, "onlooker", "all"])
def test_what_is_seen_goes_to_the_person_not_the_seat(viewer: Viewer, moved: Game) -> None:
    looked = {"judge"} if viewer in (3, "all") else set()
    assert masks_named(news(moved, viewer, "look")) == looked
    play(moved, "take:2")
    assert tells_the_choice(moved, viewer) == (viewer in (3, "all"))


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, 4, "all"])
def test_the_player_who_shows_for_the_princess_does_not_see_the_mask(
    viewer: Viewer, moved: Game
) -> None:
    game = announce(play(moved, "look"), "princess")
    assert (game.phase, game.player) == ("target", 2)
    shown = set() if viewer == 1 else {"princess"}
    assert masks_named(news(game, viewer, "target:3")) == shown


def test_the_whole_truth_holds_every_line_of_every_viewer(moved: Game) -> None:
    game = play(moved, "look", "take:4", "swap")
    whole = log(game, "all")
    for viewer in (0, 1, 2, 3, 4, "onlooker"):
        assert [line for line in whole if line in log(game, viewer)] == log(game, viewer)
