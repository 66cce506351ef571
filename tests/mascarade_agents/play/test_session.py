"""The game of a person and agents, without a terminal."""

import numpy as np
import pytest

from mascarade_agents._agent import Agent
from mascarade_agents._play import Session
from mascarade_agents._play.session import players_of
from mascarade_env import AgentView, Game, IllegalActionError, MascaradeError, RecordError, Scenario
from tests.mascarade_agents.play.hands import a_game, a_session
from tests.messages import facts, states


def to_person(session: Session) -> None:
    while not session.over and not session.mine:
        session.step()


class Watched(Agent):
    """An agent that plays at random and keeps its views and generators."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.seen: list[tuple[AgentView, np.random.Generator]] = []

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        self.seen.append((view, rng))
        return view.legal_ids()[int(rng.integers(len(view.legal_ids())))]


def test_opponents_get_their_own_view_and_a_generator_without_the_seed() -> None:
    game = a_game(me=3, seed=123456789)
    agent = Watched(game.scenario)
    session = a_session(game, agent)
    while not session.mine:
        player = game.player
        session.step()
        view, rng = agent.seen[-1]
        assert view.player == player
        assert 123456789 not in np.ravel(rng.bit_generator.seed_seq.entropy).tolist()  # type: ignore[attr-defined]
    assert len(agent.seen) == 6
    with pytest.raises(MascaradeError, match=facts("agent", "decides")):
        session.step()
    session.take("take:0")
    session.take("keep")
    with pytest.raises(IllegalActionError, match=facts("not you", "decides")):
        session.take("keep")


def test_the_log_is_what_was_told_bit_by_bit() -> None:
    game = a_game(me=2)
    session = a_session(game)
    told = session.log.copy()
    while not session.over:
        told += session.take(game.legal_actions()[-1]) if session.mine else session.step()
    assert told == session.log
    assert a_session(game).log == told
    assert told[-1].endswith("the game.")


def test_what_is_taken_back_is_as_it_was() -> None:
    game = a_game(me=1, seed=5)
    session = a_session(game)
    with pytest.raises(MascaradeError, match=facts("nothing", "back")):
        session.undo()
    to_person(session)
    with pytest.raises(MascaradeError, match=facts("nothing", "back")):
        session.undo()
    marks = []
    for _ in range(5):
        to_person(session)
        marks.append((game.history, session.log.copy(), session.view.information_state()))
        session.take(game.legal_actions()[0])
    to_person(session)
    further = game.history
    for history, log, knows in reversed(marks):
        session.undo()
        assert (game.history, session.log) == (history, log)
        assert session.view.information_state() == knows
    assert game.meta["play"]["undone"] == 5
    for player, word in further[len(marks[0][0]) :]:
        # The agents do what they did: their random numbers were taken back too.
        assert session.game.player == player
        if session.mine:
            session.take(word)
        else:
            session.step()
    assert game.history == further


def test_a_game_goes_on_from_its_record_as_it_would_have() -> None:
    game = a_game("8B", me=3, seed=9)
    session = a_session(game)
    half = None
    while not session.over:
        if session.mine:
            session.take(game.legal_actions()[0])
        else:
            session.step()
        if len(game.history) == 20:
            half = game.to_record()
    again = Game.from_record(half)
    other = a_session(again)
    assert other.me == 3
    while not other.over:
        if other.mine:
            other.take(again.legal_actions()[0])
        else:
            other.step()
    assert again.to_record() == game.to_record()


class Broken(Agent):
    """An agent that fails for `player`, or for all players if that is None."""

    wrong: object = 0
    player: int | None = None

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        if self.player not in (None, view.player):
            return view.legal_ids()[0]
        if isinstance(self.wrong, BaseException):
            raise self.wrong
        return self.wrong  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (ValueError("no\x1bidea"), [r"ValueError: no\x1bidea"]),
        (AssertionError(), ["AssertionError"]),
        (SystemExit(3), ["SystemExit: 3"]),
        (999, ["action id", 999, "legal"]),
        (-1, ["action id", -1, "legal"]),
        (None, ["action id", "whole number", None]),
        (1.0, ["action id", "whole number", "1.0"]),
        ("take:2", ["'take:2'", "`view.legal_ids()`", "`view.action_id`"]),
    ],
)
def test_an_agent_that_fails_is_replaced_and_told(wrong: object, told: list[object]) -> None:
    game = a_game(me=0)
    agent = Broken(game.scenario)
    agent.wrong, agent.player = wrong, 1
    session = a_session(game, agent)
    session.take("take:1")
    session.take("keep")
    (note, *news) = session.step()
    assert states(note, "player 1", *told, "replaced", "random choices")
    assert news[0].startswith("Player 1 ")
    while not session.mine:
        assert "failed" not in " ".join(session.step())
    assert game.names == ["you", "random, then random", *["random"] * 4]
    assert players_of(game) == [None, "random", *["random"] * 4]
    assert Game.from_record(game.to_record()).names == game.names


def test_a_list_of_players_does_not_change_with_the_game() -> None:
    game = a_game(me=0)
    players_of(game)[1] = "another"
    assert players_of(game) == [None, *["random"] * 5]


def test_an_interrupt_is_no_failure() -> None:
    game = a_game(me=1)
    agent = Broken(game.scenario)
    agent.wrong = KeyboardInterrupt()
    session = a_session(game, agent)
    with pytest.raises(KeyboardInterrupt):
        session.step()
    assert game.history == []


class Asks(Agent):
    """An agent that compares its view with a new one of the game."""

    game: Game

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        new = self.game.view(view.player)
        assert view.information_state() == new.information_state()
        assert view.observation().tolist() == new.observation().tolist()
        assert (
            view.sample_rows(2, np.random.default_rng(1)).tobytes()
            == new.sample_rows(2, np.random.default_rng(1)).tobytes()
        )
        return view.legal_ids()[int(rng.integers(len(view.legal_ids())))]


def test_views_that_are_kept_tell_what_new_ones_do() -> None:
    game = a_game("8B", me=3, seed=11)
    agent = Asks(game.scenario)
    agent.game = game
    session = a_session(game, agent, agent)
    undone = 0
    while not session.over:
        if not session.mine:
            assert not any("failed" in line for line in session.step())
        elif len(game.history) > 30 and undone < 3:
            session.undo()
            undone += 1
        else:
            session.take(session.hint())
    assert undone == 3


def test_an_agent_has_one_view_until_decisions_are_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = a_game(me=0)
    agent = Watched(game.scenario)
    session = a_session(game, agent, agent)
    made: list[int] = []
    new = Game.view

    def view(game: Game, player: int | None = None) -> AgentView:
        found = new(game, player)
        made.append(found.player)
        return found

    monkeypatch.setattr(Game, "view", view)
    for _ in range(40):
        if session.mine:
            session.take(session.hint())
        else:
            session.step()
    assert len(agent.seen) == 40
    assert sorted(made) == list(range(6))
    assert all(shown is not session.view for shown, _ in agent.seen)
    before = agent.seen[-1][0]
    session.undo()
    made.clear()
    to_person(session)
    session.hint()
    assert made.count(0) == 1
    assert agent.seen[-1][0] is not before


class Spoils(Agent):
    """An agent that fails once, and expects another view after that."""

    spoiled: AgentView | None = None

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        if self.spoiled is None:
            self.spoiled = view
            raise ValueError
        assert view is not self.spoiled
        return view.legal_ids()[0]


def test_a_view_that_an_agent_failed_on_is_made_anew() -> None:
    game = a_game(me=0)
    session = a_session(game, hinter=Spoils(game.scenario))
    with pytest.raises(MascaradeError, match=facts("hints", "ValueError")):
        session.hint()
    assert session.hint() in game.legal_actions()


def test_hints_change_nothing_and_are_counted() -> None:
    game = a_game(me=0)
    session = a_session(game)
    first = session.hint()
    assert first in game.legal_actions()
    assert session.hint() == first
    assert game.history == []
    assert game.meta["play"]["hints"] == 2
    hinter = Broken(game.scenario)
    hinter.wrong = 999
    with pytest.raises(MascaradeError, match=facts("hints", "action id", 999, "legal")):
        a_session(game, hinter=hinter).hint()
    watched = Watched(game.scenario)
    a_session(game, hinter=watched).hint()
    assert watched.seen[0][0].player == 0


@pytest.mark.parametrize(
    "change",
    [
        {"play": None},
        {"play": {"agents": ["random"] * 6}},
        {"play": {"agents": [None, None, *["random"] * 4]}},
        {"play": {"agents": [None, 3, *["random"] * 4]}},
        {"play": {"agents": [None]}},
        {"play": {"agents": [None, *["random"] * 5], "hints": "many"}},
        {"play": {"agents": [None, *["random"] * 5], "blind": "yes"}},
        {"seed": -1},
        {"seed": True},
        {"seed": None},
    ],
)
def test_records_of_other_games_are_refused(change: dict[str, object]) -> None:
    game = a_game()
    game.meta |= change
    with pytest.raises(RecordError):
        players_of(game)
