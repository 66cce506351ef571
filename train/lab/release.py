"""Puts the policy of a run among those that come with this package.

    python -m lab release runs/ppo-6A --name 6A

writes `released/6A.npz` in half precision, with what that very file wins against the agents of the
ladder on its card, and how it was made. The same goes to train/results/released, beside the
learning curve, for RESULTS.md.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from lab import result_files
from mascarade_agents._ladder import LADDER
from mascarade_env._errors import MascaradeError, UnknownNameError, did_you_mean, whole
from mascarade_env._files.strict_json import parse_json
from mascarade_env.exact._files import making
from mascarade_train import _released as released
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import watched
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run.examination import examine
from mascarade_train._run.logs import NAME as LOG
from mascarade_train._run.summary_text import scores_on_card
from mascarade_train._settings import PRESETS, Settings, as_json, completed, flag, preset

#: What may be released: names, and what is said of them in any case.
NOTES = {
    "small-2": "",
    "small-3": "",
    "4A": "",
    "6A": "",
    "8A": "",
    "6B": "",
    released.PADDED: "One network for all scenarios of 4 to 12 players.",
    "naive": (
        "A bad example: trained by naive self-play, without a bonus for entropy and without a pull "
        "to its past."
    ),
}
NAIVE = "naive"
_EARLY = "Its training was ended early."

#: What settings say about a place and not about learning.
_PLACES = ("folder", "name", "resume")
_NEEDED = {
    "preset",
    "scenario",
    "decisions",
    "minutes",
    "entropy",
    "previous",
    "league_agents",
    "rungs",
    "resume",
}
_WATCHED = 10  # games are examined for one that is watched


def release(
    run: Annotated[Path, tyro.conf.Positional],
    name: str,
    note: str = "",
    games: int = 4000,
    unfinished: bool = False,
) -> PolicyFile:
    """Put the policy of a run among those that come with this package.

    Example: python -m lab release runs/ppo-6A --name 6A

    Args:
        run: The folder of a run of `mascarade train`.
        name: What it is called; one of that name is replaced.
        note: A sentence about it, for its card.
        games: How many it plays with each agent of the ladder, both ways.
        unfinished: Also if the run has not come to its end.
    """
    whole(games, "--games", at_least=2)
    file = PolicyFile.load(run)
    _check(file, name, run)
    early = not finished(file.card)
    if early and not unfinished:
        raise MascaradeError(
            f"the run {str(run)!r} has not come to its end: go on with mascarade train --resume "
            "and its folder, or release it as it is with --unfinished"
        )
    log = _log_of(run, file.card)
    card = {
        **file.card,
        "provenance": told_provenance(file.card),
        "scores": {},
        "note": " ".join(filter(None, (NOTES[name], _EARLY if early else "", note))),
    }
    _check_words(card)
    half = PolicyFile(card, halved(file))
    print(f"Examining {name} in half precision, {games:,} games of each kind ...", flush=True)
    half = replace(half, card={**card, "scores": scores(half, games)})

    path = released.FOLDER / f"{name}.npz"
    path.parent.mkdir(exist_ok=True)
    half.save(path)
    record = {
        "name": name,
        "policy": result_files.digest(path),
        "bytes": path.stat().st_size,
        "card": half.card,
    }
    beside = result_files.write(f"{result_files.RELEASED}/{name}", record)
    with making(beside.with_suffix(".jsonl")) as curve:
        curve.write_bytes(log)
    print(f"{path}: {path.stat().st_size:,} bytes")
    return half


def finished(card: Mapping[str, Any]) -> bool:
    """Whether the training came to its end, by the card of its policy."""
    made = card["provenance"]
    limits = made["settings"]
    minutes = limits["minutes"]
    timed = minutes is not None and made["seconds"] >= 60 * minutes
    return bool(made["decisions"] >= limits["decisions"] or timed)


def halved(file: PolicyFile) -> dict[str, Any]:
    """The weights as float16; what is too large for it becomes infinite, which no policy is."""
    with np.errstate(over="ignore"):
        return {name: array.astype(np.float16) for name, array in file.arrays.items()}


def scores(file: PolicyFile, games: int) -> dict[str, Any]:
    """How a policy fares and plays, for its card."""
    agent = NetworkAgent(file.schema.scenario, NetPolicy(file))
    found = examine(agent, LADDER, games)
    play = watched(agent, agent.scenario, games=max(games // _WATCHED, 1))
    return scores_on_card(found, play)


def told_provenance(card: Mapping[str, Any]) -> dict[str, Any]:
    """How a policy was made, without places on the machine that made it."""
    made = card["provenance"]
    settings = {name: value for name, value in made["settings"].items() if name not in _PLACES}
    settings["scenario"] = list(card["scenarios"])
    for name in ("league_agents", "rungs"):
        settings[name] = [_without_folders(agent) for agent in settings[name]]
    if settings.get("start"):
        start = Path(settings["start"])
        settings["start"] = start.name if start.is_absolute() else start.as_posix()
    if settings.get("teacher"):
        settings["teacher"] = _without_folders(settings["teacher"])
    return {
        "command": command(settings),
        "settings": settings,
        "decisions": made["decisions"],
        "seconds": made["seconds"],
        "resumed": made["settings"]["resume"] is not None,
        "versions": made["versions"],
        "commit": made.get("commit"),  # of networks from elsewhere it is not known
        **_told_start(card),
    }


def _told_start(card: Mapping[str, Any]) -> dict[str, Any]:
    """How that was made which a training began with, if it did."""
    start = card["provenance"].get("start")
    if start is None:
        return {}
    if "command" not in start and "settings" in start:  # of a run, not of a released network
        start = told_provenance({**card, "provenance": start})
    return {"start": start}


def command(settings: Mapping[str, Any]) -> str:
    """The command that trains with some settings.

    Args:
        settings: as JSON, of this version or an earlier one. Places may be left out.
    """
    chosen = settings["preset"]
    known = chosen in PRESETS
    default = as_json(preset(chosen) if known else Settings())
    words = ["mascarade", "train", *(["--preset", chosen] if known else [])]
    for name, value in completed(settings, as_json(Settings())).items():
        if name in (*_PLACES, "preset") or value == default[name]:
            continue
        if isinstance(value, bool):
            words.append(flag(name) if value else flag(name).replace("--", "--no-", 1))
        else:
            words += [flag(name), *map(str, value if isinstance(value, list) else [value])]
    return " ".join(words)


def _check(file: PolicyFile, name: str, run: Path) -> None:
    """Whether a policy is one that may have this name."""
    if name not in NOTES:
        raise UnknownNameError(f"no network is called {name!r}{did_you_mean(name, list(NOTES))}")
    settings = file.card["provenance"].get("settings")
    if not isinstance(settings, dict) or not settings.keys() >= _NEEDED:
        raise MascaradeError(f"{str(run)!r} is no run of `mascarade train`: train anew")
    learned = file.schema.scenario.name
    if file.schema.padded != (name == released.PADDED):
        raise MascaradeError(f"a padded network, and no other, is called {released.PADDED}")
    if name == NAIVE:
        if settings["entropy"] or settings["previous"]:
            raise MascaradeError(
                f"{NAIVE} is trained with --entropy 0 --previous 0, and this one was not"
            )
    elif name not in (released.PADDED, learned):
        raise MascaradeError(f"this network has learned {learned}, so it is called {learned}")


def _log_of(run: Path, card: Mapping[str, Any]) -> bytes:
    """The learning curve, behind that of the run which this one began with, if that is there."""
    made = card["provenance"]
    start = made["settings"].get("start")
    try:
        log = (run / LOG).read_bytes()
        if start is None or not (Path(start) / LOG).exists():
            return log
        before, told = (Path(start) / LOG).read_bytes(), []
        for line in map(parse_json, log.splitlines()):
            for name in ("decisions", "seconds"):
                line[name] += made["start"][name]
            told.append(json.dumps(line) + "\n")
        return before + "".join(told).encode()
    except OSError as error:
        raise MascaradeError(
            f"the learning curve {str(run / LOG)!r} cannot be read ({error.strerror}): name the "
            "folder of a run"
        ) from error


def _without_folders(agent: str) -> str:
    kind, colon, argument = agent.partition(":")
    return kind + colon + re.split(r"[/\\]", argument)[-1]


def _check_words(value: Any) -> None:
    """Refuse a card that tells of a place on a machine."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            _check_words(part)
    elif isinstance(value, str) and re.search(r"(^|[\s:'\"])(/|~|[A-Za-z]:\\)\S", value):
        raise MascaradeError(f"the card would tell of a place on this machine: {value:.60}")
