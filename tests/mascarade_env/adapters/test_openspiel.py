"""The game of OpenSpiel against our own: parameters, the deal, actions, utilities, bounds.

test_openspiel_views.py tests observers, test_openspiel_library.py runs OpenSpiel's own tests and
algorithms.
"""

import importlib
import random
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from mascarade_env import Game, IllegalActionError, MascaradeError, Scenario, Schema, scenarios
from tests.mascarade_env.adapters.openspiel_games import (
    course,
    game_of,
    load_game,
    moment,
    openspiel,
    pyspiel,
)
from tests.messages import facts

OWN = Scenario("my own, (x=1)", 2, ("king", "thief", "judge"), strict=False, turn_limit=5)


# Loading


def test_a_game_is_loaded_by_its_name_alone() -> None:
    game = pyspiel.load_game("python_mascarade")
    assert (game.scenario.name, game.scenario.turn_limit) == ("6A", openspiel.TURN_LIMIT)


def test_the_default_turn_limit_is_that_of_the_scenario() -> None:
    assert load_game("tiny-2").scenario == scenarios()["tiny-2"]
    game = pyspiel.load_game("python_mascarade(scenario=tiny-2,turn_limit=3)")
    assert game.scenario.turn_limit == 3
    assert game.scenario.at_limit == "richest"


@pytest.mark.parametrize("name", [*scenarios()])
def test_every_scenario_loads_with_the_right_numbers(name: str) -> None:
    game, scenario = load_game(name), scenarios()[name]
    fixed = scenario.fixed_deal
    modes = pyspiel.GameType.ChanceMode
    assert game.num_players() == scenario.players
    assert game.num_distinct_actions() == Game(scenario, seed=0).num_actions
    assert game.get_type().chance_mode == (
        modes.DETERMINISTIC if fixed else modes.EXPLICIT_STOCHASTIC
    )
    assert game.max_chance_outcomes() == (0 if fixed else len(scenario.kinds))
    assert game.max_chance_nodes_in_history() == (0 if fixed else scenario.slots)
    assert (game.min_utility(), game.max_utility()) == (-1 / (scenario.players - 1), 1)
    assert game.utility_sum() == 0
    assert game.observation_tensor_shape() == [Schema(scenario).size]


def test_a_scenario_with_a_name_is_loaded_by_it() -> None:
    assert "scenario=4B," in str(load_game(scenarios()["4B"]))
    other = Scenario("4B", 4, scenarios()["4B"].masks, turn_limit=9)
    assert load_game(other).scenario == other


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ("scenario=7Z", MascaradeError, ("scenario", "'7Z'", "7A")),
        ("scenario=4A,deal=fool judge", MascaradeError, ("deal", "masks", "fool, judge")),
        ("scenario=4A,deal=fool jester", MascaradeError, ("mask", "jester", "judge")),
        (
            "scenario=tiny-2,deal=judge king thief",
            MascaradeError,
            ("deal", "fixed", "judge, king, thief"),
        ),
        ("turn_limit=-3", MascaradeError, ("turn_limit", 1, 10**6, -3)),
        ("scenario=%7Bname", MascaradeError, ("scenario", "JSON")),
        ("scenario=%7B%22players%22%3A4%7D", MascaradeError, ("'masks'", "missing")),
        ("seats=4", pyspiel.SpielError, ("'seats'",)),
    ],
)
def test_bad_parameters_are_refused(
    parameters: str, error: type[Exception], words: tuple[object, ...]
) -> None:
    with pytest.raises(error, match=facts(*words)):
        pyspiel.load_game(f"python_mascarade({parameters})")


def test_load_game_refuses_wrong_deals_and_limits() -> None:
    deals: tuple[Sequence[str], ...] = ("fool judge thief empress patron trickster", [])
    for deal in deals:
        with pytest.raises(MascaradeError, match=facts("deal", "masks")):
            load_game("4A", deal=deal)
    for limit in (0, -1, True, 2.0, 10**12):
        with pytest.raises(MascaradeError, match=facts("turn_limit", repr(limit))):
            load_game("4A", turn_limit=limit)  # type: ignore[arg-type]
    assert load_game("4A", turn_limit=np.int64(7)).scenario.turn_limit == 7  # type: ignore[arg-type]


def test_the_module_can_be_imported_again() -> None:
    importlib.reload(openspiel)
    assert pyspiel.load_game("python_mascarade(scenario=4A)").num_players() == 4


def test_without_openspiel_the_import_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "mascarade_env.adapters.openspiel")
    with pytest.raises(ImportError, match=r"pip install 'mascarade-env\[openspiel\]'"):
        importlib.import_module("mascarade_env.adapters.openspiel")


# The deal


def test_chance_deals_the_masks_slot_by_slot() -> None:
    state = load_game("8A").new_initial_state()
    kinds = scenarios()["8A"].kinds
    peasant = kinds.index("peasant")
    assert dict(state.chance_outcomes())[peasant] == pytest.approx(2 / 8)
    state.apply_action(peasant)
    assert dict(state.chance_outcomes())[peasant] == pytest.approx(1 / 7)
    state.apply_action(peasant)
    assert peasant not in dict(state.chance_outcomes())
    for mask in range(len(kinds)):
        if mask != peasant:
            assert state.action_to_string(mask) == f"deal:{kinds[mask]}"
            state.apply_action(mask)
    assert game_of(state).deal == ["peasant", "peasant", *(k for k in kinds if k != "peasant")]


