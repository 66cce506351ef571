"""`mascarade behaviour`: measures of play in recorded games, as tables."""

import json as json_format
from collections.abc import Iterator, Sequence
from typing import Literal

import tyro
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mascarade_agents.behaviour import MEASURES, PHASES, Estimate, Measure, Tally
from mascarade_agents.behaviour._tally import player_names
from mascarade_env.cli._consoles import show
from mascarade_env.game._record_files import read_games
from mascarade_env.render._scene import printable

_NOTHING = "-"
_NARROW = 80  # in a terminal with fewer columns, tables leave out the phases of the game


def behaviour(
    file: tyro.conf.Positional[str],
    by: Literal["name", "player"] = "name",
    json: bool = False,
) -> None:
    """Measure how the players of recorded games bluff, challenge, look and swap.

    Example: mascarade behaviour games.jsonl.gz --json

    Args:
        file: A file of game records (.jsonl or .jsonl.gz).
        by: name measures all players with the same name together; player measures each player
            number separately. Players without names are always measured by number.
        json: Print JSON, with the meaning of each measure.
    """
    total, games = Tally(), 0
    for game in read_games(file):
        agents = player_names(game.scenario.players) if by == "player" else None
        total += Tally.of(game, agents)
        games += 1
    if json:
        print(json_format.dumps(total.to_dict(), allow_nan=False))
    elif not total.agents:
        print(f"{file}: {_counted(games)}, without anything to measure")
    else:
        _print(total, games)


def _counted(games: int) -> str:
    return "1 game" if games == 1 else f"{games} games"


def _print(total: Tally, games: int) -> None:
    console = Console()
    phases = PHASES[1:] if console.width >= _NARROW else ()
    for agent in total.agents:
        show(_table(total, agent, phases))
    console.print(
        f"Measured in {_counted(games)}. The columns for phases count decisions early, in the "
        "middle and late in a game, by how near the richest player is to winning. Measures without "
        "a counted decision are left out. MEASURES.md in mascarade_agents/behaviour defines "
        "measures and intervals."
    )


def _table(total: Tally, agent: str, phases: Sequence[str]) -> Table:
    table = Table(
        title=Text(printable(agent)),
        box=box.SIMPLE_HEAD,
        title_justify="left",
        padding=(0, 1, 0, 0),
        show_edge=False,
        title_style="bold",
    )
    table.add_column("measure", min_width=25)
    for heading, width in (("all", 6), ("95% interval", 12), ("count", 5)):
        table.add_column(heading, justify="right", min_width=width)
    for heading in phases:
        table.add_column(heading, justify="right", min_width=6)
    before: Measure | None = None
    for measure in MEASURES:
        estimate = total.estimate(agent, "all", measure.name)
        if not estimate.count:
            continue
        if before is not None and before.facts != measure.facts:
            table.add_section()
        before = measure
        table.add_row(measure.title, *_cells(total, agent, measure, estimate, phases))
    return table


def _cells(
    total: Tally, agent: str, measure: Measure, estimate: Estimate, phases: Sequence[str]
) -> Iterator[str]:
    yield _number(estimate.value, measure)
    yield _interval(estimate, measure)
    yield str(estimate.count)
    for phase in phases:
        yield _number(total.estimate(agent, phase, measure.name).value, measure)


def _interval(estimate: Estimate, measure: Measure) -> str:
    low, high = _number(estimate.low, measure), _number(estimate.high, measure)
    return _NOTHING if estimate.low is None else f"{low.rstrip('%')}..{high}"


def _number(value: float | None, measure: Measure) -> str:
    if value is None:
        return _NOTHING
    return f"{value:.1%}" if measure.unit == "share" else f"{value:.2f}"
