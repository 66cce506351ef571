"""A game, or a part of a game, as one animated picture."""

import hashlib
import json
from collections.abc import Iterator

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._game import Game
from mascarade_env.render._drawing import drawing
from mascarade_env.render._scene import Perspective, checked_game, checked_perspective, scene
from mascarade_env.render._shapes import Drawing
from mascarade_env.render._svg import Theme, element, opening, style_class

#: The most pictures in one file; browsers are slow to open more.
MOST_PICTURES = 200
#: How long one picture fades into the next, in seconds; at most half of the time of a picture.
_FADE = 0.4


def animated_svg(  # noqa: PLR0913  options by name
    game: Game,
    perspective: Perspective = "onlooker",
    *,
    first: int = 0,
    last: int | None = None,
    seconds: float = 2.0,
    theme: Theme = "auto",
) -> str:
    """Draw a game, or a part of it, as a standalone SVG whose animation repeats.

    The SVG has no script, so web pages can show it as an image. If a reader's system asks for less
    motion, or a program does not support animations, only the last picture is shown.

    Args:
        game: the game. The animation can show it up to its current position.
        perspective: a player, "onlooker" for what all players see, or "all" for all hidden masks.
        first: the number of decisions before the first picture; 0 for the deal.
        last: the number of decisions before the last picture; by default all decisions.
        seconds: the time for which each picture is shown.
        theme: "light", "dark", or "auto" for the reader's setting.

    Raises:
        MascaradeError: `first` or `last` is not in the game, there are more than `MOST_PICTURES`
            pictures, `seconds` is not more than 0 and at most 3600, or an option is unknown.
    """
    checked_game(game)
    viewer = checked_perspective(perspective, game.scenario.players)
    decisions = len(game.history)
    end = decisions if last is None else whole(last, "last", at_least=0)
    if not whole(first, "first", at_least=0) <= end <= decisions:
        raise MascaradeError(
            f"the game has {decisions} decisions, so first and last must be in 0..{decisions}, "
            f"and first must not be larger than last; they are {first} and {end}"
        )
    if end - first >= MOST_PICTURES:
        raise MascaradeError(
            f"the animation from {first} to {end} has {end - first + 1} pictures, but one file "
            f"holds at most {MOST_PICTURES}: choose first and last closer together"
        )
    if not 0 < seconds <= 3600:
        raise MascaradeError(
            f"seconds must be more than 0 and at most 3600 (an hour), not {seconds}"
        )
    return _joined(list(_drawings(game, viewer, first, end)), seconds, theme)


def _drawings(game: Game, viewer: Perspective, first: int, last: int) -> Iterator[Drawing]:
    past = game.at_start()
    for decisions in range(last + 1):
        if decisions:
            past.play(game.history[decisions - 1][1])
        if decisions >= first:
            yield drawing(scene(past, viewer))


def _joined(drawings: list[Drawing], seconds: float, theme: Theme) -> str:
    # Most shapes are the same in many pictures: each is written once, and used by its id.
    shapes = [[element(shape) for shape in picture.shapes] for picture in drawings]
    tag = _tag(shapes, seconds, theme)
    ids: dict[str, str] = {}
    frames = []
    whole_time, fade = len(drawings) * seconds, min(_FADE, seconds / 2)
    for number, drawn in enumerate(shapes):
        uses = "".join(
            f'<use href="#{ids.setdefault(text, f"{tag}-{len(ids)}")}"/>' for text in drawn
        )
        kind = "last" if number == len(drawings) - 1 else "one" if number else "first"
        # A negative delay: all animations began before, so none shows its picture too early, and
        # the first picture does not begin with the end of the last.
        delay = f"animation-delay:{number * seconds - whole_time - fade:g}s"
        frames.append(f'<g class="{kind}" style="{delay}">{uses}</g>')
    last = drawings[-1]
    description = (
        f"{len(drawings)} pictures, one after the other. The first: {drawings[0].description} "
        f"The last: {last.description}"
    )
    # Styles reach a shape that is used by its id only if its own ancestors have the class.
    styled = style_class(theme)
    defined = "".join(f'<g id="{name}" class="{styled}">{text}</g>' for text, name in ids.items())
    return "\n".join(
        [
            *opening(drawings[0], theme, description, also=tag),
            f"<style>{_motion(tag, len(drawings), seconds, fade)}</style>",
            f"<defs>{defined}</defs>",
            *frames,
            "</svg>",
        ]
    )


def _motion(tag: str, pictures: int, seconds: float, fade: float) -> str:
    """Return the style sheet that shows one picture after the other.

    Each picture fades in over the previous one, which stays visible below it during the fade. So
    the background never shows. The first picture is below the last one, so the last one fades out.
    """
    if pictures == 1:
        return ""
    shown, faded = 100 / pictures, 100 * fade / (pictures * seconds)
    hidden, seen = "visibility:hidden;opacity:0", "visibility:visible;opacity:1"
    begins = f"0%{{visibility:visible;opacity:0}}{faded:.4f}%"
    gone = f"{shown + faded:.4f}%,100%{{{hidden}}}"
    stays = f"{{{seen};animation-timing-function:step-end}}"
    keyframes = {
        "first": f"0%{stays}{gone}",
        "one": f"{begins}{stays}{gone}",
        "last": f"{begins},{shown:.4f}%{{{seen}}}{gone}",
    }
    rules = [f".{tag} .first,.{tag} .one{{{hidden}}}"]
    for kind, steps in keyframes.items():
        moves = f"animation:{tag}-{kind} {pictures * seconds:g}s linear infinite"
        rules.append(f".{tag} .{kind}{{{moves}}}@keyframes {tag}-{kind}{{{steps}}}")
    rules.append(f"@media (prefers-reduced-motion:reduce){{.{tag} g{{animation:none!important}}}}")
    return "".join(rules)


def _tag(shapes: list[list[str]], seconds: float, theme: Theme) -> str:
    """Return a name that no other picture has.

    The names in an SVG inside a page apply to the whole page. If two pictures shared names, one
    would show shapes of the other, which its viewer may not know.
    """
    contents = json.dumps([shapes, seconds, theme]).encode()
    return f"m{hashlib.sha256(contents).hexdigest()[:8]}"
