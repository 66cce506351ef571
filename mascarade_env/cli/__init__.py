"""The command `mascarade`: one subcommand for each entry point of the group `mascarade.commands`.

Each package names its own subcommands in pyproject.toml, so that the imports keep going one way.
This package may import everything else in `mascarade_env`, where nothing else imports it.

_program.py: run a program of several commands, this one or `python -m lab`: errors, exit codes
_help_text.py: help that fits any width
_interrupts.py: signals that end a command
_outputs.py: check and lock the files that a command writes
_progress.py: progress bars on standard error
_consoles.py: tables in the terminal
_ascii_fallback.py: letters that a stream cannot write
_bench.py: `mascarade bench`
_listings.py: `mascarade masks` and `mascarade scenarios`
_replay.py: `mascarade replay`
_solve.py: `mascarade solve`
_tree.py: `mascarade tree`
_tree_files.py: trees, built with a bar or read from a file, for the last two and `nashconv`
"""

from importlib.metadata import entry_points

from mascarade_env.cli._program import Program, run

_ABOUT = (
    "The board game Mascarade as an environment for reinforcement learning. "
    "`mascarade COMMAND --help` describes a command, with an example; "
    "`mascarade --version` prints the version."
)


def main(arguments: list[str] | None = None) -> int:
    """Run the subcommand named first; returns the exit code."""
    commands = {entry.name: entry for entry in entry_points(group="mascarade.commands")}
    return run(Program("mascarade", _ABOUT, commands), arguments)
