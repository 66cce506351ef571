"""Artificial results, to test the results page with."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from lab import result_files
from lab.experiments import exact as exact_experiments
from lab.experiments import full as full_experiments
from lab.experiments.exact import METHODS, SCENARIOS, SEEDS, SOLVED
from lab.experiments.full import PLAYED, SEARCH, SIZES, STRONGEST, duel_name
from mascarade_agents._ladder import LADDER
from mascarade_env import scenarios
from mascarade_env.exact._behaviour import MEASURES
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._settings import as_json

SETTINGS = as_json(ResponseSettings())
POLICY = "0123456789abcdef"


@cache
def given(name: str) -> dict[str, Any]:
    """The `given` of the measurement with this name, for the artificial networks."""
    jobs = (*exact_experiments.jobs(), *full_experiments.jobs(dict.fromkeys(PLAYED, POLICY)))
    return {job.name: job.given for job in jobs}[name]


def write(name: str, record: dict[str, Any], **changed: Any) -> None:
    """Write a result, for today's settings or for others."""
    made = dict(given(name))
    if changed:
        made["settings"] = made["settings"] | changed
    result_files.write(name, {"given": made, **record})


def share(mean: float, off: float = 0.01) -> dict[str, Any]:
    return {"mean": mean, "low": mean - off, "high": mean + off, "games": 4200}


def play(value: float) -> dict[str, Any]:
    found: dict[str, Any] = {name: {"share": value, "in_a_game": 2.0} for name in MEASURES}
    found["look_known"] = {"share": value, "in_a_game": 1e-4}
    found["swap_fool"] = {"share": None, "in_a_game": 0.0}
    return {"play": found, "shared": value / 2}


def exact_run(scenario: str, method: str, seed: int, end: float, **changed: Any) -> None:
    """A training that went from a NashConv of 1 to another, with different points for each seed."""
    curve = [[0, 1.0], [5_000_000 + 100 * seed, (1 + end) / 2], [10_000_000 + 100 * seed, end]]
    record = {"nash_conv": end, "decisions": curve[-1][0], "curve": curve, **play(end)}
    write(f"exact/{scenario}-{method}-{seed}", record, **changed)


def exact() -> None:
    """All results of the exact games: final values of 0.05 and 0.5, plus 0.01 for each seed."""
    for scenario in SCENARIOS:
        write(f"exact/{scenario}-uniform", {"nash_conv": 0.9, **play(0.5)})
        for method, end in zip(METHODS, (0.05, 0.5), strict=True):
            for seed in SEEDS:
                exact_run(scenario, method, seed, end + seed / 100)
    for scenario in SOLVED:
        curve = [[number, 1 / number] for number in (1, 10, 100, 1000)]
        record = {"nash_conv": 0.001, "curve": curve, "nodes": 1234, **play(0.25)}
        write(f"exact/{scenario}-cfr", record)


def network(name: str, policy: str = POLICY) -> None:
    """A released network, and its learning curve."""
    scenario = PLAYED.get(name, name)
    made = {"command": f"mascarade train --preset {name}", "decisions": 2_000_000, "seconds": 660.0}
    card = {
        "scenario": scenarios()[scenario].to_dict(),
        "scenarios": [scenario],
        "provenance": made,
        "scores": {"NashConv": 0.0625 if name.startswith("small") else None},
        "note": f"This is {name}.",
    }
    record = {"name": name, "policy": policy, "bytes": 98_765, "card": card}
    result_files.write(f"{result_files.RELEASED}/{name}", record)
    lines = [
        {"decisions": n, "alone": {"sceptic": {"mean": n / 4e6}, "stopper": {"mean": n / 5e6}}}
        for n in (500_000, 1_000_000, 2_000_000)
    ]
    file = result_files.FOLDER / result_files.RELEASED / f"{name}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def duel(name: str, scenario: str, opponent: str, alone: Any, against: Any, **more: Any) -> None:
    record = {"alone": alone, "against": against, "forfeits": {}, "broken_off": 0, **more}
    write(duel_name(name, scenario, opponent), record)


def response(
    name: str,
    scenario: str,
    wins: Any,
    *,
    shares: Sequence[float] = (0.2,) * 8,
    settings: dict[str, Any] | None = None,
    **more: Any,
) -> None:
    """The result of a best response, by default with the usual settings."""
    kind = {"seed": 0, "learning_rate": 0.001, "entropy": 0.1}
    other = {**kind, "seed": 1, "share": 0.9}
    record = {
        "wins": wins,
        "decisions": 3_000_100,
        "whole": True,
        "broken_off": 0,
        "chosen": {**kind, "version": "average", "share": 0.3},
        "curve": [other, *({**kind, "share": each} for each in shares), other],
        **more,
    }
    write(f"full/{name}/response-{scenario}", record, **(settings or {}))


def played(name: str, scenario: str, broken_off: int = 0) -> None:
    seen = {"value": 0.5, "low": 0.45, "high": 0.55, "count": 400}
    record = {"play": {"look_rate": seen}, "broken_off": broken_off}
    write(f"full/{name}/play-{scenario}", record)


def full() -> None:
    """All results of full games: networks win 0.4 as 1 vs n-1, their opponents win 0.1."""
    for name, scenario in PLAYED.items():
        network(name)
        for opponent in (*LADDER, SEARCH):
            duel(name, scenario, opponent, share(0.4), share(0.1))
        played(name, scenario)
        response(name, scenario, share(0.2))
    for name in ("small-2", "small-3"):
        network(name)
    for size in SIZES:
        duel("padded", size, STRONGEST, share(0.4), share(0.05))
