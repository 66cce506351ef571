"""The tree of a scenario: every course of its game, and the information states of its players."""

import os
import subprocess
import sys
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from mascarade_env import Game, Scenario, scenarios
from mascarade_env._errors import MascaradeError
from mascarade_env.exact import GameTree, build, nash_conv, values_of
from mascarade_env.exact._memories import key_of
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import PHASES
from tests.messages import facts
from tests.tiers import slow_from

SUITE = [scenario.name for scenario in scenarios().values() if not scenario.strict]
#: Decision nodes, terminal nodes, information states by player, as in the documents.
SIZES = {
    "tiny-2": (852, 1388, [207, 219]),
    "small-2": (93327, 151312, [22971, 27645]),
    "small-3": (139071, 185408, [16203, 35334, 23580]),
    "medium-4": (1079308, 1307664, [202828, 113460, 49684, 99404]),
    "powers-3": (169638, 191892, [25265, 46195, 16738]),
}
VOID = Scenario(
    "void", 2, ("witch", "thief", "king"), opening_turns=1, turn_limit=3, strict=False,
    fixed_deal=True,
)  # fmt: skip


@cache
def built(name: str) -> GameTree:
    return build(name)


@pytest.fixture
def tiny() -> GameTree:
    return built("tiny-2")


def test_the_suite_is_as_documented() -> None:
    for name in SUITE:
        scenario = scenarios()[name]
        assert scenario.players == scenario.opening_turns == int(name[-1])
        assert scenario.fixed_deal
        assert scenario.at_limit == "richest"
    of = scenarios()
    assert (of["tiny-2"].start_coins, of["tiny-2"].goal_coins, of["tiny-2"].turn_limit) == (2, 4, 4)
    assert of["tiny-2"].masks == of["small-2"].masks == of["small-3"].masks
    assert of["medium-4"].masks == ("king", "empress", "thief", "judge")
    assert {"fool", "witch"} <= set(of["powers-3"].masks)


@pytest.mark.parametrize("name", slow_from(3, SUITE))
def test_sizes_are_those_of_the_documents(name: str) -> None:
    tree = built(name).tree
    found = [tree.states_of(player) for player in range(tree.players)]
    assert (tree.nodes - tree.terminals, tree.terminals, found) == SIZES[name]
    assert sum(found) == tree.states


@pytest.mark.parametrize("scenario", ["tiny-2", VOID], ids=str)
def test_every_node_is_the_position_of_its_game(scenario: str | Scenario) -> None:
    """Walk the whole game with `Game`, and compare every array of the tree."""
    game = build(scenario)
    tree, start = game.tree, game.tree.start
    texts: dict[int, set[str]] = defaultdict(set)
    met = 0
    level = [(0, Game(scenario, seed=3))]
    while level:
        below = []
        for node, played in level:
            met += 1
            state = int(tree.state[node])
            shares = [1 / played.scenario.players] * played.scenario.players
            if played.over:
                if winners := played.winners:
                    shares = [(p in winners) / len(winners) for p in range(len(shares))]
                assert tree.payoffs[~state].tolist() == shares
                continue
            assert played.player is not None
            assert played.seat is not None
            player = played.player
            texts[state].add(played.information_state(player))
            assert tree.owner[state] == player
            assert game.actions[start[state] : start[state + 1]].tolist() == played.legal_ids()
            assert game.turn[state] == played.turn
            assert PHASES[game.phase[state]] == played.phase
            announced = int(game.announced[state])
            assert played.announced == (None if announced < 0 else MASK_IDS[announced])
            assert MASK_IDS[game.own[node]] == played.masks[played.seat]
            assert game.keys[state] == key_of(played.view(player).events, player)
            for option, action in enumerate(played.legal_ids()):
                after = played.clone()
                after.play(action)
                below.append((int(tree.first[node]) + option, after))
        level = below
    assert met == tree.nodes
    # One text for each information state: it depends only on the player's own history.
    assert all(len(found) == 1 for found in texts.values())
    assert len({text for found in texts.values() for text in found}) == tree.states


