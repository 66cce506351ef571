"""The program `mascarade`: one command for each entry point of the group `mascarade.commands`.

Each package lists its commands in pyproject.toml, so this package imports no other package of the
repository. It may import all of `mascarade_env`. No other part of `mascarade_env` imports it.

_program.py: run a program with several commands (`mascarade`, `python -m lab`): errors, exit codes
_overview.py: the page that shows where to begin and lists all commands
_help_text.py: fold help texts to the width of the terminal
_interrupts.py: signals that end a command
_outputs.py: check and lock the files that a command writes
_progress.py: progress bars on standard error
_consoles.py: tables in the terminal
_ascii_fallback.py: replace letters that a stream cannot write
_bench.py: `mascarade bench`
_listings.py: `mascarade masks` and `mascarade scenarios`
_replay.py: `mascarade replay`
_solve.py: `mascarade solve`
_tree.py: `mascarade tree`
_tree_files.py: build or read a tree, for `solve`, `tree` and `nashconv`
"""

from importlib.metadata import entry_points, metadata, version

from mascarade_env.cli._program import Program, run

#: Lines for a newcomer to type, each with a sentence about it.
FIRST_STEPS = {
    "mascarade play": "Play a game yourself. You see only what your player may know.",
    "mascarade arena --agents random,honest,stopper --games 60": (
        "Let three agents play against each other, and see which one wins most."
    ),
    "mascarade train --preset quick": (
        "Train a network by self-play for three minutes. "
        "This needs `pip install 'mascarade-env[train]'`."
    ),
    "mascarade COMMAND --help": "Read what a command does and how to use it, with an example.",
}

#: The commands in groups by purpose. Commands that are not in a group are listed after them.
GROUPS = {
    "Play and watch games": ("play", "record", "replay"),
    "Compare agents": ("arena", "behaviour", "nashconv", "best-response"),
    "Train agents": ("train", "sb3", "rllib", "export"),
    "Solve small games": ("solve", "tree"),
    "Look things up": ("masks", "scenarios"),
    "Measure speed": ("bench",),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command that the first argument names; return the exit code."""
    commands = {entry.name: entry for entry in entry_points(group="mascarade.commands")}
    return run(Program("mascarade", _about(), commands, FIRST_STEPS, GROUPS), arguments)


def _about() -> str:
    addresses = dict(
        line.split(", ", 1) for line in metadata("mascarade-env").get_all("Project-URL", [])
    )
    return (
        f"mascarade-env {version('mascarade-env')}: the board game Mascarade as an environment for "
        f"reinforcement learning.\n\nDocumentation: {addresses['Documentation']}"
    )
