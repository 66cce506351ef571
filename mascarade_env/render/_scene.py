"""What may be shown of a table, decided once.

A `Scene` holds what one perspective may know of a game and nothing else. The renderers read scenes
and never games, so what is hidden stays hidden in every one of them.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from mascarade_env._errors import InexactBeliefWarning, MascaradeError, whole
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.game._text_table import moment
from mascarade_env.knowledge._facts import ANSWERS
from mascarade_env.observation._schema import schema_of

#: Who looks: a player, one who sees what all players see, or one who sees the whole truth.
Perspective: TypeAlias = int | Literal["onlooker", "all"]

#: What a player has said to this turn's announcement; nothing if not asked yet.
Answer: TypeAlias = Literal["", "announced", "claims", "passed"]
_ANSWERS: tuple[Answer, ...] = ("announced", "claims", "passed", "")  # in the order of ANSWERS
assert len(_ANSWERS) == len(ANSWERS)


@dataclass(frozen=True, slots=True)
class Place:
    """A slot, and what the perspective believes of its mask.

    Attributes:
        slot: its number; seats come first, then the centre.
        belief: names of masks with their probabilities, the most likely first.
        certain: whether the first of them is known to lie there, so that there is no other.
        under_table: whether the mask is under the table now.
    """

    slot: int
    belief: tuple[tuple[str, float], ...]
    certain: bool
    under_table: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and who sits there.

    Attributes:
        place: the slot of the seat.
        player: who sits there.
        name: what the player is called, fit for a terminal; "" without names.
        coins: the fortune on the seat.
        marker: whether it is this seat's turn.
        decides: whether the player decides now.
        chosen: whether the seat was chosen as a target on this turn.
        answer: what the player has said to this turn's announcement.
        barred: whether the player may not announce on this turn.
        wins: whether the player has won.
        own: whether the player is the one whose perspective this is.
    """

    place: Place
    player: int
    name: str
    coins: int
    marker: bool
    decides: bool
    chosen: bool
    answer: Answer
    barred: bool
    wins: bool
    own: bool

    @property
    def called(self) -> str:
        """The player's number and name."""
        return f"{self.player} {self.name}" if self.name else f"player {self.player}"

    @property
    def signs(self) -> tuple[str, ...]:
        """What else there is to say of the seat, each in a word."""
        if self.wins:
            return ("wins",)
        touched = "taken" if self.place.under_table else "chosen" if self.chosen else ""
        signs = ("turn" if self.marker else "", self.answer, "barred" if self.barred else "")
        return tuple(filter(None, (*signs, touched)))


@dataclass(frozen=True, slots=True)
class Scene:
    """What a perspective may know of the table at one moment.

    Attributes:
        scenario: name of the scenario, fit for a terminal.
        perspective: who looks.
        goal: a fortune that wins.
        turn: turns already ended.
        headline: who decides what, or how the game ended.
        announced: name of the mask announced on this turn, "" if none.
        seats: clockwise.
        centre: the slots of the centre.
        tribunal: coins on the tribunal.
        legal: the legal actions in words, which are public; empty when the game is over.
        news: what the last decision brought, in sentences, as far as it was seen.
        exact: whether the beliefs are exact; if not, nothing is certain.
    """

    scenario: str
    perspective: Perspective
    goal: int
    turn: int
    headline: str
    announced: str
    seats: tuple[Seat, ...]
    centre: tuple[Place, ...]
    tribunal: int
    legal: tuple[str, ...]
    news: tuple[str, ...]
    exact: bool

    @property
    def looking(self) -> str:
        """Who looks, in words."""
        if self.perspective == "all":
            return "the whole truth"
        if self.perspective == "onlooker":
            return "as an onlooker sees it"
        return f"as player {self.perspective} sees it"

    @property
    def places(self) -> tuple[Place, ...]:
        """All slots, in order."""
        return (*(seat.place for seat in self.seats), *self.centre)


def scene(game: Game, perspective: Perspective = "onlooker") -> Scene:
    """Return what a perspective may know of a game now.

    Args:
        game: at any moment.
        perspective: a player, "onlooker" for what all players see, or "all" for the whole truth.

    Raises:
        MascaradeError: there is no such perspective, or it is not a game.
    """
    checked_game(game)
    viewer = checked_perspective(perspective, game.scenario.players)
    players, coins, winners = game.scenario.players, game.coins, game.winners or []
    public = _public(game)
    beliefs, exact = _beliefs(game, viewer)
    places = [
        _place(slot, belief, exact, bool(public["under_table"][slot]))
        for slot, belief in enumerate(beliefs)
    ]
    seats = tuple(
        Seat(
            place=places[seat],
            player=player,
            name=printable(game.names[player]) if game.names else "",
            coins=coins[seat],
            marker=seat == game.marker,
            decides=seat == game.seat,
            chosen=bool(public["chosen"][seat]),
            answer=_answer(public["answer"][seat]),
            barred=player in game.barred,
            wins=player in winners,
            own=player == viewer,
        )
        for seat, player in enumerate(game.player_at)
    )
    return Scene(
        scenario=printable(game.scenario.name),
        perspective=viewer,
        goal=game.scenario.goal_coins,
        turn=game.turn,
        headline=moment(game),
        announced=_name(game.announced) if game.announced else "",
        seats=seats,
        centre=tuple(places[players:]),
        tribunal=game.tribunal,
        legal=tuple(game.legal_actions()),
        news=tuple(game.news(viewer)),
        exact=exact,
    )


