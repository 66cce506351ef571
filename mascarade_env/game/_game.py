"""One game, for people, searchers and frontends.

    game = Game("6A", seed=7)
    while not game.over:
        game.play(game.legal_actions()[0])   # a word such as "take:3", or its id
    print(game.winners)

A `Game` is the referee's view: it shows where every mask lies. It never hands an agent anything.
"""

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import (
    MascaradeError,
    RecordError,
    whole,
)
from mascarade_env._jit import compiled
from mascarade_env.game import _actions as actions
from mascarade_env.game import _records as records
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game import _text_table as text_table
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import LOG
from mascarade_env.game._game_viewers import GameViewers, Viewer
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import (
    NOBODY,
    RUNNING,
    TRUNCATED,
    Rows,
)
from mascarade_env.game._replay import Replay
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.game._state import GAME, new_rows
from mascarade_env.knowledge import _sampling as sampling

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
class Game(GameViewers):
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

    def _dealt(self) -> tuple[Rows, Rows]:
        rows, logs, _ = _arrays_in(bytearray(self._start))
        return rows, logs

    def _hold(self, memory: bytearray) -> None:
        self._memory = memory
        self._rows, self._logs, self._legals = _arrays_in(memory)

    # What is to be decided

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
        """Return the legal actions in words, in the order of `legal_ids`."""
        g = self._rows[0]
        return [actions.word_of(g, action) for action in self.legal_ids()]

    def legal_ids(self) -> list[int]:
        """Return the legal actions as ids, ascending (see _actions.py); empty when over."""
        ids: list[int] = self._legals["id"][0, : self._legals["count"][0]].tolist()
        return ids

    def action_id(self, word: str) -> int:
        """Return the id of an action in words, for the player who decides now."""
        if self.over:
            raise actions.illegal(self._rows[0], str(word))
        return actions.id_of(self._rows[0], word)

    def action_word(self, action: int) -> str:
        """Return an action id in words, for the player who decides now."""
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
    def masks(self) -> list[str]:
        """The mask at each slot, seats first, then the centre: hidden from players."""
        return self._words("mask_at")

    @property
    def deal(self) -> list[str]:
        """The mask dealt to each slot."""
        return self._words("deal")

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
        """Return what each player gets (rules 7): zero-sum; all zero while the game runs."""
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
        """What the last decision, or the deal, brought: an array of EVENT."""
        log = self._logs[0]
        return log["event"][: log["count"]].copy()

    def at_start(self) -> Self:
        """This game as it was dealt, before the first decision."""
        twin = self.clone()
        twin.undo(twin._decisions)
        return twin

    # What players know

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

    def _steps(self) -> Iterator[tuple[int, str, Self]]:
        """Each decision: who took it, the action in words, and one game as it stood then."""
        past = self.at_start()
        for action in self.taken:
            player, word = past.player, past.action_word(action)
            assert player is not None
            past.play(action)
            yield player, word, past

    # Records

    def to_record(self, *, trace: bool = False, beliefs: bool = False) -> dict[str, Any]:
        """Return the game record (format version 1).

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
        return f"<Game {self.scenario.name}, turn {self.turn}, {text_table.moment(self)}>"

    def __str__(self) -> str:
        return text_table.table(self)

    def _words(self, field: str) -> list[str]:
        return [MASK_IDS[mask] for mask in self._rows[field][0, : self.scenario.slots]]


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