@pytest.mark.parametrize("name", SUITE)
def test_random_games_are_in_the_tree(name: str) -> None:
    game = built(name)
    tree, chance = game.tree, np.random.default_rng(5)
    for seed in range(25):
        played, node, taken = Game(name, seed=seed), 0, list[int]()
        while not played.over:
            assert played.player is not None
            state = int(tree.state[node])
            ids = played.legal_ids()
            assert game.actions[tree.start[state] : tree.start[state + 1]].tolist() == ids
            assert game.keys[state] == key_of(played.view(played.player).events, played.player)
            option = int(chance.integers(len(ids)))
            played.play(ids[option])
            node = int(tree.first[node]) + option
            taken.append(ids[option])
        winners = played.winners or []
        shares = [(p in winners) / len(winners) for p in range(tree.players)]
        assert tree.payoffs[~tree.state[node]].tolist() == shares
        assert game.ways_to(np.array([node])).tolist() == [taken]


def test_the_ways_lead_to_their_nodes(tiny: GameTree) -> None:
    nodes = np.arange(tiny.tree.nodes)
    for node, way in zip(nodes.tolist(), tiny.ways_to(nodes).tolist(), strict=True):
        at = 0
        for action in way[: way.index(-1)] if -1 in way else way:
            state = tiny.tree.state[at]
            first = tiny.tree.start[state]
            options = tiny.actions[first : tiny.tree.start[state + 1]].tolist()
            at = int(tiny.tree.first[at]) + options.index(action)
        assert at == node


def test_the_first_node_of_each_state_belongs_to_it(tiny: GameTree) -> None:
    nodes = tiny.nodes_of_states
    assert tiny.tree.state[nodes].tolist() == list(range(tiny.tree.states))
    assert (np.diff(nodes) > 0).all()


def test_uniform_play_has_the_value_of_random_games() -> None:
    """The values of the tree within five standard errors of games played by the rules."""
    game = built("small-3")
    values = values_of(game.tree, game.tree.uniform())
    rewards = np.array([_shares(seed) for seed in range(4000)])
    error = rewards.std(axis=0) / np.sqrt(len(rewards))
    assert (np.abs(rewards.mean(axis=0) - values) < 5 * error).all()


def _shares(seed: int) -> list[float]:
    played = Game("small-3", seed=seed)
    played.play_randomly()
    winners = played.winners or []
    return [(player in winners) / len(winners) for player in range(3)]


@pytest.mark.parametrize("name", SUITE)
def test_nash_conv_is_counted_in_win_shares(name: str) -> None:
    tree = built(name).tree
    found = nash_conv(tree, tree.uniform())
    assert found.values.sum() == pytest.approx(1)
    assert (found.best >= found.values).all()
    assert (found.best <= 1).all()
    assert 0 < found.nash_conv < tree.players - 1


def test_scenarios_without_a_finite_tree_are_refused() -> None:
    with pytest.raises(MascaradeError, match=facts("tiny-2", "turn_limit", "small-2")):
        build({**scenarios()["tiny-2"].to_dict(), "turn_limit": None})
    with pytest.raises(MascaradeError, match=facts("tiny-2", "fixed_deal")):
        build({**scenarios()["tiny-2"].to_dict(), "fixed_deal": False})
    with pytest.raises(MascaradeError, match=facts("tiny-2", "1000 nodes", "turn_limit", "masks")):
        build("tiny-2", most_nodes=1000)


def test_progress_reports_the_nodes_of_each_level(tiny: GameTree) -> None:
    seen: list[int] = []
    build("tiny-2", progress=seen.append)
    assert seen == tiny.tree.arrays.levels[1:].tolist()


_PLAIN = """
import sys, zlib
import numpy as np
from mascarade_env import Game
from mascarade_env.exact import Solver, build, nash_conv
from mascarade_env.exact._memories import key_of
game = build("tiny-2")
solver = Solver(game.tree)
solver.run(3)
arrays = (game.tree.state, game.actions, game.own, game.keys, solver.average())
print([zlib.crc32(np.ascontiguousarray(array)) for array in arrays])
print(nash_conv(game.tree, solver.average()))
print(key_of(Game("tiny-2", seed=1).view(0).events, 0) == game.keys[0])
"""


@pytest.mark.slow
def test_uncompiled_code_builds_and_solves_the_same() -> None:
    def output(no_compiler: str) -> str:
        command = [sys.executable, "-W", "error", "-c", _PLAIN]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": no_compiler}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        return done.stdout

    assert output("1") == output("0")
    assert output("0").endswith("True\n")