def checked_game(game: Any) -> Game:
    """Return a game, or an error."""
    if isinstance(game, Game):
        return game
    raise MascaradeError(f"a picture is made of a Game, not of {type(game).__name__}")


def checked_perspective(perspective: Any, players: int) -> Perspective:
    """Return a perspective, or raise an error that lists those of games of `players`.

    For what is made before there is a game and would refuse a wrong perspective at once.
    """
    if isinstance(perspective, str) and perspective in ("onlooker", "all"):
        return "onlooker" if perspective == "onlooker" else "all"
    try:
        number = whole(perspective, "a perspective")
    except MascaradeError:
        number = -1
    if 0 <= number < players:
        return number
    raise MascaradeError(
        f'a perspective is a player 0..{players - 1}, "onlooker" or "all", not {perspective!r}'
    )


def perspectives(game: Game) -> list[Perspective]:
    """Return all perspectives on a game."""
    return ["onlooker", *range(game.scenario.players), "all"]


def printable(text: str) -> str:
    """Return a text without what would command a terminal or break a line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def labels_of(names: Sequence[str]) -> list[str]:
    """Return the names of players, fit for a terminal; equal names get the player's number."""
    plain = [" ".join(printable(name).split()) or "?" for name in names]
    return [
        f"{name} #{player}" if plain.count(name) > 1 else name for player, name in enumerate(plain)
    ]


def percent(probability: float) -> str:
    """Return a probability in whole per cent that never makes the uncertain look certain."""
    if 0 < probability < 0.01:
        return "<1%"
    if 0.99 < probability < 1:
        return ">99%"
    return f"{probability:.0%}"


def believed(place: Place, most: int = 99) -> str:
    """Return what is believed of a slot, in words, the most likely masks first."""
    if place.certain:
        return place.belief[0][0]
    named, rest = place.belief[:most], place.belief[most:]
    words = [f"{name} {percent(probability)}" for name, probability in named]
    if rest:
        name, probability = together(rest)
        words.append(f"{name} {percent(probability)}")
    return ", ".join(words)


def together(rest: Sequence[tuple[str, float]]) -> tuple[str, float]:
    """Return the masks that are not listed one by one, in words, and their probability."""
    count = len(rest)
    return f"{count} other{'' if count == 1 else 's'}", sum(probability for _, probability in rest)


def _public(game: Game) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Return what everyone sees of each slot, as in observations, by the numbers of the slots."""
    players = game.scenario.players
    schema = schema_of(game.scenario, "memory", False)
    views = schema.views(game.observation(0, "memory"))
    # Observations begin with the seat of who observes.
    order = [*np.roll(np.arange(players), game.player_at.index(0)), *range(players, schema.slots)]
    return {name: views[name][order] for name in ("under_table", "chosen", "answer")}


def _answer(answer: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Answer:
    return _ANSWERS[int(answer.argmax())] if answer.any() else ""


def _beliefs(game: Game, viewer: Perspective) -> tuple[list[dict[str, float]], bool]:
    """For each slot the possible masks with their probabilities, and whether that is exact."""
    if viewer == "all":
        return [{mask: 1.0} for mask in game.masks], True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InexactBeliefWarning)  # scenes say it themselves
        belief = game.belief(viewer).tolist()
    kinds = game.scenario.kinds
    rows = [{kind: p for kind, p in zip(kinds, row, strict=True) if p > 0} for row in belief]
    return rows, game.exact(viewer)


def _place(slot: int, belief: dict[str, float], exact: bool, under_table: bool) -> Place:
    # Rounded, so that what is equal but for the order of a sum is listed in the order of the masks.
    likely = sorted(belief.items(), key=lambda item: -round(item[1], 9))
    return Place(
        slot=slot,
        belief=tuple((_name(mask), probability) for mask, probability in likely),
        certain=exact and len(belief) == 1,
        under_table=under_table,
    )


def _name(mask: str) -> str:
    return MASKS[mask_number(mask)].name
