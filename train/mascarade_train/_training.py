"""A training run from its first game to its last: play, learn, look how it goes, write it down."""

import json
import time
from collections.abc import Iterable, Mapping, Sized
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mascarade_env._errors import MascaradeError
from mascarade_env.envs._opponents import check_plays
from mascarade_env.game._scenarios import resolve
from mascarade_env.observation._schema import Schema
from mascarade_train._agents import NetworkAgent
from mascarade_train._league import League
from mascarade_train._named_agents import NamedAgent
from mascarade_train._net_policy import NetPolicy
from mascarade_train._networks import Network
from mascarade_train._policy_file import NAME as POLICY
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Learner, Settings, Update, teaching_weight
from mascarade_train._rollouts import Collector, Harvest
from mascarade_train._run import checkpoints
from mascarade_train._run.display import Display, Shown, display
from mascarade_train._run.examination import examine
from mascarade_train._run.logs import Log
from mascarade_train._run.play_measures import Conduct, rates
from mascarade_train._run.processes import World
from mascarade_train._run.provenance import commit, versions


@dataclass(frozen=True, slots=True)
class Figures:
    """How training stands, in a line.

    Attributes:
        done: the share of the training that is over.
        decisions: learned so far.
        rate: decisions learned in a second, evaluations left out.
        conduct: see conduct.py.
        shares: win shares alone among agents of the ladder, lately.
    """

    done: float
    decisions: int
    rate: float
    entropy: float
    conduct: Mapping[str, float]
    shares: Mapping[str, float]

    def __str__(self) -> str:
        words = [f"{self.done:>4.0%} {self.decisions / 1e6:.1f}M {self.rate / 1e3:.0f}k/s"]
        words.append(f"entropy {self.entropy:.2f}")
        words += [f"{name} {value:.0%}" for name, value in self.conduct.items() if name in _SHOWN]
        words += [f"{name} {value:.0%}" for name, value in self.shares.items()]
        return ", ".join(words)


_SHOWN = ("announces", "false", "claims")


