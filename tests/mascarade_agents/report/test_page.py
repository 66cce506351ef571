"""The HTML page of an arena."""

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
    """The parts of a page; parsing fails if a tag is not closed."""

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


_MIXED = ["Summary", "Mixed games", "Pairs", "Settings"]


@pytest.mark.parametrize(
    ("make_summary", "headings"),
    [
        (lambda: summary(only_mixed()), _MIXED),
        (
            lambda: summary(only_duels()),
            ["Summary", "One against many", "Settings"],
        ),
        (lambda: summary(one_agent()), ["Summary", "Settings"]),
        (
            lambda: summary(one_agent(), behaviour_of(["lonely"])),
            ["Summary", "How they play", "Settings"],
        ),
        (
            lambda: summary(circle()),
            [
                *("Summary", "Agents that beat each other in a cycle", "Mixed games"),
                *("Pairs", "Settings"),
            ],
        ),
        (
            full,
            [
                *("Summary", "Mixed games", "Pairs", "One against many"),
                *("How they play", "Forfeits", "Settings"),
            ],
        ),
        (
            lambda: summary(only_mixed(), {"phases": [], "measures": {}, "agents": {}}),
            _MIXED,
        ),
    ],
)  # fmt: skip
def test_the_page_has_a_section_for_each_kind_of_results(
    make_summary: Callable[[], dict[str, Any]], headings: list[str]
) -> None:
    text = html_page(make_summary())
    page = Page(text)
    assert page.headings == headings
    assert "nan" not in re.sub(r"<style>.*?</style>", "", text, flags=re.S).lower()
    assert "None" not in text


def test_the_page_loads_nothing_and_no_name_breaks_it() -> None:
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


def test_every_picture_has_a_description() -> None:
    page = Page(html_page(full()))
    pictures = [picture for picture in page.pictures if picture.get("aria-hidden") != "true"]
    assert len(pictures) > 6
    assert all(picture["role"] == "img" and picture["aria-label"] for picture in pictures)
    labels = [str(picture["aria-label"]) for picture in pictures]
    assert any(re.search(r"^Win shares in mixed games: agent:3 \d", label) for label in labels)


def test_ratings_show_two_sigma_and_the_spread_between_orders_of_games() -> None:
    results = summary(drawn("abcd", mixed_lineups(4, 6, 100), by_strength([1, 1, 1, 30])))
    text = html_page(results)
    best, sigma = (results["skill"][column][3] for column in ("mu", "sigma"))
    assert f">{best:.2f} ({best - 2 * sigma:.2f} to {best + 2 * sigma:.2f})<" in text
    assert "+-" not in text
    assert text.count('<line class="spread"') == 4
    assert states(text, "two sigma")
    (near,) = re.findall(r"less than the spread: ([^.]*)\.", text)
    assert len(set(re.findall(r"\b[abc]\b", near))) > 1
    assert "d" not in re.findall(r"\w+", near)


def test_agents_that_were_not_compared_have_no_bar() -> None:
    text = html_page(summary(with_loser(circle())))
    for title in ("Maximal lottery", "Alpha-rank"):
        (description,) = re.findall(f'aria-label="{title}: ([^"]*)"', text)
        assert "rock" in description
        assert "loser" not in description


def test_lottery_and_alpha_rank_name_the_pairs_that_never_met() -> None:
    lineups = [[0, 0, 1, 1], [1, 0, 1, 0], [2, 2, 1, 1]] * 20
    text = html_page(summary(drawn("abc", lineups, by_strength([4, 1, 2]))))
    assert len(re.findall(r">[^<]*\bnever met count as equal\b[^<]*\ba and c\b", text)) == 2


def test_significant_numbers_are_bold() -> None:
    results = summary(games_of(4, mixed=300, each=60))
    ahead = sum(map(sum, results["cycles"]["ahead"]))
    off = sum(abs(sign) for line in results["one_against_many"]["clear"] for sign in line)
    assert 0 < ahead < 6
    assert 0 < off < 12
    assert html_page(results).count('<strong class="significant">') == 2 * ahead + 2 * off


def test_games_of_two_kinds_are_counted_once() -> None:
    text = html_page(summary(drawn("ab", [[0, 1, 1], [0, 0, 1]] * 9, by_strength([2, 1]))))
    assert lines_stating(text, "2 agents", "3 players", "18 games", "18 deals")


def test_six_measures_come_first_and_the_others_open_with_a_click() -> None:
    names = ["a", "b", "c"]
    behaviour = behaviour_of(names)
    gain = behaviour["measures"]["gain"]
    for name in ("look_rate", "other", "catch_rate", "claim_rate", "announce_rate"):
        behaviour["measures"][name] = {**gain, "title": name}
        for phases in behaviour["agents"].values():
            for measures in phases.values():
                measures[name] = measures["gain"]
    text = html_page(summary(only_mixed(), behaviour, {"measured_games": 30}))
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
    behaviour = behaviour_of(["a", "b", "another"])
    del behaviour["measures"]["gamble"]
    text = html_page(summary(only_mixed(), behaviour))
    assert "What is announced" not in text
    assert "another" in text


@needs_browser
def test_a_browser_draws_it(tmp_path: Path) -> None:
    shown = drawn_by_browser(html_page(full()), tmp_path)
    assert "<h2>Summary</h2>" in shown
    assert shown.count("<svg") == html_page(full()).count("<svg")


#: A script that looks for faults of the page in a frame of 360 pixels: parts wider than the
#: screen, and lines or texts that run through texts.
_MEASURE = """<script>addEventListener('load', () => {
const inner = document.querySelector('iframe').contentDocument, root = inner.documentElement;
const faults = [];
if (root.scrollWidth > 360) faults.push('wide ' + root.scrollWidth);
const box = (element) => element.getBoundingClientRect();
const meet = (one, other) => {
  const [a, b] = [box(one), box(other)];
  return a.bottom > b.top && a.top < b.bottom && a.right > b.left && a.left < b.right;
};
for (const picture of inner.querySelectorAll('svg')) {
  const texts = [...picture.querySelectorAll('.name, .value')];
  for (const [place, text] of texts.entries()) {
    const others = [...texts.slice(0, place), ...picture.querySelectorAll('.grid, .mark, .rail')];
    if (others.some((other) => meet(text, other))) faults.push('through ' + text.textContent);
  }
}
for (const map of inner.querySelectorAll('.heat')) {
  if (box(map).width > box(map.parentNode).width) faults.push('cut heat map');
}
for (const part of ['.name', '.mark', '.heat']) {
  if (!inner.querySelector(part)) faults.push('no ' + part);
}
document.title = faults.length ? faults.join('; ') : 'fits';
});</script>"""


@needs_browser
@pytest.mark.parametrize("agents", [4, 12])
def test_it_fits_on_a_narrow_screen(agents: int, tmp_path: Path) -> None:
    shown = html_page(summary(games_of(agents), behaviour_of(names_of(agents))))
    frame = f'<iframe width="360" height="800" srcdoc="{html.escape(shown)}"></iframe>'
    page = f"<!doctype html><title>not measured</title><body>{frame}{_MEASURE}</body>"
    head = drawn_by_browser(page, tmp_path).partition("<iframe")[0]
    assert "<title>fits</title>" in head, head
