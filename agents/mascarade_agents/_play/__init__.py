"""Games of a person against agents in the terminal.

`Session` is the game without a terminal. `Dialogue` shows the game to the person and asks for
decisions. Only `Terminal` reads and writes. Until the game is over, the screen shows only what the
person's view and scene contain. This package imports the agents and mascarade_env; the command is
in `_cli.play`. Each file may import the files above it:

session.py: `Session`: the game between the person and the agents
menu.py: the actions that the person may take, and the parser of typed lines
advice.py: texts of questions, help, hints and notes
table.py: the table and beliefs as text
ending.py: texts at the end of a game
saving.py: `Keeper`: the file with the record
dialogue.py: `Dialogue`: what the person reads and types
terminal.py: `Terminal`: input and output
series.py: `Series`: one game after another, with a score
"""

from mascarade_agents._play.dialogue import Dialogue
from mascarade_agents._play.saving import Keeper
from mascarade_agents._play.series import Series
from mascarade_agents._play.session import Session
from mascarade_agents._play.terminal import Terminal

__all__ = ["Dialogue", "Keeper", "Series", "Session", "Terminal"]
