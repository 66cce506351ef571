"""Networks converted to plain observations have the same output."""

from pathlib import Path

import numpy as np
import pytest

from mascarade_env import MascaradeError, Positions
from mascarade_env.game._scenarios import resolve
from mascarade_env.observation._blocks import Track
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response.plain_network import file_of, plain
from mascarade_train._net_policy import NetPolicy
from tests.mascarade_train.random_nets import positions, random_net, undecided
from tests.messages import facts


@pytest.mark.parametrize("track", ["belief", "memory", "both"])
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("slots", [0, 5])
def test_a_plain_network_plays_as_the_one_it_was_made_of(
    track: Track, padded: bool, slots: int
) -> None:
    file = undecided(random_net("6A", track, padded=padded, slots=slots))
    scenario = resolve("4B" if padded else "6A")
    made = plain(file, scenario)
    assert (made.schema.track, made.schema.padded) == ("both", False)
    shown = positions(made.schema)
    before, after = (NetworkAgent(scenario, NetPolicy(each)) for each in (file, made))
    np.testing.assert_allclose(
        before.probabilities(Positions(*shown, before.reads)),
        after.probabilities(Positions(*shown, after.reads)),
        rtol=0,
        atol=1e-5,
    )
    wins = [NetPolicy(each).wins(positions(each.schema, scenario.name)[0]) for each in (file, made)]
    np.testing.assert_allclose(wins[0][:, : scenario.players], wins[1], rtol=0, atol=1e-5)


def test_only_what_a_network_has_learned_is_made_plain() -> None:
    with pytest.raises(MascaradeError, match=facts("network", "4A", "6A")):
        plain(random_net("4A"), resolve("6A"))


def test_agents_that_play_from_policy_files_are_known_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = random_net("4A")
    file.save("mine.npz")
    Path("run").mkdir()
    file.save("run/policy.npz")
    scenario = resolve("4A")
    for name in ("net:mine.npz", "net:run"):
        found = file_of(name, scenario)
        assert found is not None
        assert found.card == file.card
    for name in ("stopper", "bluffer:0.3", "net:policy.zip"):
        assert file_of(name, scenario) is None
