"""Pages and pictures opened in a real browser, if one is installed."""

import html
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_BROWSER = next(filter(None, map(shutil.which, _BROWSERS)), None)

needs_browser = pytest.mark.skipif(_BROWSER is None, reason="no chromium here")


def drawn(page: str, folder: Path, at: str = "", width: int = 1280) -> str:
    """Return the HTML of a page after a browser has run it, up to its data."""
    done = _opened(page, "html", folder, at, width, 830, "--dump-dom")
    return html.unescape(done.partition("<script")[0])


def pixels(picture: str, folder: Path, width: int, height: int) -> NDArray[np.uint8]:
    """Return an SVG as a browser shows it: pixels, [height, width, 3]."""
    shot = folder / "shot.png"
    _opened(picture, "svg", folder, "", width, height, f"--screenshot={shot}")
    with Image.open(shot) as image:
        return np.asarray(image.convert("RGB"))


def _opened(
    text: str, kind: str, folder: Path, at: str, width: int, height: int, *what: str
) -> str:
    file = folder / f"opened.{kind}"
    file.write_text(text, "utf-8")
    assert _BROWSER is not None
    done = subprocess.run(
        [
            _BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=2000", f"--window-size={width},{height}", *what,
            f"{file.as_uri()}#{at}",
        ],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert "CONSOLE" not in done.stderr
    return done.stdout
