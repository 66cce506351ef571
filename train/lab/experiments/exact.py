"""Self-play in solved games: NashConv during training, and how the trained policy plays.

An interrupted training resumes from its last checkpoint in runs/experiments.
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

#: The scenarios to train on, and the preset of each method for each scenario.
SCENARIOS = ("small-2", "small-3")
METHODS = {
    "regularised": {"small-2": "small-2", "small-3": "small-3"},
    "naive": {"small-2": "naive-2", "small-3": "naive-3"},
}
SEEDS = (0, 1, 2, 3, 4)

#: Scenarios whose equilibria RESULTS.md compares with trained policies.
SOLVED = (*SCENARIOS, "powers-3", "medium-4")

RUNS = Path("runs/experiments")


def jobs() -> Iterator[Job]:
    """Yield uniform play, then CFR+, then self-play: one seed in all games, then the next seed."""
    for scenario in SCENARIOS:
        yield Job(f"exact/{scenario}-uniform", {"scenario": scenario}, uniform)
    for scenario in SOLVED:
        given = {"scenario": scenario, "algorithm": "cfr+", "iterations": ITERATIONS[scenario]}
        yield Job(f"exact/{scenario}-cfr", given, solved)
    for seed in SEEDS:
        for scenario in SCENARIOS:
            for method, presets in METHODS.items():
                name = f"{scenario}-{method}-{seed}"
                settings = _public(replace(preset(presets[scenario]), seed=seed, name=name))
                given = {"scenario": scenario, "settings": settings}
                yield Job(f"exact/{name}", given, trained, _public(Settings()))


def _public(settings: Settings) -> dict[str, Any]:
    """Return settings as JSON, without folders."""
    return {n: v for n, v in as_json(settings).items() if n not in ("folder", "resume")}


def uniform(given: dict[str, Any]) -> dict[str, Any]:
    """Measure a policy that takes all legal actions with equal probabilities."""
    game = _tree(given["scenario"])
    policy = game.tree.uniform()
    return {"nash_conv": nash_conv(game.tree, policy).nash_conv, **_play(game, policy)}


def solved(given: dict[str, Any]) -> dict[str, Any]:
    """Measure the convergence of CFR+ to an equilibrium, and how the equilibrium plays."""
    game = _tree(given["scenario"])
    solution = approach(game.tree, given["algorithm"], iterations=given["iterations"])
    return {
        "nash_conv": solution.gains.nash_conv,
        "curve": [[point.iterations, point.nash_conv] for point in solution.points],
        "nodes": game.tree.nodes,
        **_play(game, solution.policy),
    }


def trained(given: dict[str, Any]) -> dict[str, Any]:
    """Measure self-play: NashConv during training, and how the trained policy plays."""
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
    if curve[-1][0] != decisions:  # an interrupt came between the last checkpoint and the log
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
    """Return the folder of a complete run with these settings; train the run if necessary."""
    assert s.name is not None
    run = s.folder / s.name
    if (run / checkpoints.NAME).exists():
        before = settings_of(run)
        if replace(before, resume=None) != s:
            raise MascaradeError(
                f"the run in {str(run)!r} was trained with other settings: move this folder, or "
                "remove it"
            )
        if not finished(PolicyFile.load(run).card):
            _start(before, run)
    else:
        # A folder without a checkpoint belongs to a run that ended before the first checkpoint.
        shutil.rmtree(run, ignore_errors=True)
        _start(s, run)
    if not finished(PolicyFile.load(run).card):
        raise KeyboardInterrupt  # training caught Ctrl-C and ended early
    return run


def _start(s: Settings, run: Path) -> None:
    """Train, and write the terminal output to a file next to the folder of the run."""
    run.parent.mkdir(parents=True, exist_ok=True)
    with run.with_suffix(".txt").open("a", encoding="utf-8") as output, redirect_stdout(output):
        start(s)


def _play(game: GameTree, policy: Policy) -> dict[str, Any]:
    """Return measures of play, computed on the whole game tree.

    A share is None if the policy never has an opportunity for it.
    """
    behaviour = conduct(game, policy)
    counts = {name: float(behaviour.measures[name].number.sum()) for name in MEASURES}
    return {
        "play": {
            name: {"share": behaviour.mean(name) if count > 0 else None, "in_a_game": count}
            for name, count in counts.items()
        },
        "shared": behaviour.shared,
    }


@cache
def _tree(scenario: str) -> GameTree:
    return build(scenario)
