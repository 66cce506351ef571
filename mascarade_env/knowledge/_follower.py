"""The follower: events in; public facts, windows of last events, and beliefs out.

The one place where events become knowledge, for one game or for B in step. `Batch`, `Game` and
`AgentView` hold a `Follower` each. It is given events and never the row of a game, so nothing that
no event tells can get into what players know.
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

#: Worlds that a belief about a single game may have before it is thinned.
GAME_WORLD_LIMIT = 1 << 17


class Followed(NamedTuple):
    """What is known of B games, for kernels; n players."""

    games: int  # B, 0 without observations
    facts: Rows  # [B + 1] of FACTS, see `facts_in`
    rings: Rows  # [B, n] of RING; [0, n] for a track without windows
    beliefs: Beliefs


@inlined
def follow(f: Followed, game: int, log: Log) -> None:
    """Take in the events of one step of a game."""
    facts = f.facts[game]
    windows = len(f.rings) > 0
    for k in range(log.count):
        event = log.event[k]
        # The onlooker sees what everyone sees, so these events are the public ones.
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
    """Return the room to make before masks of a game return from under the table; 0 if it is there.

    Args:
        f: what is known.
        game: which.
        reserved: room that other games need.
    """
    need = need_before_return(f.beliefs.sets, game)
    return need if lacks_room(f, reserved + need) else 0


@sealed
def _receive(
    f: Followed, logs: Rows, stream: NDArray[Any], first: int, player: int
) -> tuple[int, int, int]:
    """Take in events of game 0 from the first on, one step of the game at a time.

    Args:
        f: what is known.
        logs: [1] of LOG, room for a step.
        stream: whole steps.
        first: where to begin.
        player: who sees these events; masks that this player knows to be elsewhere are not taken
            in.

    Returns:
        The index in `stream` of the next event to take in; the worlds to make room for first, or
        0; and the index of an event that shows a mask where it cannot be, or -1.
    """
    log, at = logs[0], int(first)
    # A step ends with an ASK, the last one with the stream: beliefs take in whole steps, because
    # masks shown in one step are seen together.
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
    """Return the place of the first event of a step that no world of the player agrees with, or -1.

    If worlds were dropped to save room, one that agrees may be among them: then the masks shown
    together need only be masks of the scenario.
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
    """What the viewers of games know; kernels read and write `data`.

    Args:
        scenario: of all games.
        masks: the mask of each column of beliefs.
        games: B.
        windows: whether to keep windows of last events.
        worlds: worlds that a belief may have before it is thinned; 0 to follow no beliefs.

    Attributes:
        data: facts, windows and beliefs.
        scenario: of all games.
        masks: the mask of each column of beliefs.
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
        """Keep beliefs about game 0 for one player and the onlooker alone, from the deal on."""
        world_memory.follow_one(self.data.beliefs.sets, 0, player)

    def receive(self, stream: NDArray[Any], player: int) -> tuple[int, int]:
        """Take in whole steps of game 0, up to one that shows an impossible mask.

        Args:
            stream: an array of EVENT.
            player: who sees these events.

        Returns:
            how many events were taken in, and the index of the impossible one, or -1.
        """
        # Numba compiles again for an array that cannot be written to.
        given, logs = stream.copy(), np.zeros(1, LOG)
        at, impossible = 0, -1
        while at < len(given) and impossible < 0:
            at, need, impossible = _receive(self.data, logs, given, at, player)
            if need:
                self.grow(need)
        return int(at), int(impossible)

    def copy(self) -> Self:
        """Return a follower that continues independently."""
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
        # What was unpickled may be aligned otherwise, or not to be written to.
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
        """Memory in bytes; beliefs take more as they become less certain."""
        arrays = [self._memory, self.data.rings, *self.data.beliefs]
        return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))

    @property
    def free_bytes(self) -> int:
        """The part of `nbytes` that holds no worlds now."""
        beliefs = self.data.beliefs
        used = HOME_ROOM * (1 << beliefs.sets["doublings"].astype(np.int64)).sum()
        return int(len(beliefs.worlds) - used) * WORLD.itemsize

    @property
    def facts(self) -> Row:
        """The public facts about game 0."""
        return self.data.facts[0]

    def held(self, viewer: int) -> NDArray[Any]:
        """Return the worlds of a viewer of game 0 as kept, an array of WORLD.

        Args:
            viewer: a player, or the number of players for the onlooker; like below.
        """
        held = self.data.beliefs.sets[0, viewer]
        return self.data.beliefs.worlds[held["begin"] : held["begin"] + held["count"]]

    def belief(self, viewer: int) -> NDArray[np.float64]:
        """Return [slots, masks] the probability of each mask at each slot."""
        table = np.empty(self.scenario.slots * len(self.masks))
        _tabulate(self.data.beliefs, viewer, table)
        return table.reshape(-1, len(self.masks))

    def worlds(self, viewer: int) -> Worlds:
        """Return the placements that are possible, and their probabilities."""
        held = self.held(viewer)
        weights = held["weight"] / held["weight"].sum()
        return Worlds(
            placements(held["key"], self.scenario.slots, self.masks), weights, self.exact(viewer)
        )

    def exact(self, viewer: int) -> bool:
        """Return whether a belief is exact; if not, it was thinned since the deal."""
        return bool(self.data.beliefs.sets["exact"][0, viewer])

    @property
    def most_worlds(self) -> int:
        """How many worlds a belief may have before it is thinned."""
        return int(self.data.beliefs.heap["most"][0])
