"""Checkpoints of the search for a best response; `_run/checkpoints.py` has the file format."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import Scenario
from mascarade_train._best_response.settings import ResponseSettings, checked
from mascarade_train._run import checkpoints
from mascarade_train._settings import as_json, from_json

FORMAT = "mascarade_train.response checkpoint 1"


class Search(NamedTuple):
    """The agent, scenario and settings of a search for a best response.

    Attributes:
        agent: the name of the agent on all other seats.
        scenario: the scenario to play.
        settings: the settings of the search.
    """

    agent: str
    scenario: Scenario
    settings: ResponseSettings

    def to_dict(self) -> dict[str, str]:
        """Return the fields as strings, as they are stored in a checkpoint."""
        return {
            "agent": self.agent,
            "scenario": json.dumps(self.scenario.to_dict()),
            "settings": json.dumps(as_json(self.settings)),
        }


def save_trainings(run: Path, search: Search, state: Mapping[str, Any]) -> None:
    """Write a checkpoint into the folder of a run."""
    checkpoints.save(run / checkpoints.NAME, search.to_dict() | dict(state), FORMAT)


def saved_trainings(run: Path, search: Search) -> dict[str, Any] | None:
    """Return the checkpoint in the folder of a run, or None if there is none yet.

    Raises:
        MascaradeError: the checkpoint belongs to another search, or cannot be read.
    """
    if not (run / checkpoints.NAME).exists():
        return None
    saved = checkpoints.load(run, FORMAT)
    settings = json.dumps(as_json(_settings_in(saved)))
    for name, value in search.to_dict().items():
        held = settings if name == "settings" else saved.get(name)
        if held != value:
            raise MascaradeError(
                f"the run {str(run)!r} has the {name} {_short(held)}, not {_short(value)}: give "
                f"the {name} of the run"
            )
    return saved


def resumed(run: Path) -> tuple[str, ResponseSettings]:
    """Return the name of the scenario and the settings of a run, to resume it.

    The agent is left out on purpose: a name in a file must not choose which code is run.

    Raises:
        MascaradeError: the folder has no checkpoint, or its settings are not valid.
    """
    saved = checkpoints.load(run, FORMAT)
    settings = checked(_settings_in(saved))
    scenario = Scenario.from_dict(checkpoints.from_json(saved.get("scenario")))
    return scenario.name, settings


def _settings_in(saved: Mapping[str, Any]) -> ResponseSettings:
    """Return the settings in a checkpoint."""
    stored = checkpoints.from_json(saved.get("settings"))
    if not isinstance(stored, dict):
        raise checkpoints.damaged("the settings", stored)
    try:
        return from_json(stored, ResponseSettings)
    except MascaradeError as error:
        raise MascaradeError(f"the checkpoint cannot be resumed: {error}") from error


def _short(words: Any) -> str:
    text = str(words)
    return text if len(text) < 60 else f"{text[:60]} ..."
