"""`mascarade masks` and `mascarade scenarios`: tables of all masks and of all named scenarios."""

import json as json_format
from typing import Any

from rich.table import Table

from mascarade_env.cli._consoles import show
from mascarade_env.game._masks import MASKS
from mascarade_env.game._scenarios import scenarios as named_scenarios


def masks(json: bool = False) -> None:
    """List the sixteen masks and their powers.

    Example: mascarade masks

    Args:
        json: Print JSON instead of a table, with the names in other languages.
    """
    rows = [
        {
            "id": mask.id,
            "name": mask.name,
            "copies": mask.copies,
            "coin_symbol": mask.coin_symbol,
            "min_players": mask.min_players,
            "power": mask.power,
            "names": dict(mask.names),
        }
        for mask in MASKS
    ]
    if json:
        print(json_format.dumps(rows, ensure_ascii=False))
        return
    _show(
        ["id", "cards", "coin symbol", "players", "power"],
        [
            [
                row["id"],
                row["copies"],
                "yes" if row["coin_symbol"] else "",
                f"{row['min_players']}+" if row["min_players"] else "",
                row["power"],
            ]
            for row in rows
        ],
    )


def scenarios(json: bool = False) -> None:
    """List the scenarios that have a name.

    The lists of masks are unofficial, because the rulebook does not contain the official lists. The
    last scenarios, which have a turn limit, are the exact suite: `mascarade solve` can solve them.

    Example: mascarade scenarios

    Args:
        json: Print JSON instead of a table: the scenarios as objects, as in game records.
    """
    listed = named_scenarios().values()
    if json:
        rows = [{**scenario.to_dict(), "official": scenario.official} for scenario in listed]
        print(json_format.dumps(rows))
        return
    _show(
        ["name", "players", "coins, goal", "turns", "masks"],
        [
            [
                s.name,
                s.players,
                f"{s.start_coins}, {s.goal_coins}",
                s.turn_limit or "",
                " ".join(s.masks),
            ]
            for s in listed
        ],
    )


def _show(columns: list[str], rows: list[list[Any]]) -> None:
    table = Table(*columns)
    for row in rows:
        table.add_row(*map(str, row))
    show(table)
