"""Measuring calibrations: the true gain, the share that is found, and the file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab import calibration as module
from lab.calibration import add, calibrate, gain_of, measure
from mascarade_agents._agent import Agent
from mascarade_agents._ladder.random import RandomAgent
from mascarade_agents._registry import make_agent
from mascarade_agents.exact import tabulate
from mascarade_env import MascaradeError
from mascarade_env.exact import build, nash_conv, values_of
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.calibration import differences, load
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from tests.mascarade_train.random_nets import random_net
from tests.mascarade_train.test_calibration import LINE, SHORT, STOPPER, known
from tests.messages import facts, states


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
    # Results of other versions are not mixed with it.
    later = replace(first, versions={"numpy": "3"}, lines=(LINE,))
    add(later, file)
    assert load(file) == (second, later)
    # Results of other seeds are not mixed with it either.
    seeded = replace(later, settings=replace(SHORT, seed=7), lines=(STOPPER,))
    add(seeded, file)
    assert load(file) == (second, seeded)
    words = file.read_text().replace('"learning_rate": [', '"learning_rate": 0.1, "x": [', 1)
    file.write_text(words)
    with pytest.raises(MascaradeError, match=facts(file, "calibration", "version")):
        load(file)


@pytest.mark.slow
def test_calibrating_writes_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    given: dict[str, Any] = {"self_play": 500, "folder": tmp_path / "runs", "out": out}
    calibrate(SHORT, ("tiny-2",), ("self-play",), **given)
    monkeypatch.setattr(module, "Training", None)  # an existing network is not trained again
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


def test_agents_that_do_not_know_their_probabilities_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RandomAgent, "probabilities", Agent.probabilities)
    with pytest.raises(MascaradeError, match=facts("random", "probabilities", "another agent")):
        measure(build("tiny-2"), "random", "random", SHORT)
