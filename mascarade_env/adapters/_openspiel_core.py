"""What states of OpenSpiel hold, and what players see of it. Nothing here needs OpenSpiel."""

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

#: Whose private information an observer sees.
Private: TypeAlias = Literal["nobody", "player", "all"]


class Core:
    """A moment of a game. It never changes, so copies of a state share it.

    Attributes:
        scenario: of the game.
        game: as it stands; None while the masks are dealt. Others hold it too, and one that was
            asked what players know grows, for 12B to tens of megabytes: play and ask clones of it.
        dealt: the masks of the slots so far, by their place in `scenario.kinds`.
        taken: the decisions of players so far, as ids.
        history: all events so far, an array of EVENT as bytes.
        player: who decides, `CHANCE` or `TERMINAL`.
        actions: what is legal, ascending; of the deal the masks of `scenario.kinds` that are left.
    """

    __slots__ = ("_asked", "actions", "dealt", "game", "history", "player", "scenario", "taken")

    scenario: Scenario
    game: Game | None
    history: bytes
    player: int
    actions: list[int]
    dealt: tuple[int, ...]
    taken: tuple[int, ...]
    _asked: "_Asked"  # the same for all moments that come of one start

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @classmethod
    def start(cls, scenario: Scenario) -> Self:
        """Return the beginning: the deal, or the first turn if the deal is fixed."""
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
        """Return the moment after a decision, or after a mask was dealt to the next slot."""
        core = type(self)()
        core.scenario, core._asked = self.scenario, self._asked
        if self.game is not None:
            game = self.game.clone()
            game.play(action)
            core.dealt, core.taken = self.dealt, (*self.taken, action)
            return core._playing(game, self.history)
        if action not in self.actions:
            raise IllegalActionError(
                f"illegal deal {action}: the masks left are {self.actions}, numbered as in "
                f"{', '.join(self.scenario.kinds)}"
            )
        kinds = self.scenario.kinds
        core.dealt, core.taken = (*self.dealt, action), ()
        if len(core.dealt) == self.scenario.slots:
            game = Game(self.scenario, seed=0, deal=[kinds[mask] for mask in core.dealt])
            return core._playing(game, b"")  # whose events begin with the deal
        event = np.zeros(1, EVENT)
        event["kind"], event["seen_by"], event["player"] = events.DEAL, events.EVERYONE, NOBODY
        event["a"], event["value"] = len(self.dealt), mask_number(kinds[action])
        return core._dealing(self.history + event.tobytes())

    @property
    def left(self) -> Counter[int]:
        """How many cards are not dealt yet of each mask of `scenario.kinds`."""
        kinds = self.scenario.kinds
        cards = Counter(kinds.index(mask) for mask in self.scenario.masks)
        return cards - Counter(self.dealt)

    @property
    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may deal to the next slot, and how probable that is."""
        if self.player != CHANCE:
            raise MascaradeError(f"chance deals the masks and does nothing else: {self._whose}")
        left = self.left
        return [(mask, left[mask] / left.total()) for mask in self.actions]

    def word(self, player: int, action: int) -> str:
        """An action in words, as who acts here means it: the same id is another seat to others."""
        if self.player == TERMINAL or player != self.player:
            raise MascaradeError(f"no action of player {player} to name: {self._whose}")
        if self.game is not None:
            return self.game.action_word(action)
        kinds = self.scenario.kinds
        if not 0 <= action < len(kinds):
            raise IllegalActionError(f"masks are 0..{len(kinds) - 1} when dealt, not {action}")
        return f"deal:{kinds[action]}"

    @property
    def _whose(self) -> str:
        if self.player == TERMINAL:
            return "the game is over"
        if self.player == CHANCE:
            return f"chance, player {CHANCE}, deals a mask now"
        return f"player {self.player} decides now"

    def observation(self, player: int, full: bool) -> NDArray[np.float32]:
        """What a player, or a critic of the full state, is shown once the masks are dealt."""
        return self._asked.observation(self, player, full)

    def seen(self, public: bool, private: Private, player: int) -> NDArray[Any]:
        """The events that an observer has seen; a private event is one that onlookers miss."""
        history = np.frombuffer(self.history, EVENT)
        open_to_all = history["seen_by"] >> ONLOOKER & 1 != 0
        known = (
            history["seen_by"] & {"nobody": 0, "player": 1 << player, "all": PLAYERS}[private] != 0
        )
        known = known | open_to_all if public else known & ~open_to_all
        seen: NDArray[Any] = history[known & (history["kind"] != events.ASK)]
        return seen

    def sentences(self, public: bool, private: Private, player: int) -> list[str]:
        """Return the same in words."""
        seen = self.seen(public, private, player).tobytes()
        size = EVENT.itemsize
        each = (seen[at : at + size] for at in range(0, len(seen), size))
        return list(map(partial(_sentence, players=self.scenario.players), each))


class _Lines(NamedTuple):
    """Games that were asked: one of the moment asked last, one of where its line left another."""

    core: Core
    game: Game
    fork: Game | None  # somewhere on the line to `core`


class _Asked:
    """Shows moments to players, and keeps what the next moments can go on from.

    A game that was asked has a replay of all that its viewers know. Cores are kept in great
    numbers, so their games are never asked: two others at most are, which are played on as the
    moments go on. The second one stays where lines part, for those who look at all that may follow.
    """

    def __init__(self) -> None:
        self._lines: _Lines | None = None
        self._lock = Lock()  # states of one game may be asked by several threads

    def __reduce__(self) -> tuple[Any, ...]:
        return _asked_of_stored, ()

    def observation(self, core: Core, player: int, full: bool) -> NDArray[np.float32]:
        with self._lock:
            lines, self._lines = self._lines, None  # an interrupt leaves them halfway
            lines = lines if lines and lines.core is core else _turned(lines, core)
            game = lines.game
            shown = game.full_state(player) if full else game.observation(player, "both")
            self._lines = lines
            return shown


def _turned(lines: _Lines | None, core: Core) -> _Lines:
    """Return the lines as they are when another moment is asked."""
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
        fork.exact(0)  # asked once, it need not find out for each of its clones
        game = fork.clone()
    for action in core.taken[common:]:
        game.play(action)
    return _Lines(core, game, fork)


_STORED = _Asked()


def _asked_of_stored() -> _Asked:
    """What all cores share that were stored and read again, each with a game of OpenSpiel's own."""
    return _STORED


