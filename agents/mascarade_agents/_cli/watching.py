"""The messages of an arena before and while it plays."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from mascarade_agents.arena import Plan, Standing
from mascarade_agents.report._sentences import counted
from mascarade_env.cli._progress import bar

_SHORT = 5  # seconds; a shorter remaining time is not announced


@contextmanager
def watching(workers: int) -> Iterator["Watcher"]:
    """Show the progress of an arena on standard error while the block runs.

    Args:
        workers: number of processes that play, as for `mascarade_agents.arena.run`.
    """
    with bar() as show:
        yield Watcher(show, workers)


class Watcher:
    """The messages of an arena: its games, its progress, and the time left.

    The time left is estimated from n chunks of games, where n is the number of workers. The first
    chunk does not count, because its time includes the start of workers and compilation. Games
    with agents that need views are far slower than other games, and are played last. So the
    measurement begins with these games if there are any.
    """

    def __init__(self, show: Callable[[int, int | None, str], None], workers: int) -> None:
        self._show = show
        self._workers = workers
        self._fast_games = 0
        self._first: Standing | None = None
        self._chunks = 0  # finished since `_first`

    def begun(self, plan: Plan, done: int) -> None:
        """Announce the number of games of each kind.

        Args:
            plan: the plan of the arena.
            done: number of games that an earlier run has finished.
        """
        self._fast_games = plan.fast_games if plan.fast_games < len(plan) else 0
        already = f", {done:,} of them finished before" if done else ""
        by = f", by {counted(self._workers, 'worker')}" if self._workers else ""
        chunks = max(self._workers, 1) + 1  # number needed to measure the time
        time = " The time left follows when it is measured." if len(plan.chunks) > chunks else ""
        _say(f"playing {games_of(plan)}{already}{by}.{time}")

    def progress(self, standing: Standing) -> None:
        """Show the progress; show the time left once, when it has been measured."""
        self._show(standing.games, standing.of, _in_words(standing))
        if standing.games <= self._fast_games:
            return
        if self._first is None:
            self._first = standing
            return
        self._chunks += 1
        if self._chunks == max(self._workers, 1):
            games = standing.games - self._first.games
            seconds = standing.seconds - self._first.seconds
            left = (standing.of - standing.games) * seconds / games
            if left >= _SHORT:
                _say(f"about {duration(left)} left, measured on {counted(games, 'game')}.")


def games_of(plan: Plan) -> str:
    """Return the number of games of each kind, in words."""
    kinds = [f"{counted(plan.mixed_games, 'game')} at mixed tables"] if plan.mixed_games else []
    if plan.one_games:
        agents = len(plan.agents)
        pairs = agents * (agents - 1)
        each = f"{pairs} pairs of agents, {plan.one_games // pairs:,} games each"
        kinds.append(f"{counted(plan.one_games, 'game')} of one against many ({each})")
    total = f", {len(plan):,} in all" if len(kinds) > 1 else ""
    return f"{' and '.join(kinds)}{total}"


def duration(seconds: float) -> str:
    """Return a time in words, such as "40 s", "2 min 10 s" or "3 h 20 min"."""
    rounded = round(seconds)
    if rounded < 60:
        return f"{rounded} s"
    minutes, rest = divmod(rounded, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def _say(words: str) -> None:
    """Print a message above the progress bar, in lines that fit the terminal."""
    Console(file=sys.stderr, highlight=False).print(Text(f"mascarade: {words}"))


def _in_words(standing: Standing) -> str:
    rate = standing.decisions / standing.seconds if standing.seconds else 0
    forfeits = f", {standing.forfeits:,} forfeited" if standing.forfeits else ""
    return f"{standing.games:,} of {standing.of:,} games, {rate:,.0f} decisions/s{forfeits}"
