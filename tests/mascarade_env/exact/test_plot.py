"""Pictures of NashConv."""

import io
import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from mascarade_env._errors import MascaradeError
from mascarade_env.exact._plot import plot
from mascarade_env.exact._solver_run import Point
from tests.messages import facts

CURVES = {
    "one": [Point(1, 0.1, 0.5), Point(10, 1.0, 0.05), Point(100, 9.0, 0.004)],
    "other": [Point(1, 0.0, 0.4), Point(20, 2.0, 0.0)],  # logarithmic scales cannot show zeros
}


@pytest.mark.parametrize(("name", "begin"), [("a.svg", b"<?xml"), ("a.PNG", b"\x89PNG")])
def test_the_same_points_make_the_same_file(name: str, begin: bytes, tmp_path: Path) -> None:
    first, second = tmp_path / name, tmp_path / f"second{name}"
    plot(CURVES, first, "NashConv of a game")
    plot(CURVES, second, "NashConv of a game")
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(begin)
    changed = {**CURVES, "other": [Point(1, 0.0, 0.3)]}
    plot(changed, second, "NashConv of a game")
    assert first.read_bytes() != second.read_bytes()


def test_axes_are_named_with_their_units(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    plot(CURVES, file, "NashConv of a game")
    words = re.findall(r">([^<>]+)</", file.read_text("utf-8"))
    for word in (
        "NashConv of a game", "NashConv (win shares)", "iterations",
        "time of the iterations (seconds)", "one", "other",
    ):  # fmt: skip
        assert words.count(word) == 1
    plot({"one": CURVES["one"]}, file, "NashConv of a game", seconds=False)
    words = re.findall(r">([^<>]+)</", file.read_text("utf-8"))
    assert "iterations" in words
    assert "time of the iterations (seconds)" not in words
    assert "one" not in words  # a single curve needs no legend


def test_names_are_not_read_as_formulas(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    named = {"$a": CURVES["one"], r"\frac{$b$": CURVES["other"]}
    plot(named, file, "of $x^ and $y\x1b, \u65e5")  # the font lacks the last letter
    words = re.findall(r">([^<>]+)</", file.read_text("utf-8"))
    for word in ("of $x^ and $y\\x1b, \u65e5", "$a", r"\frac{$b$"):
        assert word in words


def test_a_failed_write_leaves_the_old_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "a.svg", tmp_path / "link.svg"
    link.symlink_to(file)
    plot(CURVES, link, "before")
    assert link.is_symlink()
    before = file.read_bytes()

    def fill(figure: Figure, file: io.BytesIO, **_: object) -> None:
        file.write(before[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", fill)
    with pytest.raises(MascaradeError, match=facts("write", "a.svg", "No space left")):
        plot(CURVES, file, "after")
    assert file.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [file, link]


def test_impossible_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MascaradeError, match=facts(".svg", ".png", "a.gif")):
        plot(CURVES, Path("a.gif"), "a")
    with pytest.raises(MascaradeError, match=facts("write", "none/a.svg", "No such file")):
        plot(CURVES, tmp_path / "none" / "a.svg", "a")
