"""RESULTS.md: made from files alone, and marked where a file is missing."""

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab import result_files
from lab.calibration import add
from lab.experiments.full import PLAYED, SIZES
from lab.results_page import exact
from lab.results_page.page import PAGE, make
from lab.results_page.pictures import spread
from lab.results_page.records import NOT_YET
from lab.results_page.targets import Case, targets
from mascarade_env import MascaradeError
from mascarade_train._best_response import calibration
from mascarade_train._best_response.calibration import Calibration, Line
from mascarade_train._best_response.settings import ResponseSettings
from tests.lab import made_up_results as made_up
from tests.messages import facts, states

COMMITTED = result_files.FOLDER
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for invented results, without a calibration."""
    monkeypatch.setattr(result_files, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(calibration, "FILE", tmp_path / "calibration.json")
    return tmp_path


def page(folder: Path) -> str:
    (file, *_) = make(folder / "RESULTS.md", folder / "results")
    return file.read_text("utf-8")


def section(text: str, title: str) -> str:
    (found,) = (part for part in re.split(r"^##+ ", text, flags=re.M) if part.startswith(title))
    return found


def rows(text: str) -> list[list[str]]:
    return [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("| ")]


def verdicts() -> list[str]:
    return [row[2] for row in targets()]


def words_of(svg: Path) -> list[str]:
    return re.findall(r">([^<>\s][^<>]*)</", svg.read_text("utf-8"))


# The page


def test_without_results_nothing_is_made_up(folder: Path) -> None:
    text = page(folder)
    assert all(row[1].startswith(NOT_YET) and not row[2] for row in targets())
    assert not list((folder / "results").iterdir())
    figures = re.sub(r"at most 0\.\d\d|at most 21\.7|\bthe fair share is [\d.]+", "", text)
    text = section(figures, "Small games that") + section(figures, "What a best response")
    for row in rows(text):
        # The fair share has its own column, and needs no measurement.
        assert not [cell for cell in row if re.fullmatch(r"\d+\.\d+ \(.*|0\.\d+", cell)]


def test_all_results_are_there(folder: Path) -> None:
    made_up.exact()
    made_up.full()
    text = page(folder)
    assert NOT_YET not in section(text, "The goals")
    assert f"{NOT_YET.capitalize()}:" not in text
    small = rows(section(text, "Small games that"))
    assert ["small-2", "uniform", "", "0.900", "", ""] in small
    regularised = ["10,000,400 decisions, 5 seeds", "0.070", "0.050 to 0.090", "at most 0.10"]
    assert ["small-2", "regularised", *regularised] in small
    assert ["small-2", "CFR+", "1,000 iterations, 1,234 nodes", "0.00100", "", ""] in small
    play = rows(section(text, "How the policies play"))
    looks = next(row for row in play if "`look_rate`" in row[0])
    assert looks[1:5] == ["50.0", "7.0, 5.0 to 9.0", "52.0, 50.0 to 54.0", "25.0"]
    rare = next(row for row in play if "`look_known`" in row[0])
    assert rare[1:3] == ["(50.0)", "(7.0, 5.0 to 9.0)"]
    never = next(row for row in play if "`swap_fool`" in row[0])
    assert set(never[1:]) == {"-"}
    networks = rows(section(text, "The networks that come"))
    cells = ["2,000,000", "11", "98,765", "", "`mascarade train --preset 6A`", "This is 6A."]
    assert ["6A", "6A", *cells] in networks
    assert [row[5] for row in networks if row[0] == "small-2"] == ["0.062"]
    for name, scenario in PLAYED.items():
        duels = rows(section(text, f"The network {name} in {scenario}"))
        assert ["ismcts:500", "40.0 (39.0 to 41.0)", "10.0 (9.0 to 11.0)", ""] in duels
        assert len(duels) == 9
    sizes = rows(section(text, "One network"))
    assert ["9A", "11.1", "40.0 (39.0 to 41.0)", "5.0 (4.0 to 6.0)", "-", "-", ""] in sizes
    assert len(sizes) == 1 + len(SIZES)
    responses = rows(section(text, "What a best response"))
    won = "20.0, 20.0, 20.0, 20.0"
    assert ["8A", "8A", "12.5", "20.0 (19.0 to 21.0)", "3,000,100", won, ""] in responses
    looks = next(
        row for row in rows(section(text, "How the networks play\n")) if "`look_rate`" in row[0]
    )
    assert looks[1:] == ["50.0 (45.0 to 55.0)"] * len(PLAYED) + ["25.0"] * 2
    assert "; padded in 6A: 50% vs 5 sceptic, 40% vs 5 stopper" in text


def test_results_of_an_earlier_release_do_not_count(folder: Path) -> None:
    made_up.full()
    before = page(folder)
    made_up.network("6A", policy="fedcba9876543210")
    text = page(folder)
    assert "ismcts:500" in section(before, "The network 6A in 6A")
    assert states(section(text, "The network 6A in 6A"), NOT_YET)
    assert section(text, "The network 8A in 8A") == section(before, "The network 8A in 8A")
    assert f"{NOT_YET.capitalize()}: 6A." in section(text, "How the networks play\n")


@pytest.mark.slow
def test_results_of_other_settings_do_not_count(folder: Path) -> None:
    made_up.exact()
    made_up.full()
    made_up.exact_run("small-2", "regularised", 3, 0.01, entropy=0.123)
    made_up.response("6A", "6A", made_up.share(0.2), settings={"decisions": 17})
    page(folder)
    found = list(targets())
    assert states(found[0][1], NOT_YET, "4 of 5 seeds")
    assert found[5][1] == NOT_YET
    responses = rows(section(page(folder), "What a best response"))
    assert ["6A", "6A", "16.7", NOT_YET, "", "", ""] in responses


def test_a_network_of_two_runs_has_both_commands(folder: Path) -> None:
    made_up.full()
    found = result_files.read("released/6A")
    assert found is not None
    first = {"command": "mascarade train --preset 6A", "decisions": 40_000_000, "seconds": 3_600}
    found["card"]["provenance"] |= {"start": first}
    result_files.write("released/6A", found)
    networks = rows(section(page(folder), "The networks that come"))
    commands = "`mascarade train --preset 6A`, then `mascarade train --preset 6A`"
    assert ["6A", "6A", "42,000,000", "71", "98,765", "", commands, "This is 6A."] in networks


def test_forfeits_and_stopped_games_are_reported(folder: Path) -> None:
    made_up.full()
    trouble: dict[str, Any] = {"forfeits": {"ismcts:500": 3}, "broken_off": 2}
    made_up.duel("6B", "6B", "honest", made_up.share(0.3), made_up.share(0.2), **trouble)
    note = "forfeited by ismcts:500: 3 games; 2 of 8,400 games stopped early"
    shares = ["30.0 (29.0 to 31.0)", "20.0 (19.0 to 21.0)"]
    assert ["honest", *shares, note] in rows(section(page(folder), "The network 6B in 6B"))


def test_a_calibration_counts_if_it_is_of_the_same_procedure(folder: Path) -> None:
    made_up.full()
    line = Line("small-3", "stopper", true_gain=0.4, found=0.3, measured=0.31)
    other = ResponseSettings(layers=(64,))
    add(Calibration(other, 9, {}, (line,)), calibration.FILE)
    assert states(page(folder), f"{NOT_YET.capitalize()} with", "settings")
    same = ResponseSettings(seed=8, evaluation=5)
    add(Calibration(same, 9, {}, (line,)), calibration.FILE)
    found = rows(section(page(folder), "What a best response"))
    assert ["small-3", "stopper", "0.4000", "0.3000", "75"] in found


def test_responses_are_reported_with_their_training(folder: Path) -> None:
    made_up.full()
    shares = [0.1, 0.1, 0.15, 0.2]
    made_up.response("4A", "4A", made_up.share(0.4), shares=shares, broken_off=7)
    made_up.response("6B", "6B", made_up.share(0.3), shares=shares[:2], whole=False)
    found = {row[0]: row for row in rows(section(page(folder), "What a best response"))}
    assert found["4A"][3] == "40.0 (39.0 to 41.0)"
    assert found["4A"][5] == "10.0, 10.0, 15.0, 20.0"
    assert states(found["4A"][6], "7 of 4,200 games")
    assert found["6B"][5] == ""
    assert states(found["6B"][6], "budget")
    assert found["6A"][5:] == ["20.0, 20.0, 20.0, 20.0", ""]


def test_games_that_never_end_are_reported_with_play(folder: Path) -> None:
    made_up.full()
    made_up.played("6A", "6A", broken_off=5)
    found = rows(section(page(folder), "How the networks play\n\nThe rates"))
    line = next(row for row in found if row[0] == "*games stopped early*")
    assert line[1:3] == ["5 of 1,000", "0 of 1,000"]


def test_a_few_seeds_are_reported_as_such(folder: Path) -> None:
    for seed in (0, 1):
        made_up.exact_run("small-2", "regularised", seed, 0.05)
    text = page(folder)
    assert states(text, "2 of 5 seeds")
    (row, *_) = targets()
    assert states(row[1], NOT_YET, "2 of 5 seeds")
    assert row[2:] == [""]
    assert "regularised self-play from 1.00 to 0.050](results/nashconv-small-2.svg)" in text
    assert states(text, f"small-3: {NOT_YET}")


def test_a_damaged_file_is_refused(folder: Path) -> None:
    made_up.exact()
    (result_files.FOLDER / "exact/small-2-cfr.json").write_text("{")
    with pytest.raises(MascaradeError, match=facts("small-2-cfr.json", "damaged")):
        page(folder)


# Verdicts


@pytest.mark.parametrize(
    ("mean", "off", "at_least", "rank"),
    [
        (0.5, 0.1, True, 0), (0.35, 0.1, True, 1), (0.25, 0.1, True, 2), (0.1, 0.1, True, 3),
        (0.1, 0.1, False, 0), (0.25, 0.1, False, 1), (0.35, 0.1, False, 2), (0.5, 0.1, False, 3),
    ],
)  # fmt: skip
def test_a_goal_is_reached_if_the_interval_is_on_its_side(
    mean: float, off: float, at_least: bool, rank: int
) -> None:
    assert Case("a", made_up.share(mean, off), 0.3, at_least).rank == rank


def test_goals_that_are_not_reached_are_reported(folder: Path) -> None:
    made_up.exact()
    made_up.full()
    assert verdicts() == ["reached"] * 8
    made_up.exact_run("small-2", "regularised", 0, 0.11)
    assert states(verdicts()[0], "reached", "average", "seed")
    made_up.exact_run("small-2", "regularised", 0, 0.4)
    assert verdicts()[0] == "**not reached**"
    made_up.duel("6A", "6A", "stopper", made_up.share(0.3), made_up.share(0.17))
    made_up.duel("6A", "6A", "ismcts:500", made_up.share(0.17), made_up.share(0.1))
    made_up.response("6A", "6A", made_up.share(0.23))
    made_up.duel("padded", "11A", "stopper", made_up.share(0.07), made_up.share(0.09))
    found = list(targets())
    # Whether a goal is reached, and whether by the mean alone.
    assert [(not states(row[2], "not reached"), states(row[2], "mean")) for row in found[2:]] == [
        (False, False),
        (False, True),
        (True, True),
        (False, False),
        (False, False),
        (True, True),
    ]
    assert found[2][1] == "stopper 30.0 (29.0 to 31.0)"
    assert states(found[4][1], "ismcts:500 17.0 (16.0 to 18.0)")
    assert states(found[5][1], "best response", "23.0 (22.0 to 24.0)")
    assert found[6][1] == "11A 7.0 (6.0 to 8.0)"
    assert states(found[5][0], "21.7", "1 vs 5 6A")


def test_a_goal_is_not_reached_before_all_of_it_is_measured(folder: Path) -> None:
    made_up.network("padded")
    made_up.duel("padded", "9A", "stopper", made_up.share(0.4), made_up.share(0.5))
    alone, against = list(targets())[-2:]
    assert states(alone[1], "9A 40.0 (39.0 to 41.0)", f"{NOT_YET}: 4A, 5A")
    assert alone[2] == ""
    assert against[2] == "**not reached**"


# Pictures


@pytest.mark.slow
def test_the_same_files_make_the_same_bytes(folder: Path) -> None:
    made_up.exact()
    made_up.full()
    first = make(folder / "a.md", folder / "a")
    second = make(folder / "b.md", folder / "b")
    assert [file.name for file in first[1:]] == [
        "nashconv-small-2.svg",
        "nashconv-small-3.svg",
        "learning.svg",
    ]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
        if one.suffix == ".svg":
            assert not re.search(r"<dc:date>|20\d\d-\d\d-\d\d", one.read_text("utf-8"))
    made_up.exact_run("small-2", "naive", 2, 0.7)
    assert make(folder / "b.md", folder / "b")[1].read_bytes() != first[1].read_bytes()


def test_pictures_say_what_they_show(folder: Path) -> None:
    made_up.exact()
    made_up.full()
    make(folder / "a.md", folder / "a")
    words = words_of(folder / "a/nashconv-small-3.svg")
    for word in (
        "NashConv in small-3", "NashConv (win shares)", "decisions of training (millions)",
        "iterations over the whole tree", "uniform play", "goal, 0.15", "regularised, 5 seeds",
        "naive, 5 seeds", "CFR+",
    ):  # fmt: skip
        assert words.count(word) == 1
    words = words_of(folder / "a/learning.svg")
    tables = ["4A: 1 vs 3", "6A: 1 vs 5", "6B: 1 vs 5", "8A: 1 vs 7"]
    others = ["padded in 6A: 1 vs 5", "naive in 6A: 1 vs 5"]
    assert [word for word in words if " vs " in word] == [*tables, *others]
    opponents = ("vs copies of sceptic", "vs copies of stopper")
    for word in (*opponents, "fair share, 1/n", "win share", "decisions of training (millions)"):
        assert words.count(word) == 1
    # Each panel has its own labels; both axes begin at 0.
    assert words.count("0.2") == 6
    assert sum(words.count(zero) for zero in ("0", "0.0")) == 12


def test_curves_of_seeds_are_put_together_where_all_are_known() -> None:
    found = spread(
        [
            [[0, 1.0], [10, 0.5], [20, 0.1]],
            [[0, 1.0], [8, 0.6], [16, 0.2]],
            [[0, 1.0], [20, 0.0]],
        ]
    )
    assert found.places.tolist() == [0, 10, 16]
    np.testing.assert_allclose(found.middle, [1, 0.5, 0.2])
    np.testing.assert_allclose(found.low, [1, 0.5, 0.2])
    np.testing.assert_allclose(found.high, [1, 0.5, 0.23])


# What is committed


def test_the_page_is_that_of_the_results_that_are_there(tmp_path: Path) -> None:
    assert any(COMMITTED.rglob("*.json"))
    made = make(tmp_path / PAGE.name, tmp_path / COMMITTED.name)
    again = "run `make results`"
    assert PAGE.read_text("utf-8") == made[0].read_text("utf-8"), again
    pinned = f"matplotlib=={version('matplotlib')}\n" in (ROOT / "constraints.txt").read_text()
    for file in made[1:]:
        kept = COMMITTED / file.name
        assert words_of(kept) == words_of(file), again
        # Other versions of matplotlib draw the same a little elsewhere.
        assert not pinned or kept.read_bytes() == file.read_bytes(), again


def test_links_lead_somewhere(folder: Path) -> None:
    made_up.exact()
    made_up.full()
    text = page(folder)
    links = re.findall(r"\]\(([^)#]+)\)|^\[\w+\]: (.*)$", text, flags=re.M)
    assert len(links) > 5
    for found in links:
        link = "".join(found)
        assert (folder / link).exists() or (PAGE.parent / link).exists(), link
    for picture in re.findall(r"!\[([^\]]*)\]", text):
        assert len(picture) > 60


def test_goals_are_those_that_were_set() -> None:
    assert exact.GOALS == {"small-2": 0.10, "small-3": 0.15}
    words = [row[0] for row in targets()]
    assert states(words[2], "6A", "1 vs 5", "a third", "hand-written agent")
    assert len(words) == 8
