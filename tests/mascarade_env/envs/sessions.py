"""Games in a `SelfPlay` with random actions, and the same games played singly."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import Batch, Scenario, scenarios
from mascarade_env.envs._self_play import SelfPlay
from tests.mascarade_env.envs.naive_credit import Course, Decided, Table

MASKS = scenarios()["6A"].masks
DUEL = Scenario(
    "duel",
    players=2,
    masks=("king", "thief", "judge"),
    strict=False,
    turn_limit=6,
    opening_turns=2,
    fixed_deal=True,
)
SHORT = Scenario("short", 6, MASKS, turn_limit=14)  # most games are void
RICHEST = Scenario(  # often several win
    "richest", 6, MASKS, turn_limit=9, at_limit="richest", strict=False
)


def value_of(observations: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return values that differ between players and positions."""
    weights = np.linspace(-1, 1, observations.shape[1])
    return np.sin(observations.astype(np.float64) @ weights).astype(np.float32)


def legal_picks(batch: Batch, chance: np.random.Generator) -> NDArray[np.int64]:
    picks: NDArray[np.int64] = (chance.random(batch.mask.shape) * batch.mask).argmax(axis=1)
    return picks


class Session:
    """A `SelfPlay`, and the same games played singly with the same random actions."""

    def __init__(self, scenario: Scenario, steps: int, *, rows: int = 4, seed: int = 0) -> None:
        self.chance = np.random.default_rng(seed)
        seeds = [int(number) for number in self.chance.integers(2**40, size=rows)]
        self.batch = Batch(scenario, rows, seed=seeds, autoreset="disabled", track="memory")
        self.play = SelfPlay(
            self.batch,
            steps,
            value_of=value_of,
            extras={"twice": "float32", "pair": ("int16", (2,))},
        )
        self.tables = [
            Table(scenario, row, number, "memory", value_of) for row, number in enumerate(seeds)
        ]
        self.steps = 0

    def go(self, steps: int) -> None:
        for _ in range(steps):
            actions = legal_picks(self.batch, self.chance)
            values = self.chance.normal(size=len(self.batch)).astype(np.float32)
            pairs = np.stack([self.batch.player, np.full(len(self.batch), self.steps)], axis=1)
            self.play.step(actions, values, twice=2 * values, pair=pairs)
            for table, action, value in zip(self.tables, actions, values, strict=True):
                table.play(self.steps, int(action), float(value))
            self.steps += 1

    @property
    def courses(self) -> list[Course]:
        return [course for table in self.tables for course in table.courses]

    @property
    def decided(self) -> dict[tuple[int, int], Decided]:
        return {(c.row, d.step): d for c in self.courses for d in c.decided}


def run(play: SelfPlay, seed: int, windows: int, steps: int) -> list[bytes]:
    """Return the bytes of all harvested fields."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(windows):
        for _ in range(steps):
            values = chance.normal(size=len(play.batch))
            play.step(legal_picks(play.batch, chance), values)
        d = play.harvest()
        fields = (d.observation, d.mask, d.action, d.player, d.row, d.step, d.value, d.target)
        found += [field.tobytes() for field in fields]
    return found


def new_play(**options: Any) -> SelfPlay:
    batch = Batch(SHORT, 16, seed=5, autoreset="disabled", track="memory")
    return SelfPlay(batch, **{"steps": 10, "value_of": value_of, **options})
