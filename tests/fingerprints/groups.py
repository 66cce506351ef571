"""All fingerprints, by group."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.fingerprints import games, observations, players, training
from tests.fingerprints.digests import Entries
from tests.fingerprints.parts import TRACKS

FILE = Path(__file__).parents[1] / "fingerprints.json"

#: The function for each group.
GROUPS: Mapping[str, Callable[[], Entries]] = {
    "records": games.records,
    "beliefs": games.beliefs,
    "information": games.information,
    **{f"observations-{track}": partial(observations.observations, track) for track in TRACKS},
    "full-states": observations.full_states,
    "networks": players.networks,
    "agents": players.agents,
    "search": players.search,
    "arena": players.arena,
    "training": training.training,
    "response": training.response,
}