@lru_cache(maxsize=1 << 16)
def _sentence(event: bytes, players: int) -> str:
    return events.in_words(np.frombuffer(event, EVENT)[0], players)


class Longest(NamedTuple):
    """No game is longer than this.

    Attributes:
        decisions: of players.
        events: that one viewer sees.
    """

    decisions: int
    events: int


# What a power adds to a turn at most: decisions, and events after POWER that one viewer sees. All
# that is not listed is at most one payment.
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
    """Return how long a game of a scenario with a turn limit can be."""
    players, limit = scenario.players, scenario.turn_limit
    assert limit is not None
    powers = [_POWERS.get(mask, (0, 1)) for mask in scenario.kinds]
    if "beggar" in scenario.kinds:
        powers.append((0, players - 1))  # each other player gives
    opening = min(scenario.opening_turns, limit)
    rest = limit - opening
    # A take is two decisions. Announcing takes one of each player and then those of the power.
    decisions = 2 * opening + rest * max(2, players + max(power[0] for power in powers))
    # A take is four events. An announced turn has its beginning, the words of all, as many
    # reveals, the power, and a fine of all but one; without a power all may be fined.
    events_at_most = 4 * opening + rest * (3 * players + 1 + max(power[1] for power in powers))
    return Longest(decisions, scenario.slots + events_at_most + 1 + players)


def checked_player(scenario: Scenario, player: int) -> int:
    """Return a player of a scenario, or an error."""
    number = whole(player, "a player", at_least=0)
    if number >= scenario.players:
        raise MascaradeError(f"a player is a number 0..{scenario.players - 1}, not {player}")
    return number


class HistoryObserver:
    """All that was seen since the deal: perfect recall. One player's view says whose it is."""

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
        """Write what was seen up to a state."""
        number = checked_player(self._scenario, player)
        if self._private == "player":
            self.dict["player"][:] = 0
            self.dict["player"][number] = 1
        seen = state.core.seen(self._public, self._private, number)
        self.dict["events"][:] = information.as_numbers(seen, self._length)

    def string_from(self, state: Any, player: int) -> str:
        """Return the same in sentences; of one player what `Game.information_state` says."""
        number = checked_player(self._scenario, player)
        sentences = state.core.sentences(self._public, self._private, number)
        if self._public and self._private == "player":
            return "\n".join([f"player {number} of {self._scenario.name}", *sentences])
        return "\n".join(sentences)


class MomentObserver:
    """The position: those blocks of an observation, or of the full state, that are asked for.

    What is the same for all players is seen from the seat of player 0, whoever asks.
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
        """Write the position of a state: zeros while the masks are dealt."""
        self.tensor[:] = self._vector(state, checked_player(self._scenario, player))[self._numbers]

    def string_from(self, state: Any, player: int) -> str:
        """Return the same in words; of a part of the blocks, by name as numbers."""
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
        MascaradeError: it would see nothing.
    """
    if not public and private == "nobody":
        raise MascaradeError(
            "an observer sees public information, private information of somebody, or both"
        )
    if recall:
        return HistoryObserver(scenario, longest(scenario).events, public, private)
    return MomentObserver(scenario, public, private)
