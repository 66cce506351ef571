"""The facts of chosen games."""

import json
import math
from typing import Any, TypeVar

import pytest

from mascarade_agents.behaviour import (
    Announcement,
    Answer,
    Fact,
    Look,
    SwapOrKeep,
    Turn,
    kind_of,
    observe,
)
from mascarade_env import Game, scenarios
from tests.mascarade_agents.behaviour.hands import played, random_games, trio

F = TypeVar("F", bound=Fact)


def only(game: Game, kind: type[F]) -> list[F]:
    return [fact for fact in observe(game) if isinstance(fact, kind)]


def test_a_knowing_bluff_is_caught() -> None:
    facts = observe(played("announce:king claim pass"))
    assert facts == [
        Turn(at=0, player=0, phase="early", choice="announce"),
        Announcement(
            at=0,
            player=0,
            phase="early",
            said="king",
            held="judge",
            belief=(("judge", 1.0),),
            exact=True,
            claimed=True,
            answered=True,
            fine=1,
            gain=-1,
        ),
        Answer(
            at=1,
            player=1,
            phase="early",
            claims=True,
            holds=True,
            announcer=0,
            false=True,
            believed=1.0,
            exact=True,
        ),
        Answer(
            at=2,
            player=2,
            phase="early",
            claims=False,
            holds=False,
            announcer=0,
            false=True,
            believed=0.0,
            exact=True,
        ),
    ]
    assert [fact.kind for fact in only(played("announce:king claim pass"), Answer)] == [
        "sure",
        "bluff",
    ]


def test_a_knowing_bluff_succeeds() -> None:
    (fact,) = only(played("announce:king pass pass"), Announcement)
    assert (fact.kind, fact.false, fact.claimed, fact.answered) == (
        "knowing bluff",
        True,
        False,
        True,
    )
    assert (fact.fine, fact.gain) == (0, 2)


def test_a_false_claim_is_a_bluff_and_costs_the_claimer_alone() -> None:
    game = played("announce:judge claim pass")
    (announced,) = only(game, Announcement)
    assert (announced.kind, announced.false, announced.fine, announced.gain) == (
        "sure-true",
        False,
        0,
        0,
    )
    first, _ = only(game, Answer)
    assert (first.claims, first.holds, first.kind) == (True, False, "bluff")
    assert game.coins == [6, 5, 6]


def test_a_false_but_honest_announcement() -> None:
    # Player 0 has swapped with player 1, who believes in each mask with 50%.
    (fact,) = only(played("take:1 swap announce:king pass pass"), Announcement)
    assert (fact.said, fact.held, fact.kind, fact.believed) == (
        "king",
        "judge",
        "honest-uncertain",
        0.5,
    )
    assert (fact.false, fact.claimed, fact.gain) == (True, False, 2)


def test_a_gamble() -> None:
    takes = "take:1 swap take:2 swap take:0 keep"
    (fact,) = only(played(f"{takes} announce:judge"), Announcement)
    assert fact.belief == (("king", 0.5), ("judge", 0.25), ("thief", 0.25))
    assert (fact.held, fact.kind, fact.believed) == ("king", "gamble", 0.25)
    (honest,) = only(played(f"{takes} announce:king"), Announcement)
    assert (honest.kind, honest.false) == ("honest-uncertain", False)


def test_the_kinds_forgive_rounding() -> None:
    third = 1 / 3
    assert kind_of(third, third + 1e-9) == "honest-uncertain"
    assert kind_of(1 - 1e-9, 1 - 1e-9) == "sure-true"
    assert kind_of(0.3, third) == "gamble"
    assert kind_of(0, 0.5) == "knowing bluff"


def test_two_peasants_are_both_true() -> None:
    game = played("announce:peasant claim pass", trio("peasant", "peasant", "judge"))
    (announced,) = only(game, Announcement)
    assert (announced.kind, announced.false, announced.claimed) == ("sure-true", False, True)
    assert (announced.fine, announced.gain) == (0, 2)
    first, second = only(game, Answer)
    assert (first.holds, first.kind) == (True, "sure")
    assert (second.holds, second.kind) == (False, "bluff")


def test_peasants_that_changed_places_are_still_known() -> None:
    scenario = trio("peasant", "peasant", "judge")
    (look,) = only(played("take:1 swap look", scenario), Look)
    assert (look.player, look.bits) == (1, 0)


def test_the_princess_shows_a_mask_to_the_others() -> None:
    # Player 1 holds the King, and learns this because the Princess is shown elsewhere.
    game = played(
        "take:1 keep announce:princess pass pass target:0 look look announce:king",
        trio("princess", "king", "judge"),
    )
    first, second = only(game, Announcement)
    assert (first.kind, first.false, first.gain, first.fine) == ("honest-uncertain", True, 2, 0)
    assert (second.kind, second.false, second.answered) == ("sure-true", False, False)
    assert [fact.bits for fact in only(game, Look)] == [0, 0]


