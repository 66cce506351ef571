"""Who plays the other seats: at random, one policy, or several drawn anew for each seat and game.

A policy is any function of arrays, asked for all the decisions that are to be taken at once:

    def policy(observation, mask):   # [k, D] float32, [k, A] int8
        return mask.argmax(axis=1)   # [k] legal action ids

One that plays a single scenario may say so by an attribute `scenario`; then it is refused where
another is played, as numbers and actions of the same shape can mean something else.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._scenarios import Scenario

Policy: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8]], ArrayLike]
RANDOM: Literal["random"] = "random"

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Pool:
    """Policies to draw opponents from; it may grow while games are played.

    Args:
        policies: to begin with; each a policy or "random".
        newest: how often a seat is given to the newest member rather than to any of them.
        keep: how many members there are at most; with one more the oldest leaves.
    """

    def __init__(
        self,
        policies: Iterable[Policy | Literal["random"]] = (RANDOM,),
        *,
        newest: float = 0.0,
        keep: int = 20,
    ) -> None:
        try:
            self.newest = float(newest)
        except (TypeError, ValueError):
            self.newest = math.nan
        if not 0 <= self.newest <= 1:
            raise MascaradeError(f"newest is a share between 0 and 1, not {newest!r}")
        if isinstance(policies, str) or not isinstance(policies, Iterable):
            raise MascaradeError(
                f'a pool begins with a list: of "random" or a function each, not {policies!r}'
            )
        self.keep = whole(keep, "keep", at_least=1)
        self._members: dict[int, Policy | Literal["random"]] = {}
        self._added = 0
        for policy in policies:
            self.add(policy)
        if not self._members:
            raise MascaradeError('a pool has at least one member; "random" is one')

    def add(self, policy: Policy | Literal["random"]) -> None:
        """Let a policy take part in games that are dealt from now on."""
        if not (callable(policy) or policy == RANDOM):
            raise MascaradeError(f'an opponent is "random" or a function, not {policy!r}')
        self._members[self._added] = policy
        self._added += 1
        if len(self._members) > self.keep:
            del self._members[min(self._members)]

    def __len__(self) -> int:
        return len(self._members)

    def draw(
        self, chance: "Chances", rows: NDArray[np.bool_], seats: int
    ) -> tuple[NDArray[np.int64], dict[int, Policy | Literal["random"]]]:
        """A member for each seat of some rows, by number, and all members by number."""
        known = np.array(list(self._members))
        shape = (int(rows.sum()), seats)
        drawn = np.empty(shape, np.int64)
        for seat in range(seats):
            anyone = known[chance.below(rows, len(known))]
            latest = chance.below(rows, 1 << 30) < self.newest * (1 << 30)
            drawn[:, seat] = np.where(latest, known[-1], anyone)
        return drawn, dict(self._members)


def as_pool(opponents: Any) -> Pool | None:
    """What stands for opponents as a pool; None if all play at random."""
    if isinstance(opponents, Pool):
        return opponents
    if isinstance(opponents, str) and opponents == RANDOM:
        return None
    if callable(opponents) and not isinstance(opponents, type):
        return Pool([opponents])
    by_name = ""
    if isinstance(opponents, str):
        by_name = '; an agent by its name: mascarade_agents.make_agent("stopper", "6A").policy()'
    raise MascaradeError(
        'opponents are "random", a function of observations and masks, or a Pool, '
        f"not {opponents!r}{by_name}"
    )


def check_plays(policy: object, scenario: Scenario) -> None:
    """Refuse a policy that says that it plays another scenario.

    Args:
        policy: which may have an attribute `scenario`.
        scenario: what is played.
    """
    own = getattr(policy, "scenario", None)
    if not isinstance(own, Scenario) or own == scenario:
        return
    differs = [name for name, value in own.to_dict().items() if value != scenario.to_dict()[name]]
    if differs in ([], ["name"]):
        return
    raise MascaradeError(
        f"this policy plays {own.name}, not {scenario.name}, which has other "
        f"{' and '.join(name for name in differs if name != 'name')}: make one for that"
    )


class Chances:
    """Random numbers of each row by itself, so that a row does not depend on its neighbours."""

    def __init__(self, rows: int) -> None:
        self._state = np.zeros(rows, np.uint64)

    def seed(self, rows: NDArray[np.bool_], seeds: NDArray[np.int64]) -> None:
        """Begin the numbers of some rows anew, by one seed each."""
        self._state[rows] = seeds.astype(np.uint64)

    def below(self, rows: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
        """A number 0..limit-1 for each of some rows (SplitMix64; a bias below limit / 2**32)."""
        self._state[rows] += _GOLDEN
        mixed = self._state[rows]
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
        return ((mixed >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32)).astype(np.int64)
