"""Policies from files play by their probabilities."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_agents import Agent, make_agent
from mascarade_agents.arena import run
from mascarade_agents.exact import tabulate
from mascarade_env import Game, MascaradeError, Positions, scenarios
from mascarade_env.exact import GameTree, Policy, SavedPolicy, Solver, build, values_of
from mascarade_env.game._positions import NOBODY
from mascarade_env.testing import check_agent
from tests.messages import facts


@cache
def tree(scenario: str) -> GameTree:
    return build(scenario)


@cache
def solved(scenario: str) -> Policy:
    solver = Solver(tree(scenario).tree)
    solver.run(60)
    return solver.average()


def tabular(folder: Path, scenario: str, policy: Policy | None = None) -> Agent:
    path = folder / "policy.npz"
    SavedPolicy.of(tree(scenario), solved(scenario) if policy is None else policy).save(path)
    return make_agent(f"tabular:{path}", scenario)


@pytest.mark.parametrize("scenario", ["tiny-2", "small-2"])
def test_a_table_plays_by_the_rules_and_sees_nothing_hidden(tmp_path: Path, scenario: str) -> None:
    report = check_agent(tabular(tmp_path, scenario), scenario, games=60)
    assert report.worlds > 20
    assert report.probabilities > 20


def test_its_probabilities_are_those_of_the_file(tmp_path: Path) -> None:
    game, policy = tree("tiny-2"), solved("tiny-2")
    table = tabulate(tabular(tmp_path, "tiny-2"), game)
    assert table.exact
    assert np.abs(table.policy - policy).max() < 1e-6


def test_it_samples_by_its_probabilities(tmp_path: Path) -> None:
    agent, rng, draws = tabular(tmp_path, "tiny-2"), np.random.default_rng(2), 3000
    mixed = 0
    game = Game("tiny-2", seed=0)
    while not game.over:
        view = game.view()
        told: Any = agent.probabilities(Positions.of_views([view]))
        counted = np.zeros(game.num_actions)
        for _ in range(draws):
            counted[agent.act(view, rng)] += 1 / draws
        spread = np.sqrt(told[0] * (1 - told[0]) / draws)
        assert (np.abs(counted - told[0]) <= 5 * spread + 1e-9).all()
        mixed += int(np.count_nonzero(told)) > 1
        game.play(int(told[0].argmax()))
    assert mixed > 1


class AlmostOne:
    """A generator whose numbers are as large as possible."""

    def random(self) -> float:
        return float(np.nextafter(1, 0))


def test_an_action_without_a_probability_is_never_taken(tmp_path: Path) -> None:
    """This holds although sums of probabilities may differ from one."""
    game = tree("tiny-2").tree
    policy = np.zeros(len(game.chance))
    policy[game.start[:-1]] = 1  # always the first
    agent, rng = tabular(tmp_path, "tiny-2", policy), AlmostOne()
    played = Game("tiny-2", seed=0)
    while not played.over:
        taken = agent.act(played.view(), rng)  # type: ignore[arg-type]
        assert taken == played.legal_ids()[0]
        played.play(taken)


def test_the_name_of_the_scenario_alone_may_be_another(tmp_path: Path) -> None:
    tabular(tmp_path, "tiny-2")
    name = f"tabular:{tmp_path / 'policy.npz'}"
    tiny = scenarios()["tiny-2"]
    renamed = replace(tiny, name="mine")
    assert check_agent(make_agent(name, renamed), renamed, games=4).decisions > 0
    with pytest.raises(MascaradeError, match=facts("tiny-2", "small-2", "turn_limit")):
        make_agent(name, "small-2")
    with pytest.raises(MascaradeError, match=facts("turn_limit", 4, 5)):
        make_agent(name, replace(tiny, turn_limit=5))


def test_files_that_are_no_tables_are_told(tmp_path: Path) -> None:
    tabular(tmp_path, "tiny-2")
    path = tmp_path / "policy.npz"
    whole = path.read_bytes()
    with pytest.raises(MascaradeError, match=facts('"tabular"', "file", "tabular:small-2.npz")):
        make_agent("tabular", "tiny-2")
    with pytest.raises(MascaradeError, match=facts("read", "nothing.npz", "No such file")):
        make_agent(f"tabular:{tmp_path / 'nothing.npz'}", "tiny-2")
    with pytest.raises(MascaradeError, match=facts("read", tmp_path, "Is a directory")):
        make_agent(f"tabular:{tmp_path}", "tiny-2")
    for part in (b"", whole[: len(whole) // 2], b"a letter", whole[:-200]):
        path.write_bytes(part)
        with pytest.raises(MascaradeError, match=facts(path, "mascarade policy")):
            make_agent(f"tabular:{path}", "tiny-2")


def test_what_a_table_does_not_know_is_told(tmp_path: Path) -> None:
    game = tree("tiny-2")
    keys = game.keys.copy()
    keys[0] += 1
    path = tmp_path / "policy.npz"
    SavedPolicy.of(replace(game, keys=keys), game.tree.uniform()).save(path)
    agent = make_agent(f"tabular:{path}", "tiny-2")
    with pytest.raises(MascaradeError, match=facts("player 0")):
        agent.act(Game("tiny-2", seed=0).view(), np.random.default_rng(0))


def test_win_shares_in_an_arena_are_the_values_of_the_policies(tmp_path: Path) -> None:
    game, games = tree("tiny-2"), 3000
    policies = {}
    for name, policy in (("even", game.tree.uniform()), ("solved", solved("tiny-2"))):
        path = tmp_path / f"{name}.npz"
        SavedPolicy.of(game, policy).save(path)
        policies[f"tabular:{path}"] = policy
    results = run(list(policies), "tiny-2", games=games, tables="mixed", seed=4).results
    assert (results.forfeits == NOBODY).all()
    for first in (0, 1):
        rows = (results.lineups == [first, 1 - first]).all(axis=1)
        mixed = np.where(
            game.tree.owner[game.tree.state_of_option] == 0,
            policies[results.agents[first]],
            policies[results.agents[1 - first]],
        )
        found = results.shares[rows, 0]
        assert len(found) == games / 2
        error = found.std() / np.sqrt(len(found))
        assert abs(found.mean() - values_of(game.tree, mixed)[0]) < 4 * error
