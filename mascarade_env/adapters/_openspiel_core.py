"""The data of OpenSpiel's states and observers. This module does not need OpenSpiel."""

from collections import Counter
from functools import lru_cache, partial
from threading import Lock
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError, whole
from mascarade_env.game import _events as events
from mascarade_env.game._events import EVENT, ONLOOKER, PLAYERS
from mascarade_env.game._game import Game
from mascarade_env.game._masks import mask_number
from mascarade_env.game._positions import NOBODY
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation import _information_states as information
from mascarade_env.observation._schema import Schema, schema_of

CHANCE, TERMINAL = -1, -4  # pseudo-players of OpenSpiel

#: The players whose private information an observer shows.
Private: TypeAlias = Literal["nobody", "player", "all"]


class Core:
    """The data of a state. The data never change, so copies of a state share this object.

    Attributes:
        scenario: the scenario of the game.
        game: the game in this state; None while the masks are dealt. Clone it before you read
            observations, because other objects share it, and a game of which observations were read
            grows, to tens of megabytes for 12B.
        dealt: the masks of the slots that are dealt so far, as indices into `scenario.kinds`.
        taken: the action ids of the players so far.
        history: all events so far, the bytes of an array of EVENT.
        player: the acting player, `CHANCE` or `TERMINAL`.
        actions: the ids of the legal actions, ascending. During the deal, they are the masks that
            remain, as indices into `scenario.kinds`.
    """

    __slots__ = ("_asked", "actions", "dealt", "game", "history", "player", "scenario", "taken")

    scenario: Scenario
    game: Game | None
    history: bytes
    player: int
    actions: list[int]
    dealt: tuple[int, ...]
    taken: tuple[int, ...]
    _asked: "_Asked"  # shared by all states that follow from one start

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @classmethod
    def start(cls, scenario: Scenario) -> Self:
        """Return the initial state: the deal, or the first turn if the deal is fixed."""
        core = cls()
        core.scenario = scenario
        core.dealt = core.taken = ()
        core._asked = _Asked()
        if scenario.fixed_deal:
            return core._playing(Game(scenario, seed=0), b"")
        return core._dealing(b"")

    def _playing(self, game: Game, before: bytes) -> Self:
        self.game = game
        self.history = before + game.last_events.tobytes()
        player = game.player
        self.player = TERMINAL if player is None else player
        self.actions = game.legal_ids()
        return self

    def _dealing(self, log: bytes) -> Self:
        self.game = None
        self.history = log
        self.player = CHANCE
        self.actions = sorted(self.left)
        return self

    def after(self, action: int) -> Self:
        """Return the state after a player's action, or after a mask is dealt to the next slot."""
        core = type(self)()
        core.scenario, core._asked = self.scenario, self._asked
        if self.game is not None:
            game = self.game.clone()
            game.play(action)
            core.dealt, core.taken = self.dealt, (*self.taken, action)
            return core._playing(game, self.history)
        if action not in self.actions:
            raise IllegalActionError(
                f"cannot deal mask {action}: the masks that remain are {self.actions}; these "
                f"numbers are indices into the list {', '.join(self.scenario.kinds)}"
            )
        kinds = self.scenario.kinds
        core.dealt, core.taken = (*self.dealt, action), ()
        if len(core.dealt) == self.scenario.slots:
            game = Game(self.scenario, seed=0, deal=[kinds[mask] for mask in core.dealt])
            return core._playing(game, b"")  # the events of the game contain the deal
        event = np.zeros(1, EVENT)
        event["kind"], event["seen_by"], event["player"] = events.DEAL, events.EVERYONE, NOBODY
        event["a"], event["value"] = len(self.dealt), mask_number(kinds[action])
        return core._dealing(self.history + event.tobytes())

    @property
    def left(self) -> Counter[int]:
        """The number of cards of each mask that are not dealt yet.

        The keys are indices into `scenario.kinds`.
        """
        kinds = self.scenario.kinds
        cards = Counter(kinds.index(mask) for mask in self.scenario.masks)
        return cards - Counter(self.dealt)

    @property
    def outcomes(self) -> list[tuple[int, float]]:
        """The possible masks of the next slot, and their probabilities."""
        if self.player != CHANCE:
            raise MascaradeError(
                f"this state has no chance outcomes, because {self._acting}: call this only while "
                "the masks are dealt"
            )
        left = self.left
        return [(mask, left[mask] / left.total()) for mask in self.actions]

    def word(self, player: int, action: int) -> str:
        """Return the word of an action of the acting player.

        An action id counts seats from the acting player, so only the state can translate it.
        """
        if self.player == TERMINAL or player != self.player:
            raise MascaradeError(
                f"player {player} has no action in this state, because {self._acting}"
            )
        if self.game is not None:
            return self.game.action_word(action)
        kinds = self.scenario.kinds
        if not 0 <= action < len(kinds):
            raise IllegalActionError(
                f"the action of a deal must be a mask 0..{len(kinds) - 1}, not {action}"
            )
        return f"deal:{kinds[action]}"

    @property
    def _acting(self) -> str:
        if self.player == TERMINAL:
            return "the game is over"
        if self.player == CHANCE:
            return f"player {CHANCE} (a chance node) deals a mask"
        return f"player {self.player} must decide"

    def observation(self, player: int, full: bool) -> NDArray[np.float32]:
        """Return the observation of a player, or the full state, after the deal."""
        return self._asked.observation(self, player, full)

    def seen(self, public: bool, private: Private, player: int) -> NDArray[Any]:
        """Return the events that an observer has seen.

        Args:
            public: whether to include the events that everyone sees.
            private: the players whose private events to include.
            player: the player, if `private` is "player".
        """
        history = np.frombuffer(self.history, EVENT)
        is_public = history["seen_by"] >> ONLOOKER & 1 != 0
        visible = (
            history["seen_by"] & {"nobody": 0, "player": 1 << player, "all": PLAYERS}[private] != 0
        )
        visible = visible | is_public if public else visible & ~is_public
        seen: NDArray[Any] = history[visible & (history["kind"] != events.ASK)]
        return seen

    def sentences(self, public: bool, private: Private, player: int) -> list[str]:
        """Return the events of `seen` as sentences."""
        seen = self.seen(public, private, player).tobytes()
        size = EVENT.itemsize
        each = (seen[at : at + size] for at in range(0, len(seen), size))
        return list(map(partial(_sentence, players=self.scenario.players), each))


