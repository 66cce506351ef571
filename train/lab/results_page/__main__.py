"""Makes the page RESULTS.md and its pictures anew: `make results`.

It reads the files in train/results, and nothing is measured. What is not measured yet is told as
such; so is a figure of a network of which another has been released since.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from lab import result_files
from lab.results_page import exact, full, words
from lab.results_page.records import table
from lab.results_page.targets import targets
from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making

PAGE = result_files.FOLDER.with_name("RESULTS.md")


def page() -> Iterator[str]:
    """The lines of RESULTS.md."""
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
    """Write the page and its pictures; returns all files."""
    text = "\n".join(page()) + "\n"
    pictures.mkdir(parents=True, exist_ok=True)
    drawn = [*exact.draw(pictures), *full.draw(pictures)]
    with making(page_file) as beside:
        beside.write_text(text, "utf-8")
    return [page_file, *drawn]


def main() -> int:
    """Make RESULTS.md; returns the exit code."""
    try:
        for file in make(PAGE, result_files.FOLDER):
            print(file)
    except (MascaradeError, OSError) as error:
        print(f"lab.results_page: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
