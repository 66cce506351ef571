"""Mutants: wrong versions of the rules and of what players know, with the tests that catch them.

A mutant changes a line or two of one file of the package. It shows that its test can fail.
"""

from typing import NamedTuple


class Mutant(NamedTuple):
    """A wrong version of one file.

    Attributes:
        name: what is wrong.
        file: the file of the package.
        true: text that occurs in the file exactly once.
        wrong: the text that replaces it.
        caught_by: the test that must fail, as a path from tests/mascarade_env.
    """

    name: str
    file: str
    true: str
    wrong: str
    caught_by: str


OF_THE_RULES = (
    Mutant(
        "a liar pays from the seat they began on",
        "game/_rules.py",
        "                seat = g.seat_of[player]\n                fine",
        "                seat = player\n                fine",
        "game/test_rules.py::test_rule_5_4_a_liar_pays_from_the_fortune_at_the_new_seat",
    ),
    Mutant(
        "fines are paid one by one",
        "game/_rules.py",
        "                _paid(log, seat, TRIBUNAL, fine)\n",
        (
            "                _paid(log, seat, TRIBUNAL, fine)\n"
            "                if _ends(g, log):\n"
            "                    return\n"
        ),
        "game/test_rules_6_and_7.py::test_rule_6_all_fines_are_one_step",
    ),
    Mutant(
        "fines are paid though the power has ended the game",
        "game/_rules.py",
        "    if g.status != RUNNING:\n        return\n    if g.liars:",
        "    if g.liars:",
        "game/test_powers.py::test_patron_lets_a_neighbour_who_lied_win_before_the_fine",
    ),
    Mutant(
        "the bar stays with the seat",
        "game/_actions.py",
        "barred = g.barred & bit(player_on(g, g.actor))",
        "barred = g.barred & bit(g.actor)",
        "game/test_rules.py::test_rule_4_3_the_bar_does_not_stay_on_the_seat_of_who_revealed",
    ),
    Mutant(
        "the bar hits the player who began on the seat",
        "game/_rules.py",
        "    g.revealed |= bit(player_on(g, seat))\n    log_for_all",
        "    g.revealed |= bit(seat)\n    log_for_all",
        "game/test_rules.py::test_rule_4_3_the_bar_hits_who_sits_there_since_an_exchange_of_seats",
    ),
    Mutant(
        "the Princess does not bar",
        "game/_rules.py",
        "    g.revealed |= bit(player_on(g, seat))\n    log_for_others",
        "    log_for_others",
        "game/test_rules.py::test_rule_4_3_the_target_of_the_princess_is_barred",
    ),
    Mutant(
        "the bar lasts",
        "game/_rules.py",
        "    g.revealed = 0\n    if g.turn ==",
        "    if g.turn ==",
        "game/test_rules.py::test_rule_4_3_the_bar_lasts_for_just_the_next_turn",
    ),
    Mutant(
        "the marker follows the player who was moved",
        "game/_rules.py",
        "    g.marker = left_of(g, g.marker, 1)",
        "    g.marker = left_of(g, g.seat_of[g.marker], 1)",
        "game/test_rules.py::test_rule_4_4_the_marker_moves_on_from_where_it_was_after_an_exchange_of_seats",
    ),
    Mutant(
        "the opening has a turn for each player",
        "game/_actions.py",
        "g.turn < g.opening_turns",
        "g.turn < g.players",
        "game/test_rules.py::test_rule_4_1_the_opening_is_exactly_four_takes_whatever_the_number_of_players",
    ),
    Mutant(
        "the limit is a turn late",
        "game/_rules.py",
        "if g.turn == g.turn_limit:",
        "if g.turn_limit and g.turn == g.turn_limit + 1:",
        "game/test_rules_6_and_7.py::test_rule_7_3_the_game_is_void_at_the_limit_which_counts_the_opening",
    ),
    Mutant(
        "the last player is not asked",
        "game/_rules.py",
        "    if g.actor != g.marker:\n        return",
        "    if left_of(g, g.actor, 1) != g.marker:\n        return",
        "game/test_rules.py::test_rule_5_1_every_other_player_is_asked_once_from_the_left",
    ),
    Mutant(
        "the announcer uses the power whoever has the mask",
        "game/_rules.py",
        "        _use_power(g, log, holder)",
        "        _use_power(g, log, g.marker)",
        "game/test_powers.py::test_patron_as_claimant_gives_to_the_neighbours_of_the_own_seat",
    ),
    Mutant(
        "the Beggar asks players as rich",
        "game/_rules.py",
        "g.coins[giver] > g.coins[seat]",
        "g.coins[giver] >= g.coins[seat]",
        "game/test_powers.py::test_beggar_gets_one_from_each_who_is_richer_at_that_moment",
    ),
    Mutant(
        "the Beggar asks from the right",
        "game/_rules.py",
        "        giver = left_of(g, seat, places)",
        "        giver = left_of(g, seat, g.players - places)",
        "game/test_powers.py::test_beggar_as_claimant_begins_on_the_left_of_the_own_seat",
    ),
    Mutant(
        "the Widow fills up to the goal",
        "game/_rules.py",
        "max(0, WIDOW_FORTUNE - g.coins[seat])",
        "max(0, g.goal_coins - g.coins[seat])",
        "game/test_powers.py::test_widow_fills_up_to_ten",
    ),
    Mutant(
        "the Cheat needs the goal less 3",
        "game/_rules.py",
        "g.coins[seat] >= CHEAT_FORTUNE",
        "g.coins[seat] >= g.goal_coins - 3",
        "game/test_powers.py::test_cheat_wins_with_ten_or_more_whatever_the_goal",
    ),
    Mutant(
        "the Cheat needs more than 10",
        "game/_rules.py",
        "g.coins[seat] >= CHEAT_FORTUNE",
        "g.coins[seat] > CHEAT_FORTUNE",
        "game/test_powers.py::test_cheat_wins_with_ten_or_more_whatever_the_goal",
    ),
    Mutant(
        "the Patron and the neighbours take in one step",
        "game/_rules.py",
        "    _from_bank(g, log, seat, 3)\n    if g.status != RUNNING:\n        return\n",
        "    _draw(g, log, seat, 3)\n",
        "game/test_powers.py::test_patron_wins_before_the_neighbours_take",
    ),
    Mutant(
        "a lone neighbour gives twice to the Thief",
        "game/_rules.py",
        "    if right != left:\n        _give",
        "    if right >= 0:\n        _give",
        "game/test_powers.py::test_thief_with_two_players_takes_from_the_neighbour_once",
    ),
    Mutant(
        "the Trickster chooses freely",
        "game/_actions.py",
        "return g.coins[seat] == richest_other(g, g.user)",
        "return True",
        "game/test_powers.py::test_trickster_chooses_among_the_richest_on_a_tie",
    ),
    Mutant(
        "the Trickster asks without a tie",
        "game/_rules.py",
        "    if ties > 1:",
        "    if ties > 0:",
        "game/test_powers.py::test_trickster_takes_two_from_the_one_richest_unasked",
    ),
    Mutant(
        "the Peasants take one after the other",
        "game/_rules.py",
        "    _draw(g, log, one, 2)\n",
        "    _draw(g, log, one, 2)\n    if _ends(g, log):\n        return\n",
        "game/test_rules_6_and_7.py::test_rule_6_two_peasants_take_in_one_step",
    ),
    Mutant(
        "the Puppet Master moves players though the game is over",
        "game/_rules.py",
        "    if _ends(g, log):\n        return\n    player = g.player_at[one]",
        "    _ends(g, log)\n    player = g.player_at[one]",
        "game/test_powers_with_choices.py::test_puppet_master_whose_taking_ends_the_game_moves_nobody",
    ),
    Mutant(
        "the Puppet Master moves the masks too",
        "game/_rules.py",
        "    player = g.player_at[one]\n",
        (
            "    g.mask_at[one], g.mask_at[other] = g.mask_at[other], g.mask_at[one]\n"
            "    player = g.player_at[one]\n"
        ),
        "game/test_powers_with_choices.py::test_puppet_master_takes_two_coins_and_moves_two_players",
    ),
    Mutant(
        "the Witch must swap",
        "game/_actions.py",
        "    if g.announced == WITCH:",
        "    if False:",
        "game/test_powers_with_choices.py::test_only_the_witch_may_decline",
    ),
    Mutant(
        "the Guru is paid for a right name",
        "game/_rules.py",
        "    if mask != g.mask_at[seat]:\n        _give",
        "    if mask == g.mask_at[seat]:\n        _give",
        "game/test_powers_with_choices.py::test_guru_gets_nothing_for_the_right_name",
    ),
    Mutant(
        "players pay more than they have",
        "game/_rules.py",
        "moved = min(coins, g.coins[giver])",
        "moved = coins",
        "game/test_rules_6_and_7.py::test_rule_6_nobody_pays_more_than_they_have",
    ),
    Mutant(
        "a player without coins plays on",
        "game/_rules.py",
        "    if broke:\n",
        "    if False:\n",
        "game/test_powers.py::test_trickster_takes_the_only_coin_of_a_victim",
    ),
    Mutant(
        "only the richest of those past the goal wins",
        "game/_rules.py",
        "        _win(g, log, rich)",
        "        _win(g, log, _richest(g))",
        "game/test_rules_6_and_7.py::test_rule_7_1_two_peasants_at_13_and_14_share_the_win",
    ),
    Mutant(
        "winners share what is one winner's",
        "game/_rules.py",
        "return (players - count) / (count * (players - 1))",
        "return 1.0 / count",
        "game/test_rules_6_and_7.py::test_rule_7_returns",
    ),
    Mutant(
        "everyone sees what a player looks at",
        "game/_rules.py",
        "log_for_one(g, log, events.SEE, seat, (seat, 0, g.mask_at[seat]))\n        _end_turn",
        "log_for_all(g, log, events.SEE, seat, (seat, 0, g.mask_at[seat]))\n        _end_turn",
        "game/test_event_sentences.py::test_others_see_that_a_player_looks_but_not_the_mask",
    ),
    Mutant(
        "everyone sees whether the masks were swapped",
        "game/_rules.py",
        "    log_for_one(g, log, events.SWAP if swap",
        "    log_for_all(g, log, events.SWAP if swap",
        "game/test_event_sentences.py::test_the_player_who_swaps_or_keeps_sees_which",
    ),
    Mutant(
        "who shows to the Princess sees the mask",
        "game/_rules.py",
        "    log_for_others(g, log, events.SHOW",
        "    log_for_all(g, log, events.SHOW",
        "game/test_event_sentences.py::test_the_target_of_the_princess_and_the_public_see_only_the_choice",
    ),
)
OF_WHAT_PLAYERS_KNOW = (
    Mutant(
        "others' swaps are known",
        "knowledge/_beliefs.py",
        "        if viewer == event.player or not held.followed:\n",
        "        if viewer >= 0 or not held.followed:\n",
        "knowledge/test_beliefs.py::test_only_the_player_who_held_the_masks_knows",
    ),
    Mutant(
        "one's own swaps are not known",
        "knowledge/_beliefs.py",
        "        if viewer == event.player or not held.followed:\n",
        "        if viewer < 0 or not held.followed:\n",
        "knowledge/test_beliefs.py::test_only_the_player_who_held_the_masks_knows",
    ),
    Mutant(
        "one's own swap moves nothing",
        "knowledge/_beliefs.py",
        "        elif kind == events.SWAP:",
        "        elif kind == events.ASK:",
        "knowledge/test_beliefs.py::test_only_the_player_who_held_the_masks_knows",
    ),
    Mutant(
        "probabilities do not follow the worlds after one's own swap",
        "knowledge/_beliefs.py",
        "        one[mask] = other[mask]\n        other[mask] = probability\n",
        "        other[mask] = probability\n",
        "observation/test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does[4B]",
    ),
    Mutant(
        "all viewers see what one sees",
        "knowledge/_beliefs.py",
        "if unsure and _sees(event, viewer, viewers):",
        "if unsure:",
        "knowledge/test_beliefs.py::test_who_shows_a_mask_for_the_princess_and_the_onlooker_do_not_see_it",
    ),
    Mutant(
        "the onlooker sees what is shown to the Princess",
        "knowledge/_beliefs.py",
        "(bit(ONLOOKER) if viewer == viewers - 1 else bit(viewer)) != 0",
        "(bit(0) if viewer == viewers - 1 else bit(viewer)) != 0",
        "knowledge/test_beliefs.py::test_who_shows_a_mask_for_the_princess_may_not_know_it",
    ),
    Mutant(
        "equal halves do not become one world",
        "knowledge/_beliefs.py",
        "        if there == count:\n            mine",
        "        if True:\n            mine",
        "observation/test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does[4B]",
    ),
    Mutant(
        "two halves that meet keep their weights",
        "knowledge/_beliefs.py",
        (
            "        elif there > at:\n"
            "            _level(mine, at, there)\n"
            "    held.count = have\n"
            "\n"
            "\n"
            "@inlined\n"
            "def _split_many"
        ),
        "    held.count = have\n\n\n@inlined\ndef _split_many",
        "observation/test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does[4B]",
    ),
    Mutant(
        "what was said stays with the seat when players move",
        "observation/_picture.py",
        "        _write_words(part, layout, facts, int(facts.player_at[there]))\n",
        "        _write_words(part, layout, facts, there)\n",
        "observation/test_observations.py::test_the_end_on_a_turn_on_which_players_moved",
    ),
    Mutant(
        "a claim counts as an announcement",
        "knowledge/_facts.py",
        "_count(facts, event.player, CLAIMS_TRUE if true else CLAIMS_FALSE)",
        "_count(facts, event.player, PROVEN_TRUE if true else PROVEN_FALSE)",
        "observation/test_observations.py::test_tallies_are_zero_after_each_deal",
    ),
    Mutant(
        "tallies go on in the next game",
        "knowledge/_facts.py",
        "            facts.tail[tally_at(seat, tally)] = 0\n",
        "            pass\n",
        "observation/test_observations.py::test_tallies_are_zero_after_each_deal",
    ),
    Mutant(
        "the last turn before the limit does not count",
        "knowledge/_facts.py",
        (
            "        facts.turn = event.value\n"
            "        facts.barred = facts.revealed\n"
            "        facts.revealed = 0\n"
            "        _end(facts)\n"
        ),
        "        _end(facts)\n",
        "observation/test_observations.py::test_the_end_at_the_turn_limit",
    ),
    Mutant(
        "a look tells who looked nothing",
        "knowledge/_facts.py",
        "    elif kind == events.LOOK:\n        _learn(facts, event.player, event.a)\n",
        "    elif kind == events.LOOK:\n        pass\n",
        "observation/test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does[4B]",
    ),
    Mutant(
        "who shows to the Princess is sure",
        "knowledge/_facts.py",
        "            if player != shows:\n",
        "            if True:\n",
        "observation/test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does[6B]",
    ),
    Mutant(
        "nobody loses track of masks under the table",
        "knowledge/_facts.py",
        "        _lose_track(facts, player, event)\n",
        "        pass\n",
        "observation/test_observations.py::test_the_end_at_the_turn_limit",
    ),
    Mutant(
        "windows hold what others saw",
        "knowledge/_windows.py",
        "        if not seen_by >> player & 1:\n            continue\n",
        "",
        "observation/test_observations.py::test_the_end_at_the_turn_limit",
    ),
    Mutant(
        "windows count seats from seat 0",
        "knowledge/_windows.py",
        "        ring, seat = rings[player], int(facts.seat_of[player])\n",
        "        ring, seat = rings[player], 0\n",
        "observation/test_observations.py::test_the_end_on_a_turn_on_which_players_moved",
    ),
    Mutant(
        "a full window forgets too much",
        "knowledge/_windows.py",
        "        ring.held = min(int(ring.held) + 1, WINDOW)\n",
        "        ring.held = (int(ring.held) + 1) % WINDOW\n",
        "observation/test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does[4B]",
    ),
    Mutant(
        "seats are listed from seat 0",
        "observation/_encoder.py",
        "    write_picture(line, layout, facts, int(facts.seat_of[player]))",
        "    write_picture(line, layout, facts, 0)",
        "observation/test_observations.py::test_the_end_on_a_turn_on_which_players_moved",
    ),
    Mutant(
        "beliefs are listed from seat 0",
        "observation/_encoder.py",
        "write_belief(line[layout.own_belief :], layout, facts, own, seat)",
        "write_belief(line[layout.own_belief :], layout, facts, own, 0)",
        "observation/test_observations.py::test_the_end_on_a_turn_on_which_players_moved",
    ),
    Mutant(
        "the onlooker's belief is one's own",
        "observation/_encoder.py",
        "f.beliefs.probabilities[game, player], f.beliefs.probabilities[game, onlooker]",
        "f.beliefs.probabilities[game, player], f.beliefs.probabilities[game, player]",
        "observation/test_observations.py::test_the_end_at_the_turn_limit",
    ),
)