class Training:
    """One process of a run.

    Args:
        world: all processes of the run.
        settings: of the run.
        run: its folder.
    """

    def __init__(self, world: World, settings: Settings, run: Path) -> None:
        torch.set_num_threads(1)  # small networks: more threads only wait for each other
        self.world = world
        self.settings = s = settings
        self.run = run
        self.schemas = [Schema(resolve(name), s.track, padded=s.padded) for name in s.scenario]
        self.learner = Learner(s, self.schemas)
        self.started: dict[str, Any] | None = None
        if s.start is not None and s.resume is None:
            networks = (self.learner.network, self.learner.average)
            self.started = begin_with(s.start, self.schemas[0], networks)
        self.league = (
            League(s.league, s.league_every, s.league_keep, s.league_agents, self.learner.network)
            if s.league
            else None
        )
        # Games and what is drawn are of each process by itself; the network is the same in all.
        self.games = Collector(
            self.schemas,
            s.games,
            s.steps,
            s.seed + 1_000_003 * (world.rank + 1),
            self.league,
            NamedAgent(s.teacher) if s.teacher else None,
            full=s.critic == "table",
            worlds=s.worlds,
        )
        self.chance = np.random.default_rng([s.seed, world.rank])
        self.decisions = 0  # learned, in all processes
        self.seconds = 0.0  # of learning, without evaluations
        self.updates = 0
        self.due = s.evaluate_every  # decisions at which it is next evaluated
        self.shares: dict[str, float] = {}
        self._unexamined = False  # whether the last checkpoint awaits its evaluation

    @property
    def over(self) -> float:
        """The share of the training that is over."""
        s = self.settings
        timed = 0.0 if s.minutes is None else self.seconds / (60 * s.minutes)
        return min(max(self.decisions / s.decisions, timed), 1.0)

    def go(self, stops: Sized = ()) -> None:
        """Train until all is learned, or somebody interrupts.

        Args:
            stops: interrupts, should some come.
        """
        conduct = Conduct(self.schemas[0])
        screen = display() if self.world.leads else nullcontext(_Silent())
        written_down = closing(Log(self.run, self.decisions)) if self.world.leads else nullcontext()
        with screen as shown, written_down as log:
            if self._unexamined:  # it was broken off there
                self._examine(log)
            while self.over < 1 and not self.world.sum([len(stops)])[0]:
                begun = time.monotonic()
                harvest, update = self.update()
                counted = self.world.sum(
                    [len(harvest.action), time.monotonic() - begun, *conduct.count(harvest)]
                )
                self.decisions += int(counted[0])
                self.seconds += counted[1] / self.world.size
                self.updates += 1
                if self.league is not None:
                    self.league.learned(self.decisions, self.learner.network)
                figures = Figures(
                    done=self.over,
                    decisions=self.decisions,
                    rate=self.decisions / self.seconds,
                    entropy=update.entropy,
                    conduct=rates(counted[2:]),
                    shares=self.shares,
                )
                shown.show(figures)
                if log is not None:
                    log.learned(self.decisions, self.seconds, update._asdict(), figures.conduct)
                    if self.league is not None:
                        log.league(self.decisions, self.league.standing())
                if self.decisions >= self.due or self.over >= 1:
                    self.due = self.decisions + self.settings.evaluate_every
                    self._evaluate(log)
            self.save()

    def update(self) -> tuple[Harvest, Update]:
        """Play until there are decisions to learn from, and learn from them."""
        self.games.teaching = teaching_weight(self.settings, self.over) > 0
        while not self.games.ready:
            self.games.step(*self.learner.says(self.games, self.chance), self.chance)
        harvest = self.games.harvest(self.settings.trace)
        return harvest, self.learner.learn(harvest, self.over, self.chance, self.world)

    def _evaluate(self, log: Log | None) -> None:
        """Write a checkpoint, and see how the policy fares; the others wait meanwhile."""
        self._unexamined = True
        self.save()
        self._examine(log)

    def _examine(self, log: Log | None) -> None:
        self._unexamined = False
        if log is None:
            return
        agent = NetworkAgent(self.schemas[0].scenario, NetPolicy(self.policy()))
        found = examine(agent, self.settings.rungs, self.settings.evaluation, both_ways=False)
        self.shares = {name: share.mean for name, share in found.alone.items()}
        log.examined(self.decisions, self.seconds, found)

    def policy(self) -> PolicyFile:
        """What has been learned, to be played."""
        s = self.settings
        return PolicyFile.of(
            self.schemas[0],
            self.learner.average.arrays(),
            events=self.learner.network.events,
            scenarios=[schema.scenario.name for schema in self.schemas],
            provenance={
                "settings": written(s),
                "decisions": self.decisions,
                "seconds": round(self.seconds, 1),
                "versions": versions("torch", "numpy", "numba"),
                "commit": commit(),
                **({} if self.started is None else {"start": self.started}),
            },
        )

    def save(self) -> None:
        """Write the checkpoint and the policy."""
        mine = {
            "games": [
                {name: torch.from_numpy(array) for name, array in arrays.items()}
                for arrays in self.games.arrays()
            ],
            "chance": json.dumps(self.chance.bit_generator.state),
            "league": None if self.league is None else self.league.state(),
        }
        everyone = self.world.gather(mine)
        if not self.world.leads:
            return
        policy = self.policy()  # if it cannot be played, the last checkpoint stays
        checkpoints.save(
            self.run / checkpoints.NAME,
            {
                "settings": json.dumps(written(self.settings)),
                "scenarios": self._scenarios(),
                "decisions": self.decisions,
                "seconds": self.seconds,
                "updates": self.updates,
                "due": self.due,
                "unexamined": self._unexamined,
                "started": json.dumps(self.started),
                "learner": self.learner.state(),
                "processes": everyone,
            },
        )
        policy.save(self.run / POLICY)

    def _scenarios(self) -> str:
        return json.dumps([schema.scenario.to_dict() for schema in self.schemas])

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Resume from a checkpoint.

        Raises:
            MascaradeError: it is of another run, or damaged.
        """
        with checkpoints.reading():
            self._restore(saved)

    def _restore(self, saved: Mapping[str, Any]) -> None:
        processes = saved["processes"]
        if not isinstance(processes, list) or len(processes) != self.world.size:
            raise MascaradeError(
                f"this run has {len(processes)} processes, not {self.world.size}: resume it "
                f"with --processes {len(processes)}"
            )
        if saved["scenarios"] != self._scenarios():
            raise MascaradeError("this run has other scenarios; leave them as they were")
        mine = processes[self.world.rank]
        _check_same("league", self.league is not None, had=mine["league"] is not None)
        had, has = checkpoints.from_json(saved["settings"]), written(self.settings)
        # What has been dealt and drawn already; or the log would be of a run that never was.
        for name in ("worlds", "seed", "name", "folder"):
            if had[name] != has[name]:
                raise MascaradeError(f"this run has --{name} {had[name]}; leave it as it was")
        taught = any("carried.extra taught" in arrays for arrays in mine["games"])
        _check_same("teacher", self.settings.teacher is not None, had=taught)
        self.learner.restore(saved["learner"])
        if self.league is not None:
            self.league.restore(mine["league"])
        self.games.restore(
            [
                {name: checkpoints.as_array(array) for name, array in arrays.items()}
                for arrays in mine["games"]
            ]
        )
        self.chance.bit_generator.state = checkpoints.random_state(mine["chance"])
        self.decisions = checkpoints.count(saved["decisions"], "decisions")
        self.seconds = checkpoints.number(saved["seconds"], "seconds", 0.0, 1e12)
        self.updates = checkpoints.count(saved["updates"], "updates")
        self.due = checkpoints.count(saved["due"], "due")
        if type(saved["unexamined"]) is not bool:
            raise checkpoints.damaged("unexamined", saved["unexamined"])
        self._unexamined = saved["unexamined"]
        started = checkpoints.from_json(saved["started"])
        if not isinstance(started, dict | None):
            raise checkpoints.damaged("started", started)
        self.started = started


def begin_with(start: Path, schema: Schema, networks: Iterable[Network]) -> dict[str, Any]:
    """Give networks the weights of a policy.

    Args:
        start: a policy file, or the folder of a run.
        schema: of what the networks observe.
        networks: which get the weights.

    Returns:
        How the policy was made.

    Raises:
        MascaradeError: there is none, or not one for this.
    """
    file = PolicyFile.load(start)
    own = file.schema
    if (own.track, own.padded) != (schema.track, schema.padded):
        raise MascaradeError(f"--start {str(start)!r} reads {own!r}, not {schema!r}")
    if not schema.padded:
        check_plays(own, schema.scenario)
    try:
        for network in networks:
            network.load_arrays(file.arrays)
    except RuntimeError as error:
        raise MascaradeError(
            f"--start {str(start)!r} has weights of other shapes: give the --layers, --events, "
            "--embedding and --slots that it was trained with"
        ) from error
    return dict(file.card["provenance"])


def _check_same(what: str, has: bool, *, had: bool) -> None:
    """Whether a run goes on with what it had: else what is pending at its tables would not fit."""
    if has != had:
        raise MascaradeError(
            f"this run has {'a' if had else 'no'} {what}; leave --{what} as it was"
        )


def written(settings: Settings) -> dict[str, Any]:
    """Settings as JSON."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(settings), default=str))
    return found


class _Silent(Display):
    def __init__(self) -> None:
        super().__init__(None)

    def show(self, figures: Shown) -> None:
        """Nothing: another process shows it."""
