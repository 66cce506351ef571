"""The masks as data: sixteen kinds, seventeen cards (rules 2).

The order of `MASKS` is the numbering used everywhere in compiled code and in arrays: mask number
3 is `MASKS[3]`. Coin symbols and minimum players are printed on the cards, not in the rulebook.
Only this file has them, so that they can be corrected in one place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mascarade_env._errors import UnknownNameError, did_you_mean


@dataclass(frozen=True, slots=True)
class Mask:
    """One kind of mask.

    Attributes:
        id: the word for this mask in actions, records and scenarios.
        name: the English display name.
        power: what its user does, in one sentence.
        coin_symbol: whether the card has the coin symbol (at least a third of the masks in play
            must have it, rules 9).
        min_players: the smallest number of players with which it may be in play; None if there is
            no minimum.
        copies: number of its cards; a game uses all of them or none.
        names: names by language (it, fr, pl, pt), where the rulebook prints one.
    """

    id: str
    name: str
    power: str
    coin_symbol: bool = False
    min_players: int | None = None
    copies: int = 1
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def _names(**names: str) -> Mapping[str, str]:
    return MappingProxyType(names)


MASKS: tuple[Mask, ...] = (
    Mask(
        "judge",
        "Judge",
        "take all coins of the tribunal",
        names=_names(it="Giudice", fr="Juge", pl="Sędzia", pt="Juiz"),
    ),
    Mask(
        "empress",
        "Empress",
        "take 3 coins from the bank",
        coin_symbol=True,
        names=_names(it="Imperatrice", fr="Impératrice"),
    ),
    Mask(
        "king",
        "King",
        "take 2 coins from the bank",
        coin_symbol=True,
        names=_names(it="Re", fr="Roi", pl="Król", pt="Rei"),
    ),
    Mask(
        "widow",
        "Widow",
        "take coins from the bank up to exactly 10; nothing with 10 or more",
        coin_symbol=True,
        names=_names(it="Vedova", fr="Veuve", pl="Wdowa", pt="Viúva"),
    ),
    Mask(
        "patron",
        "Patron",
        "take 3 coins from the bank; then the left and right neighbours take 1 each from the bank",
        coin_symbol=True,
        names=_names(it="Mecenate", fr="Mécène"),
    ),
    Mask(
        "princess",
        "Princess",
        "take 2 coins from the bank; then another player shows their mask to all but themselves",
        coin_symbol=True,
        min_players=6,
        names=_names(it="Principessa", fr="Princesse"),
    ),
    Mask(
        "fool",
        "Fool",
        "take 1 coin from the bank; then swap or not, unseen, the masks of two other players",
        coin_symbol=True,
        names=_names(it="Giullare", fr="Fou"),
    ),
    Mask(
        "peasant",
        "Peasant",
        "take 1 coin from the bank; if a challenge revealed both Peasants, both take 2",
        coin_symbol=True,
        min_players=8,
        copies=2,
        names=_names(it="Contadino", fr="Paysan", pl="Wieśniak", pt="Camponês"),
    ),
    Mask(
        "thief",
        "Thief",
        "take 1 coin from the left and 1 from the right neighbour",
        names=_names(it="Ladro", fr="Voleur"),
    ),
    Mask(
        "beggar",
        "Beggar",
        "from the left, clockwise, every player strictly richer at that moment gives 1 coin",
        names=_names(it="Mendicante", fr="Mendiant"),
    ),
    Mask(
        "trickster",
        "Trickster",
        "take 2 coins from the richest other player, choosing among the richest on a tie",
        names=_names(it="Imbroglione", fr="Escroc"),
    ),
    Mask(
        "cheat",
        "Cheat",
        "with 10 coins or more, win at once",
        names=_names(it="Baro", fr="Tricheur"),
    ),
    Mask(
        "witch",
        "Witch",
        "may swap the whole fortune with another player's",
        names=_names(it="Sciamana", fr="Sorcière", pl="Wiedźma", pt="Bruxa"),
    ),
    Mask(
        "spy",
        "Spy",
        "look at another player's mask and at one's own, then swap the two or not",
        names=_names(it="Spia", fr="Espionne"),
    ),
    Mask(
        "guru",
        "Guru",
        "another player names a mask and reveals theirs: if wrong, they pay 4 coins",
        min_players=8,
        names=_names(it="Guru", fr="Gourou"),
    ),
    Mask(
        "puppet_master",
        "Puppet Master",
        "take 1 coin from each of two other players, who then exchange seats",
        min_players=8,
        names=_names(it="Burattinaio", fr="Marionnettiste"),
    ),
)

MASK_IDS: tuple[str, ...] = tuple(mask.id for mask in MASKS)
_NUMBER = {mask_id: number for number, mask_id in enumerate(MASK_IDS)}

# The same numbers as constants: compiled code cannot read the table above.
JUDGE, EMPRESS, KING, WIDOW, PATRON, PRINCESS, FOOL, PEASANT = range(8)
THIEF, BEGGAR, TRICKSTER, CHEAT, WITCH, SPY, GURU, PUPPET_MASTER = range(8, 16)


def mask_number(mask_id: object) -> int:
    """Return the number of a mask.

    Raises:
        UnknownNameError: there is no mask of this id; the error lists all masks.
    """
    number = _NUMBER.get(mask_id) if isinstance(mask_id, str) else None
    if number is None:
        raise UnknownNameError(f"unknown mask {mask_id!r}{did_you_mean(mask_id, MASK_IDS)}")
    return number
