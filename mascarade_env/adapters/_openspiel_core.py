"""What states of OpenSpiel hold, and what players see of it. Nothing here needs OpenSpiel."""

from collections import Counter
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env.core import events, information
from mascarade_env.core.errors import IllegalActionError, MascaradeError
from mascarade_env.core.events import EVENT, ONLOOKER, PLAYERS
from mascarade_env.core.game import Game
from mascarade_env.core.masks import mask_number
from mascarade_env.core.scenarios import Scenario
from mascarade_env.core.schema import Schema, schema_of
from mascarade_env.core.state import NOBODY

CHANCE, TERMINAL = -1, -4  # pseudo-players of OpenSpiel

#: Whose private information an observer sees.
Private: TypeAlias = Literal["nobody", "player", "all"]


class Core:
    """A moment of a game. It never changes, so copies of a state share it.

    Attributes:
        scenario: of the game.
        game: as it stands; None while the masks are dealt. Play on a clone of it.
        told: all events so far, an array of `events.EVENT` as bytes.
        player: who decides, `CHANCE` or `TERMINAL`.
        actions: what is legal, ascending; of the deal the masks of `scenario.kinds` that are left.
    """

    __slots__ = ("actions", "dealt", "game", "player", "scenario", "told")

    scenario: Scenario
    game: Game | None
    told: bytes
    player: int
    actions: list[int]
    dealt: tuple[int, ...]  # masks of the slots so far, by their place in `scenario.kinds`

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @classmethod
    def start(cls, scenario: Scenario) -> Self:
        """The beginning: the deal, or the first turn if the deal is fixed."""
        if scenario.fixed_deal:
            return cls._playing(Game(scenario, seed=0), b"", ())
        return cls._dealing(scenario, b"", ())

    @classmethod
    def _playing(cls, game: Game, before: bytes, dealt: tuple[int, ...]) -> Self:
        core = cls()
        core.scenario = game.scenario
        core.game = game
        core.told = before + game.last_events.tobytes()
        player = game.player
        core.player = TERMINAL if player is None else player
        core.actions = game.legal_ids()
        core.dealt = dealt
        return core

    @classmethod
    def _dealing(cls, scenario: Scenario, told: bytes, dealt: tuple[int, ...]) -> Self:
        core = cls()
        core.scenario = scenario
        core.game = None
        core.told = told
        core.player = CHANCE
        core.dealt = dealt
        core.actions = sorted(core.left)
        return core

    def after(self, action: int) -> Self:
        """The moment after a decision, or after a mask was dealt to the next slot."""
        if self.game is not None:
            game = self.game.clone()
            game.play(action)
            return self._playing(game, self.told, self.dealt)
        if action not in self.actions:
            raise IllegalActionError(
                f"illegal deal {action}: the masks left are {self.actions}, numbered as in "
                f"{', '.join(self.scenario.kinds)}"
            )
        kinds, dealt = self.scenario.kinds, (*self.dealt, action)
        if len(dealt) == self.scenario.slots:
            game = Game(self.scenario, seed=0, deal=[kinds[mask] for mask in dealt])
            return self._playing(game, b"", dealt)  # whose events begin with the deal
        event = np.zeros(1, EVENT)
        event["kind"], event["seen_by"], event["player"] = events.DEAL, events.EVERYONE, NOBODY
        event["a"], event["value"] = len(self.dealt), mask_number(kinds[action])
        return self._dealing(self.scenario, self.told + event.tobytes(), dealt)

    @property
    def left(self) -> Counter[int]:
        """How many cards are not dealt yet of each mask of `scenario.kinds`."""
        kinds = self.scenario.kinds
        cards = Counter(kinds.index(mask) for mask in self.scenario.masks)
        return cards - Counter(self.dealt)

    def word(self, action: int) -> str:
        """An action in words, as whoever decides means it."""
        if self.game is None:
            return f"deal:{self.scenario.kinds[action]}"
        return self.game.action_word(action)

    def seen(self, public: bool, private: Private, player: int) -> NDArray[Any]:
        """The events that an observer has seen; a private event is one that onlookers miss."""
        told = np.frombuffer(self.told, EVENT)
        open_to_all = told["seen_by"] >> ONLOOKER & 1 != 0
        known = told["seen_by"] & {"nobody": 0, "player": 1 << player, "all": PLAYERS}[private] != 0
        known = known | open_to_all if public else known & ~open_to_all
        seen: NDArray[Any] = told[known & (told["kind"] != events.ASK)]
        return seen

    def sentences(self, public: bool, private: Private, player: int) -> list[str]:
        """The same in words."""
        seen = self.seen(public, private, player).tobytes()
        size = EVENT.itemsize
        each = (seen[at : at + size] for at in range(0, len(seen), size))
        return list(map(partial(_sentence, players=self.scenario.players), each))


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
    """How long a game of a scenario with a turn limit can be."""
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
    told = 4 * opening + rest * (3 * players + 1 + max(power[1] for power in powers))
    return Longest(decisions, scenario.slots + told + 1 + players)


class HistoryObserver:
    """All that was seen since the deal: perfect recall."""

    def __init__(self, scenario: Scenario, length: int, public: bool, private: Private) -> None:
        players, fields = scenario.players, len(information.FIELDS)
        self._scope = (public, private)
        self._length = length
        self.tensor = np.zeros(players + length * fields, np.float32)
        self.dict = {
            "player": self.tensor[:players],
            "events": self.tensor[players:].reshape(length, fields),
        }

    def set_from(self, state: Any, player: int) -> None:
        """Write what was seen up to a state."""
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        seen = state.core.seen(*self._scope, player)
        self.dict["events"][:] = information.as_numbers(seen, self._length)

    def string_from(self, state: Any, player: int) -> str:
        """The same in sentences; of one player what `Game.information_state` says."""
        told = state.core.sentences(*self._scope, player)
        if self._scope == (True, "player"):
            return "\n".join([f"player {player} of {state.core.scenario.name}", *told])
        return "\n".join(told)


class MomentObserver:
    """The position: those blocks of an observation, or of the full state, that are asked for."""

    def __init__(self, scenario: Scenario, public: bool, private: Private) -> None:
        self._full = private == "all"
        self._schema: Schema = schema_of(scenario, "full" if self._full else "both", False)
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
        self.tensor[:] = self._vector(state, player)[self._numbers]

    def string_from(self, state: Any, player: int) -> str:
        """The same in words; of a part of the blocks, by name as numbers."""
        core: Core = state.core
        if core.game is None:
            return "\n".join(core.sentences(self._public, "nobody", player))
        vector = self._vector(state, player)
        if len(self._numbers) == self._schema.size:
            return f"player {player}\n{self._schema.describe(vector)}"
        parts = vector[self._numbers]
        at = 0
        lines = []
        for name, block in self.dict.items():
            numbers = parts[at : at + block.size].tolist()
            lines.append(f"{name}: {' '.join(f'{number:.6g}' for number in numbers)}")
            at += block.size
        return "\n".join(lines)

    def _vector(self, state: Any, player: int) -> NDArray[np.float32]:
        game: Game | None = state.core.game
        if game is None:
            return np.zeros(self._schema.size, np.float32)
        # The game takes note of what its viewers know when it is asked: that changes nothing of it.
        return game.full_state(player) if self._full else game.observation(player, "both")


def observer(
    scenario: Scenario, *, recall: bool, public: bool, private: Private
) -> HistoryObserver | MomentObserver:
    """An observer of a scenario with a turn limit.

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
