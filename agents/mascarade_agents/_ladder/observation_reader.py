"""Observations and masks of legal actions as arrays with names.

In shapes, k is the number of rows (decisions), n of players, m of slots and A of action ids. Places
are numbered as in observations: 0 is the agent's own seat, 1 to n-1 are the other seats clockwise,
n to m-1 are the centre. Kinds of mask are numbered in the order of `scenario.kinds`.
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

#: The belief that counts as certain.
SURE = 0.999


class Ids:
    """The ranges of a scenario's action ids (see the table in game/_actions.py).

    Attributes:
        look: the id of look. The takes come before it: `take` of place p is p - 1.
        announce: the id of announcing the first kind; the other kinds follow.
        swap: the id of swap; keep follows.
        claim: the id of claim; pass follows.
        target: the id of the target at place 1; the other seats follow, and then decline.
        declare: the id of declaring the first kind; the other kinds follow.
        spans: for each phase, its first id and one past its last.
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
    """Rows of observations, whose parts are computed on first use.

    Args:
        scenario: the scenario that is played.
        observations: [k, D] in the layout of `Schema(scenario, "both")`.
        masks: [k, A] 1 for each legal action id, else 0.
        bold: [k] whether a decision is bold (see scored_agent.py).
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
        """Return a column of the block "slots" for all places."""
        place = self.schema.columns[name]
        column = self._slots[:, :, place.start : place.stop]
        return column if place.shape else column[:, :, 0]

    @cached_property
    def _slots(self) -> Floats:
        return self._block("slots")

    @cached_property
    def coins(self) -> Floats:
        """[k, n] the coins on each seat."""
        counts: Floats = np.rint(self._column("coins")[:, : self.players] * self.goal)
        return counts

    @cached_property
    def tribunal(self) -> Floats:
        """[k] the coins of the tribunal."""
        counts: Floats = np.rint(self._block("tribunal")[:, 0] * self.goal)
        return counts

    @cached_property
    def belief(self) -> Floats:
        """[k, m, kinds] the agent's neutral belief."""
        return self._block("own_belief")

    @cached_property
    def onlooker(self) -> Floats:
        """[k, m, kinds] the neutral belief of an onlooker."""
        return self._block("onlooker_belief")

    @cached_property
    def own(self) -> Floats:
        """[k, kinds] the agent's belief in its own mask."""
        return self.belief[:, 0]

    @cached_property
    def known(self) -> Bools:
        """[k, kinds] whether the agent knows that each mask is its own.

        A belief that is not exact can be wrongly certain, except of a mask that the agent has seen
        and no player has moved since.
        """
        exact = self._block("exact")[:, 0] > 0
        return (self.own >= SURE) & (exact | self.sure[:, 0])[:, None]

    @cached_property
    def cards(self) -> Floats:
        """[kinds] the number of cards of each mask."""
        return np.array(
            [self.scenario.masks.count(kind) for kind in self.scenario.kinds], np.float32
        )

    @cached_property
    def announced(self) -> Ints:
        """[k] the kind announced on this turn; 0 also without an announcement."""
        columns: Ints = self._block("announced").argmax(axis=1)
        return columns

    @cached_property
    def sure(self) -> Bools:
        """[k, n] whether all players know that the player on each seat knows their own mask."""
        return self._column("sure")[:, : self.players] > 0

    @cached_property
    def under_table(self) -> Bools:
        """[k, m] whether the mask of each place is under the table."""
        return self._column("under_table") > 0

    @cached_property
    def announcer(self) -> Ints:
        """[k] the place of the announcer; 0 also without an announcement."""
        seats: Ints = self._column("answer")[:, : self.players, 0].argmax(axis=1)
        return seats

    @cached_property
    def claims(self) -> Bools:
        """[k, n] whether each player has claimed the announced mask."""
        return self._column("answer")[:, : self.players, 1] > 0

    @cached_property
    def passes(self) -> Bools:
        """[k, n] whether each player has passed."""
        return self._column("answer")[:, : self.players, 2] > 0

    @cached_property
    def unasked(self) -> Bools:
        """[k, n] whether each player has yet to claim or pass, the deciding player included."""
        return self._column("answer")[:, : self.players, 3] > 0

    @cached_property
    def tallies(self) -> dict[str, Floats]:
        """[k, n] for each name of `TALLIES`, its count so far."""
        shares = {}
        for name in TALLIES:
            part = self._column(name)[:, : self.players]
            shares[name] = _since(part, TALLY_HALF)
        return shares

    @cached_property
    def said(self) -> Floats:
        """[k, n, kinds] 1 for the mask that each player last announced, else 0."""
        return self._column("said")[:, : self.players]

    @cached_property
    def unchallenged(self) -> Bools:
        """[k, n] whether no player claimed the mask that the player last announced."""
        outcome = OUTCOMES.index("unchallenged")
        return self._column("said_outcome")[:, : self.players, outcome] > 0

    @cached_property
    def said_ago(self) -> Floats:
        """[k, n] the turns t since each player last announced, as t / (t + 8)."""
        return self._column("said_ago")[:, : self.players]

    @cached_property
    def silence(self) -> Floats:
        """[k] the turns since the last announcement of any player, or since the game began."""
        never = _since(self._block("turn"), TURN_HALF)
        spoken = self.said.any(axis=2)
        ages: Floats = np.where(spoken, _since(self.said_ago, AGE_HALF), never).min(axis=1)
        return ages

    @cached_property
    def touched_ago(self) -> Floats:
        """[k, n] the turns t since the mask of each seat may last have moved, as t / (t + 8)."""
        return self._column("touched_ago")[:, : self.players]

    def of_announced(self, by_kind: Floats) -> Floats:
        """Return [k, ...] the entries of [k, ..., kinds] for the announced kind."""
        picked: Floats = np.take_along_axis(
            by_kind, self.announced.reshape(-1, *[1] * (by_kind.ndim - 1)), axis=-1
        )[..., 0]
        return picked


def _since(age: Floats, half: int) -> Floats:
    """Return the t of t / (t + half)."""
    ages: Floats = np.rint(half * age / (1 - age))
    return ages
