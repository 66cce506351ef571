"""A run that was stopped resumes, and has the results of a run without a stop."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from mascarade_agents.arena import Outcome, Plan, Standing, run
from mascarade_agents.arena._journal import _line
from mascarade_env import MascaradeError, __version__
from tests.mascarade_agents.arena.saboteurs import DUEL, TRIO, Chancy, Raises, Unmade, Viewing
from tests.mascarade_agents.arena.test_play import same
from tests.messages import facts
from tests.tiers import slow_from

CHANCY = ("chancy", Chancy)
AGENTS = [CHANCY, ("viewing", Viewing), ("raises", Raises)]


def play(file: Path | None, *, resume: bool = False, **other: Any) -> Outcome:
    wanted: dict[str, Any] = {
        "agents": AGENTS, "scenario": TRIO, "games": 24, "seed": 3, "measured": 5, **other,
    }  # fmt: skip
    return run(**wanted, output=file, resume=resume)


def alike(one: Outcome, other: Outcome) -> bool:
    return (
        same(one.results, other.results)
        and one.forfeits == other.forfeits
        and one.behaviour == other.behaviour
        and [game.history for game in one.games()] == [game.history for game in other.games()]
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Outcome]:
    """The file and the outcome of a complete run."""
    file = tmp_path_factory.mktemp("arena") / "a.jsonl"
    outcome = play(file)
    assert alike(outcome, play(None))
    return file.read_bytes(), outcome


@pytest.mark.parametrize("every", slow_from(1, [7, 1]))
def test_a_run_goes_on_after_any_cut(
    whole: tuple[bytes, Outcome], tmp_path: Path, every: int
) -> None:
    data, outcome = whole
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    assert len(ends) > 6
    middles = [(a + b) // 2 for a, b in zip([0, *ends], ends, strict=False)]
    cuts = {0, 1, *ends, *(end - 1 for end in ends), *middles}
    for cut in sorted(cuts)[::every]:
        file = tmp_path / f"{cut}.jsonl"
        file.write_bytes(data[:cut])
        told: list[Standing] = []
        assert alike(play(file, resume=True, progress=told.append), outcome)
        lines = sum(end <= cut for end in ends)  # one of them is the header
        assert len(told) == len(ends) - max(lines, 1)
        assert sorted(file.read_bytes().splitlines()) == sorted(data.splitlines())


def test_an_interrupt_keeps_what_is_finished(whole: tuple[bytes, Outcome], tmp_path: Path) -> None:
    data, outcome = whole
    file = tmp_path / "a.jsonl"

    def interrupt(standing: Standing) -> None:
        if standing.games > 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(file, progress=interrupt)
    kept = file.read_bytes()
    assert data.startswith(kept)
    assert 2 < kept.count(b"\n") < data.count(b"\n")
    begun: list[tuple[int, int]] = []

    def begin(plan: Plan, done: int) -> None:
        begun.append((len(plan), done))

    assert alike(play(file, resume=True, workers=1, begun=begin), outcome)
    chunks = [json.loads(line) for line in kept.splitlines()[1:]]
    assert begun == [(len(outcome.plan), sum(len(chunk["winners"]) for chunk in chunks))]


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    for text in ("my diary", "my\n"):
        file.write_text(text)
        with pytest.raises(MascaradeError, match=facts(file, "arena")):
            play(file, resume=True)
        with pytest.raises(MascaradeError, match=facts(file, "exists", "resume", "another file")):
            play(file)
        assert file.read_text() == text
    file.write_text('{"format": "mascarade-record"}\n')
    with pytest.raises(MascaradeError, match=facts(file, "arena")):
        play(file, resume=True)
    assert file.read_text() == '{"format": "mascarade-record"}\n'
    with pytest.raises(MascaradeError, match=facts(tmp_path, "file")):
        play(tmp_path)


def test_a_run_that_could_not_begin_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    with pytest.raises(
        MascaradeError, match=facts("agent", "'unmade'", "OSError: no such network")
    ):
        play(file, agents=[CHANCY, ("unmade", Unmade)])
    assert not file.exists()

    class Hidden(Chancy):
        pass

    with pytest.raises(MascaradeError, match=facts("module", "__main__", "workers=0")):
        play(file, agents=[CHANCY, ("hidden", Hidden)], workers=1)
    assert not play(file, games=3, agents=[CHANCY, ("hidden", Hidden)]).forfeits


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 4}, ["seed", 3, 4]),
        ({"games": 25}, ["games", 24, 25]),
        ({"pair_games": 6}, ["pair_games", None, 6]),
        ({"alone": ["raises"]}, ["alone", None, "['raises']"]),
        ({"tables": "one"}, ["tables", "'both'", "'one'"]),
        ({"measured": 0}, ["measured", 5, 0]),
        ({"most_decisions": 9}, ["most_decisions", 1000, 9]),
        ({"scenario": DUEL}, ["scenario", "'trio'", "'duel'"]),
        (
            {"agents": AGENTS[:2]},
            ["agents", "['chancy', 'viewing', 'raises']", "['chancy', 'viewing']"],
        ),
        (
            {"agents": [CHANCY, ("viewing", Chancy), AGENTS[2]]},
            ["with_views", "['viewing']", "[]"],
        ),
    ],
)
def test_another_run_is_refused(
    whole: tuple[bytes, Outcome], tmp_path: Path, change: dict[str, Any], words: list[object]
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(whole[0])
    with pytest.raises(MascaradeError, match=facts("another run", *words)):
        play(file, resume=True, **change)
    assert file.read_bytes() == whole[0]


def test_a_run_of_fewer_settings_is_another_one(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    settings: dict[str, Any] = {"pair_games": 6, "alone": ["raises"]}
    play(file, games=3, **settings)
    for name, value in settings.items():
        others = {key: kept for key, kept in settings.items() if key != name}
        with pytest.raises(MascaradeError, match=facts("another run", name, value, None)):
            play(file, resume=True, games=3, **others)


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        "nonsense",
        '{"chunk": 0}',
        '{"chunk":99,"winners":[],"forfeits":[],"decisions":[],"broken_off":0,"faults":[],'
        '"measured":{},"sums":{}}',
    ],
)
def test_a_damaged_line_is_named(whole: tuple[bytes, Outcome], tmp_path: Path, line: str) -> None:
    file = tmp_path / "a.jsonl"
    lines = whole[0].decode().splitlines()
    lines[2] = line
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(
        MascaradeError, match=facts("a.jsonl", "line 3", "damaged", "remove", "resume")
    ):
        play(file, resume=True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("chunk", -1),
        ("chunk", True),
        ("winners", [2**70]),
        ("winners", [8]),
        ("forfeits", [3]),
        ("forfeits", [-2]),
        ("decisions", [-1]),
        ("decisions", ["many"]),
        ("broken_off", 1000),
        ("faults", [[3, "raised", 1, ""]]),
        ("faults", [[0, "slept", 1, ""]]),
        ("faults", [[0, "raised", 10**6, ""]]),
        ("faults", [[0, "raised", 1, None]]),
        ("measured", {"0": [10**9]}),
        ("measured", {}),
        ("measured", None),
        ("sums", {"nobody": []}),
        ("sums", {"chancy": [[None, {"early": {"false": [-1.0, 0.0]}}]]}),
    ],
)
def test_a_chunk_that_cannot_be_is_refused_whatever_its_checksum(
    whole: tuple[bytes, Outcome], tmp_path: Path, field: str, value: Any
) -> None:
    file = tmp_path / "a.jsonl"
    lines = whole[0].splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if n and json.loads(line)["measured"])
    changed = json.loads(lines[at])
    del changed["crc32"]
    if isinstance(changed[field], list) and field != "faults":
        value = value + changed[field][1:]
    for data, refused in (({**changed, field: value}, True), (changed, False)):
        file.write_bytes(b"".join([*lines[:at], _line(data), *lines[at + 1 :]]))
        words = rf"a\.jsonl, line {at + 1} is damaged"
        with pytest.raises(MascaradeError, match=words) if refused else nullcontext():
            play(file, resume=True)


def test_damage_to_any_field_is_noticed(whole: tuple[bytes, Outcome], tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    lines = whole[0].splitlines(keepends=True)
    for number in (0, 2, len(lines) - 1):
        line = lines[number]
        digits = [place for place, byte in enumerate(line) if chr(byte).isdigit()]
        for place in digits[:: len(digits) // 20 + 1]:
            changed = line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]
            file.write_bytes(b"".join([*lines[:number], changed, *lines[number + 1 :]]))
            words = rf"line {number + 1}\b.*\bdamaged"
            if not number:
                words += r"|\bversion\b|\barena"
            with pytest.raises(MascaradeError, match=words):
                play(file, resume=True)


def test_a_file_of_an_older_version_is_refused(
    whole: tuple[bytes, Outcome], tmp_path: Path
) -> None:
    file = tmp_path / "a.jsonl"
    header = json.loads(whole[0].splitlines()[0])
    del header["crc32"]
    file.write_text(json.dumps({**header, "version": 2}) + "\n")
    with pytest.raises(MascaradeError, match=facts("another run", "version", 2, 3)):
        play(file, resume=True)


def test_a_version_is_part_of_a_run(whole: tuple[bytes, Outcome], tmp_path: Path) -> None:
    header, _, rest = whole[0].partition(b"\n")
    changed = {**json.loads(header), "package": "0.0.1"}
    del changed["crc32"]
    file = tmp_path / "a.jsonl"
    file.write_bytes(_line(changed) + rest)
    with pytest.raises(
        MascaradeError, match=facts("another run", "package", "'0.0.1'", repr(__version__))
    ):
        play(file, resume=True)
