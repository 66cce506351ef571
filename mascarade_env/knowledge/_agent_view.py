"""A view for an agent: everything that its player may know of a game, and nothing else.

A view receives the events that its player sees. It has no reference to the game, its row or its
random numbers, so that an agent cannot reach hidden masks through it:

    view = game.view(player=2)  # with all events that player 2 has seen
    view.legal_actions()        # empty unless player 2 decides now

`Game.tell` passes later events to the view. Another frontend passes events to `AgentView.hear`,
which checks them.
"""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError, whole
from mascarade_env._jit import compiled
from mascarade_env.game import _actions as actions
from mascarade_env.game import _event_sequence as event_sequence
from mascarade_env.game import _events as events
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import EVENT
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import (
    NOBODY,
    RUNNING,
    WON,
    Rows,
)
from mascarade_env.game._rng import fill
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.game._state import new_rows
from mascarade_env.game._table_facts import TableFacts
from mascarade_env.knowledge._event_buffer import EventBuffer
from mascarade_env.knowledge._follower import GAME_WORLD_LIMIT, Follower
from mascarade_env.knowledge._worlds import Worlds, placements
from mascarade_env.observation import _information_states as information
from mascarade_env.observation._blocks import TRACKS, Track
from mascarade_env.observation._encoder import observe_games
from mascarade_env.observation._schema import Schema, schema_of

# The fields that FACTS and GAME share: the public part of a position.
_PUBLIC = (
    "coins", "tribunal", "turn", "claims", "liars", "revealed", "barred", "player_at", "seat_of",
    "phase", "marker", "actor", "announced", "user", "target", "table",
)  # fmt: skip


@compiled
def _find_legal(facts: Rows, legals: Rows) -> None:
    actions.find_legal(facts[0], legals[0])


