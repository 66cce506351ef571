"""A game, or a part of it, as one picture that moves."""

import hashlib
import json
from collections.abc import Iterator

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._game import Game
from mascarade_env.render._drawing import drawing
from mascarade_env.render._scene import Perspective, checked_game, checked_perspective, scene
from mascarade_env.render._shapes import Drawing
from mascarade_env.render._svg import Theme, element, opening, style_class

#: Pictures that one file shows at most; a picture of more is slow to open.
MOST_PICTURES = 200


def animated_svg(  # noqa: PLR0913  options by name
    game: Game,
    perspective: Perspective = "onlooker",
    *,
    first: int = 0,
    last: int | None = None,
    seconds: float = 2.0,
    theme: Theme = "auto",
) -> str:
    """Draw a game from one decision to another as a standalone SVG that repeats.

    It needs no script, so it moves in a README too. Whoever has asked their system for less motion
    sees the last picture alone, as do programs that know no animations.

    Args:
        game: played as far as the picture shall show.
        perspective: a player, "onlooker" for what all players see, or "all" for the whole truth.
        first: how many decisions the first picture comes after; 0 for the deal.
        last: the same of the last picture; by default it is that of the game as it stands.
        seconds: that each picture stays.
        theme: "light", "dark", or "auto" for what the reader prefers.
    """
    checked_game(game)
    viewer = checked_perspective(perspective, game.scenario.players)
    decisions = len(game.history)
    end = decisions if last is None else whole(last, "last", at_least=0)
    if not whole(first, "first", at_least=0) <= end <= decisions:
        raise MascaradeError(
            f"{decisions} decisions have been made, so the pictures go from 0 to {decisions} at "
            f"most, not from {first} to {end}"
        )
    if end - first >= MOST_PICTURES:
        raise MascaradeError(
            f"{end - first + 1} pictures are too many for one file; show {MOST_PICTURES} at most"
        )
    if not 0 < seconds <= 3600:
        raise MascaradeError(f"seconds are more than 0, and an hour at most, not {seconds}")
    return _joined(list(_drawings(game, viewer, first, end)), seconds, theme)


def _drawings(game: Game, viewer: Perspective, first: int, last: int) -> Iterator[Drawing]:
    past = game.at_start()
    for decisions in range(last + 1):
        if decisions:
            past.play(game.history[decisions - 1][1])
        if decisions >= first:
            yield drawing(scene(past, viewer))


def _joined(drawings: list[Drawing], seconds: float, theme: Theme) -> str:
    # Most shapes are the same in many pictures: each is written once, and then named.
    shapes = [[element(shape) for shape in picture.shapes] for picture in drawings]
    tag = _tag(shapes, seconds, theme)
    names: dict[str, str] = {}
    frames = []
    whole_time = len(drawings) * seconds
    for number, drawn in enumerate(shapes):
        uses = "".join(
            f'<use href="#{names.setdefault(text, f"{tag}-{len(names)}")}"/>' for text in drawn
        )
        kind = "last" if number == len(drawings) - 1 else "one"
        # All began long ago, so that none is seen before its turn comes.
        delay = f"animation-delay:{number * seconds - whole_time:g}s"
        frames.append(f'<g class="{kind}" style="{delay}">{uses}</g>')
    shown = 100 / len(drawings)
    style = (
        f".{tag} .one{{visibility:hidden}}"
        f".{tag} .one,.{tag} .last{{animation:{tag} {whole_time:g}s step-end infinite}}"
        f"@keyframes {tag}{{0%{{visibility:visible}}{shown:.4f}%{{visibility:hidden}}}}"
        f"@media (prefers-reduced-motion:reduce){{.{tag} .one,.{tag} .last{{animation:none}}}}"
    )
    last = drawings[-1]
    description = f"{len(drawings)} pictures, one after the other. The last: {last.description}"
    # Styles reach a shape that is drawn by its name only from within what is named.
    styled = style_class(theme)
    defined = "".join(f'<g id="{name}" class="{styled}">{text}</g>' for text, name in names.items())
    return "\n".join(
        [
            *opening(last, theme, description, also=tag),
            f"<style>{style}</style>",
            f"<defs>{defined}</defs>",
            *frames,
            "</svg>",
        ]
    )


def _tag(shapes: list[list[str]], seconds: float, theme: Theme) -> str:
    """Return a name of its own for each picture.

    Names of an SVG within a page hold in all of the page: with the same names in two pictures, one
    would show the shapes of the other, and so what its viewer may not know.
    """
    contents = json.dumps([shapes, seconds, theme]).encode()
    return f"m{hashlib.sha256(contents).hexdigest()[:8]}"
