"""Reports on an arena: tables for a console, JSON for programs, one HTML page.

report = summary(results, behaviour=tally.to_dict(), meta={"command": "mascarade arena ..."})
print_summary(report)                                     # tables for a console
write_json(report, "arena.json")                          # strict JSON
Path("arena.html").write_text(html_page(report), "utf-8") # one page that needs nothing else

`_summary` makes the dictionary that all others show, `_sentences` its words, `_page` and the files
named `_..._section` the page, `_plots` and `_heat_maps` its pictures. Imports `ratings` and
mascarade_env; never the arena, so that a report can be made of any results.
"""

from mascarade_agents.report._console_tables import print_summary
from mascarade_agents.report._page import html_page
from mascarade_agents.report._summary import summary, write_json

__all__ = ["html_page", "print_summary", "summary", "write_json"]
