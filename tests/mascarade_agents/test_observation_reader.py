from itertools import pairwise

import numpy as np
import pytest

from mascarade_agents._ladder.observation_reader import Ids
from mascarade_env import Game, scenarios
from tests.mascarade_agents.positions import reading, six
from tests.mascarade_env.game.tables import announce, play


@pytest.mark.parametrize("name", sorted(scenarios()))
def test_ids_equal_those_of_the_game(name: str) -> None:
    game = Game(name, seed=0)
    ids, kinds = Ids(game.scenario), game.scenario.kinds
    n, m = game.scenario.players, game.scenario.slots
    assert [game.action_id(f"take:{slot}") for slot in range(1, m)] == list(range(ids.look))
    assert game.action_id("look") == ids.look
    assert [game.action_id(f"announce:{kind}") - ids.announce for kind in kinds] == [
        *range(len(kinds))
    ]
    assert game.action_id("swap") == ids.swap
    assert game.action_id("claim") == ids.claim
    assert [game.action_id(f"target:{seat}") - ids.target for seat in range(1, n)] == [
        *range(n - 1)
    ]
    assert game.action_id("decline") == ids.target + n - 1
    assert game.action_id(f"declare:{kinds[0]}") == ids.declare


def test_spans_of_phases_follow_one_another() -> None:
    spans = list(Ids(Game("5A").scenario).spans.values())
    assert spans[0][0] == 0
    assert all(one[1] == other[0] for one, other in pairwise(spans))
    assert spans[-1][1] == Game("5A").num_actions


def test_coins_and_tribunal_are_whole() -> None:
    game = announce(six(), "king", 1)  # seats 0 and 1 both speak falsely
    read = reading(game)
    assert read.coins[0].tolist() == [5, 6, 6, 6, 6, 5]  # from seat 1
    assert read.tribunal.tolist() == [2]


def test_places_count_from_the_deciding_player() -> None:
    game = play(six(), "announce:king", "pass", "claim")  # seat 3 decides
    read = reading(game)
    assert read.announcer.tolist() == [3]
    assert np.flatnonzero(read.claims[0]).tolist() == [5]
    assert np.flatnonzero(read.passes[0]).tolist() == [4]
    assert np.flatnonzero(read.unasked[0]).tolist() == [0, 1, 2]
    assert game.scenario.kinds[read.announced[0]] == "king"


def test_the_own_belief_is_that_in_the_own_mask() -> None:
    read = reading(play(six(), "look"))
    kinds = read.scenario.kinds
    assert read.own[0, kinds.index("empress")] == 1
    assert read.sure.all()


def test_masks_under_the_table() -> None:
    assert np.flatnonzero(reading(play(six(), "take:4")).under_table[0]).tolist() == [0, 4]


def test_tallies_count_lies_truths_and_claims() -> None:
    game = announce(six(), "king", 1, 2)  # 0 and 1 speak falsely, 2 has the mask
    game = announce(play(game, "look"), "king")  # 2 announces, no player claims
    tallies = reading(game).tallies  # from seat 3
    assert tallies["proven_false"][0].tolist() == [0, 0, 0, 1, 0, 0]
    assert tallies["claims_false"][0].tolist() == [0, 0, 0, 0, 1, 0]
    assert tallies["claims_true"][0].tolist() == [0, 0, 0, 0, 0, 1]
    assert tallies["unproven"][0].tolist() == [0, 0, 0, 0, 0, 1]
    assert tallies["proven_true"][0].tolist() == [0] * 6


def test_entries_of_the_kind_announced() -> None:
    read = reading(play(six(), "announce:king"))
    assert read.of_announced(read.own).tolist() == [0]
    assert read.of_announced(read.belief)[0].tolist() == [0, 1, 0, 0, 0, 0]
