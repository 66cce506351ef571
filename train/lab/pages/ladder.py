"""The page LADDER.md: how strong the agents are.

The games are those of `mascarade arena` with the same agents, games and seed.
"""

from collections.abc import Iterator, Sequence

from lab.paths import ROOT
from mascarade_agents._ladder import LADDER
from mascarade_agents.arena import run
from mascarade_agents.ratings import Estimates, one_against_many, win_shares
from mascarade_env._errors import whole
from mascarade_env.game._scenarios import scenarios

PAGE = ROOT / "agents/LADDER.md"

#: Search, beside the ladder; it takes time.
SEARCH = ("flat:500", "ismcts:500")
_SEARCHED = ("honest", "opportunist", "stopper")  # the opponents of search
_GAMES = {"6A": 4200, "4A": 4000, "8A": 4000, "6B": 4200}
_SEARCH_GAMES = {"6A": 120}
_SEED = 2026

_HEAD = """# How strong the agents are

Printed by `make ladder` from games of the arena with the seed {seed}; in the same version the same
seed gives the same figures. Each table says how an agent fares **alone** among copies of the agent
on the rung below, and how that one fares alone among copies of it. A rung is higher if the first is
clearly more than the fair share and the second clearly less: it can enter the other's table, and
cannot be entered. Win shares in percent, with 95% intervals (a bootstrap over deals), all seats and
the same deals for all.
"""


def ladder(search: bool = False, workers: int = 2) -> None:
    """Play the agents against each other, and write LADDER.md: five minutes on two cores.

    Example: python -m lab ladder

    Args:
        search: Only print how search fares against some of the agents, which takes longer.
        workers: Processes that play.
    """
    whole(workers, "--workers", at_least=0)
    lines = []
    for line in _searching(workers) if search else page(workers):
        print(line, flush=True)
        lines.append(line)
    if not search:
        PAGE.write_text("\n".join(lines) + "\n", "utf-8")


def page(workers: int) -> Iterator[str]:
    """The lines of LADDER.md; it plays as it goes."""
    yield from _HEAD.format(seed=_SEED).splitlines()
    for scenario, games in _GAMES.items():
        yield from _rungs(scenario, games, workers)


def _rungs(scenario: str, games: int, workers: int) -> Iterator[str]:
    """The ladder in one scenario, and mixed tables of all of it."""
    fair = 1 / scenarios()[scenario].players
    yield from (
        "",
        f"## {scenario}",
        "",
        f"{games} games of each kind; the fair share is {fair:.1%}.",
        "",
        "| rung | at mixed tables | alone among the rung below | the rung below alone | |",
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
    """The shares of each alone among copies of the other, and what they say."""
    results = run(
        [upper, lower], scenario, games=games, seed=_SEED, tables="one", workers=workers
    ).results
    one = one_against_many(results).one
    fair = 1 / results.players
    enters = (one.low[0, 1] > fair) - int(one.high[0, 1] < fair)
    holds = (one.high[1, 0] < fair) - int(one.low[1, 0] > fair)
    verdict = {
        (1, 1): "higher",
        (-1, -1): "**lower**",
    }.get((int(enters), int(holds)), f"{_ENTERS[int(enters)]}, {_HOLDS[int(holds)]}")
    return _share(one, (0, 1)), _share(one, (1, 0)), verdict


_ENTERS = {1: "enters", 0: "no clear gain alone", -1: "**loses alone**"}
_HOLDS = {1: "holds", 0: "not clear whether it holds", -1: "**is entered**"}


def _searching(workers: int) -> Iterator[str]:
    """Search against some of the rungs."""
    for scenario, games in _SEARCH_GAMES.items():
        fair = 1 / scenarios()[scenario].players
        yield from (
            "",
            f"## Search in {scenario}",
            "",
            f"{games} games of each kind, 500 simulations a decision; "
            f"the fair share is {fair:.1%}.",
            "",
            "| searcher | opponent | alone among copies of it | it alone among searchers | |",
            "|---|---|---|---|---|",
        )
        for searcher in SEARCH:
            for rung in _SEARCHED:
                cells = _both_ways(searcher, rung, scenario, games, workers)
                yield f"| {' | '.join((searcher, rung, *cells))} |"


def _share(found: Estimates, at: int | tuple[int, int]) -> str:
    value, low, high = (100 * float(part[at]) for part in (found.value, found.low, found.high))
    return f"{value:.1f} ({low:.1f} to {high:.1f})"
