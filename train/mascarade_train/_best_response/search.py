"""Find a lower bound on the exploitability of an agent: train a best response against copies of it.

One player (the response) learns in games with n - 1 copies of a frozen agent, in every seat equally
often. Its gain is its win share minus 1/n. This is a lower bound on the gain of a best response,
because a better response may win more. calibration.py has the share of the true gain that this
method finds in solved games.

`ResponseSettings` determine the method:

1. A response to a network starts from its weights, because the best response to a policy often
   resembles it. Any other response starts from random weights.
2. There are several trainings, with high and with low entropy, because either may find a response
   that the other misses.
3. Each trained policy gives two candidates: one samples its actions, the other always takes the
   most probable action.
4. The candidate that wins most in one set of games is chosen. A second set of games measures it, so
   that the choice does not bias the result. Training uses other games than these.

The command `mascarade best-response` calls `best_response`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mascarade_env._policies.names import fitted_by_name
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._schema import schema_of
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.checkpoints import Search, save_trainings, saved_trainings
from mascarade_train._best_response.plain_network import file_of, plain
from mascarade_train._best_response.settings import Kind, ResponseSettings, checked, kinds
from mascarade_train._best_response.training import (
    Figures,
    FrozenOpponents,
    Point,
    ResponseTraining,
    sharpened,
)
from mascarade_train._evaluation import WinShare, alone_among
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run import checkpoints
from mascarade_train._settings import as_json

#: Seeds of the games that choose a candidate, and of the games that measure it. Both are far from
#: the seeds of `examine`. Training samples its seeds from all 63-bit numbers.
SELECTION, EVALUATION = 2**41, 2**42


class Candidate(NamedTuple):
    """A policy that may become the response.

    Attributes:
        kind: the settings of its training. The policy that all trainings start from (`first`) has
            the settings of the first training.
        version: its weights: `average` for the averaged weights, `first` for the weights at the
            start. The suffix `, sharp` means that it always takes its most probable action.
        share: its win share in the games of the selection.
    """

    kind: Kind
    version: str
    share: float


@dataclass(frozen=True, slots=True)
class Response:
    """A trained best response, and the win share that it reached.

    Attributes:
        agent: the name of the agent on all other seats.
        scenario: the name of the scenario.
        settings: the settings of the search.
        share: its win share in the evaluation, in games that were not used before.
        chosen: the candidate that became the response.
        candidates: all candidates.
        curve: win shares during the trainings.
        decisions: learned decisions in all trainings.
        seconds: duration of the search.
        whole: whether all trainings spent their budget.
        policy: the network of the response.
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
        """The win share of this response above 1/n."""
        return self.share.mean - self.share.fair

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval (low, high) of `gain`."""
        return self.share.low - self.share.fair, self.share.high - self.share.fair

    @property
    def at_least(self) -> float:
        """The lower bound on the gain of a best response, with a confidence of 97.5%.

        It is the lower end of the interval, or 0 if that is negative, because a copy of the agent
        gains 0.
        """
        return max(self.interval[0], 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the policy as JSON."""
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
    """Functions that a search calls while it runs.

    Attributes:
        show: called with the figures of each update.
        stopped: called after each update; True ends training, and the response so far is measured.
        saved: called before each measurement, after a checkpoint; it may raise to end the search.
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
        agent: the name of an agent, as for `make_agent`. An agent that needs views of whole games,
            such as a search, makes the games slower.
        scenario: the scenario to play.
        settings: the settings of the search, by default `ResponseSettings()`.
        run: a folder for checkpoints; with None, nothing is saved. If it holds a checkpoint of this
            search, the search resumes, and its result is that of an uninterrupted search.
        hooks: functions to call while it runs.

    Raises:
        MascaradeError: the agent does not exist or its code fails, a setting is not valid, or the
            checkpoint is damaged or belongs to another search.
    """
    s = checked(ResponseSettings() if settings is None else settings)
    calls = Hooks() if hooks is None else hooks
    trainings = _Trainings(Search(agent, resolve(scenario), s), run, calls)
    trainings.train()
    calls.saved()
    return trainings.result()


class _Trainings:
    """All trainings of a search, and the win shares of their candidates."""

    def __init__(self, search: Search, run: Path | None, hooks: Hooks) -> None:
        self.search, self.run, self.hooks = search, run, hooks
        self.agent, self.rules, self.settings = search
        self.frozen = fitted_by_name(self.agent, schema_of(self.rules, "both", False))
        self.begun = time.monotonic()
        network = file_of(self.agent, self.rules)
        self.start = None if network is None else plain(network, self.rules)
        self.planned = kinds(self.settings)
        self.trainings: list[ResponseTraining] = []
        self.candidates: list[tuple[Candidate, PolicyFile]] = []
        self.shares: list[dict[str, float]] = []  # by version, for each finished training
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
        """Train and measure one response after another, until all are done or `hooks` stop it."""
        if not self.trainings:
            self._save()  # so that it can be resumed from the start
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
        opponents = FrozenOpponents(self.frozen, self.agent)
        training = ResponseTraining(self.settings, kind, self.rules, opponents, self.start)
        self.trainings.append(training)
        return training

    def _measure(self, number: int, training: ResponseTraining, *, keep: bool) -> None:
        """Measure each candidate in the games of the selection, unless its share is stored."""
        versions = training.versions()
        if self.start is not None and number == 0:  # all trainings have the same start
            versions["first, sharp"] = sharpened(self.start)
        shares = self.shares[number] if number < len(self.shares) else {}
        for version, file in versions.items():
            if version not in shares:
                games = self.settings.selection
                shares[version] = _won(file, self.search, games, SELECTION).mean
            self.candidates.append((Candidate(training.kind, version, shares[version]), file))
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
        """Measure the best candidate in the games of the evaluation."""
        s, trainings = self.settings, self.trainings
        chosen, policy = max(self.candidates, key=lambda each: each[0].share)
        return Response(
            agent=self.agent,
            scenario=self.rules.name,
            settings=s,
            share=_won(policy, self.search, s.evaluation, EVALUATION),
            chosen=chosen,
            candidates=tuple(candidate for candidate, _ in self.candidates),
            curve=tuple(point for training in trainings for point in training.curve),
            decisions=sum(training.decisions for training in trainings),
            seconds=self._seconds(),
            whole=len(trainings) == len(self.planned) and trainings[-1].decisions >= s.decisions,
            policy=policy,
        )


def _flat(of: Candidate | Point) -> dict[str, Any]:
    """Return the fields as one dict, in which the fields of `kind` replace it."""
    fields = of._asdict()
    return {**fields.pop("kind")._asdict(), **fields}


def _won(file: PolicyFile, search: Search, games: int, seed: int) -> WinShare:
    """Return the win share of one response against n - 1 copies of the agent."""
    response = NetworkAgent(search.scenario, NetPolicy(file))
    return alone_among(response, search.agent, search.scenario, games=games, seed=seed)
