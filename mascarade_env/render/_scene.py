"""`Scene`: everything that a picture of a game may show.

A scene contains only what one perspective may know of a game. The renderers read scenes and never
games, so no renderer can show hidden masks.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from mascarade_env._errors import InexactBeliefWarning, MascaradeError, whole
from mascarade_env.game import _events as events
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.knowledge._facts import ANSWERS
from mascarade_env.observation._schema import schema_of
from mascarade_env.render._narration import Story

#: The knowledge that a picture shows: of one player, of an onlooker, or "all" hidden masks too.
Perspective: TypeAlias = int | Literal["onlooker", "all"]

#: A player's answer to the announcement of this turn; "" before the player was asked.
Answer: TypeAlias = Literal["", "announced", "claims", "passed"]
_ANSWERS: tuple[Answer, ...] = ("announced", "claims", "passed", "")  # in the order of ANSWERS
assert len(_ANSWERS) == len(ANSWERS)

_LONGEST_NAME = 24  # letters; sentences with longer names would not fit into pictures

_YOU = "you"  # the name of a person in records of `mascarade play`

#: Headlines by phase.
_HEADLINES = {
    "turn": "{who} to act",
    "table": "{who} to swap or not",
    "challenge": "{who} to claim or pass",
    "target": "{who} to choose a target",
    "declare": "{who} to name a mask",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A slot, and what the perspective believes about its mask.

    Attributes:
        slot: the number of the slot; seats come first, then the centre.
        belief: names of masks with their probabilities, the most likely mask first.
        certain: whether the mask is known. If it is, `belief` has one entry.
        under_table: whether the mask is under the table now.
    """

    slot: int
    belief: tuple[tuple[str, float], ...]
    certain: bool
    under_table: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and its player.

    Attributes:
        place: the slot of the seat.
        player: the number of the player on this seat.
        called: the name of the player in all texts, printable in a terminal (see `called_in`).
        coins: the number of coins on the seat.
        marker: whether it is this seat's turn.
        decides: whether the player decides now.
        chosen: whether the seat was chosen as a target on this turn.
        answer: the player's answer to the announcement of this turn.
        barred: whether the player may not announce on this turn.
        wins: whether the player has won.
        own: whether the scene shows this player's perspective.
    """

    place: Place
    player: int
    called: str
    coins: int
    marker: bool
    decides: bool
    chosen: bool
    answer: Answer
    barred: bool
    wins: bool
    own: bool

    @property
    def signs(self) -> tuple[str, ...]:
        """The state of the seat and its player, as single words."""
        if self.wins:
            return ("wins",)
        touched = "taken" if self.place.under_table else "chosen" if self.chosen else ""
        signs = ("turn" if self.marker else "", self.answer, "barred" if self.barred else "")
        return tuple(filter(None, (*signs, touched)))


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a perspective may know of the table at one moment.

    Attributes:
        scenario: the name of the scenario, printable in a terminal.
        perspective: the perspective whose knowledge this is.
        goal: the number of coins that wins the game.
        turn: the number of turns that have ended.
        headline: the acting player and the decision, or the end of the game.
        announced: the name of the mask announced on this turn; "" before an announcement.
        seats: the seats, clockwise.
        centre: the slots of the centre.
        tribunal: the number of coins on the tribunal.
        legal: the legal actions in words, which are public; empty when the game is over.
        news: the results of the last decision that the perspective saw, as sentences.
        called: the name of each player.
        exact: whether the beliefs are exact. If not, no mask is certain.
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
    called: tuple[str, ...]
    exact: bool

    @property
    def looking(self) -> str:
        """The perspective in words."""
        if self.perspective == "all":
            return "the whole truth"
        if self.perspective == "onlooker":
            return "seen by an onlooker"
        return f"seen by {self.called[self.perspective]}"

    @property
    def places(self) -> tuple[Place, ...]:
        """All slots, in order."""
        return (*(seat.place for seat in self.seats), *self.centre)


def scene(game: Game, perspective: Perspective = "onlooker") -> Scene:
    """Return everything that a perspective may know of the current position of a game.

    Args:
        game: the game; it may be over.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.

    Raises:
        MascaradeError: the perspective does not exist, or `game` is not a Game.
    """
    checked_game(game)
    viewer = checked_perspective(perspective, game.scenario.players)
    players, coins, winners = game.scenario.players, game.coins, game.winners or []
    public, called = _public(game), called_in(game)
    beliefs, exact = _beliefs(game, viewer)
    places = [
        _place(slot, belief, exact, bool(public["under_table"][slot]))
        for slot, belief in enumerate(beliefs)
    ]
    seats = tuple(
        Seat(
            place=places[seat],
            player=player,
            called=called[player],
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
        headline=_headline(game, called),
        announced=_name(game.announced) if game.announced else "",
        seats=seats,
        centre=tuple(places[players:]),
        tribunal=game.tribunal,
        legal=tuple(game.legal_actions()),
        news=tuple(_news(game, viewer, called)),
        called=tuple(called),
        exact=exact,
    )


def checked_game(game: Any) -> Game:
    """Return the game, after checking that it is a `Game`.

    Raises:
        MascaradeError: `game` is not a Game.
    """
    if isinstance(game, Game):
        return game
    raise MascaradeError(f"game must be a mascarade_env.Game, not a {type(game).__name__}")


def checked_perspective(perspective: Any, players: int) -> Perspective:
    """Return a perspective, with the number of a player as an int.

    This needs no game, so that environments can check an option before their first game.

    Raises:
        MascaradeError: a game with this number of players does not have this perspective.
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
        f'perspective must be a player 0..{players - 1}, "onlooker" or "all", not {perspective!r}'
    )


