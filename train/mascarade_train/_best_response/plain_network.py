"""Convert the network of an agent to plain observations, so that a response can start from it.

A padded network reads observations of one width for all scenarios. Some networks read only the
track "belief" or "memory", that is, a part of an observation. A response reads plain observations:
the track "both" of one scenario, without padding. The converted network computes the same output:
weights of inputs that this scenario does not have are dropped, and weights of inputs that the old
network did not read are 0.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.translation import plays
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._scenarios import Scenario
from mascarade_env.game._state import new_rows
from mascarade_env.observation._schema import Schema, schema_of
from mascarade_train._policy_file import NAME, PolicyFile, numbers_read
from mascarade_train._released import released_for, released_path
from mascarade_train._slots import slot_numbers, slot_width


def file_of(agent: str, scenario: Scenario) -> PolicyFile | None:
    """Return the policy file of the agent with this name; None if it does not have one.

    Args:
        agent: a name, as for `make_agent`.
        scenario: the scenario that it plays.
    """
    kind, _, argument = agent.partition(":")
    if kind == "released":
        return PolicyFile.load(released_path(argument)) if argument else released_for(scenario)
    if kind == "net":
        file = Path(argument)
        if file.is_dir():
            file /= NAME
        if file.suffix == ".npz" and file.exists():
            return PolicyFile.load(file)
    return None


def plain(file: PolicyFile, scenario: Scenario) -> PolicyFile:
    """Return a network with the same output from plain observations (track "both", unpadded).

    Args:
        file: the network.
        scenario: the scenario to play.

    Raises:
        MascaradeError: the network cannot play this scenario.
    """
    if not plays(file.schema, scenario):
        learned = file.schema.scenario.name
        raise MascaradeError(
            f"this network has learned {learned} and cannot play {scenario.name}: choose a network "
            f"for {scenario.name}"
        )
    mine, schema = (
        schema_of(scenario, file.schema.track, file.schema.padded),
        schema_of(scenario, "both", False),
    )
    arrays: dict[str, NDArray[np.floating]] = {
        name: array.astype(np.float32) for name, array in file.arrays.items()
    }
    read, numbers = numbers_read(mine), numbers_read(schema)
    before = arrays["trunk.0.weight"]
    first = np.zeros((len(before), numbers + before.shape[1] - read), np.float32)
    places = mine.indices_in(schema)[:read]
    exists = places >= 0
    first[:, places[exists]] = before[:, :read][:, exists]
    first[:, numbers:] = before[:, read:]
    arrays["trunk.0.weight"] = first
    if file.slots:
        arrays["slots.weight"] = _slot_weights(arrays["slots.weight"], mine, schema)
    ids = np.arange(file.actions)
    if mine.padded:
        ids = np.array(padded_ids(new_rows(scenario, 1)[0]))
    for kind in ("weight", "bias"):
        arrays[f"policy.{kind}"] = arrays[f"policy.{kind}"][ids]
        arrays[f"wins.{kind}"] = arrays[f"wins.{kind}"][: scenario.players]
    return PolicyFile.of(schema, arrays, events=file.events)


def _slot_weights(
    weight: NDArray[np.floating], mine: Schema, schema: Schema
) -> NDArray[np.float32]:
    """Return the weights of the layer that reads each slot, for the new layout."""
    before, after = slot_numbers(mine), slot_numbers(schema)
    converted = np.zeros((len(weight), slot_width(schema)), np.float32)
    shared = [mine.masks.index(mask) for mask in schema.masks]
    for name in before:
        columns = weight[:, before[name]]
        if name != "columns":
            by_mask, rest = np.split(columns, [len(mine.masks)], axis=1)
            columns = np.concatenate([by_mask[:, shared], rest], axis=1)
        converted[:, after[name]] = columns
    return converted
