"""A person at the table: a game against agents in the terminal.

`Session` is the game without a terminal, `Dialogue` the conversation about it. Only `Terminal`
reads and writes. Until the game is over, everything shown comes from the person's own view and
scene. Imports the agents and mascarade_env; the command line is in `_cli.play`. Each file may
import those above it:

session.py: `Session`
menu.py: the actions that the person may take, and what a typed line means
advice.py: texts of questions, help, hints and notes
table.py: the table and beliefs as text
ending.py: texts at the end of a game
saving.py: `Keeper`: the file that keeps the record
dialogue.py: `Dialogue`
terminal.py: `Terminal`
series.py: one game after another, with a score
"""

from mascarade_agents._play.dialogue import Dialogue
from mascarade_agents._play.saving import Keeper
from mascarade_agents._play.series import Series
from mascarade_agents._play.session import Session
from mascarade_agents._play.terminal import Terminal

__all__ = ["Dialogue", "Keeper", "Series", "Session", "Terminal"]
