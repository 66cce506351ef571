"""Shows a game to a person, reads what the person types, and answers."""

import shlex
import time
from pathlib import Path
from typing import Protocol

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from mascarade_agents._play import advice
from mascarade_agents._play.ending import honesty, outcome
from mascarade_agents._play.menu import SEEING, Menu
from mascarade_agents._play.saving import Keeper
from mascarade_agents._play.session import Session
from mascarade_agents._play.table import (
    beliefs,
    choices,
    pairs,
    table,
    under_the_table,
    without_masks,
)
from mascarade_env._errors import MascaradeError
from mascarade_env.render._scene import printable, scene

_NEUTRAL = (
    "The masks that each slot may hold, given all that you have seen. The probabilities assume "
    "that other players swap in half of the cases, and ignore their announcements and claims:"
)
_OWN_TURN = " is yours."
_INDENT = (0, 0, 0, 2)
_INEXACT = (
    "These probabilities are approximate, because there were too many possibilities to count all."
)


class Speaker(Protocol):
    """The methods of a terminal that `Dialogue` uses.

    Attributes:
        interactive: whether a person types; false if the input is a file or a pipe.
    """

    interactive: bool

    @property
    def width(self) -> int:
        """The number of columns that the terminal has now."""

    def say(self, *parts: RenderableType) -> None:
        """Print paragraphs."""

    def ask(self) -> str:
        """Return the next line that the person types; raise EOFError at the end of the input."""


