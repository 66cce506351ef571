"""The summary as data and as sentences."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_agents._results import Results
from mascarade_agents.ratings import win_shares
from mascarade_agents.report import summary, write_json
from mascarade_agents.report._sentences import listed
from mascarade_env._errors import MascaradeError
from mascarade_env._files.strict_json import parse_json
from tests.mascarade_agents.ratings.made import (
    Lineup,
    by_strength,
    drawn,
    duel_lineups,
    mixed_lineups,
    results_of,
)
from tests.mascarade_agents.report.made import (
    behaviour_of,
    circle,
    full,
    games_of,
    names_of,
    with_forfeits,
    with_loser,
)
from tests.messages import facts, lines_stating, states


def test_every_key_is_documented() -> None:
    page = sys.modules[summary.__module__].__doc__ or ""
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    documented = {word.strip("` ") for row in rows for word in row.split("|")[1].split(",")}
    assert documented == set(full())


def test_the_file_is_strict_json_and_holds_the_summary(tmp_path: Path) -> None:
    report = full()
    write_json(report, tmp_path / "arena.json")
    assert parse_json((tmp_path / "arena.json").read_bytes()) == report
    assert report["win_shares"]["value"] == win_shares(games_of(4)).value.tolist()
    assert report["one_against_many"]["one"]["value"][0][0] is None
    assert report["behaviour"]["agents"]["agent:2"]["all"]["gain"]["high"] == pytest.approx(-0.35)


def test_values_without_games_are_null() -> None:
    report = summary(drawn(["a", "b"], duel_lineups(2, 4, 5), by_strength([1, 2])))
    assert report["win_shares"]["value"] == [None, None]
    assert report["pairwise"]["value"] == [[None, None], [None, None]]
    assert report["skill"]["mu"] == [None, None]
    assert report["behaviour"] is None
    json.dumps(report, allow_nan=False)


def test_agents_are_ranked_by_mixed_games_or_else_by_one_against_many() -> None:
    strengths = by_strength([1, 9, 4])
    mixed = drawn("abc", mixed_lineups(3, 5, 400), strengths)
    duels = drawn("abc", duel_lineups(3, 5, 60), strengths)
    assert summary(mixed)["ranking"] == summary(duels)["ranking"] == [1, 2, 0]


def test_meta_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(MascaradeError, match=facts("summary.meta.where") + ".*Path"):
        summary(games_of(2), meta={"where": Path("here")})
    with pytest.raises(
        MascaradeError, match=facts("forfeits", "list of objects", "agent", "reason")
    ):
        summary(games_of(2), meta={"forfeits": {"a": 1}})


def says(report: dict[str, Any]) -> str:
    return "\n".join(report["says"])


def test_sentences_name_the_better_agents() -> None:
    lineups = mixed_lineups(3, 5, 1500) + duel_lineups(3, 5, 150)
    text = says(summary(drawn(["low", "top", "mid"], lineups, by_strength([1, 12, 3]))))
    assert lines_stating(text, "top", "win share", "20.0%", "95% interval")
    assert lines_stating(text, "fair share", "top above", "mid and low below")
    assert lines_stating(text, "top", "every other agent", "same table")
    assert lines_stating(text, "top", "mid and low", "both ways")
    assert lines_stating(text, "No agents", "cycle")


def test_sentences_claim_no_difference_between_equals() -> None:
    text = says(summary(drawn("ab", mixed_lineups(2, 4, 60), by_strength([1, 1]))))
    assert lines_stating(text, "No agent", "above", "below", "fair share")
    assert not lines_stating(text, "table")


def one_sided() -> Results:
    """Return forty mixed games, all won by a."""
    lineups = [[0, 0, 1, 1], [1, 0, 1, 0]] * 20
    return results_of("ab", lineups, [[0.5, 0.5, 0, 0], [0, 0.5, 0, 0.5]] * 20)


def test_sentences_and_lotteries_leave_out_agents_that_were_not_compared() -> None:
    report = summary(with_loser(one_sided()))
    assert report["maximal_lottery"] == [1, 0, None]
    assert report["alpha_rank"] == [pytest.approx(1), pytest.approx(0), None]
    text = says(report)
    assert lines_stating(text, "a", "b", "same table")
    assert "every other agent" not in text
    assert lines_stating(text, "loser", "mixed game", "win shares", "ratings", "cycles")
    assert not lines_stating(text, "No agents", "cycle")
    text = says(summary(with_loser(circle())))
    (between,) = [line for line in text.splitlines() if "(3" in line]
    assert sorted(re.findall(r"(\w+) \(3.%\)", between)) == ["paper", "rock", "scissors"]
    assert "loser" not in between


def test_sentences_name_pairs_that_never_met() -> None:
    lineups = [[0, 0, 1, 1], [1, 0, 1, 0], [2, 2, 1, 1]] * 60
    results = drawn("abc", lineups, by_strength([40, 1, 20]))
    text = says(summary(results))
    assert lines_stating(text, "a", "b", "same table")
    assert lines_stating(text, "mixed game", "a and c")
    lineups += [[0, 3, 0, 3], [1, 1, 3, 3]] * 60
    text = says(summary(drawn("abcd", lineups, by_strength([40, 1, 20, 1]))))
    assert lines_stating(text, "a", "every other agent", "met", "table")
    assert lines_stating(text, "mixed game", "a and c; c and d")


def test_a_lottery_is_reported_as_measured() -> None:
    text = says(summary(circle()))
    assert lines_stating(text, "measured", "rock", "paper", "scissors")


def test_a_lottery_of_one_agent_names_this_agent_alone() -> None:
    def weigh(lineup: Lineup) -> list[float]:
        return [99.0 if agent == 3 else 1.0 + 9.0 * ((agent + 1) % 3 in lineup) for agent in lineup]

    lineups = [line for line in mixed_lineups(4, 4, 1600) if len(set(line)) == 2]
    text = says(summary(drawn("abcx", lineups, weigh)))
    assert lines_stating(text, "a, b and c", "cycle")
    assert lines_stating(text, "measured", "x")


def test_an_interval_off_the_fair_share_is_not_always_significant() -> None:
    """Check the luckiest of eight equal agents, whose interval is above the fair share."""
    results = drawn("abcdefgh", mixed_lineups(8, 4, 300, seed=5), by_strength([1] * 8), seed=20)
    report = summary(results)
    assert max(report["win_shares"]["low"]) > 0.26
    assert report["win_shares"]["clear"] == [0] * 8
    assert lines_stating(says(report), "No agent", "above", "below", "fair share")


def test_sentences_name_agents_that_win_against_copies_of_the_best() -> None:
    def weigh(lineup: Lineup) -> list[float]:
        """Weigh 0 above 1, and 2 above all others."""
        return [{0: 3.0, 1: 1.0, 2: 2.0}[agent] + 9.0 * (2 in lineup and agent == 2)
                for agent in lineup]  # fmt: skip

    text = says(summary(drawn("abc", duel_lineups(3, 4, 200), weigh)))
    assert lines_stating(text, "copies of c", "no other agent", "fair share")
    lineups = mixed_lineups(3, 5, 300) + duel_lineups(3, 5, 200)

    def alone(lineup: Lineup) -> list[float]:
        return [50.0 if agent == 2 and lineup.count(2) == 1 and lineup.count(0) == 4
                else [5.0, 1.0, 0.5][agent] for agent in lineup]  # fmt: skip

    text = says(summary(drawn("abc", lineups, alone)))
    assert lines_stating(text, "copies of a", "c", "fair share")


def test_two_agents_at_tables_of_three_have_win_shares() -> None:
    results = drawn("ab", [[0, 1, 1], [0, 0, 1]] * 90, by_strength([9, 1]))
    report = summary(results)
    assert report["games"]["mixed"] == report["games"]["one_against_many"] == 180
    assert lines_stating(says(report), "180 mixed games", "a", "win share")
    assert lines_stating(says(report), "a", "b", "both ways", "copies of b")


def test_sentences_report_cycles_and_forfeits() -> None:
    text = says(summary(circle()))
    assert lines_stating(text, "rock", "paper", "scissors", "cycle")
    assert lines_stating(text, "rock", "paper", "scissors", "measured")
    text = says(summary(with_forfeits(games_of(3), 2, 5)))
    assert lines_stating(text, "5 games", "forfeit", "agent:2 (5)")


def test_sentences_without_games() -> None:
    nothing = summary(results_of("ab", np.zeros((0, 4)), np.zeros((0, 4))))
    (only,) = nothing["says"]
    assert states(only, "No game")
    mirror = summary(results_of(["a"], [[0, 0, 0, 0]], [[1, 0, 0, 0]]), behaviour_of(names_of(1)))
    assert states(says(mirror), "one agent", "all players")


def test_many_names_are_counted() -> None:
    assert listed(["a"]) == "a"
    assert listed(list("abcde")) == "a, b, c, d and e"
    assert listed(list("abcdefg")) == "a, b, c, d and 3 more"
