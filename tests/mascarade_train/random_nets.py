"""Networks with random weights, and positions to evaluate them in."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import Batch, Schema
from mascarade_env.observation._blocks import Track
from mascarade_train._policy_file import WORDS, PolicyFile, action_count, numbers_read
from mascarade_train._slots import slot_width


def events_of(schema: Schema) -> int:
    """Default number of events that networks read."""
    return 5 if "window" in schema.places else 0


def random_arrays(
    schema: Schema,
    layers: tuple[int, ...] = (24, 16),
    kind: str = "float32",
    seed: int = 0,
    events: int | None = None,
    slots: int = 0,
) -> dict[str, NDArray[np.floating[Any]]]:
    """Weights of a network with some hidden layers, large enough that its choices differ."""
    rng = np.random.default_rng(seed)
    count = events_of(schema) if events is None else events
    parts = [(f"trunk.{layer}", width) for layer, width in enumerate(layers)]
    parts += [("policy", action_count(schema)), ("wins", schema.seats)]
    arrays: dict[str, NDArray[np.floating[Any]]] = {}
    if count:
        arrays["tokens"] = rng.normal(size=(4, WORDS, 3)).astype(kind)
    width = numbers_read(schema) + 3 * count
    for name, out in parts:
        weight = rng.normal(size=(out, width)) * np.sqrt(4 / width)
        arrays[f"{name}.weight"] = weight.astype(kind)
        arrays[f"{name}.bias"] = rng.normal(size=out).astype(kind)
        if name.startswith("trunk"):
            width = out
    if slots:
        shapes = {"slots": (slots, slot_width(schema)), "pooled": (layers[0], slots)}
        for name, shape in {**shapes, "asked": (2 * slots, layers[-1])}.items():
            arrays[f"{name}.weight"] = (rng.normal(size=shape) * np.sqrt(4 / shape[1])).astype(kind)
        arrays["asked.bias"] = rng.normal(size=2 * slots).astype(kind)
    return arrays


def random_net(
    scenario: str = "4A",
    track: Track = "belief",
    *,
    padded: bool = False,
    layers: tuple[int, ...] = (24, 16),
    kind: str = "float32",
    seed: int = 0,
    events: int | None = None,
    slots: int = 0,
    **told: Any,
) -> PolicyFile:
    """A network of random weights."""
    schema = Schema(scenario, track, padded=padded)
    arrays = random_arrays(schema, layers, kind, seed, events, slots)
    count = events_of(schema) if events is None else events
    return PolicyFile.of(schema, arrays, events=count, **told)


def undecided(file: PolicyFile) -> PolicyFile:
    """The same network, but all its probabilities are far from 0 and 1.

    `check_agent` takes a choice for deterministic if a dozen samples agree.
    """
    calm = {
        name: array * array.dtype.type(0.1) if name.startswith(("policy", "asked")) else array
        for name, array in file.arrays.items()
    }
    return PolicyFile(file.card, calm)


def read_apart(schema: Schema, observation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return [k, slots, numbers] the input for each slot, from the blocks of an observation."""
    views = schema.views(observation)
    parts = [views["slots"]]
    for name in ("own_belief", "onlooker_belief"):
        if name in views:
            announced = (views[name] * views["announced"][:, None]).sum(axis=2, keepdims=True)
            parts += [views[name], announced]
    return np.concatenate(parts, axis=2)


def positions(
    schema: Schema, scenario: str | None = None, games: int = 48
) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Observations and masks of many positions of a scenario, by default the schema's."""
    track: Any = schema.track
    batch = Batch(
        schema.scenario if scenario is None else scenario,
        games,
        seed=3,
        track=track,
        padded=schema.padded,
    )
    observations, masks = [], []
    for _ in range(6):
        for _ in range(7):
            batch.step(batch.random_actions())
        observations.append(batch.observation.copy())
        masks.append(batch.mask.copy())
    return np.concatenate(observations), np.concatenate(masks)
