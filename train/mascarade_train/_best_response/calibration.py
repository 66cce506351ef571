"""How much of what could be gained `best_response` finds, where it is known exactly.

In the games of the exact suite the best responses are computed on the whole tree. There the same
procedure with the same budget shows what share of the true gain it recovers, and that is told
beside every figure of games which nobody can solve.

    python -m mascarade_train.calibration --decisions 3000000

measures it anew for a budget, and writes it to calibration.json, which comes with this package.
The tables are uniform play, the ladder's stopper, and a network that is trained for it by
self-play. What a response gains is here computed on the tree too, so that no luck in the games
that are counted blurs the share.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from mascarade_agents.exact import tabulate
from mascarade_env._errors import MascaradeError, whole
from mascarade_env._files.strict_json import read_json
from mascarade_env.exact import GameTree, Policy, build, nash_conv, values_of
from mascarade_env.exact._files import making
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.search import Response, best_response, frozen_agent
from mascarade_train._best_response.settings import INDIFFERENT, ResponseSettings, checked
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Settings
from mascarade_train._run.display import display
from mascarade_train._run.processes import World
from mascarade_train._training import Training, written

FORMAT = "mascarade_train.best_response calibration 1"
FILE = Path(__file__).with_name("calibration.json")

SELF_PLAY = "self-play"  # the table of a network trained for the calibration
TABLES = ("random", SELF_PLAY, "stopper")


@dataclass(frozen=True, slots=True)
class Line:
    """How much was found at one table.

    Attributes:
        scenario: what was played.
        table: the agent of which the table was made, or `SELF_PLAY`.
        true_gain: what the best response gains above 1/n, on average over the seats.
        found: what the response that was found gains, on the tree.
        measured: what it gained in the games that were counted.
    """

    scenario: str
    table: str
    true_gain: float
    found: float
    measured: float

    @property
    def recovered(self) -> float:
        """The share of the true gain that was found."""
        return self.found / self.true_gain

    def __str__(self) -> str:
        return f"{self.recovered:.0%} on {self.scenario} against {self.table}"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a procedure has found.

    Attributes:
        settings: the procedure.
        self_play: decisions that the networks of the tables named `SELF_PLAY` have learned from.
        versions: of the packages.
        lines: one for each table.
    """

    settings: ResponseSettings
    self_play: int
    versions: Mapping[str, str]
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.lines))


def told_of(
    settings: ResponseSettings,
    *,
    whole: bool = True,
    known: Sequence[Calibration] | None = None,
) -> str:
    """In words, how much of the true gain responses find that are trained so.

    Args:
        settings: the procedure.
        whole: whether the budget was spent.
        known: by default the calibrations that come with this package.
    """
    everything = load() if known is None else known
    if not whole:
        return "not calibrated: training was broken off before the budget was spent"
    near = sorted(everything, key=lambda each: len(differences(settings, each.settings)))
    if not near:
        return "not calibrated: no calibration is known; make one with mascarade_train.calibration"
    differs = differences(settings, near[0].settings)
    if differs:
        return (
            f"not calibrated: {'; '.join(differs)}. Leave these settings as they are, or calibrate "
            "them with python -m mascarade_train.calibration"
        )
    return f"with these settings the same procedure recovers of the true gain: {near[0]}"


def differences(settings: ResponseSettings, calibrated: ResponseSettings) -> list[str]:
    """In what settings differ that matter, in words."""
    return [
        f"--{field.name.replace('_', '-')} is {getattr(settings, field.name)} and was "
        f"{getattr(calibrated, field.name)} in the calibration"
        for field in fields(settings)
        if field.name not in INDIFFERENT
        and getattr(settings, field.name) != getattr(calibrated, field.name)
    ]


def measure(
    game: GameTree, agent: str, table: str, settings: ResponseSettings
) -> tuple[Line, Response]:
    """Find a response to an agent in a game that is known as a tree, and compare it.

    Args:
        game: the tree.
        agent: the agent's name; it must tell its chances.
        table: what to call it.
        settings: the procedure.
    """
    tabulated = tabulate(frozen_agent(agent, game.scenario), game)
    if not tabulated.exact:
        raise MascaradeError(
            f"{agent} does not tell its chances, so nobody knows what could be gained: calibrate "
            "with another agent"
        )
    players = game.scenario.players
    true_gain = nash_conv(game.tree, tabulated.policy).nash_conv / players
    if not true_gain > 0:
        raise MascaradeError(f"{agent} leaves nothing to gain in {game.scenario.name}")
    with display() as shown:
        response = best_response(agent, game.scenario, settings, told=shown.show)
    found = gain_of(game, response.policy, tabulated.policy)
    return Line(game.scenario.name, table, true_gain, found, response.gain), response


def gain_of(game: GameTree, file: PolicyFile, others: Policy) -> float:
    """What a network gains above 1/n among others, on average over the seats, computed exactly."""
    tree, players = game.tree, game.scenario.players
    own = tabulate(NetworkAgent(game.scenario, NetPolicy(file)), game).policy
    owner = tree.owner[tree.state_of_option]
    shares = [
        values_of(tree, np.where(owner == player, own, others))[player] for player in range(players)
    ]
    return float(np.mean(shares)) - 1 / players