@pytest.mark.parametrize("name", ["4A", "8A", "12B"])
def test_all_deals_of_the_cards_are_equally_probable(name: str) -> None:
    chance = random.Random(0)
    state = load_game(name).new_initial_state()
    likely = 1.0
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(share for _, share in outcomes) == pytest.approx(1)
        action, share = chance.choice(outcomes)
        likely *= share
        state.apply_action(action)
    scenario = scenarios()[name]
    twins = 2 if "peasant" in scenario.masks else 1
    assert likely * np.prod(np.arange(1.0, scenario.slots + 1)) == pytest.approx(twins)
    assert Counter(game_of(state).deal) == Counter(scenario.masks)


def test_a_fixed_deal_has_no_chance_nodes() -> None:
    deal = ["fool", "judge", "thief", "empress", "patron", "trickster"]
    for game in (
        load_game("4A", deal=deal),
        pyspiel.load_game(f"python_mascarade(scenario=4A,deal={' '.join(deal)})"),
    ):
        state = game.new_initial_state()
        assert state.current_player() == 0
        assert game_of(state).deal == deal
        assert game.max_chance_outcomes() == game.max_chance_nodes_in_history() == 0


def test_a_mask_dealt_before_is_refused_without_a_change() -> None:
    state = load_game("4A").new_initial_state()
    state.apply_action(2)
    with pytest.raises(IllegalActionError, match=facts("deal", 2, "[0, 1, 3, 4, 5]")):
        state.apply_action(2)
    assert state.history() == [2]
    assert state.is_chance_node()


# Play


@pytest.mark.parametrize("name", ["tiny-2", "small-3", "4A", "8A", "12B"])
def test_a_game_is_the_same_as_ours(name: str) -> None:
    states = list(course(name, seed=1))
    begun = [state for state in states if not state.is_chance_node()]
    scenario = load_game(name).scenario
    game = Game(scenario, deal=game_of(begun[0]).deal)
    slots = len(states) - len(begun)
    for number, state in enumerate(begun):
        assert state.is_terminal() == game.over
        assert state.legal_actions() == game.legal_ids()
        assert state.returns() == game.returns()
        if game.over:
            break
        assert state.current_player() == game.player
        assert [state.action_to_string(a) for a in state.legal_actions()] == game.legal_actions()
        for player in range(scenario.players):
            assert state.information_state_string(player) == game.information_state(player)
            if player != game.player:
                assert state.legal_actions(player) == []
        seen = state.observation_tensor(game.player)
        np.testing.assert_array_equal(np.float32(seen), game.observation())
        game.play(states[-1].history()[slots + number])
    utilities, winners = states[-1].returns(), game.winners or range(scenario.players)
    assert sum(utilities) == pytest.approx(0)
    for player, utility in enumerate(utilities):
        share = (1 + utility * (scenario.players - 1)) / scenario.players
        assert share == pytest.approx(1 / len(winners) if player in winners else 0)


def test_an_illegal_action_is_refused_without_a_change() -> None:
    state = moment("4A", 3)
    before = state.history()
    with pytest.raises(IllegalActionError, match=facts("illegal action", "legal")):
        state.apply_action(state.num_distinct_actions() - 1)
    assert state.history() == before
    over = list(course("tiny-2", seed=0))[-1]
    with pytest.raises(IllegalActionError, match=facts("illegal action", "game", "over")):
        over.apply_action(0)


def test_only_chance_nodes_deal() -> None:
    decision, over = moment("4A", 0), list(course("tiny-2", seed=0))[-1]
    for state, why in ((decision, "player 0"), (over, "over")):
        with pytest.raises(MascaradeError, match=facts("chance", why)):
            state.chance_outcomes()


def test_actions_have_words_only_for_the_acting_player() -> None:
    deal, decision = load_game("4A").new_initial_state(), moment("4A", 0)
    over = list(course("tiny-2", seed=0))[-1]
    assert deal.action_to_string(-1, 0) == "deal:judge"
    assert decision.action_to_string(0, 0) == "take:1"
    for state, player, why in (
        (deal, 0, "player -1"),
        (decision, -1, "player 0"),
        (decision, 1, "player 0"),
        (over, 0, "over"),
        (over, over.current_player(), "over"),
    ):
        with pytest.raises(MascaradeError, match=facts("action", f"player {player}", why)):
            state.action_to_string(player, 0)
    for state, number in ((deal, 6), (deal, -1), (decision, 99)):
        with pytest.raises(IllegalActionError):
            state.action_to_string(number)


def test_a_void_game_has_utility_0_for_all() -> None:
    over = list(course("4A", seed=0, turn_limit=5))[-1]
    assert game_of(over).truncated
    assert over.returns() == [0.0] * 4
