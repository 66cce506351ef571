"""RESULTS.md, made from the files in train/results without new measurements.

The page says where a measurement is missing. It does not use figures of networks that were
replaced.
"""

from collections.abc import Iterator
from pathlib import Path

from lab import result_files
from lab.results_page import exact, full, words
from lab.results_page.records import table
from lab.results_page.targets import targets
from mascarade_env.exact._files import making

PAGE = result_files.FOLDER.with_name("RESULTS.md")


def results() -> None:
    """Write RESULTS.md and its pictures from the files in train/results.

    Example: python -m lab results
    """
    for file in make(PAGE, result_files.FOLDER):
        print(file)


def page() -> Iterator[str]:
    """Yield the lines of RESULTS.md."""
    yield words.BEGINNING
    yield from table(["goal", "measured", "verdict"], targets())
    yield words.EXACT
    yield from exact.pictures()
    yield from exact.ends()
    yield words.EXACT_PLAY
    yield from exact.play()
    yield words.RELEASED
    yield from full.networks()
    yield words.DUELS
    yield from full.duels()
    yield words.SIZES.lstrip()
    yield from full.sizes()
    yield words.RESPONSES
    yield from full.responses()
    yield words.CALIBRATION
    yield from full.calibrations()
    yield words.PLAY
    yield from full.play()
    yield words.CURVES
    yield from full.learning()
    yield words.REST.rstrip()


def make(page_file: Path, pictures: Path) -> list[Path]:
    """Write the page and its pictures. Return their files; the page is the first."""
    text = "\n".join(page()) + "\n"
    pictures.mkdir(parents=True, exist_ok=True)
    drawn = [*exact.draw(pictures), *full.draw(pictures)]
    with making(page_file) as beside:
        beside.write_text(text, "utf-8")
    return [page_file, *drawn]
