"""Text about observations, for OBSERVATION.md and for the cards of exported networks."""

from mascarade_env.game._events import DEAL, KINDS
from mascarade_env.knowledge._windows import KEPT, WINDOW, WITH_MASK, WITH_PLACE, WITH_TWO_PLACES


def _kinds_table() -> str:
    """Return a table of the numbers that a token of each kind has."""
    lines = ["| kind | who | where | what |", "|---|---|---|---|"]
    for kind, name in enumerate(KINDS):
        if not KEPT >> kind & 1:
            continue
        what = "mask" if WITH_MASK >> kind & 1 else "-"
        lines.append(
            f"| {kind + 1} {name} | {'-' if kind == DEAL else 'player'} | "
            f"{'place' if WITH_PLACE >> kind & 1 else '-'} | "
            f"{'second place' if WITH_TWO_PLACES >> kind & 1 else what} |"
        )
    return "\n".join(lines)


def _left_out() -> str:
    return ", ".join(name for kind, name in enumerate(KINDS) if not KEPT >> kind & 1)


#: The tokens of the window: how an event is encoded as numbers.
TOKENS = f"""\
The block `window` holds the last {WINDOW} events that the viewer saw, oldest first, with zeros before them. Each
event is a token of four whole numbers. They mean the same in every scenario, and fit an embedding layer:

| number | values |
|---|---|
| `kind` | 0: no event; else the kind of the event, see the next table |
| `who` | 0: no player; else the seat on which the player sits now: 1 the viewer's seat, 2..12 clockwise |
| `where` | 0: no place; 1..12: a seat, counted like `who`; 13 and more: a slot of the centre |
| `what` | 0: nothing; 1..16: a mask, in the order of `MASKS`; 17 and more: a second place, its number as in `where`, plus 16 |

{_kinds_table()}

These kinds are left out, because they follow from other events or are elsewhere in the observation: {_left_out()}.
The window has the viewer's own swaps and keeps, and masks that only the viewer saw, but not those of other players.
The deal is in the order of the seat that the viewer had at the deal."""

#: The meaning of the column `sure` of a slot.
SURE = """\
The column `sure` is computed from public facts. For each player the slots are divided into sets. The player knows
which masks are in a set, but perhaps not which of them is at which of its slots.

- After the deal each slot is a separate set.
- When two masks come back from under the table, the sets of the two slots are joined, for all players. There is
  one exception: if each of the two slots is a separate set for the player who held the masks, nothing changes for
  that player.
- When a player sees the mask of a slot, this slot becomes a separate set; the other slots of its set remain one. This
  happens by a look, by the Spy's power, by a reveal, and when another player shows a mask for the Princess.

A player is sure of a slot that is a separate set. A sure player knows the mask. A player may know a mask without being
sure, for example after keeping it."""
