"""The command `mascarade`: one subcommand for each entry point of the group `mascarade.commands`.

Each package names its own subcommands in pyproject.toml, so that the imports keep going one way.
This package may import everything else in `mascarade_env`, where nothing else imports it.
`_program` runs the commands of this program and of others, such as `python -m lab`.
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
