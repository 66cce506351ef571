"""How policies play, in cases worked out by hand.

Comparisons with played games are in tests/mascarade_agents/behaviour.
"""

import math

import numpy as np
import pytest

from mascarade_env._errors import MascaradeError
from mascarade_env.exact import GameTree, Policy, build
from mascarade_env.exact._behaviour import MEASURES, conduct
from tests.messages import facts

LOOK, ANNOUNCE_KING, ANNOUNCE_THIEF = 2, 4, 5  # ids with three masks in play and three slots
SWAP, CLAIM, PASS = 6, 8, 9


@pytest.fixture(scope="module")
def game() -> GameTree:
    return build("tiny-2")


def always(game: GameTree, *actions: int) -> Policy:
    """Return a policy that takes the first legal one of some actions, else uniform play."""
    policy = game.tree.uniform()
    for begin, end in zip(game.tree.start[:-1], game.tree.start[1:], strict=True):
        legal = game.actions[begin:end].tolist()
        for action in actions:
            if action in legal:
                policy[begin:end] = np.eye(len(legal))[legal.index(action)]
                break
    return policy


def test_uniform_play(game: GameTree) -> None:
    measured = conduct(game, game.tree.uniform())
    assert list(measured.measures) == list(MEASURES)
    for even in ("claim_rate", "claim_recall", "catch_rate", "swap_take", "bluff_success"):
        assert measured.mean(even) == pytest.approx(1 / 2)
    assert measured.mean("mixing") == pytest.approx(1)
    assert measured.mean("false") == pytest.approx(2 / 3)
    for three in ("look_rate", "take_rate", "announce_rate"):
        assert 0 < measured.mean(three) < 1
    for says in measured.said.values():
        assert says.mean() == pytest.approx(1 / 3)
    kinds = ("sure_true", "honest_uncertain", "gamble", "knowing_bluff")
    assert sum(measured.mean(kind) for kind in kinds) == pytest.approx(1)
    assert math.isnan(measured.mean("swap_fool"))


def test_a_player_who_only_looks_announces_nothing(game: GameTree) -> None:
    measured = conduct(game, always(game, LOOK))
    assert [measured.mean("look_rate", player) for player in (0, 1)] == [1, 1]
    assert measured.measures["look_rate"].number.tolist() == [
        1,
        1,
    ]  # two of the four turns are the opening
    assert measured.shared == 1  # all players have equally many coins
    assert math.isnan(measured.mean("false"))
    assert math.isnan(measured.mean("claim_rate", 1))


def test_a_true_announcement_that_is_not_sure(game: GameTree) -> None:
    # Both swap in the opening, so each mask is where it was dealt. Player 0 cannot know that, and
    # wins at once.
    measured = conduct(game, always(game, ANNOUNCE_KING, 0, SWAP, PASS))
    assert measured.mean("honest_uncertain", 0) == 1
    assert measured.mean("false", 0) == 0
    assert measured.said["king"].mean() == 1
    assert measured.said_falsely["king"].mean() == 0
    assert measured.measures["announce_rate"].number.tolist() == [1, 0]
    assert measured.measures["claim_rate"].number.tolist() == [0, 1]
    assert measured.mean("claim_rate", 1) == measured.mean("mixing") == measured.shared == 0
    assert math.isnan(measured.mean("claim_precision"))


def test_a_lie_that_is_caught(game: GameTree) -> None:
    measured = conduct(game, always(game, ANNOUNCE_THIEF, 0, SWAP, CLAIM))
    assert measured.mean("claim_rate") == 1
    assert measured.mean("claimed_false", 0) == measured.mean("false", 0) == 1
    assert measured.mean("bluff_success", 0) == measured.mean("false_known", 0) == 0
    assert measured.mean("claim_precision", 1) == measured.mean("catch_rate", 1) == 1


def test_a_policy_of_another_tree_is_refused(game: GameTree) -> None:
    with pytest.raises(MascaradeError, match=facts("policy", "(1067,)", "(3,)")):
        conduct(game, np.ones(3))
