"""The settings of `mascarade train`: their meaning, valid values, presets, and stored settings.

`Settings` comes first, then `checked`, which validates them, then `PRESETS`. `as_json` and
`from_json` write and read the settings of a training or of a best response. Only `completed` adds
settings that an older version did not store.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from mascarade_agents._ladder import LADDER
from mascarade_agents._registry import make_agent
from mascarade_env._errors import MascaradeError, UnknownNameError, did_you_mean, whole
from mascarade_env._policies.names import fitted_by_name
from mascarade_env._policies.translation import check_plays
from mascarade_env.game._batch import BATCH_WORLD_LIMIT
from mascarade_env.game._scenarios import Scenario, resolve, scenarios
from mascarade_env.knowledge._windows import WINDOW
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema
from mascarade_train._policy_file import PolicyFile
from mascarade_train._teacher import teacher_of

#: Training deals its games with smaller seeds, and evaluations with this seed or larger ones.
SEED_LIMIT = 2**40

_MOST_MINIBATCHES = 2**16  # an epoch makes a list of this length


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training; each is a flag of `mascarade train`.

    Example:
        ```python
        from mascarade_train import Settings, preset

        Settings(scenario=("4A",), minutes=3.0)
        preset("6A")
        ```
    """

    preset: str = ""
    """Preset that supplies every setting that you do not give."""
    scenario: tuple[str, ...] = ("4A",)
    """Scenario to train on: a name such as 4A (`mascarade scenarios` lists them) or a .json file.
    With --padded, give several to train one network for all of them."""
    padded: bool = False
    """Fill observations and actions of every scenario with zeros to one width (padding), so that
    one network can learn and play several scenarios."""
    track: Track = "both"
    """What the network observes besides public facts: exact beliefs about hidden masks (belief),
    the latest 32 events (memory), or both. Use memory for bots that cannot compute beliefs."""
    decisions: int = 20_000_000
    """Stop after this number of learned decisions: decisions that the network made and learned
    from, in all processes. Learning rate, entropy and teaching fall until the end of training."""
    minutes: float | None = None
    """Also stop after this number of minutes, if --decisions is not reached before. A run with a
    time limit cannot be repeated exactly."""
    seed: int = 0
    """Random seed of the initial weights, the deals and all sampling, 0 or more."""
    processes: int = 1
    """Processes that train one network together, each on its own games. Use one per CPU core."""

    games: int = 512
    """Games that each process plays in parallel. Lower it if memory runs out."""
    steps: int = 64
    """Decisions in each game between two updates: an update learns from up to games x steps
    decisions."""
    epochs: int = 3
    """Passes over the collected decisions in each update."""
    minibatches: int = 8
    """Minibatches in an epoch, each of which is one gradient step."""
    most_worlds: int = BATCH_WORLD_LIMIT
    """Limit on the number of worlds in a belief during training, 2 or more. A world is one
    placement of all masks that fits what the player has seen. If a belief has more worlds, only a
    part of them is kept, and the belief is no longer exact. Set a few hundred for eight players or
    more: training is then several times as fast."""
    learning_rate: float = 1e-3
    """Adam's learning rate at the start, above 0."""
    learning_rate_end: float = 0.02
    """Learning rate at the end, as a fraction (0 to 1) of --learning-rate; it falls linearly."""
    clip: float = 0.2
    """PPO's clip range, above 0: how far the probability of an action may change in an update, as
    a fraction of its old value."""
    trace: float = 0.8
    """Lambda of the lambda-returns, 0 to 1. 1 uses the outcome of the game alone; lower values rely
    more on predicted win probabilities, which are less noisy."""
    entropy: float = 0.05
    """Entropy coefficient at the start, 0 or more (advantages are normalised). 0 together with
    --previous 0 gives naive self-play. Short games need a higher value, because each decision
    matters more: small-2 needs 0.3."""
    entropy_end: float = 0.3
    """Entropy coefficient at the end, as a fraction (0 to 1) of --entropy; it falls linearly."""
    previous: float = 0.1
    """Weight of the KL penalty to the policy before the update, 0 or more. The penalty keeps
    updates small."""
    magnet: float = 0.0
    """Weight of the KL penalty to the averaged policy, 0 or more. Try 0.1 if a policy becomes
    easier to exploit late in training."""
    average: float = 0.03
    """How far the averaged weights move towards the latest weights in each epoch, above 0 up to 1.
    The averaged weights are saved as the policy; 1 saves the latest weights."""
    value: float = 0.5
    """Weight of the loss for predicted win probabilities, 0 or more."""

    start: Path | None = None
    """Policy whose weights training starts from, instead of random ones: the folder of a run, or a
    policy file (.npz). --track, --padded and the layer sizes must match."""
    teacher: str | None = None
    """Agent to imitate early in training, such as stopper. It must know its action
    probabilities."""
    teaching: float = 0.1
    """Fraction of the training (0 to 1) during which --teacher is imitated, less and less."""

    layers: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers, the first layer first."""
    events: int = 16
    """How many of the latest events the network reads, 0 to 32. The track belief has none."""
    embedding: int = 8
    """Length of the learned vector that represents an event."""
    slots: int = 0
    """Width of an extra layer that reads every seat and slot (place of a mask) with the same
    weights; 0 for none. With 64 the network learns earlier whom to target, but training is a
    quarter slower."""

    league: float = 0.0
    """Fraction of games (0 to 1) in which an opponent holds some of the seats: an earlier snapshot
    of the network, or one of --league-agents. In all other games the network holds every seat."""
    league_every: int = 1_000_000
    """Learned decisions between two snapshots for the league."""
    league_keep: int = 20
    """How many snapshots the league keeps. When a new snapshot exceeds this number, the league
    drops the weakest older one."""
    league_agents: tuple[str, ...] = ()
    """Agents that are opponents in the league too, such as stopper. Needs --league."""

    evaluate_every: int = 2_000_000
    """Learned decisions between two evaluations, each of which also saves a checkpoint."""
    evaluation: int = 400
    """Games against each agent in an evaluation, 2 or more. More games give narrower intervals."""
    rungs: tuple[str, ...] = ("sceptic", "stopper")
    """Agents to play against in evaluations during training. The final evaluation also plays the
    ladder: seven hand-written agents in order of strength. Pass the flag with no names to skip all
    evaluation games."""
    name: str | None = None
    """Name of the run's folder, by default ppo- and the preset or scenario. If it exists, a number
    is added."""
    folder: Path = Path("runs")
    """Folder in which the run's folder is made."""
    resume: Path | None = None
    """Folder of a run to resume. The run keeps its settings, except those you give."""


