"""The command `mascarade`: one subcommand for each entry point of the group `mascarade.commands`.

A subcommand is a function whose signature and docstring tyro turns into flags and help. Only the
one that is called is imported.
"""

import os
import sys
from importlib.metadata import entry_points

import tyro

from mascarade_env.core.errors import MascaradeError


def main(arguments: list[str] | None = None) -> int:
    """Run the subcommand named first; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    found = {entry.name: entry for entry in entry_points(group="mascarade.commands")}
    try:
        if words and words[0] in found:
            command = found[words[0]].load()
            tyro.cli(command, prog=f"mascarade {words[0]}", args=words[1:])
        else:
            tyro.extras.subcommand_cli_from_dict(
                {name: found[name].load() for name in sorted(found)},
                prog="mascarade",
                description="The board game Mascarade as an environment for learning machines.",
                args=words,
            )
        sys.stdout.flush()
    except MascaradeError as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        print(f"mascarade: {error}{notes}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mascarade: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader (such as `head`) has had enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0
