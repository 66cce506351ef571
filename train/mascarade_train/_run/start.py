"""From settings to a trained network, and to a word on what it has learned."""

import json
import math
import shlex
import signal
from collections.abc import Container, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mascarade_agents._ladder import LADDER
from mascarade_agents._registry import check_stored, make_agent
from mascarade_env._errors import MascaradeError, whole
from mascarade_env._files.locks import only_writer
from mascarade_env._files.strict_json import parse_json
from mascarade_env.cli._interrupts import exit_code
from mascarade_env.exact._files import making
from mascarade_env.game._record_files import write_games
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._schema import Schema
from mascarade_env.render import replay_html
from mascarade_train._agents import NetworkAgent
from mascarade_train._evaluation import watched
from mascarade_train._named_agents import NamedAgent
from mascarade_train._net_policy import NetPolicy
from mascarade_train._networks import Network
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Settings
from mascarade_train._run import checkpoints
from mascarade_train._run.examination import Examined, examine
from mascarade_train._run.example_game import told, worth_reading
from mascarade_train._run.folders import clear_leftovers, mascarade, new_folder, python
from mascarade_train._run.processes import World, leads, run_in_parallel, size
from mascarade_train._run.summary_text import compared, scores_on_card
from mascarade_train._training import Training, begin_with, written

#: Of the games that are played to see what was learned; training does not deal them.
_SEED = 2**40
_UNTRAINED = "untrained.npz"
_MOST_PARTS = 2**16  # of an epoch: a list of that length is made

#: What settings may be in a checkpoint, by the kind of their defaults, and where that is none.
_KINDS: dict[type, tuple[type, ...]] = {
    bool: (bool,), int: (int,), float: (int, float), str: (str,), list: (list,)
}  # fmt: skip
_NONE = type(None)
_OPTIONAL: dict[str, tuple[type, ...]] = {
    "minutes": (int, float, _NONE), "teacher": (str, _NONE),
    "name": (str, _NONE), "resume": (str, _NONE), "start": (str, _NONE),
}  # fmt: skip


def start(settings: Settings) -> None:
    """Train, and tell what was learned."""
    s = checked(settings)
    s = replace(s, processes=size(s.processes))
    run = s.resume
    if run is None and leads():
        run = new_folder(s.folder, s.name or f"ppo-{s.preset or resolve(s.scenario[0]).name}")
    if leads():
        names = ", ".join(resolve(name).name for name in s.scenario)
        print(f"{names}: {s.processes} x {s.games} games at once -> {run}")
        print("Learning; Ctrl-C ends it early and keeps what has been learned.", flush=True)
    ended_by = run_in_parallel(s.processes, _learn, s, run)
    if exit_code(ended_by):
        if leads():
            with suppress(OSError):  # the terminal may be gone
                name = signal.Signals(ended_by).name
                words = f"{mascarade()} train --resume {shlex.quote(str(run))}"
                print(f"Saved after {name}. Resume: {words}", flush=True)
        raise SystemExit(exit_code(ended_by))
    if run is not None and leads():
        with only_writer(run):
            tell(s, run)


def _learn(world: World, settings: Settings, run: Path | None) -> None:
    """One of the processes of a run; only the one that leads writes into its folder."""
    # Held by the process that writes, which may outlive the one that has started it.
    with only_writer(run) if world.leads and run is not None else nullcontext():
        if world.leads and run is not None:
            clear_leftovers(run)
        training = Training(world, settings, run or Path())
        untrained = training.policy()
        if settings.resume is not None:
            training.restore(checkpoints.load(settings.resume))
            if world.leads and training.over >= 1:
                print(f"All of it was learned before: to learn more, give {_more(settings)}")
        if world.leads:
            if not (training.run / _UNTRAINED).exists():
                if settings.resume is not None and settings.start is not None:
                    untrained = PolicyFile.load(settings.start)  # which only a new run has read
                untrained.save(training.run / _UNTRAINED)
            text = json.dumps(written(settings), indent=2) + "\n"
            with making(training.run / "settings.json") as beside:
                beside.write_text(text, "utf-8")
        training.go(world.stops)


#: Settings that name agents.
_AGENTS = ("rungs", "teacher", "league_agents")


def settings_of(run: Path, typed: Container[str] = ()) -> Settings:
    """Return the settings that a run was made with, to resume it.

    A setting that did not exist yet when it was made has its default, which changes nothing.

    Args:
        run: its folder.
        typed: names of the settings that the user gives; agents stored there are not checked.

    Raises:
        MascaradeError: there are none, or they name an agent that data may not name.
    """
    known = written(Settings())
    checkpoint = checkpoints.load(run)
    try:
        saved: dict[str, Any] = known | parse_json(checkpoint["settings"].encode())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        told = f"the checkpoint in {str(run)!r} has no settings: take another"
        raise MascaradeError(told) from error
    if saved.keys() != known.keys():
        raise MascaradeError(
            f"the run {str(run)!r} was made by another version of mascarade-env, with other "
            "settings: play its policy, or train anew"
        )
    for name, value in known.items():
        each = saved[name] if isinstance(saved[name], list) else []
        if type(saved[name]) not in (_OPTIONAL.get(name) or _KINDS[type(value)]) or not all(
            type(one) is (int if name == "layers" else str) for one in each
        ):
            raise MascaradeError(
                f"the checkpoint in {str(run)!r} is damaged: {_flag(name)} cannot be "
                f"{saved[name]!r:.60}; take another"
            )
    for name in _AGENTS:
        agents = [saved[name]] if isinstance(saved[name], str) else saved[name] or []
        for agent in agents if name not in typed else ():
            check_stored(agent, run, _flag(name))
    _check_sizes(checkpoint, saved, run)
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()
    }
    began = None if saved["start"] is None else Path(saved["start"])
    places: dict[str, Any] = {"folder": Path(saved["folder"]), "start": began, "resume": run}
    return Settings(**given | places)