class _Lines(NamedTuple):
    """The games with which observations are computed.

    `core` is the state that was observed last, and `game` is its game. `fork` is the game at the
    last position in which two observed sequences of actions differed; it is None at first.
    """

    core: Core
    game: Game
    fork: Game | None


class _Asked:
    """Computes the observations of states.

    A game of which observations were read keeps the knowledge of all players, which needs memory.
    There can be very many states, so this object never reads observations from the games in these
    states. It keeps at most two other games, and plays them from one state to the next. The first
    game follows the states. The second game stays at the last fork, for algorithms that visit all
    states after a position.
    """

    def __init__(self) -> None:
        self._lines: _Lines | None = None
        self._lock = Lock()  # several threads may observe states of one game

    def __reduce__(self) -> tuple[Any, ...]:
        return _asked_of_stored, ()

    def observation(self, core: Core, player: int, full: bool) -> NDArray[np.float32]:
        with self._lock:
            lines, self._lines = self._lines, None  # after an interrupt they are unusable
            lines = lines if lines and lines.core is core else _lines_to(lines, core)
            game = lines.game
            numbers = game.full_state(player) if full else game.observation(player, "both")
            self._lines = lines
            return numbers


def _lines_to(lines: _Lines | None, core: Core) -> _Lines:
    """Return the games for another state, continued from `lines` where that is possible."""
    assert core.game is not None
    if lines is None or lines.core.dealt != core.dealt or lines.core.scenario != core.scenario:
        return _Lines(core, core.game.clone(), None)
    last, game, fork = lines
    common = len(last.taken)
    if core.taken[:common] != last.taken:
        pairs = zip(core.taken, last.taken, strict=False)
        common = next((at for at, (a, b) in enumerate(pairs) if a != b), len(core.taken))
        if fork is None or len(fork.taken) > common:
            fork = core.game.at_start()
        for action in core.taken[len(fork.taken) : common]:
            fork.play(action)
        fork.exact(0)  # computes its knowledge once, and clones copy it
        game = fork.clone()
    for action in core.taken[common:]:
        game.play(action)
    return _Lines(core, game, fork)


_STORED = _Asked()


def _asked_of_stored() -> _Asked:
    """Return the object that all unpickled states share."""
    return _STORED


@lru_cache(maxsize=1 << 16)
def _sentence(event: bytes, players: int) -> str:
    return events.in_words(np.frombuffer(event, EVENT)[0], players)


class Longest(NamedTuple):
    """Upper bounds for the length of a game.

    Attributes:
        decisions: decisions of all players.
        events: events that one viewer sees.
    """

    decisions: int
    events: int


# The most that a power adds to a turn: decisions, and events after POWER that one viewer sees.
# Powers that are not listed add at most one payment.
_POWERS = {
    "patron": (0, 3),
    "princess": (1, 3),
    "fool": (3, 6),
    "peasant": (0, 2),
    "thief": (0, 2),
    "trickster": (1, 2),
    "witch": (1, 2),
    "spy": (2, 6),
    "guru": (2, 4),
    "puppet_master": (2, 5),
}


def longest(scenario: Scenario) -> Longest:
    """Return the bounds for a scenario with a turn limit."""
    players, limit = scenario.players, scenario.turn_limit
    assert limit is not None
    powers = [_POWERS.get(mask, (0, 1)) for mask in scenario.kinds]
    if "beggar" in scenario.kinds:
        powers.append((0, players - 1))  # each other player gives
    opening = min(scenario.opening_turns, limit)
    rest = limit - opening
    # A take is two decisions. An announcement takes one of each player, and those of the power.
    decisions = 2 * opening + rest * max(2, players + max(power[0] for power in powers))
    # A take is four events. A turn with an announcement has its beginning, the words of all
    # players, a reveal by each, the power, and fines of all but one; without a power all may be
    # fined.
    events_at_most = 4 * opening + rest * (3 * players + 1 + max(power[1] for power in powers))
    return Longest(decisions, scenario.slots + events_at_most + 1 + players)


