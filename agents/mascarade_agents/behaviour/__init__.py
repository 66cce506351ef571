"""Measures of play: bluffing, challenging, looking and swapping as numbers with intervals.

    from mascarade_agents.behaviour import Tally
    from mascarade_agents.behaviour import observe

    total = Tally()
    for game in read_games("games.jsonl"):
        total += Tally.of(game)
    total.to_dict()                  # every agent, phase and measure, with 95% intervals
    observe(game)                    # the single facts of one game

Because each player's exact belief is known, a lie can be told from an honest mistake. All measures
are declared in `MEASURES` and explained in MEASURES.md.

Imports the game alone. Each file may import those above it:

_facts.py: what a game shows of how its players play, one kind of fact for each kind of choice
_game_phases.py: phases of a game, by how near the richest player is to winning
_intervals.py: 95% intervals, with deals as clusters
_reader.py: `observe`: the facts of one game
_measures.py: `MEASURES`, declared once
_tally.py: `Tally`: measures added up over games
"""

from mascarade_agents.behaviour._facts import (
    Announcement,
    Answer,
    Fact,
    Look,
    SwapOrKeep,
    Turn,
    kind_of,
)
from mascarade_agents.behaviour._game_phases import PHASES, phase_of
from mascarade_agents.behaviour._intervals import Estimate
from mascarade_agents.behaviour._measures import MEASURES, Measure, Quantity
from mascarade_agents.behaviour._reader import observe
from mascarade_agents.behaviour._tally import Tally

__all__ = [
    "MEASURES",
    "PHASES",
    "Announcement",
    "Answer",
    "Estimate",
    "Fact",
    "Look",
    "Measure",
    "Quantity",
    "SwapOrKeep",
    "Tally",
    "Turn",
    "kind_of",
    "observe",
    "phase_of",
]
