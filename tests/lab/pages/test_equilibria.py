"""EQUILIBRIA.md: some of it is computed anew, so that it cannot drift."""

import re

import pytest

from lab.pages import equilibria as page
from lab.pages import equilibria_words as page_words
from mascarade_env.exact import build, nash_conv
from mascarade_env.exact._sizes import size_of
from mascarade_env.game._scenarios import scenarios
from tests.tiers import slow_from

TEXT = page.PAGE.read_text("utf-8")
SUITE = list(page.ITERATIONS)


def rows(heads: list[str]) -> list[list[str]]:
    """The rows of the table with this head."""
    lines = TEXT.splitlines()
    begin = lines.index(f"| {' | '.join(heads)} |") + 2
    found = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        found.append(line[2:-2].split(" | "))
    return found


@pytest.fixture(scope="module")
def tiny() -> page.Solved:
    return page.solved("tiny-2")


def test_the_whole_suite_is_there() -> None:
    fixed = {name for name, scenario in scenarios().items() if scenario.fixed_deal}
    assert set(SUITE) == fixed
    for heads in (page.SUITE_HEADS, page.REACHED_HEADS):
        assert [row[0] for row in rows(list(heads))] == SUITE


@pytest.mark.parametrize("name", slow_from(3, SUITE))
def test_sizes_of_trees(name: str) -> None:
    game = build(name)
    size = size_of(game)
    (row,) = (row for row in rows(list(page.SUITE_HEADS)) if row[0] == name)
    assert row[5:9] == [
        f"{size.decisions:,}",
        f"{size.terminals:,}",
        ", ".join(f"{states:,}" for states in size.states_of),
        f"{size.states:,}",
    ]
    assert row[9] == f"{nash_conv(game.tree, game.tree.uniform()).nash_conv:.4f}"


def test_tiny_2_is_solved_to_the_same_figures(tiny: page.Solved) -> None:
    assert rows(list(page.SUITE_HEADS))[0][:-1] == page.suite_row(tiny)[:-1]
    assert rows(list(page.REACHED_HEADS))[0][:-1] == page.reached_row(tiny)[:-1]
    cells = page.column(tiny.uniform, tiny.conduct)
    assert [row[:2] for row in rows(["", *SUITE])] == [list(pair) for pair in cells.items()]


def test_figures_and_words_are_made_of_what_was_found(tiny: page.Solved) -> None:
    made = "\n".join(page.page([tiny]))
    parts = (part.split("\n")[0] for part in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)[1:])
    assert list(parts) == re.findall(r"^#+ (.*)$", made, re.MULTILINE)
    for words in vars(page_words).values():
        if isinstance(words, str) and words.startswith(("\n", "# ")):
            assert words in TEXT, "run `make equilibria`"


def test_two_players_come_near_enough() -> None:
    reached = {row[0]: float(row[2]) for row in rows(list(page.REACHED_HEADS))}
    assert reached["small-2"] <= 0.001
    assert reached["tiny-2"] <= 0.001


def test_the_changes_told_are_those_of_the_table(tiny: page.Solved) -> None:
    told = "\n".join(page.changes([tiny]))
    more, less = re.findall(r"A (?:larger|smaller) share everywhere:\*\* (.*)\.", told)
    assert "`claim_recall`" in more
    assert "`mixing`" in less
    assert "`swap_fool`" not in told


def test_links_and_the_picture_are_there() -> None:
    links = re.findall(r"\]\(([^)#]+)", TEXT.replace("\n", " "))
    assert page.PICTURE.name in links
    for link in links:
        assert (page.PAGE.parent / link).exists()
    picture = page.PICTURE.read_text("utf-8")
    (words,) = re.findall(r"!\[([^\]]+)\]", TEXT)
    for name in SUITE:
        assert f">{name}<" in picture
        assert name in words
