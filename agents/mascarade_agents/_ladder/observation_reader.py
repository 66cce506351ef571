"""Observations and masks of legal actions as arrays with names.

In shapes, k is the number of rows (decisions), n of players, m of slots and A of action ids. Places
have the numbers of observations: 0 is the agent's own seat, 1 to n-1 are the other seats clockwise,
and n to m-1 are in the centre. Kinds of mask have the order of `scenario.kinds`.
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

#: A belief of at least this probability counts as certain.
SURE = 0.999


class Ids:
    """The ranges of a scenario's action ids (see the table in game/_actions.py).

    Attributes:
        look: the id of look. The takes come before it: the id of a take of place p is p - 1.
        announce: the id of announcing the first kind; the other kinds follow.
        swap: the id of swap; keep follows.
        claim: the id of claim; pass follows.
        target: the id of the target at place 1; the other seats follow, and then decline.
        declare: the id of declaring the first kind; the other kinds follow.
        spans: for each phase, its first id, and its last id plus 1.
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
    """The parts of a batch of observations, each computed on first use.

    Args:
        scenario: the scenario of the games.
        observations: [k, D] in the layout of `Schema(scenario, "both")`.
        masks: [k, A] 1 for each legal action id, else 0.
        bold: [k] whether each decision is bold (see `PhasedAgent.boldness` in scored_agent.py).
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
        """Return a column of the block "slots" of the observation, for all places."""
        place = self.schema.columns[name]
        column = self._slots[:, :, place.start : place.stop]
        return column if place.shape else column[:, :, 0]

    @cached_property
    def _slots(self) -> Floats:
        return self._block("slots")

    @cached_property
    def coins(self) -> Floats:
        """The coins of the player on each seat, [k, n]."""
        counts: Floats = np.rint(self._column("coins")[:, : self.players] * self.goal)
        return counts

    @cached_property
    def tribunal(self) -> Floats:
        """The coins of the tribunal, [k]."""
        counts: Floats = np.rint(self._block("tribunal")[:, 0] * self.goal)
        return counts

    @cached_property
    def belief(self) -> Floats:
        """The agent's neutral belief, [k, m, kinds]."""
        return self._block("own_belief")

    @cached_property
    def onlooker(self) -> Floats:
        """The neutral belief of an onlooker, [k, m, kinds]."""
        return self._block("onlooker_belief")

    @cached_property
    def own(self) -> Floats:
        """The agent's belief about its own mask, [k, kinds]."""
        return self.belief[:, 0]

    @cached_property
    def known(self) -> Bools:
        """Whether the agent knows that each mask is its own, [k, kinds].

        A belief that is not exact may be certain and wrong. It is right about a mask that the agent
        has seen and that no player has moved since.
        """
        exact = self._block("exact")[:, 0] > 0
        return (self.own >= SURE) & (exact | self.sure[:, 0])[:, None]

    @cached_property
    def cards(self) -> Floats:
        """The number of cards of each mask, [kinds]."""
        return np.array(
            [self.scenario.masks.count(kind) for kind in self.scenario.kinds], np.float32
        )

    @cached_property
    def announced(self) -> Ints:
        """The kind announced on this turn, [k]; 0 if there is no announcement."""
        columns: Ints = self._block("announced").argmax(axis=1)
        return columns

    @cached_property
    def sure(self) -> Bools:
        """Whether the player on each seat must know their own mask, by public events, [k, n]."""
        return self._column("sure")[:, : self.players] > 0

    @cached_property
    def under_table(self) -> Bools:
        """Whether the mask of each place is under the table, [k, m]."""
        return self._column("under_table") > 0

    @cached_property
    def announcer(self) -> Ints:
        """The place of the announcer, [k]; 0 if there is no announcement."""
        seats: Ints = self._column("answer")[:, : self.players, 0].argmax(axis=1)
        return seats

    @cached_property
    def claims(self) -> Bools:
        """Whether each player has claimed the announced mask, [k, n]."""
        return self._column("answer")[:, : self.players, 1] > 0

    @cached_property
    def passes(self) -> Bools:
        """Whether each player has passed, [k, n]."""
        return self._column("answer")[:, : self.players, 2] > 0

    @cached_property
    def unasked(self) -> Bools:
        """Whether each player must still claim or pass, the deciding player included, [k, n]."""
        return self._column("answer")[:, : self.players, 3] > 0

    @cached_property
    def tallies(self) -> dict[str, Floats]:
        """The counts of `TALLIES` so far: a dict from the name of each to its count, [k, n]."""
        shares = {}
        for name in TALLIES:
            part = self._column(name)[:, : self.players]
            shares[name] = _since(part, TALLY_HALF)
        return shares

    @cached_property
    def said(self) -> Floats:
        """1 for the mask that each player announced last, 0 for other masks, [k, n, kinds]."""
        return self._column("said")[:, : self.players]

    @cached_property
    def unchallenged(self) -> Bools:
        """Whether no other player claimed the mask that each player announced last, [k, n]."""
        outcome = OUTCOMES.index("unchallenged")
        return self._column("said_outcome")[:, : self.players, outcome] > 0

    @cached_property
    def said_ago(self) -> Floats:
        """The turns t since each player's last announcement, as t / (t + 8), [k, n]."""
        return self._column("said_ago")[:, : self.players]

    @cached_property
    def silence(self) -> Floats:
        """The turns since any player's last announcement, or since the start of the game, [k]."""
        never = _since(self._block("turn"), TURN_HALF)
        spoken = self.said.any(axis=2)
        ages: Floats = np.where(spoken, _since(self.said_ago, AGE_HALF), never).min(axis=1)
        return ages

    @cached_property
    def touched_ago(self) -> Floats:
        """The turns t since the mask of each seat last may have moved, as t / (t + 8), [k, n]."""
        return self._column("touched_ago")[:, : self.players]

    def of_announced(self, by_kind: Floats) -> Floats:
        """Select the announced kind from an array [k, ..., kinds], and return it, [k, ...]."""
        picked: Floats = np.take_along_axis(
            by_kind, self.announced.reshape(-1, *[1] * (by_kind.ndim - 1)), axis=-1
        )[..., 0]
        return picked


def _since(age: Floats, half: int) -> Floats:
    """Return t, from an age that is stored as t / (t + half)."""
    ages: Floats = np.rint(half * age / (1 - age))
    return ages
