"""Measures of play: bluffing, challenging, looking and swapping as numbers with intervals.

    from mascarade_agents.behaviour import Tally, observe

    total = Tally()
    for game in read_games("games.jsonl"):
        total += Tally.of(game)
    total.to_dict()                  # every agent, phase and measure, with 95% intervals
    observe(game)                    # the facts of one game, one or two for each decision

The package computes the exact belief of each player, so it can distinguish a lie from an honest
mistake. `MEASURES` declares all measures, and MEASURES.md explains them.

This package imports only `mascarade_env`. Each file may import the files above it:

_facts.py: facts about decisions, one class for each kind of decision
_game_phases.py: phases of a game, by how near the richest player is to winning
_intervals.py: 95% intervals of means, with deals as clusters
_reader.py: `observe`, the facts of one game
_measures.py: `MEASURES`, the declarations
_tally.py: `Tally`, measures added up over games
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
