"""Networks that come with the package, by name."""

from pathlib import Path

import numpy as np
import pytest

from mascarade_env import MascaradeError, Positions, Scenario, Schema, scenarios
from mascarade_env._errors import UnknownNameError
from mascarade_env.testing import check_agent
from mascarade_train import _released as released
from mascarade_train._agents import NetAgent, Released
from mascarade_train._policy_file import PolicyFile
from tests.mascarade_train.random_nets import positions, random_net
from tests.messages import facts

WIDE = Scenario("wide", 2, ("judge", "king", "thief", "widow", "spy"), strict=False)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of released networks: for 4A, for 6A, and for all."""
    monkeypatch.setattr(released, "FOLDER", tmp_path)
    random_net("6A", seed=6).save(tmp_path / "6A.npz")
    random_net("4A", seed=4).save(tmp_path / "4A.npz")
    random_net("8B", padded=True, seed=8).save(tmp_path / "padded.npz")
    (tmp_path / "README.md").write_text("no network")
    return tmp_path


def same(agent: Released, file: Path, scenario: Scenario) -> bool:
    """Whether an agent plays the same as the network of a file."""
    observation, mask = positions(Schema(scenario, "both"), games=8)
    other = NetAgent(scenario, str(file))
    told = agent.probabilities(Positions(observation, mask, agent.reads))
    assert told is not None
    return np.array_equal(told, other.probabilities(Positions(observation, mask, other.reads)))


def test_names_are_those_of_the_files(folder: Path) -> None:
    assert released.released_names() == ["4A", "6A", "padded"]
    (folder / "6A.npz").unlink()
    assert released.released_names() == ["4A", "padded"]


def test_what_comes_with_the_package_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert Path(released.__file__).parent / "released" == released.FOLDER
    for name in released.released_names():
        learned = PolicyFile.load(released.released_path(name)).schema.scenario
        games = 2 * learned.players
        assert check_agent(Released(learned, name), learned, games=games).games == games


@pytest.mark.parametrize(
    ("argument", "scenario", "file"),
    [
        ("6A", "6A", "6A"),
        ("padded", "6A", "padded"),
        ("", "6A", "6A"),
        ("", "4A", "4A"),
        ("", "12B", "padded"),
    ],
)
def test_a_released_network_is_found(folder: Path, argument: str, scenario: str, file: str) -> None:
    rules = scenarios()[scenario]
    agent = Released(rules, argument)
    assert same(agent, folder / f"{file}.npz", rules)
    others = {"4A": "6A", "6A": "padded", "padded": "6A"}
    if scenario == "6A":
        assert not same(agent, folder / f"{others[file]}.npz", rules)


def test_a_scenario_that_only_has_the_name_gets_the_padded_network(folder: Path) -> None:
    rules = Scenario.from_dict(scenarios()["6A"].to_dict() | {"turn_limit": 90})
    assert same(Released(rules), folder / "padded.npz", rules)


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(
        UnknownNameError,
        match=facts("network", "'paded'", "'padded'", "4A, 6A, padded"),
    ):
        Released(scenarios()["6A"], "paded")
    with pytest.raises(UnknownNameError, match=facts("network", "'../6A'", "4A, 6A, padded")):
        Released(scenarios()["6A"], "../6A")


def test_a_network_for_another_scenario_is_told() -> None:
    with pytest.raises(MascaradeError, match=facts("6A", "not 4A")):
        Released(scenarios()["4A"], "6A")
    with pytest.raises(MascaradeError, match=facts("2 masks", "centre", "wide", 3)):
        Released(WIDE, "padded")
    with pytest.raises(UnknownNameError, match=facts("wide", "4A, 6A, padded")):
        Released(WIDE)


def test_where_there_are_none_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(released, "FOLDER", tmp_path / "nothing")
    assert released.released_names() == []
    with pytest.raises(UnknownNameError, match=facts("no networks", tmp_path, "install")):
        Released(scenarios()["4A"], "4A")
    with pytest.raises(UnknownNameError, match=facts("4A", "networks: none")):
        Released(scenarios()["4A"])


def test_a_damaged_one_is_told(folder: Path) -> None:
    (folder / "4A.npz").write_bytes(b"")
    with pytest.raises(MascaradeError, match=facts("4A.npz", "policy file", "another copy")):
        Released(scenarios()["4A"])
