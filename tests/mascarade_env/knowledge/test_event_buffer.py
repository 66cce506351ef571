"""Events in a growing array, and long games whose decisions take no more time than early ones."""

import numpy as np
import pytest

from mascarade_env import Game, MascaradeError
from mascarade_env.game._events import EVENT, LOG_SIZE
from mascarade_env.game._scenarios import resolve
from mascarade_env.knowledge._event_buffer import EventBuffer


def some(count: int, first: int = 0) -> np.ndarray:
    events = np.zeros(count, EVENT)
    events["value"] = np.arange(first, first + count)
    events["seen_by"] = events["value"] % 4
    return events


def long_game(decisions: int) -> Game:
    """Return a long game, in which the opening does not end."""
    rules = {**resolve("4A").to_dict(), "name": "long", "strict": False, "opening_turns": 10**6}
    game = Game(rules, seed=3)
    assert game.play_randomly(decisions) == decisions
    return game


def test_events_are_in_order_and_do_not_change() -> None:
    story = EventBuffer()
    read = []
    for first in range(0, 3000, 300):
        story.add(some(300, first))
        read.append(story.events)
    assert len(story) == 3000
    for number, events in enumerate(read, start=1):
        assert events["value"].tolist() == list(range(300 * number))
        assert not events.flags.writeable
    assert story.seen_by(2, 2990)["value"].tolist() == [2990, 2991, 2994, 2995, 2998, 2999]


def test_copies_continue_independently() -> None:
    story = EventBuffer()
    story.add(some(10))
    twin = story.copy()
    story.add(some(5, first=100))
    twin.add(some(5, first=200))
    third = twin.copy()
    twin.add(some(1, first=300))
    assert story.events["value"].tolist() == [*range(10), *range(100, 105)]
    assert twin.events["value"].tolist() == [*range(10), *range(200, 205), 300]
    assert third.events["value"].tolist() == [*range(10), *range(200, 205)]


def test_a_decision_of_a_long_game_processes_only_its_new_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = long_game(300)
    view = game.view(1)
    for look in (game.observation, game.information_state, game.log):
        look(1)
    handled: list[int] = []
    add, seen_by = EventBuffer.add, EventBuffer.seen_by

    def counted_add(self: EventBuffer, fresh: np.ndarray) -> None:
        handled.append(len(fresh))
        add(self, fresh)

    def counted_seen_by(self: EventBuffer, viewers: int, first: int = 0) -> np.ndarray:
        handled.append(len(self) - first)
        return seen_by(self, viewers, first)

    monkeypatch.setattr(EventBuffer, "add", counted_add)
    monkeypatch.setattr(EventBuffer, "seen_by", counted_seen_by)
    game.play_randomly(1)
    game.tell(view)
    game.observation(1)
    game.information_state(1)
    assert handled
    assert sum(handled) < LOG_SIZE


def test_the_history_of_a_view_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = long_game(60)
    view = game.view(1)
    compared: list[int] = []

    class Noted(np.ndarray):
        def tobytes(self, *words: object) -> bytes:
            compared.append(len(self))
            return super().tobytes()

    story = type(game._replay()).events
    monkeypatch.setattr(
        type(game._replay()), "events", lambda self, seen_by: story(self, seen_by).view(Noted)
    )
    game.play_randomly(1)
    game.tell(view)
    assert not compared
    copied = game.clone()
    copied.play_randomly(1)
    copied.tell(view)
    assert not compared
    with pytest.raises(MascaradeError, match="another game"):
        game.tell(view)  # the view has received a decision of the copy
    assert compared


def test_a_view_of_a_copy_gets_no_events_of_the_original() -> None:
    game = long_game(20)
    copied = game.clone()
    view = game.view(0)
    game.play_randomly(20)
    game.tell(view)
    copied.play_randomly(40, seed=5)
    assert copied.view(0).log()[: len(view.log())] != view.log()
    with pytest.raises(MascaradeError, match="another game"):
        copied.tell(view)
    game.undo(20)
    with pytest.raises(MascaradeError, match="another game"):
        game.tell(view)
