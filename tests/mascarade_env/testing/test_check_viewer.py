"""`check_agent` with agents that read views: correct ones pass, each fault is found."""

import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import AgentView, MascaradeError, Positions, Schema
from mascarade_env.game import _events as events
from mascarade_env.game._positions import TABLE
from mascarade_env.testing import ConformanceError, check_agent
from tests.messages import facts


class First:
    """Takes the first legal action."""

    reads: Schema | None = None

    def __init__(self, *, needs_views: bool = True) -> None:
        self.needs_views = needs_views

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_ids()[0]

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        first: NDArray[np.int64] = positions.masks.argmax(axis=1)
        return first

    def probabilities(self, positions: Positions) -> Any:
        return None


class Believer(First):
    """Uses everything in a view."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        told = f"{view} {view.information_state()} {view.worlds().weights} {view.log()}"
        view.observation("belief", padded=True)
        return view.legal_ids()[len(told) % len(view.legal_ids())]

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return np.array([self.act(view, rng) for view in positions.views])


class Drawer(First):
    """Samples its actions."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal_ids()))

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return np.where(positions.masks, rng.random(positions.masks.shape), -1.0).argmax(axis=1)


class Forgetful(First):
    """Decides differently at each call."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        self.asked += 1
        return view.legal_ids()[self.asked % len(view.legal_ids())]


@pytest.mark.slow
def test_good_agents_pass() -> None:
    for agent in (First(), Believer()):
        report = check_agent(agent, "6A", seed=1)
        assert report.games == 6
        assert report.repeatable
        assert report.worlds > 5
        assert report.decisions > 20
    assert check_agent(First(), "4B", games=5).games == 5


def test_an_agent_that_needs_no_views_is_also_checked_as_a_function() -> None:
    report = check_agent(Drawer(needs_views=False), "5A")
    assert report.games == 60
    assert report.worlds > 0
    assert report.repeatable
    assert report.reordered < 10  # an answer that is drawn says nothing of the order


def test_rows_are_compared_where_an_agent_with_random_numbers_does_not_draw() -> None:
    report = check_agent(First(needs_views=False), "5A")
    assert report.reordered > 50


def test_nothing_is_said_about_worlds_if_an_agent_cannot_be_repeated() -> None:
    report = check_agent(Forgetful(), "4A")
    assert not report.repeatable


class Peeping(First):
    """An agent that reads the game from the local variables of its caller."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        seen = sys._getframe(2).f_locals
        game = seen.get("world") or seen.get("game")
        masks = "" if game is None else "".join(game.masks)
        return view.legal_ids()[sum(masks.encode()[::3]) % len(view.legal_ids())]


class Illegal(First):
    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.num_actions - 1


class Wordy(First):
    def act(self, view: AgentView, rng: np.random.Generator) -> Any:
        return view.legal_actions()[0]


class Raising(First):
    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        raise KeyError("oh")


class IllegalInBatches(First):
    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return positions.masks.argmin(axis=1)


class Short(First):
    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return positions.masks.argmax(axis=1)[:-1]


class Otherwise(First):
    """An agent whose two methods disagree."""

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return np.array([view.legal_ids()[-1] for view in positions.views])


