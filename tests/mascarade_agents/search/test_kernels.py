import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents._search import tree
from mascarade_agents._search.flat import try_actions
from mascarade_agents._search.position_values import share
from mascarade_agents._search.word_evidence import Evidence, weighed
from mascarade_agents._search.worlds import Position, Simulations, begin, draw_world, position
from mascarade_env._errors import MascaradeError
from mascarade_env._jit import SETTINGS
from mascarade_env.game._masks import mask_number
from tests.mascarade_agents.search.positions import evidence_of, legal, random_positions, seen
from tests.mascarade_env.game.tables import table
from tests.messages import facts


def totals(p: Position, actions: NDArray[np.int64], count: int = 20) -> list[float]:
    found = np.zeros(len(actions))
    try_actions(p, actions, found, Simulations(5, 0, count, 2))
    return found.tolist()


def grown(p: Position, nodes: int, simulations: int = 200) -> tree.Tree:
    t = tree.new_tree(nodes)
    tree.clear(t)
    tree.grow(p, t, Simulations(5, 0, simulations, 2), 1.0)
    return t


def test_the_true_masks_are_never_read() -> None:
    for game in random_positions("6B", 6):
        actions = legal(game)
        assert totals(seen(game), actions) == totals(seen(game, hide=True), actions)
        one, other = grown(seen(game), 500), grown(seen(game, hide=True), 500)
        assert one.arms.tobytes() == other.arms.tobytes()


def test_a_search_does_not_change_the_position() -> None:
    for game in random_positions("8B", 4):
        p = seen(game)
        before = [array.tobytes() for array in (p.rows[:1], p.keys, p.sums, p.belief)]
        totals(p, legal(game))
        grown(p, 300)
        assert before == [array.tobytes() for array in (p.rows[:1], p.keys, p.sums, p.belief)]


def test_worlds_are_drawn_by_their_weights() -> None:
    p = seen(table("king", "judge", "thief"))
    weights = np.array([1.0, 0.0, 3.0, 4.0])
    counts = np.zeros(4)
    sums = np.cumsum(weights)
    for number in range(4_000):
        begin(p, 7, number)
        counts[draw_world(p.rows[1], sums)] += 1
    wanted = 4_000 * weights / 8
    assert counts[1] == 0
    some = wanted > 0
    # Chi-square with two degrees of freedom exceeds this once in a thousand times.
    assert ((counts - wanted)[some] ** 2 / wanted[some]).sum() < 13.8


def test_evidence_weighs_worlds_by_its_odds() -> None:
    keys = np.array([0x10, 0x01], np.int64)  # two slots, two kinds
    odds = np.array([[1.0, 4.0], [1.0, 1.0]])
    assert weighed(keys, np.array([1.0, 1.0]), odds).tolist() == [1.0, 4.0]


def test_an_announcer_more_probably_has_the_mask() -> None:
    game = random_positions("6A", 1)[0]
    while game.phase != "turn" or "announce:king" not in game.legal_actions():
        game.play_randomly(1)
    announcer = game.seat
    game.play("announce:king")
    odds = evidence_of(game).odds
    kind = game.scenario.kinds.index("king")
    assert announcer is not None
    assert odds[announcer, kind] > 1
    assert (odds[game.seat] == 1).all()  # a player's own words are not evidence


def test_a_position_needs_a_world() -> None:
    game = table("king", "judge", "thief")
    worlds = game.view(0).held()[:0]
    nothing = Evidence(np.ones((3, 3)), np.ones((3, 3)), 0, np.ones(3))
    with pytest.raises(MascaradeError, match=facts("search", "world")):
        position(game._rows.copy(), worlds, nothing)


@pytest.mark.parametrize("nodes", [1, 2, 10])
def test_a_search_with_a_full_tree_continues(nodes: int) -> None:
    game = table("king", "judge", "empress", "thief", "witch", "cheat")
    t = grown(seen(game), nodes)
    count = len(game.legal_ids())
    assert t.used[0] == nodes
    assert t.arms["visits"][:count].sum() == 200  # every simulation counts at the root
    assert 0 <= tree.most_visited(t, count) < count


def children(t: tree.Tree, number: int) -> list[int]:
    """Return the labels of the edges from a node to its children."""
    found = []
    there = int(t.nodes[number]["first"])
    while there >= 0:
        found.append(int(t.nodes[there]["label"]))
        there = int(t.nodes[there]["next"])
    return found


def test_nodes_differ_only_by_what_the_searcher_sees() -> None:
    game = table("king", "judge", "thief", players=2)
    game.play("take:1")
    game.play("keep")  # player 1, who searches, has the King or the Judge
    t = grown(seen(game), 5_000, 5_000)
    edges = [children(t, number) for number in range(t.used[0])]
    hidden = [labels for labels in edges if 0 in labels]
    assert hidden  # the other player had masks under the table,
    assert all(labels == [0] for labels in hidden)  # and swap and keep are one edge
    swap = len(game.scenario.masks) + len(game.scenario.kinds) + 1
    assert any(
        sorted(labels) == [swap, swap + 1] for labels in edges
    )  # those of the searcher are two edges
    look = game.action_id("look") + 1
    looks = {label for label in edges[0] if label >> 4 == look}
    assert looks == {look * 16 + mask_number("king"), look * 16 + mask_number("judge")}


def test_shares_of_the_win() -> None:
    game = table("king", "judge", "empress", coins=[5, 5, 5])
    beliefs = seen(game).simulated
    game._rows["coins"][0, :3] = [9, 5, 1]
    shares = [share(game._rows[0], beliefs, player) for player in range(3)]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    game = table("king", "judge", "empress", coins=[11, 6, 6])
    game.play("announce:king")
    game.play("pass")
    game.play("pass")
    assert [share(game._rows[0], beliefs, player) for player in range(3)] == [1, 0, 0]


def searched() -> str:
    """Return the results of searches of some positions as text."""
    return "\n".join(
        f"{totals(seen(game), legal(game), 4)} {grown(seen(game), 50, 10).arms['visits'].tolist()}"
        for game in random_positions("6B", 2)
    )


@pytest.mark.slow
@pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="this already is plain Python")
def test_plain_python_agrees() -> None:
    plain = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import searched; print(searched())"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == searched()
