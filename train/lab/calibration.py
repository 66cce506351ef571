"""Measure how much of what could be gained `best_response` finds, where it is known exactly.

    python -m lab calibration --decisions 3000000

measures it for a budget, and writes it to calibration.json, which comes with mascarade_train. The
tables are uniform play, the ladder's stopper, and a network that is trained for it by self-play.
What a response gains is here computed on the tree, so that no luck in the games that are counted
blurs the share.
"""

import json
import time
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from mascarade_agents._registry import make_agent
from mascarade_agents.exact import tabulate
from mascarade_env._errors import MascaradeError
from mascarade_env.exact import GameTree, Policy, build, nash_conv, values_of
from mascarade_env.exact._files import making
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.calibration import (
    FILE,
    FORMAT,
    Calibration,
    Line,
    differences,
    load,
)
from mascarade_train._best_response.search import Hooks, Response, best_response
from mascarade_train._best_response.settings import ResponseSettings, checked
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Training
from mascarade_train._run.display import display
from mascarade_train._settings import Settings, as_json

SELF_PLAY = "self-play"  # the table of a network trained for the calibration
TABLES = ("random", SELF_PLAY, "stopper")


def calibrate(  # noqa: PLR0913, PLR0917  each parameter is a flag
    settings: Annotated[ResponseSettings, tyro.conf.arg(name="")],
    scenarios: tuple[str, ...] = ("small-2", "small-3"),
    tables: tuple[str, ...] = TABLES,
    self_play: int = 3_000_000,
    folder: Path = Path("runs/calibration"),
    out: Path = FILE,
) -> Calibration:
    """Measure how much of the true gain best responses recover in games that are solved exactly.

    Example: python -m lab calibration --decisions 1000000

    Args:
        settings: The procedure.
        scenarios: Games of the exact suite.
        tables: Agents that hold the other seats; self-play is a network that is trained for it.
        self_play: Decisions that such a network learns from.
        folder: Where these networks are kept; one that is there is taken as it is.
        out: The file of calibrations; what was measured before of the same tables is replaced.
    """
    checked(settings)
    versions = {package: version(package) for package in ("mascarade-env", "torch", "numpy")}
    lines: list[Line] = []
    for name in scenarios:
        game = build(name)
        for table in tables:
            agent = table
            if table == SELF_PLAY:
                agent = f"net:{_trained(name, self_play, folder)}"
            begun = time.monotonic()
            line, response = measure(game, agent, table, settings)
            lines.append(line)
            low, high = response.interval
            print(
                f"{line}: {line.found:.4f} of {line.true_gain:.4f} (measured "
                f"{response.gain:.4f}, 95% {low:.4f} to {high:.4f}, {response.chosen.version}, "
                f"{response.chosen.kind}, {time.monotonic() - begun:.0f} s)",
                flush=True,
            )
            # At once, as the next may take long.
            add(Calibration(settings, self_play, versions, (line,)), out)
    return Calibration(settings, self_play, versions, tuple(lines))


def measure(
    game: GameTree, agent: str, table: str, settings: ResponseSettings
) -> tuple[Line, Response]:
    """Find a response to an agent in a game that is known as a tree, and compare it.

    Args:
        game: the tree.
        agent: the agent's name; it must know its probabilities.
        table: what to call it.
        settings: the procedure.
    """
    tabulated = tabulate(make_agent(agent, game.scenario), game)
    if not tabulated.exact:
        raise MascaradeError(
            f"{agent} does not know its probabilities, so its best response is unknown: calibrate "
            "with another agent"
        )
    players = game.scenario.players
    true_gain = nash_conv(game.tree, tabulated.policy).nash_conv / players
    if not true_gain > 0:
        raise MascaradeError(f"{agent} leaves nothing to gain in {game.scenario.name}")
    with display() as shown:
        response = best_response(agent, game.scenario, settings, hooks=Hooks(shown.show))
    found = gain_of(game, response.policy, tabulated.policy)
    return Line(game.scenario.name, table, true_gain, found, response.gain), response


def gain_of(game: GameTree, file: PolicyFile, others: Policy) -> float:
    """What a network gains above 1/n among others, on average over the seats, computed exactly."""
    tree, players = game.tree, game.scenario.players
    own = tabulate(NetworkAgent(game.scenario, NetPolicy(file)), game).policy
    owner = tree.owner[tree.state_of_option]
    shares = [
        values_of(tree, np.where(owner == player, own, others))[player] for player in range(players)
    ]
    return float(np.mean(shares)) - 1 / players


def add(calibration: Calibration, path: Path = FILE) -> None:
    """Write a calibration to a file.

    One of the same procedure is replaced; its other tables are kept if seeds, versions and the
    networks of self-play are the same, or lines that cannot be compared would stand side by side.
    """
    known, kept = load(path), []
    lines = {(line.scenario, line.table): line for line in calibration.lines}
    for each in known:
        if differences(each.settings, calibration.settings):
            kept.append(each)
        elif replace(each, lines=()) == replace(calibration, lines=()):
            lines = {(line.scenario, line.table): line for line in each.lines} | lines
    kept.append(replace(calibration, lines=tuple(lines[place] for place in sorted(lines))))
    kept.sort(key=lambda each: each.settings.decisions)
    words = {"format": FORMAT, "calibrations": [_written(each) for each in kept]}
    with making(path) as beside:
        beside.write_text(json.dumps(words, indent=1) + "\n", "utf-8")


def _written(calibration: Calibration) -> dict[str, Any]:
    found = asdict(calibration)
    for words, line in zip(found["lines"], calibration.lines, strict=True):
        words["recovered"] = line.recovered
    return found


def _trained(scenario: str, decisions: int, folder: Path) -> Path:
    """A network trained by self-play."""
    run = folder / f"{scenario}-{decisions}"
    s = Settings(
        scenario=(scenario,),
        decisions=decisions,
        entropy=0.3,
        trace=0.95,
        average=0.01,
        evaluate_every=decisions,
        rungs=(),
    )
    if not (run / POLICY).exists():
        run.mkdir(parents=True, exist_ok=True)
        print(f"training a network for {scenario} by self-play in {run}", flush=True)
        Training(s, run).go()
    elif PolicyFile.load(run).card["provenance"].get("settings") != as_json(s):
        raise MascaradeError(
            f"{str(run)!r} was trained with other settings: move it away, or remove it"
        )
    return run