def flag(name: str) -> str:
    """Return the command-line flag of a setting."""
    return "--" + name.replace("_", "-")


def checked(s: Settings) -> Settings:
    """Return the settings, after checking that a training with them is possible.

    Raises:
        MascaradeError: a setting is not valid; the error names it.
    """
    _check_numbers(s)
    if s.resume is not None and not s.resume.is_dir():
        raise MascaradeError(
            f"--resume must be the folder of a run, not {str(s.resume)!r}: check the path"
        )
    if not s.scenario or (len(s.scenario) > 1 and not s.padded):
        raise MascaradeError(
            f"--scenario names {len(s.scenario)} scenarios: name one, or name several and add "
            "--padded"
        )
    schemas = [Schema(resolve(name), s.track, padded=s.padded) for name in s.scenario]
    if s.start is not None and s.resume is None:
        if not s.start.exists():
            raise MascaradeError(
                f"cannot read {str(s.start)!r}, the policy of --start: train it first, for example "
                "with `mascarade train --preset 6A`, or name another policy"
            )
        start_policy(s, schemas[0])
    _check_games(s, schemas)
    _check_agents(s, schemas)
    return s


#: The smallest valid value of each setting that is a whole number.
_LEAST = {
    "decisions": 1, "processes": 1, "games": 1, "steps": 1, "epochs": 1, "minibatches": 1,
    "embedding": 1, "evaluate_every": 1, "league_every": 1, "league_keep": 1,
    "seed": 0, "events": 0, "slots": 0, "evaluation": 2, "most_worlds": 2,
}  # fmt: skip
#: The range of each other number, in words and as a function.
_RANGES: dict[str, tuple[tuple[str, ...], Callable[[float], bool]]] = {
    "more than 0": (("learning_rate", "clip", "average", "minutes"), lambda n: 0 < n < math.inf),
    "0 or more": (("entropy", "previous", "magnet", "value"), lambda n: 0 <= n < math.inf),
    "from 0 to 1": (
        ("learning_rate_end", "entropy_end", "trace", "average", "teaching", "league"),
        lambda n: 0 <= n <= 1,
    ),
}


