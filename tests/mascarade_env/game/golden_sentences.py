"""Examples of sentences from the golden playthroughs: each kind of event, and some positions.

`make golden` writes them. A change of wording changes this file and no other golden.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from mascarade_env import MASKS, Game, Scenario, Schema
from mascarade_env.game._events import KINDS, in_words

FILE = Path(__file__).parent / "golden_sentences.txt"

#: The positions to describe, as scenario and number of decisions before.
_POSITIONS = (("4B", 40), ("centre", 60), ("powers", 40), ("limit", 13), ("small-2", 8))
#: Scenario and seed of a game with the one kind of event that no golden playthrough has.
_DECLINED = ("powers-3", 22)
_MASK = re.compile("|".join(mask.name for mask in MASKS))


def sentences(scenarios: Mapping[str, Scenario], seed: int) -> str:
    """Return the text of the file.

    Args:
        scenarios: the scenarios of the golden playthroughs, by name.
        seed: the seed of their games.
    """
    lines = ["Events", *_events(scenarios, seed)]
    for name, decisions in _POSITIONS:
        game = Game(scenarios[name], seed=seed)
        game.play_randomly(decisions)
        lines += ["", f"{name} after {decisions} decisions", str(game), repr(game)]
        lines += Schema(game.scenario).describe(game.observation()).splitlines()
        game.play_randomly()
        lines += ["", f"{name} at the end", str(game), repr(game)]
    return "\n".join(lines) + "\n"


def _events(scenarios: Mapping[str, Scenario], seed: int) -> Iterator[str]:
    """Yield the first event of each form with its numbers; other masks are not another form."""
    found: dict[tuple[int, str], str] = {}
    games = [(name, seed) for name in scenarios] + [_DECLINED]
    for name, number in games:
        scenario = scenarios[name]
        game = Game(scenario, seed=number)
        while True:
            for event in game.last_events:
                kind = int(event["kind"])
                words = in_words(event, scenario.players)
                form = re.sub(r"\d+", "#", _MASK.sub("MASK", words))
                numbers = " ".join(str(event[field]) for field in ("player", "a", "b", "value"))
                found.setdefault((kind, form), f"{KINDS[kind]} {numbers}: {words}")
            if not game.play_randomly(1):
                break
    for key in sorted(found):
        yield found[key]
