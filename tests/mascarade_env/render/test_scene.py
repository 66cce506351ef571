"""A scene has what its perspective may know, in agreement with the game."""

import re
from typing import Any

import numpy as np
import pytest

from mascarade_env import MASKS, Game, MascaradeError
from mascarade_env.render import (
    ansi,
    checked_perspective,
    picture,
    replay_html,
    rgb_array,
    show,
    svg,
)
from mascarade_env.render._scene import called_in, percent, perspectives, scene
from tests.mascarade_env.game.tables import announce, play, table
from tests.mascarade_env.render.moments import game_of, moments
from tests.messages import facts, states

NAME = {mask.id: mask.name for mask in MASKS}


@pytest.mark.parametrize(("name", "seed"), [("4A", 1), ("6B", 2), ("8B", 3), ("12B", 4)])
def test_no_picture_tells_apart_what_its_perspective_cannot(name: str, seed: int) -> None:
    differ = 0
    for decisions in (9, 30, 60):
        game = game_of(name, seed, decisions)
        for viewer in (*range(0, game.scenario.players, 3), "onlooker"):
            seen = (scene(game, viewer), ansi(game, viewer), svg(game, viewer))
            for world in game.sample_worlds(viewer, 3, rng=decisions):
                assert (scene(world, viewer), ansi(world, viewer), svg(world, viewer)) == seen
                differ += svg(world, "all") != svg(game, "all")
    assert differ > 0


def test_pixels_tell_no_more_than_scenes() -> None:
    game = game_of("6B", 2, 30)
    seen = rgb_array(game, 1, width=240)
    for world in game.sample_worlds(1, 3, rng=0):
        assert (rgb_array(world, 1, width=240) == seen).all()


def test_beliefs_are_those_of_the_game() -> None:
    certain = likely = 0
    for game in moments("8B", 3):
        kinds = [NAME[mask] for mask in game.scenario.kinds]
        for viewer in (*range(8), "onlooker"):
            table = game.belief(viewer)
            for place, row in zip(scene(game, viewer).places, table, strict=True):
                belief = dict(place.belief)
                assert [belief.get(mask, 0) for mask in kinds] == row.tolist()
                chances = [chance for _, chance in place.belief]
                assert np.allclose(chances, sorted(chances, reverse=True))
                assert place.certain == (max(row) == 1)
                certain += place.certain
                likely += not place.certain
        truth = scene(game, "all").places
        assert [place.belief for place in truth] == [((NAME[m], 1.0),) for m in game.masks]
        assert all(place.certain for place in truth)
    assert certain > 0
    assert likely > 0


def test_the_end_reveals_no_more_than_the_rules_do() -> None:
    unsure = 0
    for seed in range(5):
        game = game_of("6A", seed, 1000)
        assert game.over
        unsure += sum(not place.certain for place in scene(game).places)
    assert unsure > 0


@pytest.mark.parametrize("name", ["4A", "8B", "12A"])
def test_what_all_see_is_as_in_the_game_whoever_looks(name: str) -> None:
    for game in moments(name, 5):
        for viewer in perspectives(game):
            shown = scene(game, viewer)
            assert [seat.coins for seat in shown.seats] == game.coins
            assert [seat.player for seat in shown.seats] == game.player_at
            assert [seat.marker for seat in shown.seats].index(True) == game.marker
            assert [s.place.slot for s in shown.seats if s.decides] == (
                [] if game.seat is None else [game.seat]
            )
            assert sorted(seat.player for seat in shown.seats if seat.barred) == game.barred
            assert sorted(s.player for s in shown.seats if s.wins) == (game.winners or [])
            assert [seat.player for seat in shown.seats if seat.own] == (
                [viewer] if isinstance(viewer, int) else []
            )
            if game.phase == "challenge":
                said = [s.place.slot for s in shown.seats if s.answer == "claims"]
                assert said == game.claims
            assert shown.announced == (NAME[game.announced] if game.announced else "")
            assert (shown.tribunal, shown.turn) == (game.tribunal, game.turn)
            assert shown.legal == tuple(game.legal_actions())
            assert bool(shown.news) == bool(game.news(viewer))


def test_answers_and_masks_under_the_table() -> None:
    game = table("spy", "judge", "king", "thief")
    announce(game, "spy")
    answers = [seat.answer for seat in scene(game).seats]
    assert answers == ["announced", "passed", "passed", "passed"]
    play(game, "target:2")
    assert [place.under_table for place in scene(game).places] == [True, False, True, False]
    assert [seat.signs for seat in scene(game).seats] == [
        ("turn", "announced", "taken"), ("passed",), ("passed", "taken"), ("passed",),
    ]  # fmt: skip
    # The Spy sees both masks, the onlooker none.
    assert all(place.certain for place in scene(game, 0).places)
    play(game, "swap")
    assert scene(game, 0).places[0].belief == (("King", 1.0),)
    assert scene(game).places[0].belief == (("King", 0.5), ("Spy", 0.5))
    assert [seat.answer for seat in scene(game).seats] == [""] * 4


