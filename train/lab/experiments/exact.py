"""Self-play where the truth is known: NashConv over what was learned, and how it then plays.

A run that is broken off goes on from its last checkpoint, which lies in runs/experiments.
"""

import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from lab.experiments.jobs import Job
from lab.pages.equilibria import ITERATIONS
from lab.release import command, finished
from mascarade_agents.exact import tabulate
from mascarade_env._errors import MascaradeError
from mascarade_env._files.strict_json import parse_json
from mascarade_env.exact import GameTree, Policy, build, nash_conv
from mascarade_env.exact._behaviour import MEASURES, conduct
from mascarade_env.exact._solver_run import approach
from mascarade_train._agents import NetworkAgent
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run import checkpoints
from mascarade_train._run.examination import nash_conv_of
from mascarade_train._run.logs import NAME as LOG
from mascarade_train._run.resume import settings_of
from mascarade_train._run.start import start
from mascarade_train._settings import Settings, as_json, from_json, preset

#: What is trained, and with which presets by method.
SCENARIOS = ("small-2", "small-3")
METHODS = {
    "regularised": {"small-2": "small-2", "small-3": "small-3"},
    "naive": {"small-2": "naive-2", "small-3": "naive-3"},
}
SEEDS = (0, 1, 2, 3, 4)

#: Games whose equilibria are shown beside what was learned, there or in games of full size.
SOLVED = (*SCENARIOS, "powers-3", "medium-4")

RUNS = Path("runs/experiments")


def jobs() -> Iterator[Job]:
    """Uniform play, CFR+, and self-play: one seed of everything before the next."""
    for scenario in SCENARIOS:
        yield Job(f"exact/{scenario}-uniform", {"scenario": scenario}, uniform)
    for scenario in SOLVED:
        given = {"scenario": scenario, "algorithm": "cfr+", "iterations": ITERATIONS[scenario]}
        yield Job(f"exact/{scenario}-cfr", given, solved)
    for seed in SEEDS:
        for scenario in SCENARIOS:
            for method, presets in METHODS.items():
                name = f"{scenario}-{method}-{seed}"
                settings = _told(replace(preset(presets[scenario]), seed=seed, name=name))
                given = {"scenario": scenario, "settings": settings}
                yield Job(f"exact/{name}", given, trained, _told(Settings()))


def _told(settings: Settings) -> dict[str, Any]:
    """Settings as JSON, without places."""
    return {n: v for n, v in as_json(settings).items() if n not in ("folder", "resume")}


def uniform(given: dict[str, Any]) -> dict[str, Any]:
    """Play that takes every option with the same chance."""
    game = _tree(given["scenario"])
    policy = game.tree.uniform()
    return {"nash_conv": nash_conv(game.tree, policy).nash_conv, **_play(game, policy)}


def solved(given: dict[str, Any]) -> dict[str, Any]:
    """The way of CFR+ to an equilibrium, and how that one plays."""
    game = _tree(given["scenario"])
    found = approach(game.tree, given["algorithm"], iterations=given["iterations"])
    return {
        "nash_conv": found.gains.nash_conv,
        "curve": [[point.iterations, point.nash_conv] for point in found.points],
        "nodes": game.tree.nodes,
        **_play(game, found.policy),
    }


def trained(given: dict[str, Any]) -> dict[str, Any]:
    """Self-play: how far from an equilibrium it was on its way, and how it plays in the end."""
    s = given["settings"]
    run = _run(replace(from_json(s, Settings), folder=RUNS))
    game = _tree(given["scenario"])
    file = PolicyFile.load(run)
    agent = NetworkAgent(game.scenario, NetPolicy(file))
    before = NetworkAgent(game.scenario, NetPolicy(PolicyFile.load(run / "untrained.npz")))
    lines = [parse_json(line.encode()) for line in (run / LOG).read_text("utf-8").splitlines()]
    policy = tabulate(agent, game).policy
    decisions = file.card["provenance"]["decisions"]
    end = nash_conv(game.tree, policy).nash_conv
    curve = [[0, nash_conv_of(before)]]
    curve += [[line["decisions"], line["nash_conv"]] for line in lines]
    if curve[-1][0] != decisions:  # it was broken off between its last checkpoint and the log
        curve.append([decisions, end])
    return {
        "training": command(s),
        "decisions": decisions,
        "learning_seconds": file.card["provenance"]["seconds"],
        "nash_conv": end,
        "curve": curve,
        **_play(game, policy),
    }


def _run(s: Settings) -> Path:
    """The folder of a run with these settings that has come to its end."""
    assert s.name is not None
    run = s.folder / s.name
    if (run / checkpoints.NAME).exists():
        before = settings_of(run)
        if replace(before, resume=None) != s:
            raise MascaradeError(
                f"{str(run)!r} was trained with other settings: move it away, or remove it"
            )
        if not finished(PolicyFile.load(run).card):
            _start(before, run)
    else:
        # It ended before its first checkpoint, if it is there at all.
        shutil.rmtree(run, ignore_errors=True)
        _start(s, run)
    if not finished(PolicyFile.load(run).card):
        raise KeyboardInterrupt  # which training takes as a wish to end early
    return run


def _start(s: Settings, run: Path) -> None:
    """Train, with what it tells in a file beside the folder of the run."""
    run.parent.mkdir(parents=True, exist_ok=True)
    with run.with_suffix(".txt").open("a", encoding="utf-8") as told, redirect_stdout(told):
        start(s)


def _play(game: GameTree, policy: Policy) -> dict[str, Any]:
    """How a policy plays, computed on the whole tree; shares are None where there is no chance."""
    how = conduct(game, policy)
    counts = {name: float(how.measures[name].number.sum()) for name in MEASURES}
    return {
        "play": {
            name: {"share": how.mean(name) if count > 0 else None, "in_a_game": count}
            for name, count in counts.items()
        },
        "shared": how.shared,
    }


@cache
def _tree(scenario: str) -> GameTree:
    return build(scenario)