# Stored settings that nothing in a checkpoint confirms, and their bounds: with all of them a run
# still takes a moderate share of memory and time.
_MOST = {"steps": 4096, "epochs": 100, "minibatches": 4096, "evaluation": 100_000}


def _check_sizes(checkpoint: Mapping[str, Any], saved: Mapping[str, Any], run: Path) -> None:
    """Check that settings ask for no more processes, games and weights than the checkpoint has.

    Whoever wrote it, resuming then takes no more memory than a file of its length can stand for.
    """
    for name, most in _MOST.items():
        if saved[name] > most:
            raise MascaradeError(
                f"the checkpoint in {str(run)!r} has {_flag(name)} {saved[name]!r:.60}, and a "
                f"stored one is {most:,} at most: take another"
            )
    with checkpoints.reading():
        network = checkpoint["learner"]["network"]
        found: dict[str, Any] = {
            "processes": len(checkpoint["processes"]),
            "games": sum(g["lengths"].shape[0] for g in checkpoint["processes"][0]["games"]),
            "layers": [
                network[f"trunk.{number}.weight"].shape[0] for number in range(len(saved["layers"]))
            ],
            "slots": network["slots.weight"].shape[0] if "slots.weight" in network else 0,
        }
        if "tokens" in network:
            found["embedding"] = network["tokens"].shape[2]
    for name, held in found.items():
        if held != saved[name]:
            raise MascaradeError(
                f"the checkpoint in {str(run)!r} is damaged: {_flag(name)} is {saved[name]!r:.60} "
                f"by its settings and {held!r:.60} by what it holds; take another"
            )


def checked(s: Settings) -> Settings:
    """The settings, if they can be learned with.

    Raises:
        MascaradeError: they cannot; it says which.
    """
    counts = (
        "decisions", "processes", "games", "steps", "epochs", "minibatches", "embedding",
        "evaluate_every", "league_every", "league_keep",
    )  # fmt: skip
    for name in counts:
        whole(getattr(s, name), _flag(name), at_least=1)
    for name, least in (("seed", 0), ("events", 0), ("evaluation", 2), ("worlds", 2), ("slots", 0)):
        whole(getattr(s, name), _flag(name), at_least=least)
    if s.seed >= _SEED:
        raise MascaradeError(f"--seed is less than {_SEED}, not {s.seed}")
    for name in ("learning_rate", "clip", "average"):
        if not 0 < getattr(s, name) < math.inf:
            raise MascaradeError(f"{_flag(name)} is more than 0, not {getattr(s, name)}")
    for name in ("entropy", "previous", "magnet", "value", "belief"):
        if not 0 <= getattr(s, name) < math.inf:
            raise MascaradeError(f"{_flag(name)} is 0 or more, not {getattr(s, name)}")
    shares = (
        "learning_rate_end", "entropy_end", "hold",
        "trace", "average", "teaching", "league",
    )  # fmt: skip
    for name in shares:
        if not 0 <= getattr(s, name) <= 1:
            raise MascaradeError(f"{_flag(name)} is a share, 0 to 1, not {getattr(s, name)}")
    _check_tables(s)
    return s


def _check_tables(s: Settings) -> None:
    """Whether there is something to play, and somebody who can."""
    if s.minibatches > _MOST_PARTS:
        raise MascaradeError(f"--minibatches is at most {_MOST_PARTS}, not {s.minibatches}")
    if s.critic not in ("player", "table"):
        raise MascaradeError(f"--critic is player or table, not {s.critic!r}")
    if s.minutes is not None and not 0 < s.minutes < math.inf:
        raise MascaradeError(f"--minutes is more than 0, not {s.minutes}")
    if s.resume is not None and not s.resume.is_dir():
        raise MascaradeError(f"--resume is the folder of a run, not {str(s.resume)!r}")
    if not s.scenario or (len(s.scenario) > 1 and not s.padded):
        raise MascaradeError("--scenario is one, or several with --padded")
    schemas = [Schema(resolve(name), s.track, padded=s.padded) for name in s.scenario]
    network = Network(schemas[0], s.layers, events=s.events, embedding=s.embedding, slots=s.slots)
    if s.start is not None and s.resume is None:
        if not s.start.exists():
            raise MascaradeError(
                f"cannot read {str(s.start)!r}, which --start begins with: train it first, as by "
                "mascarade train --preset 6A, or name another"
            )
        begin_with(s.start, schemas[0], [network])
    _check_games(s, schemas)
    for name in s.rungs:
        if make_agent(name, schemas[0].scenario).needs_views:
            raise MascaradeError(
                f"{name} needs views of whole games, which training does not make: name agents "
                "that play by observations alone, such as stopper"
            )


