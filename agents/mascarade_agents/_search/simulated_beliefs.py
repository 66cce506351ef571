"""What the players of a simulation know: each has probabilities of which mask lies where.

These are marginals, one matrix a player and one for an onlooker, not worlds: exact enough to play
by, and cheap. Two masks taken by others make two rows their average; a mask seen makes its row
certain and takes the mask from the other rows. So in a simulation nobody acts on what is hidden
from them, looking is worth something, and lies are told where they may pass.
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
    """What the players of a simulation believe; kinds are columns, in the order of the scenario.

    Attributes:
        belief: [players + 1, slots, kinds] of each player, and of an onlooker.
        sure: [1] bit set of the players who must know their own mask, as all can tell.
        column: [masks] of each mask.
        cards: [kinds] how many there are.
        scores: [legal actions] to work in.
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
    # A Bayesian update on every marginal by itself. `gone` is the part of this mask that is not at
    # other slots after all: all of it, unless there are two.
    gone = (1.0 - before) / (beliefs.cards[column] - before)
    for other in range(belief.shape[1]):
        if other == slot:
            continue
        lost = gone * belief[viewer, other, column]
        if lost > _CERTAIN:
            # It was thought to be there: what was thought to be here is there then.
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
    """Update the belief of a viewer when another player has swapped two masks, or not."""
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
    """Take one decision, and update what everybody believes."""
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
    """Update beliefs when a mask is seen: by one player, all but its owner, or everybody."""
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
    """A player whose mask came back from under the table need no longer know it.

    Unless that player swapped, or not, and knew the other mask too.
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
