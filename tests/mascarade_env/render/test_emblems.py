"""Emblems: one for each mask, all different, and easy to see."""

from itertools import combinations

import pytest

from mascarade_env import MASKS
from mascarade_env.render._emblems import GRID, parts_of
from mascarade_env.render._shapes import COLOURS, Box, Oval, Polygon
from mascarade_env.render._svg import emblem
from tests.mascarade_env.render.test_drawing import contrast, corners, holds

NAMES = [mask.name for mask in MASKS]


@pytest.mark.parametrize("name", NAMES)
def test_an_emblem_is_a_figure_on_a_tile_that_holds_it(name: str) -> None:
    tile, *figure = parts_of(name)
    assert isinstance(tile, Box)
    assert corners(tile) == (0, 0, GRID, GRID)
    fills = set()
    for part in figure:
        assert isinstance(part, Box | Oval | Polygon)
        assert holds(corners(tile), corners(part))
        fills.add(part.fill)
    (ink,) = fills - {tile.fill}
    for one, other in zip(COLOURS[ink], COLOURS[tile.fill], strict=True):
        assert contrast(one, other) >= 4.5


def test_figures_differ_without_their_colours() -> None:
    figures = {name: tuple(map(corners, parts_of(name)[1:])) for name in NAMES}
    assert not [pair for pair in combinations(NAMES, 2) if figures[pair[0]] == figures[pair[1]]]


def test_colours_are_those_of_both_themes() -> None:
    used = {getattr(part, "fill", "") for name in NAMES for part in parts_of(name)}
    assert {role for role in COLOURS if role.startswith("tile ")} == used
    assert all(COLOURS[role][0] == COLOURS[role][1] for role in used)
    for name in NAMES:
        assert emblem(name).count('class="f-') == len(parts_of(name))
