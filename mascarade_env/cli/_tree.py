"""`mascarade tree`: build the game tree of a scenario, and report its size."""

import json as json_format
import shlex
import time
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from mascarade_env.cli._consoles import show
from mascarade_env.cli._outputs import writing
from mascarade_env.cli._tree_files import SCENARIO, built, check_npz
from mascarade_env.exact import GameTree, save_tree
from mascarade_env.exact._sizes import size_of
from mascarade_env.game._scenarios import resolve
from mascarade_env.render._scene import printable


def tree(scenario: str = SCENARIO, json: bool = False, out: Path | None = None) -> None:
    """Build the game tree of a small scenario, and report its size.

    Example: mascarade tree --scenario tiny-2 --json

    Args:
        scenario: A name such as small-2, or a .json file with a scenario. It must have a
            turn_limit and a fixed_deal.
        json: Print JSON instead of a table.
        out: Save the tree to this file (.npz), for `mascarade solve --tree`.
    """
    rules = resolve(scenario)
    if out is not None:
        check_npz(out)
    with writing({"--out": out}, [scenario]):
        started = time.perf_counter()
        game = built(rules)
        seconds = time.perf_counter() - started
        saved = None
        try:
            if out is not None:
                save_tree(game, out)
                saved = out
        finally:
            # Print the figures even if the file cannot be written.
            _print_json(game, seconds, saved) if json else _print(game, seconds, saved)


def _print_json(game: GameTree, seconds: float, saved: Path | None) -> None:
    figures = {
        "scenario": game.scenario.name,
        **size_of(game)._asdict(),
        "seconds": round(seconds, 3),
        **({} if saved is None else {"output": str(saved)}),
    }
    print(json_format.dumps(figures))


def _print(game: GameTree, seconds: float, saved: Path | None) -> None:
    size = size_of(game)
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column()
    table.add_column(Text(printable(game.scenario.name)), justify="right")
    for label, number in (
        ("nodes", size.nodes),
        ("where a player decides", size.decisions),
        ("where the game is over", size.terminals),
        ("information states", size.states),
        *((f"of player {player}", states) for player, states in enumerate(size.states_of)),
        ("actions in them", size.options),
        ("decisions in the longest game", size.depth),
    ):
        table.add_row(label, f"{number:,}")
    table.add_row("megabytes of arrays", f"{size.bytes / 1e6:,.1f}")
    table.add_row("seconds to build", f"{seconds:,.1f}")
    show(table)
    if saved is not None:
        quoted = shlex.quote(str(saved))
        print(printable(f"wrote the tree to {saved}; solve it: mascarade solve --tree {quoted}"))
