"""Measurements that run once and are stored."""

import importlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lab import result_files
from lab.__main__ import main
from lab.experiments import command, exact, full
from lab.experiments.jobs import Job, do_all
from lab.pages import equilibria as page
from lab.release import command as training_command
from mascarade_agents._ladder import LADDER
from mascarade_env import MascaradeError, scenarios
from mascarade_env.exact import build, nash_conv
from mascarade_train import _released as released
from mascarade_train import _settings as presets
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.calibration import differences
from mascarade_train._best_response.calibration import load as calibrations
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._run.start import start
from tests.mascarade_train.counting import shares_at_tables
from tests.mascarade_train.random_nets import random_net
from tests.messages import facts, states
from tests.tiers import slow_from

SHORT: dict[str, Any] = {
    "decisions": 1200, "games": 16, "steps": 16, "minibatches": 2, "evaluate_every": 500,
    "evaluation": 4, "layers": (16,), "events": 2,
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use other folders for results, networks and runs, and short trainings."""
    monkeypatch.setattr(result_files, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(released, "FOLDER", tmp_path / "released")
    monkeypatch.setattr(exact, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(full, "JOURNALS", tmp_path / "runs")
    (tmp_path / "released").mkdir()
    for name in ("small-2", "naive-2"):
        monkeypatch.setitem(presets.PRESETS, name, replace(presets.PRESETS[name], **SHORT))
    return tmp_path


def job(name: str) -> Job:
    (found,) = (each for each in (*exact.jobs(), *full.jobs()) if each.name == name)
    return found


def result(name: str) -> dict[str, Any]:
    found = result_files.read(name)
    assert found is not None
    return found


def counted(given: dict[str, Any]) -> dict[str, Any]:
    """Counts in a file how often it was called."""
    file = Path(given["file"])
    file.write_text(file.read_text() + given.get("letter", "x") if file.exists() else "x")
    if given.get("fails"):
        raise MascaradeError("it fails")
    return {"found": 1 / 3, "pid": os.getpid()}


# Jobs


@pytest.mark.parametrize("processes", slow_from(1, [1, 2]))
def test_what_is_done_is_not_done_again(folder: Path, processes: int) -> None:
    jobs = [Job(f"a/{n}", {"file": str(folder / n), "letter": n}, counted) for n in "pq"]
    do_all(jobs[:1], 1)
    do_all(jobs, processes)
    do_all(jobs, processes)
    assert [(folder / n).read_text() for n in "pq"] == ["x", "x"]
    found = result("a/q")
    assert found["found"] == 0.333333
    assert found["command"] == "python -m lab experiments a/q"
    assert found["given"] == {"file": str(folder / "q"), "letter": "q"}
    assert found["versions"].keys() >= {"mascarade-env", "torch", "python"}
    assert found["seconds"] >= 0


def test_other_settings_are_measured_anew_but_not_new_ones_at_their_defaults(
    folder: Path,
) -> None:
    given: dict[str, Any] = {"file": str(folder / "f"), "settings": {"rate": 0.1234567890123}}
    Job("a", given, counted).do()
    assert Job("a", given, counted, {"rate": 0.5}).done
    added = {**given, "settings": {**given["settings"], "new": 1}}
    assert Job("a", added, counted, {"rate": 0.5, "new": 1}).done
    assert not Job("a", added, counted, {"rate": 0.5, "new": 2}).done
    assert not Job("a", {**given, "settings": {"rate": 0.2}}, counted, {"rate": 0.5}).done
    assert not Job("a", {"file": given["file"]}, counted).done
    assert not Job("a", {**given, "settings": {"new": 1}}, counted, {"new": 1}).done


def test_settings_that_are_gone_do_not_matter_if_they_had_no_effect(folder: Path) -> None:
    given: dict[str, Any] = {"file": str(folder / "f"), "settings": {"rate": 0.1}}
    for name, value, done in (("a", "player", True), ("b", "table", False)):
        Job(name, {**given, "settings": {"rate": 0.1, "critic": value}}, counted).do()
        assert Job(name, given, counted, {"rate": 0.5}).done == done


@pytest.mark.parametrize("processes", slow_from(1, [1, 2]))
def test_what_fails_does_not_keep_the_rest_from_being_measured(
    folder: Path, processes: int
) -> None:
    jobs = [
        Job(name, {"file": str(folder / name), "fails": name == "bad"}, counted)
        for name in ("good", "bad", "late")
    ]
    with pytest.raises(MascaradeError, match=facts("bad", "it fails")):
        do_all(jobs, processes)
    assert [each.done for each in jobs] == [True, False, True]


def interrupted(given: dict[str, Any]) -> dict[str, Any]:
    raise KeyboardInterrupt


def test_an_interrupt_leaves_what_is_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = [Job("good", {"file": str(folder / "f")}, counted), Job("bad", {}, interrupted)]
    monkeypatch.setattr(command, "chosen", lambda names: jobs)
    assert main(["experiments"]) == 130
    assert states(capsys.readouterr().err, "python -m lab", "interrupted")
    assert [each.done for each in jobs] == [True, False]


def test_a_damaged_result_is_told() -> None:
    file = result_files.write("a/b", {"given": {}})
    file.write_text('{"given": {')
    with pytest.raises(MascaradeError, match=facts(file, "damaged", "remove")):
        result_files.read("a/b")


def test_names_choose_measurements(capsys: pytest.CaptureFixture[str]) -> None:
    names = {each.name for each in command.chosen(["exact/small-2-naive"])}
    assert names == {f"exact/small-2-naive-{seed}" for seed in exact.SEEDS}
    assert len(command.chosen([])) == len({each.name for each in command.chosen([])})
    assert main(["experiments", "full/6A"]) == 2
    assert states(capsys.readouterr().err, "'full/6A'", "not released", "6A")
    assert main(["experiments", "exact/small-2-uniform"]) == 0
    assert main(["experiments", "exact/small-2", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert ["done", "exact/small-2-uniform"] in [line.split() for line in lines]
    assert ["missing", "exact/small-2-cfr"] in [line.split() for line in lines]


# Exact games


def test_uniform_play_and_cfr_are_those_of_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(page.ITERATIONS, "small-2", 30)
    for kind in ("uniform", "cfr"):
        job(f"exact/small-2-{kind}").do()
    game = build("small-2")
    uniform, cfr = result("exact/small-2-uniform"), result("exact/small-2-cfr")
    truth = nash_conv(game.tree, game.tree.uniform()).nash_conv
    assert uniform["nash_conv"] == pytest.approx(truth, rel=1e-5)
    assert uniform["play"]["claim_rate"]["share"] == 0.5
    assert uniform["play"]["mixing"]["share"] == 1
    assert uniform["play"]["swap_fool"]["share"] is None
    assert cfr["curve"][-1] == [30, cfr["nash_conv"]]
    assert cfr["nash_conv"] < 0.3
    assert cfr["nodes"] == game.tree.nodes


@pytest.mark.slow
def test_self_play_is_followed_from_the_untrained_network_to_the_end(folder: Path) -> None:
    todo = job("exact/small-2-naive-1")
    todo.do()
    assert todo.done
    found = result(todo.name)
    decisions = [each for each, _ in found["curve"]]
    assert decisions[0] == 0
    assert decisions == sorted(decisions)
    assert decisions[-1] == found["decisions"] >= 1200
    assert found["curve"][-1][1] == pytest.approx(found["nash_conv"], abs=1e-5)
    assert found["curve"][0][1] != found["curve"][-1][1]
    assert found["training"] == "mascarade train --preset naive-2 --seed 1"
    assert found["given"]["settings"]["entropy"] == 0
    assert 0 < found["play"]["announce_rate"]["share"] < 1
    # A trained network is kept, and not trained again.
    before = (folder / "runs/small-2-naive-1/policy.npz").read_bytes()
    (result_files.FOLDER / f"{todo.name}.json").unlink()
    todo.do()
    assert result(todo.name)["curve"] == found["curve"]
    assert (folder / "runs/small-2-naive-1/policy.npz").read_bytes() == before
    # The curve is complete even if the log is not.
    log = folder / "runs/small-2-naive-1/log.jsonl"
    log.write_text("".join(log.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    (result_files.FOLDER / f"{todo.name}.json").unlink()
    todo.do()
    assert result(todo.name)["curve"] == found["curve"]


@pytest.mark.slow
def test_a_training_that_ended_early_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    todo = job("exact/small-2-naive-0")
    with monkeypatch.context() as early:
        # An interrupt ends a training early and saves it.
        early.setattr(exact, "finished", lambda card: False)
        early.setattr(exact, "start", lambda s: start(s) if s.resume is None else None)
        with pytest.raises(KeyboardInterrupt):
            todo.do()
        assert not todo.done
        with pytest.raises(KeyboardInterrupt):
            todo.do()
    todo.do()
    assert todo.done


@pytest.mark.slow
def test_a_kept_training_with_other_settings_is_not_taken(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job("exact/small-2-naive-0").do()
    other = replace(presets.PRESETS["naive-2"], trace=0.5)
    monkeypatch.setitem(presets.PRESETS, "naive-2", other)
    todo = job("exact/small-2-naive-0")
    assert not todo.done
    with pytest.raises(MascaradeError, match=facts("other settings", "move", "remove")):
        todo.do()


def test_every_training_has_a_command() -> None:
    for each in exact.jobs():
        if "settings" in each.given:
            told = training_command(each.given["settings"])
            seed = each.given["settings"]["seed"]
            preset = each.given["settings"]["preset"]
            assert told == f"mascarade train --preset {preset}" + f" --seed {seed}" * (seed > 0)
            assert each.given["settings"]["decisions"] <= 10_000_000


# Full games


def test_only_what_is_released_is_measured(folder: Path) -> None:
    assert not list(full.jobs())
    random_net("4A").save(folder / "released/4A.npz")
    random_net("4A", padded=True).save(folder / "released/padded.npz")
    names = {each.name for each in full.jobs()}
    for rung in LADDER:
        assert {f"full/4A/duel-4A-{rung}", f"full/padded/duel-6A-{rung}"} <= names
    for players in range(4, 13):
        assert f"full/padded/duel-{players}A-stopper" in names
    assert {"full/4A/play-4A", "full/4A/response-4A", "full/4A/duel-4A-ismcts-500"} <= names
    assert full.missing() == ["6A", "naive", "8A", "6B"]


def test_what_goals_depend_on_is_judged_by_other_deals(folder: Path) -> None:
    random_net("6A").save(folder / "released/6A.npz")
    given = job("full/6A/duel-6A-stopper").given
    assert given["games"] > full.GAMES
    assert given["seed"] != full.SEED


def test_another_release_is_measured_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full, "WATCHED", 4)
    random_net("4A", seed=1).save(folder / "released/4A.npz")
    job("full/4A/play-4A").do()
    assert job("full/4A/play-4A").done
    random_net("4A", seed=2).save(folder / "released/4A.npz")
    assert not job("full/4A/play-4A").done


def test_duels_agree_with_games_counted_otherwise(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full, "GAMES", 600)
    file = random_net("4A")
    file.save(folder / "released/4A.npz")
    job("full/4A/duel-4A-random").do()
    found = result("full/4A/duel-4A-random")
    assert found["alone"]["games"] == found["against"]["games"] == 600
    assert found["fair"] == 0.25
    assert (found["forfeits"], found["broken_off"]) == ({}, 0)
    agent = NetworkAgent(scenarios()["4A"], NetPolicy(file))
    counted = shares_at_tables(agent, "random", "4A", 600).mean()
    # The whole interval is wide enough for the difference of two independent samples.
    assert abs(found["alone"]["mean"] - counted) < found["alone"]["high"] - found["alone"]["low"]
    assert found["alone"]["low"] < found["alone"]["mean"] < found["alone"]["high"]
    # The second time all results come from the arena's journal: nothing is played.
    monkeypatch.setattr(importlib.import_module("mascarade_agents.arena._run"), "play_chunk", None)
    before = dict(found)
    job("full/4A/duel-4A-random").do()
    after = result("full/4A/duel-4A-random")
    assert (after["alone"], after["against"]) == (before["alone"], before["against"])


def test_play_is_measured_with_intervals(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full, "WATCHED", 12)
    random_net("4A").save(folder / "released/4A.npz")
    job("full/4A/play-4A").do()
    found = result("full/4A/play-4A")["play"]
    looks = found["look_rate"]
    assert 0 <= looks["low"] <= looks["value"] <= looks["high"] <= 1
    assert looks["count"] > 12
    assert "mixing" not in found


def test_a_response_is_told_with_its_interval(folder: Path) -> None:
    random_net("4A").save(folder / "released/4A.npz")
    whole = job("full/4A/response-4A")
    # With the default settings, which are calibrated.
    assert whole.given["settings"] == presets.as_json(ResponseSettings())
    assert [] in [differences(ResponseSettings(), each.settings) for each in calibrations()]
    few = {
        "decisions": 600, "games": 16, "batch": 256, "minibatches": 2, "selection": 8,
        "evaluation": 16, "layers": [8], "events": 2,
    }  # fmt: skip
    given = whole.given | {"settings": whole.given["settings"] | few}
    Job(whole.name, given, whole.measure).do()
    assert not whole.done
    found = result(whole.name)
    wins = found["wins"]
    assert wins["low"] <= wins["mean"] <= wins["high"]
    assert wins["games"] == 16
    assert found["broken_off"] == 0
    assert found["decisions"] >= 600
    assert found["whole"]
    assert found["fair"] == 0.25


def test_released_files_are_policies(folder: Path) -> None:
    random_net("4A").save(folder / "released/4A.npz")
    (first, *_) = full.jobs()
    assert first.given["policy"] == result_files.digest(folder / "released/4A.npz")
    assert PolicyFile.load(folder / "released/4A.npz").schema.scenario.name == "4A"
