"""Opponents of a learner: random players, one policy, or a pool of policies.

Opponents can have one of these forms:

    opponents="random"                              # the default
    opponents="stopper"                             # by name; also "bluffer:0.3", "released:6A"
    opponents=make_agent("stopper", "6A")           # any mascarade_env.Policy
    opponents=lambda observation, mask: mask.argmax(axis=1)     # [k, D], [k, A] -> [k] action ids
    opponents=Pool(["random", "stopper"])           # sampled for each seat of each game

The entry points of the group `mascarade.agents` define the names. `Opponents` makes a policy from
each of these forms for the scenario of the table, and calls the policies.
"""

import hashlib
import math
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._policies.functions import PolicyFunction, as_policy
from mascarade_env._policies.histories import Histories
from mascarade_env._policies.names import check_known, make_policy
from mascarade_env._policies.protocol import Policy, is_policy, legal_actions
from mascarade_env._policies.translation import fitted
from mascarade_env.game._batch import Batch
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema

RANDOM: Literal["random"] = "random"

#: A policy, a function of observations and masks, or a name.
Opponent: TypeAlias = Policy | PolicyFunction | str

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Pool:
    """A pool from which opponents are sampled. You can add policies during training.

    Args:
        policies: the first members: each is "random" or another name, a policy, or a function.
        newest: the probability with which a seat gets the newest member. Otherwise the seat gets
            any member, all with equal probability.
        keep: the largest number of members. In a full pool a new member replaces the oldest.
    """

    def __init__(
        self,
        policies: Iterable[Opponent] = (RANDOM,),
        *,
        newest: float = 0.0,
        keep: int = 20,
    ) -> None:
        try:
            self.newest = float(newest)
        except (TypeError, ValueError):
            self.newest = math.nan
        if not 0 <= self.newest <= 1:
            raise MascaradeError(f"newest must be a probability from 0 to 1, not {newest!r}")
        if isinstance(policies, str) or not isinstance(policies, Iterable):
            raise MascaradeError(
                f'policies must be a list of opponents, such as ["random"], not {policies!r}'
            )
        self.keep = whole(keep, "keep", at_least=1)
        self._members: dict[int, Opponent] = {}
        self._added = 0
        for policy in policies:
            self.add(policy)
        if not self._members:
            raise MascaradeError('a pool needs at least one member, such as "random"')

    def add(self, policy: Opponent) -> None:
        """Add a policy, for games that are dealt from now on.

        Raises:
            UnknownNameError: there is no policy of this name.
            MascaradeError: `policy` is not a name, a policy or a function.
        """
        if not _is_opponent(policy):
            raise MascaradeError(
                'an opponent must be "random" or another name, a policy, or a function, '
                f"not {policy!r}"
            )
        if isinstance(policy, str) and policy != RANDOM:
            check_known(policy)
        self._members[self._added] = policy
        self._added += 1
        if len(self._members) > self.keep:
            del self._members[min(self._members)]

    def __len__(self) -> int:
        return len(self._members)

    @property
    def members(self) -> dict[int, Opponent]:
        """All members by number, the oldest first. The number of a removed member is not reused."""
        return dict(self._members)

    def draw(self, rng: "RowRandom", rows: NDArray[np.bool_], seats: int) -> NDArray[np.int64]:
        """Sample a member for each seat of some rows; return the members' numbers [k, seats]."""
        numbers = np.array(list(self._members))
        drawn = np.empty((int(rows.sum()), seats), np.int64)
        for seat in range(seats):
            any_member = numbers[rng.below(rows, len(numbers))]
            take_newest = rng.below(rows, 1 << 30) < self.newest * (1 << 30)
            drawn[:, seat] = np.where(take_newest, numbers[-1], any_member)
        return drawn


def _is_opponent(candidate: object) -> bool:
    if isinstance(candidate, str | type):
        return isinstance(candidate, str)
    return is_policy(candidate) or callable(candidate)


def as_pool(opponents: Any) -> Pool | None:
    """Return opponents as a pool. Return None for "random": then all play at random."""
    if isinstance(opponents, Pool):
        return opponents
    if isinstance(opponents, str) and opponents == RANDOM:
        return None
    if _is_opponent(opponents):
        return Pool([opponents])
    raise MascaradeError(
        'opponents must be "random" or another name such as "stopper", a policy, a function of '
        f"observations and masks, or a Pool, not {opponents!r}"
    )


