"""All that is found out from the results of an arena, as one JSON object.

| key | value |
|---|---|
| `format`, `version` | `"mascarade-arena"`, 1 |
| `scenario`, `players`, `fair_share` | what was played, by how many, and 1/n |
| `agents` | names; an agent's number is its place here, and [A] below goes by it |
| `ranking` | numbers of agents by win share in mixed games, or else by that of one against many |
| `games` | how many: `all`, `mixed`, `one_against_many`, `mirror`, `forfeited`; also `deals` and \
`decisions`. With two agents and three players games are both mixed and one against many |
| `win_shares` | in mixed games: `value`, `low`, `high` (95% interval), `count` (players) and \
`clear` (1 clearly above the fair share, -1 clearly below, 0 neither), each [A] |
| `forfeits` | [A] games that the agent forfeited, of every kind |
| `skill` | OpenSkill: `mu`, `sigma`, `ordinal`, `spread`, each [A] |
| `one_against_many` | `one` and `many`, each with `value`, `low`, `high`, `count` as [A][A]; \
`clear` [A][A] of the one; `beats` [A][A]: both ways |
| `pairwise` | `value`, `low`, `high`, `count` (pairs of players) as [A][A] |
| `cycles` | `ahead` [A][A]; `components` and `found`: lists of lists of numbers of agents |
| `alpha_rank`, `maximal_lottery` | [A]; null for agents that were not compared in mixed games |
| `says` | the same in a few sentences |
| `behaviour` | as it was given, or null |
| `meta` | as it was given |

What is not known, since it was not played, is null. `ratings` says what the values mean.
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
    """Summarise results as an object of strict JSON; its keys are at the top of this module.

    Args:
        results: of an arena.
        behaviour: measures of play: `phases`, `measures` (with `title`, `meaning` and `unit`) and
            `agents` (agent, phase, measure: `value`, `low`, `high`, `count`).
        meta: how it was made, shown as it is. `title` heads the page; `forfeits` may list
            objects with `agent` and `reason`, and `count` if more than one.
        seed: of what is drawn: the bootstrap, and the orders in which OpenSkill takes games.
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
        raise MascaradeError("meta's `forfeits` is a list of objects with `agent` and `reason`")
    plain["says"] = sentences(plain)
    return plain


def write_json(summary: Summary, path: str | Path) -> None:
    """Write a summary into a file, as JSON that every reader takes.

    Raises:
        MascaradeError: the file cannot be written; it is as it was.
    """
    text = json.dumps(summary, allow_nan=False, ensure_ascii=False, indent=1)
    with making(path) as beside:
        beside.write_text(text + "\n", "utf-8")


def _ranking(shares: ratings.Estimates, duels: ratings.Duels) -> list[int]:
    """Best first; who played no mixed game comes after those who did."""
    known = ~np.isnan(duels.one.value)
    alone = np.where(known, duels.one.value, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    order: list[int] = np.lexsort((-alone, -np.nan_to_num(shares.value, nan=-1.0))).tolist()
    return order


def _fields(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass, not copied."""
    return {name: getattr(record, name) for name in type(record).__dataclass_fields__}


def _plain(value: Any, place: str) -> Any:
    """Return the same as JSON has it: lists, null for what is no number."""
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
        f"{place} is {value!r}: a summary takes texts, numbers, lists and objects, as JSON does"
    )
