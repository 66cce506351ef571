"""A second, deliberately simple implementation of the game, as an oracle for tests.

The whole game is one generator that reads like the rulebook. At every decision it yields the phase,
the player and the legal words, and receives the chosen word. It has no state machine, no encoding
and no speed. Seats and slots have their numbers at the table; masks and actions are words. "rules
5.4" is a number of RULES.md.
"""

from collections.abc import Callable, Generator
from typing import Any, NoReturn, TypeAlias

# A decision: the phase, the acting player, the legal words.
Decision: TypeAlias = tuple[str, int, set[str]]
Flow: TypeAlias = Generator[Decision, str, None]
Answer: TypeAlias = Generator[Decision, str, str]
SeatAnswer: TypeAlias = Generator[Decision, str, int]
Event: TypeAlias = tuple[object, ...]

TEN = 10  # the number of the Widow and the Cheat, for any goal (rules 6)


class _GameEndError(Exception):
    """The game has ended; raised by the last step, so that nothing more happens (rules 6)."""


class NaiveGame:
    """One game, played word by word.

    Attributes:
        phase: "turn", "table", "challenge", "target", "declare" or "over".
        player: The person who decides now, None once the game is over.
        turn: How many turns have ended.
        coins: Fortune by seat.
        tribunal: Coins on the tribunal.
        masks: Mask by slot, the seats first and then the centre.
        player_at: Person by seat.
        winners: None while the game runs, then the winners in ascending order.
        truncated: Whether the turn limit made the game void.
    """

    def __init__(self, scenario: dict[str, Any], deal: list[str]) -> None:
        """Set the table (rules 3) and go to the first decision."""
        self._n: int = scenario["players"]
        self._goal: int = scenario["goal_coins"]
        self._opening: int = scenario["opening_turns"]
        self._limit: int | None = scenario["turn_limit"]
        self._at_limit: str = scenario["at_limit"]
        self._kinds: set[str] = set(deal)
        self.phase: str = "turn"
        self.player: int | None = None
        self.turn: int = 0
        self.coins: list[int] = [scenario["start_coins"]] * self._n  # rules 3.1
        self.tribunal: int = 0
        self.masks: list[str] = list(deal)
        self.player_at: list[int] = list(range(self._n))  # rules 1
        self.winners: list[int] | None = None
        self.truncated: bool = False
        self._legal: set[str] = set()
        self._barred: set[int] = set()  # persons who revealed in the preceding turn
        self._revealed: set[int] = set()  # persons who revealed in this turn
        self._log: list[Event] = []
        self._no_choice: dict[str, Callable[[int], None]] = {
            "judge": self._judge,
            "empress": self._empress,
            "king": self._king,
            "widow": self._widow,
            "patron": self._patron,
            "peasant": self._peasant,
            "thief": self._thief,
            "beggar": self._beggar,
            "cheat": self._cheat,
        }
        self._with_choice: dict[str, Callable[[int], Flow]] = {
            "princess": self._princess,
            "fool": self._fool,
            "trickster": self._trickster,
            "witch": self._witch,
            "spy": self._spy,
            "guru": self._guru,
            "puppet_master": self._puppet_master,
        }
        self._flow: Flow = self._run()
        self._pose(next(self._flow))

    # ---------------------------------------------------------------- what a caller uses

    def legal(self) -> set[str]:
        """Return the words that are legal now, [] when the game is over."""
        return set(self._legal)

    def play(self, action: str) -> None:
        """Play one word; an illegal word raises ValueError and changes nothing."""
        if action not in self._legal:
            raise ValueError(f"{action!r} is not legal in phase {self.phase!r}")
        self._log.append(("choice", self.phase, self.player, action))
        try:
            self._pose(self._flow.send(action))
        except StopIteration:
            self.phase, self.player, self._legal = "over", None, set()

    def returns(self) -> list[float]:
        """Return the returns of all players (rules 7); all 0 for a void or unfinished game."""
        if not self.winners:
            return [0.0] * self._n
        n, w = self._n, len(self.winners)
        if w == n:
            return [0.0] * n
        won, lost = (n - w) / (w * (n - 1)), -1 / (n - 1)
        return [won if person in self.winners else lost for person in range(n)]

    def log(self) -> list[Event]:
        """Return what has happened so far.

        The events are ("choice", phase, person, word), ("saw", persons who saw, slot, mask),
        ("power", person, mask), ("coins", fortunes by seat, tribunal) after each step, and
        ("end", winners).
        """
        return list(self._log)

    # ---------------------------------------------------------------- the game and its turns

    def _run(self) -> Flow:
        """Play turns until a step or the turn limit ends the game."""
        marker = 0  # rules 3.4
        try:
            while True:
                yield from self._one_turn(marker)
                self.turn += 1
                if self.turn == self._limit:  # rules 7.3
                    self._stop_at_limit()
                marker = self._left(marker)  # rules 4.4: from where it was
                self._barred = self._revealed  # rules 4.3: only the preceding turn counts
                self._revealed = set()
        except _GameEndError:
            self._log.append(("end", tuple(self.winners or ())))

    def _one_turn(self, seat: int) -> Flow:
        """Let the active player do one thing (rules 4.1, 4.2)."""
        person = self.player_at[seat]
        words = {f"take:{slot}" for slot in range(len(self.masks)) if slot != seat}
        if self.turn >= self._opening:
            words |= {"look"}
            if person not in self._barred:  # rules 4.3: the bar belongs to the person
                words |= {f"announce:{kind}" for kind in self._kinds}
        word = yield from self._ask("turn", person, words)
        if word == "look":
            self._saw([person], seat)
        elif word.startswith("take:"):
            yield from self._under_the_table(person, seat, int(word.removeprefix("take:")))
        else:
            yield from self._announcement(seat, word.removeprefix("announce:"))

    def _announcement(self, announcer: int, mask: str) -> Flow:
        """Ask round the table, then apply powers and fines (rules 5)."""
        speakers = [announcer]
        for seat in self._clockwise_after(announcer):  # rules 5.1: all the others, once each
            word = yield from self._ask("challenge", self.player_at[seat], {"claim", "pass"})
            if word == "claim":
                speakers.append(seat)
        if speakers == [announcer]:  # rules 5.2: no mask is shown, true or not
            yield from self._power(announcer, mask)
            return
        for seat in speakers:  # rules 5.3: they all reveal at the same moment
            self._reveal(seat)
        honest = [seat for seat in speakers if self.masks[seat] == mask]
        liars = [self.player_at[seat] for seat in speakers if self.masks[seat] != mask]
        if len(honest) > 1:  # only the Peasants have two cards
            self._two_peasants(honest)
        elif honest:
            yield from self._power(honest[0], mask)
        for person in liars:  # rules 5.4: from the seat where the person is now
            seat = self.player_at.index(person)
            fine = min(1, self.coins[seat])
            self.coins[seat] -= fine
            self.tribunal += fine
        self._end_of_step()  # rules 6: all the fines are one step

    def _under_the_table(self, person: int, first: int, second: int) -> Flow:
        """Swap the masks of two slots, or keep them (rules 4.2b)."""
        word = yield from self._ask("table", person, {"swap", "keep"})
        if word == "swap":
            self.masks[first], self.masks[second] = self.masks[second], self.masks[first]

    # ---------------------------------------------------------------- powers (rules 2 and 6)

    def _power(self, seat: int, mask: str) -> Flow:
        """Use the power of a mask from a seat."""
        self._log.append(("power", self.player_at[seat], mask))
        if mask in self._no_choice:
            self._no_choice[mask](seat)
        else:
            yield from self._with_choice[mask](seat)

    def _judge(self, seat: int) -> None:
        """Take all coins of the tribunal."""
        self.coins[seat] += self.tribunal
        self.tribunal = 0
        self._end_of_step()

    def _empress(self, seat: int) -> None:
        """Take 3 from the bank."""
        self._from_bank([seat], 3)

    def _king(self, seat: int) -> None:
        """Take 2 from the bank."""
        self._from_bank([seat], 2)

    def _widow(self, seat: int) -> None:
        """Fill up to 10 from the bank."""
        self._from_bank([seat], max(0, TEN - self.coins[seat]))

    def _patron(self, seat: int) -> None:
        """Take 3 from the bank; in a second step each neighbour takes 1."""
        self._from_bank([seat], 3)
        self._from_bank(self._neighbours(seat), 1)

    def _peasant(self, seat: int) -> None:
        """Take 1 from the bank, as the only revealed Peasant."""
        self._from_bank([seat], 1)

    def _two_peasants(self, seats: list[int]) -> None:
        """Let both Peasants take 2 from the bank, in one step."""
        for seat in seats:
            self._log.append(("power", self.player_at[seat], "peasant"))
        self._from_bank(seats, 2)

    def _thief(self, seat: int) -> None:
        """Take 1 from each neighbour, in one step."""
        for neighbour in self._neighbours(seat):
            self._pay(neighbour, seat, 1)
        self._end_of_step()

    def _beggar(self, seat: int) -> None:
        """Take 1 from each player who is richer when reached; one step per giver."""
        for other in self._clockwise_after(seat):
            if self.coins[other] > self.coins[seat]:
                self._pay(other, seat, 1)
                self._end_of_step()

    def _cheat(self, seat: int) -> None:
        """Win alone and at once with 10 coins or more (rules 7.1)."""
        if self.coins[seat] >= TEN:
            self._finish([self.player_at[seat]])

    def _princess(self, seat: int) -> Flow:
        """Take 2 from the bank; then let another player show their mask to all but themselves."""
        self._from_bank([seat], 2)
        target = yield from self._choose(seat, self._clockwise_after(seat))
        shower = self.player_at[target]
        self._revealed.add(shower)  # rules 4.3
        self._saw([person for person in range(self._n) if person != shower], target)

    def _fool(self, seat: int) -> Flow:
        """Take 1 from the bank; then swap or keep the masks of two others."""
        self._from_bank([seat], 1)
        others = self._clockwise_after(seat)
        first = yield from self._choose(seat, others)
        second = yield from self._choose(seat, [other for other in others if other != first])
        yield from self._under_the_table(self.player_at[seat], first, second)

    def _trickster(self, seat: int) -> Flow:
        """Take 2 from the richest other player; only a tie is a choice."""
        others = self._clockwise_after(seat)
        most = max(self.coins[other] for other in others)
        richest = [other for other in others if self.coins[other] == most]
        target = richest[0]
        if len(richest) > 1:
            target = yield from self._choose(seat, richest)
        self._pay(target, seat, 2)
        self._end_of_step()

    def _witch(self, seat: int) -> Flow:
        """Exchange fortunes with another player, or decline."""
        words = {f"target:{other}" for other in self._clockwise_after(seat)}
        word = yield from self._ask("target", self.player_at[seat], words | {"decline"})
        if word != "decline":
            other = int(word.removeprefix("target:"))
            self.coins[seat], self.coins[other] = self.coins[other], self.coins[seat]
            self._end_of_step()

    def _spy(self, seat: int) -> Flow:
        """See the mask of another player and the user's, then swap or keep the two."""
        target = yield from self._choose(seat, self._clockwise_after(seat))
        person = self.player_at[seat]
        self._saw([person], seat)
        self._saw([person], target)
        yield from self._under_the_table(person, seat, target)

    def _guru(self, seat: int) -> Flow:
        """Make another player name their mask and reveal; a wrong name costs 4 coins."""
        target = yield from self._choose(seat, self._clockwise_after(seat))
        words = {f"declare:{kind}" for kind in self._kinds}
        word = yield from self._ask("declare", self.player_at[target], words)
        self._reveal(target)
        if word != f"declare:{self.masks[target]}":
            self._pay(target, seat, 4)
            self._end_of_step()

    def _puppet_master(self, seat: int) -> Flow:
        """Take 1 from each of two others, who then exchange seats."""
        others = self._clockwise_after(seat)
        first = yield from self._choose(seat, others)
        second = yield from self._choose(seat, [other for other in others if other != first])
        self._pay(first, seat, 1)
        self._pay(second, seat, 1)
        self._end_of_step()  # both coins are one step
        at = self.player_at  # masks and coins stay: only the persons move
        at[first], at[second] = at[second], at[first]
        self._end_of_step()

    # ---------------------------------------------------------------- the end (rules 7)

    def _end_of_step(self) -> None:
        """Record the fortunes, and end the game by rules 7."""
        self._log.append(("coins", tuple(self.coins), self.tribunal))
        at_goal = [seat for seat in range(self._n) if self.coins[seat] >= self._goal]
        if at_goal:  # rules 7.1
            self._finish([self.player_at[seat] for seat in at_goal])
        if 0 in self.coins:  # rules 7.2
            self._finish(self._richest_persons())

    def _stop_at_limit(self) -> NoReturn:
        """End the game at its turn limit, void or for the richest (rules 7.3)."""
        if self._at_limit == "richest":
            self._finish(self._richest_persons())
        self.truncated = True
        self._finish([])

    def _finish(self, winners: list[int]) -> NoReturn:
        """Record the winners and leave the game."""
        self.winners = sorted(winners)
        raise _GameEndError

    def _richest_persons(self) -> list[int]:
        """Return the players with the largest fortune."""
        most = max(self.coins)
        return [self.player_at[seat] for seat in range(self._n) if self.coins[seat] == most]

    # ---------------------------------------------------------------- small helpers

    def _pose(self, decision: Decision) -> None:
        """Show a decision to the caller."""
        self.phase, self.player, self._legal = decision

    def _ask(self, phase: str, person: int, words: set[str]) -> Answer:
        """Yield a decision of a player; return the chosen word."""
        return (yield (phase, person, words))

    def _choose(self, seat: int, targets: list[int]) -> SeatAnswer:
        """Let the player on a seat choose a target; return its seat."""
        words = {f"target:{target}" for target in targets}
        word = yield from self._ask("target", self.player_at[seat], words)
        return int(word.removeprefix("target:"))

    def _left(self, seat: int) -> int:
        """Return the next seat clockwise (rules 1)."""
        return (seat + 1) % self._n

    def _clockwise_after(self, seat: int) -> list[int]:
        """Return all other seats, clockwise from the left of a seat."""
        return [(seat + steps) % self._n for steps in range(1, self._n)]

    def _neighbours(self, seat: int) -> list[int]:
        """Return the seats on the left and right; with two players it is one seat (rules 6)."""
        left, right = self._left(seat), (seat - 1) % self._n
        return [left] if left == right else [left, right]

    def _from_bank(self, seats: list[int], amount: int) -> None:
        """Let some seats take coins from the bank, in one step."""
        for seat in seats:
            self.coins[seat] += amount
        self._end_of_step()

    def _pay(self, giver: int, taker: int, amount: int) -> None:
        """Move coins between seats, never more than the giver has (rules 6)."""
        paid = min(amount, self.coins[giver])
        self.coins[giver] -= paid
        self.coins[taker] += paid

    def _reveal(self, seat: int) -> None:
        """Turn a mask up before everyone; the person is barred next turn (rules 4.3)."""
        self._revealed.add(self.player_at[seat])
        self._saw(list(range(self._n)), seat)

    def _saw(self, persons: list[int], slot: int) -> None:
        """Record which players saw which mask."""
        self._log.append(("saw", tuple(persons), slot, self.masks[slot]))
