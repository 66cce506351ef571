"""The follower: it turns events into public facts, windows of recent events, and beliefs.

`Batch`, `Game` and `AgentView` use the same `Follower`, for B games or for one. It receives events,
and never the row of a game. So a player's knowledge cannot contain anything that the player's
events do not show.
"""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mascarade_env._jit import inlined, sealed
from mascarade_env.game import _events as events
from mascarade_env.game._events import LOG, ONLOOKER, Log
from mascarade_env.game._masks import PEASANT
from mascarade_env.game._positions import Row, Rows, bit
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge import _world_memory as world_memory
from mascarade_env.knowledge._beliefs import believe, mask_in, tabulate, tells_of_masks
from mascarade_env.knowledge._facts import facts_in, new_facts, note, row_bytes
from mascarade_env.knowledge._windows import KEPT, RING, exchange_seats, remember
from mascarade_env.knowledge._world_memory import HOME_ROOM, WORLD, Beliefs, need_before_return
from mascarade_env.knowledge._worlds import Worlds, placements

#: The largest number of worlds of a belief in a `Game` or `AgentView`; a larger belief is thinned.
GAME_WORLD_LIMIT = 1 << 17


class Followed(NamedTuple):
    """The knowledge of viewers of B games with n players, for kernels."""

    games: int  # B, 0 without observations
    facts: Rows  # [B + 1] of FACTS, see `facts_in`
    rings: Rows  # [B, n] of RING; [0, n] for a track without windows
    beliefs: Beliefs


@inlined
def follow(f: Followed, game: int, log: Log) -> None:
    """Update the knowledge of viewers with the events of one step of a game."""
    facts = f.facts[game]
    windows = len(f.rings) > 0
    for k in range(log.count):
        event = log.event[k]
        # The public events are the events that the onlooker sees.
        if event.seen_by & bit(ONLOOKER):
            if windows and event.kind == events.MOVE:
                exchange_seats(f.rings[game], facts, event)
            note(facts, event)
        if windows and KEPT >> int(event.kind) & 1:
            remember(f.rings[game], facts, event)
    if len(f.beliefs.sets) and tells_of_masks(log):
        believe(f.beliefs, game, log, facts)


@inlined
def lacks_room(f: Followed, need: int) -> bool:
    """Return whether there is no room for `need` more worlds."""
    return f.beliefs.heap[0].top + need > len(f.beliefs.worlds)


@inlined
def missing_room(f: Followed, game: int, reserved: int) -> int:
    """Return the number of worlds to make room for before two masks are put back in a game, or 0.

    Args:
        f: the knowledge of viewers.
        game: the index of the game.
        reserved: the number of worlds for which other games need room.
    """
    need = need_before_return(f.beliefs.sets, game)
    return need if lacks_room(f, reserved + need) else 0


@sealed
def _receive(
    f: Followed, logs: Rows, stream: NDArray[Any], first: int, player: int
) -> tuple[int, int, int]:
    """Follow events of game 0, one step of the game at a time.

    It stops before a step that needs more room for worlds, and before a step that shows a mask
    where the player knows that the mask cannot be.

    Args:
        f: the knowledge of viewers.
        logs: [1] of LOG, working memory for a step.
        stream: array of EVENT, whole steps.
        first: the index in `stream` of the first event to follow.
        player: the player who sees these events.

    Returns:
        The index in `stream` of the next event to follow; the number of worlds to make room for
        before that, or 0; and the index of an event that shows an impossible mask, or -1.
    """
    log, at = logs[0], int(first)
    # A step ends with an ASK. The last step of a game ends with the stream. Beliefs need whole
    # steps, because masks shown in one step are seen together.
    while at < len(stream):
        log.count = 0
        returns, end = False, False
        while at + log.count < len(stream) and not end:
            event = stream[at + log.count]
            log.event[log.count] = event
            log.count += 1
            returns |= event.kind == events.RETURN
            end = event.kind == events.ASK
        impossible = _first_impossible(f, log, player)
        if impossible >= 0:
            return at, 0, at + impossible
        if returns:
            need = missing_room(f, 0, 0)
            if need:
                return at, need, -1
        follow(f, 0, log)
        at += int(log.count)
    return at, 0, -1


@sealed
def _tabulate(b: Beliefs, viewer: int, table: NDArray[np.float64]) -> None:
    held = b.sets[0, viewer]
    tabulate(b.worlds[held.begin : held.begin + held.count], table, int(b.masks), b.sums)


@inlined
def _first_impossible(f: Followed, log: Log, player: int) -> int:
    """Return the index of the first event of a step that shows an impossible mask, or -1.

    A sight is impossible if no world of the player agrees with it. A thinned belief may have
    dropped the worlds that agree. In this case a mask is impossible only if it is shown at more
    slots than it has cards.
    """
    b, facts = f.beliefs, f.facts[0]
    held = b.sets[0, player]
    slots, masks = 0, 0
    for k in range(log.count):
        event = log.event[k]
        if not events.SIGHTS >> int(event.kind) & 1:
            continue
        column = int(b.column[event.value])
        slots |= 15 << (4 * int(event.a))
        masks |= column << (4 * int(event.a))
        possible = False
        if held.exact:
            for at in range(held.begin, held.begin + held.count):
                possible |= b.worlds[at].key & slots == masks
        else:
            shown = 0
            for slot in range(facts.slots):
                if mask_in(slots, slot) and mask_in(masks, slot) == column:
                    shown += 1
            possible = shown <= (2 if event.value == PEASANT else 1)
        if not possible:
            return k
    return -1


