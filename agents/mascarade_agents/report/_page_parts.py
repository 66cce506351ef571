"""The parts of a page around the plots: sections, cards, tables and lists of terms."""

from collections.abc import Mapping, Sequence
from typing import Any

from mascarade_agents.report._plots import safe


def section(title: str, inside: str, *, kind: str = "") -> str:
    """Return a section of the page with a heading.

    Args:
        title: the text of the heading.
        inside: markup.
        kind: a class of the style sheet.
    """
    named = f' class="{kind}"' if kind else ""
    return f"<section{named}><h2>{safe(title)}</h2>\n{inside}\n</section>"


def card(title: str, note: str, plot: str, more: str = "") -> str:
    """Return a card: a heading, a caption, a plot and the markup below it.

    Args:
        title: the heading; may be empty.
        note: the caption, one plain sentence.
        plot: markup.
        more: markup below the plot.
    """
    heading = f"<h3>{safe(title)}</h3>" if title else ""
    return f'<div class="card">{heading}<p class="note">{safe(note)}</p>\n{plot}\n{more}</div>'


def terms(meanings: Mapping[str, str]) -> str:
    """Return a card that explains each term in plain text."""
    items = "".join(
        f"<dt>{safe(term)}</dt><dd>{safe(meaning)}</dd>" for term, meaning in meanings.items()
    )
    return f'<div class="card terms"><h3>Terms</h3><dl>{items}</dl></div>'


def html_table(
    label: str, heads: Sequence[str], lines: Sequence[Sequence[Any]], *, words: bool = False
) -> str:
    """Return a table whose first column holds the headings of the rows.

    Args:
        label: a description of the table for screen readers.
        heads: the headings of the columns; may be empty.
        lines: the cells of each row.
        words: whether cells hold words rather than numbers.
    """
    top = "".join(f'<th scope="col">{safe(head)}</th>' for head in heads)
    rows = "".join(
        f'<tr><th scope="row">{safe(line[0])}</th>'
        + "".join(f"<td>{safe(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for line in lines
    )
    head = f"<thead><tr>{top}</tr></thead>" if heads else ""
    kind = ' class="words"' if words else ""
    return scrolling(f"<table{kind}>{head}<tbody>{rows}</tbody></table>", label)


def numbers(inside: str, title: str = "The numbers") -> str:
    """Return markup that is hidden until the reader clicks on its title."""
    return f"<details><summary>{safe(title)}</summary>{inside}</details>"


def scrolling(inside: str, label: str) -> str:
    """Return markup that scrolls sideways if it is wider than the page.

    The keyboard can scroll it too.
    """
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(label)}">{inside}</div>'
    )
