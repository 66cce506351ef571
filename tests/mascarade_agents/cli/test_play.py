"""`mascarade play`, run as a person runs it: in a pipe and in a terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
import tyro
from rich.cells import cell_len

from mascarade_agents._cli.play import play
from mascarade_env import Game, MascaradeError, read_games
from mascarade_env.cli._replay import replay
from mascarade_env.game._record_files import write_games
from tests.messages import facts, lines_stating, states
from tests.tiers import slow_from
from tests.waiting import LONG

PROGRAM = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def piped(folder: Path, typed: str, *words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "play", *map(str, words)],
        input=typed, capture_output=True, text=True, cwd=folder, check=False, timeout=LONG,
    )  # fmt: skip
    # A notice there says what is compiled at first use.
    lines = done.stderr.splitlines(keepends=True)
    done.stderr = "".join(line for line in lines if not line.startswith("mascarade_env: compil"))
    return done


class Person:
    """A person at a terminal."""

    def __init__(
        self, folder: Path, *words: object, columns: int = 80, env: dict[str, str] | None = None
    ) -> None:
        self.screen, line = pty.openpty()
        fcntl.ioctl(line, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS",)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "play", *map(str, words)],
            stdin=line, stdout=line, stderr=line, cwd=folder, start_new_session=True,
            preexec_fn=_at_terminal,  # noqa: PLW1509  there are no threads here
            env={**kept, "TERM": "xterm", **(env or {})},
        )  # fmt: skip
        os.close(line)
        self.text = ""

    def read(self, until: str) -> str:
        """Return the output until it ends with this text, or to its end."""
        new = ""
        deadline = time.monotonic() + LONG
        while not ESCAPES.sub("", new).endswith(until):
            assert select.select([self.screen], [], [], deadline - time.monotonic())[0], new
            try:
                told = os.read(self.screen, 65536)
            except OSError:  # the end, on Linux
                break
            if not told:
                break
            new += told.decode(errors="replace")
        self.text += new
        return new

    def type(self, keys: str, until: str = "> ") -> str:
        """Type keys, and return the output after them."""
        os.write(self.screen, keys.encode())
        return self.read(until)

    def leave(self) -> int:
        """Read to the end, and return the exit code."""
        self.read("no such end")
        os.close(self.screen)
        return self.process.wait(LONG)


def _at_terminal() -> None:
    # Tests that run in the background may have inherited that interrupts are ignored.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_game_in_a_pipe(tmp_path: Path) -> None:
    done = piped(tmp_path, "take 3\nswap\nfly\n", "--seed", 7, "--save", "g.jsonl", "--name", "Zoë")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert max(map(cell_len, done.stdout.splitlines())) <= 80
    assert "\n> take 3\n" in done.stdout
    assert '"fly"' in done.stdout
    assert "mascarade play --resume g.jsonl" in done.stdout
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.names == ["Zoë", *["released"] * 5]
    assert kept.meta["seed"] == 7
    assert kept.player == 0
    again = piped(tmp_path, "", "--resume", "g.jsonl")
    assert again.returncode == 0
    assert done.stdout.count("Turn 0") == 1
    (same,) = read_games(tmp_path / "g.jsonl")
    assert same.to_record() == kept.to_record()


def test_input_that_is_no_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "play", "--save", "g.jsonl"],
        input=b"\xff\x00\ntake 1\n", capture_output=True, cwd=tmp_path, check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
    )  # fmt: skip
    assert done.returncode == 0
    assert b"means nothing here" in done.stdout
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.history == [(0, "take:1")]


_WITHOUT = """
import sys
sys.modules[{module!r}] = None  # an import of it is an ImportError
from mascarade_agents._cli.play import play
play(seed=7)
"""


@pytest.mark.parametrize("module", slow_from(1, ["mascarade_train", "torch"]))
def test_who_plays_by_default(module: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT.format(module=module)],
        input="take 1\nswap\n", capture_output=True, text=True, cwd=tmp_path, check=True,
    )  # fmt: skip
    (file,) = tmp_path.iterdir()
    (kept,) = read_games(file)
    assert kept.player == 0
    assert "failed" not in done.stdout
    if module == "torch":
        assert kept.names == ["you", *["released"] * 5]
        assert states(done.stdout, "5 opponents", 'agent "released"')
    else:
        assert kept.names == ["you", *["stopper"] * 5]
        assert states(done.stdout, "released", "cannot play", "mascarade_train", "agent stopper")


def test_a_scenario_without_a_released_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mascarade_train._released.FOLDER", tmp_path)
    monkeypatch.setattr("sys.stdin", None)
    play(scenario="4A", save="g.jsonl")
    assert states(capsys.readouterr().out, "released", "no released network", "agent stopper")


def test_further_games(tmp_path: Path) -> None:
    words = [
        "--scenario", "4A", "--seed", 5, "--seat", 1, "--save", "g.jsonl", "--opponents", "random",
        "--blind",
    ]  # fmt: skip
    person = Person(tmp_path, *words)
    new = person.read("> ")
    for answer in ("yes", "maybe", "no"):
        while "yes or no." not in new:
            listed = re.findall(r"\[(\d+)\]", ESCAPES.sub("", new))
            new = person.type(f"{listed[-1]}\n")
        new = person.type(f"{answer}\n", "never" if answer == "no" else "> ")
    assert person.leave() == 0
    first, second = (next(iter(read_games(tmp_path / f"{n}.jsonl"))) for n in ("g", "g-2"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g-2.jsonl", "g.jsonl"]
    assert (first.meta["seed"], second.meta["seed"]) == (5, 6)
    won = [1 in (game.winners or []) for game in (first, second)]
    assert f"won {won[0]:d} of 1 game." in person.text
    assert f"won {sum(won)} of 2 games." in person.text
    for game in (first, second):
        assert game.over
        assert game.names == ["random", "you", "random", "random"]
        assert game.meta["play"]["blind"]
    assert "as far as you know" not in person.text


@pytest.mark.slow
def test_no_input_at_all(tmp_path: Path) -> None:
    shell = ["sh", "-c", 'exec "$0" -c "$1" play <&-', sys.executable, PROGRAM]
    done = subprocess.run(shell, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0
    (file,) = tmp_path.iterdir()
    assert re.fullmatch(r"mascarade-6A-\d{8}-\d{6}\.jsonl", file.name)
    assert f"--resume {file.name}" in done.stdout.replace("\n", " ")
    assert len(list(read_games(file))) == 1


@pytest.mark.parametrize("columns", slow_from(1, [80, 30]))
def test_a_whole_game_in_a_terminal(
    columns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "--scenario",
        "5A",
        "--seed",
        3,
        "--seat",
        2,
        "--save",
        "g.jsonl",
        "--name",
        "名前",
        "--opponents",
        "random",
    ]
    person = Person(tmp_path, *words, columns=columns)
    new = person.read("> ")
    while "yes or no" not in new:
        listed = re.findall(r"\[(\d+)\]", ESCAPES.sub("", new))
        new = person.type(f"{listed[-1]}\n")
    person.type("no\n", "never")
    assert person.leave() == 0
    assert "\x1b[1m" in person.text
    plain = ESCAPES.sub("", person.text).splitlines()
    assert max(cell_len(line) for line in plain) <= columns
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.over
    assert any("masks at the end" in line for line in plain)
    replay(str(tmp_path / "g.jsonl"))
    assert lines_stating(capsys.readouterr().out, "player 2", "名前")


@pytest.mark.parametrize("env", slow_from(1, [{"NO_COLOR": "1"}, {"TERM": "dumb"}]))
def test_without_colour(env: dict[str, str], tmp_path: Path) -> None:
    person = Person(tmp_path, "--save", "g.jsonl", env=env)
    assert "Your turn." in person.read("> ")
    person.type("quit\n", "never")
    assert person.leave() == 0
    assert "\x1b[1m" not in person.text
    assert "\x1b[3" not in person.text


@pytest.mark.slow
def test_the_end_of_input_in_a_terminal(tmp_path: Path) -> None:
    person = Person(tmp_path, "--save", "g.jsonl", "--seed", 5)
    person.read("> ")
    person.type("take 1\n")
    person.type("\x04", "never")
    assert person.leave() == 0
    assert "mascarade play --resume g.jsonl" in person.text
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.history == [(0, "take:1")]


def test_an_interrupt_in_a_terminal(tmp_path: Path) -> None:
    person = Person(tmp_path, "--save", "g.jsonl", "--seed", 5)
    person.read("> ")
    person.type("take 1\n")
    time.sleep(0.5)  # Python handles interrupts a moment after the prompt appears
    person.type("\x03", "never")
    assert person.leave() == 130
    assert "mascarade play --resume g.jsonl" in person.text
    assert "mascarade: interrupted" in person.text
    assert "Traceback" not in person.text
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.history == [(0, "take:1")]


@pytest.mark.slow
def test_an_interrupt_while_the_others_play(tmp_path: Path) -> None:
    person = Person(tmp_path, "--save", "g.jsonl", "--seed", 5, "--pause", 100, "--seat", 1)
    person.read("under the table.\r\n")
    os.kill(person.process.pid, signal.SIGINT)
    assert person.leave() == 130
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert len(kept.history) == 1


def test_a_kill_loses_no_decision(tmp_path: Path) -> None:
    person = Person(tmp_path, "--save", "g.jsonl", "--seed", 5)
    person.read("> ")
    person.type("take 1\n")
    person.process.kill()
    person.leave()
    (kept,) = read_games(tmp_path / "g.jsonl")
    assert kept.history == [(0, "take:1")]


@pytest.mark.slow
def test_a_game_goes_on_another_day(tmp_path: Path) -> None:
    typed = ["take 3", "swap", "7", "look", "pass", "pass", "claim", "1", "1", "1", "1"]
    once, half, rest = ("".join(f"{line}\n" for line in p) for p in (typed, typed[:4], typed[4:]))
    words = ["--opponents", "random,random", "--seed", 7, "--save"]
    assert piped(tmp_path, once, *words, "once.jsonl").returncode == 0
    assert piped(tmp_path, half, *words, "half.jsonl").returncode == 0
    (before,) = read_games(tmp_path / "half.jsonl")
    assert piped(tmp_path, rest, "--resume", "half.jsonl").returncode == 0
    (game,), (again,) = (read_games(tmp_path / f"{name}.jsonl") for name in ("once", "half"))
    assert len(before.history) < len(game.history)
    assert again.to_record() == game.to_record()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--opponents randm", ["agent", "'randm'", "'random'"]),
        ("--opponents random,,random", ["--opponents", "commas"]),
        ("--opponents r,r,r,r,r,r", ["--opponents", 5, "6A", 6]),
        ("--scenario 4A --seat 4", ["--seat", 0, 3, "4A", 4]),
        ("--seat -1", ["--seat", 0, 5, "6A", -1]),
        ("--scenario 6Z", ["scenario", "'6Z'", "6A"]),
        ("--seed -1", ["seed", "2**63-1", -1]),
        ("--hints nobody", ["agent", "'nobody'", "honest"]),
        ("--opponents random:3", ["RandomAgent", "colon", "'3'"]),
        ("--pause -1", ["--pause", "seconds", "-1.0"]),
        ("--pause nan", ["--pause", "seconds", "nan"]),
        ("--save there.jsonl", ["there.jsonl", "exists"]),
        ("--save no/g.jsonl", ["write", "no/g.jsonl", "No such file"]),
        ("--resume nowhere.jsonl", ["nowhere.jsonl", "No such file"]),
        ("--resume there.jsonl", ["played", "`mascarade play`"]),
        ("--resume over.jsonl", ["over", "mascarade replay over.jsonl"]),
        ("--resume two.jsonl", ["two.jsonl", "several games"]),
        (
            "--resume there.jsonl --seed 3",
            ["--resume", "scenario", "seat", "seed", "name", "blind"],
        ),
    ],
)
def test_what_is_wrong_is_said_before_the_game(
    words: str, why: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    over = Game("4A", seed=1)
    over.play_randomly()
    write_games("there.jsonl", [Game("4A", seed=1)])
    write_games("over.jsonl", [over])
    write_games("two.jsonl", [Game("4A", seed=1), over])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(MascaradeError, match=facts(*why)):
        tyro.cli(play, args=words.split())
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_empty_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MascaradeError, match=facts("--name")):
        tyro.cli(play, args=["--name", " "])
    assert not list(tmp_path.iterdir())


def test_a_wrong_option_is_exit_code_2(tmp_path: Path) -> None:
    done = piped(tmp_path, "", "--opponents", "randm")
    assert done.returncode == 2
    assert states(done.stderr, "mascarade", "agent", "'randm'", "'random'")
