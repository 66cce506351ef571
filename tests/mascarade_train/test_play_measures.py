"""Measures of play on games whose every decision is set by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mascarade_env import Batch, Game, MascaradeError, Scenario
from mascarade_env.core.batch import MOST_WORLDS
from mascarade_train.play_measures import PlayMeasures, measured

# Player 0 holds the Judge, player 1 the King, player 2 the Thief, and everybody has seen it.
TRIO = Scenario(
    "trio", 3, ("judge", "king", "thief"), opening_turns=1, fixed_deal=True, strict=False
)


def of(
    words: list[str],
    *,
    padded: bool = False,
    scenario: Scenario = TRIO,
    most_worlds: int = MOST_WORLDS,
) -> PlayMeasures:
    """The measures of all decisions of a game that is played as told."""
    batch = Batch(
        scenario,
        1,
        seed=0,
        autoreset="disabled",
        track="belief",
        padded=padded,
        most_worlds=most_worlds,
    )
    game = Game(scenario, seed=0)
    found = PlayMeasures()
    outside = {int(inside): action for action, inside in enumerate(batch.unpadded)}
    for word in words:
        action = np.array([outside[game.action_id(word)]])
        found += measured(batch, action)
        batch.step(action)
        game.play(word)
    return found


@pytest.mark.parametrize("padded", [False, True])
def test_a_game_by_hand(padded: bool) -> None:
    words = [
        *("take:1", "keep"),  # player 0, the opening: no turn of free choice
        # Player 1: King with even chances to everybody's knowledge, and did not swap.
        *("announce:king", "pass", "claim"),  # true; 0 claims it falsely
        *("take:0", "swap"),  # player 2 has the Judge or the King now
        "look",  # player 0 has the Thief
        *("announce:judge", "claim", "pass"),
    ]
    assert of(words[:2], padded=padded) == PlayMeasures()
    told = of(words[:3], padded=padded)
    assert told == PlayMeasures(turns=1, announcements=1)
    told = of(words[:5], padded=padded)
    assert told == PlayMeasures(turns=1, announcements=1, asked=2, claims=1)
    # Player 1 and 0 revealed: take and look are free, announcements come later.
    told = of(words[:7], padded=padded)
    assert told == PlayMeasures(turns=2, takes=1, announcements=1, asked=2, claims=1)
    told = of(words[:8], padded=padded)
    assert told == PlayMeasures(turns=3, looks=1, takes=1, announcements=1, asked=2, claims=1)
    # Player 1 knows from the reveal that the Judge is not under the own hand: a knowing bluff.
    # Player 2 has it and claims it truly, player 0 passes.
    assert of(words, padded=padded) == PlayMeasures(
        turns=4,
        looks=1,
        takes=1,
        announcements=2,
        false=1,
        knowing_bluffs=1,
        asked=4,
        claims=2,
        true_claims=1,
    )


def test_a_gamble_is_no_knowing_bluff() -> None:
    # After player 0's take, player 1 holds the Judge or the King, as far as player 1 can tell.
    kept = of(["take:1", "keep", "announce:judge"])
    assert kept == PlayMeasures(turns=1, announcements=1, false=1)
    swapped = of(["take:1", "swap", "announce:judge"])
    assert swapped == PlayMeasures(turns=1, announcements=1)
    bluffed = of(["take:1", "keep", "announce:thief"])
    assert bluffed == PlayMeasures(turns=1, announcements=1, false=1, knowing_bluffs=1)


def test_who_believes_inexactly_never_bluffs_knowingly() -> None:
    """A belief of 0 may then come from leaving placements out."""
    # Player 0 holds the King. As far as 0 can know it may be any mask, the Judge by one in four;
    # where no more than two placements are kept, the Judge is left out.
    takes = ["take:1", "swap", "take:2", "swap", "take:0", "keep"]
    game = Game(TRIO, seed=0)
    batch = Batch(TRIO, 1, seed=0, autoreset="disabled", track="belief", most_worlds=2)
    for word in takes:
        batch.step(np.array([game.action_id(word)]))
        game.play(word)
    assert game.belief(0)[0].tolist() == [0.25, 0.5, 0.25]
    assert batch.belief(0)[0, 0, 0] == 0
    assert not batch.exact[0, 0]
    told = of([*takes, "announce:judge"], most_worlds=2)
    assert told == PlayMeasures(turns=3, takes=2, announcements=1, false=1)


def test_the_own_mask_is_that_of_the_seat() -> None:
    """Who was moved by the Puppet Master is measured by the mask of the new seat."""
    scenario = replace(
        TRIO, name="moved", masks=("judge", "king", "puppet_master"), opening_turns=0
    )
    words = [
        *("announce:puppet_master", "pass", "pass"),  # player 0
        *("target:1", "target:2"),  # players 1 and 2 exchange seats
        "announce:king",  # player 2, on seat 1, has the King now
    ]
    told = of(words, scenario=scenario)
    assert told == PlayMeasures(turns=2, announcements=2, false=1, knowing_bluffs=1, asked=2)


def test_rows_whose_game_is_over_are_not_counted() -> None:
    batch = Batch("4A", 16, seed=0, autoreset="disabled", track="belief")
    while not (batch.terminated.any() and not batch.terminated.all()):
        batch.step(batch.random_actions())
    actions = batch.random_actions()
    some = measured(batch, actions)
    actions[batch.terminated] = 25
    assert measured(batch, actions) == some
    while not batch.terminated.all():
        batch.step(batch.random_actions())
    assert measured(batch, actions) == PlayMeasures()


def test_shares() -> None:
    play = PlayMeasures(20, 5, 5, 10, 4, 3, 30, 6, 2) + PlayMeasures(turns=20, announcements=10)
    assert play.shares() == {
        "looks": 5 / 40,
        "takes": 5 / 40,
        "announcements": 20 / 40,
        "false": 4 / 20,
        "knowing bluffs": 3 / 20,
        "claims": 6 / 30,
        "true claims": 2 / 6,
    }
    assert all(math.isnan(share) for share in PlayMeasures().shares().values())


def test_beliefs_are_needed() -> None:
    batch = Batch("4A", 1, seed=0, track="memory")
    with pytest.raises(MascaradeError, match='track "belief" or "both"'):
        measured(batch, batch.random_actions())
