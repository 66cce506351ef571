"""One game, for people, searchers and frontends.

    game = Game("6A", seed=7)
    while not game.over:
        game.play(game.legal_actions()[0])   # a word such as "take:3", or its id
    print(game.winners)

A `Game` is the referee's view: it shows where every mask lies. It never hands an agent anything.
"""

import copy
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import (
    InexactBeliefWarning,
    MascaradeError,
    RecordError,
    whole,
)
from mascarade_env._jit import compiled
from mascarade_env.game import _actions as actions
from mascarade_env.game import _events as events
from mascarade_env.game import _records as records
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game import _text_table as glance
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import LOG
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import (
    NOBODY,
    OVER,
    PHASES,
    RUNNING,
    TRUNCATED,
    Rows,
    slots_under_table,
)
from mascarade_env.game._replay import Replay
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.game._state import GAME, new_rows
from mascarade_env.knowledge import _sampling as sampling
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.knowledge._worlds import Worlds
from mascarade_env.observation import _information_states as information
from mascarade_env.observation._blocks import FULL, TRACKS, Track

Viewer: TypeAlias = int | Literal["onlooker"]

_CHUNK = 1024  # random decisions between two moments when a user may interrupt
_MEMORY = GAME.itemsize + LEGAL.itemsize + LOG.itemsize
_LAYOUT = f"{GAME} {LOG} {LEGAL}"  # a pickled game is its memory: it fits the same layout alone


@compiled
def _begin(rows: Rows, logs: Rows, legals: Rows, seed: int, dealt: bool) -> None:
    g = rows[0]
    rng.seed_row(g, seed)
    if dealt:
        rules.start(g, logs[0])
    else:
        rules.deal(g, logs[0])
    actions.find_legal(g, legals[0])


@compiled
def _play(rows: Rows, logs: Rows, legals: Rows, action: int) -> bool:
    """Take one decision if it is among `legals`; returns whether it was."""
    g = rows[0]
    legal = legals[0]
    for i in range(legal.count):
        if legal.id[i] == action:
            rules.apply(g, logs[0], action)
            actions.find_legal(g, legal)
            return True
    return False


@compiled
def _play_again(rows: Rows, logs: Rows, legals: Rows, taken: NDArray[np.int64]) -> None:
    """Take decisions again, drawing again those that were drawn (see `Game._taken`)."""
    g = rows[0]
    for i in range(len(taken)):
        action = taken[i] if taken[i] >= 0 else rules.random_id(g, legals[0])
        rules.apply(g, logs[0], action)
    actions.find_legal(g, legals[0])


@compiled
def _draw(rows: Rows, logs: Rows, legals: Rows, drawn: NDArray[np.int64]) -> int:
    """Take random decisions until the game is over or `drawn` is full; returns their number."""
    g = rows[0]
    made = 0
    while g.status == RUNNING and made < len(drawn):
        drawn[made] = rules.random_id(g, legals[0])
        rules.apply(g, logs[0], drawn[made])
        made += 1
    actions.find_legal(g, legals[0])
    return made


@compiled
def _reseed(rows: Rows, seed: int) -> None:
    """Other random numbers, and not those by which a game of this seed is dealt."""
    rng.fill(rows[0], rng.episode_seed(seed, rng.NO_EPISODE))


def _arrays_in(memory: bytearray) -> tuple[Rows, Rows, Rows]:
    """One GAME, one LOG and one LEGAL, which share a memory: copying that is fast."""
    rows = np.ndarray(1, GAME, memory)
    legals = np.ndarray(1, LEGAL, memory, GAME.itemsize)
    logs = np.ndarray(1, LOG, memory, GAME.itemsize + LEGAL.itemsize)
    return rows, logs, legals


