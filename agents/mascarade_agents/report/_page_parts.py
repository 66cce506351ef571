"""The parts of a page around the plots: sections, cards and tables."""

from collections.abc import Sequence
from typing import Any

from mascarade_agents.report._plots import safe


def section(title: str, inside: str, *, kind: str = "") -> str:
    """Return a part of the page with a heading."""
    named = f' class="{kind}"' if kind else ""
    return f"<section{named}><h2>{safe(title)}</h2>\n{inside}\n</section>"


def card(title: str, note: str, plot: str, more: str = "", *, scroll: bool = False) -> str:
    """Return a plot with what it shows.

    Args:
        title: or none.
        note: a sentence or two.
        plot: markup.
        more: markup below it.
        scroll: whether the plot may be wider than the page.
    """
    heading = f"<h3>{safe(title)}</h3>" if title else ""
    plot_markup = _scroll(plot, title or "plot") if scroll else plot
    return (
        f'<div class="card">{heading}<p class="note">{safe(note)}</p>\n{plot_markup}\n{more}</div>'
    )


def html_table(
    label: str, heads: Sequence[str], lines: Sequence[Sequence[Any]], *, words: bool = False
) -> str:
    """Return a table whose first column heads its rows.

    Args:
        label: what it shows, for those who cannot see it.
        heads: of the columns, or none.
        lines: its rows.
        words: whether cells hold words, not numbers.
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
    return _scroll(f"<table{kind}>{head}<tbody>{rows}</tbody></table>", label)


def numbers(inside: str, title: str = "The numbers") -> str:
    """Tables that are closed at first."""
    return f"<details><summary>{safe(title)}</summary>{inside}</details>"


def _scroll(inside: str, label: str) -> str:
    """Return what may be wider than the page; the keyboard reaches it too."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(label)}">{inside}</div>'
    )
