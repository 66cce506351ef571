"""Generates the page LADDER.md: the strength of the hand-written agents.

With the same agents, number of games and seed, `mascarade arena` plays the same games.
"""

from collections.abc import Iterator, Sequence

from lab.paths import ROOT
from mascarade_agents._ladder import LADDER
from mascarade_agents.arena import run
from mascarade_agents.ratings import Estimates, one_against_many, win_shares
from mascarade_env._errors import whole
from mascarade_env.game._scenarios import scenarios

PAGE = ROOT / "agents/LADDER.md"

#: Agents that search. They take more time, so they are not on the page.
SEARCH = ("flat:500", "ismcts:500")
_SEARCHED = ("honest", "opportunist", "stopper")  # the opponents of search
_GAMES = {"6A": 4200, "4A": 4000, "8A": 4000, "6B": 4200}
_SEARCH_GAMES = {"6A": 120}
_SEED = 2026

_HEAD = """# How strong the agents are

The **ladder** is a list of seven hand-written agents in order of strength
([README.md](README.md#the-ladder) describes them). This page compares each agent with the previous
agent, the one in the row above it. `make ladder` generates the page from games of the arena with
the seed {seed}. The same version and seed give the same figures.

All figures are win shares in percent with 95% intervals, by a bootstrap over deals. The **win
share** of a player is 1 for a win, divided by the number of players who win the game. The **fair
share** is 1/n, the win share of each of n equal players. All agents play the same deals from all
seats.

- *Mixed games*: the win share in games between players of all seven agents.
- *This agent as the one*: the win share of one player of this agent against n-1 players of the
  previous agent.
- *Previous agent as the one*: the win share of one player of the previous agent against n-1 players
  of this agent.
- *Result*: the comparison of both figures with the fair share. This agent *wins as the one* if the
  interval of *this agent as the one* is above the fair share. It *wins as the many* if the interval
  of *previous agent as the one* is below the fair share. In the opposite cases it *loses*. If the
  interval includes the fair share, the result is *not significant*. An agent that wins both as the
  one and as the many is **stronger**; an agent that loses both is **weaker**.
"""


def ladder(search: bool = False, workers: int = 2) -> None:
    """Play the agents against each other, and write LADDER.md in five minutes on two cores.

    Example: python -m lab ladder

    Args:
        search: Print figures of agents that search instead, and write no page. This takes longer.
        workers: The number of processes that play.
    """
    whole(workers, "--workers", at_least=0)
    lines = []
    for line in _searching(workers) if search else page(workers):
        print(line, flush=True)
        lines.append(line)
    if not search:
        PAGE.write_text("\n".join(lines) + "\n", "utf-8")


def page(workers: int) -> Iterator[str]:
    """Play the games, and yield the lines of LADDER.md."""
    yield from _HEAD.format(seed=_SEED).splitlines()
    for scenario, games in _GAMES.items():
        yield from _rungs(scenario, games, workers)


def _rungs(scenario: str, games: int, workers: int) -> Iterator[str]:
    """Play the games of one scenario, and yield the lines of its table."""
    fair = 1 / scenarios()[scenario].players
    yield from (
        "",
        f"## {scenario}",
        "",
        f"{games} games of each kind; the fair share is {fair:.1%}.",
        "",
        "| agent | mixed games | this agent as the one | previous agent as the one | result |",
        "|---|---|---|---|---|",
    )
    results = run(
        LADDER, scenario, games=games, seed=_SEED, tables="mixed", workers=workers
    ).results
    mixed = win_shares(results)
    for place, name in enumerate(LADDER):
        cells = [name, _share(mixed, place)]
        if place:
            cells += _both_ways(name, LADDER[place - 1], scenario, games, workers)
        else:
            cells += ["", "", ""]
        yield f"| {' | '.join(cells)} |"


def _both_ways(upper: str, lower: str, scenario: str, games: int, workers: int) -> Sequence[str]:
    """Return the win share of each agent against copies of the other, and the result."""
    results = run(
        [upper, lower], scenario, games=games, seed=_SEED, tables="one", workers=workers
    ).results
    one = one_against_many(results).one
    fair = 1 / results.players
    as_one = int((one.low[0, 1] > fair) - int(one.high[0, 1] < fair))
    as_many = int((one.high[1, 0] < fair) - int(one.low[1, 0] > fair))
    result = {
        (1, 1): "stronger",
        (-1, -1): "**weaker**",
    }.get((as_one, as_many), f"{_AS_ONE[as_one]}, {_AS_MANY[as_many]}")
    return _share(one, (0, 1)), _share(one, (1, 0)), result


_AS_ONE = {1: "wins as the one", 0: "not significant as the one", -1: "**loses as the one**"}
_AS_MANY = {1: "wins as the many", 0: "not significant as the many", -1: "**loses as the many**"}


def _searching(workers: int) -> Iterator[str]:
    """Yield tables of agents that search against some agents of the ladder."""
    for scenario, games in _SEARCH_GAMES.items():
        fair = 1 / scenarios()[scenario].players
        yield from (
            "",
            f"## Search in {scenario}",
            "",
            f"{games} games of each kind, 500 simulations for each decision; "
            f"the fair share is {fair:.1%}.",
            "",
            "| searcher | opponent | one searcher | one opponent | result |",
            "|---|---|---|---|---|",
        )
        for searcher in SEARCH:
            for opponent in _SEARCHED:
                cells = _both_ways(searcher, opponent, scenario, games, workers)
                yield f"| {' | '.join((searcher, opponent, *cells))} |"


def _share(shares: Estimates, at: int | tuple[int, int]) -> str:
    value, low, high = (100 * float(part[at]) for part in (shares.value, shares.low, shares.high))
    return f"{value:.1f} ({low:.1f} to {high:.1f})"
