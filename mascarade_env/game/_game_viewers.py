"""What `Game` says about what its viewers know: views, beliefs, observations, logs.

All of it comes from a `Replay` of the game, which catches up at each question.
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
    """The part of `Game` about what its viewers know."""

    __slots__ = ()

    # What `Game` has for these methods.
    _replays: dict[bool, tuple[Replay, bool]]
    _taken: list[int]

    @property
    @abstractmethod
    def player(self) -> int | None:
        """The player who decides now, None when the game is over."""

    @property
    @abstractmethod
    def last_events(self) -> NDArray[Any]:
        """What the last decision, or the deal, brought."""

    @property
    @abstractmethod
    def _decisions(self) -> int:
        """How many decisions were taken."""

    @abstractmethod
    def _dealt(self) -> tuple[Rows, Rows]:
        """Return one GAME and one LOG, as the masks were dealt."""

    def news(self, viewer: int | Literal["all", "onlooker"] = "all") -> list[str]:
        """Return what the last decision brought, in sentences, as far as a viewer may know it.

        Args:
            viewer: a player, "onlooker" for what all players see, or "all" for the whole truth.
        """
        bits = self._viewer_bits(viewer)
        return self._sentences(event for event in self.last_events if int(event["seen_by"]) & bits)

    def log(self, viewer: Viewer | Literal["all"] = "all") -> list[str]:
        """All that has happened, in sentences, as far as a viewer (see `news`) may know it."""
        return self._sentences(self._replay().events(self._viewer_bits(viewer)))

    def _sentences(self, seen: Iterable[np.record]) -> list[str]:
        players = self.scenario.players
        return [events.in_words(event, players) for event in seen if event["kind"] != events.ASK]

    def view(self, player: int | None = None) -> AgentView:
        """Return what one player, by default who decides now, may know, to hand to an agent.

        The view stays as it is when the game goes on; `tell` brings it up to date.
        """
        view = AgentView(self.scenario, self._player(player))
        self.tell(view)
        return view

    def tell(self, view: AgentView) -> None:
        """Tell a view of this game what its player has seen since it was last told.

        Raises:
            MascaradeError: the view has heard of another game, or of what was undone since.
        """
        replay, heard = self._replay(), len(view._events)
        story = replay.events(1 << view.player)
        # Comparing costs time by the length of the game: once a view is enough.
        known = replay.received.get(view) == heard
        if not known and (
            view.scenario != self.scenario or story[:heard].tobytes() != view.events.tobytes()
        ):
            raise MascaradeError(
                "this view is of another game, or of decisions that were undone: "
                "make a new one by Game.view"
            )
        view._take_in(story[heard:])  # by the rules already
        replay.received[view] = len(story)

    def belief(self, viewer: Viewer) -> NDArray[np.float64]:
        """Return the neutral belief of a viewer (rules 8): [slots, masks], probabilities.

        Rows are slots as they are numbered, columns the masks of `scenario.kinds`.

        Args:
            viewer: a player, or "onlooker" for what all players see.

        Warns:
            InexactBeliefWarning: there were too many possible placements to keep them all.
        """
        replay, number = self._replay(), self._viewer(viewer)
        if not replay.follower.exact(number):
            warnings.warn(
                f"the belief of viewer {viewer} is approximate since there were more than "
                f"{replay.follower.most_worlds} possible placements",
                InexactBeliefWarning,
                stacklevel=2,
            )
        return replay.follower.belief(number)

    def exact(self, viewer: Viewer) -> bool:
        """Return whether the belief of a viewer is exact; if not, it was thinned since the deal."""
        return self._replay().follower.exact(self._viewer(viewer))

    def worlds(self, viewer: Viewer) -> Worlds:
        """Return the placements of the masks that are possible for a viewer, and how probable."""
        return self._replay().follower.worlds(self._viewer(viewer))

    def observation(
        self, player: int | None = None, track: Track = "both", *, padded: bool = False
    ) -> NDArray[np.float32]:
        """Return what a player may know of the position, as a vector; `Schema` says what it means.

        Args:
            player: who decides now by default.
            track: "memory", "belief" or "both".
            padded: as if there were 12 seats, 14 slots and all 16 masks.
        """
        if track not in TRACKS:
            raise MascaradeError(f"a track is one of {', '.join(TRACKS)}, not {track!r}")
        return self._replay(padded).observation(self._player(player), track)

    def full_state(self, player: int | None = None, *, padded: bool = False) -> NDArray[np.float32]:
        """Return the truth and everybody's beliefs, laid out by `Schema(scenario, "full")`.

        For critics and debugging; never hand it to an agent.

        Args:
            player: from whose seat slots are listed; who decides by default.
            padded: as for `observation`.
        """
        return self._replay(padded).observation(self._player(player), FULL)

    def information_state(self, player: int) -> str:
        """Return all that a player has seen since the deal, as text: perfect recall.

        Two games that the player cannot tell apart give the same, and others do not.
        """
        seen = self._replay().events(1 << self._player(player))
        return information.as_text(self.scenario, player, seen)

    def information_state_tensor(
        self, player: int, length: int = information.LENGTH
    ) -> NDArray[np.int32]:
        """The same as numbers: [length, 5], see _information_states.py; zeros at the end.

        Raises:
            MascaradeError: more than `length` events; nothing is cut off in silence.
        """
        seen = self._replay().events(1 << self._player(player))
        return information.as_numbers(seen, whole(length, "length", at_least=1))

    def _replay(self, padded: bool = False) -> Replay:
        """Return who has followed this game up to now."""
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
                raise MascaradeError("the game is over: name the player whose view you want")
            assert self.player is not None
            return self.player
        number = whole(player, "a player", at_least=0)
        if number >= self.scenario.players:
            raise MascaradeError(
                f"a player is a number 0..{self.scenario.players - 1}, not {player}"
            )
        return number

    def _viewer(self, viewer: Viewer) -> int:
        """Return the number that followers give a viewer."""
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
            f'a viewer is a player 0..{players - 1}, "onlooker" or "all", not {viewer!r}'
        )
