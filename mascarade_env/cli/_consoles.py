"""Tables in the terminal."""

from rich.console import Console
from rich.table import Table


def show(table: Table) -> None:
    """Print a table to standard output; fold long words where it is narrow."""
    for column in table.columns:
        column.overflow = "fold"
        if column.justify != "right":  # numbers stay on one line where they fit
            column.min_width = None
    Console().print(table)
