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
event is a token of four whole numbers. These have the same meaning in every scenario, so an embedding layer can
read them:

| number | values |
|---|---|
| `kind` | 0: no event; else the kind of the event, see the next table |
| `who` | 0: no player; else the seat on which the player sits now: 1 the viewer's seat, 2..12 clockwise |
| `where` | 0: no place; 1..12: a seat, counted like `who`; 13 and more: a slot of the centre |
| `what` | 0: nothing; 1..16: a mask, in the order of `MASKS`; 17 and more: a second place, its number as in `where`, plus 16 |

{_kinds_table()}

These kinds are left out, because they follow from other events or are elsewhere in the observation: {_left_out()}.
The window also has events that only the viewer sees: the viewer's own swaps and keeps, and masks that only the viewer
saw. It has no private events of other players. The tokens of the deal begin with the seat that the viewer had at the
deal."""

#: The meaning of the column `sure` of a slot.
SURE = """\
The column `sure` is computed from public facts. For each player the slots are divided into sets. The player knows
which masks are in each set, but perhaps not at which slot of the set each mask is.

- After the deal each slot is a separate set.
- When two masks come back from under the table, the sets of the two slots are joined, for all players. There is
  one exception: if each of the two slots is a separate set for the player who held the masks, nothing changes for
  that player.
- When a player sees the mask of a slot, this slot becomes a separate set; the other slots of its old set remain
  together. A player sees a mask by a look, by the Spy's power, by a reveal, and when another player shows a mask for
  the Princess.

The column is 1 at a seat if, for the player on it, this seat is a separate set. This player then knows the mask. A
player may know the mask although the column is 0, for example after keeping it."""
