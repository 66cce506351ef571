"""One game after another, with a score."""

from mascarade_agents._play.dialogue import Speaker
from mascarade_agents._play.session import Session


class Series:
    """The games that a person plays in one run of `mascarade play`.

    Args:
        terminal: the terminal where the person reads and types.

    Attributes:
        played: finished games.
        won: finished games that the person won, alone or with others.
    """

    def __init__(self, terminal: Speaker) -> None:
        self._terminal = terminal
        self.played = 0
        self.won = 0

    def wants_another(self, session: Session) -> bool:
        """Count a game that is over, print the score, and return whether the person wants another.

        Return False without a question if the person has left the game, or if the input is a file
        or a pipe.
        """
        if not session.over:
            return False
        self.played += 1
        self.won += session.me in (session.game.winners or [])
        if not self._terminal.interactive:
            return False
        games = "1 game" if self.played == 1 else f"{self.played} games"
        self._terminal.say("", f"You have won {self.won} of {games}. Play again? Type yes or no.")
        while True:
            try:
                answer = self._terminal.ask().strip().casefold()
            except (EOFError, KeyboardInterrupt):  # the game is over, and its record is saved
                self._terminal.say("")
                return False
            if answer and "yes".startswith(answer):
                return True
            if answer and ("no".startswith(answer) or "quit".startswith(answer)):
                return False
            self._terminal.say("Type yes or no.")
