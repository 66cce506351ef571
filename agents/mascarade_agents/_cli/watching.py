"""How an arena stands, while it goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mascarade_agents.arena import Standing
from mascarade_env.cli._progress import bar


@contextmanager
def watching() -> Iterator[Callable[[Standing], None]]:
    """What shows how an arena stands, as long as it goes on."""
    with bar() as show:
        yield lambda standing: show(standing.games, standing.of, _in_words(standing))


def _in_words(standing: Standing) -> str:
    rate = standing.decisions / standing.seconds if standing.seconds else 0
    forfeits = f", {standing.forfeits:,} forfeited" if standing.forfeits else ""
    return f"{standing.games:,} of {standing.of:,} games, {rate:,.0f} decisions/s{forfeits}"
