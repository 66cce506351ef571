"""Who plays the other seats: random players, one policy, or several drawn for each seat and game.

Opponents are given in one of these forms:

    opponents="random"                              # the default
    opponents="stopper"                             # by name; also "bluffer:0.3", "released:6A"
    opponents=make_agent("stopper", "6A")           # any mascarade_env.Policy
    opponents=lambda observation, mask: mask.argmax(axis=1)     # [k, D], [k, A] -> [k] action ids
    opponents=Pool(["random", "stopper"])           # each seat of each game draws one of these

A name is resolved by the entry points of the group `mascarade.agents`, for the scenario of the
table. `Opponents` resolves and asks them.
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
from mascarade_env._policies.protocol import Policy, checked_actions, is_policy
from mascarade_env._policies.translation import fitted
from mascarade_env.game._batch import Batch
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema

RANDOM: Literal["random"] = "random"

#: A policy, a plain function as the simplest one, or the name of one.
Opponent: TypeAlias = Policy | PolicyFunction | str

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Pool:
    """Policies to draw opponents from; it may grow while games are played.

    Args:
        policies: to begin with: each "random" or another name, a policy, or a function.
        newest: share of seats that are given to the newest member rather than to any of them.
        keep: limit of members; with one more the oldest leaves.
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
            raise MascaradeError(f"newest is a share between 0 and 1, not {newest!r}")
        if isinstance(policies, str) or not isinstance(policies, Iterable):
            raise MascaradeError(
                f'a pool begins with a list of opponents, such as ["random"], not {policies!r}'
            )
        self.keep = whole(keep, "keep", at_least=1)
        self._members: dict[int, Opponent] = {}
        self._added = 0
        for policy in policies:
            self.add(policy)
        if not self._members:
            raise MascaradeError('a pool has at least one member; "random" is one')

    def add(self, policy: Opponent) -> None:
        """Let a policy take part in games that are dealt from now on.

        Raises:
            UnknownNameError: there is no policy of this name.
            MascaradeError: it is no opponent.
        """
        if not _is_opponent(policy):
            raise MascaradeError(
                f'an opponent is "random" or another name, a policy, or a function, not {policy!r}'
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
        """All members by number, the oldest first; a number means the same member for ever."""
        return dict(self._members)

    def draw(self, rng: "RowRandom", rows: NDArray[np.bool_], seats: int) -> NDArray[np.int64]:
        """Draw the number of a member for each seat of some rows."""
        known = np.array(list(self._members))
        drawn = np.empty((int(rows.sum()), seats), np.int64)
        for seat in range(seats):
            anyone = known[rng.below(rows, len(known))]
            latest = rng.below(rows, 1 << 30) < self.newest * (1 << 30)
            drawn[:, seat] = np.where(latest, known[-1], anyone)
        return drawn


def _is_opponent(given: object) -> bool:
    if isinstance(given, str | type):
        return isinstance(given, str)
    return is_policy(given) or callable(given)


def as_pool(opponents: Any) -> Pool | None:
    """Return opponents as a pool; None if all are random players."""
    if isinstance(opponents, Pool):
        return opponents
    if isinstance(opponents, str) and opponents == RANDOM:
        return None
    if _is_opponent(opponents):
        return Pool([opponents])
    raise MascaradeError(
        'opponents are "random" or another name such as "stopper", a policy, a function of '
        f"observations and masks, or a Pool, not {opponents!r}"
    )


@final
class Opponents:
    """The policies of a pool at the tables of one batch.

    Args:
        pool: whom opponents are drawn from. All members must be able to play.
        scenario: what is played.

    Raises:
        MascaradeError: there is no policy of a name, or one plays another scenario.
    """

    def __init__(self, pool: Pool, scenario: Scenario) -> None:
        self._pool = pool
        self._scenario = scenario
        self._policies: dict[int, Policy | None] = {}  # by number; None plays at random
        self._fitted: dict[int, Policy] = {}
        self._rng = np.random.default_rng(0)
        self._resolve()

    def track_for(self, track: Track) -> Track:
        """Return the track that a batch needs, so that these opponents can play beside a learner.

        Args:
            track: what the learner observes.
        """
        read = {policy.reads.track for policy in self._policies.values() if policy and policy.reads}
        return track if read <= {track} else "both"

    def check(self, schema: Schema) -> None:
        """Refuse opponents that cannot play where observations have this layout."""
        for number, policy in self._policies.items():
            if policy is not None and number not in self._fitted:
                self._fitted[number] = fitted(policy, schema)

    def seed(self, seeds: NDArray[np.int64]) -> None:
        """Seed the random numbers that policies draw from, by the seeds of all tables."""
        # A policy can read the seed of its generator, and must not learn from it how masks are
        # dealt: it is given a digest, from which there is no way back.
        digest = hashlib.blake2b(seeds.tobytes(), digest_size=16).digest()
        self._rng = np.random.default_rng(int.from_bytes(digest, "little"))

    def draw(self, rng: "RowRandom", rows: NDArray[np.bool_], schema: Schema) -> NDArray[np.int64]:
        """Draw the number of a member for each seat of some rows of a batch with this layout."""
        self._resolve()
        self.check(schema)
        return self._pool.draw(rng, rows, self._scenario.players)

    @property
    def needs_views(self) -> bool:
        """Whether one of them needs views, so that decisions must be kept."""
        return any(policy.needs_views for policy in self._fitted.values())

    def keep(self, seated: NDArray[np.int64]) -> None:
        """Forget policies that have left the pool and hold no seat any more.

        Args:
            seated: [B, n] the number of the member on each seat.
        """
        needed = {*self._pool.members, *np.unique(seated).tolist()}
        for number in self._policies.keys() - needed:
            del self._policies[number]
            self._fitted.pop(number, None)

    def decide(
        self, batch: Batch, histories: Histories, rows: NDArray[np.intp], numbers: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return [B] what the opponents do at some tables, 0 elsewhere.

        Args:
            batch: the tables.
            histories: of the batch, for policies that need views.
            rows: [k] tables at which an opponent decides.
            numbers: [k] the member that decides there.
        """
        taken = np.zeros(len(batch), np.int64)
        lone = len(self._policies) == 1  # which saves time where there are few tables
        for number in [*self._policies] if lone else np.unique(numbers).tolist():
            asked = rows if lone else rows[numbers == number]
            if self._policies[number] is None:
                chosen = np.zeros(len(batch), np.bool_)
                chosen[asked] = True
                taken += batch.random_actions(rows=chosen)
                continue
            policy = self._fitted[number]
            answer = policy.act_batch(histories.positions(asked, policy), self._rng)
            taken[asked] = checked_actions(answer, len(asked))
        return taken

    def _resolve(self) -> None:
        """Make the policies of members that have joined since."""
        for number, member in self._pool.members.items():
            if number not in self._policies:
                self._policies[number] = self._made(member)

    def _made(self, member: Opponent) -> Policy | None:
        if isinstance(member, str):
            return None if member == RANDOM else make_policy(member, self._scenario)
        return as_policy(member)


class RowRandom:
    """Random numbers of each row by itself, so that a row does not depend on its neighbours.

    Args:
        rows: number of rows.
    """

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