def _check_numbers(s: Settings) -> None:
    for name, least in _LEAST.items():
        whole(getattr(s, name), flag(name), at_least=least)
    if not s.layers:
        raise MascaradeError("--layers needs at least one width, as in --layers 128 128")
    for width in s.layers:
        whole(width, "--layers", at_least=1)
    limits = {"seed": SEED_LIMIT - 1, "minibatches": _MOST_MINIBATCHES, "events": WINDOW}
    for name, limit in limits.items():
        if getattr(s, name) > limit:
            raise MascaradeError(f"{flag(name)} must be at most {limit}, not {getattr(s, name)}")
    for words, (names, allowed) in _RANGES.items():
        for name in names:
            number = getattr(s, name)
            if number is not None and not allowed(number):
                raise MascaradeError(f"{flag(name)} must be {words}, not {number}")


def start_policy(s: Settings, schema: Schema) -> PolicyFile:
    """Return the policy that --start names.

    Args:
        s: settings in which `start` is set.
        schema: the layout of the observations that the training network reads.

    Raises:
        MascaradeError: the file cannot be read, or its weights do not fit a network with these
            settings.
    """
    assert s.start is not None
    file = PolicyFile.load(s.start)
    own = file.schema
    if (own.track, own.padded) != (schema.track, schema.padded):
        raise MascaradeError(
            f"--start {str(s.start)!r} needs {own!r}, but this training has {schema!r}: give the "
            "--track and --padded of that file"
        )
    if not schema.padded:
        check_plays(own, schema.scenario)
    shape = {"layers": tuple(file.card["layers"]), "slots": file.slots}
    if "window" in schema.places:
        shape["events"] = file.events
    if file.events:
        shape["embedding"] = file.arrays["tokens"].shape[2]
    if any(getattr(s, name) != value for name, value in shape.items()):
        flags = [f"{flag(name)} {' '.join(map(str, _as_tuple(v)))}" for name, v in shape.items()]
        raise MascaradeError(
            f"--start {str(s.start)!r} has layers of other sizes than this training: give the "
            f"sizes of that file, {', '.join(flags)}"
        )
    return file


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _check_games(s: Settings, schemas: list[Schema]) -> None:
    """Check that every scenario gets at least one game, and that all games end with a result."""
    if s.games < len(schemas):
        raise MascaradeError(
            f"--games {s.games} is too small for the {len(schemas)} scenarios of --scenario, "
            f"because each needs a game: give at least {len(schemas)}"
        )
    for scenario in (schema.scenario for schema in schemas):
        if scenario.turn_limit is not None and scenario.at_limit == "void":
            raise MascaradeError(
                f"games of {scenario.name} have no result (void) at the turn limit, so the network "
                'cannot learn from them: make the scenario with at_limit="richest"'
            )


