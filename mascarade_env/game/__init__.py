"""The game itself: data, rules, events, records, and what users hold of it: Game and Batch."""
