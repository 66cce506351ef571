"""The full state of a game, hidden masks included, as one row of a NumPy structured array.

A row also contains its scenario. So a copy of the row is a clone of the game, and its bytes are
its pickle. Rows of one array may have different scenarios.

Seats, slots and players are numbered as in _positions.py; a mask number is an index of `MASKS`. All
fields are signed, because Numba turns the sum of an unsigned and a signed 64-bit number into a
float.
"""

from typing import Any

import numpy as np

from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.game._positions import Rows
from mascarade_env.game._scenarios import AT_LIMIT, MAX_PLAYERS, MAX_SLOTS, Scenario

# Ordered by size, so that no padding bytes are left between the fields.
_FIELDS: list[Any] = [
    # 64 bits
    ("seed", np.int64),  # the seed that this game was dealt from
    ("rng", np.int64, (4,)),  # random state: words of 32 bits, see _rng.py
    # 32 bits
    ("coins", np.int32, (MAX_PLAYERS,)),  # by seat
    ("tribunal", np.int32),
    ("turn", np.int32),  # turns already ended
    ("start_coins", np.int32),
    ("goal_coins", np.int32),
    ("opening_turns", np.int32),
    ("turn_limit", np.int32),  # 0 for none
    ("decisions", np.int32),  # number taken so far
    # 16 bits: bit sets
    ("claims", np.int16),  # seats that claim the announced mask
    ("liars", np.int16),  # players who spoke falsely and have not paid their fine yet
    ("revealed", np.int16),  # players who had to reveal their mask during this turn
    ("barred", np.int16),  # players who had to reveal it during the turn before (rules 4.3)
    ("winners", np.int16),  # players
    # 8 bits: the scenario
    ("players", np.int8),
    ("slots", np.int8),
    ("kinds", np.int8),  # number of different masks in play
    ("at_limit", np.int8),  # index in _scenarios.AT_LIMIT
    ("fixed_deal", np.int8),
    ("kind", np.int8, (len(MASKS),)),  # the masks in play, ascending
    # 8 bits: the table
    ("deal", np.int8, (MAX_SLOTS,)),  # mask dealt to each slot
    ("mask_at", np.int8, (MAX_SLOTS,)),  # mask at each slot now
    ("player_at", np.int8, (MAX_PLAYERS,)),  # by seat
    ("seat_of", np.int8, (MAX_PLAYERS,)),  # by player
    # 8 bits: the moment
    ("status", np.int8),
    ("phase", np.int8),
    ("marker", np.int8),  # seat whose turn it is
    ("actor", np.int8),  # seat that decides now
    ("announced", np.int8),  # mask announced on this turn
    ("user", np.int8),  # seat that uses the power
    ("target", np.int8),  # first seat that the user chose
    ("table", np.int8, (2,)),  # slots whose masks are under the table
]

#: The structured dtype of one game.
GAME = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


def new_rows(scenario: Scenario, size: int) -> Rows:
    """Return [size] rows of a scenario, before the deal."""
    row = np.zeros((), GAME)
    row["players"] = scenario.players
    row["slots"] = scenario.slots
    row["kinds"] = len(scenario.kinds)
    row["kind"][: len(scenario.kinds)] = [mask_number(mask_id) for mask_id in scenario.kinds]
    row["start_coins"] = scenario.start_coins
    row["goal_coins"] = scenario.goal_coins
    row["opening_turns"] = scenario.opening_turns
    row["turn_limit"] = scenario.turn_limit or 0
    row["at_limit"] = AT_LIMIT.index(scenario.at_limit)
    row["fixed_deal"] = scenario.fixed_deal
    row["deal"][: scenario.slots] = [mask_number(mask_id) for mask_id in scenario.masks]
    return np.full(size, row, GAME)
