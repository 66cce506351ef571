"""EVENTS.md: its kinds and orders are those of games."""

import re

import numpy as np
import pytest

from lab.pages.events import END, MEANINGS, ORDERS, PAGE, page
from mascarade_env import Game, scenarios
from mascarade_env.game._events import KINDS
from tests.tiers import fuzzed, sampled


def pattern(order: str) -> str:
    """A regular expression for an order of kinds, each followed by a blank."""
    words = order.split()
    if words[-1] == "end":
        ends = "|".join(map(pattern, END))
        return "".join(map(one, words[:-1])) + f"(?:{ends})"
    return "".join(map(one, words))


def one(word: str) -> str:
    kind, repeated = re.fullmatch(r"(\w+)([+*]?)", word).groups()  # type: ignore[union-attr]
    return f"(?:{kind} ){repeated}"


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `make events`"


def test_every_kind_has_a_meaning() -> None:
    assert tuple(MEANINGS) == KINDS


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_events_follow_decisions_in_an_order_of_the_page(name: str) -> None:
    orders: dict[str, list[str]] = {}
    for decision, order, _ in ORDERS:
        orders.setdefault(decision, []).append(pattern(order))
    rng = np.random.default_rng(1)
    for seed in range(fuzzed(4)):
        game = Game(name, seed=seed)
        while not game.over and game.turn < 40:
            words = game.legal_actions()
            word = words[rng.integers(len(words))]
            if word == "pass" and rng.random() < 0.5:
                word = "claim"
            game.play(word)
            happened = "".join(f"{KINDS[kind]} " for kind in game.last_events["kind"])
            fitting = orders[word.partition(":")[0]]
            assert any(re.fullmatch(order, happened) for order in fitting), (word, happened)
