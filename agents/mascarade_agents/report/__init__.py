"""Reports on an arena: tables for a terminal, JSON for programs, one HTML page.

    report = summary(results, behaviour=tally.to_dict(), meta={"command": "mascarade arena ..."})
    print_summary(report)                                      # sentences and tables
    write_json(report, "arena.json")                           # strict JSON
    Path("arena.html").write_text(html_page(report), "utf-8")  # a page that loads nothing else

This package imports `mascarade_agents.ratings` and mascarade_env. It does not import the arena, so
it can report on any `Results`. Each file may import the files above it:

_numbers.py: formats of numbers, and the scales of plots
_sentences.py: sentences that sum up the results
_summary.py: `summary`, all measures as one JSON object, and `write_json`
_plots.py: dots with intervals, and bars
_console_tables.py: `print_summary`
_page_parts.py: sections, cards and tables of the page
_heat_maps.py: matrices of agents, with coloured cells
_mixed_section.py: the section on mixed games
_matrix_sections.py: the sections that compare agents in pairs
_cycle_section.py: the section on agents that beat each other in a cycle
_behaviour_section.py: the section on measures of play
_page.py: `html_page`, with report.css
"""

from mascarade_agents.report._console_tables import print_summary
from mascarade_agents.report._page import html_page
from mascarade_agents.report._summary import summary, write_json

__all__ = ["html_page", "print_summary", "summary", "write_json"]
