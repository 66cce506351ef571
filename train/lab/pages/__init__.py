"""Pages printed from code."""
