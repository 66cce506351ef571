"""A second, deliberately simple implementation of observations, as an oracle for tests.

It is written from OBSERVATION.md and RULES.md only. It receives the events that one player saw, as
the rows of an information state. From them it computes all other facts: the turn, the acting
player, all coins, and the beliefs of the player and of the onlooker. Slots have their numbers at
the table until the arrays are made. Masks are words. Beliefs are dictionaries of placements.

By rules 8 everyone sees all kinds of events but SEE, SWAP, KEEP and SHOW. So these four change only
the belief of the player. All other kinds change the onlooker's belief too.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_env import MASKS, Scenario

# The probability of each possible placement: the mask at each slot.
Worlds: TypeAlias = dict[tuple[str, ...], float]
# Kind, player, first place, and then a mask or a second place.
Token: TypeAlias = tuple[str, int | None, int | None, str | int | None]

NAMES = [mask.id for mask in MASKS]
TALLIES = ("unproven", "proven_true", "proven_false", "claims_true", "claims_false")
KINDS = [
    "DEAL",
    "BEGIN",
    "LOOK",
    "SEE",
    "TAKE",
    "RETURN",
    "SWAP",
    "KEEP",
    "ANNOUNCE",
    "CLAIM",
    "PASS",
    "REVEAL",
    "SHOW",
    "POWER",
    "CHOOSE",
    "DECLINE",
    "DECLARE",
    "PAY",
    "EXCHANGE",
    "MOVE",
    "LIMIT",
    "WIN",
    "ASK",
]
NO_TOKEN = {"BEGIN", "TAKE", "PASS", "PAY", "LIMIT", "WIN", "ASK"}
WITH_PLACE = {
    "DEAL",
    "LOOK",
    "SEE",
    "RETURN",
    "SWAP",
    "KEEP",
    "REVEAL",
    "SHOW",
    "POWER",
    "CHOOSE",
    "EXCHANGE",
    "MOVE",
}
WITH_MASK = {"DEAL", "SEE", "ANNOUNCE", "CLAIM", "REVEAL", "SHOW", "POWER", "DECLARE"}
WITH_TWO_PLACES = {"RETURN", "SWAP", "KEEP", "EXCHANGE", "MOVE"}

PHASES = ["turn", "table", "challenge", "target", "declare", "over"]
ANSWERS = ["announces", "claims", "passes", "not asked yet"]
OUTCOMES = ["open", "unchallenged", "true", "false"]
CHOOSING = {"princess", "fool", "witch", "spy", "guru", "puppet_master"}
BANK, TRIBUNAL = 100, 101
MAX_SEATS, MAX_SLOTS, WINDOW = 12, 14, 32


class NaiveObserver:
    """What one player knows of a game.

    Args:
        scenario: the scenario of the game.
        viewer: the player.
        most_worlds: a belief with more possible placements is dropped, to save time.
    """

    def __init__(self, scenario: Scenario, viewer: int, most_worlds: int = 3000) -> None:
        self._scenario = scenario
        self._viewer = viewer
        self._most = most_worlds
        self._n = n = scenario.players
        self._fed = 0
        self._kind = ""
        self._player_at = list(range(n))
        self._coins = [scenario.start_coins] * n
        self._tribunal = 0
        self._turn = 0
        self._marker = 0
        self.phase = "turn"
        self._decider: int | None = 0  # a seat
        self._dealt: dict[int, str] = {}
        self._own: Worlds | None = None
        self._public: Worlds | None = None
        # For each player the sets of slots of the column "sure".
        self._sets: list[list[set[int]]] = [
            [{slot} for slot in range(scenario.slots)] for _ in range(n)
        ]
        self._revealed_on = [0] * scenario.slots
        self._touched_on = [0] * scenario.slots
        self._said: dict[int, tuple[int, str, str]] = {}  # turn, mask, outcome
        self._tallies: Counter[tuple[int, str]] = Counter()  # by player and kind of tally
        self._revealers: set[int] = set()  # players on this turn
        self._barred: set[int] = set()
        self._tokens: list[Token] = []
        self._clear_turn()

    def _clear_turn(self) -> None:
        self._announced: str | None = None
        self._answers: dict[int, str] = {}  # by player
        self._chosen: set[int] = set()
        self._users: set[int] = set()
        self._table: set[int] = set()

    @property
    def player(self) -> int | None:
        """The acting player."""
        return None if self._decider is None else self._player_at[self._decider]

    # ---------------------------------------------------------------- events

    def feed(self, rows: NDArray[np.int32]) -> None:
        """Process an information state; skip the events processed before."""
        known = rows[rows[:, 0] > 0].tolist()
        for kind, player, a, b, value in known[self._fed :]:
            self._take_in(KINDS[kind - 1], player, a, b, value)
        self._fed = len(known)

    def _take_in(self, kind: str, player: int, a: int, b: int, value: int) -> None:
        mask = NAMES[value] if kind in WITH_MASK else ""
        if kind not in NO_TOKEN:
            what: str | int | None = None
            if kind in WITH_MASK:
                what = mask
            elif kind in WITH_TWO_PLACES:
                what = b
            where = a if kind in WITH_PLACE else None
            self._tokens.append((kind, None if player < 0 else player, where, what))
        if kind == "DEAL":  # listed from the viewer's seat
            self._tokens.sort(key=lambda token: self._dealt_place(token[2]))
        getattr(self, f"_on_{kind.lower()}")(player, a, b, mask or value)

    def _dealt_place(self, slot: int | None) -> int:
        """Return the place of a slot, counted from the seat of the viewer at the deal."""
        assert slot is not None
        players = self._scenario.players
        return (slot - self._viewer) % players if slot < players else slot

    def _on_deal(self, player: int, slot: int, _b: int, mask: str) -> None:
        self._dealt[slot] = mask
        if len(self._dealt) == self._scenario.slots:
            deal = tuple(self._dealt[slot] for slot in sorted(self._dealt))
            self._own, self._public = {deal: 1.0}, {deal: 1.0}

    def _on_begin(self, player: int, seat: int, _b: int, turn: int) -> None:
        assert self._player_at[seat] == player
        self._clear_turn()
        self._barred, self._revealers = self._revealers, set()
        self._turn = turn
        self._marker = seat
        self.phase, self._decider = "turn", seat

    def _on_look(self, player: int, seat: int, _b: int, _value: int) -> None:
        self._knows(player, seat)

    def _on_see(self, player: int, slot: int, _b: int, mask: str) -> None:
        assert player == self._viewer
        self._own = _where(self._own, slot, mask)

    def _on_take(self, player: int, one: int, other: int, _value: int) -> None:
        self._table = {one, other}
        self.phase, self._decider = "table", self._player_at.index(player)

    def _on_return(self, player: int, one: int, other: int, _value: int) -> None:
        self._table = set()
        for slot in (one, other):
            self._touched_on[slot] = self._turn
        for person in range(self._n):
            first, second = (self._set_of(person, slot) for slot in (one, other))
            both_known = len(first) == 1 and len(second) == 1
            if first is not second and not (person == player and both_known):
                self._sets[person].remove(second)
                first |= second
        self._public = self._limited(_perhaps_swapped(self._public, one, other))
        if player != self._viewer:
            self._own = self._limited(_perhaps_swapped(self._own, one, other))

    def _on_swap(self, player: int, one: int, other: int, _value: int) -> None:
        assert player == self._viewer
        if self._own is not None:
            self._own = {_swapped(world, one, other): p for world, p in self._own.items()}

    def _on_keep(self, player: int, _one: int, _other: int, _value: int) -> None:
        assert player == self._viewer

    def _on_announce(self, player: int, _a: int, _b: int, mask: str) -> None:
        self._announced = mask
        self._answers = dict.fromkeys(range(self._n), "not asked yet")
        self._answers[player] = "announces"
        self._said[player] = (self._turn, mask, "open")
        self.phase, self._decider = "challenge", self._left(self._marker)

    def _on_claim(self, player: int, _a: int, _b: int, _mask: str) -> None:
        self._answer(player, "claims")

    def _on_pass(self, player: int, _a: int, _b: int, _mask: str) -> None:
        self._answer(player, "passes")

    def _answer(self, player: int, answer: str) -> None:
        assert self.player == player
        self._answers[player] = answer
        seat = self._left(self._player_at.index(player))
        self._decider = seat
        if seat == self._marker and "claims" not in self._answers.values():
            self._becomes("unchallenged")
            announcer = next(p for p, said in self._answers.items() if said == "announces")
            self._tallies[announcer, "unproven"] += 1

    def _becomes(self, outcome: str) -> None:
        announcer = next(p for p, answer in self._answers.items() if answer == "announces")
        turn, mask, before = self._said[announcer]
        if before == "open":
            self._said[announcer] = (turn, mask, outcome)

    def _on_reveal(self, player: int, seat: int, _b: int, mask: str) -> None:
        self._revealers.add(player)
        self._revealed_on[seat] = self._turn
        if self._answers[player] == "announces":
            self._becomes("true" if mask == self._announced else "false")
        if self.phase == "challenge":
            what = "proven" if self._answers[player] == "announces" else "claims"
            truth = "true" if mask == self._announced else "false"
            self._tallies[player, f"{what}_{truth}"] += 1
        for person in range(self._n):
            self._knows(person, seat)
        self._own = _where(self._own, seat, mask)
        self._public = _where(self._public, seat, mask)

    def _on_show(self, player: int, seat: int, _b: int, mask: str) -> None:
        assert player != self._viewer
        self._own = _where(self._own, seat, mask)

    def _on_power(self, _player: int, seat: int, _b: int, mask: str) -> None:
        self._users.add(seat)
        others = [coins for other, coins in enumerate(self._coins) if other != seat]
        tie = mask == "trickster" and others.count(max(others)) > 1
        if mask in CHOOSING or tie:
            self.phase, self._decider = "target", seat

    def _on_choose(self, player: int, seat: int, _b: int, _value: int) -> None:
        assert self.player == player
        self._chosen.add(seat)
        if self._announced == "princess":  # the player who shows the mask does not see SHOW
            shower = self._player_at[seat]
            self._revealers.add(shower)
            for person in range(self._n):
                if person != shower:
                    self._knows(person, seat)
        elif self._announced == "spy":
            self._knows(player, seat)
            self._knows(player, self._player_at.index(player))
        elif self._announced == "guru":
            self.phase, self._decider = "declare", seat

    def _on_decline(self, player: int, _a: int, _b: int, _value: int) -> None:
        assert self.player == player

    def _on_declare(self, player: int, _a: int, _b: int, _mask: str) -> None:
        assert self.player == player

    def _on_pay(self, _player: int, giver: int, taker: int, coins: int) -> None:
        for place, change in ((giver, -coins), (taker, coins)):
            if place == TRIBUNAL:
                self._tribunal += change
            elif place != BANK:
                self._coins[place] += change

    def _on_exchange(self, _player: int, one: int, other: int, _value: int) -> None:
        self._coins[one], self._coins[other] = self._coins[other], self._coins[one]

    def _on_move(self, _player: int, one: int, other: int, _value: int) -> None:
        at = self._player_at
        at[one], at[other] = at[other], at[one]

    def _on_limit(self, _player: int, _a: int, _b: int, turn: int) -> None:
        self._turn = turn
        self.phase, self._decider = "over", None

    def _on_win(self, _player: int, _a: int, _b: int, _value: int) -> None:
        self.phase, self._decider = "over", None

    # ---------------------------------------------------------------- helpers

    def _left(self, seat: int) -> int:
        return (seat + 1) % self._n

    def _set_of(self, player: int, slot: int) -> set[int]:
        return next(known for known in self._sets[player] if slot in known)

    def _knows(self, player: int, slot: int) -> None:
        whole = self._set_of(player, slot)
        if len(whole) > 1:
            whole.discard(slot)
            self._sets[player].append({slot})

    def _limited(self, worlds: Worlds | None) -> Worlds | None:
        return None if worlds is None or len(worlds) > self._most else worlds

    # ---------------------------------------------------------------- arrays

    def arrays(self, *, padded: bool) -> dict[str, NDArray[Any]]:
        """Return blocks and columns by name, without dropped beliefs."""
        s, n = self._scenario, self._n
        kinds = NAMES if padded else list(s.kinds)
        goal = s.goal_coins
        left = (s.turn_limit or 0) - self._turn
        found: dict[str, Any] = self._columns(kinds, padded)
        found["slots"] = np.column_stack([np.asarray(column) for column in found.values()])
        found["phase"] = _one_hot(self.phase, PHASES)
        found["announced"] = _one_hot(self._announced, kinds)
        found["in_play"] = [s.masks.count(mask) / 2 for mask in kinds]
        found["tribunal"] = [self._tribunal / goal]
        found["turn"] = [self._turn / (self._turn + 40)]
        found["opening_left"] = [max(0, s.opening_turns - self._turn) / 4]
        found["limit_near"] = [1 / left if s.turn_limit is not None and left > 0 else 0]
        found["goal"] = [goal / 13]
        order = self._order(padded)
        for name, worlds in (("own_belief", self._own), ("onlooker_belief", self._public)):
            if worlds is not None:
                found[name] = _table(worlds, order, kinds)
        if self._own is not None and self._public is not None:
            found["exact"] = [1, 1]
        found["window"] = self._window()
        assert len(self._player_at) == n
        return {name: np.asarray(values, np.float64) for name, values in found.items()}

    def _order(self, padded: bool) -> list[int | None]:
        """Return the slot at each place of the viewer's order, None for padding."""
        n, own = self._n, self._player_at.index(self._viewer)
        order: list[int | None] = [(own + place) % n for place in range(n)]
        if padded:
            order += [None] * (MAX_SEATS - n)
        order += range(n, self._scenario.slots)
        return order + [None] * (MAX_SLOTS - len(order)) if padded else order

    def _columns(self, kinds: Sequence[str], padded: bool) -> dict[str, Any]:
        order = self._order(padded)
        n = self._n
        people = [self._player_at[x] if x is not None and x < n else None for x in order]

        def slots(values: Iterable[int]) -> list[bool]:
            chosen = set(values)
            return [slot in chosen for slot in order]

        def persons(values: Iterable[int]) -> list[bool]:
            chosen = set(values)
            return [person in chosen for person in people]

        def ages(since: Sequence[int | None]) -> list[float]:
            past = [0 if turn is None else self._turn - turn for turn in since]
            return [t / (t + 8) for t in past]

        said = [self._said.get(-1 if person is None else person) for person in people]
        sure = [p for p in range(n) if {self._player_at.index(p)} in self._sets[p]]
        seats = range(n)
        return {
            "occupied": slots(seats),
            "coins": [
                self._coins[x] / self._scenario.goal_coins if x is not None and x < n else 0
                for x in order
            ],
            "decides": slots([] if self._decider is None else [self._decider]),
            "marker": slots([self._marker]),
            "revealed_ago": ages([None if x is None else self._revealed_on[x] for x in order]),
            "touched_ago": ages([None if x is None else self._touched_on[x] for x in order]),
            "under_table": slots(self._table),
            "chosen": slots(self._chosen),
            "uses_power": slots(self._users),
            "answer": [
                _one_hot(None if p is None else self._answers.get(p), ANSWERS) for p in people
            ],
            "barred": persons(self._barred),
            "sure": persons(sure),
            "said_ago": ages([turn_mask[0] if turn_mask else None for turn_mask in said]),
            "said_outcome": [_one_hot(last[2] if last else None, OUTCOMES) for last in said],
            **{
                name: [
                    c / (c + 4)
                    for c in (self._tallies[-1 if p is None else p, name] for p in people)
                ]
                for name in TALLIES
            },
            "said": [_one_hot(last[1] if last else None, kinds) for last in said],
        }

    def _window(self) -> list[list[int]]:
        def place(slot: int) -> int:
            own = self._player_at.index(self._viewer)
            return 13 + slot - self._n if slot >= self._n else (slot - own) % self._n + 1

        lines = []
        for kind, player, where, what in self._tokens[-WINDOW:]:
            if isinstance(what, str):
                word = NAMES.index(what) + 1
            else:
                word = 0 if what is None else 16 + place(what)
            lines.append(
                [
                    KINDS.index(kind) + 1,
                    0 if player is None else place(self._player_at.index(player)),
                    0 if where is None else place(where),
                    word,
                ]
            )
        return [[0] * 4] * (WINDOW - len(lines)) + lines


