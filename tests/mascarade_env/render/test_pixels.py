"""The table as pixels."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from mascarade_env import Game, MascaradeError
from mascarade_env.render import rgb_array
from mascarade_env.render._shapes import COLOURS
from tests.mascarade_env.render.moments import game_of
from tests.messages import facts


def test_shape_and_type() -> None:
    game = game_of("12B", 1, 30)
    pixels = rgb_array(game)
    assert pixels.shape == (740, 960, 3)
    assert pixels.dtype == np.uint8
    assert rgb_array(game, width=480).shape == (370, 480, 3)
    assert rgb_array(game, width=64).shape == (49, 64, 3)


def test_the_same_game_gives_the_same_pixels() -> None:
    one, other = game_of("8B", 4, 30), game_of("8B", 4, 30)
    assert (rgb_array(one, 2) == rgb_array(other, 2)).all()
    other.play_randomly(1)
    assert not np.array_equal(rgb_array(one, 2), rgb_array(other, 2))


def test_it_is_a_picture() -> None:
    pixels = rgb_array(game_of("6A", 1, 30), "all")
    seen = {tuple(colour) for colour in pixels.reshape(-1, 3).tolist()}
    for role in ("ground", "table", "rim", "card", "known", "coin", "ink", "decides"):
        colour = COLOURS[role][0]
        assert tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)) in seen, role


def test_the_pixels_are_ones_own() -> None:
    game = Game("4A", seed=1)
    rgb_array(game)[:] = 0
    assert rgb_array(game).any()


@pytest.mark.parametrize("width", [0, -1, 63, 4097, 1.5, None, True])
def test_widths_that_are_refused(width: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("width", repr(width))):
        rgb_array(Game("4A", seed=1), width=width)


def test_without_pillow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MascaradeError, match=facts("Pillow", "mascarade-env[render]")):
        rgb_array(Game("4A", seed=1))


def test_pillow_is_loaded_by_who_wants_pixels_alone() -> None:
    program = (
        "import sys; from mascarade_env import Game, render\n"
        "render.svg(Game('4A', seed=1)); render.ansi(Game('4A', seed=1))\n"
        "print('PIL' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
