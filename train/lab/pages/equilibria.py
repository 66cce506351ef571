"""Generate the page EQUILIBRIA.md and its picture: the solved games of the exact suite.

Nothing is sampled. Only the seconds differ between machines.
"""

import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lab.pages import equilibria_words as words
from lab.paths import ROOT
from mascarade_env.exact._behaviour import MEASURES, Conduct, Opportunities, conduct
from mascarade_env.exact._building import build
from mascarade_env.exact._plot import plot
from mascarade_env.exact._sizes import Size, size_of
from mascarade_env.exact._solver_run import Approach, approach
from mascarade_env.exact._sweeps import nash_conv
from mascarade_env.game._scenarios import Scenario

PAGE = ROOT / "mascarade_env/exact/EQUILIBRIA.md"
PICTURE = PAGE.with_name("equilibria.svg")

#: Iterations of CFR+ for each game of the suite.
ITERATIONS = {
    "tiny-2": 10_000,
    "small-2": 10_000,
    "small-3": 4_000,
    "powers-3": 4_000,
    "medium-4": 2_000,
}
#: Iterations of another algorithm, which reaches another equilibrium.
OTHER_ITERATIONS = {"small-2": 5_000, "powers-3": 2_000}
_OTHER = "dcfr"

_RARE = 1e-3  # opportunities in a game; shares with fewer are in brackets
_STEP = 5e-4  # a smaller difference of shares rounds to 0 and is not a change
_FEW = 0.5  # announcements in a game
_EACH = ("look_rate", "take_rate", "announce_rate", "false", "knowing_bluff", "bluff_success",
         "claim_rate", "claim_precision", "challenge_precision", "mixing")  # fmt: skip


@dataclass(frozen=True)
class Solved:
    """A game of the suite and its results.

    Attributes:
        scenario: the game.
        size: size of its tree.
        build_seconds: time to build the tree.
        uniform_nash_conv: NashConv of uniform play.
        uniform: measures of uniform play.
        approach: the run of the solver.
        conduct: measures of the equilibrium.
        other: measures and NashConv of an equilibrium by another algorithm.
    """

    scenario: Scenario
    size: Size
    build_seconds: float
    uniform_nash_conv: float
    uniform: Conduct
    approach: Approach
    conduct: Conduct
    other: tuple[Conduct, float] | None


def equilibria() -> None:
    """Solve the exact suite, and write EQUILIBRIA.md and its picture, in some minutes.

    Example: python -m lab equilibria
    """
    build("tiny-2")  # compiles, so that no tree is timed with it
    games = []
    for name in ITERATIONS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        games.append(solved(name))
    text = "\n".join(page(games)) + "\n"
    plot(
        {one.scenario.name: one.approach.points for one in games},
        PICTURE,
        "CFR+ on the exact suite",
        seconds=False,
    )
    PAGE.write_text(text, "utf-8")


def solved(name: str) -> Solved:
    """Build a game of the suite, and solve it."""
    begun = time.perf_counter()
    game = build(name)
    seconds = time.perf_counter() - begun
    tree = game.tree
    first = approach(tree, iterations=ITERATIONS[name])
    other = None
    if name in OTHER_ITERATIONS:
        another = approach(tree, _OTHER, iterations=OTHER_ITERATIONS[name])
        other = conduct(game, another.policy), another.gains.nash_conv
    return Solved(
        scenario=game.scenario,
        size=size_of(game),
        build_seconds=seconds,
        uniform_nash_conv=nash_conv(tree, tree.uniform()).nash_conv,
        uniform=conduct(game, tree.uniform()),
        approach=first,
        conduct=conduct(game, first.policy),
        other=other,
    )


def page(suite: Sequence[Solved]) -> Iterator[str]:
    """Yield the lines of EQUILIBRIA.md."""
    yield words.BEGINNING
    yield from _table(SUITE_HEADS, map(suite_row, suite))
    yield words.NEARNESS
    yield from _table(REACHED_HEADS, map(reached_row, suite))
    yield ""
    yield f"![{_picture_in_words(suite)}]({PICTURE.name})"
    yield words.PLAY
    columns = [column(one.uniform, one.conduct) for one in suite]
    titles = list(columns[0])
    yield from _table(
        ["", *(one.scenario.name for one in suite)],
        ([title, *(cells[title] for cells in columns)] for title in titles),
    )
    yield words.CHANGES
    yield from changes(suite)
    yield words.BY_PLAYER
    yield from _table(
        ["game", "player", *(MEASURES[name] for name in _EACH)],
        (row for one in suite for row in _by_player(one)),
    )
    yield words.MASKS_SAID
    yield from _table(
        ["game", "mask", "share of announcements", "share that is false"],
        (row for one in suite for row in _masks(one)),
    )
    yield words.OTHER
    yield from _others(suite)
    yield words.REST


SUITE_HEADS = (
    "game", "players", "masks of the seats, centre", "coins, goal", "turn limit",
    "decision nodes", "terminal nodes", "information states by player", "in all",
    "NashConv of uniform play", "seconds to build",
)  # fmt: skip


def suite_row(one: Solved) -> list[str]:
    """Return the cells of a game; the last one is the time."""
    s, size = one.scenario, one.size
    centre = ", ".join(s.masks[s.players :])
    return [
        s.name,
        str(s.players),
        f"{', '.join(s.masks[: s.players])}; {centre or 'none'}",
        f"{s.start_coins}, {s.goal_coins}",
        str(s.turn_limit),
        f"{size.decisions:,}",
        f"{size.terminals:,}",
        ", ".join(f"{states:,}" for states in size.states_of),
        f"{size.states:,}",
        f"{one.uniform_nash_conv:.4f}",
        f"{one.build_seconds:.1f}",
    ]


