"""Observations, masks, rewards and ends of batches: 500 steps of 256 games for each entry.

Every track, padded or not, with and without a learner, in each autoreset mode: 36 combinations.
Each of the 18 printed lists of masks plays two of them, so that every mask and every size of the
centre occurs; the other scenarios play one more each.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, get_args

import numpy as np

from tests.fingerprints.digests import Digest, Entries
from tests.fingerprints.parts import TRACKS, Autoreset, Batch, Scenario, Track, all_scenarios

GAMES = 256
STEPS = 500
_FULL_EVERY = 10  # steps between two full states, which take longer than observations
_FULL = ("4A", "8B", "10B", "centre", "small-2")
_MANY = 8  # scenarios with more slots thin beliefs early, which saves time
_FEW_WORLDS = 256
_MOST_WORLDS = 4096


class Setup(NamedTuple):
    """The settings of one entry."""

    scenario: Scenario
    track: Track
    padded: bool = False
    learner: bool = False
    autoreset: Autoreset = "same_step"

    @property
    def name(self) -> str:
        """The name of the entry; the track is in the name of its group."""
        padded = "padded" if self.padded else "plain"
        learner = "learner" if self.learner else "everyone"
        return f"{self.scenario.name}/{padded}/{learner}/{self.autoreset}"

    def batch(self) -> Batch:
        """Return the games at their start; with a learner, there are learners on all seats."""
        return Batch(
            self.scenario,
            GAMES,
            seed=2026,
            autoreset=self.autoreset,
            track=self.track,
            padded=self.padded,
            most_worlds=_FEW_WORLDS if self.scenario.slots > _MANY else _MOST_WORLDS,
            learner=np.arange(GAMES) % self.scenario.players if self.learner else None,
        )


def setups() -> Iterator[Setup]:
    """Return the settings of all entries."""
    known = all_scenarios()
    printed = [scenario for scenario in known.values() if scenario.strict and _has_number(scenario)]
    ways = product(TRACKS, (False, True), (False, True), get_args(Autoreset))
    for place, (track, padded, learner, autoreset) in enumerate(ways):
        yield Setup(printed[place % len(printed)], track, padded, learner, autoreset)
    yield from (Setup(scenario, "both") for scenario in known.values() if scenario not in printed)


def _has_number(scenario: Scenario) -> bool:
    """Return whether a scenario is named by its number of players."""
    return scenario.name[0].isdigit()


def observations(track: Track) -> Entries:
    """Return digests of observations on a track, in batches with random play."""
    return {setup.name: _played(setup.batch()) for setup in setups() if setup.track == track}


def one_of(track: Track) -> Entries:
    """Return the first entry of a track, for a fast test."""
    setup = next(setup for setup in setups() if setup.track == track)
    return {setup.name: _played(setup.batch())}


def _played(batch: Batch) -> Entries:
    digests = {name: Digest() for name in ("observation", "mask", "rewards", "ends")}
    for _ in range(STEPS):
        batch.step(batch.random_actions())
        digests["observation"].add(batch.observation)
        digests["mask"].add(batch.mask)
        digests["rewards"].add(batch.rewards)
        digests["ends"].add(batch.player, batch.terminated, batch.truncated)
        if batch.autoreset == "disabled" and (over := batch.player < 0).any():
            batch.reset(rows=over)
    return {name: str(found) for name, found in digests.items()}


def full_states() -> Entries:
    """Return digests of full states, padded or not."""
    found: Entries = {}
    for name, padded in product(_FULL, (False, True)):
        setup = Setup(all_scenarios()[name], "both", padded)
        batch, states = setup.batch(), Digest()
        for _ in range(STEPS // _FULL_EVERY):
            for _ in range(_FULL_EVERY):
                batch.step(batch.random_actions())
            states.add(batch.full_state())
        found[setup.name] = str(states)
    return found
