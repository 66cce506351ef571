"""EVENTS.md: its kinds, fields and orders are those of games."""

import re

import numpy as np
import pytest

from lab.pages.events import MEANINGS, PAGE, page
from mascarade_env import Game
from mascarade_env.game import _events as events
from mascarade_env.game._events import EVENT, EVERYONE, KINDS, PLAYERS
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import PHASES

TEXT = PAGE.read_text("utf-8")
ROWS = re.findall(r"^\| (\d+) \| `(\w+)` \| ([a-z ]+) \| (.*) \|$", TEXT, re.MULTILINE)


def test_the_page_is_not_stale() -> None:
    assert page() == TEXT, "run `make events`"


def test_every_kind_has_a_meaning() -> None:
    assert tuple(MEANINGS) == KINDS


def test_the_page_lists_all_kinds_of_events() -> None:
    assert [(int(number), name) for number, name, *_ in ROWS] == list(enumerate(KINDS))
    assert f"in this order: `{'`, `'.join(EVENT.names or ())}`".replace("\n", " ") in TEXT.replace(
        "\n", " "
    )
    assert TEXT.count(f"{events.BANK} for the bank or {events.TRIBUNAL} for the tribunal") == 1
    assert str(EVERYONE) in TEXT
    assert f"{PLAYERS} - (1 << player)" in TEXT
    phases = re.findall(r"^\| (\d) \| (\w+) \|$", TEXT, re.MULTILINE)
    assert phases == [(str(at), name) for at, name in enumerate(PHASES) if name != "over"]
    for number, mask in enumerate(MASK_IDS):
        assert f"{number} {mask}" in TEXT


@pytest.mark.parametrize("scenario", ["4A", "6B", "8B", "12B"])
def test_events_have_the_fields_that_the_table_lists(scenario: str) -> None:
    rows = {name: (seen, words) for _, name, seen, words in ROWS}
    for step in steps_of(scenario):
        for event in step:
            seen, words = rows[KINDS[event["kind"]]]
            own = 1 << max(int(event["player"]), 0)
            sets = {"all": EVERYONE, "the player": own, "the others": PLAYERS & ~own}
            assert int(event["seen_by"]) == sets[seen], event
            assert (event["player"] == -1) == ("`player` -1" in words), event
            for field in ("a", "b", "value"):
                assert event[field] == 0 or f"`{field}`" in words + _BY_TABLE.get(
                    KINDS[event["kind"]], ""
                ), event


#: Kinds whose meaning says "them" for the slots of TAKE.
_BY_TABLE = dict.fromkeys(("RETURN", "SWAP", "KEEP"), "`a` `b`")

#: The rows of the table of orders: a name and a pattern of the kinds of events.
ORDERS = re.findall(
    r"^\| (.*?) \| (.*) \|$",
    TEXT.partition("| step | events in order |\n|---|---|\n")[2].partition("\n\n")[0],
    re.MULTILINE,
)


def pattern_of(order: str) -> str:
    """Return a row of the table of orders as a regular expression of kinds, each with a blank."""
    pattern = ""
    for part in order.split(", "):
        optional = part.startswith("[")
        kinds = re.findall(r"`(\w+)`", part)
        if kinds:
            piece = f"(?:{'|'.join(kinds)}) "
            piece = f"(?:{piece})+" if "…" in part else piece
        else:
            name = part.strip("*")
            rows = [pattern_of(row) for row_name, row in ORDERS if f"*{name}*" in row_name]
            piece = f"(?:{'|'.join(rows)})"
        pattern += f"(?:{piece})?" if optional else piece
    return pattern


@pytest.mark.parametrize("scenario", ["4A", "6B", "8B", "12B"])
def test_events_come_in_the_order_of_the_table(scenario: str) -> None:
    orders = [pattern_of(order) for name, order in ORDERS if not name.startswith("*")]
    for step in steps_of(scenario):
        kinds = "".join(f"{KINDS[event['kind']]} " for event in step)
        steps = [kinds]
        if "WIN" in kinds and "LIMIT" not in kinds:
            # The game ended within the step: some rest of it was cut off.
            start = kinds.partition("WIN")[0]
            steps = [start + rest for rest in ("BEGIN ASK ", "MOVE BEGIN ASK ", "ASK ")]
        assert any(re.fullmatch(order, step) for order in orders for step in steps), kinds


def steps_of(scenario: str) -> list[list[np.void]]:
    """Return the events of each step of some random games."""
    rng = np.random.default_rng(1)
    steps = []
    for seed in range(8):
        game = Game(scenario, seed=seed)
        steps.append(list(game.last_events))
        while not game.over:
            game.play(int(rng.choice(game.legal_ids())))
            steps.append(list(game.last_events))
    return steps
