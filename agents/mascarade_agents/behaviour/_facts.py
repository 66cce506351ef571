"""What a game shows of the way its players play: one kind of fact for each kind of choice.

Beliefs are the player's own neutral belief (rules 8) just before the decision. Where it is not
`exact`, a probability of 0 or 1 may come from leaving placements out.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["sure-true", "honest-uncertain", "gamble", "knowing bluff"]

_ALIKE = 1e-6  # chances that differ by less are equal but for rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A decision.

    Attributes:
        at: its number in the game, from 0.
        player: who decided.
        phase: the phase of the game (see _game_phases.py) when the turn began.
    """

    at: int
    player: int
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Fact):
    """What a player did with a turn after the opening.

    Attributes:
        choice: "look", "take" or "announce".
    """

    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(Fact):
    """A look.

    Attributes:
        bits: the entropy of the belief in the own mask; nothing of it is left after the look.
        placement_bits: the entropy of the belief in the placement of all masks.
        exact: whether the belief is exact.
    """

    bits: float
    placement_bits: float
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement(Fact):
    """An announcement and what came of it.

    Attributes:
        said: the mask announced.
        held: the player's own mask.
        belief: the masks that the own may be with probabilities, the most probable first.
        exact: whether the belief is exact.
        claimed: whether another player has claimed the mask too.
        answered: whether all others have answered; if not, the game was stopped early.
        fine: coins that the player paid for it, None if the game was stopped before.
        gain: what the player has more, or less, at the end of the turn, None likewise.
    """

    said: str
    held: str
    belief: tuple[tuple[str, float], ...]
    exact: bool
    claimed: bool
    answered: bool
    fine: int | None
    gain: int | None

    @property
    def false(self) -> bool:
        """Whether the player's own mask is another."""
        return self.said != self.held

    @property
    def believed(self) -> float:
        """The probability that it is true, as far as the player can know."""
        return next((probability for mask, probability in self.belief if mask == self.said), 0.0)

    @property
    def kind(self) -> Kind | None:
        """What the player could know of its truth; None if the belief is not exact."""
        return kind_of(self.believed, self.belief[0][1]) if self.exact else None


def kind_of(believed: float, most: float) -> Kind:
    """Return the kind of an announcement.

    Args:
        believed: the exact probability, to the announcer, that the announced mask is the own.
        most: the largest probability of any mask to be the own.
    """
    if believed == 0:
        return "knowing bluff"
    if believed > 1 - _ALIKE:
        return "sure-true"
    return "honest-uncertain" if believed > most - _ALIKE else "gamble"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Fact):
    """A claim or a pass.

    Attributes:
        claims: whether the player claims the mask.
        holds: whether the player has it.
        announcer: who announced it.
        false: whether the announcer's own mask is another.
        believed: the probability, to the player, of having it.
        exact: whether that belief is exact.
    """

    claims: bool
    holds: bool
    announcer: int
    false: bool
    believed: float
    exact: bool

    @property
    def kind(self) -> Literal["sure", "hopeful", "bluff"] | None:
        """What the player could know of the truth of a claim; None if the belief is not exact."""
        if not self.exact:
            return None
        if self.believed == 0:
            return "bluff"
        return "sure" if self.believed > 1 - _ALIKE else "hopeful"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapOrKeep(Fact):
    """What a player did with two masks under the table, in the opening as well.

    Attributes:
        by: "take", "spy" or "fool".
        swaps: whether they were swapped.
        knew: whether the player knew each of the two masks; the own is the first but for the Fool.
        exact: whether the belief is exact.
    """

    by: str
    swaps: bool
    knew: tuple[bool, bool]
    exact: bool
