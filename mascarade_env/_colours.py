"""Decide whether to use colours in terminals, by the convention of https://no-color.org."""

import os


def colours_wanted() -> bool:
    """Return whether to use colours: False if NO_COLOR is set and not empty."""
    return not os.environ.get("NO_COLOR")
