"""Agents that misbehave at the same moments in each run, and tiny scenarios.

The classes are at the top level of a module, so that worker processes can import them.
"""

import os
import time
from typing import Any, ClassVar

import numpy as np
from numba.core import event
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_env import AgentView, Positions, Scenario, Schema
from mascarade_env.game._positions import PHASES

Observations = NDArray[np.float32]
Masks = NDArray[np.int8]
Taken = NDArray[np.int64]

DUEL = Scenario(
    "duel",
    players=2,
    masks=("king", "thief", "judge"),
    strict=False,
    opening_turns=2,
    turn_limit=6,
    at_limit="richest",
)
TRIO = Scenario(
    "trio",
    players=3,
    masks=("king", "widow", "thief", "judge"),
    strict=False,
    opening_turns=3,
    turn_limit=9,
    at_limit="richest",
)


class Chancy(Agent):
    """An agent that samples one of the legal actions."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        drawn: Taken = np.where(positions.masks, rng.random(positions.masks.shape), -1.0).argmax(
            axis=1
        )
        return drawn


class Viewing(Agent):
    """An agent that samples one of the legal actions of its view."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal_ids()))


class Slow(Viewing):
    """The same, but it sleeps as long as an environment variable says."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        time.sleep(float(os.environ.get("MASCARADE_TEST_SECONDS", "0")))
        return super().act(view, rng)


class Meek(Agent):
    """An agent that takes the first legal action and never claims."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario, argument)
        self.schema = Schema(scenario, "both")

    def in_phase(self, observations: Observations, phase: str) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (
            self.schema.views(observations)["phase"][:, PHASES.index(phase)] > 0
        )
        return found

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        first, last = (
            positions.masks.argmax(axis=1),
            positions.masks.shape[1] - 1 - positions.masks[:, ::-1].argmax(axis=1),
        )
        taken: Taken = np.where(self.in_phase(positions.observations, "challenge"), last, first)
        return taken


class Kingly(Meek):
    """The same, but it announces the King whenever it may, and so becomes richer."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        taken = super().act_batch(positions, rng)
        announce = {"duel": 4, "trio": 5}[self.scenario.name]
        may = self.in_phase(positions.observations, "turn") & (positions.masks[:, announce] > 0)
        taken[may] = announce
        return taken


class Bad(Chancy):
    """An agent like `Chancy` that misbehaves when it may claim the King."""

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario, argument)
        self.schema = Schema(scenario, "both")

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        seen = self.schema.views(positions.observations)
        challenge = seen["phase"][:, PHASES.index("challenge")] > 0
        where = challenge & (seen["announced"][:, self.schema.masks.index("king")] > 0)
        if where.any():
            self.misbehave()
        good = super().act_batch(positions, rng)
        return self.spoilt(good, where) if where.any() else good

    def misbehave(self) -> None:
        """Misbehave before the answer."""

    def spoilt(self, good: Taken, where: NDArray[np.bool_]) -> Any:
        """Return the answer of a misbehaving agent."""
        return good


class Raises(Bad):
    def misbehave(self) -> None:
        raise RuntimeError("no idea\nat all")


class Exits(Bad):
    def misbehave(self) -> None:
        raise SystemExit(3)


class Interrupts(Bad):
    def misbehave(self) -> None:
        raise KeyboardInterrupt


class EndsWhenDropped:
    """An object that ends the process when it is deleted."""

    def __del__(self) -> None:
        os._exit(9)


class Late(list[int]):
    """An agent whose answer ends the process when it is deleted, after the call."""

    def __init__(self, taken: Taken) -> None:
        super().__init__(taken.tolist())
        self.held = EndsWhenDropped()


class DiesLater(Bad):
    def spoilt(self, good: Taken, where: NDArray[np.bool_]) -> Any:
        return Late(good)


class Sleeps(Bad):
    def misbehave(self) -> None:
        time.sleep(3600)


class Loops(Bad):
    def misbehave(self) -> None:
        while True:
            try:
                np.zeros(1).sum()
            except BaseException:
                continue


class Dies(Bad):
    def misbehave(self) -> None:
        os._exit(7)


class Forks(Bad):
    """An agent that ends its process but leaves a child that holds all pipes open."""

    def misbehave(self) -> None:
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
        os._exit(7)


class Compiles(Chancy):
    """An agent that spends long on something that looks like compilation."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        if not self.ready:
            self.ready = True
            with event.trigger_event("numba:compile", {"dispatcher": None}):
                time.sleep(1)
        return super().act_batch(positions, rng)

    ready = False


class TooHigh(Bad):
    number: ClassVar[int] = 10**12

    def spoilt(self, good: Taken, where: NDArray[np.bool_]) -> Any:
        return np.where(where, self.number, good)


class Negative(TooHigh):
    number = -1


class Forbidden(TooHigh):
    number = 0


class Floats(Bad):
    def spoilt(self, good: Taken, where: NDArray[np.bool_]) -> Any:
        return good.astype(float)


class TooMany(Bad):
    def spoilt(self, good: Taken, where: NDArray[np.bool_]) -> Any:
        return np.append(good, 0)


class Nothing(Bad):
    def spoilt(self, good: Taken, where: NDArray[np.bool_]) -> Any:
        return None


class DislikesCrowds(Chancy):
    """An agent that can decide for one row only."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        if len(positions.masks) > 1:
            raise ValueError("one by one, please")
        return super().act_batch(positions, rng)


class Scribbles(Chancy):
    """An agent that writes into all its arrays."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        taken = super().act_batch(positions, rng)
        positions.observations[:] = 7
        positions.masks[:] = 1
        return taken


class Helps(Chancy):
    """An agent that marks everything as legal and takes it."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        positions.masks[:] = 1
        return np.full(len(positions.masks), positions.masks.shape[1] - 1)


class Compares(Chancy):
    """An agent that compares its views with observations and action masks, then samples."""

    needs_views = True

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
        assert len(positions.views) == len(positions.masks)
        for view, observation, mask in zip(
            positions.views, positions.observations, positions.masks, strict=True
        ):
            np.testing.assert_array_equal(view.observation(), observation)
            np.testing.assert_array_equal(view.legal_mask(), mask)
        assert [view.player for view in positions.views[1:]] == [
            view.player for view in positions.views
        ][1:]
        assert positions.views[-1] is positions.views[len(positions.views) - 1]
        return super().act_batch(positions, rng)


class Unmade(Chancy):
    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        raise OSError("no such network")


def not_an_agent(scenario: Scenario, argument: str) -> Any:
    return "random"
