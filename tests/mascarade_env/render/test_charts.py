"""Charts: the same bytes each time, and readable on light and dark pages."""

import re
from pathlib import Path

import numpy as np
import pytest

from mascarade_env.render._charts import CURVE_COLOURS, CURVE_MARKERS, chart
from tests.mascarade_env.render.browser import needs_browser, pixels
from tests.mascarade_env.render.test_drawing import contrast

PICTURES = (
    "mascarade_env/exact/equilibria.svg",
    "train/lab/bench/speed.svg",
    *(f"train/results/{name}.svg" for name in ("learning", "nashconv-small-2", "nashconv-small-3")),
)
ROOT = Path(__file__).parents[3]


def drawn(path: Path, kind: str = "svg") -> bytes:
    with chart(path, kind, (3, 2)) as figure:
        axes = figure.subplots()
        for place, colour in enumerate(CURVE_COLOURS):
            axes.plot([0, 1], [place, 1], color=colour, label=f"curve {place}")
        axes.set_title("a title")
        axes.legend()
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_same_numbers_make_the_same_bytes(tmp_path: Path, kind: str) -> None:
    assert drawn(tmp_path / "one", kind) == drawn(tmp_path / "other", kind)


def test_every_colour_can_be_read_on_a_dark_page(tmp_path: Path) -> None:
    svg = drawn(tmp_path / "a.svg").decode()
    (sheet,) = re.findall(r"<style>@media \(prefers-color-scheme: dark\)\{(.*)\}</style>", svg)
    dark = dict(re.findall(r"#figure_1 \[style\*=\"(?:fill|stroke): (#\w+)\"\]\{\w+:(#\w+)", sheet))
    (text,) = re.findall(r"#figure_1 text\{fill:(#\w+)\}", sheet)
    lines = set(re.findall(r"stroke: (#\w+)", svg.partition("</style>")[2])) & set(CURVE_COLOURS)
    assert lines == set(CURVE_COLOURS)
    for colour in [text, *(dark.get(line, line) for line in lines)]:
        assert contrast(colour, dark["#ffffff"]) >= 3
    assert contrast(text, dark["#ffffff"]) >= 7


def test_curves_differ_without_colour() -> None:
    assert len(set(CURVE_MARKERS)) == len(CURVE_MARKERS) == len(CURVE_COLOURS)


@pytest.mark.parametrize("picture", PICTURES)
def test_charts_of_pages_follow_dark_pages(picture: str) -> None:
    svg = (ROOT / picture).read_text("utf-8")
    assert svg.count("@media (prefers-color-scheme: dark)") == 1


@needs_browser
def test_a_browser_draws_a_dark_chart(tmp_path: Path) -> None:
    svg = drawn(tmp_path / "a.svg").decode()
    light, dark = (
        pixels(text, tmp_path, 200, 150)
        for text in (svg, svg.replace("(prefers-color-scheme: dark)", "all"))
    )
    assert np.median(light) > 240
    assert np.median(dark) < 40
