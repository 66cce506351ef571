"""`mascarade tree`: how large the tree of a scenario is."""

import json as json_format
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mascarade_env.cli.trees import SCENARIO, built, check_writable
from mascarade_env.exact import save_tree
from mascarade_env.exact.sizes import size_of


def tree(scenario: str = SCENARIO, json: bool = False, out: Path | None = None) -> None:
    """Build the tree of a small scenario: every course that a game can take.

    Example: mascarade tree --scenario tiny-2 --json

    Args:
        scenario: A name such as small-2, or a .json file with a scenario. It must have a
            turn_limit and a fixed_deal.
        json: Print JSON.
        out: Save the tree to this file (.npz), for `mascarade solve --tree`.
    """
    if out is not None:
        check_writable(out)
    game, seconds = built(scenario)
    if out is not None:
        save_tree(game, out)
    size = size_of(game)
    if json:
        saved = {} if out is None else {"output": str(out)}
        figures = {
            "scenario": game.scenario.name,
            **size._asdict(),
            "seconds": round(seconds, 3),
            **saved,
        }
        print(json_format.dumps(figures))
        return
    table = Table("", escape(game.scenario.name), box=box.SIMPLE, pad_edge=False)
    table.columns[1].justify = "right"
    for what, number in (
        ("nodes", size.nodes),
        ("at which somebody decides", size.decisions),
        ("at which the game is over", size.terminals),
        ("information states", size.states),
        *((f"of player {player}", states) for player, states in enumerate(size.states_of)),
        ("options in them", size.options),
        ("decisions in the longest game", size.depth),
    ):
        table.add_row(what, f"{number:,}")
    table.add_row("megabytes of arrays", f"{size.bytes / 1e6:,.1f}")
    table.add_row("seconds to build", f"{seconds:,.1f}")
    console = Console()
    console.print(table)
    if out is not None:
        print(f"the tree is in {out}: mascarade solve --tree {out}")