@final
class Opponents:
    """The policies of a pool at the tables of one batch.

    Args:
        pool: the pool of opponents. All members must be able to play the scenario.
        scenario: the scenario of the batch.

    Raises:
        MascaradeError: a name is unknown, or a policy is for another scenario.
    """

    def __init__(self, pool: Pool, scenario: Scenario) -> None:
        self._pool = pool
        self._scenario = scenario
        self._policies: dict[int, Policy | None] = {}  # by number; None plays at random
        self._fitted: dict[int, Policy] = {}
        self._names: dict[int, str] = {}  # for errors
        self._rng = np.random.default_rng(0)
        self._resolve()

    def track_for(self, track: Track) -> Track:
        """Return the track that the batch needs for the learner and these opponents.

        Args:
            track: the track of the learner's observations.
        """
        read = {policy.reads.track for policy in self._policies.values() if policy and policy.reads}
        return track if read <= {track} else "both"

    def check(self, schema: Schema) -> None:
        """Refuse opponents that cannot play with observations of this layout."""
        for number, policy in self._policies.items():
            if policy is not None and number not in self._fitted:
                self._fitted[number] = fitted(policy, schema, self._names[number])

    def seed(self, seeds: NDArray[np.int64]) -> None:
        """Seed the generator of the policies from the seeds of all tables."""
        # A policy can read the state of its generator. The generator is seeded with a digest, so
        # that the policy cannot compute the seeds of the deals from it.
        digest = hashlib.blake2b(seeds.tobytes(), digest_size=16).digest()
        self._rng = np.random.default_rng(int.from_bytes(digest, "little"))

    def draw(self, rng: "RowRandom", rows: NDArray[np.bool_], schema: Schema) -> NDArray[np.int64]:
        """Sample a member for each seat of some rows of a batch with this layout."""
        self._resolve()
        self.check(schema)
        return self._pool.draw(rng, rows, self._scenario.players)

    @property
    def needs_views(self) -> bool:
        """Whether an opponent needs views, so that all decisions must be recorded."""
        return any(policy.needs_views for policy in self._fitted.values())

    def keep(self, seated: NDArray[np.int64]) -> None:
        """Drop policies that have left the pool and are not at any table.

        Args:
            seated: [B, n] the number of the member on each seat.
        """
        needed = {*self._pool.members, *np.unique(seated).tolist()}
        for number in self._policies.keys() - needed:
            del self._policies[number]
            self._fitted.pop(number, None)
            del self._names[number]

    def decide(
        self, batch: Batch, histories: Histories, rows: NDArray[np.intp], numbers: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the opponents' actions [B] at some tables, and 0 at the other tables.

        Args:
            batch: the tables.
            histories: the decisions of the batch so far, for policies that need views.
            rows: [k] the tables at which an opponent decides.
            numbers: [k] the number of the member that decides at each of these tables.
        """
        taken = np.zeros(len(batch), np.int64)
        single = len(self._policies) == 1  # a shortcut that saves time with few tables
        for number in [*self._policies] if single else np.unique(numbers).tolist():
            deciding = rows if single else rows[numbers == number]
            if self._policies[number] is None:
                selected = np.zeros(len(batch), np.bool_)
                selected[deciding] = True
                taken += batch.random_actions(rows=selected)
                continue
            policy = self._fitted[number]
            actions = policy.act_batch(histories.positions(deciding, policy), self._rng)
            taken[deciding] = legal_actions(actions, batch, deciding, self._names[number])
        return taken

    def _resolve(self) -> None:
        """Make the policies of new members."""
        for number, member in self._pool.members.items():
            if number not in self._policies:
                self._policies[number] = self._policy_of(member)
                self._names[number] = f"opponent {_name_of(member)}"

    def _policy_of(self, member: Opponent) -> Policy | None:
        if isinstance(member, str):
            return None if member == RANDOM else make_policy(member, self._scenario)
        return as_policy(member)


def _name_of(member: Opponent) -> str:
    if isinstance(member, str):
        return repr(member)
    name: str = getattr(member, "__name__", type(member).__name__)
    return name


class RowRandom:
    """A random number generator for each row, so that no row depends on another.

    Args:
        rows: number of rows.
    """

    def __init__(self, rows: int) -> None:
        self._state = np.zeros(rows, np.uint64)

    def seed(self, rows: NDArray[np.bool_], seeds: NDArray[np.int64]) -> None:
        """Seed the generators of some rows, one seed for each."""
        self._state[rows] = seeds.astype(np.uint64)

    def below(self, rows: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
        """Return a random number 0..limit-1 for each of some rows.

        The generator is SplitMix64. The numbers are uniform up to a bias below limit / 2**32.
        """
        self._state[rows] += _GOLDEN
        mixed = self._state[rows]
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
        return ((mixed >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32)).astype(np.int64)