@final
class AgentView(TableFacts):
    """Everything that one player of a game may know.

    A new view has received no events. `Game.view` returns a view that has received all events that
    its player has seen.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        player: the number of the player.

    Attributes:
        scenario: the `Scenario` of the game.
        player: the number of the player.
    """

    scenario: Scenario
    player: int

    def __init__(self, scenario: str | Path | Mapping[str, Any] | Scenario, player: int) -> None:
        self.scenario = resolve(scenario)
        self.player = whole(player, "player", at_least=0)
        if self.player >= self.scenario.players:
            raise MascaradeError(f"player must be 0..{self.scenario.players - 1}, not {player}")
        self._events = EventBuffer()
        # By `padded`: the follower for these observations, and how many events it has followed.
        self._followers = {False: (self._new_follower(padded=False), 0)}

    def _new_follower(self, *, padded: bool) -> Follower:
        masks = schema_of(self.scenario, "both", padded).masks
        follower = Follower(self.scenario, masks, 1, windows=True, worlds=GAME_WORLD_LIMIT)
        follower.follow_one(self.player)
        return follower

    def hear(self, message: NDArray[Any] | Sequence[Sequence[int]]) -> None:
        """Receive the next events that the player sees, and check them.

        The first step of a game is the deal. Each later step is a decision and its consequences, up
        to the next ASK or the end of the game.

        Args:
            message: all events of one or more whole steps that this player sees, in order, and no
                other events. An array like `events`, or a list of tuples
                (value, seen_by, kind, player, a, b) as in `events.tolist()`.

        Raises:
            MascaradeError: an event is missing, misplaced or not for this player, or it shows a
                mask where this player knows that the mask cannot be. The error gives the index of
                the event since the deal, and the events that are possible. The view is unchanged.
        """
        fresh = event_sequence.events_of(message, self.player)
        event_sequence.check(
            self.scenario, self._public_row(), fresh, self.player, len(self._events)
        )
        self._take_in(fresh)

    def _take_in(self, fresh: NDArray[Any]) -> None:
        """Add events to the view. Their sequence must be correct.

        `hear` has checked the sequence, or the rules have made the events.

        Raises:
            MascaradeError: an event shows a mask where this player knows that the mask cannot be.
        """
        before = len(self._events)
        follower, received = self._followers[False]
        taken_in, impossible = follower.receive(fresh, self.player)
        if impossible >= 0:
            if taken_in:
                follower = self._new_follower(padded=False)
                follower.receive(self._events.events, self.player)
                self._followers[False] = follower, before
            event = fresh[impossible]
            raise MascaradeError(
                f"{self.scenario.name}: event {before + impossible}, "
                f"{event_sequence.in_fields(event)}, shows the {MASK_IDS[event['value']]} at slot "
                f"{event['a']}, but player {self.player} knows that it cannot be there; check the "
                "deal, the swaps and the keeps that were sent"
            )
        self._followers[False] = follower, received + taken_in
        self._events.add(fresh)

    @property
    def events(self) -> NDArray[Any]:
        """The events that the player has seen since the deal: an array of EVENT (_events.py)."""
        return np.frombuffer(self._events.events.tobytes(), EVENT)

    def log(self) -> list[str]:
        """Return all events that the player has seen, in sentences."""
        seen = self.events
        players = self.scenario.players
        return [events.in_words(event, players) for event in seen[seen["kind"] != events.ASK]]

    @property
    def schema(self) -> Schema:
        """The schema of `observation()`."""
        return Schema(self.scenario)

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    # The table

    @property
    def decides(self) -> int | None:
        """The acting player; None when the game is over."""
        actor = int(self._rows[0]["actor"])
        return None if actor == NOBODY else int(self._rows[0]["player_at"][actor])

    @property
    def seat(self) -> int:
        """The seat of this player."""
        return int(self._rows[0]["seat_of"][self.player])

    # The next decision

    def legal_ids(self) -> list[int]:
        """Return the legal actions as ids, ascending; [] unless this player decides now."""
        if self.decides != self.player:
            return []
        legals = np.zeros(1, LEGAL)
        _find_legal(self._follower.data.facts, legals)
        ids: list[int] = legals["id"][0, : legals["count"][0]].tolist()
        return ids

    def legal_actions(self) -> list[str]:
        """Return the legal actions in words, in the order of `legal_ids`."""
        return [actions.word_of(self._rows[0], action) for action in self.legal_ids()]

    def action_id(self, word: str) -> int:
        """Return the id of an action in words; this player must be the acting player.

        Raises:
            IllegalActionError: another player decides, or the seat, slot or mask is not in this
                game.
            UnknownNameError: the word names no action, or a mask that does not exist.
        """
        self._need_decision(word)
        return actions.id_of(self._rows[0], word)

    def action_word(self, action: int) -> str:
        """Return an action id in words; this player must be the acting player.

        Raises:
            IllegalActionError: another player decides, or the scenario has no such id.
        """
        self._need_decision(str(action))
        return actions.word_of(self._rows[0], whole(action, "an action id"))

    def _need_decision(self, action: str) -> None:
        if self.decides != self.player:
            now = "the game is over" if self.over else f"player {self.decides} decides now"
            raise IllegalActionError(
                f"action {action!r} is not for player {self.player} now: {now}"
            )

    # What the player knows

    def observation(self, track: Track = "both", *, padded: bool = False) -> NDArray[np.float32]:
        """Return the observation of the player as a vector. It shows what the player may know.

        `Schema(scenario, track, padded=padded)` describes each number.

        Args:
            track: "memory", "belief" or "both", as for `Game.observation`.
            padded: whether to lay it out for 12 seats, 14 slots and all 16 masks.
        """
        if track not in TRACKS:
            raise MascaradeError(f"track must be one of {', '.join(TRACKS)}, not {track!r}")
        schema = schema_of(self.scenario, track, padded)
        if padded not in self._followers:
            self._followers[padded] = self._new_follower(padded=padded), 0
        follower, received = self._followers[padded]
        taken_in, _ = follower.receive(self._events.events[received:], self.player)
        self._followers[padded] = follower, received + taken_in
        out = np.empty((1, schema.size), np.float32)
        observe_games(follower.data, schema.layout, np.array([self.player]), out)
        return out[0]

    def information_state(self) -> str:
        """Return all events that the player has seen since the deal, as text (perfect recall)."""
        return information.as_text(self.scenario, self.player, self.events)

    def information_state_tensor(self, length: int = information.LENGTH) -> NDArray[np.int32]:
        """Return the information state as numbers, see `Game.information_state_tensor`."""
        return information.as_numbers(self.events, whole(length, "length", at_least=1))

    def belief(self) -> NDArray[np.float64]:
        """Return the player's neutral belief (rules 8) as probabilities, [slots, masks].

        Row s is slot s, and column k is the mask `scenario.kinds[k]`.
        """
        return self._follower.belief(self.player)

    def onlooker_belief(self) -> NDArray[np.float64]:
        """Return the neutral belief of the onlooker, who sees only what all players see."""
        return self._follower.belief(self.scenario.players)

    @property
    def exact(self) -> bool:
        """Whether the player's belief is exact.

        If the belief is not exact, possible placements were dropped since the deal, because there
        were too many.
        """
        return self._follower.exact(self.player)

    def worlds(self) -> Worlds:
        """Return the placements of masks that are possible for the player, with probabilities."""
        return self._follower.worlds(self.player)

    def held(self) -> NDArray[Any]:
        """Return these placements as an array of `_world_memory.WORLD`, for compiled search."""
        return self._follower.held(self.player).copy()

    def row(self) -> Rows:
        """Return the public position as an array of one GAME, without a mask at any slot.

        A search writes the masks of a world into `mask_at`, and plays from this position. Its
        random numbers are not set; `sample_rows` returns positions with random numbers.

        Raises:
            MascaradeError: the game is over.
        """
        if self.over:
            raise MascaradeError("the game is over, so there is no position to search from")
        row = self._public_row()
        row["deal"] = NOBODY
        return row

    def _public_row(self) -> Rows:
        """Return the public facts as one GAME without masks, [1]; before the deal, a new row."""
        row = new_rows(self.scenario, 1)
        row["mask_at"] = NOBODY
        if len(self._events):
            for field in _PUBLIC:
                row[field][0] = self._rows[0][field]
            row["status"] = WON if self.over else RUNNING
        return row

    def sample_rows(self, count: int, rng: np.random.Generator) -> Rows:
        """Sample positions from the player's belief, from which a search can play: [count] of GAME.

        Args:
            count: the number of positions.
            rng: the random generator that samples them.
        """
        number = whole(count, "count", at_least=0)
        held = self._follower.held(self.player)
        drawn = rng.choice(len(held), size=number, p=held["weight"] / held["weight"].sum())
        rows = np.repeat(self.row(), number)
        rows["mask_at"][:, : self.scenario.slots] = placements(
            held["key"][drawn], self.scenario.slots, self.scenario.kinds
        )
        for row, seed in zip(rows, rng.integers(2**63, size=number).tolist(), strict=True):
            fill(row, seed)
        return rows

    def __str__(self) -> str:
        legal = f"\nlegal: {' '.join(self.legal_actions())}" if self.legal_ids() else ""
        return self.schema.describe(self.observation()) + legal

    def __repr__(self) -> str:
        return f"<AgentView of player {self.player}, {self.scenario.name}, turn {self.turn}>"

    @property
    def _follower(self) -> Follower:
        return self._followers[False][0]

    @property
    def _rows(self) -> Rows:  # type: ignore[override]  # read only
        return self._follower.data.facts
