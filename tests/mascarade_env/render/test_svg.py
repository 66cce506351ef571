"""The table as SVG."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from mascarade_env import Game, MascaradeError, Scenario
from mascarade_env.render import Picture, picture, svg
from mascarade_env.render._drawing import drawing
from mascarade_env.render._scene import scene
from mascarade_env.render._shapes import COLOURS, Box, Emblem, Label, Oval
from tests.mascarade_env.render.moments import SCENARIOS, WIDE, game_of, moments
from tests.messages import facts

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("scenario", [*SCENARIOS, *WIDE], ids=str)
def test_it_is_xml_that_holds_the_drawing(scenario: str | Scenario) -> None:
    for game in moments(scenario):
        root = ElementTree.fromstring(svg(game, 1))
        shapes = drawing(scene(game, 1)).shapes
        for kind, tag in ((Box, "rect"), (Oval, "ellipse"), (Emblem, "g"), (Label, "text")):
            wanted = [shape for shape in shapes if isinstance(shape, kind)]
            assert len(root.findall(f"{SVG}{tag}")) == len(wanted)
        texts = [shape.text for shape in shapes if isinstance(shape, Label)]
        assert [node.text for node in root.iter(f"{SVG}text")] == texts


def test_it_speaks_to_those_who_cannot_see() -> None:
    game = game_of("8B", 2, 30)
    root = ElementTree.fromstring(svg(game, 2))
    assert root.get("role") == "img"
    first, second = root[0], root[1]
    assert (first.tag, second.tag) == (f"{SVG}title", f"{SVG}desc")
    assert first.text == drawing(scene(game, 2)).title
    assert second.text == drawing(scene(game, 2)).description


def test_it_needs_nothing_else_and_disturbs_nothing() -> None:
    text = svg(game_of("8B", 2, 30), "all")
    assert text.count("http") == 1  # the namespace
    assert "url(" not in text
    assert " id=" not in text
    assert "<script" not in text
    (style,) = re.findall(r"<style>(.*?)</style>", text)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", style.replace("@media (prefers-color-scheme:dark)", ""))  # fmt: skip  # noqa: E501
    assert len(selectors) > 2 * len(COLOURS)
    assert all(selector.lstrip("{").startswith(".mascarade-auto") for selector in selectors)


def test_themes() -> None:
    game = game_of("6A", 2, 30)
    light, dark, auto = (svg(game, theme=theme) for theme in ("light", "dark", "auto"))
    paper, night = COLOURS["ground"]
    assert paper in light
    assert night not in light
    assert night in dark
    assert paper not in dark
    assert auto.index(paper) < auto.index("prefers-color-scheme") < auto.index(night)
    # Each theme has another class, so that a page can show pictures of several themes.
    assert len({re.findall(r'<svg [^>]*class="([^"]*)"', text)[0] for text in (light, dark, auto)}) == 3  # fmt: skip  # noqa: E501
    assert svg(game) == auto


@pytest.mark.parametrize("theme", ["blue", None, 1])
def test_themes_that_there_are_not(theme: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("theme", "auto", "light", "dark", repr(theme))):
        svg(Game("4A", seed=1), theme=theme)


def test_a_colour_is_defined_for_every_shape() -> None:
    for name in SCENARIOS:
        for game in moments(name):
            text = svg(game, theme="light")
            for kind in set(re.findall(r"(?:f|s)-[a-z-]+", text.partition("</style>")[2])):
                assert f".{kind}{{" in text


def test_notebooks_show_pictures() -> None:
    game = game_of("6A", 2, 30)
    shown = picture(game, 4)
    assert isinstance(shown, Picture)
    assert shown.svg == shown._repr_svg_() == svg(game, 4)
    assert picture(game) == picture(game.clone())
