"""A replay of a game, which computes what each viewer knows.

`Game` itself keeps only the full state and the decisions. When a viewer's knowledge is needed, a
`Replay` takes the decisions again on a separate row, and passes their events to a follower.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled, sealed
from mascarade_env.game import _actions as actions
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import EVENT, LOG_SIZE
from mascarade_env.game._positions import TABLE, Rows, slots_under_table
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.knowledge._event_buffer import EventBuffer
from mascarade_env.knowledge._follower import (
    GAME_WORLD_LIMIT,
    Followed,
    Follower,
    follow,
    missing_room,
)
from mascarade_env.observation._blocks import FULL
from mascarade_env.observation._encoder import observe_games
from mascarade_env.observation._full_state import reveal_games
from mascarade_env.observation._schema import schema_of

# The most decisions in one call of a kernel, which a user cannot interrupt.
_CHUNK = 256


class _Course(NamedTuple):
    """A game in progress, for kernels."""

    rows: Rows  # [1] of GAME
    logs: Rows  # [1] of LOG
    legals: Rows  # [1] of LEGAL
    fresh: NDArray[Any]  # of EVENT: events that are not in the buffer yet
    added: NDArray[np.int64]  # [1] number of these events


@compiled
def _tell(c: _Course, f: Followed) -> None:
    """Store the events of the last step, and pass them to the follower."""
    log = c.logs[0]
    for k in range(log.count):
        c.fresh[c.added[0]] = log.event[k]
        c.added[0] += 1
    follow(f, 0, log)


@compiled
def _need(c: _Course, f: Followed) -> int:
    """Return the number of worlds to make room for before the next decision."""
    return missing_room(f, 0, 0) if c.rows[0].phase == TABLE else 0


@sealed
def _replay(c: _Course, f: Followed, taken: NDArray[np.int64]) -> int:
    """Take decisions (see `Game._taken`) until memory is full; return the number taken."""
    for i in range(len(taken)):
        if c.added[0] + LOG_SIZE > len(c.fresh) or _need(c, f):
            return i
        g = c.rows[0]
        rules.apply(g, c.logs[0], taken[i] if taken[i] >= 0 else rules.random_id(g, c.legals[0]))
        _tell(c, f)
    return len(taken)


class Replay:
    """A replay of one game, and what each viewer knows: the players by number, then the onlooker.

    Args:
        scenario: the scenario of the game.
        rows: one GAME, as it was just after the deal.
        logs: one LOG, with the events of the deal.
        padded: whether observations are padded.

    Attributes:
        follower: what viewers know of the replayed part of the game.
        received: for each view, the number of events of this game that it has received.
    """

    follower: Follower
    received: WeakKeyDictionary[AgentView, int]

    def __init__(self, scenario: Scenario, rows: Rows, logs: Rows, *, padded: bool) -> None:
        self._padded = padded
        self._course = _Course(
            rows=rows.copy(),
            logs=logs.copy(),
            legals=np.zeros(1, LEGAL),
            fresh=np.zeros(16 * LOG_SIZE, EVENT),
            added=np.zeros(1, np.int64),
        )
        masks = schema_of(scenario, "both", padded).masks
        self.follower = Follower(scenario, masks, 1, windows=True, worlds=GAME_WORLD_LIMIT)
        self._events = EventBuffer()
        # For each bit set of viewers: the events they see, and the number of events searched.
        self._seen: dict[int, tuple[EventBuffer, int]] = {}
        self.received = WeakKeyDictionary()
        _tell(self._course, self.follower.data)
        self._keep_events()

    @property
    def decisions(self) -> int:
        """The number of decisions replayed."""
        return int(self._course.rows["decisions"][0])

    @property
    def swap_id(self) -> int:
        """The action id of swap; keep is the next id."""
        return int(actions.swap_id(self._course.rows[0]))

    @property
    def player(self) -> int:
        """The acting player."""
        g = self._course.rows[0]
        return int(g["player_at"][g["actor"]])

    @property
    def under_table(self) -> tuple[int, int] | None:
        """The two slots whose masks are under the table, None if there are none."""
        return slots_under_table(self._course.rows[0])

    def copy(self) -> Self:
        """Return a replay that continues independently."""
        twin = object.__new__(type(self))
        twin._padded = self._padded
        twin._course = _Course(*map(np.array, self._course))
        twin.follower = self.follower.copy()
        twin._events = self._events.copy()
        twin._seen = {seen_by: (seen.copy(), at) for seen_by, (seen, at) in self._seen.items()}
        twin.received = self.received.copy()
        return twin

    def take(self, taken: Sequence[int]) -> None:
        """Replay the next decisions, which are `taken`."""
        left = np.array(taken, np.int64)
        while len(left):
            left = left[int(_replay(self._course, self.follower.data, left[:_CHUNK])) :]
            self._keep_events()
            if len(left) and (need := int(_need(self._course, self.follower.data))):
                self.follower.grow(need)

    def _keep_events(self) -> None:
        """Move new events into the buffer."""
        added = self._course.added
        self._events.add(self._course.fresh[: added[0]])
        added[0] = 0

    def events(self, seen_by: int) -> NDArray[Any]:
        """Return the events so far that a viewer in the bit set sees, as a read-only array."""
        seen, searched = self._seen.get(seen_by) or (EventBuffer(), 0)
        seen.add(self._events.seen_by(seen_by, searched))
        self._seen[seen_by] = seen, len(self._events)
        return seen.events

    def observation(self, player: int, track: str) -> NDArray[np.float32]:
        """Return a player's observation, or for the track "full" the full state."""
        schema = schema_of(self.follower.scenario, track, self._padded)
        out, viewers = np.empty((1, schema.size), np.float32), np.array([player])
        if track == FULL:
            rows, followed = self._course.rows, self.follower.data
            reveal_games(rows, followed, schema.layout, viewers, out)
        else:
            observe_games(self.follower.data, schema.layout, viewers, out)
        return out[0]
