"""The terminal report."""

import io

import pytest
from rich.console import Console

from mascarade_agents._results import Results
from mascarade_agents.report import print_summary, summary
from tests.mascarade_agents.ratings.made import by_strength, drawn, duel_lineups, results_of
from tests.mascarade_agents.report.made import circle, games_of, with_forfeits
from tests.messages import states


def printed(results: Results, width: int = 80) -> list[str]:
    file = io.StringIO()
    print_summary(summary(results), Console(file=file, width=width, no_color=True))
    return file.getvalue().splitlines()


@pytest.mark.parametrize("agents", [2, 12])
def test_tables_fit_into_80_columns_and_no_number_is_cut(agents: int) -> None:
    lines = printed(games_of(agents))
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "\x1b" not in text
    for place in range(agents - 1, 0, -1):
        assert f"agent:{place} " in text
    (head,) = [line for line in lines if line.startswith("agent ") and "sigma" in line]
    assert " ".join(head.split()) == "agent win share 95% interval played skill sigma forfeits"
    cut = [line for line in lines if "…" in line]
    assert len(cut) == 2  # the long name, once in each table
    assert all("</scrip" in line and line.count("…") == 1 for line in cut)


@pytest.mark.parametrize(("agents", "columns"), [(2, 2), (12, 7)])
def test_on_60_columns_less_is_shown_and_no_number_is_cut(agents: int, columns: int) -> None:
    lines = printed(games_of(agents), 60)
    assert max(map(len, lines)) <= 60
    (head,) = [line for line in lines if line.startswith("agent ") and "forfeits" in line]
    assert " ".join(head.split()) == "agent win share 95% interval forfeits"
    (head,) = [line for line in lines if line.startswith("agent ") and "forfeits" not in line]
    assert head.split()[1:] == [str(place) for place in range(1, columns + 1)]
    assert all("</scrip" in line and line.count("…") == 1 for line in lines if "…" in line)


def test_the_lottery_is_shown_where_there_is_a_cycle() -> None:
    lines = printed(circle())
    (head,) = [line for line in lines if line.startswith("agent ") and "sigma" in line]
    assert head.split()[-2:] == ["lottery", "forfeits"]
    assert max(map(len, lines)) <= 80


def test_one_agent_alone() -> None:
    text = "\n".join(printed(results_of(["lonely"], [[0] * 4] * 3, [[1, 0, 0, 0]] * 3)))
    assert states(text, "one agent", "all players")
    assert "lonely" in text


def test_only_one_against_many() -> None:
    results = drawn(["ann", "bob"], duel_lineups(2, 4, 60), by_strength([1, 30]))
    lines = printed(with_forfeits(results, 0, 3))
    assert any(line.split() == ["ann", "3"] for line in lines)
    (bob,) = [line for line in lines if line.startswith("1 bob")]
    assert bob.split()[2] == "-"
    assert bob.split()[3].endswith("*")


def test_a_wide_console_shows_more_of_a_name() -> None:
    results = drawn(["a" * 35, "b"], duel_lineups(2, 4, 2), by_strength([1, 2]))
    assert any("a" * 35 in line for line in printed(results, 120))
    assert not any("a" * 35 in line for line in printed(results, 80))