def _check_agents(s: Settings, schemas: list[Schema]) -> None:
    """Check that every agent in the settings can do its task: teach, or play as an opponent."""
    if s.league_agents and not s.league:
        raise MascaradeError(
            "--league-agents needs a league: set --league to the fraction of games with opponents, "
            "such as 0.3, or leave --league-agents out"
        )
    if s.teacher is not None and not s.teaching:
        raise MascaradeError(
            "--teaching 0 leaves no time for --teacher: leave --teacher out, or raise --teaching"
        )
    for schema in schemas:
        if s.teacher is not None:
            teacher_of(s.teacher, schema)
        for name in s.league_agents:
            fitted_by_name(name, schema)
    for name in s.rungs:
        make_agent(name, schemas[0].scenario)


# Settings in files


#: Settings of earlier versions: for each renamed setting its new name, and for each removed setting
#: the value that had no effect.
_RENAMED = {"worlds": "most_worlds"}
_REMOVED = {"hold": 0.0, "belief": 0.0, "critic": "player"}


def as_json(settings: Any) -> dict[str, Any]:
    """Return settings of a training, or of a best response, as a dict of JSON values."""
    words: dict[str, Any] = json.loads(json.dumps(asdict(settings), default=str))
    return words


def completed(stored: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored settings with exactly the names that this version has.

    A setting that did not exist when they were stored gets its default, which has no effect. A
    setting that was removed later is left out if its value had no effect.

    Args:
        stored: the stored settings, as JSON.
        defaults: all settings of this version with their defaults, as JSON.

    Raises:
        MascaradeError: a removed setting had an effect, which this version cannot reproduce.
    """
    renamed = {_RENAMED.get(name, name): value for name, value in stored.items()}
    for name in sorted(renamed.keys() - defaults.keys()):
        if name not in _REMOVED or renamed[name] != _REMOVED[name]:
            raise MascaradeError(
                f"this version of mascarade-env has no setting {flag(name)} {renamed[name]!r:.60}: "
                "use the version that wrote it"
            )
    return {name: renamed.get(name, default) for name, default in defaults.items()}


S = TypeVar("S")


def from_json(stored: Mapping[str, Any], kind: type[S]) -> S:
    """Return stored settings as a dataclass.

    Args:
        stored: the result of `as_json`, of this version or an earlier one.
        kind: `Settings` or another dataclass of settings.

    Raises:
        MascaradeError: a setting has a wrong type, or was removed.
    """
    types = get_type_hints(kind)
    complete = completed(stored, as_json(kind()))
    return kind(**{name: _read(name, value, types[name]) for name, value in complete.items()})


def _read(name: str, value: Any, expected: Any) -> Any:
    """Return a stored value as the type that the setting has."""
    if get_origin(expected) is UnionType:
        expected = NoneType if value is None else get_args(expected)[0]
    if get_origin(expected) is tuple and type(value) is list:
        return tuple(_read(name, each, get_args(expected)[0]) for each in value)
    if expected is Path and type(value) is str:
        return Path(value)
    if get_origin(expected) is Literal:
        expected = str
    if type(value) is not expected and not (expected is float and type(value) is int):
        raise MascaradeError(
            f"{flag(name)} must be of type {expected.__name__}, not {value!r:.60}: use another file"
        )
    return value


# Presets. Those of small-2, small-3, 4A, 6A, 8A, 6B and padded train the released networks, each in
# about an hour or less on two cores. The network for 6A then continued, as its card records.
# "naive" is a bad example to compare the others with. Every other scenario has the settings of the
# nearest of these, which were not tried on it.

_SMALL = Settings(
    decisions=9_950_000,  # the last update exceeds it, and the total must stay below 10 million
    # Measured on small-2: from 0.2 to 0.02 ends at a NashConv of 0.22, from 0.3 to 0.1 at 0.1.
    entropy=0.3,
    trace=0.95,
    average=0.01,
    events=32,
    evaluate_every=500_000,
    rungs=(),
)
# With layers of 128 and no KL penalty to the averaged policy, some seeds move away from the
# equilibrium again when the entropy bonus has fallen: the mean NashConv of five seeds is 0.101.
_SMALL_2 = replace(_SMALL, scenario=("small-2",), layers=(256, 256), magnet=0.1)

# With more players one decision changes the outcome less, so the same entropy bonus would hide its
# effect. A policy that wins against copies of itself may lose to other agents, so these are
# opponents too.
_LARGE = Settings(
    decisions=8_000_000,
    games=1024,
    minibatches=16,
    slots=64,
    entropy=0.03,
    entropy_end=0.3,
    teacher="stopper",
    teaching=0.05,
    league=0.9,
    league_every=2_000_000,
    league_keep=1,
    league_agents=LADDER[1:],  # all but "random"
    evaluate_every=2_000_000,
)

# High entropy at the start, low entropy at the end. On 6A, a network that started with 0.03 won
# less after 40 million decisions, and a best response won more against five copies of it.
_OPEN = replace(_LARGE, decisions=10_000_000, entropy=0.1, entropy_end=0.05)

# With eight players or more, exact beliefs would take most of the time.
_MANY_WORLDS = 256

# With opponents in 90% of the games, a network for four players won more against the ladder, but
# seldom claimed when it played copies of itself: a best response won 64% of the games. Longer
# training leads to more false announcements: a best response won more after 12 million decisions
# than after 4 million.
_FOUR = replace(
    _OPEN, scenario=("4A",), decisions=4_000_000, entropy_end=0.2, magnet=0.1, league=0.4
)

PRESETS = {
    # In a few minutes, many small updates learn more than a few large ones.
    "quick": replace(
        _FOUR,
        decisions=200_000_000,
        minutes=3,
        processes=2,
        games=256,
        minibatches=8,
        league_every=1_000_000,
        evaluate_every=1_000_000,
        evaluation=300,
    ),
    "small-2": _SMALL_2,
    "small-3": replace(_SMALL, scenario=("small-3",)),
    "naive-2": replace(_SMALL_2, entropy=0.0, previous=0.0, magnet=0.0),
    "naive-3": replace(_SMALL, scenario=("small-3",), entropy=0.0, previous=0.0),
    "4A": _FOUR,
    "6A": replace(
        _OPEN,
        scenario=("6A",),
        decisions=30_000_000,
        league_every=5_000_000,
        evaluate_every=5_000_000,
    ),
    "8A": replace(_OPEN, scenario=("8A",), most_worlds=_MANY_WORLDS),
    "6B": replace(_OPEN, scenario=("6B",)),
    "naive": replace(
        _LARGE,
        scenario=("6A",),
        decisions=5_000_000,
        entropy=0.0,
        previous=0.0,
        teacher=None,
        league=0.0,
        league_agents=(),
    ),
    "padded": replace(
        _LARGE,
        scenario=("4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A", "12A"),
        padded=True,
        decisions=20_000_000,
        entropy_end=0.6,
        games=1152,
        most_worlds=_MANY_WORLDS,
        league_every=5_000_000,
        league_agents=("stopper",),
        evaluate_every=5_000_000,
    ),
}


def _untried(scenario: Scenario) -> Settings:
    """Return settings for a scenario without a tested preset: those of the most similar one."""
    if not scenario.strict:
        return _SMALL
    if scenario.players <= 5:
        return _FOUR
    return replace(_OPEN, most_worlds=_MANY_WORLDS) if scenario.players >= 8 else _OPEN


PRESETS |= {
    name: replace(_untried(scenario), scenario=(name,))
    for name, scenario in scenarios().items()
    if name not in PRESETS
}


def preset(name: str) -> Settings:
    """Return the settings of a preset, such as "6A".

    Raises:
        UnknownNameError: there is no preset with this name; the error lists all.
    """
    if name not in PRESETS:
        raise UnknownNameError(f"unknown preset {name!r}{did_you_mean(name, list(PRESETS))}")
    return replace(PRESETS[name], preset=name)