def checked_player(scenario: Scenario, player: int) -> int:
    """Return a player number; raise an error if the scenario does not have this player."""
    number = whole(player, "a player", at_least=0)
    if number >= scenario.players:
        raise MascaradeError(f"player must be 0..{scenario.players - 1}, not {player}")
    return number


class HistoryObserver:
    """An observer with perfect recall: it shows all events since the deal.

    If it shows the private information of a single player, its tensor begins with the number of
    this player, one-hot.
    """

    def __init__(self, scenario: Scenario, length: int, public: bool, private: Private) -> None:
        one, fields = private == "player", len(information.FIELDS)
        players = scenario.players if one else 0
        self._scenario = scenario
        self._public = public
        self._private: Private = private
        self._length = length
        self.tensor = np.zeros(players + length * fields, np.float32)
        self.dict = {"player": self.tensor[:players]} if one else {}
        self.dict["events"] = self.tensor[players:].reshape(length, fields)

    def set_from(self, state: Any, player: int) -> None:
        """Write the events that this observer has seen up to a state into `tensor`."""
        number = checked_player(self._scenario, player)
        if self._private == "player":
            self.dict["player"][:] = 0
            self.dict["player"][number] = 1
        seen = state.core.seen(self._public, self._private, number)
        self.dict["events"][:] = information.as_numbers(seen, self._length)

    def string_from(self, state: Any, player: int) -> str:
        """Return the events as sentences.

        With public information and a single player, this is the text of `Game.information_state`.
        """
        number = checked_player(self._scenario, player)
        sentences = state.core.sentences(self._public, self._private, number)
        if self._public and self._private == "player":
            return "\n".join([f"player {number} of {self._scenario.name}", *sentences])
        return "\n".join(sentences)


class MomentObserver:
    """An observer without recall: it shows blocks of the observation, or of the full state.

    Unless it shows the private information of a single player, its lists of seats begin with the
    seat of player 0.
    """

    def __init__(self, scenario: Scenario, public: bool, private: Private) -> None:
        self._scenario = scenario
        self._private: Private = private
        self._schema: Schema = schema_of(scenario, "full" if private == "all" else "both", False)
        self._public = public
        places = [
            place
            for place in self._schema.places.values()
            if (public if place.block.known == "everyone" else private != "nobody")
        ]
        self._numbers = np.concatenate([np.arange(place.start, place.stop) for place in places])
        self.tensor = np.zeros(len(self._numbers), np.float32)
        ends = np.cumsum([0, *(place.stop - place.start for place in places)]).tolist()
        self.dict = {
            place.block.name: self.tensor[begin:end].reshape(place.shape)
            for place, begin, end in zip(places, ends[:-1], ends[1:], strict=True)
        }

    def set_from(self, state: Any, player: int) -> None:
        """Write the position of a state into `tensor`; write zeros while the masks are dealt."""
        self.tensor[:] = self._vector(state, checked_player(self._scenario, player))[self._numbers]

    def string_from(self, state: Any, player: int) -> str:
        """Return the position as sentences.

        If this observer shows only some blocks, return the name and numbers of each block instead.
        """
        core: Core = state.core
        number = checked_player(self._scenario, player)
        if core.game is None:
            return "\n".join(core.sentences(self._public, "nobody", number))
        vector = self._vector(state, number)
        if len(self._numbers) == self._schema.size:
            words = self._schema.describe(vector)
            return f"player {number}\n{words}" if self._private == "player" else words
        parts = vector[self._numbers]
        at = 0
        lines = []
        for name, block in self.dict.items():
            numbers = parts[at : at + block.size].tolist()
            lines.append(f"{name}: {' '.join(f'{value:.6g}' for value in numbers)}")
            at += block.size
        return "\n".join(lines)

    def _vector(self, state: Any, player: int) -> NDArray[np.float32]:
        core: Core = state.core
        if core.game is None:
            return np.zeros(self._schema.size, np.float32)
        viewer = player if self._private == "player" else 0
        return core.observation(viewer, self._private == "all")


def observer(
    scenario: Scenario, *, recall: bool, public: bool, private: Private
) -> HistoryObserver | MomentObserver:
    """Return an observer of a scenario with a turn limit.

    Raises:
        MascaradeError: the observer would show nothing.
    """
    if not public and private == "nobody":
        raise MascaradeError(
            "this observer would show nothing: give it public information (public_info), private "
            "information (private_info), or both"
        )
    if recall:
        return HistoryObserver(scenario, longest(scenario).events, public, private)
    return MomentObserver(scenario, public, private)
