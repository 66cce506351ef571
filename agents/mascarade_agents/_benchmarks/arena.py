"""Benchmarks of an arena, including the time of the agents."""

from collections.abc import Sequence

import numpy as np

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.bluffer import Bluffer
from mascarade_agents._ladder.honest import Honest
from mascarade_agents.arena import Factory, run
from mascarade_env._benchmarks import Benchmark, best_rate
from mascarade_env.knowledge._agent_view import AgentView


class _Viewing(Agent):
    """An agent that reads the legal actions of its view and decides at random."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal_ids()))


def _decisions(agents: Sequence[tuple[str, Factory]], games: int) -> float:
    """Return the decisions per second of an arena in this process, with scenario 6A."""

    def work() -> int:
        outcome = run(agents, "6A", games=games)
        return int(outcome.results.decisions.sum())

    return best_rate(work)


BENCHMARKS = (
    Benchmark(
        "arena-6A",
        "decisions of an arena of two agents of the ladder, 6A",
        "/s",
        lambda: _decisions([("honest", Honest), ("bluffer", Bluffer)], 2000),
        at_least=50e3,
    ),
    Benchmark(
        "arena-views-6A",
        "the same for two random agents that use views",
        "/s",
        lambda: _decisions([("one", _Viewing), ("other", _Viewing)], 50),
    ),
)
