"""Beliefs and policy of the players of simulations."""

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
    """Return a position at the start of its first simulation."""
    p = seen(game)
    begin(p, 3, 0)
    return p


def probabilities(game: Game) -> dict[str, float]:
    """Return the probabilities of the deciding player's actions in a simulation."""
    p = begun(game)
    legal = np.zeros(1, LEGAL)[0]
    find_legal(p.rows[1], legal)
    weigh(p.rows[1], p.simulated, legal)
    found: NDArray[np.float64] = p.simulated.scores[: legal.count]
    return dict(zip(game.legal_actions(), found.tolist(), strict=True))


@pytest.mark.parametrize("scenario", ["4B", "6A", "8B", "12A"])
def test_simulated_beliefs_are_probabilities_that_fit_the_events(scenario: str) -> None:
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


def test_hidden_swaps_mix_beliefs_and_a_look_separates_them() -> None:
    p = begun(table("king", "judge", "thief"))
    g, belief = p.rows[1], p.simulated.belief
    king, judge, _ = (int(p.simulated.column[mask_number(m)]) for m in ("king", "judge", "thief"))
    advance(g, p.logs[0], p.simulated, 0)  # player 0 takes the mask of player 1
    advance(g, p.logs[0], p.simulated, 7)  # and keeps both
    assert belief[0, 0, king] == 1
    for viewer in (1, 2, 3):
        assert belief[viewer, :2, [king, judge]].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert p.simulated.sure[0] == 0b101  # by public events player 1 may not know their mask
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
def test_the_values_of_powers_follow_the_rules(mask: str) -> None:
    others = [other for other in SIX if other != mask][:5]
    game = table(mask, *others, coins=[4, 5, 3, 9, 2, 5])
    game._rows["tribunal"] = 3
    expected = coins_of(game._rows[0], 0, mask_number(mask))
    play(game, f"announce:{mask}", "pass*5")
    if mask == "witch":
        game.play("target:3")
    assert game.coins[0] - 4 == expected


def test_a_win_counts_more_than_coins_and_the_last_coin_more_than_a_fine() -> None:
    game = table(*SIX, coins=[11, 6, 6, 10, 1, 6])
    g = game._rows[0]
    king, cheat = mask_number("king"), mask_number("cheat")
    assert [wins(g, 0, king), wins(g, 3, cheat), wins(g, 1, king)] == [True, True, False]
    assert gain(g, 0, king) > 10 > gain(g, 1, king)
    assert harm(g, 0, king, 1) > harm(g, 1, king, 0) > 0
    assert fine(g, 4) > fine(g, 1) == 1


def test_probabilities_sum_to_one_in_all_phases() -> None:
    phases = set()
    for scenario in ("6A", "8B"):
        for game in random_positions(scenario, 60, seed=7):
            phases.add(game.phase)
            found = probabilities(game)
            assert min(found.values()) >= 0
            assert sum(found.values()) == pytest.approx(1)
    assert {"turn", "table", "challenge", "target"} <= phases


def test_players_claim_their_own_mask_and_not_that_of_another() -> None:
    game = table(*SIX)
    play(game, "announce:judge")
    assert probabilities(game)["claim"] < 0.2  # the Judge is theirs, but the tribunal is empty
    game = table(*SIX)
    play(game, "announce:empress", "pass")
    assert probabilities(game)["claim"] > 0.9
    game = table(*SIX)
    play(game, "announce:king")
    assert probabilities(game)["claim"] < 0.1


def test_a_certain_win_is_announced() -> None:
    assert probabilities(table(*SIX, coins=[11, 6, 6, 6, 6, 6]))["announce:king"] > 0.9
