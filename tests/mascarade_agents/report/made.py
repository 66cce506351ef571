"""Invented results and measures for tests of reports."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mascarade_agents._results import Results
from mascarade_agents.report import summary
from tests.mascarade_agents.ratings.made import (
    Lineup,
    by_strength,
    drawn,
    duel_lineups,
    mixed_lineups,
    results_of,
)

#: A name that breaks pages, terminals and JSON unless it is escaped.
NASTY = "</script><b>&\"'\x1b[31m\n[bold]" + "long" * 20

MEASURES = {
    "sure_true": ("sure and true", "share"),
    "honest_uncertain": ("honest", "share"),
    "gamble": ("gambles", "share"),
    "knowing_bluff": ("knowing bluffs", "share"),
    "bluff_success": ("bluffs that succeed", "share"),
    "bluff_tax": ("fine for a bluff", "coins"),
    "gain": ("gain of a bluff", "coins"),
}


def names_of(agents: int) -> list[str]:
    """Return names of agents; the first is NASTY."""
    return [NASTY, *(f"agent:{number}" for number in range(1, agents))][:agents]


def games_of(agents: int, *, mixed: int = 60, each: int = 4) -> Results:
    """Return mixed games and games of one against many; later agents are stronger."""
    lineups = mixed_lineups(agents, 5, mixed) + duel_lineups(agents, 5, each)
    return drawn(names_of(agents), lineups, by_strength(range(1, agents + 1)))


def circle() -> Results:
    """Return mixed games of three agents that beat each other in a cycle."""

    def weigh(lineup: Lineup) -> Sequence[float]:
        return [1.0 + 9.0 * lineup.count((agent + 1) % 3) for agent in lineup]

    lineups = [line for line in mixed_lineups(3, 4, 800) if len(set(line)) == 2]
    return drawn(["rock", "paper", "scissors"], lineups, weigh)


def with_loser(results: Results) -> Results:
    """Add an agent that only plays alone against many, and loses."""
    loser, n = len(results.agents), results.players
    one = [[loser if seat == game % n else 0 for seat in range(n)] for game in range(40)]
    lost = [[0.0 if seat == game % n else 1 / (n - 1) for seat in range(n)] for game in range(40)]
    return results_of(
        [*results.agents, "loser"],
        [*results.lineups.tolist(), *one],
        [*results.shares.tolist(), *lost],
    )


def with_forfeits(results: Results, agent: int, count: int) -> Results:
    """Let an agent forfeit the first `count` of its games."""
    games, players = np.nonzero(results.lineups == agent)
    _, first = np.unique(games, return_index=True)
    forfeits = results.forfeits.copy()
    forfeits[games[first[:count]]] = players[first[:count]]
    return results_of(results.agents, results.lineups, results.shares, forfeits=forfeits)


def behaviour_of(names: Sequence[str]) -> dict[str, Any]:
    """Return measures of play: a negative gain, and one agent that never announced."""
    phases = ["all", "early", "late"]
    kinds = [0.5, 0.25, 0.15, 0.1, 0.6, 1.5, -0.4]

    def of(place: int, agent: int) -> dict[str, Any]:
        if agent == 1:
            return {"value": None, "low": None, "high": None, "count": 0}
        value = kinds[place]
        return {"value": value, "low": value - 0.05, "high": np.float64(value + 0.05), "count": 80}

    return {
        "phases": phases,
        "measures": {
            name: {"title": title, "meaning": f"What {title} are.", "unit": unit}
            for name, (title, unit) in MEASURES.items()
        },
        "agents": {
            name: {
                phase: {measure: of(place, agent) for place, measure in enumerate(MEASURES)}
                for phase in phases
            }
            for agent, name in enumerate(names)
        },
    }


def full() -> dict[str, Any]:
    """Return a summary that has a value for every key."""
    names = names_of(4)
    meta = {
        "command": "mascarade arena --seed 7",
        "seed": 7,
        "forfeits": [{"agent": NASTY, "reason": f"raised {NASTY}", "count": 2}],
    }
    return summary(with_forfeits(games_of(4), 0, 2), behaviour_of(names), meta)
