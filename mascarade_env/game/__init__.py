"""The game itself: masks, scenarios, the rules, records, and what users hold: `Game` and `Batch`.

Each file may import those above it. The first list knows nothing of knowledge, which is built on
it; the second also imports `knowledge` and `observation`. Nothing here imports other packages than
these two, `_jit`, `_files` and `_errors`.

The data and the rules, which know no player's knowledge:

_masks.py: the masks as data, and their numbers
_scenarios.py: `Scenario`: which masks, how many players, which limits; what is valid
scenarios.toml: the scenarios by name
_positions.py: names of phases, seats and bit sets that rows and public facts share
_actions.py: action ids, their words, and which are legal
_events.py: EVENT: what happened, and who may know it
_state.py: GAME: the whole truth about a game, as one row of a structured array
_rng.py: random numbers, whose state is in the row
_rules.py: the rules, once, with the numbers of RULES.md: `deal`, `apply`, `returns_of`
_batch_arguments.py: check what a batch is given
_table_facts.py: what everyone sees of a table, for `Game` and `AgentView`
_threads.py: call kernels in several threads
_event_sequence.py: check that a message of events follows the rules

What users hold, with a follower of `knowledge` for what players know:

_replay.py: replay the decisions of one game for a follower
_text_table.py: a table as text, for the referee
_records.py: a game as a JSON object, see RECORDS.md
_batch_kernels.py: the kernels of a batch: reset and step
_game_viewers.py: the part of `Game` about what its viewers know
_game.py: `Game`: one game, with words, undo, clones
_batch.py: `Batch`: many games in step
_record_files.py: files of records
"""