class Follower:
    """The knowledge of the viewers of B games. Kernels read and write `data`.

    Args:
        scenario: the scenario of all games.
        masks: the id of the mask of each column of beliefs.
        games: the number of games B.
        windows: whether to keep windows of recent events.
        worlds: the largest number of worlds of a belief; a larger belief is thinned. 0 for no
            beliefs.

    Attributes:
        data: facts, windows and beliefs.
        scenario: the scenario of all games.
        masks: the id of the mask of each column of beliefs.
    """

    data: Followed
    scenario: Scenario
    masks: tuple[str, ...]

    def __init__(
        self, scenario: Scenario, masks: tuple[str, ...], games: int, *, windows: bool, worlds: int
    ) -> None:
        self.scenario = scenario
        self.masks = masks
        self._row_bytes = row_bytes(scenario)
        self._memory = new_facts(scenario, max(games, 1))
        self.data = Followed(
            games=games,
            facts=facts_in(self._memory, self._row_bytes),
            rings=np.zeros((games if windows else 0, scenario.players), RING),
            beliefs=world_memory.new_beliefs(
                games if worlds else 0, scenario.players, scenario.slots, masks, worlds
            ),
        )

    def grow(self, need: int) -> None:
        """Make room for `need` more worlds."""
        self.data = self.data._replace(beliefs=world_memory.grown(self.data.beliefs, need))

    def follow_one(self, player: int) -> None:
        """Compute beliefs about game 0 only for one player and the onlooker, from the deal on."""
        world_memory.follow_one(self.data.beliefs.sets, 0, player)

    def receive(self, stream: NDArray[Any], player: int) -> tuple[int, int]:
        """Follow whole steps of game 0, and stop before a step that shows an impossible mask.

        Args:
            stream: an array of EVENT.
            player: the player who sees these events.

        Returns:
            The number of events followed, and the index of the event with an impossible mask, or
            -1.
        """
        # Copy it, because Numba would compile again for a read-only array.
        writable, logs = stream.copy(), np.zeros(1, LOG)
        at, impossible = 0, -1
        while at < len(writable) and impossible < 0:
            at, need, impossible = _receive(self.data, logs, writable, at, player)
            if need:
                self.grow(need)
        return int(at), int(impossible)

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        data = self.data
        return {
            "scenario": self.scenario,
            "masks": self.masks,
            "row_bytes": self._row_bytes,
            "memory": self._memory.copy(),
            "games": data.games,
            "rings": data.rings.copy(),
            "beliefs": [
                field.copy() if isinstance(field, np.ndarray) else field for field in data.beliefs
            ],
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        # Copy them, because unpickled arrays may have another alignment or be read-only.
        self.scenario = saved["scenario"]
        self.masks = saved["masks"]
        self._row_bytes = saved["row_bytes"]
        self._memory = np.array(saved["memory"])
        self.data = Followed(
            games=saved["games"],
            facts=facts_in(self._memory, self._row_bytes),
            rings=np.array(saved["rings"]),
            beliefs=Beliefs._make(
                np.array(field) if isinstance(field, np.ndarray) else field
                for field in saved["beliefs"]
            ),
        )

    @property
    def nbytes(self) -> int:
        """The memory in bytes; it grows as beliefs become less certain."""
        arrays = [self._memory, self.data.rings, *self.data.beliefs]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    @property
    def free_bytes(self) -> int:
        """The part of `nbytes` that is reserved for worlds, but not used now."""
        beliefs = self.data.beliefs
        used = HOME_ROOM * (1 << beliefs.sets["doublings"].astype(np.int64)).sum()
        return int(len(beliefs.worlds) - used) * WORLD.itemsize

    @property
    def facts(self) -> Row:
        """The public facts about game 0."""
        return self.data.facts[0]

    def held(self, viewer: int) -> NDArray[Any]:
        """Return the worlds of a viewer of game 0, an array of WORLD.

        Args:
            viewer: a player, or the number of players for the onlooker.
        """
        held = self.data.beliefs.sets[0, viewer]
        return self.data.beliefs.worlds[held["begin"] : held["begin"] + held["count"]]

    def belief(self, viewer: int) -> NDArray[np.float64]:
        """Return the belief of a viewer of game 0 (see `held`) as probabilities, [slots, masks]."""
        table = np.empty(self.scenario.slots * len(self.masks))
        _tabulate(self.data.beliefs, viewer, table)
        return table.reshape(-1, len(self.masks))

    def worlds(self, viewer: int) -> Worlds:
        """Return the placements that are possible for a viewer of game 0, with probabilities."""
        held = self.held(viewer)
        weights = held["weight"] / held["weight"].sum()
        return Worlds(
            placements(held["key"], self.scenario.slots, self.masks), weights, self.exact(viewer)
        )

    def exact(self, viewer: int) -> bool:
        """Return whether the belief of a viewer is exact; if not, it was thinned since the deal."""
        return bool(self.data.beliefs.sets["exact"][0, viewer])

    @property
    def most_worlds(self) -> int:
        """The largest number of worlds of a belief; a larger belief is thinned."""
        return int(self.data.beliefs.heap["most"][0])