def test_what_players_said_moves_with_them() -> None:
    game = table("puppet_master", "judge", "king", "thief", coins=[6, 12, 6, 6])
    announce(game, "puppet_master", 2)
    play(game, "target:1")
    assert [seat.chosen for seat in scene(game).seats] == [False, True, False, False]
    assert scene(game).seats[2].answer == "claims"
    play(game, "target:2")
    assert [seat.player for seat in scene(game).seats] == [0, 2, 1, 3]
    assert [seat.barred for seat in scene(game).seats] == [True, True, False, False]


def test_an_inexact_belief_is_certain_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "exact", lambda self, viewer: False)
    game = Game("6A", seed=1)
    shown = scene(game, 2)
    assert not shown.exact
    assert not any(place.certain for place in shown.places)
    assert {place.belief[0][1] for place in shown.places} == {1}
    assert "approximate" in ansi(game, 2)
    assert "approximate" in svg(game, 2)
    assert "approximate" not in ansi(game, "all")


@pytest.mark.parametrize("perspective", [-1, 6, True, "2", "everyone", None, 1.0, [1]])
def test_perspectives_that_there_are_not(perspective: Any) -> None:
    game = Game("6A", seed=1)
    for render in (scene, ansi, svg, rgb_array, picture, show):
        with pytest.raises(
            MascaradeError, match=facts("perspective", 0, 5, "onlooker", "all", repr(perspective))
        ):
            render(game, perspective)


@pytest.mark.parametrize("wrong", [None, "x", 4, Game])
def test_what_is_not_a_game_is_refused(wrong: Any) -> None:
    for render in (scene, ansi, svg, rgb_array, picture, show, replay_html):
        with pytest.raises(MascaradeError, match=facts("Game", type(wrong).__name__)):
            render(wrong)


def test_perspectives_are_checked_before_there_is_a_game() -> None:
    for perspective in ("onlooker", "all", 0, 3):
        assert checked_perspective(perspective, 4) == perspective
    assert type(checked_perspective(np.int64(2), 4)) is int
    for wrong in (4, -1, "3", True, None, np.zeros(2)):
        with pytest.raises(
            MascaradeError, match=facts("perspective", 0, 3, "onlooker", "all", repr(wrong))
        ):
            checked_perspective(wrong, 4)


@pytest.mark.parametrize("perspective", [np.int64(3), np.uint8(3)])
def test_numbers_of_any_type_are_players(perspective: Any) -> None:
    game = game_of("6A", 1, 20)
    assert svg(game, perspective) == svg(game, 3)


def test_what_is_not_certain_never_looks_certain() -> None:
    words = {0.0: "0%", 1e-12: "<1%", 0.01: "1%", 0.5: "50%", 1 - 1e-12: ">99%", 1.0: "100%"}
    assert {probability: percent(probability) for probability in words} == words


def test_equal_parts_of_one_add_up() -> None:
    assert percent(1 / 8) == "12.5%"
    assert percent(1 / 3) == "33.3%"
    assert percent(0.1 + 0.2) == "30%"


def test_a_player_has_one_name() -> None:
    """It is the name in the record, or the number; equal names have the number too."""
    assert called_in(Game("4A", seed=1)) == ["player 0", "player 1", "player 2", "player 3"]
    names = ["Ann", "Bob", "Ann", "W" * 99]
    game = Game("4A", seed=1, names=names)
    called = called_in(game)
    assert called == ["Ann #0", "Bob", "Ann #2", "W" * 23 + "…"]
    shown = scene(game, 2)
    assert [seat.called for seat in shown.seats] == called
    assert shown.looking == "seen by Ann #2"
    assert shown.headline == "Ann #0 to act"
    assert states(shown.news[0], *called)


@pytest.mark.parametrize("decisions", [0, 30, 1000])
def test_headlines_name_the_acting_player_or_the_winners(decisions: int) -> None:
    game = game_of("6A", 3, decisions, named=False)
    acting = [game.player] if game.winners is None else game.winners
    headline = scene(game).headline
    assert [int(number) for number in re.findall(r"player (\d)", headline)] == acting
    assert ("win" in headline) == (decisions == 1000)
