"""The game itself: masks, scenarios, rules, records, `Game` (one game) and `Batch` (many games).

RULES.md explains the rules in words. Each file may import the files listed above it. The package
imports `_jit`, `_files` and `_errors`. Only the files of the second list also import `knowledge`
and `observation`, which are built on the first list.

Data and rules, without any player's knowledge:

_masks.py: the masks as data, and their numbers
_scenarios.py: `Scenario`: masks, players and limits, and the checks that make it valid
scenarios.toml: the scenarios by name
_positions.py: names of phases, seats and bit sets that rows and public facts share
_actions.py: action ids, the words for them, and which are legal
_events.py: EVENT: one thing that happened, and the players who see it
_state.py: GAME: the full state of a game, as one row of a structured array
_rng.py: random numbers, whose state is part of the row
_rules.py: the rules, numbered as in RULES.md: `deal`, `apply`, `returns_of`
_batch_arguments.py: checks of the arguments of a batch
_table_facts.py: public facts about the table, for `Game` and `AgentView`
_threads.py: kernel calls in several threads
_event_sequence.py: a check that received events follow the rules

Classes that users work with. The package `knowledge` computes what players know:

_replay.py: a replay of one game that computes what each viewer knows
_text_table.py: the table as text, as the referee sees it
_records.py: a game as a JSON object, see RECORDS.md
_batch_kernels.py: the compiled reset and step of a batch
_game_viewers.py: the methods of `Game` about what viewers know
_game_kernels.py: the compiled deal and decisions of one game
_game.py: `Game`: one game, with actions in words, undo, clones
_batch.py: `Batch`: many games, stepped together
_record_files.py: files of records
"""
