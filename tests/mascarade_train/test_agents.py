"""Trained networks as agents of the arena."""

import json
from pathlib import Path

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from mascarade_agents import make_agent
from mascarade_agents._cli.nashconv import nashconv
from mascarade_env import Batch, MascaradeError, Positions, Schema, scenarios
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_env.exact import build, nash_conv
from mascarade_env.observation._blocks import Track
from mascarade_env.testing import check_agent
from mascarade_train._sb3.policies import load, save
from tests.messages import facts


def untrained(folder: Path, scenario: str, track: Track, *, padded: bool) -> Path:
    """The checkpoint of an untrained network, whose probabilities are nearly uniform."""
    env = MascaradeVecEnv(2, scenario=scenario, track=track, padded=padded)
    model = MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=4, seed=1, device="cpu")
    path = folder / f"{scenario}-{track}-{padded}.zip"
    save(model, Schema(scenario, track, padded=padded), path)
    return path


@pytest.mark.parametrize("track", ["memory", "belief", "both"])
@pytest.mark.parametrize("padded", [False, True])
def test_a_net_decides_as_often_as_its_network_says(
    tmp_path: Path, track: Track, *, padded: bool
) -> None:
    path = untrained(tmp_path, "6A", track, padded=padded)
    agent, snapshot = make_agent(f"net:{path}", "6A"), load(path)
    shown = Batch("6A", 32, seed=5)
    wanted = Batch("6A", 32, seed=5, track=track, padded=padded)
    for _ in range(40):
        taken = shown.random_actions()
        shown.step(taken)
        inside = {int(number): place for place, number in enumerate(wanted.unpadded)}
        wanted.step([inside[action] for action in taken.tolist()])
    drawn = 400
    rows = np.repeat(np.arange(32), drawn)
    taken = agent.act_batch(Positions.of_batch(shown, rows), np.random.default_rng(1))
    taken = taken.reshape(32, drawn)
    scores = snapshot.scores(wanted.observation, wanted.mask)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    told = agent.probabilities(Positions.of_batch(shown))
    assert told is not None
    assert (told[shown.mask == 0] == 0).all()
    for row in range(32):
        counted = np.bincount(taken[row], minlength=shown.num_actions) / drawn
        expected = np.array([chances[row, inside[action]] for action in range(shown.num_actions)])
        assert np.abs(told[row] - expected).max() < 1e-6
        spread = np.sqrt(expected * (1 - expected) / drawn)
        assert (np.abs(counted - expected) <= 5 * spread + 1e-9).all()


def test_a_padded_net_plays_every_scenario(tmp_path: Path) -> None:
    path = untrained(tmp_path, "12B", "both", padded=True)
    for name in ("4A", "8B", "12A"):
        players = scenarios()[name].players
        assert check_agent(make_agent(f"net:{path}", name), name, games=players).games == players


def test_what_is_no_net_for_a_scenario_is_told(tmp_path: Path) -> None:
    path = untrained(tmp_path, "4A", "belief", padded=False)
    with pytest.raises(MascaradeError, match=facts("4A", "not 6A")):
        make_agent(f"net:{path}", "6A")
    with pytest.raises(MascaradeError, match=facts("net", "file", "net:runs/6A/policy.npz")):
        make_agent("net", "6A")
    with pytest.raises(
        MascaradeError, match=facts("checkpoint", "policy file", repr(str(tmp_path / "nothing")))
    ):
        make_agent(f"net:{tmp_path / 'nothing'}", "6A")


@pytest.mark.parametrize("padded", [False, True])
def test_what_a_net_can_be_exploited_by_is_exact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, padded: bool
) -> None:
    path = untrained(tmp_path, "tiny-2", "belief", padded=padded)
    nashconv((f"net:{path}",), "tiny-2", json=True)
    (found,) = json.loads(capsys.readouterr().out)["agents"]
    uniform = build("tiny-2").tree
    assert found["nash_conv"] == pytest.approx(
        nash_conv(uniform, uniform.uniform()).nash_conv, abs=0.1
    )
    assert found["exact"]
