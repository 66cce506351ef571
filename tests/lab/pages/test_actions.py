"""ACTIONS.md: what it says of ids is what games do with them."""

import re

import pytest

from lab.pages.actions import PAGE, SHOWN, page
from mascarade_env import Batch, Game, scenarios


def rows(head: str) -> list[list[str]]:
    """The cells of the table with this head, below it."""
    text = PAGE.read_text("utf-8")
    table = text[text.index(f"| {head} |") :].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make actions`"


def test_ids_are_what_games_take_them_for() -> None:
    told = {int(action): (word.strip("`"), int(padded)) for action, word, padded in rows("id")}
    inside = Batch(SHOWN, 1, seed=0, padded=True).unpadded
    assert {int(inside[padded]): padded for _, padded in told.values()} == {
        action: padded for action, (_, padded) in told.items()
    }
    assert (inside >= 0).sum() == len(told)
    seen = set()
    for seed in range(60):
        game = Game(SHOWN, seed=seed)
        while not game.over and game.turn < 30:
            if game.seat == 0:  # as the page has it
                for word, action in zip(game.legal_actions(), game.legal_ids(), strict=True):
                    assert told[action][0] == word
                    seen.add(action)
            game.play_randomly(1)
    assert len(seen) >= len(told) - 7  # 6A asks for no declarations, and seldom for a target


def test_ids_begin_where_it_says() -> None:
    table = {name: list(map(int, ids)) for name, *ids in rows("scenario") if name != "padded"}
    assert list(table) == list(scenarios())
    for name, (take, look, announce, swap, keep, claim, passing, *_, count) in table.items():
        game = Game(name, seed=1)
        assert (take, keep, passing) == (0, swap + 1, claim + 1)
        assert game.legal_ids() == list(range(look))  # the opening
        while game.turn < game.scenario.opening_turns:
            game.play_randomly(1)
        assert max(game.legal_ids()) < count
        assert announce == look + 1


@pytest.mark.parametrize("word", ["take", "look", "announce", "swap", "claim", "target", "decline"])
def test_every_kind_is_told(word: str) -> None:
    assert any(re.match(f"`{word}", cells[0]) for cells in rows("word"))
