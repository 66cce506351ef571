"""One game, for people, search and frontends.

    game = Game("6A", seed=7)
    while not game.over:
        game.play(game.legal_actions()[0])   # a word such as "take:3", or its id
    print(game.winners)

A `Game` is the referee: it has the full state, hidden masks included. `Game.view` returns the part
that one player may know; give agents nothing else.
"""

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, RecordError, whole
from mascarade_env.game import _actions as actions
from mascarade_env.game import _game_kernels as kernels
from mascarade_env.game import _records as records
from mascarade_env.game import _rng as rng
from mascarade_env.game import _rules as rules
from mascarade_env.game import _text_table as text_table
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import LOG
from mascarade_env.game._game_viewers import GameViewers, Viewer
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import NOBODY, RUNNING, TRUNCATED, Rows
from mascarade_env.game._replay import Replay
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.game._state import GAME, new_rows
from mascarade_env.knowledge import _sampling as sampling

_CHUNK = 1024  # random decisions in one call of a kernel, which a user cannot interrupt
_MEMORY = GAME.itemsize + LEGAL.itemsize + LOG.itemsize
_LAYOUT = f"{GAME} {LOG} {LEGAL}"  # a pickle is raw memory, so it loads only with the same layout


def _arrays_in(memory: bytearray) -> tuple[Rows, Rows, Rows]:
    """Return a GAME, a LOG and a LEGAL as arrays in one block of memory, which is fast to copy."""
    rows = np.ndarray(1, GAME, memory)
    legals = np.ndarray(1, LEGAL, memory, GAME.itemsize)
    logs = np.ndarray(1, LOG, memory, GAME.itemsize + LEGAL.itemsize)
    return rows, logs, legals