def test_a_fine_may_end_the_game() -> None:
    game = played("announce:king claim pass", trio(start=1, goal=9))
    assert game.winners == [1]
    (fact,) = only(game, Announcement)
    assert (fact.fine, fact.gain) == (1, -1)


def test_no_fine_once_the_power_has_ended_the_game() -> None:
    game = played("announce:king claim pass", trio(start=12))
    assert game.winners == [1]
    (fact,) = only(game, Announcement)
    assert (fact.claimed, fact.fine, fact.gain) == (True, 0, 0)


def test_a_player_without_coins_pays_no_fine() -> None:
    # The Thief takes the announcer's last coin, which ends the game before the fines.
    game = played("announce:thief pass claim", trio(start=1, goal=9))
    assert (game.coins, game.tribunal) == ([0, 0, 3], 0)
    (fact,) = only(game, Announcement)
    assert (fact.fine, fact.gain) == (0, -1)


def test_fines_are_told_apart_from_the_tribunal_that_the_judge_empties() -> None:
    # The first turn puts a coin there. Then player 1 announces the Judge, which player 0 has.
    game = played("announce:king pass claim take:2 keep look look announce:judge pass claim")
    first, second = only(game, Announcement)
    assert (first.player, first.fine, first.gain) == (0, 1, -1)
    assert (second.player, second.fine, second.gain) == (1, 1, -1)
    assert (game.coins, game.tribunal) == ([7, 5, 5], 1)


def test_who_moves_takes_fine_and_gain_along() -> None:
    # The Puppet Master takes a coin each from players 0 and 1, who exchange seats.
    game = played(
        "announce:puppet_master pass claim target:0 target:1",
        trio("judge", "king", "puppet_master"),
    )
    assert (game.coins, game.player_at) == ([5, 4, 8], [1, 0, 2])
    (fact,) = only(game, Announcement)
    assert (fact.player, fact.fine, fact.gain) == (0, 1, -2)


def test_the_own_mask_is_that_of_the_seat() -> None:
    game = played(
        "announce:puppet_master pass pass target:1 target:2 announce:king",
        trio("judge", "king", "puppet_master"),
    )
    _, second = only(game, Announcement)
    assert (second.player, second.held, second.kind) == (2, "king", "sure-true")


@pytest.mark.parametrize("choice", ["swap", "keep"])
def test_masks_under_the_table(choice: str) -> None:
    spy = played(f"announce:spy pass pass target:1 {choice}", trio("spy", "king", "judge"))
    (fact,) = only(spy, SwapOrKeep)
    assert (fact.by, fact.swaps, fact.knew) == ("spy", choice == "swap", (True, True))
    # Player 0 has taken the mask of player 1 on the first turn, so player 2 knows neither.
    fool = played(
        f"take:1 swap look announce:fool pass pass target:0 target:1 {choice}",
        trio("king", "judge", "fool"),
    )
    own, others = only(fool, SwapOrKeep)
    assert (own.by, own.swaps, own.knew) == ("take", True, (True, True))
    assert (others.by, others.player) == ("fool", 2)
    assert (others.swaps, others.knew) == (choice == "swap", (False, False))


def test_knowledge_of_the_two_masks_of_a_take() -> None:
    game = played("take:1 swap take:2 keep take:1 keep take:1 swap take:0 keep")
    assert [fact.knew for fact in only(game, SwapOrKeep)] == [
        (True, True),  # after the deal
        (False, True),  # player 1, whose mask 0 may have swapped
        (
            False,
            False,
        ),  # player 2, whose mask player 1 may have swapped for one unknown to player 2
        (True, False),  # player 0 knows their own mask, and not that of player 1
        (False, False),
    ]


def test_the_bits_of_a_look() -> None:
    game = played("take:1 swap look take:0 keep look look")
    looks = only(game, Look)
    assert [fact.player for fact in looks] == [1, 0, 1]
    assert [fact.bits for fact in looks] == [1, 1, 0]
    # Player 1 knows their own mask; the places of King and Thief are equally probable.
    assert [fact.placement_bits for fact in looks] == [1, 1, 1]
    (third,) = only(played("take:1 swap take:2 swap take:0 keep look"), Look)
    assert third.bits == pytest.approx(1.5)
    # Two hidden choices of other players, each of which adds a bit.
    assert third.placement_bits == pytest.approx(2)


def test_the_opening_gives_choices_and_no_turns() -> None:
    facts = observe(Game.from_record(_opening()))
    assert [type(fact) for fact in facts] == [SwapOrKeep, Turn]


