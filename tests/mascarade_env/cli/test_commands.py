"""The subcommands, run as a user runs them."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import tyro

from mascarade_env import MASKS, Game, __version__, read_games, scenarios
from mascarade_env.cli import main
from mascarade_env.game._record_files import write_games
from tests.messages import lines_stating, states
from tests.tiers import slow_from
from tests.waiting import LONG


def run(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Return the exit code, output and errors of `mascarade` with some words."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:  # tyro's own refusals
        code = int(stop.code or 0)
    output, errors = capfd.readouterr()
    return code, output, errors


COMMANDS = sorted(entry.name for entry in entry_points(group="mascarade.commands"))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(
    command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, help_text, _ = run(capfd, command, "--help")
    assert code == 0
    assert f"Example: mascarade {command}" in " ".join(help_text.replace("│", " ").split())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_folded_where_the_terminal_ends_and_nowhere_else(
    command: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    assert all(len(line) <= 70 for line in run(capfd, command, "--help")[1].splitlines())
    monkeypatch.setenv("COLUMNS", "600")
    lines = run(capfd, command, "--help")[1].splitlines()
    texts = [line.strip(" │") for line in lines]
    # A sentence broken over two lines would begin the second with a small letter.
    assert not any(line[:1].islower() for line in texts if not line.startswith("usage: "))
    assert "(default: )" not in " ".join(texts)


@pytest.mark.parametrize("words", [["fly"], ["--halp"], ["record", "--gmaes", "3"], ["replay"]])
def test_unknown_words_are_an_error(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capfd, *words)
    assert code == 2
    assert errors


def test_an_unknown_command_is_refused_with_the_nearest_one(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code, output, errors = run(capfd, "reccord", "--games", 3)
    assert (code, output) == (2, "")
    assert errors.startswith("mascarade: ")
    assert states(errors, "'reccord'", "'record'", "replay")
    assert errors.count("\n") == 1


def test_masks(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "masks")
    assert code == 0
    for mask in MASKS:
        assert mask.id in output
    rows = json.loads(run(capfd, "masks", "--json")[1])
    assert [row["id"] for row in rows] == [mask.id for mask in MASKS]
    assert rows[0]["names"] == {"it": "Giudice", "fr": "Juge", "pl": "Sędzia", "pt": "Juiz"}


def test_scenarios(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "scenarios")
    assert code == 0
    for name in scenarios():
        assert name in output
    rows = json.loads(run(capfd, "scenarios", "--json")[1])
    assert [row["name"] for row in rows] == list(scenarios())
    assert not any(row["official"] for row in rows)


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_record_writes_games_that_can_be_read(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    words = ["--scenario", "8B", "--games", 5, "--seed", 40, "--trace", "-o", file]
    code, output, _ = run(capfd, "record", *words)
    assert code == 0
    games = list(read_games(file))
    decisions = sum(len(game.history) for game in games)
    assert states(output, 5, "8B", decisions, "seed 40", file)
    assert [game.meta["seed"] for game in games] == [40, 41, 42, 43, 44]
    again = Game("8B", seed=42)
    again.play_randomly()
    assert again.to_record() == games[2].to_record()
    figures = json.loads(run(capfd, "record", *words, "--json")[1])
    assert figures == {
        "output": str(file), "scenario": "8B", "seed": 40, "games": 5, "decisions": decisions,
    }  # fmt: skip


def test_record_writes_beliefs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    assert run(capfd, "record", "--games", 2, "--seed", 3, "--beliefs", "-o", file)[0] == 0
    records = [json.loads(line) for line in file.read_text().splitlines()]
    games = [game.to_record(beliefs=True) for game in read_games(file)]
    assert records == games
    assert all(len(step["beliefs"]) == 6 for record in records for step in record["steps"])
    assert not any("masks" in step for record in records for step in record["steps"])


def test_no_games_and_one_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    for games, words in ((0, ("0 games", "0 decisions")), (1, ("1 game",))):
        code, output, _ = run(capfd, "record", "--games", games, "--seed", 1, "-o", file)
        assert code == 0
        assert states(output, "6A", *words)
        assert len(list(read_games(file))) == games


def test_a_scenario_as_it_is_listed_can_be_played(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for number, scenario in enumerate(json.loads(run(capfd, "scenarios", "--json")[1])):
        (tmp_path / f"{number}.json").write_text(json.dumps(scenario))
        code, _, _ = run(capfd, "record", "--scenario", tmp_path / f"{number}.json")
        assert code == 0


def test_help_has_no_colours_with_no_color_set(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tyro._experimental_options, "ansi_codes", True)
    monkeypatch.setattr(tyro._fmtlib, "_FORCE_ANSI", True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in run(capfd, "record", "--help")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run(capfd, "record", "--help")[1]


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "--version")[:2] == (0, f"mascarade-env {__version__}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize(
    "words", slow_from(2, ["masks", "record --seed 1", "scenarios --json", "replay FILE"])
)
def test_output_that_cannot_be_written(words: str, recorded: Path) -> None:
    program = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, *words.replace("FILE", str(recorded)).split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("mascarade: ")
    assert done.stderr.endswith("No space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_file_that_cannot_be_written_gives_an_error_alone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code, output, errors = run(capfd, "record", "--seed", 1, "-o", "/dev/full")
    assert (code, output) == (2, "")
    assert states(errors, "write", "/dev/full", "No space left on device")
    assert errors.count("\n") == 1


def test_names_that_a_terminal_cannot_show(tmp_path: Path) -> None:
    write_games(
        tmp_path / "g.jsonl", [Game("4A", seed=1, names=["Zoë", "\ud800", "名", "\x1b[2J"])]
    )
    program = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "replay", str(tmp_path / "g.jsonl")],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    for player, name in ((0, r"Zo\xeb"), (1, r"\ud800"), (3, r"\x1b[2J")):
        assert lines_stating(done.stdout, f"player {player}", name)


def test_record_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capfd, "record", "--games", 3, "--seed", 1)
    assert code == 0
    lines = output.splitlines()
    assert [Game.from_record(json.loads(line)).over for line in lines] == [True] * 3
    assert all("phase" not in json.loads(line)["steps"][0] for line in lines)
    assert "traceback" not in errors.lower()


def test_record_a_scenario_of_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "duel.json"
    scenario = {
        "name": "duel", "players": 2, "masks": ["king", "thief", "judge"], "strict": False,
        "fixed_deal": True, "turn_limit": 6, "at_limit": "richest", "opening_turns": 2,
    }  # fmt: skip
    file.write_text(json.dumps(scenario))
    code, output, _ = run(capfd, "record", "--scenario", file, "--seed", 1)
    assert code == 0
    record = json.loads(output)
    assert record["deal"] == scenario["masks"]
    assert {key: record["scenario"][key] for key in scenario} == scenario


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--scenario", "13A"], ("scenario", "'13A'", "12A")),
        (["--scenario", "none.json"], ("scenario file", "none.json", "No such file")),
        (["--games", "-1"], ("--games", 0, -1)),
        (["--games", str(2**63)], ("--games", 10**9, 2**63)),
        (["--seed", "-1"], ("seed", "2**63-1", -1)),
        (["--seed", "9223372036854775807", "--games", "2"], ("seed", "2**63-1", 2**63)),
        (["-o", "/dev/null/x.jsonl"], ("write", "'/dev/null/x.jsonl'")),
    ],
)
def test_what_record_refuses(
    words: list[str], why: tuple[object, ...], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text("precious")
    code, output, errors = run(capfd, "record", "-o", kept, *words)
    assert code == 2
    assert output == ""
    assert states(errors, *why)
    assert kept.read_text() == "precious"


def test_record_prints_figures_only_with_an_output_file(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capfd, "record", "--json")
    assert (code, output) == (2, "")
    assert states(errors, "--json", "--output")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", ("broken.json", "JSON")),
        ("[]", ("one JSON object",)),
        ('{"players": 2, "masks": ["king", "judge"]}', ("rule 3.1", 4, "12 players", 2)),
        ('{"players": 2, "masks": ["king", "joker"]}', ("mask", "'joker'")),
        ('{"players": 2}', ("'masks'", "missing")),
        ('{"players": 2, "masks": "king"}', ("masks", "list", "'king'")),
        ('{"player": 2, "masks": []}', ("field", "'player'", "'players'")),
    ],
)
def test_scenario_files_that_are_refused(
    content: str, why: tuple[object, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "broken.json"
    file.write_text(content)
    code, _, errors = run(capfd, "record", "--scenario", file)
    assert code == 2
    assert states(errors, *why)
    assert str(file) in errors


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    games = [Game("6A", seed=seed, names=list("abcdef")) for seed in range(3)]
    for game in games:
        game.play_randomly()
    write_games(tmp_path / "games.jsonl.gz", games)
    return tmp_path / "games.jsonl.gz"


def test_replay_prints_the_whole_game(recorded: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "replay", recorded, "--game", 2)
    assert code == 0
    game = Game("6A", seed=2)
    lines = output.splitlines()
    assert all(states(lines[k], f"player {k}", name) for k, name in enumerate("abcdef"))
    assert lines[6:15] == str(game).splitlines()
    game.play_randomly()
    sentences = [line.strip().partition("   [coins")[0] for line in lines[16:]]
    assert sentences[: len(game.log())] == game.log()
    assert lines[-len(str(game).splitlines()) :] == str(game).splitlines()
    assert sum("[coins" in line for line in lines) == game.turn + 1


def test_replay_as_json(recorded: Path, capfd: pytest.CaptureFixture[str]) -> None:
    record: Any = json.loads(run(capfd, "replay", recorded, "--json")[1])
    assert record == next(read_games(recorded)).to_record(trace=True)


def test_what_replay_refuses(recorded: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capfd, "replay", recorded, "--game", 3)
    assert code == 2
    assert states(errors, recorded, "game 3", "3 games", "--game", "0..2")
    code, _, errors = run(capfd, "replay", recorded, "--game", 10**20)
    assert code == 2
    assert states(errors, 10**20, 3)
    code, _, errors = run(capfd, "replay", recorded, "--game", -1)
    assert code == 2
    assert states(errors, "--game", 0, -1)
    code, _, errors = run(capfd, "replay", "none.jsonl")
    assert code == 2
    assert states(errors, "none.jsonl", "No such file")
    whole = gzip.decompress(recorded.read_bytes())
    recorded.write_bytes(gzip.compress(whole[:-100]))
    code, _, errors = run(capfd, "replay", recorded, "--game", 2)
    assert code == 2
    assert states(errors, recorded, "line 3", "JSON", "games", 2)


def test_bench(capfd: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capfd, "bench", "--only", "state", "clone-python")
    assert code == 0
    assert "208 bytes" in output
    figures = json.loads(run(capfd, "bench", "--only", "state", "--json")[1])
    assert figures["results"][0]["figure"] == 208
    assert figures["results"][0]["reached"] is True
    code, _, errors = run(capfd, "bench", "--only", "stat")
    assert code == 2
    assert states(errors, "benchmark", "'stat'", "'state'")


def test_a_reader_that_stops_early_is_no_error() -> None:
    """As `head` does in `mascarade record --games 200 | head -1`."""
    program = "import sys; from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", program, "record", "--games", "200", "--seed", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait() == 0
    assert errors == b""


@pytest.mark.slow
def test_an_interrupt_keeps_the_games_written_so_far(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    # Processes that a shell starts in the background ignore interrupts, and so do their children.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from mascarade_env.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["record", "--games", "1000000", "--seed", "1", "-o", str(file)]
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not (file.exists() and file.stat().st_size):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert "Traceback" not in errors
    games = sum(1 for _ in read_games(file))
    assert games > 0
    assert states(output, f"{games} games", "6A")


def test_an_interrupt_in_the_middle_of_a_write_waits_for_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file, written = tmp_path / "games.jsonl.gz", gzip.GzipFile.write

    def interrupted(self: gzip.GzipFile, data: bytes) -> int:
        count = written(self, data[:100])
        signal.raise_signal(signal.SIGINT)
        return count + written(self, data[100:])

    monkeypatch.setattr(gzip.GzipFile, "write", interrupted)
    code, output, errors = run(capfd, "record", "--games", 5, "--seed", 1, "-o", file)
    assert code == 130
    assert states(output, "1 game", "6A")
    assert "interrupted" in errors
    assert [game.meta["seed"] for game in read_games(file)] == [1]
