"""Tables in the terminal."""

from rich.console import Console
from rich.table import Table


def show(table: Table) -> None:
    """Print a table to standard output. In a narrow terminal, fold long words."""
    for column in table.columns:
        column.overflow = "fold"
        if column.justify != "right":  # numbers stay on one line where they fit
            column.min_width = None
    Console().print(table)
