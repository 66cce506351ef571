"""Checkpoints of the search for a best response."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import Scenario
from mascarade_train._best_response.settings import ResponseSettings, as_json, checked
from mascarade_train._run import checkpoints

FORMAT = "mascarade_train.response checkpoint 1"


def save_trainings(
    run: Path,
    agent: str,
    scenario: Scenario,
    settings: ResponseSettings,
    state: Mapping[str, Any],
) -> None:
    """Write a checkpoint into the folder of a run."""
    header = _header(agent, scenario, settings)
    checkpoints.save(run / checkpoints.NAME, header | dict(state), FORMAT)


def saved_trainings(
    run: Path | None, agent: str, scenario: Scenario, settings: ResponseSettings
) -> dict[str, Any] | None:
    """Return the checkpoint in the folder of a run, None if there is none yet.

    Raises:
        MascaradeError: it is of another search, or cannot be read.
    """
    if run is None or not (run / checkpoints.NAME).exists():
        return None
    saved = checkpoints.load(run, FORMAT)
    for name, value in _header(agent, scenario, settings).items():
        if saved.get(name) != value:
            raise MascaradeError(
                f"the run {str(run)!r} has another {name}: {_short(saved.get(name))}, not "
                f"{_short(value)}; leave it as it was"
            )
    return saved


def _header(agent: str, scenario: Scenario, settings: ResponseSettings) -> dict[str, str]:
    """Return what names a search in its checkpoint."""
    return {
        "agent": agent,
        "scenario": json.dumps(scenario.to_dict()),
        "settings": json.dumps(as_json(settings)),
    }


def resumed(run: Path) -> tuple[str, ResponseSettings]:
    """Return the name of the scenario and the settings of a run, to resume it.

    The agent is not returned: a name that is read from data must not choose what code is run.

    Raises:
        MascaradeError: it has no checkpoint, or settings that cannot be.
    """
    saved = checkpoints.load(run, FORMAT)
    known = as_json(ResponseSettings())
    found = checkpoints.from_json(saved.get("settings"))
    if not isinstance(found, dict) or found.keys() != known.keys():
        raise checkpoints.damaged("the settings", found)
    given: dict[str, Any] = {}
    for name, default in known.items():
        several = isinstance(default, list)
        numbers = found[name] if several else [found[name]]
        kinds = (int,) if type(default[0] if several else default) is int else (int, float)
        if not isinstance(numbers, list) or any(type(n) not in kinds for n in numbers):
            raise checkpoints.damaged(name, found[name])
        given[name] = tuple(numbers) if several else found[name]
    scenario = Scenario.from_dict(checkpoints.from_json(saved.get("scenario")))
    return scenario.name, checked(ResponseSettings(**given))


def _short(words: Any) -> str:
    text = str(words)
    return text if len(text) < 60 else f"{text[:60]} ..."
