"""Calibrations: the share of the true gain, where it is kept, and what is not calibrated."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.random import RandomAgent
from mascarade_agents._registry import make_agent
from mascarade_agents.exact import tabulate
from mascarade_env import MascaradeError
from mascarade_env.exact import build, nash_conv, values_of
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response import calibration as module
from mascarade_train._best_response.calibration import (
    Calibration,
    Line,
    add,
    calibrate,
    differences,
    gain_of,
    load,
    measure,
    told_of,
)
from mascarade_train._best_response.settings import ResponseSettings
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from tests.mascarade_train.random_nets import random_net
from tests.messages import facts, states

SHORT = ResponseSettings(
    decisions=300, selection=20, evaluation=40, games=64, batch=128, layers=(32,), events=8
)
LINE = Line("small-2", "random", true_gain=0.4, found=0.38, measured=0.37)
STOPPER = Line("small-2", "stopper", true_gain=0.4, found=0.3, measured=0.37)


def known(settings: ResponseSettings) -> Calibration:
    return Calibration(settings, 1000, {"numpy": "2"}, (LINE, STOPPER))


def test_what_is_recovered_is_a_share_of_the_true_gain() -> None:
    assert LINE.recovered == pytest.approx(0.95)
    assert states(str(LINE), "95%", "small-2", "random")


def test_the_gain_of_the_policy_itself_is_none() -> None:
    game = build("tiny-2")
    file = random_net("tiny-2", "both")
    own = tabulate(NetworkAgent(game.scenario, NetPolicy(file)), game).policy
    assert gain_of(game, file, own) == pytest.approx(0, abs=1e-9)


def test_the_gain_is_the_mean_over_the_seats() -> None:
    game = build("small-3")
    file = random_net("small-3", "both")
    uniform = game.tree.uniform()
    own = tabulate(NetworkAgent(game.scenario, NetPolicy(file)), game).policy
    shares = []
    for player in range(3):
        mixed = uniform.copy()
        for state in np.flatnonzero(game.tree.owner == player):
            options = slice(game.tree.start[state], game.tree.start[state + 1])
            mixed[options] = own[options]
        shares.append(values_of(game.tree, mixed)[player])
    assert gain_of(game, file, uniform) == pytest.approx(sum(shares) / 3 - 1 / 3)


def test_a_line_compares_a_response_with_the_best_one() -> None:
    game = build("tiny-2")
    line, found = measure(game, "random", "uniform play", SHORT)
    uniform = tabulate(make_agent("random", game.scenario), game).policy
    assert line.true_gain == pytest.approx(nash_conv(game.tree, uniform).nash_conv / 2)
    assert line.found == gain_of(game, found.policy, uniform) <= line.true_gain
    assert (line.scenario, line.table, line.measured) == ("tiny-2", "uniform play", found.gain)


def test_calibrations_are_told_of_the_same_settings_alone() -> None:
    calibrations = [known(SHORT), known(replace(SHORT, decisions=1_000_000))]
    # Neither the seed nor the number of games that are counted changes what is found.
    same = replace(SHORT, seed=7, evaluation=1000)
    told = told_of(same, known=calibrations)
    assert states(told, "true gain", str(LINE), "75%", "small-2", "stopper")
    assert not told.startswith("not calibrated")
    for change, words in (
        ({"decisions": 900}, ("--decisions", 900, 300)),
        ({"learning_rate": (0.5,)}, ("--learning-rate", "(0.5,)", str(SHORT.learning_rate))),
        ({"seeds": 2}, ("--seeds", 2, 1)),
    ):
        told = told_of(replace(SHORT, **change), known=calibrations)
        assert states(told, "not calibrated", *words)
    assert states(told_of(SHORT, known=[]), "not calibrated", "mascarade_train.calibration")
    assert states(told_of(SHORT, whole=False, known=calibrations), "not calibrated", "budget")


def test_calibrations_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    assert load(file) == ()
    first, second = known(SHORT), known(replace(SHORT, decisions=9))
    add(first, file)
    add(second, file)
    assert load(file) == (second, first)
    better = replace(LINE, found=0.4)
    add(replace(first, lines=(better,)), file)
    assert load(file) == (second, replace(first, lines=(better, STOPPER)))
    assert json.loads(file.read_text())["calibrations"][1]["lines"][0]["recovered"] == 1.0
    # What other versions have found is not mixed with it.
    later = replace(first, versions={"numpy": "3"}, lines=(LINE,))
    add(later, file)
    assert load(file) == (second, later)
    # Nor what other seeds have found.
    seeded = replace(later, settings=replace(SHORT, seed=7), lines=(STOPPER,))
    add(seeded, file)
    assert load(file) == (second, seeded)
    words = file.read_text().replace('"learning_rate": [', '"learning_rate": 0.1, "x": [', 1)
    file.write_text(words)
    with pytest.raises(MascaradeError, match=facts(file, "calibration", "version")):
        load(file)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("settings", "none"),
        ("settings", {"decisions": 0}),
        ("settings", {"decisions": "many"}),
        ("settings", {"learning_rate": ["fast"]}),
        ("self_play", 0.5),
        ("versions", []),
        ("lines", 7),
        ("lines", [[]]),
        ("lines", [{**asdict(LINE), "true_gain": 0.0}]),
        ("lines", [{**asdict(LINE), "found": "all"}]),
        ("lines", [{**asdict(LINE), "table": None}]),
    ],
)
def test_a_calibration_of_other_values_is_refused(tmp_path: Path, part: str, value: Any) -> None:
    file = tmp_path / "calibration.json"
    add(known(SHORT), file)
    words = json.loads(file.read_text())
    words["calibrations"][0][part] = value
    file.write_text(json.dumps(words))
    with pytest.raises(MascaradeError, match="is no calibration of this version"):
        load(file)


def test_a_calibration_from_before_a_setting_holds_for_its_default(tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    add(known(SHORT), file)
    words = json.loads(file.read_text())
    del words["calibrations"][0]["settings"]["worlds"]
    file.write_text(json.dumps(words))
    assert load(file) == (known(SHORT),)
    assert states(told_of(replace(SHORT, worlds=9), known=load(file)), "--worlds", 9, 720)


@pytest.mark.parametrize("text", ["", "[]", '{"format": "x"}', '{"calibrations": []}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "calibration.json"
    file.write_text(text)
    with pytest.raises(MascaradeError, match=facts(file, "calibration", "version")):
        load(file)


@pytest.mark.slow
def test_calibrating_writes_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    given: dict[str, Any] = {"self_play": 500, "folder": tmp_path / "runs", "out": out}
    calibrate(SHORT, ("tiny-2",), ("self-play",), **given)
    monkeypatch.setattr(module, "Training", None)  # a network that is there is not trained again
    found = calibrate(SHORT, ("tiny-2",), ("random", "self-play"), **given)
    assert load(out) == (found,)
    assert [line.table for line in found.lines] == ["random", "self-play"]
    assert all(line.found <= line.true_gain for line in found.lines)
    assert states(capsys.readouterr().out, "tiny-2", "self-play")
    assert not differences(SHORT, found.settings)


def test_a_network_for_the_table_is_trained(tmp_path: Path) -> None:
    s = replace(SHORT, decisions=64, batch=64)
    calibrate(
        s,
        scenarios=("tiny-2",),
        tables=("self-play",),
        self_play=1000,
        folder=tmp_path,
        out=tmp_path / "out.json",
    )
    assert (tmp_path / "tiny-2-1000" / "policy.npz").exists()
    file = PolicyFile.load(tmp_path / "tiny-2-1000")
    file.card["provenance"]["settings"]["entropy"] = 0.123
    file.save(tmp_path / "tiny-2-1000" / "policy.npz")
    with pytest.raises(MascaradeError, match=facts("other settings", "move", "remove")):
        calibrate(s, scenarios=("tiny-2",), tables=("self-play",), self_play=1000, folder=tmp_path)


def test_agents_that_do_not_tell_their_chances_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RandomAgent, "chances", Agent.chances)
    with pytest.raises(MascaradeError, match=facts("random", "chances", "another agent")):
        measure(build("tiny-2"), "random", "random", SHORT)


def test_what_comes_with_the_package_is_of_the_settings_by_default() -> None:
    shipped = [each.settings for each in load()]
    assert any(not differences(ResponseSettings(), settings) for settings in shipped)
    assert all({line.scenario for line in each.lines} >= {"small-2", "small-3"} for each in load())
