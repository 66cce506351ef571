"""Whether somebody wants colours in terminals, as https://no-color.org has it."""

import os


def colours_wanted() -> bool:
    """Not if NO_COLOR is set to anything."""
    return not os.environ.get("NO_COLOR")
