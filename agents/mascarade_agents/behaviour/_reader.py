"""Computes the facts of a game in one pass, from the deal to the last decision."""

import warnings
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.behaviour._facts import Announcement, Answer, Fact, Look, SwapOrKeep, Turn
from mascarade_agents.behaviour._game_phases import phase_of
from mascarade_env._errors import InexactBeliefWarning
from mascarade_env.game import _events as events
from mascarade_env.game._game import Game

_POWERS = ("spy", "fool")  # the powers that let a player swap or keep two masks


def observe(game: Game) -> list[Fact]:
    """Return the facts of a game up to now, in the order of its decisions.

    One decision may give two facts, such as a `Turn` and an `Announcement`.
    """
    history = game.history
    observer = _Observer(game, len(history))
    for at, (player, word) in enumerate(history):
        observer.follow(at, player, word)
    return observer.facts


class _Observer:
    """A replay of a game that collects facts.

    It adds the answers and the outcome to the fact of an announcement during its turn.
    """

    def __init__(self, game: Game, decisions: int) -> None:
        self.facts: list[Fact] = []
        self._fines = _fines(game, decisions)
        self._past = game.at_start()
        self._kinds = game.scenario.kinds
        self._phase = ""  # the phase of the game when the turn began
        self._slots: list[int] = []  # the slots whose masks are taken on this turn
        self._open: int | None = None  # the index in `facts` of this turn's announcement
        self._answers = 0  # the number of answers to the announcement so far
        self._fortune = 0  # the announcer's coins before the announcement

    def follow(self, at: int, player: int, word: str) -> None:
        """Add the facts of a decision, and play it in the replay."""
        past, turn = self._past, self._past.turn
        self._note(at, player, word)
        past.play(word)
        if self._open is not None and (past.over or past.turn != turn):
            self._settle(self._open, turn)
            self._open = None

    def _note(self, at: int, player: int, word: str) -> None:
        past = self._past
        phase = past.phase
        verb, _, argument = word.partition(":")
        if phase == "turn":
            self._phase = phase_of(max(past.coins), past.scenario)
            self._slots = []
            self._note_turn(at, player, verb, argument)
        elif phase == "challenge":
            self._note_answer(at, player, verb == "claim")
        elif phase == "table":
            self._note_choice(at, player, verb == "swap")
        elif verb == "target":
            self._slots.append(int(argument))

    def _note_turn(self, at: int, player: int, verb: str, argument: str) -> None:
        past = self._past
        if past.turn >= past.scenario.opening_turns:
            self.facts.append(Turn(at=at, player=player, phase=self._phase, choice=verb))
        if verb == "take":
            self._slots.append(int(argument))
        elif verb == "look":
            own, exact = self._own(player)
            self.facts.append(
                Look(
                    at=at,
                    player=player,
                    phase=self._phase,
                    bits=_bits(own),
                    placement_bits=_bits(past.worlds(player).weights),
                    exact=exact,
                )
            )
        else:
            self._note_announcement(at, player, argument)

    def _note_announcement(self, at: int, player: int, mask: str) -> None:
        own, exact = self._own(player)
        belief = zip(self._kinds, own.tolist(), strict=True)
        self._open, self._answers = len(self.facts), 0
        self._fortune = self._past.coins[self._seat]
        self.facts.append(
            Announcement(
                at=at,
                player=player,
                phase=self._phase,
                said=mask,
                held=self._past.masks[self._seat],
                belief=tuple(sorted((pair for pair in belief if pair[1]), key=lambda p: -p[1])),
                exact=exact,
                claimed=False,
                answered=False,
                fine=None,
                gain=None,
            )
        )

    def _note_answer(self, at: int, player: int, claims: bool) -> None:
        assert self._open is not None
        announcement = self._announcement(self._open)
        own, exact = self._own(player)
        self._answers += 1
        self.facts.append(
            Answer(
                at=at,
                player=player,
                phase=self._phase,
                claims=claims,
                holds=self._past.masks[self._seat] == announcement.said,
                announcer=announcement.player,
                false=announcement.false,
                believed=float(own[self._kinds.index(announcement.said)]),
                exact=exact,
            )
        )
        answered = self._answers == self._past.scenario.players - 1
        if claims or answered:
            self.facts[self._open] = replace(
                announcement, claimed=announcement.claimed or claims, answered=answered
            )

    def _note_choice(self, at: int, player: int, swaps: bool) -> None:
        by = self._past.announced or "take"
        slots = self._slots if by == "fool" else [self._seat, *self._slots]
        belief, exact = self._belief(player)
        one, other = (int(np.count_nonzero(belief[slot])) == 1 for slot in slots)
        self.facts.append(
            SwapOrKeep(
                at=at,
                player=player,
                phase=self._phase,
                by=by,
                swaps=swaps,
                knew=(one, other),
                exact=exact,
            )
        )

    def _settle(self, place: int, turn: int) -> None:
        """Add the outcome to the announcement of the turn that has just ended."""
        announcement, past = self._announcement(place), self._past
        seat = past.player_at.index(announcement.player)
        fine = self._fines.get((turn, seat), 0)
        gain = past.coins[seat] - self._fortune
        self.facts[place] = replace(announcement, fine=fine, gain=gain)

    def _announcement(self, place: int) -> Announcement:
        announcement = self.facts[place]
        assert isinstance(announcement, Announcement)
        return announcement

    @property
    def _seat(self) -> int:
        """The seat of the deciding player."""
        seat = self._past.seat
        assert seat is not None
        return seat

    def _belief(self, player: int) -> tuple[NDArray[np.float64], bool]:
        """Return the belief of a player by slot, and whether it is exact."""
        exact = self._past.exact(player)
        if exact:
            return self._past.belief(player), True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InexactBeliefWarning)
            return self._past.belief(player), False

    def _own(self, player: int) -> tuple[NDArray[np.float64], bool]:
        """Return the deciding player's belief about their own mask, and whether it is exact."""
        belief, exact = self._belief(player)
        return belief[self._seat], exact


def _bits(probabilities: NDArray[np.float64]) -> float:
    """Return the entropy of a distribution, in bits."""
    positive = probabilities[probabilities > 0]
    return abs(float(positive @ np.log2(positive)))


def _fines(game: Game, decisions: int) -> dict[tuple[int, int], int]:
    """Return the fines by turn and seat: the coins that a player pays to the tribunal."""
    tokens = game.information_state_tensor(0, events.LOG_SIZE * (decisions + 1))
    begin, pay = events.BEGIN + 1, events.PAY + 1  # + 1, because 0 pads this tensor
    payments = tokens[
        (tokens[:, 0] == begin) | ((tokens[:, 0] == pay) & (tokens[:, 3] == events.TRIBUNAL))
    ]
    fines, turn = {}, 0
    for kind, _, giver, _, value in payments.tolist():
        if kind == begin:
            turn = value
        else:
            fines[turn, giver] = value
    return fines
