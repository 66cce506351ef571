"""Facts about the decisions of a game, one class for each kind of decision.

A belief here is the neutral belief of the deciding player just before the decision (see rules 8 in
RULES.md). If a belief is not `exact`, some placements of the masks were dropped, and a probability
of 0 or 1 may be wrong.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["sure-true", "honest-uncertain", "gamble", "knowing bluff"]

_ALIKE = 1e-6  # probabilities that differ by less than this count as equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A decision.

    Attributes:
        at: the number of the decision in the game, from 0.
        player: the deciding player.
        phase: the phase of the game (see _game_phases.py) when the turn began.
    """

    at: int
    player: int
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Fact):
    """The choice of a player on a turn after the opening.

    Attributes:
        choice: "look", "take" or "announce".
    """

    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(Fact):
    """A decision to look at the player's own mask.

    Attributes:
        bits: the entropy, before the look, of the belief about the player's own mask. After the
            look it is 0.
        placement_bits: the entropy, before the look, of the belief about the placement of all
            masks.
        exact: whether the belief is exact.
    """

    bits: float
    placement_bits: float
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement(Fact):
    """An announcement and its outcome.

    Attributes:
        said: the mask announced.
        held: the player's own mask.
        belief: pairs (mask, probability) for the player's own mask, with positive probabilities,
            the most probable mask first.
        exact: whether the belief is exact.
        claimed: whether another player claimed the mask too.
        answered: whether all other players answered; False if the game was stopped before that.
        fine: the coins that the player paid as a fine; None if the game was stopped in this turn.
        gain: the change of the player's coins over the turn; None if the game was stopped in it.
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
        """Whether the player does not hold the announced mask."""
        return self.said != self.held

    @property
    def believed(self) -> float:
        """The probability that the announcement is true, by the player's belief."""
        return next((probability for mask, probability in self.belief if mask == self.said), 0.0)

    @property
    def kind(self) -> Kind | None:
        """Whether the player could know the announcement to be true (see `kind_of`).

        None if the belief is not exact.
        """
        return kind_of(self.believed, self.belief[0][1]) if self.exact else None


def kind_of(believed: float, most: float) -> Kind:
    """Return the kind of an announcement.

    Args:
        believed: the probability of the announced mask, by the announcer's exact belief.
        most: the probability of the mask that the announcer most probably has.
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
        claims: whether the player claims the announced mask.
        holds: whether the player holds the announced mask.
        announcer: the player who announced it.
        false: whether the announcer does not hold the announced mask.
        believed: the probability that the player holds the announced mask, by the player's belief.
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
        """Whether the player knew that they hold the mask, did not know, or knew that they do not.

        None if the belief is not exact.
        """
        if not self.exact:
            return None
        if self.believed == 0:
            return "bluff"
        return "sure" if self.believed > 1 - _ALIKE else "hopeful"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapOrKeep(Fact):
    """The choice of a player to swap or keep two masks under the table, on any turn.

    Attributes:
        by: the action that took the masks: "take", "spy" or "fool".
        swaps: whether the player swapped them.
        knew: whether the player knew each of the two masks. The player's own mask is the first,
            except with the Fool.
        exact: whether the belief is exact.
    """

    by: str
    swaps: bool
    knew: tuple[bool, bool]
    exact: bool
