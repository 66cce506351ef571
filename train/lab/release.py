"""Add the policy of a run to the networks that come with this package.

    python -m lab release runs/ppo-6A --name 6A

writes `released/6A.npz` in half precision. The card of this file has the settings of its training,
and its win shares against the agents of the ladder (seven hand-written agents in order of
strength). The card and the learning curve are also written to train/results/released, for
RESULTS.md.
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

#: The names under which networks can be released, each with a note for the card.
NOTES = {
    "small-2": "",
    "small-3": "",
    "4A": "",
    "6A": "",
    "8A": "",
    "6B": "",
    released.PADDED: "One network for all scenarios of 4 to 12 players.",
    "naive": (
        "A bad example: trained by naive self-play, without an entropy bonus and without a KL "
        "penalty to the previous policy."
    ),
}
NAIVE = "naive"
_EARLY = "Its training was stopped early."

#: Settings that name folders and do not affect learning.
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
_WATCHED = 10  # an examination plays one tenth of its games to measure play


def release(
    run: Annotated[Path, tyro.conf.Positional],
    name: str,
    note: str = "",
    games: int = 4000,
    unfinished: bool = False,
) -> PolicyFile:
    """Add the policy of a run to the networks that come with this package.

    Example: python -m lab release runs/ppo-6A --name 6A

    Args:
        run: Folder of a run of `mascarade train`.
        name: Name of the network. A network with this name is replaced.
        note: A sentence for its card.
        games: Number of games of the network against copies of each agent of the ladder. Each agent
            plays the same number of games against copies of the network.
        unfinished: Release the network even if the run is not complete.
    """
    whole(games, "--games", at_least=2)
    file = PolicyFile.load(run)
    _check(file, name, run)
    early = not finished(file.card)
    if early and not unfinished:
        raise MascaradeError(
            f"the run {str(run)!r} is not complete: resume it with mascarade train --resume {run}, "
            "or release it with --unfinished"
        )
    log = _log_of(run, file.card)
    card = {
        **file.card,
        "provenance": public_provenance(file.card),
        "scores": {},
        "note": " ".join(filter(None, (NOTES[name], _EARLY if early else "", note))),
    }
    _check_words(card)
    half = PolicyFile(card, halved(file))
    print(f"Measuring {name} in half precision, {games:,} games per agent ...", flush=True)
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
    """Return whether the training that a policy's card describes was complete."""
    made = card["provenance"]
    limits = made["settings"]
    minutes = limits["minutes"]
    timed = minutes is not None and made["seconds"] >= 60 * minutes
    return bool(made["decisions"] >= limits["decisions"] or timed)


def halved(file: PolicyFile) -> dict[str, Any]:
    """Return the weights as float16. Too large weights become infinite, and are refused later."""
    with np.errstate(over="ignore"):
        return {name: array.astype(np.float16) for name, array in file.arrays.items()}


def scores(file: PolicyFile, games: int) -> dict[str, Any]:
    """Return win shares and measures of play of a policy, for its card."""
    agent = NetworkAgent(file.schema.scenario, NetPolicy(file))
    examined = examine(agent, LADDER, games)
    play = watched(agent, agent.scenario, games=max(games // _WATCHED, 1))
    return scores_on_card(examined, play)


def public_provenance(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provenance of a policy, without paths of the machine that trained it."""
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
        "commit": made.get("commit"),  # unknown for networks from outside a checkout
        **_public_start(card),
    }


def _public_start(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provenance of the policy from which a training started, if there is one."""
    start = card["provenance"].get("start")
    if start is None:
        return {}
    if "command" not in start and "settings" in start:  # a run, not a released network
        start = public_provenance({**card, "provenance": start})
    return {"start": start}


def command(settings: Mapping[str, Any]) -> str:
    """Return the `mascarade train` command for these settings.

    Args:
        settings: settings as JSON types, of this version or an earlier one. They need not name
            folders.
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
    """Check that a policy may be released under this name."""
    if name not in NOTES:
        raise UnknownNameError(
            f"{name!r} is not a name for released networks{did_you_mean(name, list(NOTES))}"
        )
    settings = file.card["provenance"].get("settings")
    if not isinstance(settings, dict) or not settings.keys() >= _NEEDED:
        raise MascaradeError(f"{str(run)!r} is not a run of `mascarade train`: name such a run")
    learned = file.schema.scenario.name
    if file.schema.padded != (name == released.PADDED):
        raise MascaradeError(
            f"the name {released.PADDED} is for padded networks only, and padded networks must "
            "have this name: choose another --name"
        )
    if name == NAIVE:
        if settings["entropy"] or settings["previous"]:
            raise MascaradeError(
                f"the name {NAIVE} is for networks trained with --entropy 0 --previous 0, and this "
                "one was not: choose another --name"
            )
    elif name not in (released.PADDED, learned):
        raise MascaradeError(
            f"this network has learned {learned}, not {name}: give --name {learned}"
        )


def _log_of(run: Path, card: Mapping[str, Any]) -> bytes:
    """Return the learning curve. If the run started from another run, that curve comes first."""
    made = card["provenance"]
    start = made["settings"].get("start")
    try:
        log = (run / LOG).read_bytes()
        if start is None or not (Path(start) / LOG).exists():
            return log
        before, lines = (Path(start) / LOG).read_bytes(), []
        for line in map(parse_json, log.splitlines()):
            for name in ("decisions", "seconds"):
                line[name] += made["start"][name]
            lines.append(json.dumps(line) + "\n")
        return before + "".join(lines).encode()
    except OSError as error:
        raise MascaradeError(
            f"cannot read the learning curve {str(run / LOG)!r} ({error.strerror}): name the "
            "folder of a run"
        ) from error


def _without_folders(agent: str) -> str:
    kind, colon, argument = agent.partition(":")
    return kind + colon + re.split(r"[/\\]", argument)[-1]


def _check_words(value: Any) -> None:
    """Raise an error if a card contains a path of a machine."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            _check_words(part)
    elif isinstance(value, str) and re.search(r"(^|[\s:'\"])(/|~|[A-Za-z]:\\)\S", value):
        raise MascaradeError(
            f"the card contains a path of this machine, {value:.60}: train again with relative "
            "paths"
        )
