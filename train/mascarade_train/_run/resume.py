"""What a run of `mascarade train` saves, and how it resumes.

A checkpoint may come from anywhere, so all of it is checked: the settings and the sizes that they
ask for before anything is made with them, then each part before it takes the place of one of the
run.
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

#: Limits of stored settings that no other part of a checkpoint confirms. With all of them a run
#: still takes a moderate share of memory and time.
_MOST = {"steps": 4096, "epochs": 100, "minibatches": 4096, "evaluation": 100_000}


def settings_of(run: Path, typed: Container[str] = ()) -> Settings:
    """Return the settings that a run was made with, to resume it.

    Args:
        run: its folder.
        typed: names of the settings that the user gives; agents stored there are not checked.

    Raises:
        MascaradeError: it has no settings, they are damaged or of a version with other settings,
            or they name an agent that data may not name.
    """
    checkpoint = checkpoints.load(run)
    try:
        saved = parse_json(checkpoint["settings"].encode())
        if not isinstance(saved, dict):
            raise TypeError(f"its settings are a {type(saved).__name__}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MascaradeError(
            f"the checkpoint in {str(run)!r} has no settings: take another"
        ) from error
    try:
        s = from_json(saved, Settings)
    except MascaradeError as error:
        raise MascaradeError(
            f"the run {str(run)!r} cannot be resumed: {error}; play its policy, or begin a new "
            f"training with it by --start {run}"
        ) from error
    for name in _AGENTS:
        stored = getattr(s, name)
        agents = [stored] if isinstance(stored, str) else stored or []
        for agent in agents if name not in typed else ():
            check_stored(agent, run, flag(name))
    _check_sizes(checkpoint, s, run)
    return replace(s, resume=run)


def _check_sizes(checkpoint: Mapping[str, Any], s: Settings, run: Path) -> None:
    """Check that settings ask for no more processes, games and weights than the checkpoint has.

    So resuming takes no more memory than a file of its length can stand for, whoever wrote it.
    """
    for name, most in _MOST.items():
        if getattr(s, name) > most:
            raise MascaradeError(
                f"the checkpoint in {str(run)!r} has {flag(name)} {getattr(s, name)!r:.60}, and a "
                f"stored one is {most:,} at most: take another"
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
                f"{getattr(s, name)!r:.60} by its settings and {value!r:.60} by what it holds; "
                "take another"
            )


def save(training: "Training") -> None:
    """Write the checkpoint and the policy of a training; all its processes take part."""
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
    policy = training.policy()  # if it cannot be played, the last checkpoint stays
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
    """Let a training that was made alike resume from a checkpoint.

    Raises:
        MascaradeError: it is of another run, or damaged.
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
    """Return what the checkpoint has of this process, if the run keeps what cannot change."""
    processes, group, s = saved["processes"], training.group, training.settings
    if not isinstance(processes, list) or len(processes) != group.size:
        raise MascaradeError(
            f"this run has {len(processes)} processes, not {group.size}: resume it with "
            f"--processes {len(processes)}"
        )
    if saved["scenarios"] != _scenarios(training):
        raise MascaradeError("this run has other scenarios; leave them as they were")
    mine: Mapping[str, Any] = processes[group.rank]
    _check_same("league", training.league is not None, had=mine["league"] is not None)
    had = from_json(checkpoints.from_json(saved["settings"]), Settings)
    # Games and names follow from these already: with others the log would be of no single run.
    for name in ("most_worlds", "seed", "name", "folder"):
        if getattr(had, name) != getattr(s, name):
            raise MascaradeError(
                f"this run has {flag(name)} {getattr(had, name)}; leave it as it was"
            )
    taught = any("carried.extra taught" in arrays for arrays in mine["games"])
    _check_same("teacher", s.teacher is not None, had=taught)
    return mine


def _check_same(what: str, has: bool, *, had: bool) -> None:
    """Check that a run keeps a league or teacher, which has a part in pending decisions."""
    if has != had:
        raise MascaradeError(
            f"this run has {'a' if had else 'no'} {what}; leave --{what} as it was"
        )


def restore_learner(learner: "Learner", state: Any) -> None:
    """Let a learner that was made alike resume from a `state`.

    Raises:
        MascaradeError: it is of another network, or damaged. Nothing has changed.
    """
    if not isinstance(state, dict):
        raise checkpoints.damaged("the learner", state)
    networks: dict[str, nn.Module] = {"network": learner.network, "average": learner.average}
    if learner.critic is not None:
        networks["critic"] = learner.critic
    elif state["critic"] is not None:
        raise MascaradeError("the checkpoint is of another network: it has a critic; take another")
    found = {
        name: checkpoints.weights(state[name], network.state_dict())
        for name, network in networks.items()
    }
    moments = _moments(learner, state["optimiser"])
    for name, network in networks.items():
        network.load_state_dict(found[name])
    # The groups of the optimiser are as they were made: each update sets their learning rate.
    groups = learner.optimiser.state_dict()["param_groups"]
    learner.optimiser.load_state_dict({"state": moments, "param_groups": groups})


def _moments(learner: "Learner", found: Any) -> dict[int, dict[str, Tensor]]:
    """Return what Adam stored of each weight that has had a gradient, if it is valid."""
    if not isinstance(found, dict) or not found.keys() <= set(range(len(learner.weights))):
        raise checkpoints.damaged("the state of the optimiser", found)
    for number, moments in found.items():
        weight = learner.weights[number].detach()
        own = {"step": torch.zeros(()), "exp_avg": weight, "exp_avg_sq": weight}
        checkpoints.weights(moments, own)
        for name in ("step", "exp_avg_sq"):
            if (moments[name] < 0).any():
                raise checkpoints.damaged(f"{name} of the optimiser", moments[name])
    return found
