"""Measure the released networks in games of full size.

The arena measures win shares, and plays every deal from every seat. The 95% intervals come from a
bootstrap over deals, because games with the same deal are not independent.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lab import result_files
from lab.experiments.jobs import Job
from mascarade_agents._ladder import LADDER
from mascarade_agents._registry import make_agent
from mascarade_agents.arena import run
from mascarade_agents.behaviour import MEASURES
from mascarade_agents.ratings import Estimates, one_against_many
from mascarade_env.exact._behaviour import MEASURES as EXACT
from mascarade_env.game._scenarios import resolve
from mascarade_train import _released as released
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._evaluation import POLICY, watched
from mascarade_train._settings import as_json, from_json

#: The released networks, and the scenario in which each is measured. Networks with a goal come
#: first.
PLAYED = {"6A": "6A", "padded": "6A", "naive": "6A", "4A": "4A", "8A": "8A", "6B": "6B"}
#: The scenarios in which the padded network plays the strongest agent of the ladder.
SIZES = tuple(f"{players}A" for players in range(4, 13))
STRONGEST = LADDER[-1]
SEARCH = "ismcts:500"

GAMES = 4200
SEARCH_GAMES = 600
WATCHED = 1000
SEED = 2027
#: The network for which most goals are set. It was chosen by games with the seed above. So it is
#: measured with another seed against the hand-written agents, and in more games.
JUDGED = "6A"
JUDGED_GAMES = 15120
JUDGED_SEED = 2028

#: The folder for arenas that are not complete yet.
JOURNALS = Path("runs/experiments")


def jobs(policies: Mapping[str, str] | None = None) -> Iterator[Job]:
    """Yield all measurements of the released networks.

    Args:
        policies: the digest of each network's file, by name; by default those of the files in this
            package.
    """
    if policies is None:
        names = released.released_names()
        policies = {name: result_files.digest(released.released_path(name)) for name in names}
    for name, scenario in PLAYED.items():
        if name in policies:
            yield from _jobs_of(name, scenario, policies[name])


def missing() -> list[str]:
    """Return the names of networks that are not released yet."""
    return [name for name in PLAYED if name not in released.released_names()]


def _jobs_of(name: str, scenario: str, policy: str) -> Iterator[Job]:
    agent = f"released:{name}"
    who = {"agent": agent, "policy": policy, "seed": SEED}
    judged = {"games": JUDGED_GAMES, "seed": JUDGED_SEED} if name == JUDGED else {"games": GAMES}
    for rung in LADDER:
        given = {**who, "scenario": scenario, "opponent": rung, **judged}
        yield Job(duel_name(name, scenario, rung), given, duel)
    if name == released.PADDED:
        for size in SIZES:
            if size != scenario:
                given = {**who, "scenario": size, "opponent": STRONGEST, "games": GAMES}
                yield Job(duel_name(name, size, STRONGEST), given, duel)
    given = {**who, "scenario": scenario, "games": WATCHED}
    yield Job(f"full/{name}/play-{scenario}", given, play)
    given = {**who, "scenario": scenario, "opponent": SEARCH, "games": SEARCH_GAMES}
    yield Job(duel_name(name, scenario, SEARCH), given, duel)
    settings = as_json(ResponseSettings())
    given = {"agent": agent, "policy": policy, "scenario": scenario, "settings": settings}
    yield Job(f"full/{name}/response-{scenario}", given, response, settings)


def duel_name(name: str, scenario: str, opponent: str) -> str:
    """Return the name of the result of a `duel`."""
    return f"full/{name}/duel-{scenario}-{opponent.replace(':', '-')}"


def duel(given: dict[str, Any]) -> dict[str, Any]:
    """Measure the win shares of a network against n-1 copies of an opponent, and vice versa."""
    agent, opponent = given["agent"], given["opponent"]
    JOURNALS.mkdir(parents=True, exist_ok=True)
    # Each network and each set of options has a separate journal.
    key = hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()[:16]
    journal = JOURNALS / f"{given['scenario']}-{key}.arena"
    outcome = run(
        [agent, opponent],
        given["scenario"],
        games=given["games"],
        seed=given["seed"],
        tables="one",
        output=journal,
        resume=True,
    )
    one = one_against_many(outcome.results).one
    return {
        "fair": 1 / outcome.results.players,
        "alone": _share(one, (0, 1)),
        "against": _share(one, (1, 0)),
        "forfeits": {each.agent: each.games for each in outcome.forfeits},
        "broken_off": outcome.broken_off,
    }


def _share(shares: Estimates, at: tuple[int, int]) -> dict[str, Any]:
    return {
        "mean": float(shares.value[at]),
        "low": float(shares.low[at]),
        "high": float(shares.high[at]),
        "games": int(shares.count[at]),
    }


def play(given: dict[str, Any]) -> dict[str, Any]:
    """Measure how a network plays when copies of it play all seats."""
    agent = make_agent(given["agent"], given["scenario"])
    seen = watched(agent, agent.scenario, games=given["games"], seed=given["seed"])
    names = [measure.name for measure in MEASURES if measure.name in EXACT]
    return {
        "play": {name: seen.tally.estimate(POLICY, "all", name).to_dict() for name in names},
        "broken_off": seen.broken_off,
    }


def response(given: dict[str, Any]) -> dict[str, Any]:
    """Measure the win share of a best response trained against copies of a network."""
    from mascarade_train._best_response.search import best_response  # noqa: PLC0415  torch takes time

    settings = from_json(given["settings"], ResponseSettings)
    result = best_response(given["agent"], resolve(given["scenario"]), settings).to_dict()
    share = result["share"]
    return {
        "fair": share["fair"],
        "wins": {
            "mean": share["mean"],
            "low": share["low"],
            "high": share["high"],
            "games": share["games"],
        },
        "broken_off": share["broken_off"],
        "decisions": result["decisions"],
        "whole": result["whole"],
        "chosen": result["chosen"],
        "curve": result["curve"],
    }
