"""Neutral beliefs (rules 8) by enumeration of all hidden swaps, as an oracle for tests.

For each viewer there is a list of bit strings. Each bit is a decision under the table, 1 for a
swap. A decision of the viewer is a known bit; each decision of another player doubles the list. A
mask that the viewer saw removes the strings that contradict it. The strings left have equal
probabilities.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import MASKS
from tests.mascarade_env.game.naive import NaiveGame

NUMBERS = {mask.id: number for number, mask in enumerate(MASKS)}
MOST_STRINGS = 2**13


def codes(placements: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return [W] one number for each placement of [W, slots]."""
    return placements.astype(np.int64) @ 16 ** np.arange(placements.shape[1])


class Strings:
    """The bit strings that are possible for one viewer.

    Attributes:
        bits: [N] the strings, as numbers whose last bit is the last decision under the table.
        masks: [N, slots] the placement of the masks after each string.
        weights: [N] the probability of each string, up to a common factor.
        unseen: number of decisions under the table by other players.
    """

    def __init__(self, deal: NDArray[np.int64]) -> None:
        self.bits = np.zeros(1, np.int64)
        self.masks = deal[None]
        self.weights = np.ones(1)
        self.unseen = 0

    def swap(self, pair: tuple[int, int], done: int | None) -> None:
        """Add a decision: 1 for a swap, 0 for none, None if the viewer does not know."""
        first, second = pair
        swapped = self.masks.copy()
        swapped[:, [first, second]] = self.masks[:, [second, first]]
        if done is None:
            self.unseen += 1
            self.bits = np.concatenate([2 * self.bits, 2 * self.bits + 1])
            self.masks = np.concatenate([self.masks, swapped])
            self.weights = np.concatenate([self.weights, self.weights])
        else:
            self.bits = 2 * self.bits + done
            self.masks = swapped if done else self.masks

    def see(self, slot: int, mask: int) -> None:
        """Remove the strings that a sight contradicts."""
        kept = self.masks[:, slot] == mask
        self.bits, self.masks, self.weights = self.bits[kept], self.masks[kept], self.weights[kept]

    def merge(self) -> None:
        """Keep one entry for each placement, without the strings."""
        _, first, place = np.unique(codes(self.masks), return_index=True, return_inverse=True)
        self.masks = self.masks[first]
        self.weights = np.bincount(place, self.weights) / self.weights.sum()
        self.bits = np.zeros(len(self.masks), np.int64)

    def worlds(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the codes of all possible placements, ascending, and their probabilities."""
        found, place = np.unique(codes(self.masks), return_inverse=True)
        return found, np.bincount(place, self.weights) / self.weights.sum()

    def belief(self, kinds: tuple[str, ...]) -> NDArray[np.float64]:
        """Return [slots, kinds] the probability of each mask at each slot."""
        shares = self.weights / self.weights.sum()
        columns = [shares @ (self.masks == NUMBERS[kind]) for kind in kinds]
        return np.stack(columns, axis=1)


class BruteForce:
    """What is possible for each player of a naive game, and last for the onlooker.

    Args:
        naive: a game at its start; after each decision in it call `follow`.
        merged: whether to keep one entry for each placement instead of all strings. Beliefs are the
            same; long games need it.

    Attributes:
        viewers: the strings of each viewer, None after there were more than MOST_STRINGS.
        version: number of changes of each viewer's strings.
        seen: the sights of the last decision: the viewers, the slot, the mask. The onlooker is a
            viewer of what all players saw.
        kinds: for each power, the number of its hidden events, to show what the games test.
    """

    def __init__(self, naive: NaiveGame, *, merged: bool = False) -> None:
        deal = np.array([NUMBERS[mask] for mask in naive.masks])
        self.players = len(naive.player_at)
        self.viewers: list[Strings | None] = [Strings(deal) for _ in range(self.players + 1)]
        self.version = [0] * (self.players + 1)
        self.seen: list[tuple[list[int], int, int]] = []
        self.kinds: Counter[str] = Counter()
        self._naive = naive
        self._merged = merged
        self._read = 0
        self._power = ""
        self._targets: list[int] = []
        self._pair = (-1, -1)

    def follow(self) -> None:
        """Read the new entries of the log of the game."""
        log = self._naive.log()
        self.seen = []
        for event in log[self._read :]:
            match event:
                case ("choice", str(phase), int(person), str(word)):
                    self._choice(phase, person, word)
                case ("power", int(), str(mask)):
                    self._power, self._targets = mask, []
                case ("saw", tuple(persons), int(slot), str(mask)):
                    self._sight([int(p) for p in persons], slot, NUMBERS[mask])
        self._read = len(log)

    def _choice(self, phase: str, person: int, word: str) -> None:
        verb, _, what = word.partition(":")
        if phase == "table":
            self._swap(person, int(verb == "swap"))
        elif verb == "take":
            self._power = "take"
            self._pair = (self._naive.player_at.index(person), int(what))
        elif verb == "look":
            self._power = "look"
        elif verb == "announce":
            self._power = "challenge"
        elif verb == "target":
            self._targets.append(int(what))
            if self._power == "fool" and len(self._targets) == 2:
                self._pair = (self._targets[0], self._targets[1])
            elif self._power == "spy":
                self._pair = (self._naive.player_at.index(person), self._targets[0])

    def _swap(self, person: int, done: int) -> None:
        self.kinds[f"{self._power} under the table"] += 1
        for viewer, strings in enumerate(self.viewers):
            if strings is None:
                continue
            self.version[viewer] += 1
            strings.swap(self._pair, done if viewer == person else None)
            if self._merged:
                strings.merge()
            if len(strings.bits) > MOST_STRINGS:
                self.viewers[viewer] = None

    def _sight(self, persons: list[int], slot: int, mask: int) -> None:
        self.kinds[f"{self._power} shows"] += 1
        saw = persons + ([self.players] if len(persons) == self.players else [])
        self.seen.append((saw, slot, mask))
        for viewer in saw:
            strings = self.viewers[viewer]
            if strings is not None:
                self.version[viewer] += 1
                strings.see(slot, mask)
