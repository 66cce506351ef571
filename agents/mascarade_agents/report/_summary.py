"""The summary of an arena: all measures of its results as one JSON object.

| key | value |
|---|---|
| `format`, `version` | `"mascarade-arena"`, 1 |
| `scenario`, `players`, `fair_share` | name of the scenario, number of players n, and 1/n |
| `agents` | names of agents; the number of an agent is its index here, and in each [A] below |
| `ranking` | numbers of agents, best first: by win share in mixed games, then by win share as the \
one in one against many |
| `games` | counts of games: `all`, `mixed`, `one_against_many`, `mirror`, `forfeited`; also \
`deals` and `decisions`. With two agents and three players, games of both agents count as mixed \
and as one against many |
| `win_shares` | in mixed games: `value`, `low`, `high` (95% interval), `count` (players) and \
`clear` (1 significantly above the fair share, -1 significantly below, 0 neither), each [A] |
| `forfeits` | [A] number of games, of all kinds, that the agent forfeited |
| `skill` | OpenSkill: `mu`, `sigma`, `ordinal`, `spread`, each [A] |
| `one_against_many` | `one` and `many`, each with `value`, `low`, `high`, `count` as [A][A]; \
`clear` [A][A] for `one`; `beats` [A][A]: whether an agent beats another both ways |
| `pairwise` | `value`, `low`, `high`, `count` (pairs of players) as [A][A] |
| `cycles` | `ahead` [A][A]; `components` and `found`: lists of lists of numbers of agents |
| `alpha_rank`, `maximal_lottery` | [A]; null for agents that were not compared in mixed games |
| `says` | a list of sentences that sum up the results |
| `behaviour` | the argument `behaviour` of `summary`, or null |
| `meta` | the argument `meta` of `summary` |

A value is null if the games do not determine it. `mascarade_agents.ratings` defines the values.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from mascarade_agents import ratings
from mascarade_agents._results import NOBODY, Results
from mascarade_agents.report._sentences import sentences
from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making

FORMAT = "mascarade-arena"
VERSION = 1

Summary: TypeAlias = dict[str, Any]


def summary(
    results: Results,
    behaviour: Mapping[str, Any] | None = None,
    meta: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
) -> Summary:
    """Return a summary of the results of an arena, as a JSON object without NaN.

    The docstring of this module lists the keys.

    Args:
        results: the games.
        behaviour: measures of play: `phases`, `measures` (with `title`, `meaning` and `unit`) and
            `agents` (agent, phase, measure: `value`, `low`, `high`, `count`).
        meta: settings to show on the page. `title` is the heading of the page. `forfeits` may be a
            list of objects with `agent`, `reason` and, for more than one game, `count`.
        seed: the seed of the bootstrap, and of the orders of games for OpenSkill.

    Raises:
        MascaradeError: `behaviour` or `meta` contains a value that JSON cannot represent, or
            `meta["forfeits"]` is not a list of objects.
    """
    kinds = ratings.kinds(results)
    shares = ratings.win_shares(results, seed=seed)
    duels = ratings.one_against_many(results, seed=seed)
    pairs = ratings.pairwise(results, seed=seed)
    cycles = ratings.cycles(pairs)
    fields: Summary = {
        "format": FORMAT,
        "version": VERSION,
        "scenario": results.scenario,
        "players": results.players,
        "fair_share": 1 / results.players,
        "agents": results.agents,
        "ranking": _ranking(shares, duels),
        "games": {
            "all": len(results.lineups),
            "mixed": kinds.mixed.sum(),
            "one_against_many": kinds.one_against_many.sum(),
            "mirror": kinds.mirror.sum(),
            "forfeited": (results.forfeits != NOBODY).sum(),
            "deals": len(np.unique(results.deals)),
            "decisions": results.decisions.sum(),
        },
        "win_shares": {
            **_fields(shares),
            "clear": ratings.clearly(shares, 1 / results.players),
        },
        "forfeits": ratings.forfeits(results),
        "skill": _fields(ratings.skill(results, seed=seed)),
        "one_against_many": {
            "one": _fields(duels.one),
            "many": _fields(duels.many),
            "clear": duels.clear,
            "beats": duels.beats,
        },
        "pairwise": _fields(pairs),
        "cycles": {
            "ahead": cycles.ahead,
            "components": cycles.components,
            "found": cycles.found,
        },
        "alpha_rank": ratings.alpha_rank(pairs.value),
        "maximal_lottery": ratings.maximal_lottery(pairs.value),
        "behaviour": behaviour,
        "meta": meta or {},
    }
    plain: Summary = _plain(fields, "summary")
    reasons = plain["meta"].get("forfeits", [])
    if not isinstance(reasons, list) or not all(isinstance(each, dict) for each in reasons):
        raise MascaradeError(
            f"meta['forfeits'] must be a list of objects with `agent` and `reason`, not {reasons!r}"
        )
    plain["says"] = sentences(plain)
    return plain


def write_json(summary: Summary, path: str | Path) -> None:
    """Write a summary to a file as strict JSON.

    Raises:
        MascaradeError: the file cannot be written; an existing file is unchanged.
    """
    text = json.dumps(summary, allow_nan=False, ensure_ascii=False, indent=1)
    with making(path) as temporary:
        temporary.write_text(text + "\n", "utf-8")


def _ranking(shares: ratings.Estimates, duels: ratings.Duels) -> list[int]:
    """Return the numbers of agents, best first; those without mixed games come last."""
    played = ~np.isnan(duels.one.value)
    single = np.where(played, duels.one.value, 0).sum(axis=1) / np.maximum(played.sum(axis=1), 1)
    order: list[int] = np.lexsort((-single, -np.nan_to_num(shares.value, nan=-1.0))).tolist()
    return order


def _fields(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, without copies."""
    return {name: getattr(record, name) for name in type(record).__dataclass_fields__}


def _plain(value: Any, place: str) -> Any:
    """Return a value in the types of JSON: arrays become lists, NaN and infinities null."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(each, f"{place}.{key}") for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, f"{place}[{number}]") for number, each in enumerate(value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    raise MascaradeError(
        f"{place} is {value!r}, which JSON cannot represent: pass a text, a number, True, False, "
        "None, a list or a dictionary"
    )
