"""One game of a policy with itself, told with what players believed when they announced."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mascarade_env.core.batch import Batch
from mascarade_env.core.blocks import Track
from mascarade_env.core.errors import InexactBeliefWarning
from mascarade_env.core.game import Game
from mascarade_env.core.masks import MASKS, mask_number
from mascarade_env.core.scenarios import Scenario
from mascarade_env.core.state import NOBODY
from mascarade_env.envs.opponents import Policy

_MOST_STEPS = 400  # longer games make poor reading


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement, and what its player believed and held.

    Attributes:
        at: the number of the decision in the game, from 0.
        said: the mask announced.
        held: the player's own mask.
        belief: the neutral belief of the player in each mask for the own, the most probable first.
        believed: the same in the announced mask.
        exact: whether that belief is exact; if not, a 0 does not mean that the player knows.
        challenged: whether somebody claimed the mask too.
    """

    at: int
    said: str
    held: str
    belief: tuple[tuple[str, float], ...]
    believed: float
    exact: bool
    challenged: bool

    @property
    def knowing_bluff(self) -> bool:
        """Whether the player knew that it was false."""
        return self.said != self.held and self.exact and self.believed == 0

    def __str__(self) -> str:
        thought = ", ".join(f"{_name(mask)} {chance:.0%}" for mask, chance in self.belief)
        truth = "true" if self.said == self.held else f"false, it is the {_name(self.held)}"
        verdict = "a knowing bluff: " if self.knowing_bluff else ""
        about = "" if self.exact else "about "
        return f"({verdict}believes own mask to be {about}{thought}; {truth})"


def announcements(game: Game) -> list[Announcement]:
    """All announcements of a game so far."""
    found = []
    past = game.at_start()
    kinds = game.scenario.kinds
    history = game.history
    for at, (player, word) in enumerate(history):
        verb, _, said = word.partition(":")
        if verb == "announce":
            seat = past.seat
            assert seat is not None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InexactBeliefWarning)  # `exact` tells
                chances = past.belief(player)[seat].tolist()
            belief = sorted(zip(kinds, chances, strict=True), key=lambda item: -item[1])
            answers = [word for _, word in history[at + 1 : at + game.scenario.players]]
            found.append(
                Announcement(
                    at=at,
                    said=said,
                    held=past.masks[seat],
                    belief=tuple(item for item in belief if item[1] > 0),
                    believed=chances[kinds.index(said)],
                    exact=past.exact(player),
                    challenged="claim" in answers,
                )
            )
        past.play(word)
    return found


def worth_reading(
    policy: Policy,
    scenario: Scenario,
    *,
    track: Track = "both",
    padded: bool = False,
    games: int = 32,
    seed: int = 0,
) -> Game:
    """The shortest of some games of a policy with itself in which a knowing bluff came through.

    If there is none, the shortest with a knowing bluff, or else the shortest of all.

    Args:
        policy: holds all seats.
        scenario: what is played.
        track: what the policy observes.
        padded: as for `Batch`.
        games: how many games to choose from.
        seed: of the games.
    """
    played = sorted(
        _played(policy, scenario, track, padded, games, seed),
        key=lambda game: (not game.over, len(game.history)),
    )
    bluffs = [[a for a in announcements(game) if a.knowing_bluff] for game in played]
    chosen = [
        *(i for i, some in enumerate(bluffs) if any(not a.challenged for a in some)),
        *(i for i, some in enumerate(bluffs) if some),
        0,
    ]
    return played[chosen[0]]


def _played(
    policy: Policy, scenario: Scenario, track: Track, padded: bool, games: int, seed: int
) -> Iterator[Game]:
    batch = Batch(scenario, games, seed=seed, autoreset="disabled", track=track, padded=padded)
    twins = [Game(scenario, seed=int(number)) for number in batch.state["seed"]]
    for _ in range(_MOST_STEPS):
        running = batch.player != NOBODY
        if not running.any():
            break
        taken = np.zeros(games, np.int64)
        taken[running] = policy(batch.observation[running], batch.mask[running])
        for row in np.flatnonzero(running).tolist():
            twins[row].play(int(batch.unpadded[taken[row]]))
        batch.step(taken, rows=running)
    yield from twins


def told(game: Game) -> list[str]:
    """A game in sentences as everyone at the table saw it, with notes at the announcements."""
    notes = {found.at: str(found) for found in announcements(game)}
    past = game.at_start()
    lines = past.news("onlooker")
    for at, (_, word) in enumerate(game.history):
        past.play(word)
        for number, sentence in enumerate(past.news("onlooker")):
            lines.append(sentence if sentence.startswith("turn ") else f"  {sentence}")
            if number == 0 and at in notes:
                lines.append(f"      {notes[at]}")
    if not game.over:
        lines.append(f"(broken off here, after {len(game.history)} decisions)")
    return lines


def _name(mask: str) -> str:
    return MASKS[mask_number(mask)].name
