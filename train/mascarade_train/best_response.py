"""What a policy leaves to gain: a best response is trained against a frozen table.

One player learns alone, among n - 1 copies of an agent that does not change, in every seat equally
often. What it wins above 1/n the agent leaves to gain, and nobody knows how much more a better
response would win: so the figure is a lower bound. How low it may be is told by calibration.py,
where the same procedure is measured in games whose best responses are known exactly.

The procedure is fixed by `ResponseSettings`. A response to a network begins with its weights, as
what is best against a policy is often much like it; any other begins with nothing. It is trained
more than once, held open for long and for short, since either may find what the other does not.
Each is tried as it is, and as one that always takes what it deems best. Which is best is decided in
some games, and what it wins is counted in others, so that the choice does not flatter the figure.
Neither have been trained on.

    response = best_response("stopper", "6A", ResponseSettings())
    print(response.gain, response.at_least)

The command `mascarade best-response` is made of it.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mascarade_agents.agent import Agent
from mascarade_agents.registry import make_agent
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.scenarios import Scenario, resolve
from mascarade_train.agents import NetworkAgent
from mascarade_train.evaluation import WinShare, win_share
from mascarade_train.net_policy import NetPolicy
from mascarade_train.plain_network import file_of, plain
from mascarade_train.policy_file import PolicyFile
from mascarade_train.response_settings import Kind, ResponseSettings, as_json, checked, kinds
from mascarade_train.response_training import Figures, Point, ResponseTraining, sharpened

#: Seeds of the games in which the choice is made, and of those that are counted. The first is far
#: from those of `examine`; training deals by seeds that are drawn from all 63 bits.
SELECTION, EVALUATION = 2**41, 2**42


class Candidate(NamedTuple):
    """A version of the response.

    Attributes:
        kind: of its training; for "first", with which all of them begin, that of the first one.
        version: which weights: "average" of the latest, or "first" for those that it began with;
            and "sharp" if it always takes what it deems best.
        share: in the games of the selection.
    """

    kind: Kind
    version: str
    share: float


@dataclass(frozen=True, slots=True)
class Response:
    """A response and what it gains.

    Attributes:
        agent: the name of the agent that holds the other seats.
        scenario: the name of what is played.
        settings: how it was found.
        share: what it won in fresh games.
        chosen: which version it is.
        candidates: all versions that there were to choose from.
        curve: how trainings went.
        decisions: learned from in all trainings.
        seconds: that it took.
        whole: whether no training was broken off.
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
        """What it wins above 1/n."""
        return self.share.mean - self.share.fair

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of what this response gains."""
        return self.gain - self.share.margin, self.gain + self.share.margin

    @property
    def at_least(self) -> float:
        """The best response gains no less, with a confidence of 97.5%.

        It is the lower end of the interval, or 0, which the agent itself gains.
        """
        return max(self.interval[0], 0.0)

    def to_dict(self) -> dict[str, Any]:
        """All but the policy, as JSON."""
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


def best_response(
    agent: str,
    scenario: str | Path | Scenario,
    settings: ResponseSettings,
    *,
    told: Callable[[Figures], None] = lambda figures: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Response:
    """Train a best response to an agent, and measure it.

    Args:
        agent: the name of an agent that plays by observations alone, as for `make_agent`.
        scenario: what is played.
        settings: how.
        told: is told how it goes, after each update.
        stopped: whether to train no longer; what was learned until then is measured.

    Raises:
        MascaradeError: there is no such agent, it needs more than observations, or a setting
            cannot be.
    """
    s = checked(settings)
    rules = resolve(scenario)
    frozen = frozen_agent(agent, rules)
    begun = time.monotonic()
    known = file_of(agent, rules)
    start = None if known is None else plain(known, rules)
    trainings: list[ResponseTraining] = []
    found: list[tuple[Candidate, PolicyFile]] = []
    planned = kinds(s)
    for number, kind in enumerate(planned):
        training = ResponseTraining(s, kind, rules, frozen, start)
        trainings.append(training)
        for figures in training.updates(number / len(planned)):
            told(figures)
            if stopped():
                break
        versions = training.versions(agent)
        if start is not None and number == 0:  # all trainings begin with the same
            versions["first, sharp"] = sharpened(start)
        for version, file in versions.items():
            share = _won(file, rules, frozen, s.selection, SELECTION).mean
            found.append((Candidate(kind, version, share), file))
        if training.decisions < s.decisions:
            break
    chosen, policy = max(found, key=lambda each: each[0].share)
    return Response(
        agent=agent,
        scenario=rules.name,
        settings=s,
        share=_won(policy, rules, frozen, s.evaluation, EVALUATION),
        chosen=chosen,
        candidates=tuple(candidate for candidate, _ in found),
        curve=tuple(point for training in trainings for point in training.curve),
        decisions=sum(training.decisions for training in trainings),
        seconds=time.monotonic() - begun,
        whole=len(trainings) == len(planned) and trainings[-1].decisions >= s.decisions,
        policy=policy,
    )


def frozen_agent(name: str, scenario: Scenario) -> Agent:
    """The agent of a name, if a table can be made of it."""
    agent = make_agent(name, scenario)
    if agent.needs_views:
        raise MascaradeError(
            f"{name} needs views of whole games, and a response is trained among agents that play "
            "by observations alone: name another, such as stopper or net:runs/6A"
        )
    return agent


def _flat(of: Candidate | Point) -> dict[str, Any]:
    """As JSON, with its kind beside the rest."""
    found = of._asdict()
    return {**found.pop("kind")._asdict(), **found}


def _won(file: PolicyFile, scenario: Scenario, frozen: Agent, games: int, seed: int) -> WinShare:
    """What a response wins among copies of the agent, by random numbers that follow the seed."""
    response = NetworkAgent(scenario, NetPolicy(file))
    return win_share(
        response.policy(seed), scenario, opponents=frozen.policy(seed + 1), games=games, seed=seed
    )
