"""Decisions of networks, hand-written agents and search in fixed positions, and an arena."""

import numpy as np

from tests.fingerprints.digests import Entries, digest, sketch
from tests.fingerprints.parts import (
    LADDER,
    Agent,
    Game,
    PolicyFile,
    Positions,
    make_agent,
    released_names,
    released_path,
    run_arena,
    summary,
)
from tests.fingerprints.positions import positions

_POSITIONS = 1000
#: Scenarios for agents that play all scenarios: every mask is in one of them.
_ANYWHERE = ("6A", "7B", "8B", "9B", "12A")
_SEARCH = ("flat:60", "ismcts:60")
_SEARCHED = ("6A", "8B")
_MOMENTS = range(6, 42, 3)  # number of decisions before each search


def networks() -> Entries:
    """Return sums over probabilities of every released network, in its scenarios."""
    found: Entries = {}
    for name in released_names():
        learned = PolicyFile.load(released_path(name)).card["scenarios"]
        found[name] = {
            scenario: _probabilities(
                make_agent(f"released:{name}", scenario), scenario, _POSITIONS // len(learned)
            )
            for scenario in learned
        }
    return found


def agents() -> Entries:
    """Return sums over probabilities of every hand-written agent."""
    return {
        name: {
            scenario: _probabilities(
                make_agent(name, scenario), scenario, _POSITIONS // len(_ANYWHERE)
            )
            for scenario in _ANYWHERE
        }
        for name in LADDER
    }


def _probabilities(agent: Agent, scenario: str, count: int) -> Entries:
    """Return a sum over the probabilities of all actions, for each phase."""
    found: Entries = {}
    for phase, (observations, masks) in positions(scenario, count).items():
        probabilities = agent.probabilities(Positions(observations, masks, agent.reads))
        assert probabilities is not None
        found[phase] = sketch(probabilities)
    return found


def search() -> Entries:
    """Return the seeded choices of agents that search: a list of action ids."""
    return {
        name: {scenario: _choices(make_agent(name, scenario), scenario) for scenario in _SEARCHED}
        for name in _SEARCH
    }


def _choices(agent: Agent, scenario: str) -> str:
    rng = np.random.default_rng(0)
    chosen = []
    for seed, moment in enumerate(_MOMENTS):
        game = Game(scenario, seed=seed)
        game.play_randomly(moment)
        if not game.over:
            chosen.append(agent.act(game.view(), rng))
    return " ".join(map(str, chosen))


def arena() -> Entries:
    """Return digests of the report of an arena, without versions, times and sentences."""
    outcome = run_arena(LADDER, "4A", games=28, seed=0, measured=20)
    found = summary(outcome.results, outcome.behaviour.to_dict(), outcome.meta())
    for wording in ("says", "meta"):
        del found[wording]
    found["behaviour"].pop("measures")  # titles and meanings
    return {name: digest(_rounded(part)) for name, part in found.items()}


def _rounded(part: object) -> object:
    """Return a value with float64 numbers rounded to digits that are the same on all machines."""
    match part:
        case float():
            return float(f"{part:.9g}")
        case dict():
            return {key: _rounded(value) for key, value in part.items()}
        case list():
            return [_rounded(value) for value in part]
    return part
