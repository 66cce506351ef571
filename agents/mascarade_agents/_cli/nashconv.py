"""`mascarade nashconv`: gains of the best responses to an agent, on whole game trees."""

import json as json_format
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mascarade_agents._agent import Agent
from mascarade_agents._registry import make_agent
from mascarade_agents.arena._entrants import split_names
from mascarade_agents.exact import DRAWS, least_gains, tabulate
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.cli._consoles import show
from mascarade_env.cli._progress import bar
from mascarade_env.cli._tree_files import built, known
from mascarade_env.exact import Gains, GameTree, nash_conv
from mascarade_env.render._scene import printable


@dataclass(frozen=True)
class Measured:
    """The NashConv of an agent.

    Attributes:
        agent: name of the agent.
        draws: decisions sampled in each information state; 0 if the agent knows its probabilities.
        asked: number of information states in which the agent was asked for a decision.
        most: gains of best responses to the policy; too high on average if decisions were sampled.
        least: gains of responses that are computed from one half of the samples and evaluated with
            the other half; too low on average. Equal to `most` if the agent knows its
            probabilities.
        seconds: time that the measurement took.
    """

    agent: str
    draws: int
    asked: int
    most: Gains
    least: Gains
    seconds: float


def nashconv(
    agent: tuple[str, ...],
    scenario: str | None = None,
    tree: Path | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    json: bool = False,
) -> None:
    """Compute how much players can gain against an agent in a small scenario.

    Example: mascarade nashconv --agent honest bluffer:0.3 random --scenario small-3

    First all players follow the agent's policy. Then one player changes to a best response: the
    increase of this player's win share is the player's gain. NashConv is the sum of the gains of
    all players; it is 0 for an equilibrium. The command computes it on the whole game tree, so the
    scenario needs a turn limit and a fixed deal. Some agents, such as a search, do not know their
    action probabilities. For these the command samples decisions and prints two estimates: the
    first is too low on average, the second too high.

    Args:
        agent: Names of agents, separated by blanks or commas, for example honest bluffer:0.5.
        scenario: A name such as small-2, which is the default (see `mascarade scenarios`), or a
            .json file with a scenario.
        tree: A file that `mascarade tree --out` has saved, so that the tree is not built again.
        draws: Number of decisions to sample in each information state, for an agent that does not
            know its probabilities.
        seed: Seed of the sampled decisions.
        json: Print JSON.
    """
    names = split_names(agent)
    if not names:
        raise MascaradeError("no agent is given: name one with --agent, for example --agent honest")
    whole(draws, "--draws", at_least=2)
    whole(seed, "--seed", at_least=0)
    rules, game = known(scenario, tree)
    agents = [make_agent(name, rules) for name in names]
    if game is None:
        game = built(rules)
    measured: list[Measured] = []
    try:
        for name, made in zip(names, agents, strict=True):
            measured.append(_measure(name, made, game, draws, seed))
    finally:
        # Print finished figures even if the next agent fails or the user interrupts.
        if measured:
            _print_json(game, measured) if json else _print(game, measured)


def _measure(name: str, agent: Agent, game: GameTree, draws: int, seed: int) -> Measured:
    shown, began = printable(name), time.perf_counter()
    try:
        with bar() as show:
            table = tabulate(
                agent,
                game,
                draws=draws,
                seed=seed,
                only_reached=True,
                progress=lambda done, of: show(done, of, f"{shown}: {done:,} of {of:,} states"),
            )
    except MascaradeError as error:
        error.add_note(f"{shown} in {printable(game.scenario.name)}")
        raise
    most = nash_conv(game.tree, table.policy)
    least = most if table.exact else least_gains(game.tree, table)
    return Measured(name, table.draws, table.asked, most, least, time.perf_counter() - began)


def _print_json(game: GameTree, figures: list[Measured]) -> None:
    tree = game.tree
    report = {
        "scenario": game.scenario.name,
        "nodes": tree.nodes,
        "terminals": tree.terminals,
        "information_states": [tree.states_of(player) for player in range(tree.players)],
        "agents": [_as_dict(measured) for measured in figures],
    }
    print(json_format.dumps(report, allow_nan=False))


def _as_dict(measured: Measured) -> dict[str, Any]:
    most, least = measured.most, measured.least
    return {
        "agent": measured.agent,
        "exact": not measured.draws,
        "draws": measured.draws,
        "asked": measured.asked,
        "nash_conv": most.nash_conv,
        "nash_conv_low": least.nash_conv,
        "values": most.values.tolist(),
        "best": most.best.tolist(),
        "best_low": least.best.tolist(),
        "gains": (most.best - most.values).tolist(),
        "gains_low": (least.best - least.values).tolist(),
        "seconds": measured.seconds,
    }


def _print(game: GameTree, figures: list[Measured]) -> None:
    tree, console = game.tree, Console()
    name = printable(game.scenario.name)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("agent", overflow="fold", min_width=8)
    for heading, width in (("value", 6), ("best response", 14), ("gain", 14), ("seconds", 7)):
        table.add_column(heading, justify="right", min_width=width)
    for measured in figures:
        _add(table, measured)
    show(table)
    by_player = ", ".join(f"{tree.states_of(player):,}" for player in range(tree.players))
    sentences = [
        f"{name} has {tree.states:,} information states (by player: {by_player}). "
        "Values are win shares."
    ]
    draws = max(measured.draws for measured in figures)
    if draws:
        sentences.append(
            "Two figures mean that the agent does not know its probabilities. They are estimated "
            f"from {draws} sampled decisions in each information state that can be reached if only "
            "one player changes the policy. The first figure is too low on average, the second too "
            "high."
        )
    console.print(Text(" ".join(sentences)))


def _add(table: Table, measured: Measured) -> None:
    """Add a row for the agent, and one for each player."""
    most, least = measured.most, measured.least
    table.add_row(
        Text(printable(measured.agent), style="bold"),
        "",
        "NashConv",
        _range(least.nash_conv, most.nash_conv, measured),
        f"{measured.seconds:.1f}",
    )
    for player, value in enumerate(most.values):
        table.add_row(
            f"  player {player}",
            f"{value:.4f}",
            _range(least.best[player], most.best[player], measured),
            _range(least.best[player] - least.values[player], most.best[player] - value, measured),
            "",
            end_section=player == len(most.values) - 1,
        )


def _range(low: float, high: float, measured: Measured) -> str:
    return f"{low:.4f}..{high:.4f}" if measured.draws else f"{high:.4f}"
