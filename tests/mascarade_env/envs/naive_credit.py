"""A slow and simple reference for credit: games as lists, one `Game` for each row.

Nothing here is shared with the package but the games themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import Game, Scenario
from mascarade_env.game._rng import episode_seed
from mascarade_env.observation._blocks import Track


@dataclass
class Decided:
    """A decision with its arrays."""

    step: int
    player: int
    value: float
    action: int = 0
    observation: Any = None
    mask: Any = None


@dataclass
class Course:
    """A game: its decisions by step, and the rewards of each step."""

    row: int
    decided: list[Decided] = field(default_factory=list)
    rewards: dict[int, list[float]] = field(default_factory=dict)  # by step, of all players
    ended: int | None = None  # the step that ended it
    beyond: list[float] | None = None  # the value of a truncated game's end for each player


class Table:
    """A row of a batch, played again with `Game`, with a record of all decisions and rewards."""

    def __init__(
        self,
        scenario: Scenario,
        row: int,
        seed: int,
        track: Track,
        value_of: Callable[[NDArray[np.float32]], NDArray[np.float32]],
    ) -> None:
        self.scenario, self.row, self.seed, self.track = scenario, row, seed, track
        self.value_of = value_of
        self.courses: list[Course] = []
        self.finished: list[Game] = []
        self._deal()

    def _deal(self) -> None:
        self.game = Game(self.scenario, seed=episode_seed(self.seed, len(self.courses)))
        self.courses.append(Course(self.row))

    def play(self, step: int, action: int, value: float) -> None:
        game, course = self.game, self.courses[-1]
        assert game.player is not None
        course.decided.append(
            Decided(
                step,
                game.player,
                value,
                action,
                game.observation(track=self.track),
                game.legal_mask().astype(np.int8),
            )
        )
        game.play(action)
        course.rewards[step] = list(game.returns())
        if game.over:
            course.ended = step
            if game.truncated:
                course.beyond = [
                    float(self.value_of(game.observation(player, self.track)[None])[0])
                    for player in range(self.scenario.players)
                ]
            self.finished.append(game)
            self._deal()


def targets(
    courses: Sequence[Course], begin: int, end: int, discount: float, trace: float
) -> dict[tuple[int, int], float]:
    """Return the lambda-returns of the decisions that a window completes, by (row, step).

    The window holds the steps `begin <= step < end`, and nothing is known of those after it.
    """
    found: dict[tuple[int, int], float] = {}
    for course in courses:
        if course.ended is not None and course.ended < begin:
            continue  # its returns are known already
        for player in {decided.player for decided in course.decided}:
            chain = [d for d in course.decided if d.player == player and d.step < end]
            if course.ended is not None and course.ended < end:
                known_from = course.ended
                value = target = 0.0 if course.beyond is None else course.beyond[player]
                until = course.ended + 1
            elif chain:
                pending = chain.pop()
                known_from = until = pending.step
                value = target = pending.value
            for decided in reversed(chain):
                steps = [step for step in course.rewards if decided.step <= step < until]
                reward = sum(course.rewards[step][player] for step in steps)
                target = reward + discount * ((1 - trace) * value + trace * target)
                if begin <= known_from < end:
                    found[course.row, decided.step] = target
                value, known_from, until = decided.value, decided.step, decided.step
    return found


def targets_of_whoever_is_next(
    courses: Sequence[Course], begin: int, end: int, discount: float, trace: float
) -> dict[tuple[int, int], float]:
    """The usual mistake: bootstrap from the next decision in the game, by another player.

    A decision gets the player's reward of its step, and the value of the next player's decision.
    """
    found: dict[tuple[int, int], float] = {}
    for course in courses:
        chain = [d for d in course.decided if begin <= d.step < end]
        if not chain:
            continue
        value = target = 0.0 if chain[-1].step == course.ended else chain[-1].value
        for decided in reversed(chain):
            reward = course.rewards[decided.step][decided.player]
            target = reward + discount * ((1 - trace) * value + trace * target)
            found[course.row, decided.step] = target
            value = decided.value
    return found
