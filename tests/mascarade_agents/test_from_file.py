"""Agents from files."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from mascarade_agents import make_agent
from mascarade_agents.arena import run
from mascarade_env import Game, MascaradeError
from mascarade_env.cli import main
from tests.messages import facts

MINE = '''
from mascarade_agents import Agent

class First(Agent):
    """Takes the first legal action."""

    def __init__(self, scenario, argument=""):
        super().__init__(scenario)
        self.told = argument

    def act(self, view, rng):
        return view.legal_ids()[0]

def made(scenario, argument):
    return First(scenario, "by a function")

class Other:
    def __init__(self, scenario, argument):
        pass

loaded = []
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


def test_a_class_of_a_file_is_an_agent(mine: Path) -> None:
    agent = make_agent("mine.py:First:as:told", "4A")
    assert agent.told == "as:told"  # type: ignore[attr-defined]
    game = Game("4A", seed=1)
    assert agent.act(game.view(), np.random.default_rng(0)) == game.legal_ids()[0]
    assert make_agent("mine.py:made", "4A").told == "by a function"  # type: ignore[attr-defined]
    # By any path it is the same module, so that what it defines can be pickled.
    again = make_agent(f"{mine}:First", "4A")
    assert type(again) is type(agent)
    assert type(pickle.loads(pickle.dumps(agent))) is type(agent)


def test_it_plays_in_an_arena_of_processes(mine: Path) -> None:
    outcome = run(["mine.py:First", "random"], "4A", games=8, tables="mixed", workers=1)
    assert outcome.results.agents == ("mine.py:First", "random")
    assert not outcome.forfeits


def test_commands_take_it(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "mine.py:First,random", "--scenario", "4A", "--games", "8"]
    assert main(["arena", *words, "--tables", "mixed", "--workers", "0"]) == 0
    assert "mine.py:First" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mine.py", ["class", "mine.py:MyAgent"]),
        ("mine.py:Frist", ["class", "'Frist'", "'mine.py'", "'First'"]),
        ("mine.py:loaded", ["class", "'loaded'"]),
        ("mine.py:Other", ["'mine.py:Other'", "mascarade_agents.Agent"]),
        ("yours.py:First", ["file", "'yours.py'", "agent"]),
        ("broken.py:First", ["'broken.py'", "run"]),
        ("leaves.py:First", ["'leaves.py'", "run"]),
        ("mine", ["agent", "'mine'", "mine.py:MyAgent"]),
    ],
)
def test_what_is_no_agent_is_told(mine: Path, name: str, why: list[str]) -> None:
    mine.with_name("broken.py").write_text("import no_such_library_anywhere")
    mine.with_name("leaves.py").write_text("raise SystemExit(3)")
    with pytest.raises(MascaradeError, match=facts(*why)):
        make_agent(name, "4A")
    with pytest.raises(MascaradeError, match=facts(*why)):  # and again: nothing half-made is kept
        make_agent(name, "4A")
