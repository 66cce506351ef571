"""Save a run of `mascarade train`, and resume it.

A checkpoint may come from anyone, so all of it is checked. The settings and the sizes that they ask
for are checked first, before memory is allocated. Then each part is checked before it is used.
"""

import json
from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from mascarade_agents._registry import check_stored
from mascarade_env._errors import MascaradeError
from mascarade_env._files.strict_json import parse_json
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._run import checkpoints
from mascarade_train._settings import Settings, as_json, flag, from_json

if TYPE_CHECKING:
    from mascarade_train._ppo import Learner, Training

#: Settings that name agents.
_AGENTS = ("rungs", "teacher", "league_agents")

#: Limits of stored settings that cannot be compared with another part of the checkpoint. With all
#: of them at the limit, a run still takes a moderate amount of memory and time.
_MOST = {"steps": 4096, "epochs": 100, "minibatches": 4096, "evaluation": 100_000}


def settings_of(run: Path, typed: Container[str] = ()) -> Settings:
    """Return the stored settings of a run, to resume it.

    Args:
        run: the folder of the run.
        typed: names of settings that the user gives. Stored agents of these settings are not
            checked.

    Raises:
        MascaradeError: the settings are missing or damaged, are of a version with other settings,
            or name an agent that a file must not choose.
    """
    checkpoint = checkpoints.load(run)
    try:
        saved = parse_json(checkpoint["settings"].encode())
        if not isinstance(saved, dict):
            raise TypeError(f"its settings are a {type(saved).__name__}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MascaradeError(
            f"the checkpoint in {str(run)!r} has no settings: use another checkpoint"
        ) from error
    try:
        s = from_json(saved, Settings)
    except MascaradeError as error:
        raise MascaradeError(
            f"the run {str(run)!r} cannot be resumed: {error}; or play its policy, or start a new "
            f"training from it with --start {run}"
        ) from error
    for name in _AGENTS:
        stored = getattr(s, name)
        agents = [stored] if isinstance(stored, str) else stored or []
        for agent in agents if name not in typed else ():
            check_stored(agent, run, flag(name))
    _check_sizes(checkpoint, s, run)
    return replace(s, resume=run)


def _check_sizes(checkpoint: Mapping[str, Any], s: Settings, run: Path) -> None:
    """Check that the settings ask for exactly the processes, games and weights of the checkpoint.

    So resuming cannot need much more memory than the length of the file.
    """
    for name, most in _MOST.items():
        if getattr(s, name) > most:
            raise MascaradeError(
                f"the checkpoint in {str(run)!r} has {flag(name)} {getattr(s, name)!r:.60}, but "
                f"{most:,} is the limit for a stored setting: use another checkpoint"
            )
    with checkpoints.reading():
        network = checkpoint["learner"]["network"]
        widths = (network[f"trunk.{n}.weight"].shape[0] for n in range(len(s.layers)))
        held: dict[str, Any] = {
            "processes": len(checkpoint["processes"]),
            "games": sum(g["lengths"].shape[0] for g in checkpoint["processes"][0]["games"]),
            "layers": tuple(widths),
            "slots": network["slots.weight"].shape[0] if "slots.weight" in network else 0,
        }
        if "tokens" in network:
            held["embedding"] = network["tokens"].shape[2]
    for name, value in held.items():
        if value != getattr(s, name):
            raise MascaradeError(
                f"the checkpoint in {str(run)!r} is damaged: {flag(name)} is "
                f"{getattr(s, name)!r:.60} in its settings and {value!r:.60} in its data; use "
                "another checkpoint"
            )


def save(training: "Training") -> None:
    """Write the checkpoint and the policy of a training; all its processes must call it."""
    mine = {
        "games": [
            {name: torch.from_numpy(array) for name, array in arrays.items()}
            for arrays in training.games.arrays()
        ],
        "chance": json.dumps(training.rng.bit_generator.state),
        "league": None if training.league is None else training.league.state(),
    }
    everyone = training.group.gather(mine)
    if not training.group.leads:
        return
    policy = training.policy()  # raises if weights are not finite: the last checkpoint stays
    checkpoints.save(
        training.run / checkpoints.NAME,
        {
            "settings": json.dumps(as_json(training.settings)),
            "scenarios": _scenarios(training),
            "decisions": training.decisions,
            "seconds": training.seconds,
            "updates": training.updates,
            "due": training.due,
            "unexamined": not training.examined,
            "started": json.dumps(training.started),
            "learner": training.learner.state(),
            "processes": everyone,
        },
    )
    policy.save(training.run / POLICY)


