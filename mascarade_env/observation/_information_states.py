"""Information states: a player's own history of events, as text and as numbers.

They hold all that the player saw since the deal, so recall is perfect. Who is asked to decide next
is left out, for it follows from the rest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.game import _events as events
from mascarade_env.game._scenarios import Scenario

#: The numbers of an event; the kind is one more than in `_events`, so that 0 is no event.
FIELDS = ("kind", "player", "a", "b", "value")
#: Events that a tensor holds by default.
LENGTH = 2048


def as_text(scenario: Scenario, player: int, seen: NDArray[Any]) -> str:
    """Return the events that a player saw, one a line."""
    lines = [f"player {player} of {scenario.name}"]
    lines += [
        events.in_words(event, scenario.players) for event in seen[seen["kind"] != events.ASK]
    ]
    return "\n".join(lines)


def as_numbers(seen: NDArray[Any], length: int) -> NDArray[np.int32]:
    """Return the same as [length, 5] numbers."""
    kept = seen[seen["kind"] != events.ASK]
    if len(kept) > length:
        raise MascaradeError(
            f"this player has seen {len(kept)} events, more than the tensor's length {length}; "
            "give a larger one"
        )
    numbers = np.zeros((length, len(FIELDS)), np.int32)
    for column, field in enumerate(FIELDS):
        numbers[: len(kept), column] = kept[field] + (field == "kind")
    return numbers
