"""A whole game as one HTML page that replays it step by step."""

import json
import re
from html import escape
from importlib import resources
from typing import Any

from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASKS, mask_number
from mascarade_env.render._cards import CARD_HEIGHT, CARD_WIDTH
from mascarade_env.render._emblems import GRID
from mascarade_env.render._ring import HEAD, HEIGHT, WIDTH, ring
from mascarade_env.render._scene import (
    Perspective,
    Place,
    Scene,
    called_in,
    checked_game,
    perspectives,
    printable,
    scene,
)
from mascarade_env.render._shapes import COLOURS
from mascarade_env.render._svg import emblem


def replay_html(game: Game, *, title: str | None = None) -> str:
    """Return a page that replays a game from the deal: one HTML file that needs no network.

    The page contains every perspective and all hidden masks. So do not give it to players before
    the game is over.

    Args:
        game: the game. The page shows it up to its current position.
        title: the title of the page; the default title names the scenario.
    """
    data = replay_data(game)
    heading = f"Mascarade {printable(game.scenario.name)}: replay of a game"
    parts = {
        "title": escape(heading if title is None else printable(title)),
        "colours": _colours(),
        "style": _part("replay.css"),
        "emblems": _emblems(data["masks"]),
        # Without "<", so that no name ends the script.
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        "script": _part("replay.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("replay.html"))


def replay_data(game: Game) -> dict[str, Any]:
    """Return the contents of the scenes of all perspectives, as data for JSON.

    - `texts`, `rows` and `signs` are lists; numbers in the other parts are indices into them. A row
      lists the numbers of masks, each followed by the mask's probability in thousandths.
    - `steps` holds what all players see after each decision; the first step is the deal.
    - `views` holds, for each perspective and step, the texts of the news, the rows that changed
      (slot, row, slot, row, ...), and 1 if the beliefs are exact.
    """
    return _Pages(checked_game(game)).data()


class _Pages:
    """Reads the scenes of a game one after the other, and stores the changes between them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._texts: dict[str, int] = {}
        self._rows: dict[tuple[int, ...], int] = {}
        self._signs: dict[tuple[str, ...], int] = {}
        kinds = [MASKS[mask_number(mask)].name for mask in game.scenario.kinds]
        self._masks = {name: number for number, name in enumerate(kinds)}
        self._steps: list[dict[str, Any]] = []
        self._rows_now: dict[Perspective, list[int]] = {}
        self._views: dict[Perspective, dict[str, Any]] = {
            viewer: {"viewer": viewer, "news": [], "rows": [], "exact": []}
            for viewer in perspectives(game)
        }

    def data(self) -> dict[str, Any]:
        """Return the data of the whole game."""
        past = self._game.at_start()
        self._note(past)
        for _, action in self._game.history:
            past.play(action)
            self._note(past)
        around = ring(self._game.scenario.players)
        spots = [(x / WIDTH, (y - HEAD) / (HEIGHT - HEAD)) for x, y in around.spots]
        return {
            "players": self._game.scenario.players,
            "called": called_in(self._game),
            "scenario": printable(self._game.scenario.name),
            "masks": list(self._masks),
            "spots": [[round(100 * x, 2), round(100 * y, 2)] for x, y in spots],
            "size": [
                round(100 * CARD_WIDTH * around.scale / WIDTH, 2),
                round(100 * CARD_HEIGHT * around.scale / (HEIGHT - HEAD), 2),
            ],
            "middle": [
                round(100 * (0.5 - around.free_across / WIDTH), 2),
                round(100 * (0.5 - around.free_down / (HEIGHT - HEAD)), 2),
            ],
            "shape": round(WIDTH / (HEIGHT - HEAD), 4),
            "texts": list(self._texts),
            "rows": [list(row) for row in self._rows],
            "signs": [list(signs) for signs in self._signs],
            "steps": self._steps,
            "views": list(self._views.values()),
        }

    def _note(self, past: Game) -> None:
        for viewer, view in self._views.items():
            pictured = scene(past, viewer)
            if viewer == "onlooker":
                self._steps.append(self._public(pictured))
            view["news"].append([_number(self._texts, sentence) for sentence in pictured.news])
            view["exact"].append(int(pictured.exact))
            view["rows"].append(self._changes(viewer, pictured.places))

    def _public(self, view: Scene) -> dict[str, Any]:
        seats = view.seats
        return {
            "turn": view.turn,
            "headline": _number(self._texts, view.headline),
            "announced": self._masks.get(view.announced, -1),
            "announcer": next((s.place.slot for s in seats if s.answer == "announced"), -1),
            "tribunal": view.tribunal,
            "decides": next((seat.place.slot for seat in seats if seat.decides), -1),
            "player": [seat.player for seat in seats],
            "coins": [seat.coins for seat in seats],
            "signs": [_number(self._signs, seat.signs) for seat in seats],
            "taken": [place.slot for place in view.places if place.under_table],
        }

    def _changes(self, viewer: Perspective, places: tuple[Place, ...]) -> list[int]:
        rows = [_number(self._rows, self._row(place)) for place in places]
        before = self._rows_now.get(viewer, [-1] * len(rows))
        self._rows_now[viewer] = rows
        return [
            number for slot, row in enumerate(rows) if row != before[slot] for number in (slot, row)
        ]

    def _row(self, place: Place) -> tuple[int, ...]:
        return tuple(
            number
            for mask, probability in place.belief
            for number in (self._masks[mask], _thousandths(probability))
        )


def _number(numbers: dict[Any, int], item: object) -> int:
    """Return the number of an item. A new item gets the next number."""
    return numbers.setdefault(item, len(numbers))


def _thousandths(probability: float) -> int:
    """Return a positive probability in thousandths; it is 1000 only if the probability is 1."""
    return 1000 if probability == 1 else min(max(round(1000 * probability), 1), 999)


def _part(name: str) -> str:
    return resources.files("mascarade_env.render").joinpath(name).read_text("utf-8")


def _emblems(masks: list[str]) -> str:
    """Return the emblems of the masks as SVG symbols, whose ids contain the masks' numbers."""
    return "".join(
        f'<symbol id="emblem-{number}" viewBox="0 0 {GRID} {GRID}">{emblem(name)}</symbol>'
        for number, name in enumerate(masks)
    )


def _colours() -> str:
    """Return a style sheet with variables for light and dark colours and classes for emblems."""
    light, dark = (
        "".join(f"--{role.replace(' ', '-')}:{pair[number]};" for role, pair in COLOURS.items())
        for number in (0, 1)
    )
    tiles = "".join(
        f".{part[0]}-{name}{{{part}:var(--{name})}}"
        for name in (role.replace(" ", "-") for role in COLOURS if role.startswith("tile "))
        for part in ("fill", "stroke")
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{tiles}"
