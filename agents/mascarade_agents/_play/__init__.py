"""A person at the table: a game against agents, in the words of the record.

`Session` is the game without a terminal, `Dialogue` the conversation about it; `Terminal` alone
reads and writes. All that is shown before the end comes from the person's own view and scene.
Imports the agents and mascarade_env; the command line is in `_cli.play`. Each file may import those
above it:

session.py: `Session`
menu.py: what the person may do now, and what a line of text means
advice.py: help, hints, and what is shown before a decision
table.py: the table and beliefs as text
ending.py: what is shown when the game is over
saving.py: `Keeper`: the record, kept while the game is played
dialogue.py: `Dialogue`
terminal.py: `Terminal`
"""

from mascarade_agents._play.dialogue import Dialogue
from mascarade_agents._play.saving import Keeper
from mascarade_agents._play.session import Session
from mascarade_agents._play.terminal import Terminal

__all__ = ["Dialogue", "Keeper", "Session", "Terminal"]
