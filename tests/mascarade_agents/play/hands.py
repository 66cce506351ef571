"""A terminal with given input, and an agent with given decisions."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console, RenderableType

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.random import RandomAgent
from mascarade_agents._play import Dialogue, Keeper, Session
from mascarade_agents._play.session import new_game
from mascarade_env import AgentView, Game, Scenario
from mascarade_env.game._scenarios import resolve


class Page:
    """A terminal with given lines of input, which keeps its output."""

    interactive = True

    def __init__(self, lines: Iterable[str] = (), width: int = 80) -> None:
        self.lines = iter(lines)
        self.width = width
        self.text = ""

    def say(self, *parts: RenderableType) -> None:
        console = Console(width=self.width, color_system=None, highlight=False, markup=False)
        with console.capture() as captured:
            for part in parts:
                console.print(part)
        self.text += captured.get()

    def ask(self) -> str:
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        self.text += f"> {line}\n"
        return line

    @property
    def words(self) -> str:
        """All output in one line."""
        return " ".join(self.text.split())


class Told(Agent):
    """An agent that takes given decisions one after another, for all players."""

    def __init__(self, scenario: Scenario, words: Sequence[str] = ()) -> None:
        super().__init__(scenario)
        self.left = list(words)

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.action_id(self.left.pop(0))


def a_game(
    scenario: str = "6A", me: int = 0, seed: int = 7, name: str = "you", *, blind: bool = False
) -> Game:
    rules = resolve(scenario)
    names = [None if player == me else "random" for player in range(rules.players)]
    return new_game(rules, names, name, seed=seed, blind=blind)


def a_session(game: Game, agent: Agent | None = None, hinter: Agent | None = None) -> Session:
    """Return a session in which one agent, by default a random one, plays all others."""
    other = agent or RandomAgent(game.scenario)
    play = game.meta["play"]["agents"]
    return Session(game, [name and other for name in play], hinter or RandomAgent(game.scenario))


def talk(
    session: Session, page: Page, file: Path, *, undo: bool = False, pause: float = 0.0
) -> str:
    """Hold a conversation to its end, and return its output."""
    with Keeper(file, mine=True) as keeper:
        keeper.save(session.game)
        Dialogue(session, page, keeper, undo=undo, pause=pause).run()
    return page.text
