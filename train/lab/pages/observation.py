"""The page OBSERVATION.md, generated from the blocks that the package declares."""

import re
from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, scenarios
from mascarade_env.knowledge._windows import WINDOW
from mascarade_env.observation._blocks import BLOCKS, FULL, TRACKS, Block, Place
from mascarade_env.observation._reference import SURE, TOKENS
from mascarade_env.observation._schema import Schema

PAGE = ROOT / "mascarade_env/OBSERVATION.md"

_HEAD = f"""# The numbers of an observation

This page explains every number of an observation. It is generated from the declarations in
`observation/_blocks.py` (`make observation`); a test fails if the two differ. In code:

```python
from mascarade_env import Game, Schema

game = Game("6A", seed=7)
schema = Schema("6A", "both")
vector = game.observation(player=2)  # float32, schema.size numbers
schema.views(vector)["own_belief"]  # [slots, masks], a view of the vector
print(schema.describe(vector))  # the observation in words
```

An observation shows, as numbers, what **one player** may know; this player is the viewer. It is computed only from
the events that this player sees ([who learns what](RULES.md#8-who-learns-what)), never from hidden masks. There are
three **tracks**, which are kinds of observations:

| track | contents |
|---|---|
| `memory` | public facts, and a window of the last {WINDOW} events that the player saw |
| `belief` | public facts, and the neutral beliefs of the player and of the onlooker |
| `both` | all of these; the default |

The **neutral belief** of a player is the probability of each mask at each slot, given all events that the player
has seen, if a fair coin decided every hidden swap. The **onlooker** sees only what all players see. The
[rules](RULES.md#8-who-learns-what) define both terms. Beliefs are exact unless too many placements are possible
(see `exact`).

- **Slots** are in the viewer's order: the viewer's seat first, then the other seats clockwise, then the centre. When
  the Puppet Master moves players, facts about a player move to the new seat.
- **Masks** are in the order of `MASKS` ({", ".join(MASK_IDS)}). Without padding, only masks in play are listed.
- **Padded** observations (`padded=True`) have {MAX_PLAYERS} seats, {MAX_SLOTS} slots and all 16 masks in every
  scenario, so that one network fits all of them. Numbers for missing seats, slots and masks are 0. The slots of the
  centre are at places 12 and 13 of the list of slots. The action ids are padded too.
- After the end of a game, `phase` shows `over`, and `decides` is 0 for all seats. The other numbers keep their
  values.
- **Ages** (numbers t of turns, as t/(t+8)) and **tallies** (counts c, as c/(c+4)) are rounded down to a multiple of
  1/32767.
- The action mask is not part of the observation; environments return it separately.
"""

_TEXT = f"""
## Tokens

{TOKENS}

## Sure

{SURE}

## Information state

`Game.information_state(player)` returns all events that the player has seen since the deal, as text.
`Game.information_state_tensor(player, length)` returns them as whole numbers, `[length, 5]`, with zeros at the end.
Each row is an event with five numbers: kind (as in tokens), player, a, b, value. [EVENTS.md](EVENTS.md) explains
these numbers. Events that name the next acting player are left out. Seats, slots and players have their numbers at
the table and do not count from the viewer. Two games give the same information state if and only if the player
cannot tell them apart.

## Full state

`Game.full_state()` and `Batch.full_state()` return all masks and all beliefs, laid out by `Schema(scenario, "full")`.
They are for critics and debugging only. No object that an agent receives gives access to them.
"""


def observation() -> None:
    """Write OBSERVATION.md from the declared blocks.

    Example: python -m lab observation
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """Return the text of OBSERVATION.md."""
    parts = [_HEAD, "\n## Blocks\n", *_blocks_table(), "\n### The columns of `slots`\n"]
    parts += [
        "The columns of one slot are next to each other. `views` also has each column by name.\n"
    ]
    parts += [*_columns_table(), _TEXT, "\n## Where each block begins\n"]
    parts += [
        "Indices are `first..last`. In `slots`, the column with offset c of the slot at place p has "
        "the index p x columns + c. Places and offsets count from 0.\n"
    ]
    for name in scenarios():
        parts += _index_table(f"{name}", name, padded=False)
    parts += _index_table("Padded, any scenario", "12B", padded=True)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


def _blocks_table() -> Iterator[str]:
    yield "| block | shape | range | known to | tracks | meaning |"
    yield "|---|---|---|---|---|---|"
    for block in BLOCKS:
        yield (
            f"| `{block.name}` | {_shape(block)} | {_range(block)} | {block.known} | "
            f"{', '.join(block.tracks)} | {block.meaning} |"
        )


def _columns_table() -> Iterator[str]:
    yield "| column | offset | numbers | range | meaning |"
    yield "|---|---|---|---|---|"
    for place in Schema("12B", padded=True).columns.values():
        block = place.block
        yield (
            f"| `{block.name}` | {place.start} | {_shape(block)} | {_range(block)} | "
            f"{block.meaning} |"
        )


def _shape(block: Block) -> str:
    return " x ".join(map(str, block.axes)) or "1"


def _range(block: Block) -> str:
    return f"{block.low:g}..{block.high:g}"


def _index_table(title: str, name: str, *, padded: bool) -> Iterator[str]:
    layouts = {track: Schema(name, track, padded=padded) for track in (*TRACKS, FULL)}
    one = layouts["both"]
    yield f"\n### {title}\n"
    yield (
        f"{one.seats} seats, {one.slots} slots, {len(one.masks)} masks "
        f"({', '.join(one.masks)}), {one.columns['said'].stop} columns. "
        f"Sizes: {', '.join(f'{track} {layout.size}' for track, layout in layouts.items())}.\n"
    )
    yield f"| block | shape | {' | '.join(layouts)} |"
    yield f"|---|---|{'---|' * len(layouts)}"
    for block in BLOCKS:
        places = [layout.places.get(block.name) for layout in layouts.values()]
        shape = next(place.shape for place in places if place)
        cells = [_indices(place) for place in places]
        yield f"| `{block.name}` | {' x '.join(map(str, shape))} | {' | '.join(cells)} |"


def _indices(place: Place | None) -> str:
    if place is None:
        return "-"
    return f"{place.start}" + (f"..{place.stop - 1}" if place.stop - place.start > 1 else "")
