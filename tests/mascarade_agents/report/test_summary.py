"""The summary as data and in words."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mascarade_agents.ratings import win_shares
from mascarade_agents.report import summary, write_json
from mascarade_agents.report.words import listed
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.strict_json import parse_json
from tests.mascarade_agents.ratings.made import (
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
)


def test_every_key_is_documented() -> None:
    page = sys.modules[summary.__module__].__doc__ or ""
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    documented = {word.strip("` ") for row in rows for word in row.split("|")[1].split(",")}
    assert documented == set(full())


def test_the_file_is_strict_json_and_holds_the_summary(tmp_path: Path) -> None:
    found = full()
    write_json(found, tmp_path / "arena.json")
    assert parse_json((tmp_path / "arena.json").read_bytes()) == found
    assert found["win_shares"]["value"] == win_shares(games_of(4)).value.tolist()
    assert found["one_against_many"]["one"]["value"][0][0] is None
    assert found["behaviour"]["agents"]["agent:2"]["all"]["gain"]["high"] == pytest.approx(-0.35)


def test_what_was_not_played_is_null() -> None:
    found = summary(drawn(["a", "b"], duel_lineups(2, 4, 5), by_strength([1, 2])))
    assert found["win_shares"]["value"] == [None, None]
    assert found["pairwise"]["value"] == [[None, None], [None, None]]
    assert found["skill"]["mu"] == [None, None]
    assert found["behaviour"] is None
    json.dumps(found, allow_nan=False)


def test_agents_are_ranked_by_mixed_games_or_else_by_one_against_many() -> None:
    strengths = by_strength([1, 9, 4])
    mixed = drawn("abc", mixed_lineups(3, 5, 400), strengths)
    duels = drawn("abc", duel_lineups(3, 5, 60), strengths)
    assert summary(mixed)["ranking"] == summary(duels)["ranking"] == [1, 2, 0]


def test_meta_that_json_does_not_know_is_refused() -> None:
    with pytest.raises(MascaradeError, match=r"summary\.meta\.where is .*Path"):
        summary(games_of(2), meta={"where": Path("here")})
    with pytest.raises(MascaradeError, match="list of objects"):
        summary(games_of(2), meta={"forfeits": {"a": 1}})


def says(found: dict[str, Any]) -> str:
    return " ".join(found["says"])


def test_words_tell_who_is_better() -> None:
    lineups = mixed_lineups(3, 5, 1500) + duel_lineups(3, 5, 150)
    told = says(summary(drawn(["low", "top", "mid"], lineups, by_strength([1, 12, 3]))))
    assert "top has the greatest win share" in told
    assert "Clearly off the fair share: top above, mid and low below." in told
    assert "top does clearly better than every other agent at the same table." in told
    assert "top beats mid and low both ways." in told
    assert "No agents clearly beat each other in a cycle." in told


def test_words_claim_nothing_of_equals() -> None:
    told = says(summary(drawn("ab", mixed_lineups(2, 4, 60), by_strength([1, 1]))))
    assert "No agent is clearly above or below the fair share" in told
    assert "clearly better" not in told


def test_words_tell_of_cycles_and_of_forfeits() -> None:
    told = says(summary(circle()))
    assert "beat each other in a cycle" in told
    assert "a choice by chance between" in told
    told = says(summary(with_forfeits(games_of(3), 2, 5)))
    assert "5 games ended by a forfeit: agent:2 (5)." in told


def test_words_of_nothing() -> None:
    nothing = summary(results_of("ab", np.zeros((0, 4)), np.zeros((0, 4))))
    assert nothing["says"] == ["No game was played, so there is nothing to tell."]
    mirror = summary(results_of(["a"], [[0, 0, 0, 0]], [[1, 0, 0, 0]]), behaviour_of(names_of(1)))
    assert "tells nothing of who is better" in says(mirror)


def test_many_names_are_counted() -> None:
    assert listed(["a"]) == "a"
    assert listed(list("abcde")) == "a, b, c, d and e"
    assert listed(list("abcdefg")) == "a, b, c, d and 3 more"
