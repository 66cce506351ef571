"""Try an installed wheel: `python -I tests/project/smoke.py`, where only the wheel is installed.

With `-I` Python does not look for modules next to this file or in the current folder.
"""

import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.metadata import entry_points, files, version
from pathlib import Path

from mascarade_agents import make_agent
from mascarade_env import Game, __version__, mascarade_v0
from mascarade_env.testing import check_agent, check_env

PACKAGES = ("mascarade_env", "mascarade_agents", "mascarade_train")


def main() -> None:
    """Play, record, replay and show the commands, with what a plain `pip install` brings."""
    assert version("mascarade-env") == __version__
    top = {file.parts[0] for file in files("mascarade-env") or () if file.parts[0] != ".."}
    assert top == {*PACKAGES, f"mascarade_env-{__version__}.dist-info"}
    for name in PACKAGES:
        place = Path(import_module(name).__file__ or "")
        assert "site-packages" in place.parts, f"{place} is not of an installed package"
        assert place.with_name("py.typed").is_file(), place

    game = Game("6A", seed=1)
    game.play_randomly(seed=2)
    assert Game.from_record(game.to_record()).to_record() == game.to_record()
    for name in ("stopper", "released:6A"):
        check_agent(make_agent(name, "6A"), "6A", games=6)
    check_env(mascarade_v0.env("4A"), games=1)

    with tempfile.TemporaryDirectory() as folder:
        games, page = Path(folder) / "games.jsonl", Path(folder) / "game.html"
        run_command("record", "--scenario", "4A", "--games", "3", "--seed", "1", "-o", str(games))
        run_command("replay", str(games), "--html", str(page))
        assert "</html>" in page.read_text("utf-8")
    for entry in entry_points(group="mascarade.commands"):
        run_command(entry.name, "--help")
    print(f"mascarade-env {__version__} works on Python {sys.version.split()[0]}")


def run_command(*words: str) -> None:
    """Run `mascarade`; it may refuse for want of an extra, but not for any other reason."""
    program = "import sys; from mascarade_env.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, *words], capture_output=True, text=True, check=False
    )
    refused = done.returncode == 2 and " needs the extra " in done.stderr
    assert done.returncode == 0 or refused, f"{' '.join(words)}: {done.stdout}{done.stderr}"


if __name__ == "__main__":
    main()
