"""Policies at tables whose observations and action ids are laid out otherwise.

Padded tables have one layout for all scenarios, plain ones have the scenario's own, and a track
holds a part of what "both" holds. `fitted` makes a policy that reads one layout play at a table
that shows another, as long as the table shows all that the policy reads.
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
    """Return whether a policy that reads such observations can play a scenario.

    Padded it plays all that fit 12 seats and a centre of 2 masks, else only the scenario of its
    layout, by whatever name.
    """
    if read.padded:
        return scenario.slots - scenario.players <= MAX_SLOTS - MAX_PLAYERS
    return not differences(read.scenario, scenario)


def differences(one: Scenario, other: Scenario) -> list[str]:
    """Return the fields in which two scenarios differ, their names apart."""
    first, second = one.to_dict(), other.to_dict()
    return [field for field in first if field != "name" and first[field] != second[field]]


def num_actions(schema: Schema) -> int:
    """Return how many action ids there are where observations have this layout."""
    return MAX_ACTIONS if schema.padded else int(count_ids(new_rows(schema.scenario, 1)[0]))


@final
class Translation:
    """Positions of one layout made into positions of another, and the answers back.

    Args:
        shown: the layout of the positions that there are.
        read: the layout that is wanted, of the same scenario. Numbers that `shown` does not have
            are 0.
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
        """Return [k, D] as they are read."""
        return _with_zero(shown)[:, self._places]

    def masks(self, shown: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return [k, A] as they are read."""
        return _with_zero(shown)[:, self._shown_of_read]

    def positions(self, shown: Positions) -> Positions:
        """Return the same positions as they are read."""
        return Positions(
            self.observations(shown.observations),
            self.masks(shown.masks),
            self._read,
            shown.views,
        )

    def actions(self, taken: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return [k] the ids that tables have for actions of the reader.

        Raises:
            MascaradeError: an action does not exist there.
        """
        inside = (taken >= 0) & (taken < len(self._shown_of_read))
        found: NDArray[np.int64] = np.where(
            inside, self._shown_of_read[np.where(inside, taken, 0)], -1
        )
        if (found < 0).any():
            wrong = int(taken[found < 0][0])
            raise MascaradeError(
                f"a policy took action {wrong}, which {self._read.scenario.name} does not have: "
                "it must answer with ids whose mask is 1"
            )
        return found

    def scores(self, read: Numbers) -> Numbers:
        """Return [k, A] numbers of all actions of the tables, 0 for those that the reader lacks."""
        return _with_zero(read)[:, self._read_of_shown]


def _with_zero(numbers: Numbers) -> Numbers:
    """Return the same with a last column of zeros, which index -1 finds."""
    return np.concatenate([numbers, np.zeros((len(numbers), 1), numbers.dtype)], axis=1)


@final
class _Fitted:
    """A policy at tables of another layout than the one it reads."""

    def __init__(self, policy: Policy, shown: Schema, read: Schema) -> None:
        self._policy = policy
        self._translation = Translation(shown, read)
        self.reads = shown
        self.needs_views = policy.needs_views

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        answer = self._policy.act_batch(self._translation.positions(positions), rng)
        return self._translation.actions(checked_actions(answer, len(positions)))

    def probabilities(self, positions: Positions) -> NDArray[np.floating[Any]] | None:
        found = self._policy.probabilities(self._translation.positions(positions))
        return None if found is None else self._translation.scores(found)


def fitted(policy: Policy, shown: Schema) -> Policy:
    """Return a policy as it plays at tables with observations of some layout.

    Raises:
        MascaradeError: it plays another scenario, or reads what these observations do not hold.
    """
    read = policy.reads
    if read is None:
        return policy
    scenario = shown.scenario
    check_plays(read, scenario)
    if shown.track not in (read.track, "both"):
        raise MascaradeError(
            f'this policy reads observations of track "{read.track}", and "{shown.track}" is shown '
            'here: choose track "both", which holds everything'
        )
    here = schema_of(scenario, read.track, read.padded)
    if (here.track, here.padded) == (shown.track, shown.padded):
        return policy
    return _Fitted(policy, shown, here)


def check_plays(read: Schema, scenario: Scenario) -> None:
    """Refuse a policy that reads such observations where it cannot play.

    Raises:
        MascaradeError: it plays another scenario.
    """
    if plays(read, scenario):
        return
    if read.padded:
        raise MascaradeError(
            f"a padded policy has room for {MAX_SLOTS - MAX_PLAYERS} masks in the centre, and "
            f"{scenario.name} has {scenario.slots - scenario.players} there: make one for that"
        )
    raise MascaradeError(
        f"this policy plays {read.scenario.name}, not {scenario.name}, which has other "
        f"{' and '.join(differences(read.scenario, scenario))}: make one for that"
    )