class Mixing(First):
    """An agent that decides for all rows by the first view."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return int(self.act_batch(Positions.of_views([view]), rng)[0])

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        last = positions.views[0].legal_ids()[-1]
        return np.where(positions.masks[:, last] == 1, last, positions.masks.argmax(axis=1))


class Noisy(First):
    """An agent that uses its generator, and decides for all rows by the first."""

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        last = np.flatnonzero(positions.masks[0])[-1]
        rng.random(positions.masks.shape)
        return np.where(positions.masks[:, last] == 1, last, positions.masks.argmax(axis=1))

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_ids()[-1]


class Remembering(First):
    """An agent that counts its different positions."""

    def __init__(self) -> None:
        super().__init__()
        self.last, self.count = "", 0

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        state = view.information_state()
        self.count += state != self.last
        self.last = state
        return view.legal_ids()[self.count // 20 % len(view.legal_ids())]

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return np.array([self.act(view, rng) for view in positions.views])


class Undeclared(First):
    """An agent that reads views without declaring it."""

    def act_batch(self, positions: Positions, rng: Any) -> Any:
        return np.array([view.legal_ids()[0] for view in positions.views])


class Inventing(First):
    """An agent that passes invented events to its view."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        answer = view.legal_ids()[0]
        own = view.player
        if view.phase == "turn":  # it takes the mask of its left neighbour
            other = (view.seat + 1) % view.scenario.players
            view.hear(
                [
                    (0, events.EVERYONE, events.TAKE, own, view.seat, other),
                    (TABLE, events.EVERYONE, events.ASK, own, view.seat, 0),
                ]
            )
        return answer


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (Peeping(), facts("agent", "view, the observation and the random numbers")),
        (Illegal(), facts("agent", "legal", "view.legal_ids()")),
        (Wordy(), "legal_ids"),
        (Raising(), "KeyError"),
        (IllegalInBatches(), facts("agent", "legal", "view.legal_ids()")),
        (Short(), "shape"),
        (Inventing(), facts("changed", "view")),
        (Otherwise(), facts("act", "act_batch", "mascarade_agents.Agent")),
        (Mixing(), "alone"),
        (Noisy(needs_views=False), "rows in another order|when called for this position alone"),
        (Remembering(), "no memory|cannot tell from this one"),
        (Undeclared(needs_views=False), facts("needs_views = True")),
    ],
)
def test_faulty_agents_are_found(agent: Any, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_agent(agent, "6A", seed=3)


class KnowsProbabilities(Drawer):
    """An agent that samples, and returns its probabilities."""

    def probabilities(self, positions: Positions) -> Any:
        return positions.masks / positions.masks.sum(axis=1, keepdims=True)


def test_probabilities_are_checked_if_the_agent_returns_them() -> None:
    assert check_agent(KnowsProbabilities(), "4A").probabilities > 5
    assert check_agent(KnowsProbabilities(needs_views=False), "4A").probabilities > 5
    assert check_agent(Drawer(), "4A").probabilities == 0
    silent = KnowsProbabilities()
    silent.probabilities = lambda *asked: None  # type: ignore[method-assign]
    assert check_agent(silent, "4A").probabilities == 0


@pytest.mark.parametrize(
    ("rows_of", "words"),
    [
        (lambda masks: masks / masks.sum(), facts("probabilities", 0, 1, "sum")),
        (
            lambda masks: np.full(masks.shape, 1 / masks.shape[1]),
            facts("probabilities", 0, "illegal", "sum"),
        ),
        (lambda masks: masks * np.nan, facts("probabilities", 0, 1, "sum")),
        (lambda masks: (masks / masks.sum(axis=1, keepdims=True))[:, :-1], "shape"),
        (lambda masks: masks, facts("probabilities", "int8", "shape")),
        (
            lambda masks: np.eye(masks.shape[1])[masks.argmax(axis=1)],
            facts("action", "probability", 0, "act", "act_batch"),
        ),
        (lambda masks: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_wrong_probabilities_are_found(rows_of: Any, words: str) -> None:
    agent = KnowsProbabilities()
    agent.probabilities = lambda positions: rows_of(positions.masks)  # type: ignore[method-assign]
    with pytest.raises(ConformanceError, match=words):
        check_agent(agent, "4A", seed=3)


def test_other_objects_are_refused() -> None:
    with pytest.raises(
        MascaradeError, match=facts("agent", "act_batch", "probabilities", "'random'")
    ):
        check_agent("random", "6A")  # type: ignore[arg-type]
    other = First()
    other.reads = Schema("6A")
    with pytest.raises(MascaradeError, match=facts("policy", "6A", "not 4A")):
        check_agent(other, "4A")
    with pytest.raises(MascaradeError, match=facts("games", 6, 5)):
        check_agent(First(), "6A", games=5)
