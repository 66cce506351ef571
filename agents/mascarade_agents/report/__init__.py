"""What an arena has found out, for people and for programs.

found = summary(results, behaviour=tally.to_dict(), meta={"command": "mascarade arena ..."})
print_summary(found)                                     # tables for a console
write_json(found, "arena.json")                          # strict JSON
Path("arena.html").write_text(html_page(found), "utf-8") # one page that needs nothing else
"""

from mascarade_agents.report._console_tables import print_summary
from mascarade_agents.report._page import html_page
from mascarade_agents.report._summary import summary, write_json

__all__ = ["html_page", "print_summary", "summary", "write_json"]
