"""Tables in the terminal."""

from rich.console import Console
from rich.table import Table


def show(table: Table) -> None:
    """Print a table to standard output; where it is narrow, words are folded and not cut."""
    for column in table.columns:
        column.overflow = "fold"
        if column.justify != "right":  # numbers stay in one piece as far as possible
            column.min_width = None
    Console().print(table)
