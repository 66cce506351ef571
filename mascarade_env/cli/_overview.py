"""The page that a program prints without arguments or with --help.

It first shows commands for beginners, then all commands in groups by purpose. It is plain text: no
colour, no letter outside ASCII, and lines that fit the terminal.
"""

import re
import shutil
import textwrap
from collections.abc import Mapping, Sequence

_WIDEST = 100  # longer lines are hard to read
_NO_BREAK = "\N{NO-BREAK SPACE}"


def group_commands(
    names: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Return the command names under the heading of their group.

    Args:
        names: all commands.
        groups: the commands of each heading, in the order of the page. Names that are not in
            `names` are left out, because their package is not installed.

    Returns:
        The groups that have at least one command. The last group has the commands that `groups`
        does not contain.
    """
    grouped = {
        heading: [name for name in members if name in names] for heading, members in groups.items()
    }
    placed = {name for members in grouped.values() for name in members}
    rest = sorted(set(names) - placed)
    grouped["Other commands" if groups else "Commands"] = rest
    return {heading: members for heading, members in grouped.items() if members}


def overview(
    about: str,
    first_steps: Mapping[str, str],
    groups: Mapping[str, Sequence[str]],
    sentences: Mapping[str, str],
) -> str:
    """Return the page, folded to the width of the terminal.

    Args:
        about: the purpose of the program; an empty line separates paragraphs.
        first_steps: commands to type, each with a sentence about it.
        groups: as for `group_commands`.
        sentences: a sentence about each command, by the command's name.
    """
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    lines = [line for text in about.split("\n\n") for line in [*_folded(text, width), ""]]
    if first_steps:
        lines.append("Where to begin:")
        for command, sentence in first_steps.items():
            lines += _folded(command, width, indent="  ")
            lines += _folded(sentence, width, indent="      ")
        lines.append("")
    column = max(map(len, sentences), default=0) + 4
    for heading, names in group_commands(list(sentences), groups).items():
        lines.append(f"{heading}:")
        for name in names:
            text = f"  {name}".ljust(column) + sentences[name]
            lines += _folded(text, width, hanging=" " * column)
        lines.append("")
    return "\n".join(lines[:-1])


def _folded(text: str, width: int, *, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return the lines of a paragraph; a command in backticks stays on one line if it fits."""
    joined = re.sub("`[^`]*`", lambda command: command[0].replace(" ", _NO_BREAK), text)
    lines = textwrap.wrap(
        joined,
        width,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]
