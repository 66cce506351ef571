"""Measures of chosen games, and their sums."""

import json
from collections.abc import Sequence
from functools import cache

import pytest

from mascarade_agents.behaviour import MEASURES, PHASES, Estimate, Tally
from mascarade_env import MascaradeError, Scenario
from tests.mascarade_agents.behaviour.hands import (
    TRIO,
    played,
    random_games,
    reseeded,
    tallied,
    trio,
)
from tests.messages import facts

TAKES = "take:1 swap take:2 swap take:0 keep"
HUNT = trio("king", "judge", "fool")


def measure(tally: Tally, agent: str, name: str) -> tuple[float, int]:
    """Return the value of a measure, 0 without an opportunity, and the number of opportunities."""
    found = tally.estimate(agent, "all", name)
    assert (found.value is None) == (found.count == 0)
    return found.value or 0.0, found.count


def check(games: Sequence[tuple[str, Scenario]], agent: str, expected: dict[str, str]) -> None:
    """Compare measures with fractions: "1/2" is one of two opportunities, "0/0" is none."""
    tally = tallied([played(words, scenario) for words, scenario in games])
    for name, fraction in expected.items():
        part, whole = map(float, fraction.split("/"))
        value, count = measure(tally, agent, name)
        assert count == whole, name
        assert value == pytest.approx(part / whole if whole else 0), name


ANNOUNCING = [
    ("announce:judge pass pass", TRIO),  # sure and true; gains the coins of the tribunal: none
    ("announce:king pass pass", TRIO),  # knowing bluff, unclaimed, 2 coins
    ("announce:king claim pass", TRIO),  # knowing bluff, caught, a fine
    ("announce:thief pass claim", TRIO),  # the same, and the Thief takes 1 too
    ("announce:king pass", TRIO),  # knowing bluff; the game stopped early
    (f"{TAKES} announce:judge pass pass", TRIO),  # a gamble that is false, unclaimed
    (f"{TAKES} announce:king pass pass", TRIO),  # honest and true, 2 coins
    ("look look look look look look announce:king claim pass", trio(start=12)),  # knowing bluff
]


def test_announcements() -> None:
    check(
        ANNOUNCING,
        "player 0",
        {
            "false": "6/8",
            "sure_true": "1/8",
            "honest_uncertain": "1/8",
            "gamble": "1/8",
            "knowing_bluff": "5/8",
            "honest_false": "0/1",
            "gamble_false": "1/1",
            "bluff_success": "2/5",
            "knowing_bluff_success": "1/4",
            "caught": "3/5",
            "claimed_false": "3/3",
            "bluff_tax": "2/5",  # in the last game the King's power ends the game
            "gain": "1/7",  # 0, 2, -1, -2, 0, 2, 0
            "false_gain": "-1/5",
            "inexact": "0/12",  # with a choice and two looks
        },
    )


def test_turns_and_looks() -> None:
    check(
        ANNOUNCING,
        "player 0",
        {
            "announce_rate": "8/12",
            "take_rate": "2/12",
            "look_rate": "2/12",
            "look_bits": "0/2",
            "look_known": "2/2",
        },
    )
    check(
        [(f"{TAKES} look", TRIO), ("look", TRIO)],
        "player 0",
        {"look_bits": "1.5/2", "look_placement_bits": "2/2", "look_known": "1/2"},
    )


def test_claims() -> None:
    games = [
        ("announce:king claim claim", TRIO),  # player 1 is sure, player 2 bluffs
        ("announce:judge pass claim", TRIO),  # true: player 2 bluffs
        ("announce:king pass pass", TRIO),  # player 1 passes
        ("take:1 swap take:0 keep announce:judge pass claim", TRIO),  # player 1 hopes, and is wrong
        ("take:1 swap take:0 keep announce:king pass claim", TRIO),  # player 1 hopes, and is right
    ]
    # In the last two games player 2 announces, and players 0 and 1 answer.
    check(
        games,
        "player 1",
        {
            "claim_rate": "3/5",
            "claim_precision": "2/3",
            "claim_recall": "2/3",
            "sure_recall": "1/2",
            "sure_claim": "1/3",
            "hopeful_claim": "2/3",
            "bluff_claim": "0/3",
            "hopeful_precision": "1/2",
            "catch_rate": "3/4",
            "challenge_precision": "3/3",
        },
    )
    check(
        games,
        "player 2",
        {
            "claim_rate": "2/3",
            "claim_precision": "0/2",
            "claim_recall": "0/0",
            "sure_recall": "0/0",
            "bluff_claim": "2/2",
            "hopeful_precision": "0/0",
            "catch_rate": "1/2",
            "challenge_precision": "1/2",  # the King was false, the Judge was true
        },
    )
    check(games, "player 0", {"claimed_false": "1/2"})


