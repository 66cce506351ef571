"""A whole game as an HTML page."""

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mascarade_env import Game
from mascarade_env.render import replay_html
from mascarade_env.render._scene import Scene, perspectives, scene
from tests.mascarade_env.render.browser import drawn, needs_browser
from tests.mascarade_env.render.moments import WIDE, game_of


def data_of(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(found)


def shown_by(data: Any, view: Any, step: int) -> list[Any]:
    """Return what the page shows of one step in one view."""
    lying: dict[int, Any] = {}
    for changes in view["rows"][: step + 1]:
        for slot, row in zip(changes[::2], changes[1::2], strict=True):
            lying[slot] = data["rows"][row]
    rows = [lying[slot] for slot in sorted(lying)]
    now = data["steps"][step]
    return [
        now["turn"],
        data["texts"][now["headline"]],
        "" if now["announced"] < 0 else data["masks"][now["announced"]],
        now["announcer"],
        now["tribunal"],
        now["decides"],
        now["player"],
        now["coins"],
        [tuple(data["signs"][signs]) for signs in now["signs"]],
        now["taken"],
        [data["texts"][text] for text in view["news"][step]],
        bool(view["exact"][step]),
        [
            {data["masks"][mask]: part for mask, part in zip(row[::2], row[1::2], strict=True)}
            for row in rows
        ],
    ]


def expected(shown: Scene) -> list[Any]:
    """Return the same, taken from a scene."""
    return [
        shown.turn,
        shown.headline,
        shown.announced,
        next((seat.place.slot for seat in shown.seats if seat.answer == "announced"), -1),
        shown.tribunal,
        next((seat.place.slot for seat in shown.seats if seat.decides), -1),
        [seat.player for seat in shown.seats],
        [seat.coins for seat in shown.seats],
        [seat.signs for seat in shown.seats],
        [place.slot for place in shown.places if place.under_table],
        list(shown.news),
        shown.exact,
        [{mask: pytest.approx(1000 * p, abs=1) for mask, p in x.belief} for x in shown.places],
    ]


@pytest.mark.parametrize("scenario", ["4B", "8B", *WIDE], ids=str)
def test_the_page_holds_what_every_perspective_sees(scenario: Any) -> None:
    game = game_of(scenario, 3, 400)
    data = data_of(replay_html(game))
    views = {view["viewer"]: view for view in data["views"]}
    assert list(views) == perspectives(game)
    past = game.at_start()
    steps = [past.clone()]
    for _, action in game.history:
        past.play(action)
        steps.append(past.clone())
    assert len(data["steps"]) == len(steps)
    for number in range(0, len(steps), 7):
        for viewer, view in views.items():
            assert shown_by(data, view, number) == expected(scene(steps[number], viewer))


def test_a_view_of_the_page_shows_no_more_than_its_scenes() -> None:
    game = game_of("6B", 2, 40)
    differ = 0
    for viewer in (1, "onlooker"):
        worlds = game.sample_worlds(viewer, 3, rng=1)
        views = [_view_of(world, viewer) for world in (game, *worlds)]
        assert all(view == views[0] for view in views)
        differ += sum(_view_of(world, "all") != _view_of(game, "all") for world in worlds)
    assert differ > 0


def _view_of(game: Game, viewer: Any) -> list[Any]:
    data = data_of(replay_html(game))
    (view,) = [each for each in data["views"] if each["viewer"] == viewer]
    return [shown_by(data, view, step) for step in range(len(data["steps"]))]


def test_what_is_not_certain_never_gets_all_thousandths() -> None:
    data = data_of(replay_html(game_of("12B", 1, 60)))
    shared = [row for row in data["rows"] if len(row) > 2]
    assert shared
    for row in data["rows"]:
        parts = row[1::2]
        assert parts == [1000] or all(0 < part < 1000 for part in parts)


class Page(HTMLParser):
    """The tags, ids, links and title of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "action", "data", "srcset"):
                self.refers.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] == ["title"]:
            self.title += data


@pytest.mark.parametrize("title", [None, "</title><script>alert(1)</script>\x00 & {{data}}"])
def test_the_page_needs_nothing_else_and_no_name_breaks_it(title: str | None) -> None:
    game = game_of("12A", 4, 20)
    page = replay_html(game, title=title)
    page.encode("utf-8")
    found = Page()
    found.feed(page)
    assert not found.refers
    assert "://" not in re.sub(r"[^\x20-\x7e]", "", page)
    assert "url(" not in page
    assert "@import" not in page
    assert found.tags.count("script") == 2
    assert len(set(found.ids)) == len(found.ids)
    headline = "Mascarade 12A: replay of a game" if title is None else title
    assert found.title.strip() == headline.replace("\x00", "\\x00")
    assert html.escape(found.title.strip()) in page
    assert data_of(page)["called"][2] == "</script><b>&amp;\"'"
    assert data_of(page)["called"][5] == "\\x1b[2J\\x07\\n"


@pytest.mark.slow
def test_a_page_stays_small() -> None:
    """400 decisions of 12 players take less than 3 MB, even if every turn swaps masks."""
    game = Game("12B", seed=1)
    for turn in range(25):
        game.play(f"take:{(game.marker + 1 + 5 * turn % 11) % 12}")
        game.play("swap" if turn % 3 else "keep")
    assert len(replay_html(game)) < 40_000 + 7_000 * len(game.history)


@needs_browser
def test_a_browser_draws_it(tmp_path: Path) -> None:
    game = game_of("8B", 3, 60)
    past = game.at_start()
    for _, action in game.history[:25]:
        past.play(action)
    shown = scene(past, 2)
    found = drawn(replay_html(game), tmp_path, "step=25&view=2")
    assert f'id="headline" aria-live="polite">{shown.headline}<' in found
    assert f"step 25 of {len(game.history)}" in found
    for seat in shown.seats:
        assert (
            f'aria-label="seat {seat.place.slot}, {seat.called}, {seat.coins} coin'
            in found.replace("&quot;", '"')
        )
    for sentence in shown.news:
        assert f"<li>{sentence}</li>" in found


@needs_browser
@pytest.mark.parametrize(("width", "all_fit"), [(1280, False), (1024, False), (500, True)])
def test_no_line_of_the_news_is_cut(tmp_path: Path, width: int, all_fit: bool) -> None:
    game = Game("12A", seed=5, names=[f"the {number:02}th player of them" for number in range(12)])
    game.play_randomly(200, seed=1)
    measure = (
        "<script>addEventListener('load', () => { const it = document.getElementById('news');"
        "document.title = it.scrollHeight <= it.clientHeight ? 'fits' : 'cut'; })</script></body>"
    )
    page = replay_html(game).replace("</body>", measure)
    found = drawn(page, tmp_path, "step=9999", width)
    assert "<title>fits</title>" in found
    lines = re.findall(r"<li>(.*?)</li>", found.partition('id="news"')[2].partition("</ul>")[0])
    news = list(scene(game).news)
    before = 0 if all_fit else int(lines[0].removesuffix(" earlier …"))
    assert lines[not all_fit :] == news[before:]
    assert len(lines) > 4


@needs_browser
def test_the_winner_is_not_named_before_the_end(tmp_path: Path) -> None:
    game = game_of("4A", 3, 1000, named=False)
    assert game.winners
    page, last = replay_html(game), len(game.history)
    early, end = (
        drawn(page, tmp_path, f"step={step}").partition("</style>") for step in (last - 1, last)
    )
    titles = [part.partition("<style")[0] for part, _, _ in (early, end)]
    assert titles[0] == titles[1]
    assert not re.search(r"\bwins?\b", early[2])
    assert f"Player {game.winners[0]} wins the game." in end[2]
    assert "win" not in titles[0].partition("<title>")[2]


_ON_A_PHONE = """<iframe id="phone" style="width:390px;height:2000px"></iframe><script>
const phone = document.getElementById("phone");
phone.addEventListener("load", () => {
  const page = phone.contentDocument, at = (id) => page.getElementById(id);
  const rows = new Set([...at("play").parentNode.children].map((button) => button.offsetTop));
  const whole = page.documentElement, table = at("scroll");
  document.title = JSON.stringify({
    rows: rows.size, fits: whole.scrollWidth <= whole.clientWidth,
    hint: at("scroll-hint").offsetHeight > 0,
    scrolls: table.scrollWidth > table.clientWidth,
  });
});
phone.srcdoc = PAGE;
</script>"""


@needs_browser
@pytest.mark.parametrize("scenario", ["4A", "12B"])
def test_the_page_fits_on_a_phone(tmp_path: Path, scenario: str) -> None:
    page = json.dumps(replay_html(game_of(scenario, 2, 30))).replace("<", "\\u003c")
    found = drawn(_ON_A_PHONE.replace("PAGE", page), tmp_path)
    measured = re.findall(r"<title>(.*)</title>", found)
    assert json.loads(measured[0]) == {"rows": 1, "fits": True, "hint": True, "scrolls": True}
