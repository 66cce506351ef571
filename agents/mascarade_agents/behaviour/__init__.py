"""How somebody plays: bluffing, challenging, looking and swapping as numbers with intervals.

    from mascarade_agents.behaviour import Tally, observe

    total = Tally()
    for game in read_games("games.jsonl"):
        total += Tally.of(game)
    total.to_dict()                  # every agent, phase and measure, with 95% intervals
    observe(game)                    # the single facts of one game

Because each player's exact belief is known, a lie can be told from an honest mistake. All measures
are declared in `measures` and told in MEASURES.md.
"""

from mascarade_agents.behaviour.facts import (
    Announcement,
    Answer,
    Fact,
    Look,
    SwapOrKeep,
    Turn,
    kind_of,
)
from mascarade_agents.behaviour.intervals import Estimate
from mascarade_agents.behaviour.measures import MEASURES, Measure
from mascarade_agents.behaviour.observe import observe
from mascarade_agents.behaviour.phases import PHASES, phase_of
from mascarade_agents.behaviour.tally import Tally

__all__ = [
    "MEASURES",
    "PHASES",
    "Announcement",
    "Answer",
    "Estimate",
    "Fact",
    "Look",
    "Measure",
    "SwapOrKeep",
    "Tally",
    "Turn",
    "kind_of",
    "observe",
    "phase_of",
]