def _scenarios(training: "Training") -> str:
    return json.dumps([schema.scenario.to_dict() for schema in training.schemas])


def restore(training: "Training", saved: Mapping[str, Any]) -> None:
    """Resume a new training with the same settings from a checkpoint.

    Raises:
        MascaradeError: the checkpoint is damaged, or belongs to another run.
    """
    with checkpoints.reading():
        mine = _checked_part(training, saved)
        restore_learner(training.learner, saved["learner"])
        if training.league is not None:
            training.league.restore(mine["league"])
        training.games.restore(
            [
                {name: checkpoints.as_array(array) for name, array in arrays.items()}
                for arrays in mine["games"]
            ]
        )
        training.rng.bit_generator.state = checkpoints.random_state(mine["chance"])
        training.decisions = checkpoints.count(saved["decisions"], "decisions")
        training.seconds = checkpoints.number(saved["seconds"], "seconds", 0.0, 1e12)
        training.updates = checkpoints.count(saved["updates"], "updates")
        training.due = checkpoints.count(saved["due"], "due")
        if type(saved["unexamined"]) is not bool:
            raise checkpoints.damaged("unexamined", saved["unexamined"])
        training.examined = not saved["unexamined"]
        started = checkpoints.from_json(saved["started"])
        if not isinstance(started, dict | None):
            raise checkpoints.damaged("started", started)
        training.started = started


def _checked_part(training: "Training", saved: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return this process's part of the checkpoint, after checking all fixed settings."""
    processes, group, s = saved["processes"], training.group, training.settings
    if not isinstance(processes, list) or len(processes) != group.size:
        raise MascaradeError(
            f"this run has {len(processes)} processes, not {group.size}: resume it with "
            f"--processes {len(processes)}"
        )
    if saved["scenarios"] != _scenarios(training):
        raise MascaradeError(
            "this run has other scenarios, and a run cannot change them: leave --scenario out"
        )
    mine: Mapping[str, Any] = processes[group.rank]
    _check_same("league", training.league is not None, had=mine["league"] is not None)
    had = from_json(checkpoints.from_json(saved["settings"]), Settings)
    # The games and the name of the run already depend on these.
    for name in ("most_worlds", "seed", "name", "folder"):
        if getattr(had, name) != getattr(s, name):
            raise MascaradeError(
                f"this run has {flag(name)} {getattr(had, name)} and cannot change it: leave "
                f"{flag(name)} out"
            )
    taught = any("carried.extra taught" in arrays for arrays in mine["games"])
    _check_same("teacher", s.teacher is not None, had=taught)
    return mine


def _check_same(what: str, has: bool, *, had: bool) -> None:
    """Check that a run keeps its league or teacher, on which stored decisions depend."""
    if has != had:
        raise MascaradeError(
            f"this run has {'a' if had else 'no'} {what}, and cannot change this: leave --{what} "
            "out"
        )


def restore_learner(learner: "Learner", state: Any) -> None:
    """Resume a new learner with the same settings from the `state` of another.

    Raises:
        MascaradeError: the state is damaged, or holds another network. Then the learner is
            unchanged.
    """
    if not isinstance(state, dict):
        raise checkpoints.damaged("the learner", state)
    networks: dict[str, nn.Module] = {"network": learner.network, "average": learner.average}
    if learner.critic is not None:
        networks["critic"] = learner.critic
    elif state["critic"] is not None:
        raise MascaradeError(
            "the checkpoint holds another network, with a critic: use another checkpoint"
        )
    weights = {
        name: checkpoints.weights(state[name], network.state_dict())
        for name, network in networks.items()
    }
    moments = _moments(learner, state["optimiser"])
    for name, network in networks.items():
        network.load_state_dict(weights[name])
    # The parameter groups are not restored, because each update sets their learning rate.
    groups = learner.optimiser.state_dict()["param_groups"]
    learner.optimiser.load_state_dict({"state": moments, "param_groups": groups})


def _moments(learner: "Learner", stored: Any) -> dict[int, dict[str, Tensor]]:
    """Return the stored moments of Adam, by the number of the weight, after checking them."""
    if not isinstance(stored, dict) or not stored.keys() <= set(range(len(learner.weights))):
        raise checkpoints.damaged("the state of the optimiser", stored)
    for number, moments in stored.items():
        weight = learner.weights[number].detach()
        own = {"step": torch.zeros(()), "exp_avg": weight, "exp_avg_sq": weight}
        checkpoints.weights(moments, own)
        for name in ("step", "exp_avg_sq"):
            if (moments[name] < 0).any():
                raise checkpoints.damaged(f"{name} of the optimiser", moments[name])
    return stored
