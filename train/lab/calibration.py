"""Measure the share of the true gain that `best_response` finds, in games that are solved exactly.

    python -m lab calibration --decisions 3000000

measures this share for a budget of 3 million decisions, and writes it to calibration.json in
mascarade_train. Responses are trained against uniform play, against the agent stopper, and against
a network that is trained for this purpose by self-play. The gain of a response is computed on the
game tree, so the share has no sampling error.
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

SELF_PLAY = "self-play"  # stands for a network trained for the calibration
TABLES = ("random", SELF_PLAY, "stopper")


def calibrate(  # noqa: PLR0913, PLR0917  each parameter is a flag
    settings: Annotated[ResponseSettings, tyro.conf.arg(name="")],
    scenarios: tuple[str, ...] = ("small-2", "small-3"),
    tables: tuple[str, ...] = TABLES,
    self_play: int = 3_000_000,
    folder: Path = Path("runs/calibration"),
    out: Path = FILE,
) -> Calibration:
    """Measure the share of the true gain that best responses find in games that are solved exactly.

    Example: python -m lab calibration --decisions 1000000

    Args:
        settings: The settings of the search.
        scenarios: Small scenarios that are solved exactly.
        tables: Agents to exploit; self-play stands for a network that is trained for this purpose.
        self_play: Number of decisions that this network learns from.
        folder: Folder for these networks. A network that is already there is used again.
        out: File to write. Its results for the same agents and the same settings are replaced.
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
            # Save each result immediately, because the next may take long.
            add(Calibration(settings, self_play, versions, (line,)), out)
    return Calibration(settings, self_play, versions, tuple(lines))


def measure(
    game: GameTree, agent: str, table: str, settings: ResponseSettings
) -> tuple[Line, Response]:
    """Find a response to an agent, and compare its gain with that of the true best response.

    Args:
        game: the scenario and its whole game tree.
        agent: the name of an agent that knows its action probabilities.
        table: the name of this agent in the result.
        settings: the settings of the search.

    Raises:
        MascaradeError: the agent does not know its probabilities, or no player can gain
            anything against it.
    """
    tabulated = tabulate(make_agent(agent, game.scenario), game)
    if not tabulated.exact:
        raise MascaradeError(
            f"{agent} does not know its action probabilities, so its best response cannot be "
            "computed: calibrate with another agent"
        )
    players = game.scenario.players
    true_gain = nash_conv(game.tree, tabulated.policy).nash_conv / players
    if not true_gain > 0:
        raise MascaradeError(
            f"no player can gain anything against {agent} in {game.scenario.name}: calibrate with "
            "another agent"
        )
    with display() as shown:
        response = best_response(agent, game.scenario, settings, hooks=Hooks(shown.show))
    found = gain_of(game, response.policy, tabulated.policy)
    return Line(game.scenario.name, table, true_gain, found, response.gain), response


def gain_of(game: GameTree, file: PolicyFile, others: Policy) -> float:
    """Return the exact win share of a network above 1/n, averaged over the seats.

    Args:
        game: the scenario and its whole game tree.
        file: the network, which plays one seat.
        others: the policy of all other seats.
    """
    tree, players = game.tree, game.scenario.players
    own = tabulate(NetworkAgent(game.scenario, NetPolicy(file)), game).policy
    owner = tree.owner[tree.state_of_option]
    shares = [
        values_of(tree, np.where(owner == player, own, others))[player] for player in range(players)
    ]
    return float(np.mean(shares)) - 1 / players


def add(calibration: Calibration, path: Path = FILE) -> None:
    """Write a calibration to a file.

    It replaces a calibration with the same settings in the file. The results of the replaced one
    for other agents are kept if its seeds, versions and self-play networks are the same; otherwise
    the results could not be compared.
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
    entry = asdict(calibration)
    for words, line in zip(entry["lines"], calibration.lines, strict=True):
        words["recovered"] = line.recovered
    return entry


def _trained(scenario: str, decisions: int, folder: Path) -> Path:
    """Return the folder of a network trained by self-play; train it if it does not exist."""
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
        print(f"Training a network for {scenario} by self-play in {run} ...", flush=True)
        Training(s, run).go()
    elif PolicyFile.load(run).card["provenance"].get("settings") != as_json(s):
        raise MascaradeError(
            f"the network in {str(run)!r} was trained with other settings: move this folder, or "
            "remove it"
        )
    return run
