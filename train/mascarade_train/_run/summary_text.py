"""What training scripts tell in the end, in words."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from mascarade_train._evaluation import Watched
from mascarade_train._run.examination import Examined

#: Measures of play (see MEASURES.md) that tell of a policy, in words.
TOLD = {
    "look_rate": "turns on which it looks",
    "take_rate": "turns on which it takes",
    "announce_rate": "turns on which it announces",
    "false": "announcements that are false",
    "knowing_bluff": "announcements that are knowing bluffs",
    "claim_rate": "times it claims when asked",
    "claim_precision": "claims that are true",
}


def on_card(play: Watched) -> dict[str, float | None]:
    """These measures of some play, for a file."""
    return {name: play.share(name) for name in TOLD} | {"games broken off": play.broken_off}


def scores_on_card(found: Examined, play: Watched) -> dict[str, Any]:
    """How a policy fares and plays, for its card."""
    return {
        "alone among copies of": {name: asdict(share) for name, share in found.alone.items()},
        "alone among copies of this": {n: asdict(share) for n, share in found.against.items()},
        "NashConv": found.nash_conv,
        "play": on_card(play),
    }


def compared(before: Watched, after: Watched) -> Iterator[str]:
    """Lines that compare play before training with play after it."""
    for name, words in TOLD.items():
        then, now = (percent(play.share(name)) for play in (before, after))
        yield f"  {words:<44}{then:>9}{now:>10}"
    if before.broken_off or after.broken_off:
        words = "games broken off, counted up to there"
        yield f"  {words:<44}{before.broken_off:>9}{after.broken_off:>10}"


def percent(share: float | None) -> str:
    """A share in words; a dash where there was no chance."""
    return "-" if share is None else f"{share:.1%}"
