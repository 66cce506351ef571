"""Loaders of the training: networks, checkpoints and their other files."""

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from mascarade_env import Schema
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_train._best_response import calibration
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._net_policy import NetPolicy
from mascarade_train._onnx import export as onnx_file
from mascarade_train._onnx.policy import OnnxPolicy
from mascarade_train._policy_file import PolicyFile, action_count
from mascarade_train._run import checkpoints, logs
from mascarade_train._run.resume import settings_of
from mascarade_train._sb3 import policies as snapshots
from tests.hostile.loaders import Loader
from tests.hostile.mutations import (
    as_json,
    as_lines,
    as_zip,
    mutate_tree,
    of_arrays,
    places,
    raw,
    value,
)
from tests.mascarade_train.random_nets import random_net
from tests.mascarade_train.small_runs import training
from tests.mascarade_train.trap import Trap


def _positions(schema: Schema) -> tuple[Any, Any]:
    return np.zeros((2, schema.size), np.float32), np.ones((2, action_count(schema)), np.int8)


def _policy(folder: Path) -> list[bytes]:
    found = []
    for slots in (0, 3):
        random_net("tiny-2", "both", layers=(5,), slots=slots).save(folder / "seed.npz")
        found.append((folder / "seed.npz").read_bytes())
    return found


def _decide(path: Path) -> object:
    file = PolicyFile.load(path)
    return NetPolicy(file).scores(*_positions(file.schema))


def _graph(folder: Path) -> list[bytes]:
    onnx_file.export(random_net("tiny-2", "both", layers=(5,)), folder / "graph.onnx")
    return [(folder / "graph.onnx").read_bytes()]


def _card(folder: Path) -> list[bytes]:
    _graph(folder)
    return [(folder / "graph.json").read_bytes()]


def _run_graph(path: Path) -> object:
    graph, card = path.with_suffix(".onnx"), path.with_suffix(".json")
    if path == graph:  # a digest protects against accidents only
        digest = hashlib.sha256(graph.read_bytes()).hexdigest()
        card.write_text(json.dumps({**json.loads(card.read_bytes()), "sha256": digest}))
    policy = OnnxPolicy(graph)
    return policy.scores(*_positions(policy.schema))


def _checkpoint(folder: Path) -> list[bytes]:
    run = folder / "run"
    run.mkdir(exist_ok=True)
    training(run, scenario=("tiny-2",), layers=(4,), games=2, steps=4).save()
    return [(run / checkpoints.NAME).read_bytes()]


def _saved(rng: random.Random, data: bytes) -> bytes:
    """Mutate the contents of a checkpoint: values, settings, or its pickle."""
    kind = rng.randrange(10)
    if kind < 4:
        return as_zip(lambda rng, name, content: raw(rng, content))(rng, data)
    found: Any = torch.load(io.BytesIO(data), weights_only=True)
    if kind < 6:
        settings = mutate_tree(rng, json.loads(found["settings"]))
        found["settings"] = json.dumps(settings)
    elif kind < 9:
        here, key = rng.choice(places(found))
        here[key] = _other(rng, here[key])
    else:
        found["trap"] = Trap(Path("ran"))
    packed = io.BytesIO()
    torch.save(found, packed)
    return packed.getvalue()


def _other(rng: random.Random, part: Any) -> Any:
    """Return another value for a part of a checkpoint, in most cases of the same kind."""
    if rng.random() < 0.2:
        return rng.choice((None, torch.zeros(3), torch.ones(()).expand(5, 5), [], {}, value(rng)))
    if not isinstance(part, torch.Tensor) or not part.numel():
        return value(rng) if not isinstance(part, int | float) else part + rng.choice((1, -1, 9**9))
    kind = rng.randrange(6)
    if kind == 0:
        return part.to(rng.choice((torch.float64, torch.int8, torch.bool, torch.complex64)))
    if kind == 1:
        return part.flatten()[: rng.randrange(part.numel() + 1)]
    if kind == 2:
        return part[None]
    changed = part.clone()
    most = 1e38 if part.is_floating_point() else 127
    number = rng.choice((0, -1, 1, 3, 100, most))
    changed.view(-1)[rng.randrange(part.numel())] = number if part.dtype != torch.bool else True
    return changed


def _settings(path: Path) -> object:
    checkpoints.load(path)
    return settings_of(path)


def _restored(path: Path) -> object:
    checkpoint, settings = checkpoints.load(path), settings_of(path)
    made = training(path.parent / "again", scenario=("tiny-2",), layers=(4,), games=2, steps=4)
    made.restore(checkpoint)
    made.update()
    return settings


def _model(folder: Path) -> list[bytes]:
    env = MascaradeVecEnv(2, scenario="tiny-2", track="belief")
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [3]}, n_steps=8, device="cpu")
    snapshots.save(model, Schema("tiny-2", "belief"), folder / "model.zip")
    return [(folder / "model.zip").read_bytes()]


def _model_card(folder: Path) -> list[bytes]:
    _model(folder)
    return [(folder / "model.json").read_bytes()]


def _reweighed(rng: random.Random, data: bytes) -> bytes:
    """Mutate the weights of a model, in most cases with correct checksums; sometimes the rest."""
    if rng.random() < 0.2:
        return as_zip(lambda rng, name, content: raw(rng, content))(rng, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        weights = archive.read("policy.pth")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        mutate = as_zip(lambda rng, name, content: raw(rng, content))
        archive.writestr("policy.pth", mutate(rng, weights))
    return packed.getvalue()


def _ask_model(path: Path) -> object:
    snapshot = snapshots.load(path.with_suffix(".zip"))
    return snapshot.scores(*_positions(snapshot.schema))


def _log(folder: Path) -> list[bytes]:
    lines = [json.dumps({"decisions": n, "seconds": 1.5, "alone": {}}) for n in (100, 200)]
    return ["\n".join([*lines, ""]).encode()]


def _calibrations(folder: Path) -> list[bytes]:
    return [calibration.FILE.read_bytes()]


def _calibrated(path: Path) -> object:
    found = calibration.load(path)
    return calibration.recovered_share(ResponseSettings(), known=found)


def loaders() -> Iterator[Loader]:
    """Return all loaders of the training."""
    yield Loader("policy.npz", _policy, of_arrays("card"), _decide)
    yield Loader("graph.onnx", _graph, raw, _run_graph)
    yield Loader("graph.json", _card, as_json, _run_graph)
    yield Loader("checkpoint.pt", _checkpoint, _saved, _settings)
    yield Loader("restored.pt", _checkpoint, _saved, _restored)
    yield Loader("model.zip", _model, _reweighed, _ask_model)
    yield Loader("model.json", _model_card, as_json, _ask_model)
    yield Loader("log.jsonl", _log, as_lines(as_json), logs._last_decisions)
    yield Loader("calibration.json", _calibrations, as_json, _calibrated)