def _check_games(s: Settings, schemas: list[Schema]) -> None:
    """Whether games of all scenarios can be learned from, with all guests."""
    if s.games < len(schemas):
        raise MascaradeError(f"--games {s.games} is less than one for each of --scenario")
    for scenario in (schema.scenario for schema in schemas):
        if scenario.turn_limit is not None and scenario.at_limit == "void":
            raise MascaradeError(
                f"games of {scenario.name} are void at the turn limit, so that nobody would learn "
                'how they end: make the scenario with at_limit="richest"'
            )
    if s.league_agents and not s.league:
        raise MascaradeError("--league-agents are guests: tell by --league in how many games")
    if s.teacher is not None:
        if not s.teaching:
            raise MascaradeError("--teaching 0 leaves no time for --teacher: leave that out")
        for schema in schemas:
            NamedAgent(s.teacher).check(schema, teaching=True)
    for guest in s.league_agents:
        for schema in schemas:
            NamedAgent(guest).check(schema)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def tell(s: Settings, run: Path) -> None:
    """Show what a run has learned, and put it on the card of its policy."""
    before, after = (PolicyFile.load(run / name) for name in (_UNTRAINED, POLICY))
    scenario = after.schema.scenario
    print("Measuring what was learned ...", flush=True)
    agents = [NetworkAgent(scenario, NetPolicy(file)) for file in (before, after)]
    games = s.evaluation
    rungs = tuple(dict.fromkeys((*LADDER, *s.rungs))) if s.rungs else ()
    shares = [examine(agent, rungs, games, both_ways=agent is agents[1]) for agent in agents]
    plays = [
        watched(agent.policy(0), scenario, games=max(games // 4, 1), seed=_SEED) for agent in agents
    ]
    game = worth_reading(agents[1].policy(0), scenario, seed=_SEED)
    with making(run / "game.jsonl") as beside:
        write_games(beside, [game])
    with making(run / "game.html") as beside:
        beside.write_text(replay_html(game), "utf-8")
    was = "untrained" if s.start is None else "at first"
    when = (was, "trained")
    scores = dict(zip(when, map(scores_on_card, shares, plays), strict=True))
    replace(after, card={**after.card, "scores": scores}).save(run / POLICY)

    print("\nA game of the trained policy with itself, as the table saw it:\n")
    print("\n".join(told(game)))
    _tell_shares(scenario, shares, games, was)
    print(f"\nHow it plays when it holds all seats       {was:>13}   trained")
    print("\n".join(compared(*plays)))
    call = mascarade()
    print(
        f"\n{after.card['provenance']['decisions']:,} decisions learned. In {run}:\n"
        f"  policy.npz                the network, with the figures above on its card\n"
        f"  checkpoint.pt             to go on: {call} train --resume {run} {_more(s)}\n"
        f"  settings.json, log.jsonl  what it was trained with, and how it went\n"
        f"  game.html, game.jsonl     the game above, to look through in a browser\n"
        f"  events.out.tfevents.*     curves: {python()} -m tensorboard.main --logdir {run}\n"
        "Where to go from here:\n"
        f"  {call} play --scenario {s.scenario[0]} --opponents net:{run}\n"
        "      play against it\n"
        f"  {call} arena --scenario {s.scenario[0]} --agents net:{run},stopper\n"
        "      let it meet others, any number of them\n"
        f"  {call} export {run}\n"
        "      take it elsewhere, as ONNX\n"
        f"  {call} train --preset 6A\n"
        "      train for most of an hour, as the released one for six players began\n"
        f"  {call} train --scenario {s.scenario[0]} --entropy 0 --previous 0\n"
        "      see what becomes of naive self-play"
    )


def _more(s: Settings) -> str:
    """The flag that says how much longer a run may go on."""
    return f"--decisions {2 * s.decisions}" if s.minutes is None else f"--minutes {2 * s.minutes:g}"


def _tell_shares(scenario: Scenario, found: list[Examined], games: int, was: str) -> None:
    if found[1].nash_conv is not None:
        gains = [f"{examined.nash_conv:.3f}" for examined in found]
        print(f"\nNashConv, what best responses gain: {gains[0]} {was}, {gains[1]} trained")
    if not found[1].alone:
        return
    fair = 1 / scenario.players
    print(f"\nWin share ({games} games each, 95% intervals; equal players get {fair:.1%})")
    print(f"  {'':<16}{'alone among copies of it':<36}{'it, alone among copies'}")
    print(f"  {'':<16}{was:<18}{'trained':<18}{'of the trained one'}")
    for name, share in found[1].alone.items():
        before = found[0].alone[name]
        print(f"  {name:<16}{before!s:<18}{share!s:<18}{found[1].against[name]}")
