"""Wrong versions of the rules and of what players know, each of which directed tests must catch.

A test that cannot fail proves nothing. Each mutant changes a line or two; the directed tests are
run on it in plain Python and must fail.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DIRECTED = ("test_powers.py", "test_powers_with_choices.py", "test_rules.py",
            "test_rules_6_and_7.py", "test_events_words.py")  # fmt: skip

# For what players know: beliefs in games set up by hand, and observations against the second
# implementation in scenarios that have all that moves or shows masks.
_NAIVE = "test_observations.py::test_every_scenario_is_observed_as_the_naive_observer_does"
KNOWING = (
    "test_observations.py::test_tallies_begin_anew_with_each_deal",
    "test_beliefs.py::test_nothing_is_mixed_before_masks_under_the_table_are_put_back",
    "test_beliefs.py::test_only_who_held_the_masks_knows",
    "test_beliefs.py::test_what_the_spy_sees_counts_before_the_masks_are_put_back",
    "test_beliefs.py::test_who_shows_a_mask_for_the_princess_and_the_onlooker_do_not_see_it",
    "test_beliefs.py::test_who_shows_a_mask_for_the_princess_may_not_know_it",
    "test_beliefs.py::test_a_sight_tells_of_what_was_done_earlier",
    "test_beliefs.py::test_two_peasants_are_one_placement",
    "test_observations.py::test_the_end_on_a_turn_on_which_players_moved",
    "test_observations.py::test_the_end_at_the_turn_limit",
    f"{_NAIVE}[4B]",
    f"{_NAIVE}[6B]",
)

# Name: file, what stands there, what stands there in the mutant.
MUTANTS = {
    "a liar pays from the seat they began on": (
        "rules.py",
        "                seat = g.seat_of[player]\n                fine",
        "                seat = player\n                fine",
    ),
    "fines are paid one by one": (
        "rules.py",
        "                _paid(g, log, seat, TRIBUNAL, fine)\n",
        "                _paid(g, log, seat, TRIBUNAL, fine)\n"
        "                if _ends(g, log):\n                    return\n",
    ),
    "fines are paid though the power has ended the game": (
        "rules.py",
        "    if g.status != RUNNING:\n        return\n    if g.liars:",
        "    if g.liars:",
    ),
    "the bar stays with the seat": (
        "actions.py",
        "barred = g.barred & bit(player_on(g, g.actor))",
        "barred = g.barred & bit(g.actor)",
    ),
    "the bar hits the player who began on the seat": (
        "rules.py",
        "    g.revealed |= bit(player_on(g, seat))\n    tell_all",
        "    g.revealed |= bit(seat)\n    tell_all",
    ),
    "the Princess does not bar": (
        "rules.py",
        "    g.revealed |= bit(player_on(g, seat))\n    tell_others",
        "    tell_others",
    ),
    "the bar lasts": ("rules.py", "    g.revealed = 0\n    if g.turn ==", "    if g.turn =="),
    "the marker follows the player who was moved": (
        "rules.py",
        "    g.marker = left_of(g, g.marker, 1)",
        "    g.marker = left_of(g, g.seat_of[g.marker], 1)",
    ),
    "the opening has a turn for each player": (
        "actions.py",
        "g.turn < g.opening_turns",
        "g.turn < g.players",
    ),
    "the limit is a turn late": (
        "rules.py",
        "if g.turn == g.turn_limit:",
        "if g.turn_limit and g.turn == g.turn_limit + 1:",
    ),
    "the last player is not asked": (
        "rules.py",
        "    if g.actor != g.marker:\n        return",
        "    if left_of(g, g.actor, 1) != g.marker:\n        return",
    ),
    "the announcer uses the power whoever has the mask": (
        "rules.py",
        "        _use_power(g, log, holder)",
        "        _use_power(g, log, g.marker)",
    ),
    "the Beggar asks players as rich": (
        "rules.py",
        "g.coins[giver] > g.coins[seat]",
        "g.coins[giver] >= g.coins[seat]",
    ),
    "the Beggar asks from the right": (
        "rules.py",
        "        giver = left_of(g, seat, places)",
        "        giver = left_of(g, seat, g.players - places)",
    ),
    "the Widow fills up to the goal": (
        "rules.py",
        "max(0, WIDOW_FORTUNE - g.coins[seat])",
        "max(0, g.goal_coins - g.coins[seat])",
    ),
    "the Cheat needs the goal less 3": (
        "rules.py",
        "g.coins[seat] >= CHEAT_FORTUNE",
        "g.coins[seat] >= g.goal_coins - 3",
    ),
    "the Cheat needs more than 10": (
        "rules.py",
        "g.coins[seat] >= CHEAT_FORTUNE",
        "g.coins[seat] > CHEAT_FORTUNE",
    ),
    "the Patron and the neighbours take in one step": (
        "rules.py",
        "    _from_bank(g, log, seat, 3)\n    if g.status != RUNNING:\n        return\n",
        "    _draw(g, log, seat, 3)\n",
    ),
    "a lone neighbour gives twice to the Thief": (
        "rules.py",
        "    if right != left:\n        _give",
        "    if right >= 0:\n        _give",
    ),
    "the Trickster chooses freely": (
        "actions.py",
        "return g.coins[seat] == richest_other(g, g.user)",
        "return True",
    ),
    "the Trickster asks without a tie": ("rules.py", "    if ties > 1:", "    if ties > 0:"),
    "the Peasants take one after the other": (
        "rules.py",
        "    _draw(g, log, one, 2)\n",
        "    _draw(g, log, one, 2)\n    if _ends(g, log):\n        return\n",
    ),
    "the Puppet Master moves players though the game is over": (
        "rules.py",
        "    if _ends(g, log):\n        return\n    player = g.player_at[one]",
        "    _ends(g, log)\n    player = g.player_at[one]",
    ),
    "the Puppet Master moves the masks too": (
        "rules.py",
        "    player = g.player_at[one]\n",
        "    g.mask_at[one], g.mask_at[other] = g.mask_at[other], g.mask_at[one]\n"
        "    player = g.player_at[one]\n",
    ),
    "the Witch must swap": ("actions.py", "    if g.announced == WITCH:", "    if False:"),
    "the Guru is paid for a right name": (
        "rules.py",
        "    if mask != g.mask_at[seat]:\n        _give",
        "    if mask == g.mask_at[seat]:\n        _give",
    ),
    "players pay more than they have": (
        "rules.py",
        "moved = min(coins, g.coins[giver])",
        "moved = coins",
    ),
    "a player without coins plays on": ("rules.py", "    if broke:\n", "    if False:\n"),
    "only the richest of those past the goal wins": (
        "rules.py",
        "        _win(g, log, rich)",
        "        _win(g, log, _richest(g))",
    ),
    "winners share what is one winner's": (
        "rules.py",
        "return (players - count) / (count * (players - 1))",
        "return 1.0 / count",
    ),
    "everyone sees what a player looks at": (
        "rules.py",
        "        tell_one(g, log, events.SEE, seat, seat, 0, g.mask_at[seat])\n        _end_turn",
        "        tell_all(g, log, events.SEE, seat, seat, 0, g.mask_at[seat])\n        _end_turn",
    ),
    "everyone sees whether the masks were swapped": (
        "rules.py",
        "    tell_one(g, log, events.SWAP if swap",
        "    tell_all(g, log, events.SWAP if swap",
    ),
    "who shows to the Princess sees the mask": (
        "rules.py",
        "    tell_others(g, log, events.SHOW",
        "    tell_all(g, log, events.SHOW",
    ),
}  # fmt: skip


# The same for what players know.
MISUNDERSTANDINGS = {
    "others' swaps are known": (
        "knowledge.py",
        "                if viewer == event.player or not held.followed:\n",
        "                if viewer >= 0 or not held.followed:\n",
    ),
    "one's own swaps are not known": (
        "knowledge.py",
        "                if viewer == event.player or not held.followed:\n",
        "                if viewer < 0 or not held.followed:\n",
    ),
    "one's own swap moves nothing": (
        "knowledge.py",
        "        elif kind == events.SWAP:",
        "        elif kind == events.ASK:",
    ),
    "probabilities do not follow the worlds after one's own swap": (
        "knowledge.py",
        "                one[mask] = other[mask]\n                other[mask] = chance\n",
        "                other[mask] = chance\n",
    ),
    "all viewers see what one sees": (
        "knowledge.py",
        "if unsure and _sees(event, viewer, viewers):",
        "if unsure:",
    ),
    "the onlooker sees what is shown to the Princess": (
        "knowledge.py",
        "(bit(ONLOOKER) if viewer == viewers - 1 else bit(viewer)) != 0",
        "(bit(0) if viewer == viewers - 1 else bit(viewer)) != 0",
    ),
    "equal halves do not become one world": (
        "knowledge.py",
        "        if there == count:\n            mine",
        "        if True:\n            mine",
    ),
    "two halves that meet keep their weights": (
        "knowledge.py",
        "        elif there > at:\n            _level(mine, at, there)\n"
        "    held.count = have\n\n\n@compiled\ndef _split_many",
        "    held.count = have\n\n\n@compiled\ndef _split_many",
    ),
    "what was said stays with the seat when players move": (
        "notes.py",
        "    for column in range(ANSWER, notes.columns):\n        value",
        "    for column in range(SAID, notes.columns):\n        value",
    ),
    "a claim counts as an announcement": (
        "notes.py",
        "_count(notes, event.player, CLAIMS_TRUE if true else CLAIMS_FALSE)",
        "_count(notes, event.player, PROVEN_TRUE if true else PROVEN_FALSE)",
    ),
    "tallies go on in the next game": (
        "notes.py",
        "            notes.tally[seat, k] = 0\n",
        "            pass\n",
    ),
    "the last turn before the limit does not count": (
        "notes.py",
        "        notes.turn = event.value\n        notes.barred = notes.revealed\n"
        "        notes.revealed = 0\n        _age_all(notes)\n        _end(notes)\n",
        "        _end(notes)\n",
    ),
    "a look tells who looked nothing": (
        "notes.py",
        "    elif kind == events.LOOK:\n        _learn(notes, event.player, event.a)\n",
        "    elif kind == events.LOOK:\n        pass\n",
    ),
    "who shows to the Princess is sure": (
        "notes.py",
        "            if player != shows:\n",
        "            if True:\n",
    ),
    "nobody loses track of masks under the table": (
        "notes.py",
        "        _lose_track(notes, player, event)\n",
        "        pass\n",
    ),
    "windows hold what others saw": (
        "notes.py",
        "        if not event.seen_by >> player & 1:\n            continue\n",
        "",
    ),
    "windows count seats from seat 0": (
        "notes.py",
        "        seat = int(notes.seat_of[player])\n        where",
        "        seat = 0\n        where",
    ),
    "a full window forgets too much": (
        "notes.py",
        "            end = WINDOW - 1\n",
        "            end = 0\n",
    ),
    "seats are listed from seat 0": (
        "observe.py",
        "    _write_slots(line, notes, int(notes.seat_of[player]), layout)",
        "    _write_slots(line, notes, 0, layout)",
    ),
    "beliefs are listed from seat 0": (
        "observe.py",
        "        write_belief(line, begin, notes, seat, layout, chances, game, viewer)",
        "        write_belief(line, begin, notes, 0, layout, chances, game, viewer)",
    ),
    "the onlooker's belief is one's own": (
        "observe.py",
        "        viewer = player if k == 0 else onlooker\n",
        "        viewer = player\n",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the environment and of the directed tests."""
    folder = tmp_path_factory.mktemp("mutant")
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("mascarade_env", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


def directed_tests(folder: Path, names: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run tests of a copy in plain Python, up to the first failure."""
    tests = [str(folder / "tests" / "mascarade_env" / "core" / name) for name in names]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-xq", "-p", "no:cacheprovider", "-W", "error", *tests],
        cwd=folder,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("names", [DIRECTED, KNOWING])
def test_the_true_version_passes(copied: Path, names: tuple[str, ...]) -> None:
    done = directed_tests(copied, names)
    assert done.returncode == 0, done.stdout


def must_be_caught(copied: Path, mutant: tuple[str, str, str], names: tuple[str, ...]) -> None:
    """Run the tests on a copy that is changed for the while."""
    file, true, wrong = mutant
    path = copied / "mascarade_env" / "core" / file
    source = path.read_text()
    assert source.count(true) == 1, "the code has changed: adapt this mutant"
    path.write_text(source.replace(true, wrong))
    try:
        done = directed_tests(copied, names)
    finally:
        path.write_text(source)
    assert done.returncode == 1, done.stdout  # 1: tests failed; others: they could not run


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_the_rules_is_caught(name: str, copied: Path) -> None:
    must_be_caught(copied, MUTANTS[name], DIRECTED)


@pytest.mark.parametrize("name", MISUNDERSTANDINGS)
def test_a_mutant_of_what_players_know_is_caught(name: str, copied: Path) -> None:
    must_be_caught(copied, MISUNDERSTANDINGS[name], KNOWING)