def _one_hot(word: str | None, words: Sequence[str]) -> list[int]:
    return [int(word == other) for other in words]


def _swapped(world: tuple[str, ...], one: int, other: int) -> tuple[str, ...]:
    masks = list(world)
    masks[one], masks[other] = masks[other], masks[one]
    return tuple(masks)


def _perhaps_swapped(worlds: Worlds | None, one: int, other: int) -> Worlds | None:
    """Return a belief after another player swapped or kept two masks, each with probability 1/2."""
    if worlds is None:
        return None
    mixed: Worlds = {}
    for world, chance in worlds.items():
        for outcome in (world, _swapped(world, one, other)):
            mixed[outcome] = mixed.get(outcome, 0.0) + chance / 2
    return mixed


def _where(worlds: Worlds | None, slot: int, mask: str) -> Worlds | None:
    """Return a belief after a mask was seen at a slot."""
    if worlds is None:
        return None
    left = {world: chance for world, chance in worlds.items() if world[slot] == mask}
    total = sum(left.values())
    return {world: chance / total for world, chance in left.items()}


def _table(worlds: Worlds, order: Sequence[int | None], kinds: Sequence[str]) -> NDArray[Any]:
    """Return the probability of each mask at each place of the viewer's order."""
    table = np.zeros((len(order), len(kinds)))
    column = {mask: number for number, mask in enumerate(kinds)}
    for place, slot in enumerate(order):
        if slot is not None:
            for world, chance in worlds.items():
                table[place, column[world[slot]]] += chance
    return table