def test_each_claim_of_a_mask_counts_once() -> None:
    games = [
        ("announce:king claim claim", TRIO),
        ("announce:judge claim pass", TRIO),
        ("announce:judge claim", TRIO),  # the game stopped early: no mask is revealed
    ]
    check(games, "player 0", {"claimed_false": "1/2"})
    check(games, "player 1", {"challenge_precision": "1/3"})
    check(games, "player 2", {"challenge_precision": "1/1"})


def test_a_share_of_one_has_an_interval() -> None:
    games = [reseeded(played("announce:king pass pass"), seed) for seed in range(6)]
    tally = tallied(games)  # six knowing bluffs, unclaimed
    tax = tally.estimate("player 0", "all", "bluff_tax")
    assert (tax.value, tax.low) == (0, 0)
    assert tax.high is not None
    assert 0.3 < tax.high < 1
    gain = tally.estimate("player 0", "all", "false_gain")
    assert gain.value == 2
    assert gain.low is not None
    assert gain.low < 1
    caught = tallied(
        [reseeded(played("announce:king claim pass"), seed) for seed in range(6)]
    ).estimate("player 0", "all", "bluff_tax")
    assert (caught.value, caught.high) == (1, 1)  # the largest fine is 1 coin


def test_two_peasants() -> None:
    games = [("announce:peasant claim pass", trio("peasant", "peasant", "judge"))]
    check(
        games, "player 0", {"false": "0/1", "sure_true": "1/1", "bluff_tax": "0/0", "gain": "2/1"}
    )
    check(games, "player 1", {"claim_precision": "1/1", "sure_claim": "1/1", "catch_rate": "0/0"})


def test_swaps() -> None:
    known = "take:1 swap take:2 keep take:1 keep take:1 swap take:0 keep"
    check(
        [(known, TRIO)],
        "player 0",
        {
            "swap_rate": "2/2",
            "swap_take": "2/2",
            "swap_spy": "0/0",
            "swap_knew_both": "1/1",
            "swap_knew_own": "1/1",
            "swap_knew_other": "0/0",
        },
    )
    check([(known, TRIO)], "player 1", {"swap_knew_other": "0/1", "swap_knew_neither": "0/1"})
    check(
        [("take:1 swap look announce:fool pass pass target:0 target:1 swap", HUNT)],
        "player 2",
        {"swap_rate": "1/1", "swap_fool": "1/1", "swap_take": "0/0", "swap_knew_neither": "0/0"},
    )
    check(
        [("announce:spy pass pass target:1 keep", trio("spy", "king", "judge"))],
        "player 0",
        {"swap_rate": "0/1", "swap_spy": "0/1", "swap_knew_both": "0/0"},
    )


def test_decisions_with_inexact_beliefs_are_left_out_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mascarade_env.game._replay.GAME_WORLD_LIMIT", 2)
    check(
        [(f"{TAKES} announce:judge pass pass", TRIO), ("announce:king pass pass", TRIO)],
        "player 0",
        {
            "false": "2/2",
            "knowing_bluff": "1/1",
            "gamble": "0/1",
            "bluff_success": "2/2",
            "knowing_bluff_success": "1/1",
            "inexact": "1/3",
        },
    )


@cache
def of_random(scenario: str) -> Tally:
    return tallied(random_games(scenario))


@pytest.mark.parametrize("scenario", ["4A", "6B", "8A"])
@pytest.mark.parametrize(
    "parts",
    [
        ["look_rate", "take_rate", "announce_rate"],
        ["sure_true", "honest_uncertain", "gamble", "knowing_bluff"],
        ["bluff_success", "caught"],
        ["sure_claim", "hopeful_claim", "bluff_claim"],
    ],
)
def test_partitions_sum_to_one(scenario: str, parts: list[str]) -> None:
    for agent in ("alice", "bob"):
        for phase in PHASES:
            found = [of_random(scenario).estimate(agent, phase, part) for part in parts]
            assert len({part.count for part in found}) == 1
            if found[0].count:
                assert sum(part.value or 0 for part in found) == pytest.approx(1)


def test_phases_sum_to_all() -> None:
    tally = of_random("6B")
    for agent in tally.agents:
        for declared in MEASURES:
            found = [tally.estimate(agent, phase, declared.name) for phase in PHASES]
            assert found[0].count == sum(part.count for part in found[1:])
            total = sum((part.value or 0) * part.count for part in found[1:])
            assert (found[0].value or 0) * found[0].count == pytest.approx(total)