def _opening() -> dict[str, Any]:
    game = Game("4A", seed=0)
    record = game.to_record()
    record["scenario"] |= {"opening_turns": 1, "strict": False}
    record["steps"] = [
        {"player": 0, "action": "take:1"},
        {"player": 0, "action": "keep"},
        {"player": 1, "action": "take:0"},
    ]
    return record


def test_a_belief_that_is_not_exact_has_no_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mascarade_env.game._replay.GAME_WORLD_LIMIT", 2)
    game = played("take:1 swap take:2 swap take:0 keep announce:judge claim pass")
    (fact,) = only(game, Announcement)
    assert (fact.believed, fact.exact, fact.kind) == (0, False, None)
    # Player 1 took the Thief, and for player 1 only two placements are possible.
    assert [(answer.exact, answer.kind) for answer in only(game, Answer)] == [
        (True, "bluff"),
        (False, None),
    ]


def test_games_that_stopped_early() -> None:
    (asked,) = only(played("announce:king pass"), Announcement)
    assert (asked.answered, asked.claimed, asked.fine, asked.gain) == (False, False, None, None)
    (claimed,) = only(played("announce:king claim"), Announcement)
    assert (claimed.answered, claimed.claimed, claimed.fine) == (False, True, None)
    (choosing,) = only(played("announce:spy pass pass", trio("judge", "king", "spy")), Announcement)
    assert (choosing.answered, choosing.fine, choosing.gain) == (True, None, None)
    assert observe(played("")) == []


def test_a_game_truncated_at_its_limit_is_settled() -> None:
    game = played("announce:king pass pass", trio(limit=1))
    assert game.truncated
    (fact,) = only(game, Announcement)
    assert (fact.answered, fact.fine, fact.gain) == (True, 0, 2)


def test_phases_are_those_at_the_beginning_of_the_turn() -> None:
    bluff = "announce:king pass pass"
    game = played(f"{bluff} {bluff} {bluff} {bluff}")
    turns = only(game, Turn)
    assert [fact.phase for fact in turns] == ["early", "middle", "middle", "middle"]
    fifth = played(f"{bluff} look look {bluff} look look announce:judge")
    assert [fact.phase for fact in observe(fifth)][-2:] == ["late", "late"]
    assert {fact.phase for fact in observe(fifth) if fact.at >= 5 and fact.at <= 7} == {"middle"}


@pytest.mark.parametrize("scenario", ["4A", "6B", "8A", "8B", "12B"])
def test_facts_are_consistent(scenario: str) -> None:
    for game in random_games(scenario, 4):
        facts = observe(game)
        assert [fact.at for fact in facts] == sorted(fact.at for fact in facts)
        history = game.history
        assert all(history[fact.at][0] == fact.player for fact in facts)
        words = [word.partition(":")[0] for _, word in history]
        assert sum(isinstance(fact, SwapOrKeep) for fact in facts) == sum(
            word in ("swap", "keep") for word in words
        )
        assert sum(isinstance(fact, Answer) for fact in facts) == sum(
            word in ("claim", "pass") for word in words
        )
        paid = sum("to the tribunal" in sentence for sentence in game.log())
        mine = sum(fact.fine or 0 for fact in facts if isinstance(fact, Announcement))
        assert mine <= paid
        for fact in facts:
            if isinstance(fact, Announcement):
                assert math.isclose(sum(chance for _, chance in fact.belief), 1)
                assert fact.kind != "sure-true" or not fact.false
                assert fact.kind != "knowing bluff" or fact.false
                assert not fact.fine or (fact.false and fact.claimed)
            if isinstance(fact, Answer) and fact.kind in ("sure", "bluff"):
                assert fact.holds == (fact.kind == "sure")


@pytest.mark.parametrize("beliefs", [True, False])
def test_a_record_gives_the_same_facts_as_the_game(beliefs: bool) -> None:
    for game in random_games("6B", 2):
        record = json.loads(json.dumps(game.to_record(trace=True, beliefs=beliefs)))
        assert observe(Game.from_record(record)) == observe(game)


def test_missing_or_rounded_beliefs_of_a_record_change_nothing() -> None:
    (game,) = random_games("4A", 1)
    record = game.to_record(beliefs=True)
    for number, step in enumerate(record["steps"]):
        if number % 2:
            step["beliefs"] = None
        else:
            for slots in step["beliefs"]:
                for chances in slots:
                    for mask in game.scenario.kinds:
                        chances[mask] = max(0.0, chances.get(mask, 0.0) - 4e-6) + 3e-6
    assert observe(Game.from_record(record)) == observe(game)


def test_observing_leaves_the_game_alone() -> None:
    game = Game(scenarios()["6A"], seed=5)
    game.play_randomly(60)
    before = game.to_record(trace=True)
    twin = game.clone()
    observe(game)
    assert game.to_record(trace=True) == before
    game.play_randomly()
    twin.play_randomly()
    assert game.history == twin.history
