"""`check_agent` on agents that are shown views: good ones pass, each fault is found."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import AgentView, MascaradeError
from mascarade_env.testing import ConformanceError, check_agent


class First:
    """Takes the first legal action."""

    needs_views = True

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_ids()[0]

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        first: NDArray[np.int64] = masks.argmax(axis=1)
        return first


class Believer(First):
    """Rests on all that a view tells."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        told = f"{view} {view.information_state()} {view.worlds().weights} {view.log()}"
        view.observation("belief", padded=True)
        return view.legal_ids()[len(told) % len(view.legal_ids())]


class Drawer(First):
    """Draws."""

    needs_views = False

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal_ids()))


class Forgetful(First):
    """Does something else each time."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        self.asked += 1
        return view.legal_ids()[self.asked % len(view.legal_ids())]


def test_good_agents_pass() -> None:
    for agent in (First(), Believer()):
        report = check_agent(agent, "6A", seed=1)
        assert report.games == 6
        assert report.repeatable
        assert report.worlds > 5
        assert report.decisions > 20
    assert check_agent(First(), "4B", games=5).games == 5


def test_an_agent_that_needs_no_views_is_also_checked_as_a_function() -> None:
    report = check_agent(Drawer(), "5A")
    assert report.games == 60
    assert report.worlds > 0
    assert report.reordered > 50


def test_nothing_is_said_about_worlds_if_an_agent_cannot_be_repeated() -> None:
    report = check_agent(Forgetful(), "4A")
    assert not report.repeatable


class Peeping(First):
    """Looks for the game in the frames of who asks."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        seen = sys._getframe(1).f_locals
        game = seen.get("other") or seen.get("game")
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
    def act_batch(self, observations: Any, masks: Any, views: Any, rng: Any) -> Any:
        return masks.argmin(axis=1)


class Short(First):
    def act_batch(self, observations: Any, masks: Any, views: Any, rng: Any) -> Any:
        return masks.argmax(axis=1)[:-1]


class Deaf(First):
    """Tells its view things that did not happen."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        answer = view.legal_ids()[0]
        view.hear(view.events[-1:])
        return answer


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (Peeping(), "cannot tell from this one"),
        (Illegal(), "are legal"),
        (Wordy(), "legal_ids"),
        (Raising(), "KeyError"),
        (IllegalInBatches(), "are legal"),
        (Short(), "shape"),
        (Deaf(), "changed its view"),
    ],
)
def test_faults_are_found(agent: Any, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_agent(agent, "6A", seed=3)


def test_what_is_no_agent_is_refused() -> None:
    with pytest.raises(MascaradeError, match="act and act_batch"):
        check_agent("random", "6A")  # type: ignore[arg-type]
    with pytest.raises(MascaradeError, match="at least 6"):
        check_agent(First(), "6A", games=5)
