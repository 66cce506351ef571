"""Tables and help on a terminal with 40 columns and only ASCII."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mascarade_env import Game
from mascarade_env.game._masks import MASKS
from mascarade_env.game._record_files import write_games

_PROGRAM = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"


def shown(words: list[str], folder: Path) -> list[str]:
    """Return the lines that a command prints in this terminal."""
    places = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    narrow = {"PYTHONIOENCODING": "ascii", "COLUMNS": "40", "PYTHONPATH": os.pathsep.join(places)}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *words],
        cwd=folder,
        env={**os.environ, **narrow},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "command",
    [
        "masks",
        "scenarios",
        "behaviour games.jsonl",
        "arena --help",
        "play --seed 1 --save g.jsonl",
        "play --blind --scenario 12B --opponents statistician,random --save g.jsonl",
    ],
)
def test_lines_fit_and_nothing_is_escaped(command: str, tmp_path: Path) -> None:
    game = Game("4A", seed=1)
    game.play_randomly(80)
    write_games(tmp_path / "games.jsonl", [game])
    lines = shown(command.split(), tmp_path)
    assert len(lines) > 10
    for line in lines:
        assert len(line) <= 40
        assert "\\" not in line


def test_words_are_folded_and_not_cut(tmp_path: Path) -> None:
    lines = shown(["masks"], tmp_path)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    powers = "".join(row[-1] for row in cells if len(row) == 5)
    for mask in MASKS:
        assert "".join(mask.power.split()) in powers.replace(" ", "")


def test_the_list_of_commands_has_plain_marks(tmp_path: Path) -> None:
    assert not [line for line in shown(["--help"], tmp_path) if "\\u" in line]
