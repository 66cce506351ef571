"""How much can be gained from an agent: a best response is trained against copies of it.

One player learns among n - 1 copies of an agent that is frozen, in every seat equally often. What
it wins above 1/n is a lower bound of what can be gained: a better response may win more. How much
of the true gain the procedure finds is known from games that are solved: see calibration.py.

`ResponseSettings` fix the procedure. A response to a network begins with its weights, since the
best response to a policy often resembles it; any other begins at random. There are several
trainings, with high and with low entropy, since either may find what the other does not. Each is
tried as it is, and as one that always takes its most probable action. Some games decide which is
best, and others count what it wins, so that the choice does not flatter the result. Training uses
neither.

The command `mascarade best-response` calls `best_response`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mascarade_env._policies.names import fitted_by_name
from mascarade_env._policies.protocol import Policy
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._schema import schema_of
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.checkpoints import Search, save_trainings, saved_trainings
from mascarade_train._best_response.plain_network import file_of, plain
from mascarade_train._best_response.settings import Kind, ResponseSettings, checked, kinds
from mascarade_train._best_response.training import Figures, Point, ResponseTraining, sharpened
from mascarade_train._evaluation import WinShare, alone_among
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run import checkpoints
from mascarade_train._settings import as_json

#: Seeds of the games in which the choice is made, and of those that are counted. The first is far
#: from those of `examine`; training deals by seeds that are drawn from all 63 bits.
SELECTION, EVALUATION = 2**41, 2**42


class Candidate(NamedTuple):
    """A version of the response.

    Attributes:
        kind: of its training; for "first", with which all of them begin, that of the first one.
        version: which weights: "average" of the latest, or "first" for those that it began with;
            and "sharp" if it always takes its most probable action.
        share: its win share in the games of the selection.
    """

    kind: Kind
    version: str
    share: float


@dataclass(frozen=True, slots=True)
class Response:
    """A best response and what it gains.

    Attributes:
        agent: the name of the agent that holds the other seats.
        scenario: the name of what is played.
        settings: how it was found.
        share: what it won in fresh games.
        chosen: which version it is.
        candidates: all versions to choose from.
        curve: win shares during the trainings.
        decisions: learned in all trainings.
        seconds: of the search.
        whole: whether no training was stopped early.
        policy: the response itself.
    """

    agent: str
    scenario: str
    settings: ResponseSettings
    share: WinShare
    chosen: Candidate
    candidates: tuple[Candidate, ...]
    curve: tuple[Point, ...]
    decisions: int
    seconds: float
    whole: bool
    policy: PolicyFile

    @property
    def gain(self) -> float:
        """Its win share above 1/n."""
        return self.share.mean - self.share.fair

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of what this response gains."""
        return self.share.low - self.share.fair, self.share.high - self.share.fair

    @property
    def at_least(self) -> float:
        """What the best response gains at least, with a confidence of 97.5%.

        It is the lower end of the interval, or 0, which the agent itself gains.
        """
        return max(self.interval[0], 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the policy as JSON."""
        return {
            "agent": self.agent,
            "scenario": self.scenario,
            "gain": self.gain,
            "interval": list(self.interval),
            "at_least": self.at_least,
            "share": asdict(self.share),
            "chosen": _flat(self.chosen),
            "candidates": [_flat(candidate) for candidate in self.candidates],
            "curve": [_flat(point) for point in self.curve],
            "decisions": self.decisions,
            "seconds": round(self.seconds, 1),
            "whole": self.whole,
            "settings": as_json(self.settings),
        }


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a search calls on its way.

    Attributes:
        show: gets the figures of each update.
        stopped: returns whether to end the training, after each update; what was learned until
            then is measured.
        saved: called before each measurement, when all is saved; it may raise, to end there.
    """

    show: Callable[[Figures], None] = lambda figures: None
    stopped: Callable[[], bool] = lambda: False
    saved: Callable[[], None] = lambda: None


def best_response(
    agent: str,
    scenario: str | Path | Scenario,
    settings: ResponseSettings | None = None,
    *,
    run: Path | None = None,
    hooks: Hooks | None = None,
) -> Response:
    """Train a best response to an agent, and measure it.

    Example:
        ```python
        from mascarade_train import ResponseSettings, best_response

        response = best_response("stopper", "4A", ResponseSettings(decisions=1_000_000))
        print(response.gain, response.at_least)
        ```

    Args:
        agent: the name of an agent, as for `make_agent`. One that needs views of whole games, such
            as a search, makes the games slower.
        scenario: what is played.
        settings: how; by default that of the command.
        run: a folder for checkpoints. If it holds one of this search, the search resumes and gives
            the uninterrupted result. None saves nothing.
        hooks: what it calls on its way.

    Raises:
        MascaradeError: there is no such agent, a setting is not valid, or the checkpoint is of
            another search or damaged.
    """
    s = checked(ResponseSettings() if settings is None else settings)
    calls = Hooks() if hooks is None else hooks
    trainings = _Trainings(Search(agent, resolve(scenario), s), run, calls)
    trainings.train()
    calls.saved()
    return trainings.result()


class _Trainings:
    """All trainings of a search, and what their responses win in the games of the selection."""

    def __init__(self, search: Search, run: Path | None, hooks: Hooks) -> None:
        self.search, self.run, self.hooks = search, run, hooks
        self.agent, self.rules, self.settings = search
        self.frozen = fitted_by_name(self.agent, schema_of(self.rules, "both", False))
        self.begun = time.monotonic()
        known = file_of(self.agent, self.rules)
        self.start = None if known is None else plain(known, self.rules)
        self.planned = kinds(self.settings)
        self.trainings: list[ResponseTraining] = []
        self.found: list[tuple[Candidate, PolicyFile]] = []
        self.shares: list[dict[str, float]] = []  # by version, of each training that is over
        self.earlier = 0.0  # seconds before the checkpoint that was resumed
        saved = None if run is None else saved_trainings(run, search)
        if saved is not None:
            with checkpoints.reading():
                self._restore(saved)

    def _restore(self, saved: Mapping[str, Any]) -> None:
        self.earlier = checkpoints.number(saved["seconds"], "seconds", 0.0, 1e12)
        for state in saved["trainings"]:
            self._begin().restore(state)
        for shares in saved["shares"][: len(self.trainings)]:
            self.shares.append(
                {
                    str(version): checkpoints.number(share, "a win share", 0.0, 1.01)
                    for version, share in shares.items()
                }
            )

    def train(self) -> None:
        """Train and measure one response after another, to the last one or until stopped."""
        if not self.trainings:
            self._save()  # so that it can be resumed from its beginning
        for number in range(len(self.planned)):
            training = self.trainings[number] if number < len(self.trainings) else self._begin()
            for figures in training.updates(number / len(self.planned)):
                self.hooks.show(figures)
                if self.hooks.stopped():
                    break
                if training.noted:
                    self._save()
            over = training.decisions >= self.settings.decisions
            if number >= len(self.shares):
                self._save()
                self.hooks.saved()
            self._measure(number, training, keep=over)
            if not over:
                break

    def _begin(self) -> ResponseTraining:
        kind = self.planned[len(self.trainings)]
        made = ResponseTraining(self.settings, kind, self.rules, self.frozen, self.start)
        self.trainings.append(made)
        return made

    def _measure(self, number: int, training: ResponseTraining, *, keep: bool) -> None:
        """Let all versions of a response play the games of the selection, or recall how it went."""
        versions = training.versions(self.agent)
        if self.start is not None and number == 0:  # all trainings begin with the same
            versions["first, sharp"] = sharpened(self.start)
        shares = self.shares[number] if number < len(self.shares) else {}
        for version, file in versions.items():
            if version not in shares:
                games = self.settings.selection
                shares[version] = _won(file, self.rules, self.frozen, games, SELECTION).mean
            self.found.append((Candidate(training.kind, version, shares[version]), file))
        if keep and number == len(self.shares):
            self.shares.append(shares)
            self._save()

    def _save(self) -> None:
        if self.run is not None:
            save_trainings(
                self.run,
                self.search,
                {
                    "seconds": self._seconds(),
                    "shares": self.shares,
                    "trainings": [training.state() for training in self.trainings],
                },
            )

    def _seconds(self) -> float:
        return self.earlier + time.monotonic() - self.begun

    def result(self) -> Response:
        """Measure the best response in fresh games."""
        s, trainings = self.settings, self.trainings
        chosen, policy = max(self.found, key=lambda each: each[0].share)
        return Response(
            agent=self.agent,
            scenario=self.rules.name,
            settings=s,
            share=_won(policy, self.rules, self.frozen, s.evaluation, EVALUATION),
            chosen=chosen,
            candidates=tuple(candidate for candidate, _ in self.found),
            curve=tuple(point for training in trainings for point in training.curve),
            decisions=sum(training.decisions for training in trainings),
            seconds=self._seconds(),
            whole=len(trainings) == len(self.planned) and trainings[-1].decisions >= s.decisions,
            policy=policy,
        )


def _flat(of: Candidate | Point) -> dict[str, Any]:
    """As JSON, with its kind beside the rest."""
    found = of._asdict()
    return {**found.pop("kind")._asdict(), **found}


def _won(file: PolicyFile, scenario: Scenario, frozen: Policy, games: int, seed: int) -> WinShare:
    """Return what a response wins among copies of the frozen policy, in games of one seed."""
    response = NetworkAgent(scenario, NetPolicy(file))
    return alone_among(response, frozen, scenario, games=games, seed=seed)