class Dialogue:
    """A conversation that shows a person the game, asks for decisions, and keeps the record.

    Args:
        session: the game.
        terminal: the terminal where the person reads and types.
        keeper: the file of the record.
        undo: whether the person may take decisions back.
        pause: seconds to wait between two decisions of other players.
    """

    def __init__(
        self,
        session: Session,
        terminal: Speaker,
        keeper: Keeper,
        *,
        undo: bool = False,
        pause: float = 0.0,
    ) -> None:
        self._session = session
        self._terminal = terminal
        self._keeper = keeper
        self._undo = undo
        self._pause = pause

    def run(self) -> None:
        """Play to the end, or until the person leaves.

        Raises:
            KeyboardInterrupt: the person interrupted the game; the place of the record is printed.
        """
        session = self._session
        try:
            self._greet()
            while not session.over:
                if session.mine:
                    if not self._decide():
                        break
                else:
                    self._print(session.step())
                    if self._pause and not session.mine:
                        time.sleep(self._pause)
        except EOFError:
            self._terminal.say("")
        except KeyboardInterrupt:
            self._save()  # before anything is printed: the terminal may have closed
            self._terminal.say("")
            self._leave()
            raise
        self._leave()

    def _greet(self) -> None:
        """Print the scenario, the opponents, and the place of the record."""
        session, game = self._session, self._session.game
        self._terminal.say(
            f"Mascarade, scenario {printable(game.scenario.name)}. {_opponents(session)} "
            f"You sit at seat {session.view.seat}. The first player with "
            f"{game.scenario.goal_coins} coins wins. Type help at any time.",
            *([advice.BLIND] if session.blind else []),
            f"The record is kept in {self._place}. It shows all masks, so do not read it before "
            "the end of the game.",
        )
        if session.blind and game.taken:  # the log would repeat what the person must remember
            return
        turns = [
            number for number, sentence in enumerate(session.log) if sentence.endswith(_OWN_TURN)
        ]
        self._print(session.log[turns[-2] if len(turns) > 1 else 0 :])

    # Decisions

    def _decide(self) -> bool:
        """Ask until the person decides or goes back; return False if the person leaves."""
        session = self._session
        menu = Menu(session.view, session.labels)
        # The last take has shown the whole table. For the swap only two masks matter.
        self._draw(menu, held=session.view.phase == "table")
        while True:
            meant = menu.understand(self._terminal.ask())
            if meant.kind == "action":
                bluff = "" if session.blind else advice.bluff(session.view, meant.word)
                sentences = session.take(meant.word)
                self._save()
                self._print([*([bluff] if bluff else []), *sentences])
                return True
            if meant.kind == "unclear":
                self._terminal.say(meant.word)
            elif meant.word == "quit":
                return False
            elif meant.word == "undo":
                if self._go_back():
                    return True
            else:
                self._answer(meant.word, meant.rest, menu)

    def _answer(self, command: str, rest: str, menu: Menu) -> None:
        if self._session.blind and command in SEEING:
            self._terminal.say(f"The command {command} is off: this game is blind.")
        elif command == "help":
            self._help()
        elif command == "hint":
            self._hint()
        elif command == "belief":
            self._belief()
        elif command == "log":
            self._print(self._session.log)
        elif command == "table":
            self._draw(menu, held=False)
        else:
            self._save_to(rest)

    def _go_back(self) -> bool:
        if not self._undo:
            self._terminal.say("You can take decisions back only in games started with --undo.")
            return False
        try:
            self._session.undo()
        except MascaradeError as error:
            self._terminal.say(str(error))
            return False
        self._save()
        self._terminal.say("Back to your last decision.")
        return True

    # Output

    def _print(self, sentences: list[str]) -> None:
        for sentence in sentences:
            turn = sentence.startswith("Turn ")
            self._terminal.say(Text(sentence, "bold") if turn else Padding(Text(sentence), _INDENT))

    def _draw(self, menu: Menu, *, held: bool) -> None:
        session, width = self._session, self._terminal.width
        pictured = without_masks(session.scene) if session.blind else session.scene
        self._terminal.say(
            "",
            *table(under_the_table(pictured) if held else pictured, session.called, width),
            "",
            Text(advice.question(session.view, session.labels), "bold"),
            choices(menu.lines(), width),
        )

    def _help(self) -> None:
        view = self._session.view
        self._terminal.say(
            *advice.rules(view),
            "Type an action in words, such as 'take 3', 'announce king' or 'pass'. The first "
            "letters of each word are enough, or the number in the list. You may also type "
            "these commands at any time:",
            pairs(advice.commands(blind=self._session.blind)),
            "The masks in play:",
            pairs(advice.masks(view)),
        )

    def _hint(self) -> None:
        session = self._session
        try:
            word = session.hint()
        except MascaradeError as error:
            self._terminal.say(str(error))
            return
        self._terminal.say(
            f"Hint: {word.replace(':', ' ')}. By your own belief: "
            f"{advice.reason(session.view, word, session.labels, session.whose)}"
        )

    def _belief(self) -> None:
        pictured = self._session.scene
        parts = beliefs(pictured, self._session.called)
        self._terminal.say(_NEUTRAL, *parts, *([] if pictured.exact else [_INEXACT]))

    # The record

    @property
    def _place(self) -> str:
        return shlex.quote(printable(str(self._keeper.path)))

    def _save(self) -> bool:
        try:
            self._keeper.save(self._session.game)
        except MascaradeError as error:
            self._terminal.say(
                f"The record is not up to date: {error}. To use another file, type: save "
                "another-name.jsonl"
            )
            return False
        return True

    def _save_to(self, name: str) -> None:
        if name and Path(name) != self._keeper.path:
            try:
                self._keeper.move(Path(name))
            except MascaradeError as error:
                self._terminal.say(f"{error}. The record is still kept in {self._place}.")
                return
        if self._save():
            self._terminal.say(f"The record is in {self._place}.")

    def _leave(self) -> None:
        """Save the record. Print how the game ended, or how to resume it."""
        session = self._session
        saved = self._save()
        if not session.over:
            if saved:
                self._terminal.say(
                    f"The game is not over; its record is in {self._place}.",
                    f"To resume it, run: mascarade play --resume {self._place}",
                )
            return
        game = session.game
        known = session.scene if session.blind else None
        could_know = ", each followed by what you could know of it" if known else ""
        self._terminal.say(
            "",
            Text(outcome(game, session.labels), "bold"),
            f"The masks at the end{could_know}:",
            *table(scene(game, "all"), session.called, self._terminal.width, known),
            honesty(game, session.labels),
        )
        if saved:
            self._terminal.say(
                f"To see the game again, run: mascarade replay {self._place}",
                f"or, for a web page: mascarade replay {self._place} --html game.html",
            )


def _opponents(session: Session) -> str:
    """Return a sentence that names the agents of the other players."""
    opponents = session.opponents
    agents = sorted(set(opponents.values()))
    if len(opponents) == 1:
        return f'Your opponent is the agent "{agents[0]}".'
    if len(agents) == 1:
        return f'Your {len(opponents)} opponents are copies of the agent "{agents[0]}".'
    named = [f'"{agent}"' for agent in agents]
    return (
        f"Your {len(opponents)} opponents are the agents {', '.join(named[:-1])} and {named[-1]}; "
        "the table shows the agent of each player."
    )
