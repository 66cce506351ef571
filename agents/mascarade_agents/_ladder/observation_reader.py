"""What observations and masks of legal actions say, as arrays of k rows.

Places are counted as in observations: 0 is one's own seat, 1 .. n-1 the other seats clockwise, n ..
m-1 the centre. Kinds of mask are counted in the order of `scenario.kinds`.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._positions import CHALLENGE, DECLARE, TABLE, TARGET, TURN
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._facts import OUTCOMES, TALLIES
from mascarade_env.observation._blocks import AGE_HALF, TALLY_HALF, TURN_HALF
from mascarade_env.observation._schema import Schema, schema_of

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

#: How near to certain a belief is when it is taken as certain.
SURE = 0.999


class Ids:
    """Where the action ids of a scenario begin (the table in game/_actions.py).

    Attributes:
        look: the takes come before: `take` of place p is p - 1.
        announce: the first kind; the others follow.
        swap: keep follows.
        claim: pass follows.
        target: of place 1; the other seats follow, and then decline.
        declare: the first kind; the others follow.
        spans: for each phase the first of its ids, and one past the last.
    """

    def __init__(self, scenario: Scenario) -> None:
        kinds = len(scenario.kinds)
        self.look = scenario.slots - 1
        self.announce = scenario.slots
        self.swap = self.announce + kinds
        self.claim = self.swap + 2
        self.target = self.claim + 2
        self.declare = self.target + scenario.players
        self.spans = {
            TURN: (0, self.swap),
            TABLE: (self.swap, self.claim),
            CHALLENGE: (self.claim, self.target),
            TARGET: (self.target, self.declare),
            DECLARE: (self.declare, self.declare + kinds),
        }


class Reading:
    """Some rows of observations, read as they are needed.

    Args:
        scenario: what is played.
        observations: [k, D] laid out by `Schema(scenario, "both")`.
        masks: [k, A] one for each legal action id.
        bold: [k] whether this is one of the decisions that an agent takes boldly (see
            scored_agent.py).
    """

    def __init__(
        self,
        scenario: Scenario,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        bold: Bools,
    ) -> None:
        self.scenario = scenario
        self.schema: Schema = schema_of(scenario, "both", False)
        self.observations = observations
        self.masks = masks
        self.bold = bold
        self.rows = np.arange(len(observations))
        self.players = scenario.players
        self.slots = scenario.slots
        self.goal = scenario.goal_coins

    def _block(self, name: str) -> Floats:
        place = self.schema.places[name]
        return self.observations[:, place.start : place.stop].reshape(-1, *place.shape)

    def _column(self, name: str) -> Floats:
        """Return a column of the block "slots", of all places."""
        place = self.schema.columns[name]
        column = self._slots[:, :, place.start : place.stop]
        return column if place.shape else column[:, :, 0]

    @cached_property
    def _slots(self) -> Floats:
        return self._block("slots")

    @cached_property
    def coins(self) -> Floats:
        """[k, n] the fortune on each seat."""
        counts: Floats = np.rint(self._column("coins")[:, : self.players] * self.goal)
        return counts

    @cached_property
    def tribunal(self) -> Floats:
        """[k] the coins of the tribunal."""
        counts: Floats = np.rint(self._block("tribunal")[:, 0] * self.goal)
        return counts

    @cached_property
    def belief(self) -> Floats:
        """[k, m, kinds] the own neutral belief."""
        return self._block("own_belief")

    @cached_property
    def onlooker(self) -> Floats:
        """[k, m, kinds] the neutral belief of an onlooker."""
        return self._block("onlooker_belief")

    @cached_property
    def own(self) -> Floats:
        """[k, kinds] how probable it is that each mask is one's own."""
        return self.belief[:, 0]

    @cached_property
    def known(self) -> Bools:
        """[k, kinds] which mask is surely one's own.

        A belief from thinned worlds can be certain of what is not so, except of a mask that one
        has been shown and that nobody has had in hand since.
        """
        exact = self._block("exact")[:, 0] > 0
        return (self.own >= SURE) & (exact | self.sure[:, 0])[:, None]

    @cached_property
    def cards(self) -> Floats:
        """[kinds] how many cards there are of each mask."""
        return np.array(
            [self.scenario.masks.count(kind) for kind in self.scenario.kinds], np.float32
        )

    @cached_property
    def announced(self) -> Ints:
        """[k] the kind announced on this turn; 0 also if none."""
        columns: Ints = self._block("announced").argmax(axis=1)
        return columns

    @cached_property
    def sure(self) -> Bools:
        """[k, n] whether everyone knows that the player on each seat knows the mask there."""
        return self._column("sure")[:, : self.players] > 0

    @cached_property
    def under_table(self) -> Bools:
        """[k, m] whether the mask of each place is under the table."""
        return self._column("under_table") > 0

    @cached_property
    def announcer(self) -> Ints:
        """[k] the place of who announced; 0 also if nobody did."""
        seats: Ints = self._column("answer")[:, : self.players, 0].argmax(axis=1)
        return seats

    @cached_property
    def claims(self) -> Bools:
        """[k, n] who has claimed the mask announced."""
        return self._column("answer")[:, : self.players, 1] > 0

    @cached_property
    def passes(self) -> Bools:
        """[k, n] who has passed."""
        return self._column("answer")[:, : self.players, 2] > 0

    @cached_property
    def unasked(self) -> Bools:
        """[k, n] who is still to be asked; oneself too while one is asked."""
        return self._column("answer")[:, : self.players, 3] > 0

    @cached_property
    def tallies(self) -> dict[str, Floats]:
        """[k, n] for each of `blocks.TALLIES`, how often so far."""
        shares = {}
        for name in TALLIES:
            part = self._column(name)[:, : self.players]
            shares[name] = _since(part, TALLY_HALF)
        return shares

    @cached_property
    def said(self) -> Floats:
        """[k, n, kinds] one for the mask that each player last announced."""
        return self._column("said")[:, : self.players]

    @cached_property
    def unchallenged(self) -> Bools:
        """[k, n] whether nobody claimed what the player last announced."""
        outcome = OUTCOMES.index("unchallenged")
        return self._column("said_outcome")[:, : self.players, outcome] > 0

    @cached_property
    def said_ago(self) -> Floats:
        """[k, n] how long ago each player last announced, as t / (t + 8)."""
        return self._column("said_ago")[:, : self.players]

    @cached_property
    def silence(self) -> Floats:
        """[k] how many turns ago a player last announced, or the game began."""
        never = _since(self._block("turn"), TURN_HALF)
        spoken = self.said.any(axis=2)
        ages: Floats = np.where(spoken, _since(self.said_ago, AGE_HALF), never).min(axis=1)
        return ages

    @cached_property
    def touched_ago(self) -> Floats:
        """[k, n] how long ago the mask of each seat may last have been moved, likewise."""
        return self._column("touched_ago")[:, : self.players]

    def of_announced(self, by_kind: Floats) -> Floats:
        """Return [k, ...] the entries of the kind announced in [k, ..., kinds]."""
        picked: Floats = np.take_along_axis(
            by_kind, self.announced.reshape(-1, *[1] * (by_kind.ndim - 1)), axis=-1
        )[..., 0]
        return picked


def _since(age: Floats, half: int) -> Floats:
    """Return the t of t / (t + half)."""
    ages: Floats = np.rint(half * age / (1 - age))
    return ages
