"""The page OBSERVATION.md, printed from the declared blocks."""

from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, scenarios
from mascarade_env.knowledge._windows import WINDOW
from mascarade_env.observation._blocks import BLOCKS, FULL, TRACKS, Block, Place
from mascarade_env.observation._reference import SURE, TOKENS
from mascarade_env.observation._schema import Schema

PAGE = ROOT / "mascarade_env/OBSERVATION.md"

_HEAD = f"""# What an observation holds

This page is printed from the declarations in `observation/_blocks.py` (`make observation`); a test fails when it
is stale. In code:

```python
from mascarade_env import Game, Schema

game = Game("6A", seed=7)
schema = Schema("6A", "both")
vector = game.observation(player=2)  # float32, schema.size numbers
schema.views(vector)["own_belief"]  # [slots, masks], on the same memory
print(schema.describe(vector))  # in words
```

An observation is what **one player** may know: their view, egocentric. It is made from events alone
([who sees which](RULES.md#8-who-learns-what)), never from the masks on the table. There are three tracks:

| track | holds |
|---|---|
| `memory` | the public table, and a window of the last {WINDOW} events that the player saw |
| `belief` | the public table, and the exact neutral beliefs of the player and of an onlooker |
| `both` | all of it; the default |

- **Slots** are listed from the viewer's seat: own seat first, then clockwise, then the centre. Seats move
  with the Puppet Master; what is said of a player goes along.
- **Masks** are listed in the order of `MASKS` ({", ".join(MASK_IDS)}), those in play alone.
- **Padded** (`padded=True`) means {MAX_PLAYERS} seats, {MAX_SLOTS} slots and all 16 masks whatever the scenario has,
  with zeros for what is not there, so that one network fits every table; the action ids are padded too. The
  centre then stands at places 12 and 13 of the list.
- After the end of a game `phase` is over, nobody `decides`, and the rest stays as it was.
- **Ages**, t/(t+8), and **tallies**, c/(c+4), are rounded down to a multiple of 1/32767.
- The action mask comes beside the observation and is not part of it.
"""

_TEXT = f"""
## Tokens

{TOKENS}

## Sure

{SURE}

## Information state

`Game.information_state(player)` is the player's whole history of events as text, and
`Game.information_state_tensor(player, length)` the same as whole numbers: `[length, 5]`, one row an event
(kind, as in tokens; player; a; b; value: see the table in `game/_events.py`), zeros at the end; who is asked next is left out. Seats, slots and players are as
numbered, not as seen from the viewer. Two games that the player cannot tell apart give the same, others do not.

## Full state

`Game.full_state()` and `Batch.full_state()` are for critics: the truth and everybody's beliefs, laid out by
`Schema(scenario, "full")`. Nothing that an agent is given leads there.
"""


def observation() -> None:
    """Write OBSERVATION.md from the declared blocks.

    Example: python -m lab observation
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The text of OBSERVATION.md."""
    parts = [_HEAD, "\n## Blocks\n", *_blocks_table(), "\n### The columns of `slots`\n"]
    parts += ["The numbers of one slot stand together; `views` also gives each column by name.\n"]
    parts += [*_columns_table(), _TEXT, "\n## Where each block begins\n"]
    parts += [
        "Indices are `first..last`. In `slots`, the column with offset c of the slot at place p of "
        "the list is at index p x columns + c.\n"
    ]
    for name in scenarios():
        parts += _index_table(f"{name}", name, padded=False)
    parts += _index_table("Padded, any scenario", "12B", padded=True)
    return "\n".join(line.rstrip() for line in parts) + "\n"


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
