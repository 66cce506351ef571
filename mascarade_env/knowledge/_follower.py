"""Follows one game and knows what each of its viewers does.

A witness replays the decisions of a game on a row of its own and takes note of the events. `Game`
keeps one and lets it catch up when somebody asks.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import compiled
from mascarade_env.game import _actions as actions
from mascarade_env.game import _rules as rules
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import EVENT, LOG_SIZE
from mascarade_env.game._positions import TABLE, Rows, slots_under_table
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge import _beliefs as knowledge
from mascarade_env.knowledge import _worlds as worlds
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.knowledge._beliefs import Beliefs
from mascarade_env.knowledge._event_buffer import Story
from mascarade_env.knowledge._facts import NOTES, prepare, watch
from mascarade_env.knowledge._worlds import MOST_WORLDS, Worlds
from mascarade_env.observation._full_state import view
from mascarade_env.observation._schema import schema_of


class _Followed(NamedTuple):
    """What the kernels below work on, all of one game."""

    rows: Rows  # of GAME
    logs: Rows  # of LOG
    legals: Rows  # of LEGAL
    notes: Rows  # of NOTES
    layouts: NDArray[Any]  # of LAYOUT
    fresh: NDArray[Any]  # of EVENT, what happened that the story does not hold yet
    told: NDArray[np.int64]  # [1] how many events that are


@compiled
def _tell(f: _Followed, b: Beliefs) -> None:
    """Take in the events of the last step."""
    log, notes = f.logs[0], f.notes[0]
    for k in range(log.count):
        f.fresh[f.told[0]] = log.event[k]
        f.told[0] += 1
    watch(notes, log)
    knowledge.believe(b.sets, b.chances, b.heap[0], b.worlds, b.scratch, b.sums, 0, log, notes)


@compiled
def _begin(f: _Followed, b: Beliefs) -> None:
    """Take in the deal, whose events stand in the log."""
    prepare(f.notes[0], f.rows[0], f.layouts[0])
    _tell(f, b)


@compiled
def _need(f: _Followed, b: Beliefs) -> int:
    """How many more worlds there must be room for before the next decision."""
    if f.rows[0].phase != TABLE:
        return 0
    need = knowledge.need_before_return(b.sets, 0)
    return need if b.heap[0].top + need > len(b.worlds) else 0


@compiled
def _follow(f: _Followed, b: Beliefs, taken: NDArray[np.int64]) -> int:
    """Take decisions (see `Game._taken`) until room is lacking; returns how many."""
    for i in range(len(taken)):
        if f.told[0] + LOG_SIZE > len(f.fresh) or _need(f, b):
            return i
        g = f.rows[0]
        rules.apply(g, f.logs[0], taken[i] if taken[i] >= 0 else rules.random_id(g, f.legals[0]))
        _tell(f, b)
    return len(taken)


class Witness:
    """Knows what each viewer of one game knows: players by number, then the onlooker.

    Args:
        scenario: of the game.
        rows: one GAME, as the masks were dealt.
        logs: one LOG, with the events of the deal.
        padded: whether observations are padded.
    """

    def __init__(self, scenario: Scenario, rows: Rows, logs: Rows, *, padded: bool) -> None:
        self.scenario = scenario
        self.padded = padded
        schema = schema_of(scenario, "both", padded)
        self._masks = schema.masks
        self._data = _Followed(
            rows=rows.copy(),
            logs=logs.copy(),
            legals=np.zeros(1, LEGAL),
            notes=np.zeros(1, NOTES),
            layouts=schema.layout,
            fresh=np.zeros(16 * LOG_SIZE, EVENT),
            told=np.zeros(1, np.int64),
        )
        self._beliefs = knowledge.new_beliefs(
            1, scenario.players, scenario.slots, len(schema.masks), MOST_WORLDS
        )
        _begin(self._data, self._beliefs)
        self._story = Story()
        # By bit set of viewers: what they see of the story, and how much of it was searched.
        self._seen: dict[int, tuple[Story, int]] = {}
        #: How many events of this game each view has received.
        self.received: WeakKeyDictionary[AgentView, int] = WeakKeyDictionary()
        self._note()

    @property
    def followed(self) -> int:
        """How many decisions of the game it has followed."""
        return int(self._data.rows["decisions"][0])

    @property
    def most_worlds(self) -> int:
        """How many worlds a belief may have before it is thinned."""
        return int(self._beliefs.heap["most"][0])

    @property
    def swap_id(self) -> int:
        """The id of a swap; keep is the next."""
        return int(actions.swap_id(self._data.rows[0]))

    @property
    def player(self) -> int:
        """Who decides."""
        g = self._data.rows[0]
        return int(g["player_at"][g["actor"]])

    @property
    def under_table(self) -> tuple[int, int] | None:
        """The slots whose masks are about to come back from under the table, if any are."""
        return slots_under_table(self._data.rows[0])

    def copy(self) -> Self:
        """A witness that goes on by itself."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._data = _Followed(*map(np.array, self._data))
        twin._beliefs = Beliefs(*map(np.array, self._beliefs))
        twin._story = self._story.copy()
        twin._seen = {seen_by: (seen.copy(), at) for seen_by, (seen, at) in self._seen.items()}
        twin.received = self.received.copy()
        return twin

    def follow(self, taken: Sequence[int]) -> None:
        """Take in decisions that come after those followed so far."""
        rest = np.array(taken, np.int64)
        while len(rest):
            rest = rest[int(_follow(self._data, self._beliefs, rest)) :]
            self._note()
            if len(rest) and (need := int(_need(self._data, self._beliefs))):
                self._beliefs = knowledge.grown(self._beliefs, need)

    def _note(self) -> None:
        """Move what happened into the story."""
        told = self._data.told
        self._story.add(self._data.fresh[: told[0]])
        told[0] = 0

    # What viewers know

    def belief(self, viewer: int) -> NDArray[np.float64]:
        """[slots, masks] the probability of each mask at each slot."""
        return worlds.table_of(self._beliefs, viewer, self.scenario.slots, len(self._masks))

    def held(self, viewer: int) -> NDArray[Any]:
        """The worlds of a viewer as kept, an array of knowledge.WORLD."""
        return worlds.held_by(self._beliefs, viewer)

    def worlds(self, viewer: int) -> Worlds:
        """The placements that are possible."""
        return worlds.worlds_of(self._beliefs, viewer, self.scenario.slots, self._masks)

    def exact(self, viewer: int) -> bool:
        """Whether a belief is exact."""
        return worlds.is_exact(self._beliefs, viewer)

    def observation(self, player: int, track: str) -> NDArray[np.float32]:
        """What a player may know, or for the track "full" all there is to know."""
        schema = schema_of(self.scenario, track, self.padded)
        out = np.empty((1, schema.size), np.float32)
        data, beliefs, players = self._data, self._beliefs, np.array([player])
        view(
            data.rows, data.notes, beliefs.sets, beliefs.chances, schema.layout, players, out
        )  # fmt: skip
        return out[0]

    def story(self, seen_by: int) -> NDArray[Any]:
        """The events so far that one of a bit set sees, read-only."""
        seen, searched = self._seen.get(seen_by) or (Story(), 0)
        seen.add(self._story.seen_by(seen_by, searched))
        self._seen[seen_by] = seen, len(self._story)
        return seen.events
