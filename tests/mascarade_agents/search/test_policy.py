"""What players in simulations know, weigh and do."""

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents._search.policy import weigh
from mascarade_agents._search.power_values import coins_of, fine, gain, harm, wins
from mascarade_agents._search.simulated_beliefs import advance, see
from mascarade_agents._search.worlds import Position, begin
from mascarade_env import Game
from mascarade_env.game._actions import LEGAL, find_legal
from mascarade_env.game._masks import mask_number
from mascarade_env.game._positions import RUNNING
from mascarade_env.game._rules import random_id
from tests.mascarade_agents.search.positions import random_positions, seen
from tests.mascarade_env.game.tables import play, table

SIX = ("king", "judge", "empress", "thief", "witch", "cheat")


def begun(game: Game) -> Position:
    """The first simulation of a position."""
    p = seen(game)
    begin(p, 3, 0)
    return p


def chances(game: Game) -> dict[str, float]:
    """How probable each action of who decides is in a simulation, in words."""
    p = begun(game)
    legal = np.zeros(1, LEGAL)[0]
    find_legal(p.rows[1], legal)
    weigh(p.rows[1], p.simulated, legal)
    found: NDArray[np.float64] = p.simulated.scores[: legal.count]
    return dict(zip(game.legal_actions(), found.tolist(), strict=True))


@pytest.mark.parametrize("scenario", ["4B", "6A", "8B", "12A"])
def test_what_players_know_stays_a_probability_and_fits_what_they_have_seen(scenario: str) -> None:
    legal = np.zeros(1, LEGAL)[0]
    for game in random_positions(scenario, 6, seed=1):
        p = begun(game)
        g, belief = p.rows[1], p.simulated.belief
        for _ in range(60):
            if g.status != RUNNING:
                break
            advance(g, p.logs[0], p.simulated, random_id(g, legal))
            assert belief.min() >= 0
            assert np.allclose(belief.sum(axis=2), 1)
            for player in range(int(g.players)):
                if p.simulated.sure[0] >> player & 1:
                    seat = int(g.seat_of[player])
                    column = int(p.simulated.column[g.mask_at[seat]])
                    assert belief[player, seat, column] == pytest.approx(1)


def test_masks_taken_by_others_are_mixed_and_a_look_tells_them_apart() -> None:
    p = begun(table("king", "judge", "thief"))
    g, belief = p.rows[1], p.simulated.belief
    king, judge, _ = (int(p.simulated.column[mask_number(m)]) for m in ("king", "judge", "thief"))
    advance(g, p.logs[0], p.simulated, 0)  # player 0 takes the mask of player 1
    advance(g, p.logs[0], p.simulated, 7)  # and keeps both
    assert belief[0, 0, king] == 1
    for viewer in (1, 2, 3):
        assert belief[viewer, :2, [king, judge]].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert p.simulated.sure[0] == 0b101  # all can tell that player 1 need not know
    see(p.simulated, 1, 1, judge)
    assert belief[1, 0, king] == belief[1, 1, judge] == 1


def test_one_of_two_peasants_seen_leaves_the_other() -> None:
    game = Game("8A", seed=0)
    p = begun(game)
    peasant = int(p.simulated.column[mask_number("peasant")])
    p.simulated.belief[:] = p.simulated.cards / p.simulated.cards.sum()
    see(p.simulated, 2, 5, peasant)
    assert p.simulated.belief[2, :, peasant].sum() == pytest.approx(2, abs=0.2)
    assert p.simulated.belief[2, 5, peasant] == 1


@pytest.mark.parametrize(
    "mask", ["king", "empress", "judge", "thief", "beggar", "widow", "patron", "trickster", "witch"]
)
def test_what_powers_bring_is_what_the_rules_give(mask: str) -> None:
    others = [other for other in SIX if other != mask][:5]
    game = table(mask, *others, coins=[4, 5, 3, 9, 2, 5])
    game._rows["tribunal"] = 3
    told = coins_of(game._rows[0], 0, mask_number(mask))
    play(game, f"announce:{mask}", "pass*5")
    if mask == "witch":
        game.play("target:3")
    assert game.coins[0] - 4 == told


def test_a_win_counts_more_than_coins_and_the_last_coin_more_than_a_fine() -> None:
    game = table(*SIX, coins=[11, 6, 6, 10, 1, 6])
    g = game._rows[0]
    king, cheat = mask_number("king"), mask_number("cheat")
    assert [wins(g, 0, king), wins(g, 3, cheat), wins(g, 1, king)] == [True, True, False]
    assert gain(g, 0, king) > 10 > gain(g, 1, king)
    assert harm(g, 0, king, 1) > harm(g, 1, king, 0) > 0
    assert fine(g, 4) > fine(g, 1) == 1


def test_all_phases_have_chances_that_sum_to_one() -> None:
    phases = set()
    for scenario in ("6A", "8B"):
        for game in random_positions(scenario, 60, seed=7):
            phases.add(game.phase)
            found = chances(game)
            assert min(found.values()) >= 0
            assert sum(found.values()) == pytest.approx(1)
    assert {"turn", "table", "challenge", "target"} <= phases


def test_what_is_surely_one_s_own_is_claimed_and_another_s_is_not() -> None:
    game = table(*SIX)
    play(game, "announce:judge")
    assert chances(game)["claim"] < 0.2  # the Judge is theirs, but the tribunal is empty
    game = table(*SIX)
    play(game, "announce:empress", "pass")
    assert chances(game)["claim"] > 0.9
    game = table(*SIX)
    play(game, "announce:king")
    assert chances(game)["claim"] < 0.1


def test_a_certain_win_is_announced() -> None:
    assert chances(table(*SIX, coins=[11, 6, 6, 6, 6, 6]))["announce:king"] > 0.9
