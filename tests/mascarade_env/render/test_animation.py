"""A game as a moving picture."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from mascarade_env import Game, MascaradeError
from mascarade_env.render import _animation as animation
from mascarade_env.render import animated_svg, svg
from mascarade_env.render._svg import Theme
from tests.mascarade_env.render.browser import needs_browser, pixels
from tests.mascarade_env.render.moments import game_of
from tests.messages import facts, states

SVG = "{http://www.w3.org/2000/svg}"
LINK = "href"


def pictures(text: str) -> list[list[tuple[str, dict[str, str], str | None]]]:
    """Return the shapes of each picture, as they are drawn."""
    root = ElementTree.fromstring(text)
    (defined,) = root.findall(f"{SVG}defs")
    named = {f"#{group.get('id')}": group for group in defined}
    assert len(named) == len(defined)
    # Styles that need an ancestor with this class find it within what is named, and only there.
    assert {f".{group.get('class')} " for group in defined} <= set(re.findall(r"\.[\w-]+ ", text))
    return [
        [
            _described(shape)
            for use in frame.findall(f"{SVG}use")
            for shape in named[use.get(LINK, "")]
        ]
        for frame in root.findall(f"{SVG}g")
    ]


def _described(shape: ElementTree.Element) -> tuple[str, dict[str, str], str | None]:
    parts = [_described(part) for part in shape]
    return shape.tag, shape.attrib, repr(parts) if parts else shape.text


@pytest.mark.parametrize("viewer", [1, "onlooker", "all"])
def test_each_picture_is_the_table_after_one_more_decision(viewer: Any) -> None:
    game = game_of("6A", 4, 30)
    found = pictures(animated_svg(game, viewer, first=3, last=20))
    assert len(found) == 18
    past = game.at_start()
    for made, (_, action) in enumerate(game.history[:20], start=1):
        past.play(action)
        if made >= 3:
            root = ElementTree.fromstring(svg(past, viewer))
            nodes = [node for node in root if node.tag.rpartition("}")[2] in _SHAPES]
            wanted = [_described(node) for node in nodes]
            assert found[made - 3] == wanted


_SHAPES = ("rect", "ellipse", "text", "g")


def test_pictures_follow_each_other_without_a_gap() -> None:
    text = animated_svg(game_of("4A", 1, 12), last=9, seconds=0.5)
    delays = [float(found) for found in re.findall(r"animation-delay:(-[\d.]+)s", text)]
    assert delays == [0.5 * number - 5.25 for number in range(10)]
    assert re.findall(r'<g class="(\w+)"', text) == ["first"] + ["one"] * 8 + ["last"]
    keyframes = dict(re.findall(r"@keyframes m\w+-(\w+)\{(.*?\})\}", text))
    assert list(keyframes) == ["first", "one", "last"]
    for kind, steps in keyframes.items():
        assert re.search(rf"animation:m\w+-{kind} 5s linear infinite", text)  # ten pictures
        # Each is seen for a tenth of the time, and until the next one, above it, has faded in.
        assert re.search(r"\b15\.0000%,100%\{visibility:hidden", steps)
        assert ("5.0000%{visibility:visible;opacity:1" in steps) == (kind == "one")
    assert re.search(r"\.first,\.\w+ \.one\{visibility:hidden", text)
    assert "prefers-reduced-motion:reduce" in text  # there the last is seen alone


def test_two_on_one_page_do_not_mix() -> None:
    game = game_of("6A", 4, 20)
    texts = [animated_svg(game, "all"), animated_svg(game, 2), animated_svg(game, 2, seconds=1.0)]
    named = [set(re.findall(r'id="([^"]+)"', text)) for text in texts]
    assert all(named)
    assert len(set().union(*named)) == sum(map(len, named))
    assert len({name for text in texts for name in re.findall(r"@keyframes ([\w-]+)", text)}) == 9
    assert animated_svg(game, 2) == texts[1]


def test_one_picture_stays() -> None:
    game = Game("4A", seed=1)
    text = animated_svg(game)
    assert len(pictures(text)) == 1
    assert "@keyframes" not in text
    assert 'class="last"' in text


@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_browser_shows_each_picture_as_if_it_were_alone(tmp_path: Path, theme: Theme) -> None:
    game = game_of("6A", 4, 25)
    alone = pixels(svg(game, 2, theme=theme), tmp_path, 960, 740)
    assert len(np.unique(alone.reshape(-1, 3), axis=0)) > 200
    moving = animated_svg(game, 2, first=25, theme=theme)
    np.testing.assert_array_equal(pixels(moving, tmp_path, 960, 740), alone)


def test_it_speaks_to_those_who_cannot_see_and_needs_nothing_else() -> None:
    game = game_of("8B", 2, 30)
    text = animated_svg(game, 2)
    root = ElementTree.fromstring(text)
    first, last = (ElementTree.fromstring(svg(each, 2)) for each in (game.at_start(), game))
    assert (root[0].tag, root[0].text) == (f"{SVG}title", first[0].text)
    assert states(str(root[1].text), "31 pictures", first[1].text)
    assert str(root[1].text).endswith(str(last[1].text))
    assert text.count("http") == 1  # the namespace
    assert "<script" not in text


def test_it_is_the_same_for_all_that_a_player_cannot_tell_apart() -> None:
    game = game_of("6A", 3, 22)
    text = animated_svg(game, 2)
    worlds = list(game.sample_worlds(2, 5, rng=0))
    assert [animated_svg(world, 2) for world in worlds] == [text] * 5
    assert any(animated_svg(world, "all") != animated_svg(game, "all") for world in worlds)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"first": 5, "last": 4}, (0, 12, 5, 4)),
        ({"last": 13}, ("12 decisions", 13)),
        ({"first": -1}, ("first", 0, -1)),
        ({"seconds": 0}, ("seconds", "hour", "0")),
        ({"seconds": float("nan")}, ("seconds", 0, "hour", "nan")),
        ({"theme": "blue"}, ("theme", "auto", "light", "dark", "'blue'")),
        ({"perspective": 9}, ("perspective", 3, "onlooker", "all", 9)),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], words: tuple[object, ...]) -> None:
    with pytest.raises(MascaradeError, match=facts(*words)):
        animated_svg(game_of("4A", 1, 12), **options)


def test_a_long_game_is_shown_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("12A", 3, 30)
    monkeypatch.setattr(animation, "MOST_PICTURES", 20)
    with pytest.raises(MascaradeError, match=facts("31 pictures", 20)):
        animated_svg(game)
    assert len(pictures(animated_svg(game, first=10, last=29))) == 20
