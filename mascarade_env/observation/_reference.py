"""Text about observations that OBSERVATION.md and the cards of exported networks share."""

from mascarade_env.game._events import DEAL, KINDS
from mascarade_env.knowledge._windows import KEPT, WINDOW, WITH_MASK, WITH_PLACE, WITH_TWO_PLACES


def _kinds_table() -> str:
    """Return which numbers a token of each kind has."""
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


#: How an event of the window is written in numbers.
TOKENS = f"""\
The block `window` holds {WINDOW} tokens, the latest last, zeros before the first. A token is four whole
numbers, the same words in every scenario, ready for embeddings:

| number | words |
|---|---|
| `kind` | 0 none; else the kind of event, see below |
| `who` | 0 nobody; else the player, by the seat they sit on now: 1 own seat, 2..12 clockwise |
| `where` | 0 nowhere; 1..12 a seat from the viewer's, as it is now; 13 and up the centre |
| `what` | 0 nothing; 1..16 a mask, in the order of `MASKS`; 17 and up a second place, as `where` + 16 |

{_kinds_table()}

Events that follow from others, or stand elsewhere in the observation, are left out: {_left_out()}.
Own swaps and keeps, and masks that the viewer saw alone, are there; those of others are not. The deal is
listed from the seat that the viewer had then."""

#: What the column `sure` of a slot means.
SURE = """\
The column `sure` follows from public facts. Each player is taken to know the masks of certain sets of
slots, but not which lies where within a set; every slot is in one set. After the deal each slot is a set of
its own. When masks come back from under the table, the two slots' sets become one, for everybody; only for the
player who held them nothing changes if both slots were sets of their own. When a player sees the mask of a
slot (a look, the Spy's two, a reveal, a showing to the Princess by somebody else), that slot becomes a set of
its own and the rest of its set another. A player is sure of a slot that is a set of its own. Whoever is sure
in this sense does know; a player may know a mask without being sure, for instance after keeping their own."""