REACHED_HEADS = (
    "game", "iterations", "NashConv", "value by player", "each could gain", "seconds",
)  # fmt: skip


def reached_row(one: Solved) -> list[str]:
    """Return the cells for the result of CFR+ in a game; the last one is the time."""
    last, gains = one.approach.points[-1], one.approach.gains
    return [
        one.scenario.name,
        f"{last.iterations:,}",
        f"{last.nash_conv:.5f}",
        ", ".join(f"{value:.4f}" for value in gains.values),
        ", ".join(f"{gain:.5f}" for gain in gains.best - gains.values),
        f"{last.seconds:.1f}",
    ]


def column(uniform: Conduct, equilibrium: Conduct) -> dict[str, str]:
    """Return the cells of a game by title: uniform play and the equilibrium."""

    def both(name: str) -> str:
        return f"{_share(uniform.measures[name])} → {_share(equilibrium.measures[name])}"

    def a_game(name: str) -> str:
        numbers = (float(how.measures[name].number.sum()) for how in (uniform, equilibrium))
        return " → ".join(f"{number:.3f}" for number in numbers)

    return {
        "*in a game:* turns after the opening": a_game("look_rate"),
        "announcements": a_game("false"),
        "false announcements": a_game("bluff_success"),
        "claims": a_game("claim_precision"),
        "*in percent:* games that all players win": (
            f"{100 * uniform.shared:.1f} → {100 * equilibrium.shared:.1f}"
        ),
        **{f"{MEASURES[name]} (`{name}`)": both(name) for name in MEASURES},
    }


def _share(opportunities: Opportunities, player: int | None = None) -> str:
    """Return a share in percent, in brackets if its opportunities are rare."""
    mean = opportunities.mean(player)
    if math.isnan(mean):
        return "-"
    number = opportunities.number.sum() if player is None else opportunities.number[player]
    return f"{100 * mean:.1f}" if number >= _RARE else f"({100 * mean:.1f})"


def changes(suite: Sequence[Solved]) -> Iterator[str]:
    """Yield the measures that equilibria raise, lower, or change in both directions."""
    ways: dict[str, list[str]] = {way: [] for way in _WAYS}
    for name, title in MEASURES.items():
        steps = [
            one.conduct.mean(name) - one.uniform.mean(name)
            for one in suite
            if one.conduct.measures[name].number.sum() >= _RARE
        ]
        if not steps:
            continue
        way = "more" if min(steps) > _STEP else "less" if max(steps) < -_STEP else "differs"
        games = "" if len(steps) == len(suite) else f", in {len(steps)} of {len(suite)}"
        ways[way].append(f"{title} (`{name}`{games})")
    for way, heading in _WAYS.items():
        yield f"- **{heading}:** {'; '.join(ways[way]) or 'none'}."
    yield from _facts(suite)


_WAYS = {
    "more": "Larger in all games",
    "less": "Smaller in all games",
    "differs": "Larger in some games, smaller or equal in others",
}


def _facts(suite: Sequence[Solved]) -> Iterator[str]:
    """Yield sentences about values and announcements."""
    far = max(
        abs(float(value) - 1 / one.scenario.players)
        for one in suite
        for value in one.approach.gains.values
    )
    yield (
        "- **Seats:** the value of each player is within "
        f"{math.ceil(1e4 * far) / 100:.2f} percentage points of an equal share."
    )
    for title, few in (("Games with few announcements", True), ("Games with announcements", False)):
        games = [
            f"{one.scenario.name} ({made:.3f} announcements in a game; all players win "
            f"{100 * one.conduct.shared:.1f}% of games)"
            for one in suite
            if ((made := float(one.conduct.measures["false"].number.sum())) < _FEW) == few
        ]
        if games:
            yield f"- **{title}:** {'; '.join(games)}."


def _by_player(one: Solved) -> Iterator[list[str]]:
    for player in range(one.scenario.players):
        cells = (_share(one.conduct.measures[name], player) for name in _EACH)
        yield [one.scenario.name, str(player), *cells]


def _masks(one: Solved) -> Iterator[list[str]]:
    for mask in one.conduct.said:
        said, falsely = (
            " → ".join(_share(getattr(how, field)[mask]) for how in (one.uniform, one.conduct))
            for field in ("said", "said_falsely")
        )
        yield [one.scenario.name, mask, said, falsely]


def _others(suite: Sequence[Solved]) -> Iterator[str]:
    """Yield the table of two equilibria of the same game."""
    some = [one for one in suite if one.other is not None]
    heads = [f"{one.scenario.name}, {name}" for one in some for name in ("cfr+", _OTHER)]
    cells = [["NashConv"], ["games that all players win"], *([MEASURES[name]] for name in _EACH)]
    for one in some:
        assert one.other is not None
        for how, near in ((one.conduct, one.approach.gains.nash_conv), one.other):
            cells[0].append(f"{near:.5f}")
            cells[1].append(f"{100 * how.shared:.1f}")
            for row, name in zip(cells[2:], _EACH, strict=True):
                row.append(_share(how.measures[name]))
    yield from _table(["", *heads], cells)


def _picture_in_words(suite: Sequence[Solved]) -> str:
    ways = (
        f"{one.scenario.name} from {one.approach.points[0].nash_conv:.2f} to "
        f"{one.approach.points[-1].nash_conv:.5f}"
        for one in suite
    )
    return f"NashConv over the iterations of CFR+, on log scales: {', '.join(ways)}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