def test_every_measure_has_opportunities_in_some_random_game() -> None:
    tally = of_random("6B") + tallied(random_games("4B", 40))
    for declared in MEASURES:
        found = tally.estimate("alice", "all", declared.name)
        assert found.count, declared.name
        assert found.low is None or found.value is None or found.low <= found.value
        if declared.unit == "share":
            assert 0 <= (found.value or 0) <= 1


def test_tallies_of_parts_add_up_to_the_whole() -> None:
    games = random_games("6A", 6)
    whole = tallied(games)
    first, last = tallied(games[:2]), tallied(games[2:])
    assert whole.agents == (last + first).agents == ["alice", "bob"]
    for agent in whole.agents:
        for declared in MEASURES:
            one = whole.estimate(agent, "all", declared.name)
            two = (last + first).estimate(agent, "all", declared.name)
            assert one.count == two.count
            assert one.value == pytest.approx(two.value)
            assert one.low == pytest.approx(two.low)
    assert first + Tally() == first == Tally() + first
    assert first != last
    assert tallied(games[:2]) == first  # adding does not change it


def test_players_of_one_name_are_one_agent_and_one_cluster() -> None:
    game = played("announce:king pass pass announce:king pass pass", names=["a", "a", "b"])
    tally = Tally.of(game)
    assert tally.agents == ["a", "b"]
    assert tally.estimate("a", "all", "false") == Estimate(0.5, None, None, 2)
    assert Tally.of(game, ["x", "y", "x"]).agents == ["x", "y"]
    assert measure(Tally.of(game, ["x", "y", "x"]), "x", "false") == (1, 1)


def test_agents_are_sorted_by_the_numbers_in_their_names() -> None:
    games = [played("look", names=[name, "", ""]) for name in ("player 10", "player 2", "b", "a")]
    assert tallied(games).agents == ["a", "b", "player 2", "player 10"]


def test_json_and_back_gives_the_same_tally() -> None:
    tally = of_random("6B")
    text = json.dumps(tally.sums(), allow_nan=False)
    again = Tally.from_sums(json.loads(text))
    assert again == tally
    assert again.to_dict() == tally.to_dict()
    assert Tally.from_sums({}) == Tally()


@pytest.mark.parametrize(
    ("sums", "why"),
    [
        ({"a": [["7", {"late": {"gone": [0, 0]}}]]}, ["'gone'", "'late'", "version"]),
        ({"a": [["7", {"gone": {"false": [0, 0]}}]]}, ["'false'", "'gone'", "version"]),
        ({"a": [["7", {"all": {"false": [0, 0]}}]]}, ["'false'", "'all'", "version"]),
        ({"a": [["7", {"late": {"false": [0] * 6}}]]}, ["'false'", "'late'", "version"]),
        ({"a": [["7", {"late": {"false": ["x"] * 2}}]]}, ["sums", "measures"]),
        ({"a": [["7", {"late": {"false": 3}}]]}, ["sums", "measures"]),
        ({"a": [["7", {"late": None}]]}, ["sums", "measures"]),
        ({"a": [["7"]]}, ["sums", "measures"]),
        ({"a": {"late": {}}}, ["sums", "measures"]),
        ({"a": 3}, ["sums", "measures"]),
    ],
)
def test_malformed_sums_are_refused(sums: dict[str, object], why: list[str]) -> None:
    with pytest.raises(MascaradeError, match=facts(*why)):
        Tally.from_sums(sums)


def test_the_report_has_every_agent_phase_and_measure() -> None:
    report = json.loads(json.dumps(of_random("6B").to_dict(), allow_nan=False))
    assert report["phases"] == list(PHASES)
    assert list(report["measures"]) == [m.name for m in MEASURES]
    assert report["measures"]["gain"]["unit"] == "coins"
    assert set(report["measures"]["gain"]) == {"title", "meaning", "unit"}
    assert set(report["agents"]) == {"alice", "bob"}
    for phases in report["agents"].values():
        assert list(phases) == list(PHASES)
        for measures in phases.values():
            assert list(measures) == list(report["measures"])
            for found in measures.values():
                assert list(found) == ["value", "low", "high", "count"]
                assert (found["value"] is None) == (found["count"] == 0)
    assert Tally().to_dict()["agents"] == {}


def test_unknown_names_are_refused() -> None:
    tally = Tally.of(played("look", names=["a", "b", "c"]))
    with pytest.raises(MascaradeError, match=facts("agent", "'z'")):
        tally.estimate("z", "all", "false")
    with pytest.raises(MascaradeError, match=facts("phase", "'lat'", "'late'")):
        tally.estimate("a", "lat", "false")
    with pytest.raises(MascaradeError, match=facts("measure", "'flase'", "'false'")):
        tally.estimate("a", "all", "flase")
    with pytest.raises(MascaradeError, match=facts("agents", "3 names", 2)):
        Tally.of(played("look"), ["a", "b"])