@final
class Game(GameViewers):
    """One game of Mascarade: its position, its history, and what each player knows.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        seed: a number 0..2**63-1 that determines the deal and the choices of `play_randomly`; None
            for a random seed.
        deal: the id of the mask dealt to each slot, instead of a random deal.
        names: the name of each player, for records.

    Attributes:
        scenario: the `Scenario` of the game.
        names: the name of each player, or None.
        meta: a dict of data for the record, which JSON must be able to hold. Its key "seed" holds
            the seed.

    Raises:
        UnknownNameError: there is no such scenario.
        ScenarioError: the scenario breaks a rule.
        MascaradeError: the seed, the deal or the names are not valid.
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
    _memory: bytearray  # contains the three arrays below
    _rows: Rows  # one GAME
    _logs: Rows  # one LOG: the events of the last step
    _legals: Rows  # one LEGAL: the legal actions now
    _start: bytes  # the memory just after the deal
    # The decisions so far: the id of each, or ~id if it was sampled with the game's random numbers.
    # Replaying a sampled decision, as `undo` does, restores these numbers too. A decision is added
    # here before it is taken. So after an error or interrupt there may be extra entries, which the
    # number of decisions in the row does not count.
    _taken: list[int]
    # By `padded`: the replay for these observations, and whether this game may advance it. Clones
    # share replays, and must copy a shared replay before they advance it.
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
        kernels.begin(self._rows, self._logs, self._legals, number, deal is not None)
        self._start = bytes(self._memory)

    def _dealt(self) -> tuple[Rows, Rows]:
        rows, logs, _ = _arrays_in(bytearray(self._start))
        return rows, logs

    def _hold(self, memory: bytearray) -> None:
        self._memory = memory
        self._rows, self._logs, self._legals = _arrays_in(memory)

    # The next decision

    @property
    def player(self) -> int | None:
        """The acting player; None when the game is over."""
        seat = self.seat
        return None if seat is None else int(self._rows["player_at"][0, seat])

    @property
    def seat(self) -> int | None:
        """The seat of the acting player; None when the game is over."""
        seat = int(self._rows["actor"][0])
        return None if seat == NOBODY else seat

    def legal_actions(self) -> list[str]:
        """Return the legal actions in words, in the order of `legal_ids`."""
        g = self._rows[0]
        return [actions.word_of(g, action) for action in self.legal_ids()]

    def legal_ids(self) -> list[int]:
        """Return the legal actions as ids, ascending (see ACTIONS.md); [] when the game is over."""
        ids: list[int] = self._legals["id"][0, : self._legals["count"][0]].tolist()
        return ids

    def action_id(self, word: str) -> int:
        """Return the id of an action in words, for the acting player.

        Raises:
            IllegalActionError: the game is over, or the seat, slot or mask is not in this game.
            UnknownNameError: the word names no action, or a mask that does not exist.
        """
        if self.over:
            raise actions.illegal(self._rows[0], str(word))
        return actions.id_of(self._rows[0], word)

    def action_word(self, action: int) -> str:
        """Return an action id in words, for the acting player.

        Raises:
            IllegalActionError: the game is over, or the scenario has no such id.
        """
        number = whole(action, "an action id")
        if self.over:
            raise actions.illegal(self._rows[0], str(number))
        return actions.word_of(self._rows[0], number)

    # Playing

    def play(self, action: str | int) -> None:
        """Take a decision, in words or by id.

        Raises:
            IllegalActionError: the action is not legal now; the game is unchanged.
            UnknownNameError: the word names no action, or a mask that does not exist; the game is
                unchanged.
        """
        number = (
            self.action_id(action) if isinstance(action, str) else whole(action, "an action id")
        )
        if 0 <= number < actions.MAX_ACTIONS:
            self._taken[self._decisions :] = [number]
            if kernels.play(self._rows, self._logs, self._legals, number):
                return
        raise actions.illegal(self._rows[0], self.action_word(number))

    def play_randomly(self, most: int | None = None, *, seed: int | None = None) -> int:
        """Take uniformly random decisions until the game is over, or until `most` are taken.

        Args:
            most: the largest number of decisions; None for no limit.
            seed: the seed of the decisions. By default they come from the random numbers of the
                game, so a game, its clones and its pickles take the same decisions.

        Returns:
            The number of decisions taken.
        """
        left = math.inf if most is None else whole(most, "most", at_least=0)
        after = self._memory.copy()
        arrays = _arrays_in(after)
        own = arrays[0]["rng"].copy()
        if seed is not None:
            kernels.reseed(arrays[0], rng.given_seed(seed))
        taken: list[int] = []
        while arrays[0]["status"] == RUNNING and len(taken) < left:
            drawn = np.empty(int(min(_CHUNK, left - len(taken))), np.int64)
            count = kernels.draw(*arrays, drawn)
            taken += (drawn[:count] if seed is not None else ~drawn[:count]).tolist()
        if seed is not None:
            arrays[0]["rng"] = own
        self._taken[self._decisions :] = taken
        self._memory[:] = after
        return len(taken)

    def undo(self, steps: int = 1) -> None:
        """Take back the last decisions.

        Args:
            steps: the number of decisions.

        Raises:
            MascaradeError: fewer decisions were taken; the game is unchanged.
        """
        count = self._decisions
        if whole(steps, "steps", at_least=0) > count:
            raise MascaradeError(
                f"cannot undo {steps} decisions: only {count} were taken; pass 0 to {count}"
            )
        before = bytearray(self._start)
        kernels.play_again(*_arrays_in(before), np.array(self._taken[: count - steps], np.int64))
        self._replays = {}
        self._memory[:] = before

    @property
    def _decisions(self) -> int:
        return int(self._rows["decisions"][0])

    def clone(self) -> Self:
        """Return an independent copy of the game; its random numbers continue in the same way."""
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
                "to exchange games between versions, use Game.to_record and Game.from_record"
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
        """The mask at each slot now: seats first, then the centre. Players do not see it."""
        return self._words("mask_at")

    @property
    def deal(self) -> list[str]:
        """The mask dealt to each slot."""
        return self._words("deal")

    # The end

    @property
    def truncated(self) -> bool:
        """Whether the game is void because it reached the turn limit."""
        return bool(self._rows["status"][0] == TRUNCATED)

    @property
    def winners(self) -> list[int] | None:
        """The players who have won, ascending; [] if truncated, None while the game runs."""
        return self._members("winners") if self.over else None

    def returns(self) -> list[float]:
        """Return the return of each player (rules 7): zero-sum; all 0 while the game runs."""
        g = self._rows[0]
        return [float(rules.returns_of(g, player)) for player in range(self.scenario.players)]

    # History

    @property
    def history(self) -> list[tuple[int, str]]:
        """All decisions so far: the player who decided, and the action in words."""
        return [(player, word) for player, word, _ in self._steps()]

    @property
    def taken(self) -> list[int]:
        """All decisions so far as ids."""
        return [max(number, ~number) for number in self._taken[: self._decisions]]

    @property
    def last_events(self) -> NDArray[Any]:
        """The events of the last decision, or of the deal: an array of EVENT."""
        log = self._logs[0]
        return log["event"][: log["count"]].copy()

    def at_start(self) -> Self:
        """Return a copy of the game as it was before the first decision."""
        twin = self.clone()
        twin.undo(twin._decisions)
        return twin

    # What players know

    def sample_worlds(
        self, viewer: Viewer, count: int, rng: np.random.Generator | int | None = None
    ) -> list[Self]:
        """Sample games that look the same as this one to a viewer, with neutral probabilities.

        In each sampled game the viewer has seen the same events. Swaps and keeps that the viewer
        has not seen are sampled from the deal on, so that the knowledge of all players in a sampled
        game is consistent. Each sampled game has other random numbers from here on.

        Args:
            viewer: a player, or "onlooker".
            count: the number of games to sample.
            rng: the random generator that samples them, or a seed for one.

        Raises:
            MascaradeError: the belief is approximate, and no game fits the worlds that it has kept.
        """
        generator = _generator(rng)
        number = whole(count, "count", at_least=0)
        drawn = sampling.courses(
            self._new_replay(padded=False), self.taken, self._viewer(viewer), number, generator
        )
        seeds = generator.integers(2**63, size=number).tolist()
        return [self._with_course(*other) for other in zip(drawn, seeds, strict=True)]

    def _with_course(self, taken: NDArray[np.int64], seed: int) -> Self:
        """Return a game with the same deal, these decisions, and random numbers from this seed."""
        twin = self.clone()
        twin._replays = {}
        twin.meta["seed"] = seed
        twin._taken = taken.tolist()
        start = bytearray(self._start)
        rows = _arrays_in(start)[0]
        rows["seed"] = seed
        kernels.reseed(rows, seed)
        twin._start = bytes(start)
        kernels.play_again(*_arrays_in(start), taken)
        twin._memory[:] = start
        return twin

    def _steps(self) -> Iterator[tuple[int, str, Self]]:
        """Yield each decision: the player, the action in words, and the game just after it."""
        past = self.at_start()
        for action in self.taken:
            player, word = past.player, past.action_word(action)
            assert player is not None
            past.play(action)
            yield player, word, past

    # Records

    def to_record(self, *, trace: bool = False, beliefs: bool = False) -> dict[str, Any]:
        """Return the game as a record: a JSON object, format version 1 (see RECORDS.md).

        Args:
            trace: whether to add the full state before each step.
            beliefs: whether to add every player's neutral belief before each step.
        """
        return records.to_record(self, trace=trace, beliefs=beliefs)

    @classmethod
    def from_record(cls, record: object) -> Self:
        """Return the game of a record, after replaying and checking all of it.

        Raises:
            RecordError: it is not a record, or a step breaks the rules. The error names the step
                and the reason.
        """
        try:
            return records.from_record(cls, record)
        except RecursionError:
            raise RecordError("the JSON is nested too deeply to be a record") from None

    # For people

    def __repr__(self) -> str:
        return f"<Game {self.scenario.name}, turn {self.turn}, {text_table.moment(self)}>"

    def __str__(self) -> str:
        return text_table.table(self)

    def _words(self, field: str) -> list[str]:
        return [MASK_IDS[mask] for mask in self._rows[field][0, : self.scenario.slots]]


def _generator(source: np.random.Generator | int | None) -> np.random.Generator:
    if isinstance(source, np.random.Generator):
        return source
    return np.random.default_rng(None if source is None else rng.given_seed(source))


def _checked_names(names: Sequence[str], scenario: Scenario) -> list[str]:
    players = scenario.players
    fit = isinstance(names, list | tuple) and len(names) == players
    if fit and all(isinstance(name, str) for name in names):
        return list(names)
    raise MascaradeError(
        f"names must be a list of {players} strings, one for each player, not {names!r}"
    )
