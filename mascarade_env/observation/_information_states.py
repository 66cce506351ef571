"""Information states: all events that a player saw since the deal, as text and as numbers.

An information state has perfect recall. It leaves out events of the kind ASK, which name the next
acting player, because they follow from the other events.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.game import _events as events
from mascarade_env.game._scenarios import Scenario

#: The columns of a tensor. The kind is 1 + the number in `_events`, so that 0 means no event.
FIELDS = ("kind", "player", "a", "b", "value")
#: The default number of events of a tensor.
LENGTH = 2048


def as_text(scenario: Scenario, player: int, seen: NDArray[Any]) -> str:
    """Return the events that a player saw, one in each line."""
    lines = [f"player {player} of {scenario.name}"]
    lines += [
        events.in_words(event, scenario.players) for event in seen[seen["kind"] != events.ASK]
    ]
    return "\n".join(lines)


def as_numbers(seen: NDArray[Any], length: int) -> NDArray[np.int32]:
    """Return the events as numbers, [length, 5], with zeros at the end.

    Raises:
        MascaradeError: there are more than `length` events.
    """
    kept = seen[seen["kind"] != events.ASK]
    if len(kept) > length:
        raise MascaradeError(
            f"this player has seen {len(kept)} events, but length is {length}; "
            f"pass length={len(kept)} or more"
        )
    numbers = np.zeros((length, len(FIELDS)), np.int32)
    for column, field in enumerate(FIELDS):
        numbers[: len(kept), column] = kept[field] + (field == "kind")
    return numbers
