"""The summary as a page."""

import html
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mascarade_agents._results import Results
from mascarade_agents.report import html_page, summary
from tests.mascarade_agents.ratings.made import (
    by_strength,
    drawn,
    duel_lineups,
    mixed_lineups,
    results_of,
)
from tests.mascarade_agents.report.made import (
    NASTY,
    behaviour_of,
    circle,
    full,
    games_of,
    names_of,
    with_loser,
)
from tests.mascarade_env.render.browser import drawn as drawn_by_browser
from tests.mascarade_env.render.browser import needs_browser
from tests.messages import lines_stating, states

_VOID = {"meta", "rect", "line", "circle"}


class Page(HTMLParser):
    """What a page consists of; every tag that is opened must be closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "svg":
            self.pictures.append(dict(attrs))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["h2"]:
            self.headings.append(data)


def only_mixed() -> Results:
    return drawn("abc", mixed_lineups(3, 5, 30), by_strength([1, 2, 3]))


def only_duels() -> Results:
    return drawn("abc", duel_lineups(3, 5, 3), by_strength([1, 2, 3]))


def one_agent() -> Results:
    return results_of(["lonely"], [[0] * 4], [[1, 0, 0, 0]])


_MIXED = ["What this says", "Mixed games", "Pairs", "How this was made"]


@pytest.mark.parametrize(
    ("found", "headings"),
    [
        (lambda: summary(only_mixed()), _MIXED),
        (
            lambda: summary(only_duels()),
            ["What this says", "One against many", "How this was made"],
        ),
        (lambda: summary(one_agent()), ["What this says", "How this was made"]),
        (
            lambda: summary(one_agent(), behaviour_of(["lonely"])),
            ["What this says", "How they play", "How this was made"],
        ),
        (
            lambda: summary(circle()),
            [
                *("What this says", "Agents that beat each other in a cycle", "Mixed games"),
                *("Pairs", "How this was made"),
            ],
        ),
        (
            full,
            [
                *("What this says", "Mixed games", "Pairs", "One against many"),
                *("How they play", "Forfeits", "How this was made"),
            ],
        ),
        (
            lambda: summary(only_mixed(), {"phases": [], "measures": {}, "agents": {}}),
            _MIXED,
        ),
    ],
)  # fmt: skip
def test_the_page_has_what_there_is_and_no_more(
    found: Callable[[], dict[str, Any]], headings: list[str]
) -> None:
    text = html_page(found())
    page = Page(text)
    assert page.headings == headings
    assert "nan" not in re.sub(r"<style>.*?</style>", "", text, flags=re.S).lower()
    assert "None" not in text


def test_the_page_needs_nothing_else_and_no_name_breaks_it() -> None:
    text = html_page(full())
    page = Page(text)
    assert "script" not in page.tags
    assert not page.attributes & {"src", "href", "srcset", "onload", "onclick"}
    assert "://" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert "\x1b" not in text
    assert "<b>" not in text
    whole = html.escape(NASTY.replace("\x1b", "\\x1b").replace("\n", "\\n"))
    assert f"<title>{whole}</title>" in text
    assert f"raised {whole}" in text
    assert "mascarade arena --seed 7" in text


def test_every_picture_is_told() -> None:
    page = Page(html_page(full()))
    told = [picture for picture in page.pictures if picture.get("aria-hidden") != "true"]
    assert len(told) > 8
    assert all(picture["role"] == "img" and picture["aria-label"] for picture in told)
    labels = [str(picture["aria-label"]) for picture in told]
    assert any(re.search(r"^Win shares in mixed games: agent:3 \d", label) for label in labels)


def test_ratings_show_two_sigma_and_what_the_order_of_games_does() -> None:
    found = summary(drawn("abcd", mixed_lineups(4, 6, 100), by_strength([1, 1, 1, 30])))
    text = html_page(found)
    best, sigma = (found["skill"][column][3] for column in ("mu", "sigma"))
    assert f">{best:.2f} ({best - 2 * sigma:.2f} to {best + 2 * sigma:.2f})<" in text
    assert "+-" not in text
    assert text.count('<line class="spread"') == 4
    assert states(text, "two sigma")
    (near,) = re.findall(r"may turn them round: ([^.]*)\.", text)
    assert len(set(re.findall(r"\b[abc]\b", near))) > 1
    assert "d" not in re.findall(r"\w+", near)


def test_who_was_not_compared_has_no_bar() -> None:
    text = html_page(summary(with_loser(circle())))
    for title in ("Maximal lottery", "Alpha-rank"):
        (told,) = re.findall(f'aria-label="{title}: ([^"]*)"', text)
        assert "rock" in told
        assert "loser" not in told


def test_pairs_that_never_met_are_told_beside_the_lottery() -> None:
    lineups = [[0, 0, 1, 1], [1, 0, 1, 0], [2, 2, 1, 1]] * 20
    text = html_page(summary(drawn("abc", lineups, by_strength([4, 1, 2]))))
    assert len(re.findall(r">[^<]*\bnever met\b[^<]*\ba and c\b", text)) == 2


def test_bold_is_what_is_clear() -> None:
    found = summary(games_of(4, mixed=300, each=60))
    ahead = sum(map(sum, found["cycles"]["ahead"]))
    off = sum(abs(each) for line in found["one_against_many"]["clear"] for each in line)
    assert 0 < ahead < 6
    assert 0 < off < 12
    assert html_page(found).count('class="clear"') == 2 * ahead + 2 * off


def test_games_that_are_of_two_kinds_are_not_counted_twice() -> None:
    text = html_page(summary(drawn("ab", [[0, 1, 1], [0, 0, 1]] * 9, by_strength([2, 1]))))
    assert lines_stating(text, "2 agents", "3 players", "18 games", "18 deals")


def test_six_measures_come_first_and_the_others_on_request() -> None:
    names = ["a", "b", "c"]
    told = behaviour_of(names)
    one = told["measures"]["gain"]
    for name in ("look_rate", "other", "catch_rate", "claim_rate", "announce_rate"):
        told["measures"][name] = {**one, "title": name}
        for phases in told["agents"].values():
            for measures in phases.values():
                measures[name] = measures["gain"]
    text = html_page(summary(only_mixed(), told, {"measured_games": 30}))
    shown, _, closed = text.partition("2 more measures</summary>")
    assert states(shown, "30 games")
    heads = re.findall("<h3>([^<]*)</h3>", shown[shown.index("<h2>How they play") :])
    assert [head.lower() for head in heads] == [
        *(
            "what is announced",
            "announce_rate",
            "bluffs that succeed",
            "gain of a bluff",
            "claim_rate",
        ),
        *("catch_rate", "look_rate"),
    ]
    assert "<h3>Fine for a bluff</h3>" in closed
    assert "<h3>Other</h3>" in closed


def test_announcements_are_bars_of_four_parts() -> None:
    text = html_page(summary(games_of(3), behaviour_of(names_of(3))))
    label = "What was announced, early: agent:2: sure and true 50%, honest 25%, gambles 15%, "
    assert f'aria-label="{label}knowing bluffs 10%; agent:1: none;' in text
    assert 'x="75.00%" y="19" width="15.00%"' in text
    assert "<h3>Bluffs that succeed</h3>" in text
    assert "<h3>Sure and true</h3>" not in text


def test_a_behaviour_without_the_four_kinds_is_drawn_too() -> None:
    told = behaviour_of(["a", "b", "somebody else"])
    del told["measures"]["gamble"]
    text = html_page(summary(only_mixed(), told))
    assert "What is announced" not in text
    assert "somebody else" in text


@needs_browser
def test_a_browser_draws_it(tmp_path: Path) -> None:
    shown = drawn_by_browser(html_page(full()), tmp_path)
    assert "<h2>What this says</h2>" in shown
    assert shown.count("<svg") == html_page(full()).count("<svg")


_MEASURE = """<script>addEventListener('load', () => {
const inner = document.querySelector('iframe').contentDocument, root = inner.documentElement;
const faults = [];
if (root.scrollWidth > 360) faults.push('wide ' + root.scrollWidth);
for (const name of inner.querySelectorAll('.name')) {
  const value = name.parentNode.querySelector('.value');
  const [a, b] = [name, value].map((text) => text.getBoundingClientRect());
  if (a.bottom > b.top && a.top < b.bottom && a.right > b.left) faults.push(name.textContent);
}
if (!inner.querySelector('.name')) faults.push('empty');
document.title = faults.length ? faults.join('; ') : 'fits';
});</script>"""


@needs_browser
def test_it_fits_on_a_narrow_screen(tmp_path: Path) -> None:
    frame = f'<iframe width="360" height="800" srcdoc="{html.escape(html_page(full()))}"></iframe>'
    page = f"<!doctype html><title>unread</title><body>{frame}{_MEASURE}</body>"
    assert "<title>fits</title>" in drawn_by_browser(page, tmp_path).partition("<iframe")[0]
