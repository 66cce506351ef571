"""Policies at tables whose observations and action ids have another layout.

Padded tables have the same layout in all scenarios; other tables have the layout of the scenario.
An observation of the track "both" contains all numbers of the tracks "memory" and "belief".
`fitted` lets a policy that reads one layout play at a table with another layout, if the table shows
all numbers that the policy reads.
"""

from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._policies.protocol import Policy, Positions, checked_actions
from mascarade_env.game._actions import MAX_ACTIONS, count_ids, padded_ids
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, Scenario
from mascarade_env.game._state import new_rows
from mascarade_env.observation._schema import Schema, schema_of

Numbers = TypeVar("Numbers", NDArray[np.floating[Any]], NDArray[np.float32], NDArray[np.int8])


def plays(read: Schema, scenario: Scenario) -> bool:
    """Return whether a policy that reads a layout can play a scenario.

    With a padded layout it plays all scenarios that fit 12 seats and a centre of 2 masks. With
    another layout it plays only the scenario of the layout, under any name of the scenario.
    """
    if read.padded:
        return scenario.slots - scenario.players <= MAX_SLOTS - MAX_PLAYERS
    return not differences(read.scenario, scenario)


def differences(one: Scenario, other: Scenario) -> list[str]:
    """Return the fields in which two scenarios differ, except for their names."""
    first, second = one.to_dict(), other.to_dict()
    return [field for field in first if field != "name" and first[field] != second[field]]


def num_actions(schema: Schema) -> int:
    """Return the number of action ids at a table whose observations have this layout."""
    return MAX_ACTIONS if schema.padded else int(count_ids(new_rows(schema.scenario, 1)[0]))


@final
class Translation:
    """A conversion of positions to another layout, and of the actions back.

    Args:
        shown: the layout of the given positions.
        read: the layout to convert them to, of the same scenario. Numbers that are not in `shown`
            become 0.
    """

    def __init__(self, shown: Schema, read: Schema) -> None:
        self._read = read
        self._places = read.indices_in(shown)
        self._shown_of_read = np.arange(num_actions(read))  # -1 for none
        self._read_of_shown = np.arange(num_actions(shown))
        if shown.padded != read.padded:
            padded = np.array(padded_ids(new_rows(read.scenario, 1)[0]))
            plain = np.full(MAX_ACTIONS, -1)
            plain[padded] = np.arange(len(padded))
            self._shown_of_read = padded if shown.padded else plain
            self._read_of_shown = plain if shown.padded else padded

    def observations(self, shown: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return observations in the layout `read`, [k, D]."""
        return _with_zero(shown)[:, self._places]

    def masks(self, shown: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return action masks in the layout `read`, [k, A]."""
        return _with_zero(shown)[:, self._shown_of_read]

    def positions(self, shown: Positions) -> Positions:
        """Return positions in the layout `read`."""
        return Positions(
            self.observations(shown.observations),
            self.masks(shown.masks),
            self._read,
            shown.views,
        )

    def actions(self, taken: NDArray[np.int64], who: str = "a policy") -> NDArray[np.int64]:
        """Return the action ids of the layout `shown` for ids of the layout `read`, [k].

        Args:
            taken: [k] action ids of the layout `read`.
            who: names the policy in errors.

        Raises:
            MascaradeError: one of the actions does not exist in the scenario.
        """
        inside = (taken >= 0) & (taken < len(self._shown_of_read))
        translated: NDArray[np.int64] = np.where(
            inside, self._shown_of_read[np.where(inside, taken, 0)], -1
        )
        if (translated < 0).any():
            wrong = int(taken[translated < 0][0])
            raise MascaradeError(
                f"{who} returned action id {wrong}, which {self._read.scenario.name} does not "
                "have; it must return ids whose mask is 1"
            )
        return translated

    def scores(self, read: Numbers) -> Numbers:
        """Return numbers for the actions of the layout `shown`, [k, A]; 0 if `read` has none."""
        return _with_zero(read)[:, self._read_of_shown]


def _with_zero(numbers: Numbers) -> Numbers:
    """Return the numbers with an added last column of zeros, which has the index -1."""
    return np.concatenate([numbers, np.zeros((len(numbers), 1), numbers.dtype)], axis=1)


@final
class _Fitted:
    """A policy for tables whose layout differs from the layout that it reads."""

    def __init__(self, policy: Policy, shown: Schema, read: Schema, who: str) -> None:
        self._policy = policy
        self._who = who
        self._translation = Translation(shown, read)
        self.reads = shown
        self.needs_views = policy.needs_views

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        answer = self._policy.act_batch(self._translation.positions(positions), rng)
        actions = checked_actions(answer, len(positions), self._who)
        return self._translation.actions(actions, self._who)

    def probabilities(self, positions: Positions) -> NDArray[np.floating[Any]] | None:
        read = self._policy.probabilities(self._translation.positions(positions))
        return None if read is None else self._translation.scores(read)


def fitted(policy: Policy, shown: Schema, who: str = "a policy") -> Policy:
    """Return a policy for tables whose observations have the layout `shown`.

    Args:
        policy: the policy.
        shown: the layout of the observations at the table.
        who: names the policy in errors about its answers.

    Raises:
        MascaradeError: the policy plays another scenario, or reads numbers that are not in the
            layout.
    """
    read = policy.reads
    if read is None:
        return policy
    scenario = shown.scenario
    check_plays(read, scenario)
    if shown.track not in (read.track, "both"):
        raise MascaradeError(
            f'this policy reads observations of track "{read.track}", but here they are of track '
            f'"{shown.track}": choose track "both", which has all numbers'
        )
    here = schema_of(scenario, read.track, read.padded)
    if (here.track, here.padded) == (shown.track, shown.padded):
        return policy
    return _Fitted(policy, shown, here, who)


def check_plays(read: Schema, scenario: Scenario) -> None:
    """Refuse a scenario that a policy with this layout cannot play.

    Raises:
        MascaradeError: the policy plays another scenario.
    """
    if plays(read, scenario):
        return
    if read.padded:
        raise MascaradeError(
            f"a padded policy has room for {MAX_SLOTS - MAX_PLAYERS} masks in the centre, but "
            f"{scenario.name} has {scenario.slots - scenario.players}: use a policy that was made "
            f"for {scenario.name}"
        )
    raise MascaradeError(
        f"this policy plays {read.scenario.name}, not {scenario.name}, which has other "
        f"{' and '.join(differences(read.scenario, scenario))}: use a policy that was made for "
        f"{scenario.name}"
    )
