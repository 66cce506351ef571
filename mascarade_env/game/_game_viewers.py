"""The methods of `Game` about what viewers know: views, beliefs, observations, logs.

A viewer is a player or the onlooker. All methods use a `Replay` of the game, which first replays
the decisions taken since its last use.
"""

import warnings
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import InexactBeliefWarning, MascaradeError, whole
from mascarade_env.game import _events as events
from mascarade_env.game._positions import Rows
from mascarade_env.game._replay import Replay
from mascarade_env.game._table_facts import TableFacts
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.knowledge._worlds import Worlds
from mascarade_env.observation import _information_states as information
from mascarade_env.observation._blocks import FULL, TRACKS, Track

Viewer: TypeAlias = int | Literal["onlooker"]


class GameViewers(TableFacts):
    """The methods of `Game` about what viewers know."""

    __slots__ = ()

    # `Game` defines these.
    _replays: dict[bool, tuple[Replay, bool]]
    _taken: list[int]

    @property
    @abstractmethod
    def player(self) -> int | None:
        """The acting player; None when the game is over."""

    @property
    @abstractmethod
    def last_events(self) -> NDArray[Any]:
        """The events of the last decision, or of the deal."""

    @property
    @abstractmethod
    def _decisions(self) -> int:
        """The number of decisions taken."""

    @abstractmethod
    def _dealt(self) -> tuple[Rows, Rows]:
        """Return one GAME and one LOG, as they were just after the deal."""

    def news(self, viewer: int | Literal["all", "onlooker"] = "all") -> list[str]:
        """Return the events of the last decision that a viewer may know, in sentences.

        Args:
            viewer: a player, "onlooker" for the events that all players see, or "all" for all
                events.
        """
        bits = self._viewer_bits(viewer)
        return self._sentences(event for event in self.last_events if int(event["seen_by"]) & bits)

    def log(self, viewer: Viewer | Literal["all"] = "all") -> list[str]:
        """Return all events that a viewer may know, in sentences.

        Args:
            viewer: as for `news`.
        """
        return self._sentences(self._replay().events(self._viewer_bits(viewer)))

    def _sentences(self, seen: Iterable[np.record]) -> list[str]:
        players = self.scenario.players
        return [events.in_words(event, players) for event in seen if event["kind"] != events.ASK]

    def view(self, player: int | None = None) -> AgentView:
        """Return a view for an agent: everything that one player may know, and nothing else.

        Later decisions do not change the view; `tell` updates it.

        Args:
            player: the player's number; by default the acting player.
        """
        view = AgentView(self.scenario, self._player(player))
        self.tell(view)
        return view

    def tell(self, view: AgentView) -> None:
        """Pass to a view of this game the events that it has not received yet.

        Raises:
            MascaradeError: the view has events of another game, or of decisions that were undone.
        """
        replay, received = self._replay(), len(view._events)
        history = replay.events(1 << view.player)
        # Comparing takes time that grows with the game, so each view is compared once only.
        compared = replay.received.get(view) == received
        if not compared and (
            view.scenario != self.scenario or history[:received].tobytes() != view.events.tobytes()
        ):
            raise MascaradeError(
                "this view has events of another game, or of decisions that were undone; "
                "make a new view with Game.view"
            )
        view._take_in(history[received:])  # unchecked: these events come from the rules
        replay.received[view] = len(history)

    def belief(self, viewer: Viewer) -> NDArray[np.float64]:
        """Return the neutral belief of a viewer as probabilities, [slots, masks].

        It is the probability of each mask at each slot, given all events that the viewer has seen,
        if a fair coin decided every hidden swap or keep (rules 8). Row s is slot s, and column k is
        the mask `scenario.kinds[k]`.

        Args:
            viewer: a player, or "onlooker", who sees only what all players see.

        Warns:
            InexactBeliefWarning: the belief is approximate, because there were more possible
                placements than a belief keeps.
        """
        replay, number = self._replay(), self._viewer(viewer)
        if not replay.follower.exact(number):
            warnings.warn(
                f"the belief of viewer {viewer} is approximate: more than "
                f"{replay.follower.most_worlds} placements of the masks were possible",
                InexactBeliefWarning,
                stacklevel=2,
            )
        return replay.follower.belief(number)

    def exact(self, viewer: Viewer) -> bool:
        """Return whether the belief of a viewer is exact.

        If the belief is not exact, possible placements were dropped since the deal, because there
        were too many.
        """
        return self._replay().follower.exact(self._viewer(viewer))

    def worlds(self, viewer: Viewer) -> Worlds:
        """Return the placements of the masks that are possible for a viewer, with probabilities."""
        return self._replay().follower.worlds(self._viewer(viewer))

    def observation(
        self, player: int | None = None, track: Track = "both", *, padded: bool = False
    ) -> NDArray[np.float32]:
        """Return the observation of a player as a vector. It shows what the player may know.

        `Schema(scenario, track, padded=padded)` describes each number.

        Args:
            player: the player's number; by default the acting player.
            track: what the vector holds: "memory" (public facts and recent events), "belief"
                (public facts and neutral beliefs) or "both".
            padded: whether to lay it out for 12 seats, 14 slots and all 16 masks.
        """
        if track not in TRACKS:
            raise MascaradeError(f"track must be one of {', '.join(TRACKS)}, not {track!r}")
        return self._replay(padded).observation(self._player(player), track)

    def full_state(self, player: int | None = None, *, padded: bool = False) -> NDArray[np.float32]:
        """Return the full state and all beliefs, laid out by `Schema(scenario, "full")`.

        For critics and debugging only: an agent must not see it.

        Args:
            player: the player whose seat is the first slot; by default the acting player.
            padded: as for `observation`.
        """
        return self._replay(padded).observation(self._player(player), FULL)

    def information_state(self, player: int) -> str:
        """Return all events that a player has seen since the deal, as text (perfect recall).

        Two games give the same text if and only if the player cannot tell them apart.
        """
        seen = self._replay().events(1 << self._player(player))
        return information.as_text(self.scenario, player, seen)

    def information_state_tensor(
        self, player: int, length: int = information.LENGTH
    ) -> NDArray[np.int32]:
        """Return the information state as numbers: [length, 5], with zeros at the end.

        The five columns are described in observation/_information_states.py.

        Raises:
            MascaradeError: the player has seen more than `length` events.
        """
        seen = self._replay().events(1 << self._player(player))
        return information.as_numbers(seen, whole(length, "length", at_least=1))

    def _replay(self, padded: bool = False) -> Replay:
        """Return a replay of this game up to now."""
        replay, mine = self._replays.get(padded) or (self._new_replay(padded=padded), True)
        if replay.decisions < self._decisions:
            if not mine:
                replay, mine = replay.copy(), True
            replay.take(self._taken[replay.decisions : self._decisions])
        self._replays[padded] = (replay, mine)
        return replay

    def _new_replay(self, *, padded: bool) -> Replay:
        rows, logs = self._dealt()
        return Replay(self.scenario, rows, logs, padded=padded)

    def _player(self, player: int | None) -> int:
        if player is None:
            if self.over:
                raise MascaradeError("the game is over and has no acting player; pass a player")
            assert self.player is not None
            return self.player
        number = whole(player, "player", at_least=0)
        if number >= self.scenario.players:
            raise MascaradeError(f"player must be 0..{self.scenario.players - 1}, not {player}")
        return number

    def _viewer(self, viewer: Viewer) -> int:
        """Return the number of a viewer for followers: the onlooker comes after the players."""
        if isinstance(viewer, str) and viewer == "onlooker":
            return self.scenario.players
        return self._player(whole(viewer, 'a viewer other than "onlooker"', at_least=0))

    def _viewer_bits(self, viewer: Any) -> int:
        if isinstance(viewer, str) and viewer == "all":
            return -1
        if isinstance(viewer, str) and viewer == "onlooker":
            return 1 << events.ONLOOKER
        players = self.scenario.players
        if (
            type(viewer) is not bool
            and isinstance(viewer, int | np.integer)
            and viewer in range(players)
        ):
            return 1 << int(viewer)
        raise MascaradeError(
            f'viewer must be a player 0..{players - 1}, "onlooker" or "all", not {viewer!r}'
        )