@final
class Game:
    """One game of Mascarade, at any moment of it.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        seed: determines the deal, and the choices of `play_randomly`; None draws one.
        deal: the mask dealt to each slot, instead of a random deal.
        names: what the players are called, for records.
    """

    __slots__ = (
        "_legals",
        "_logs",
        "_memory",
        "_replays",
        "_rows",
        "_start",
        "_taken",
        "meta",
        "names",
        "scenario",
    )  # fmt: skip

    scenario: Scenario
    names: list[str] | None
    meta: dict[str, Any]
    _memory: bytearray  # of the three arrays below
    _rows: Rows  # one GAME
    _logs: Rows  # one LOG: the events of the last step
    _legals: Rows  # one LEGAL: what is legal now
    _start: bytes  # the memory as it was when the masks were dealt
    # The decisions so far: the id of each, or ~id if the game's own random numbers drew it, so that
    # taking them again, as `undo` does, restores the random numbers too. They are noted before they
    # are taken: what stands beyond the row's number of decisions is void, left by an error or an
    # interrupt.
    _taken: list[int]
    # Who has followed this game, by whether their observations are padded. They catch up when they
    # are asked. Clones share them: whether one may go on or must be copied first stands with it.
    _replays: dict[bool, tuple[Replay, bool]]

    def __init__(
        self,
        scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
        *,
        seed: int | None = None,
        deal: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.scenario = resolve(scenario)
        number = rng.checked_seed(seed)
        self.names = None if names is None else _checked_names(names, self.scenario)
        self.meta = {"seed": number}
        self._hold(bytearray(_MEMORY))
        self._rows[:] = new_rows(self.scenario, 1)
        if deal is not None:
            self._rows["deal"][0, : self.scenario.slots] = self.scenario.deal_numbers(deal)
        self._taken = []
        self._replays = {}
        _begin(self._rows, self._logs, self._legals, number, deal is not None)
        self._start = bytes(self._memory)

    def _hold(self, memory: bytearray) -> None:
        self._memory = memory
        self._rows, self._logs, self._legals = _arrays_in(memory)

    # What is to be decided

    @property
    def over(self) -> bool:
        """Whether the game has ended, by a win or at the turn limit."""
        return bool(self._rows["phase"][0] == OVER)

    @property
    def phase(self) -> str:
        """What kind of decision is asked for: one of `state.PHASES`, "over" at the end."""
        return PHASES[self._rows["phase"][0]]

    @property
    def player(self) -> int | None:
        """Who decides now, None when the game is over."""
        seat = self.seat
        return None if seat is None else int(self._rows["player_at"][0, seat])

    @property
    def seat(self) -> int | None:
        """The seat of the player who decides now, None when the game is over."""
        seat = int(self._rows["actor"][0])
        return None if seat == NOBODY else seat

    def legal_actions(self) -> list[str]:
        """The legal actions in words, in the order of `legal_ids`."""
        g = self._rows[0]
        return [actions.word_of(g, action) for action in self.legal_ids()]

    def legal_ids(self) -> list[int]:
        """The legal actions as ids, ascending (the table in actions.py); empty when over."""
        ids: list[int] = self._legals["id"][0, : self._legals["count"][0]].tolist()
        return ids

    def legal_mask(self) -> NDArray[np.int8]:
        """One entry per action id, 1 where it is legal."""
        mask = np.zeros(self.num_actions, np.int8)
        mask[self.legal_ids()] = 1
        return mask

    @property
    def num_actions(self) -> int:
        """How many action ids the scenario has."""
        return int(actions.count_ids(self._rows[0]))

    def action_id(self, word: str) -> int:
        """The id of an action in words, for the player who decides now."""
        if self.over:
            raise actions.illegal(self._rows[0], str(word))
        return actions.id_of(self._rows[0], word)

    def action_word(self, action: int) -> str:
        """An action id in words, for the player who decides now."""
        number = whole(action, "an action id")
        if self.over:
            raise actions.illegal(self._rows[0], str(number))
        return actions.word_of(self._rows[0], number)

    # Playing

    def play(self, action: str | int) -> None:
        """Take a decision, in words or by id.

        Raises:
            IllegalActionError: it is not legal now; nothing has changed.
            UnknownNameError: there is no such word; nothing has changed.
        """
        number = (
            self.action_id(action) if isinstance(action, str) else whole(action, "an action id")
        )
        if 0 <= number < actions.MAX_ACTIONS:
            self._taken[self._decisions :] = [number]
            if _play(self._rows, self._logs, self._legals, number):
                return
        raise actions.illegal(self._rows[0], self.action_word(number))

    def play_randomly(self, most: int | None = None, *, seed: int | None = None) -> int:
        """Take uniformly random decisions to the end of the game, or `most` of them.

        Args:
            most: how many at most.
            seed: determines the decisions. By default they are drawn from the game's own random
                numbers, so that a game, its clones and its pickles all go on alike.

        Returns:
            How many were taken.
        """
        left = math.inf if most is None else whole(most, "most", at_least=0)
        after = self._memory.copy()
        arrays = _arrays_in(after)
        own = arrays[0]["rng"].copy()
        if seed is not None:
            _reseed(arrays[0], rng.given_seed(seed))
        found: list[int] = []
        while arrays[0]["status"] == RUNNING and len(found) < left:
            drawn = np.empty(int(min(_CHUNK, left - len(found))), np.int64)
            made = _draw(*arrays, drawn)
            found += (drawn[:made] if seed is not None else ~drawn[:made]).tolist()
        if seed is not None:
            arrays[0]["rng"] = own
        self._taken[self._decisions :] = found
        self._memory[:] = after
        return len(found)

    def undo(self, steps: int = 1) -> None:
        """Take back the last decisions."""
        made = self._decisions
        if whole(steps, "steps", at_least=0) > made:
            raise MascaradeError(f"cannot undo {steps} of {made} decisions")
        before = bytearray(self._start)
        _play_again(*_arrays_in(before), np.array(self._taken[: made - steps], np.int64))
        self._replays = {}
        self._memory[:] = before

    @property
    def _decisions(self) -> int:
        return int(self._rows["decisions"][0])

    def clone(self) -> Self:
        """A game that goes on from here on its own; the random numbers ahead are the same."""
        twin = object.__new__(type(self))
        twin.scenario = self.scenario
        twin.names = None if self.names is None else self.names.copy()
        twin.meta = self.meta.copy()
        twin._hold(self._memory.copy())
        twin._start = self._start
        twin._taken = self._taken.copy()
        for padded, (replay, _) in self._replays.items():
            self._replays[padded] = (replay, False)
        twin._replays = self._replays.copy()
        return twin

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = self.clone()
        twin.meta = copy.deepcopy(self.meta, memo)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {
            "layout": _LAYOUT,
            "scenario": self.scenario,
            "names": self.names,
            "meta": self.meta,
            "start": self._start,
            "memory": bytes(self._memory),
            "taken": self._taken[: self._decisions],
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        if saved["layout"] != _LAYOUT:
            raise MascaradeError(
                "this game was pickled by another version of mascarade_env; "
                "exchange games between versions as records"
            )
        self.scenario = saved["scenario"]
        self.names = saved["names"]
        self.meta = saved["meta"]
        self._start = saved["start"]
        self._taken = saved["taken"]
        self._replays = {}
        self._hold(bytearray(saved["memory"]))

    # The table, as the referee sees it

    @property
    def turn(self) -> int:
        """Turns already ended."""
        return int(self._rows["turn"][0])

    @property
    def marker(self) -> int:
        """The seat whose turn it is."""
        return int(self._rows["marker"][0])

    @property
    def coins(self) -> list[int]:
        """The fortune on each seat."""
        return self._by_seat("coins")

    @property
    def tribunal(self) -> int:
        """Coins on the tribunal."""
        return int(self._rows["tribunal"][0])

    @property
    def masks(self) -> list[str]:
        """The mask at each slot, seats first, then the centre: hidden from players."""
        return self._words("mask_at")

    @property
    def deal(self) -> list[str]:
        """The mask dealt to each slot."""
        return self._words("deal")

    @property
    def player_at(self) -> list[int]:
        """The player on each seat."""
        return self._by_seat("player_at")

    @property
    def barred(self) -> list[int]:
        """Players who may not announce on this turn (rules 4.3)."""
        return self._members("barred")

    @property
    def claims(self) -> list[int]:
        """Seats that have claimed the announced mask so far."""
        bits = int(self._rows["claims"][0])
        return [seat for seat in range(self.scenario.players) if bits >> seat & 1]

    @property
    def under_table(self) -> tuple[int, int] | None:
        """The slots whose masks are about to come back from under the table, if any are."""
        return slots_under_table(self._rows[0])

    @property
    def announced(self) -> str | None:
        """The mask announced this turn, if any."""
        mask = int(self._rows["announced"][0])
        return None if mask == NOBODY else MASK_IDS[mask]

    # The end

    @property
    def truncated(self) -> bool:
        """Whether the game was void at the turn limit."""
        return bool(self._rows["status"][0] == TRUNCATED)

    @property
    def winners(self) -> list[int] | None:
        """The winners, ascending; [] when truncated, None while the game runs."""
        return self._members("winners") if self.over else None

    def returns(self) -> list[float]:
        """What each player gets (rules 7): zero-sum; all zero while the game runs."""
        g = self._rows[0]
        return [float(rules.returns_of(g, player)) for player in range(self.scenario.players)]

    # History

    @property
    def history(self) -> list[tuple[int, str]]:
        """All decisions so far: who decided, and the action in words."""
        return [(player, word) for player, word, _ in self._steps()]

    @property
    def taken(self) -> list[int]:
        """All decisions so far as ids."""
        return [max(number, ~number) for number in self._taken[: self._decisions]]

    @property
    def last_events(self) -> NDArray[Any]:
        """What the last decision, or the deal, brought: an array of `events.EVENT`."""
        log = self._logs[0]
        return log["event"][: log["count"]].copy()

    def at_start(self) -> Self:
        """This game as it was dealt, before the first decision."""
        twin = self.clone()
        twin.undo(twin._decisions)
        return twin

    def news(self, viewer: int | Literal["all", "onlooker"] = "all") -> list[str]:
        """What the last decision brought, in sentences, as far as a viewer may know it.

        Args:
            viewer: a player, "onlooker" for what all players see, or "all" for the whole truth.
        """
        bits = self._viewer_bits(viewer)
        return self._sentences(event for event in self.last_events if int(event["seen_by"]) & bits)

    def log(self, viewer: Viewer | Literal["all"] = "all") -> list[str]:
        """All that has happened, in sentences, as far as a viewer (see `news`) may know it."""
        return self._sentences(self._replay().events(self._viewer_bits(viewer)))

    def _sentences(self, told: Iterable[np.record]) -> list[str]:
        players = self.scenario.players
        return [events.in_words(event, players) for event in told if event["kind"] != events.ASK]

    # What players know

    def view(self, player: int | None = None) -> AgentView:
        """What one player, by default who decides now, may know, to hand to an agent.

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
        """The neutral belief of a viewer (rules 8): [slots, masks], probabilities.

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
        """Whether the belief of a viewer is exact; if not, it was thinned since the deal."""
        return self._replay().follower.exact(self._viewer(viewer))

    def worlds(self, viewer: Viewer) -> Worlds:
        """The placements of the masks that are possible for a viewer, and how probable."""
        return self._replay().follower.worlds(self._viewer(viewer))

    def sample_worlds(
        self, viewer: Viewer, count: int, rng: np.random.Generator | int | None = None
    ) -> list[Self]:
        """Games that may have been played, as far as a viewer can know, by their probability.

        Each agrees with all that the viewer has seen; what others did with masks under the table
        is drawn anew, from the deal on, so every player's knowledge in it hangs together. Random
        numbers ahead are new.

        Args:
            viewer: a player, or "onlooker".
            count: how many.
            rng: draws them; a number is the seed of one.

        Raises:
            MascaradeError: the belief is not exact any more and has lost what was seen since.
        """
        chance = _generator(rng)
        number = whole(count, "count", at_least=0)
        drawn = sampling.courses(
            self._new_replay(padded=False), self.taken, self._viewer(viewer), number, chance
        )
        seeds = chance.integers(2**63, size=number).tolist()
        return [self._with_course(*other) for other in zip(drawn, seeds, strict=True)]

    def _with_course(self, taken: NDArray[np.int64], seed: int) -> Self:
        """This game with other decisions from the deal on, and other random numbers."""
        twin = self.clone()
        twin._replays = {}
        twin.meta["seed"] = seed
        twin._taken = taken.tolist()
        start = bytearray(self._start)
        rows = _arrays_in(start)[0]
        rows["seed"] = seed
        _reseed(rows, seed)
        twin._start = bytes(start)
        _play_again(*_arrays_in(start), taken)
        twin._memory[:] = start
        return twin

    def observation(
        self, player: int | None = None, track: Track = "both", *, padded: bool = False
    ) -> NDArray[np.float32]:
        """What a player may know of the position, as a vector; `Schema` says what it means.

        Args:
            player: who decides now by default.
            track: "memory", "belief" or "both".
            padded: as if there were 12 seats, 14 slots and all 16 masks.
        """
        if track not in TRACKS:
            raise MascaradeError(f"a track is one of {', '.join(TRACKS)}, not {track!r}")
        return self._replay(padded).observation(self._player(player), track)

    def full_state(self, player: int | None = None, *, padded: bool = False) -> NDArray[np.float32]:
        """The truth and everybody's beliefs, laid out by `Schema(scenario, "full")`.

        For critics and debugging; never hand it to an agent.

        Args:
            player: from whose seat slots are listed; who decides by default.
            padded: as for `observation`.
        """
        return self._replay(padded).observation(self._player(player), FULL)

    def information_state(self, player: int) -> str:
        """All that a player has seen since the deal, as text: perfect recall.

        Two games that the player cannot tell apart give the same, and others do not.
        """
        told = self._replay().events(1 << self._player(player))
        return information.as_text(self.scenario, player, told)

    def information_state_tensor(
        self, player: int, length: int = information.LENGTH
    ) -> NDArray[np.int32]:
        """The same as numbers: [length, 5], the rows of `information.FIELDS`, zeros at the end.

        Raises:
            MascaradeError: more than `length` events; nothing is cut off in silence.
        """
        told = self._replay().events(1 << self._player(player))
        return information.as_numbers(told, whole(length, "length", at_least=1))

    def _replay(self, padded: bool = False) -> Replay:
        """Who has followed this game up to now."""
        replay, mine = self._replays.get(padded) or (self._new_replay(padded=padded), True)
        if replay.decisions < self._decisions:
            if not mine:
                replay, mine = replay.copy(), True
            replay.take(self._taken[replay.decisions : self._decisions])
        self._replays[padded] = (replay, mine)
        return replay

    def _new_replay(self, *, padded: bool) -> Replay:
        rows, logs, _ = _arrays_in(bytearray(self._start))
        return Replay(self.scenario, rows, logs, padded=padded)

    def _player(self, player: int | None) -> int:
        if player is None:
            if self.over:
                raise MascaradeError("the game is over: name the player whose view you want")
            return int(self._rows["player_at"][0, self.seat])
        number = whole(player, "a player", at_least=0)
        if number >= self.scenario.players:
            raise MascaradeError(
                f"a player is a number 0..{self.scenario.players - 1}, not {player}"
            )
        return number

    def _viewer(self, viewer: Viewer) -> int:
        """The number that witnesses give a viewer."""
        if isinstance(viewer, str) and viewer == "onlooker":
            return self.scenario.players
        return self._player(whole(viewer, 'a viewer other than "onlooker"', at_least=0))

    def _steps(self) -> Iterator[tuple[int, str, Self]]:
        """Each decision: who took it, the action in words, and one game as it stood then."""
        past = self.at_start()
        for action in self.taken:
            player, word = past.player, past.action_word(action)
            assert player is not None
            past.play(action)
            yield player, word, past

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

    # Records

    def to_record(self, *, trace: bool = False, beliefs: bool = False) -> dict[str, Any]:
        """The game record (format version 1).

        Args:
            trace: add the whole truth at each step.
            beliefs: add every player's neutral belief at each step.
        """
        return records.to_record(self, trace=trace, beliefs=beliefs)

    @classmethod
    def from_record(cls, record: object) -> Self:
        """Replay a game record.

        Raises:
            RecordError: it is not one or breaks the rules; names the step and the reason.
        """
        try:
            return records.from_record(cls, record)
        except RecursionError:
            raise RecordError("nested too deeply") from None

    # For people

    def __repr__(self) -> str:
        return f"<Game {self.scenario.name}, turn {self.turn}, {glance.moment(self)}>"

    def __str__(self) -> str:
        return glance.table(self)

    def _by_seat(self, field: str) -> list[int]:
        values: list[int] = self._rows[field][0, : self.scenario.players].tolist()
        return values

    def _words(self, field: str) -> list[str]:
        return [MASK_IDS[mask] for mask in self._rows[field][0, : self.scenario.slots]]

    def _members(self, field: str) -> list[int]:
        members = int(self._rows[field][0])
        return [player for player in range(self.scenario.players) if members >> player & 1]


def _generator(chance: np.random.Generator | int | None) -> np.random.Generator:
    if isinstance(chance, np.random.Generator):
        return chance
    return np.random.default_rng(None if chance is None else rng.given_seed(chance))


def _checked_names(names: Sequence[str], scenario: Scenario) -> list[str]:
    wanted = scenario.players
    fit = isinstance(names, list | tuple) and len(names) == wanted
    if fit and all(isinstance(name, str) for name in names):
        return list(names)
    raise MascaradeError(f"names must be {wanted} words, one a player, not {names!r}")