def load(path: Path = FILE) -> tuple[Calibration, ...]:
    """The calibrations of a file; none if there is no file.

    Raises:
        MascaradeError: it is damaged or something else.
    """
    try:
        found = read_json(path)
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']!r}")
        return tuple(_read(entry) for entry in found["calibrations"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise MascaradeError(
            f"{str(path)!r} is no calibration of this version: {error}; calibrate anew"
        ) from error


def add(calibration: Calibration, path: Path = FILE) -> None:
    """Write a calibration to a file.

    One of the same procedure is replaced; its other tables are kept if seeds, versions and the
    networks of self-play are the same, or lines that cannot be compared would stand side by side.
    """
    known, kept = load(path), []
    lines = {(line.scenario, line.table): line for line in calibration.lines}
    for each in known:
        if differences(each.settings, calibration.settings):
            kept.append(each)
        elif replace(each, lines=()) == replace(calibration, lines=()):
            lines = {(line.scenario, line.table): line for line in each.lines} | lines
    kept.append(replace(calibration, lines=tuple(lines[place] for place in sorted(lines))))
    kept.sort(key=lambda each: each.settings.decisions)
    words = {"format": FORMAT, "calibrations": [_written(each) for each in kept]}
    with making(path) as beside:
        beside.write_text(json.dumps(words, indent=1) + "\n", "utf-8")


def _written(calibration: Calibration) -> dict[str, Any]:
    found = asdict(calibration)
    for words, line in zip(found["lines"], calibration.lines, strict=True):
        words["recovered"] = line.recovered
    return found


def _read(entry: Mapping[str, Any]) -> Calibration:
    defaults = asdict(ResponseSettings())
    settings: dict[str, Any] = defaults | {  # which were in force before there was the setting
        name: tuple(value) if isinstance(value, list) else value
        for name, value in entry["settings"].items()
    }
    for name, default in defaults.items():
        given = settings[name] if isinstance(default, tuple) else (settings[name],)
        kind = type(default[0] if isinstance(default, tuple) else default)
        if not isinstance(given, tuple) or any(type(value) is not kind for value in given):
            raise ValueError(f"--{name.replace('_', '-')} cannot be {settings[name]!r:.60}")
    lines = [{name: line[name] for name in line if name != "recovered"} for line in entry["lines"]]
    found = Calibration(
        checked(ResponseSettings(**settings)),
        whole(entry["self_play"], "self_play", at_least=1),
        entry["versions"],
        tuple(Line(**line) for line in lines),
    )
    for line in lines:
        gains = [line[name] for name in ("true_gain", "found", "measured")]
        words = [line[name] for name in ("scenario", "table")]
        kinds = {type(gain) for gain in gains}, {type(word) for word in words}
        if kinds != ({float}, {str}) or not line["true_gain"] > 0:
            raise ValueError(f"{line!r:.200} is no line")
    if not isinstance(found.versions, dict):
        raise ValueError(f"versions cannot be {found.versions!r:.60}")
    return found


def calibrate(
    settings: Annotated[ResponseSettings, tyro.conf.arg(name="")],
    scenarios: tuple[str, ...] = ("small-2", "small-3"),
    tables: tuple[str, ...] = TABLES,
    self_play: int = 3_000_000,
    folder: Path = Path("runs/calibration"),
    out: Path = FILE,
) -> Calibration:
    """Measure how much of the true gain best responses recover in games that are solved exactly.

    Example: python -m mascarade_train.calibration --decisions 1000000

    Args:
        settings: The procedure.
        scenarios: Games of the exact suite.
        tables: Agents that hold the other seats; self-play is a network that is trained for it.
        self_play: Decisions that such a network learns from.
        folder: Where these networks are kept; one that is there is taken as it is.
        out: The file of calibrations; what was measured before of the same tables is replaced.
    """
    checked(settings)
    versions = {package: version(package) for package in ("mascarade-env", "torch", "numpy")}
    lines: list[Line] = []
    for name in scenarios:
        game = build(name)
        for table in tables:
            agent = table
            if table == SELF_PLAY:
                agent = f"net:{_trained(name, self_play, folder)}"
            begun = time.monotonic()
            line, response = measure(game, agent, table, settings)
            lines.append(line)
            print(
                f"{line}: {line.found:.4f} of {line.true_gain:.4f} (measured "
                f"{response.gain:.4f} ± {response.share.margin:.4f}, {response.chosen.version}, "
                f"{response.chosen.kind}, {time.monotonic() - begun:.0f} s)",
                flush=True,
            )
            # At once, as the next may take long.
            add(Calibration(settings, self_play, versions, (line,)), out)
    return Calibration(settings, self_play, versions, tuple(lines))


def _trained(scenario: str, decisions: int, folder: Path) -> Path:
    """A network trained by self-play."""
    run = folder / f"{scenario}-{decisions}"
    s = Settings(
        scenario=(scenario,),
        decisions=decisions,
        entropy=0.3,
        trace=0.95,
        average=0.01,
        evaluate_every=decisions,
        rungs=(),
    )
    if not (run / POLICY).exists():
        run.mkdir(parents=True, exist_ok=True)
        print(f"training a network for {scenario} by self-play in {run}", flush=True)
        Training(World(), s, run).go()
    elif PolicyFile.load(run).card["provenance"].get("settings") != written(s):
        raise MascaradeError(
            f"{str(run)!r} was trained with other settings: move it away, or remove it"
        )
    return run


def main(arguments: list[str] | None = None) -> int:
    """Calibrate as the command line says; returns the exit code."""
    try:
        tyro.cli(calibrate, prog="python -m mascarade_train.calibration", args=arguments)
    except (MascaradeError, OSError) as error:
        print(f"mascarade_train.calibration: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mascarade_train.calibration: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
