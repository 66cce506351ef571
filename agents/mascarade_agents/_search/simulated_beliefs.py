"""The beliefs of the players of a simulation: probabilities of each mask at each slot.

Each player, and an onlooker who sees public events only, has one matrix of marginal probabilities,
with a row for each slot. That is less exact than worlds, but needs less time. A hidden swap
replaces two rows by their average. A mask that is seen makes its row certain, and removes the mask
from the other rows. So simulated players do not act on masks that they cannot know. They gain by
looking, and they bluff where a bluff may succeed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game import _events as events
from mascarade_env.game._events import Log
from mascarade_env.game._positions import Row, bit
from mascarade_env.game._rules import apply

_CERTAIN = 0.999


class SimulatedBeliefs(NamedTuple):
    """The beliefs of the players of a simulation.

    Attributes:
        belief: [players + 1, slots, kinds] the belief of each player, then that of an onlooker.
        sure: [1] bit set of the players who must know their own mask, by public events.
        column: [masks] the index of each mask among the kinds of the scenario.
        cards: [kinds] the number of cards of each mask.
        scores: [legal actions and masks] working memory of the policy.
    """

    belief: NDArray[np.float64]
    sure: NDArray[np.int64]
    column: NDArray[np.int64]
    cards: NDArray[np.float64]
    scores: NDArray[np.float64]


@compiled
def see(beliefs: SimulatedBeliefs, viewer: int, slot: int, column: int) -> None:
    """Update the belief of a viewer who sees a mask."""
    belief = beliefs.belief
    before = belief[viewer, slot, column]
    if before > _CERTAIN:
        return
    # A Bayesian update of every marginal separately. `gone` is the fraction by which the belief in
    # this mask at other slots decreases: 1, unless the game has two cards of this mask.
    gone = (1.0 - before) / (beliefs.cards[column] - before)
    for other in range(belief.shape[1]):
        if other == slot:
            continue
        lost = gone * belief[viewer, other, column]
        if lost > _CERTAIN:
            # The viewer was certain of the mask there, so the two slots exchange their beliefs.
            for i in range(belief.shape[2]):
                belief[viewer, other, i] = belief[viewer, slot, i] / (1.0 - before)
            belief[viewer, other, column] = 0.0
        elif lost > 0.0:
            belief[viewer, other, column] -= lost
            for i in range(belief.shape[2]):
                belief[viewer, other, i] /= 1.0 - lost
    for i in range(belief.shape[2]):
        belief[viewer, slot, i] = 0.0
    belief[viewer, slot, column] = 1.0


@compiled
def _mix(beliefs: SimulatedBeliefs, viewer: int, one: int, other: int) -> None:
    """Update the belief of a viewer after another player's hidden swap or keep."""
    belief = beliefs.belief
    for i in range(belief.shape[2]):
        average = 0.5 * (belief[viewer, one, i] + belief[viewer, other, i])
        belief[viewer, one, i] = average
        belief[viewer, other, i] = average


@compiled
def _swap(beliefs: SimulatedBeliefs, viewer: int, one: int, other: int) -> None:
    """Update the belief of a viewer who has swapped two masks."""
    belief = beliefs.belief
    for i in range(belief.shape[2]):
        at_one = belief[viewer, one, i]
        belief[viewer, one, i] = belief[viewer, other, i]
        belief[viewer, other, i] = at_one


@compiled
def advance(g: Row, log: Log, beliefs: SimulatedBeliefs, action: int) -> None:
    """Take one decision, and update the beliefs of all players."""
    apply(g, log, action)
    for k in range(log.count):
        event = log.event[k]
        kind = int(event.kind)
        if kind in (events.SEE, events.SHOW, events.REVEAL):
            _show(g, beliefs, event)
        elif kind == events.RETURN:
            for viewer in range(int(g.players) + 1):
                if viewer != event.player:
                    _mix(beliefs, viewer, int(event.a), int(event.b))
            _doubt(g, beliefs, int(event.player), int(event.a), int(event.b))
            _doubt(g, beliefs, int(event.player), int(event.b), int(event.a))
        elif kind == events.SWAP:
            _swap(beliefs, int(event.player), int(event.a), int(event.b))
        elif kind == events.MOVE:
            beliefs.sure[0] &= ~(bit(g.player_at[event.a]) | bit(g.player_at[event.b]))


@compiled
def _show(g: Row, beliefs: SimulatedBeliefs, event: Any) -> None:
    """Update the beliefs of all players who see a mask, and that of the onlooker after a reveal."""
    column = int(beliefs.column[event.value])
    for viewer in range(g.players):
        if event.seen_by & bit(viewer):
            see(beliefs, viewer, int(event.a), column)
    if event.kind == events.REVEAL:
        see(beliefs, int(g.players), int(event.a), column)
    if event.kind != events.SHOW and g.seat_of[event.player] == event.a:
        beliefs.sure[0] |= bit(event.player)


@compiled
def _doubt(g: Row, beliefs: SimulatedBeliefs, player: int, slot: int, other: int) -> None:
    """Unset `sure` for the player who gets the mask at `slot` back from under the table.

    Leave it set if this player swapped or kept the two masks, and knew the other mask too.
    """
    if slot >= g.players:
        return
    if g.player_at[slot] != player or not _knows(beliefs, player, other):
        beliefs.sure[0] &= ~bit(g.player_at[slot])


@compiled
def _knows(beliefs: SimulatedBeliefs, viewer: int, slot: int) -> bool:
    """Return whether a viewer is certain of the mask at a slot."""
    for column in range(beliefs.belief.shape[2]):
        if beliefs.belief[viewer, slot, column] > _CERTAIN:
            return True
    return False
