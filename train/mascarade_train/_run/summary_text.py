"""Scores and measures of play as text: for the card of a policy, and for the report."""

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


def scores_on_card(scores: Examined, play: Watched) -> dict[str, Any]:
    """Return the scores of a policy and its measures of play as JSON, for its card."""
    return {
        "alone among copies of": {name: asdict(share) for name, share in scores.alone.items()},
        "alone among copies of this": {n: asdict(share) for n, share in scores.against.items()},
        "NashConv": scores.nash_conv,
        "play": on_card(play),
    }


def compared(before: Watched, after: Watched, *, when: str = "untrained") -> Iterator[str]:
    """Yield the lines of a table that compares play before training with play after it.

    Args:
        before: the play of the policy at the start.
        after: the play of the trained policy.
        when: the heading of the column for the policy at the start.
    """
    titles = {measure.name: measure.title for measure in MEASURES}
    yield f"{'How it plays when it holds all seats':<38}{when:>9}{'trained':>10}"
    for name in _REPORTED:
        then, now = (_percent(play.share(name)) for play in (before, after))
        yield f"  {titles[name]:<36}{then:>9}{now:>10}"
    if before.broken_off or after.broken_off:
        yield f"  {'truncated games':<36}{before.broken_off:>9}{after.broken_off:>10}"


def _percent(share: float | None) -> str:
    """Return a share in percent, or a dash if there is none."""
    return "-" if share is None else f"{share:.1%}"
