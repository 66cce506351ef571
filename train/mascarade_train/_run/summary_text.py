"""How a policy plays and what it wins, for its card and for a report in the terminal."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from mascarade_agents.behaviour import MEASURES
from mascarade_train._evaluation import Watched
from mascarade_train._run.examination import Examined

#: The measures of play that a report shows.
_REPORTED = (
    "look_rate", "take_rate", "announce_rate", "false", "knowing_bluff", "claim_rate",
    "claim_precision",
)  # fmt: skip


def on_card(play: Watched) -> dict[str, float | None]:
    """Return some measures of play as JSON."""
    return {name: play.share(name) for name in _REPORTED} | {"games broken off": play.broken_off}


def scores_on_card(found: Examined, play: Watched) -> dict[str, Any]:
    """Return what a policy wins and how it plays as JSON, for its card."""
    return {
        "alone among copies of": {name: asdict(share) for name, share in found.alone.items()},
        "alone among copies of this": {n: asdict(share) for n, share in found.against.items()},
        "NashConv": found.nash_conv,
        "play": on_card(play),
    }


def compared(before: Watched, after: Watched) -> Iterator[str]:
    """Yield lines that compare play before training with play after it."""
    titles = {measure.name: measure.title for measure in MEASURES}
    for name in _REPORTED:
        then, now = (percent(play.share(name)) for play in (before, after))
        yield f"  {titles[name]:<44}{then:>9}{now:>10}"
    if before.broken_off or after.broken_off:
        words = "games truncated, counted up to there"
        yield f"  {words:<44}{before.broken_off:>9}{after.broken_off:>10}"


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash where there is none."""
    return "-" if share is None else f"{share:.1%}"
