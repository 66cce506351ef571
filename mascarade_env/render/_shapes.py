"""A picture as a list of shapes, from which SVG and pixels are made, and the width of text.

Shapes name their colours by role. `COLOURS` gives the colour of each role in the light and in the
dark theme. The colours are from the palette of Okabe and Ito, which colour-blind readers can tell
apart. Some are darker, so that text on them can be read. Words repeat the meaning of each colour.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: For each role the colours of the light and the dark theme. Text on a fill has the role "on "
#: and that of the fill, or one of the inks.
COLOURS: dict[str, tuple[str, str]] = {
    "ground": ("#f7f5f0", "#14171b"),
    "table": ("#dde9e3", "#1c2a26"),
    "rim": ("#b5cbc0", "#35493f"),
    "card": ("#ffffff", "#262a31"),
    "edge": ("#cbc7bd", "#4a505a"),
    "ink": ("#1d2126", "#eef1f5"),
    "soft": ("#50585f", "#b4bcc7"),
    "trough": ("#f0f0ee", "#31363e"),
    "likely": ("#bfdcf0", "#1f5073"),
    "known": ("#c4e8da", "#0d5340"),
    "coin": ("#e69f00", "#e69f00"),
    "coin edge": ("#a87400", "#ffd27a"),
    "decides": ("#0072b2", "#56b4e9"),
    "on decides": ("#ffffff", "#0c1116"),
    "turn": ("#f0e442", "#f0e442"),
    "on turn": ("#1d2126", "#1d2126"),
    "announced": ("#0072b2", "#56b4e9"),
    "on announced": ("#ffffff", "#0c1116"),
    "claims": ("#b04a00", "#f08a3c"),
    "on claims": ("#ffffff", "#0c1116"),
    "passed": ("#e3e3e0", "#3d434c"),
    "on passed": ("#1d2126", "#eef1f5"),
    "barred": ("#50585f", "#b4bcc7"),
    "on barred": ("#ffffff", "#0c1116"),
    "chosen": ("#8c4a74", "#dd9dbe"),
    "on chosen": ("#ffffff", "#0c1116"),
    "taken": ("#8c4a74", "#dd9dbe"),
    "on taken": ("#ffffff", "#0c1116"),
    "wins": ("#006b4e", "#2fc59a"),
    "on wins": ("#ffffff", "#0c1116"),
    # Tiles of emblems, and the figures on them, are the same in both themes.
    "tile light": ("#ffffff", "#ffffff"),
    "tile dark": ("#1d2126", "#1d2126"),
    "tile blue": ("#0072b2", "#0072b2"),
    "tile red": ("#b04a00", "#b04a00"),
    "tile green": ("#00795a", "#00795a"),
    "tile purple": ("#8c4a74", "#8c4a74"),
    "tile grey": ("#59636e", "#59636e"),
    "tile orange": ("#e69f00", "#e69f00"),
    "tile sky": ("#56b4e9", "#56b4e9"),
    "tile yellow": ("#f0e442", "#f0e442"),
    "tile pink": ("#dd9dbe", "#dd9dbe"),
}

Anchor: TypeAlias = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with rounded corners; `edge` is the role of a colour, or "" for no edge."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    fill: str
    edge: str = ""
    thick: float = 1


@dataclass(frozen=True, slots=True)
class Oval:
    """An ellipse around a point."""

    x: float
    y: float
    across: float
    down: float
    fill: str
    edge: str = ""
    thick: float = 1


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape with straight sides; `points` are its corners."""

    points: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True, slots=True)
class Emblem:
    """The emblem of a mask in a square.

    (x, y) is the upper left corner of the square, and `mask` is the name of the mask.
    """

    x: float
    y: float
    size: float
    mask: str


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text with its baseline at y. It fits into a width of `room`."""

    x: float
    y: float
    text: str
    size: float
    room: float
    colour: str = "ink"
    anchor: Anchor = "start"
    bold: bool = False

    @property
    def left(self) -> float:
        """The left end of the room for the text."""
        return self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.room


Shape: TypeAlias = Box | Oval | Polygon | Emblem | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes with a title and a description as text. Later shapes are drawn over earlier ones."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    title: str
    description: str


# Widths of the letters from space to tilde, in hundredths of the font size: those of DejaVu Sans,
# one of the widest fonts that readers may have.
_WIDTHS = (
    32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 93, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 69, 69, 72, 77, 63, 58, 78, 75, 30, 33, 66, 58, 89, 75, 79,
    60, 79, 70, 64, 61, 73, 69, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 64, 55, 64, 62, 36, 64,
    63, 28, 28, 58, 28, 98, 63, 61, 64, 64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84,
)  # fmt: skip
_ELSE = 100  # all other letters: ideographs are that wide, accented letters are narrower
_BOLD = 1.16


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the largest width that a text has in any usual font."""
    total = sum(_WIDTHS[ord(c) - 32] if " " <= c <= "~" else _ELSE for c in text)
    return total * size / 100 * (_BOLD if bold else 1)


def shortened(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return a text; if it is wider than `room`, cut it and add an ellipsis."""
    if width_of(text, size, bold=bold) <= room:
        return text
    while text and width_of(f"{text}…", size, bold=bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrapped(text: str, size: float, room: float) -> Iterator[str]:
    """Yield the lines of a text, broken at spaces so that each fits into `room`."""
    line = ""
    for word in text.split():
        if line and width_of(f"{line} {word}", size) > room:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield shortened(line, size, room)
