"""Every registered agent plays every scenario legally, and sees nothing that is hidden."""

from pathlib import Path

import numpy as np
import pytest

from mascarade_agents import Agent, agent_names, make_agent
from mascarade_env import (
    Batch,
    Game,
    MascaradeError,
    Positions,
    Scenario,
    UnknownNameError,
    scenarios,
)
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.testing import check_agent
from tests.messages import facts
from tests.tiers import SAMPLE

#: Search with budgets that are enough to be legal.
BUDGETS = {"flat": "flat:6", "ismcts": "ismcts:6"}
#: Agents that need a file, of one scenario mostly: they are tested elsewhere.
ELSEWHERE = {"net", "onnx", "released", "tabular"}
NAMES = [BUDGETS.get(name, name) for name in agent_names() if name not in ELSEWHERE]
RESEARCH = [
    Scenario(
        "duel",
        players=2,
        masks=("king", "thief", "judge"),
        strict=False,
        start_coins=2,
        goal_coins=4,
        opening_turns=2,
        turn_limit=20,
        at_limit="richest",
    ),
    Scenario(
        "trio",
        players=3,
        masks=("fool", "spy", "witch", "puppet_master", "judge"),
        strict=False,
        opening_turns=0,
        turn_limit=30,
    ),
]


def check_plays(name: str, scenario: Scenario) -> None:
    """Check an agent in games of a scenario, one from each seat."""
    report = check_agent(make_agent(name, scenario), scenario, games=scenario.players, seed=3)
    assert report.decisions > 0
    assert report.worlds > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scenario", [*sorted(SAMPLE), *RESEARCH], ids=str)
def test_every_agent_plays(name: str, scenario: str | Scenario) -> None:
    check_plays(name, scenario if isinstance(scenario, Scenario) else scenarios()[scenario])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", sorted(set(scenarios()) - SAMPLE))
def test_every_agent_plays_the_other_scenarios(scenario: str) -> None:
    for name in NAMES:
        check_plays(name, scenarios()[scenario])


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_alone_at_the_table_comes_to_an_end(name: str) -> None:
    """Games with itself, as in a library of records; some end only if choices are random."""
    scenario = scenarios()["6A"]
    agent, rng = make_agent(name, scenario), np.random.default_rng(1)
    game = Game(scenario, seed=2)
    views = [game.view(player) for player in range(6)]
    for _ in range(3000):
        if game.over:
            break
        assert game.player is not None
        view = views[game.player]
        game.tell(view)
        game.play(agent.act(view, rng))
    assert game.over


@pytest.mark.parametrize("name", [name for name in NAMES if name not in BUDGETS.values()])
def test_what_an_agent_does_depends_on_its_row_alone(name: str) -> None:
    """With the same random numbers, an answer does not depend on the other rows."""
    batch = Batch("6A", 64, seed=1)
    agent = make_agent(name, "6A")
    for _ in range(60):
        batch.step(batch.random_actions())
    others = batch.observation.copy(), batch.mask.copy()
    for _ in range(7):
        batch.step(batch.random_actions())
    shown, legal = batch.observation.copy(), batch.mask.copy()
    answers = agent.act_batch(Positions(shown, legal, agent.reads), np.random.default_rng(5))
    shown[1::2], legal[1::2] = others[0][1::2], others[1][1::2]
    again = agent.act_batch(Positions(shown, legal, agent.reads), np.random.default_rng(5))
    assert (answers[::2] == again[::2]).all()
    assert (answers[1::2] != again[1::2]).any()


class Looks(Agent):
    """Implements one of the two methods; the base makes the other."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_ids()[-1]


def test_an_agent_has_one_method_and_gets_the_other() -> None:
    game = Game("4A", seed=1)
    looks = Looks(game.scenario)
    rng = np.random.default_rng(0)
    view = game.view()
    assert looks.needs_views
    assert looks.act_batch(Positions.of_views([view]), rng).tolist() == [game.legal_ids()[-1]]
    assert looks.probabilities(Positions.of_views([view])) is None
    anyone = make_agent("random", "4A")
    assert not anyone.needs_views
    assert anyone.act(view, rng) in game.legal_ids()
    with pytest.raises(TypeError, match=facts("Nothing", "act", "act_batch")):
        type("Nothing", (Agent,), {})
    with pytest.raises(MascaradeError, match=facts("Looks", "colon", "'5'")):
        Looks(game.scenario, "5")


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("import no_such_library", "No module named 'no_such_library'"),
        ("class Other: pass", "AttributeError: .*'Wanted'"),
        ("class Wanted: pass", "TypeError: "),
        ("class Wanted(", "SyntaxError: "),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def Wanted(*told): raise RuntimeError('no\\nnet')", "RuntimeError: no net"),
    ],
)
def test_an_agent_that_cannot_be_made_is_named(
    code: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"brought_{abs(hash(code))}"
    about = tmp_path / "brought-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[mascarade.agents]\nbrought = {module}:Wanted\n")
    (tmp_path / f"{module}.py").write_text(code + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(MascaradeError, match=facts("agent", "'brought:3'") + f".*{cause}"):
        make_agent("brought:3", "4A")


def test_unknown_names_are_told() -> None:
    with pytest.raises(UnknownNameError, match=facts("agent", "'honst'", "'honest'")):
        make_agent("honst", "6A")
    with pytest.raises(MascaradeError, match=facts("scenario", "'6Z'", "6A")):
        make_agent("honest", "6Z")
    with pytest.raises(MascaradeError, match=facts("RandomAgent", "colon", "'3'")):
        make_agent("random:3", "6A")
