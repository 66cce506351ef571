"""Train networks by self-play, measure how exploitable agents are, and play trained networks.

    from mascarade_train import PolicyFile, Training, best_response, preset, released_path

    training = Training(preset("4A"), folder)       # what `mascarade train` runs
    training.go()
    response = best_response("stopper", "4A")       # what `mascarade best-response` runs
    network = PolicyFile.load(released_path("6A"))  # a network that comes with the package

- Train: `Settings`, `PRESETS`, `preset`, `Training`.
- Networks: `PolicyFile` holds a network, `NetPolicy` computes it without torch, `NetworkAgent`
  plays it as an agent, and `export` writes it as ONNX. `released_names` and `released_path` find
  the networks that come with the package.
- Best responses: `ResponseSettings`, `best_response`, `Response`.
- Measure and read: `alone_among` and `WinShare`, `examine` and `Examined`, `self_play_games`,
  `example_game`, `game_in_words`.
- Stable-Baselines3: `Snapshot` and `actor_of` make a frozen copy of a learner's current policy.

Every name is loaded on first use, because torch takes a second to load. All modules are private.
This package imports mascarade_agents and mascarade_env. Files for playing come first, files for
learning after them:

_slots.py: the numbers of an observation, grouped by slot (place for a mask)
_policy_file.py: `PolicyFile`: a trained network on disk
_net_policy.py: `NetPolicy`: play a network with NumPy
_released.py: the networks in the folder `released`
_agents.py: networks as agents by name
_evaluation.py: win shares of a policy in an arena, and measures of its play
_teacher.py: an agent to imitate early in training
_networks.py: the network and the critic that torch trains
_rollouts.py: play the games of a training, collect the learner's decisions
_settings.py: settings, their valid values, presets
_league.py: opponents in training: earlier snapshots, and agents by name
_ppo.py: losses, `Learner`, `Training`
_run/: the command around the training loop: processes, checkpoints, logs, the report
_best_response/: find a lower bound on the exploitability of an agent
_onnx/: networks as ONNX files
_sb3/: self-play with Stable-Baselines3
_rllib/: self-play with Ray RLlib
_cli/: the commands
_benchmarks.py: the lines of `mascarade bench`
"""

from typing import TYPE_CHECKING

from mascarade_env._lazy import loaded_on_use

if TYPE_CHECKING:
    from mascarade_train._agents import NetworkAgent
    from mascarade_train._best_response.search import Response, best_response
    from mascarade_train._best_response.settings import ResponseSettings
    from mascarade_train._evaluation import WinShare, alone_among, self_play_games
    from mascarade_train._net_policy import NetPolicy
    from mascarade_train._onnx.export import export
    from mascarade_train._policy_file import PolicyFile
    from mascarade_train._ppo import Training
    from mascarade_train._released import released_names, released_path
    from mascarade_train._run.examination import Examined, examine
    from mascarade_train._run.example_game import example_game, game_in_words
    from mascarade_train._sb3.policies import Snapshot, actor_of
    from mascarade_train._settings import PRESETS, Settings, preset

__all__ = [
    "PRESETS",
    "Examined",
    "NetPolicy",
    "NetworkAgent",
    "PolicyFile",
    "Response",
    "ResponseSettings",
    "Settings",
    "Snapshot",
    "Training",
    "WinShare",
    "actor_of",
    "alone_among",
    "best_response",
    "examine",
    "example_game",
    "export",
    "game_in_words",
    "preset",
    "released_names",
    "released_path",
    "self_play_games",
]

_MODULES = {
    "_agents": ("NetworkAgent",),
    "_best_response.search": ("Response", "best_response"),
    "_best_response.settings": ("ResponseSettings",),
    "_evaluation": ("WinShare", "alone_among", "self_play_games"),
    "_net_policy": ("NetPolicy",),
    "_onnx.export": ("export",),
    "_policy_file": ("PolicyFile",),
    "_ppo": ("Training",),
    "_released": ("released_names", "released_path"),
    "_run.examination": ("Examined", "examine"),
    "_run.example_game": ("example_game", "game_in_words"),
    "_sb3.policies": ("Snapshot", "actor_of"),
    "_settings": ("PRESETS", "Settings", "preset"),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = loaded_on_use(
        __name__,
        {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names},
    )
