"""EQUILIBRIA.md: compute some of its figures again, so that the page cannot become stale."""

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
    """Return the rows of the table with this head."""
    lines = TEXT.splitlines()
    begin = lines.index(f"| {' | '.join(heads)} |") + 2
    cells = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        cells.append(line[2:-2].split(" | "))
    return cells


@pytest.fixture(scope="module")
def tiny() -> page.Solved:
    return page.solved("tiny-2")


def test_the_page_has_the_whole_suite() -> None:
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


def test_the_page_has_the_headings_and_texts_of_the_generator(tiny: page.Solved) -> None:
    generated = "\n".join(page.page([tiny]))
    parts = (part.split("\n")[0] for part in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)[1:])
    assert list(parts) == re.findall(r"^#+ (.*)$", generated, re.MULTILINE)
    for words in vars(page_words).values():
        if isinstance(words, str) and words.startswith(("\n", "# ")):
            assert words in TEXT, "run `make equilibria`"


def test_two_player_games_are_near_an_equilibrium() -> None:
    reached = {row[0]: float(row[2]) for row in rows(list(page.REACHED_HEADS))}
    assert reached["small-2"] <= 0.001
    assert reached["tiny-2"] <= 0.001


def test_the_list_of_changes_agrees_with_the_table(tiny: page.Solved) -> None:
    lines = "\n".join(page.changes([tiny]))
    more, less = re.findall(r"(?:Larger|Smaller) in all games:\*\* (.*)\.", lines)
    assert "`claim_recall`" in more
    assert "`mixing`" in less
    assert "`swap_fool`" not in lines


def test_links_and_the_picture_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)", TEXT.replace("\n", " "))
    assert page.PICTURE.name in links
    for link in links:
        assert (page.PAGE.parent / link).exists()
    picture = page.PICTURE.read_text("utf-8")
    (words,) = re.findall(r"!\[([^\]]+)\]", TEXT)
    for name in SUITE:
        assert f">{name}<" in picture
        assert name in words