def perspectives(game: Game) -> list[Perspective]:
    """Return all perspectives on a game."""
    return ["onlooker", *range(game.scenario.players), "all"]


def printable(text: str) -> str:
    """Return a text with escapes in place of line breaks and control codes of terminals."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def labels_of(names: Sequence[str]) -> list[str]:
    """Return the names of players, printable in a terminal.

    Players with equal names get their player number added.
    """
    plain = [_cut(" ".join(printable(name).split())) or "?" for name in names]
    return [
        f"{name} #{player}" if plain.count(name) > 1 else name for player, name in enumerate(plain)
    ]


def called_in(game: Game) -> list[str]:
    """Return the name of each player for all texts: the name in the game, or "player 2"."""
    if game.names:
        return labels_of(game.names)
    return [f"player {player}" for player in range(game.scenario.players)]


def percent(probability: float) -> str:
    """Return a probability in percent, with one decimal if it is not a whole number.

    Only the probabilities 0 and 1 are written as 0% and 100%.
    """
    if 0 < probability < 0.01:
        return "<1%"
    if 0.99 < probability < 1:
        return ">99%"
    return f"{100 * probability:.1f}".removesuffix(".0") + "%"


def believed(place: Place, most: int = 99) -> str:
    """Return the belief about a slot in words, the most likely masks first.

    Args:
        place: the slot.
        most: the number of masks to name; the probabilities of the other masks are added up.
    """
    if place.certain:
        return place.belief[0][0]
    named, rest = place.belief[:most], place.belief[most:]
    words = [f"{name} {percent(probability)}" for name, probability in named]
    if rest:
        name, probability = together(rest)
        words.append(f"{name} {percent(probability)}")
    return ", ".join(words)


def together(rest: Sequence[tuple[str, float]]) -> tuple[str, float]:
    """Return the number of further masks in words, and the sum of their probabilities."""
    count = len(rest)
    return f"{count} other{'' if count == 1 else 's'}", sum(probability for _, probability in rest)


def _public(game: Game) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """Return some public blocks of an observation, with rows in the order of slot numbers."""
    players = game.scenario.players
    schema = schema_of(game.scenario, "memory", False)
    views = schema.views(game.observation(0, "memory"))
    # Observations begin with the observer's own seat.
    order = [*np.roll(np.arange(players), game.player_at.index(0)), *range(players, schema.slots)]
    return {name: views[name][order] for name in ("under_table", "chosen", "answer")}


def _answer(answer: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Answer:
    return _ANSWERS[int(answer.argmax())] if answer.any() else ""


def _beliefs(game: Game, viewer: Perspective) -> tuple[list[dict[str, float]], bool]:
    """Return the possible masks of each slot with probabilities, and whether these are exact."""
    if viewer == "all":
        return [{mask: 1.0} for mask in game.masks], True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InexactBeliefWarning)  # pictures show it themselves
        belief = game.belief(viewer).tolist()
    kinds = game.scenario.kinds
    rows = [{kind: p for kind, p in zip(kinds, row, strict=True) if p > 0} for row in belief]
    return rows, game.exact(viewer)


def _place(slot: int, belief: dict[str, float], exact: bool, under_table: bool) -> Place:
    # Rounded: sums in another order differ slightly, and equal ones keep the order of the masks.
    likely = sorted(belief.items(), key=lambda item: -round(item[1], 9))
    return Place(
        slot=slot,
        belief=tuple((_name(mask), probability) for mask, probability in likely),
        certain=exact and len(belief) == 1,
        under_table=under_table,
    )


def _headline(game: Game, called: Sequence[str]) -> str:
    if game.truncated:
        return "no winner: the turn limit is reached"
    if game.winners is None:
        assert game.player is not None
        return _HEADLINES[game.phase].format(who=called[game.player])
    names = [called[player] for player in game.winners]
    wins = "wins" if len(names) == 1 and names != [_YOU] else "win"
    return f"{' and '.join(names)} {wins}"


def _news(game: Game, viewer: Perspective, called: Sequence[str]) -> list[str]:
    """Return the results of the last decision that a viewer saw, as sentences."""
    bits = game._viewer_bits(viewer)
    seen = [event for event in game.last_events if int(event["seen_by"]) & bits]
    player_at = list(game.player_at)
    for event in reversed(seen):  # all players see who moves where
        if event["kind"] == events.MOVE:
            one, other = int(event["a"]), int(event["b"])
            player_at[one], player_at[other] = player_at[other], player_at[one]
    me = called.index(_YOU) if _YOU in called else None
    return Story(game.scenario, me, called, player_at).tell(seen)


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1].rstrip()}…"


def _name(mask: str) -> str:
    return MASKS[mask_number(mask)].name
