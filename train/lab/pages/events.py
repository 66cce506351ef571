"""The page EVENTS.md, printed from the kinds in game/_events.py; tests compare it with games."""

import json
from typing import NamedTuple

from lab.paths import ROOT
from mascarade_env.game._events import BANK, EVERYONE, KINDS, ONLOOKER, PLAYERS, TRIBUNAL
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import OVER, PHASES

PAGE = ROOT / "mascarade_env/EVENTS.md"


class Kind(NamedTuple):
    """What a kind of event says."""

    seen_by: str
    meaning: str


#: Every kind, in the order of its numbers.
MEANINGS = {
    "DEAL": Kind("all", "mask `value` is dealt face up to slot `a`; one event for each slot, in order"),
    "BEGIN": Kind("all", "the turn of `player` on seat `a` begins; `value` turns have ended"),
    "LOOK": Kind("all", "`player` looks at the mask of slot `a`"),
    "SEE": Kind("the player", "`player` sees mask `value` at slot `a`: by a look, or as the Spy"),
    "TAKE": Kind("all", "`player` takes the masks of slots `a` and `b` under the table"),
    "RETURN": Kind("all", "`player` returns the masks to slots `a` and `b`, swapped or not"),
    "SWAP": Kind("the player", "`player` swapped the masks of slots `a` and `b`"),
    "KEEP": Kind("the player", "`player` kept the masks of slots `a` and `b` as they were"),
    "ANNOUNCE": Kind("all", "`player` announces mask `value`"),
    "CLAIM": Kind("all", "`player` claims mask `value` too"),
    "PASS": Kind("all", "`player` does not claim mask `value`"),
    "REVEAL": Kind("all", "`player` reveals mask `value` at seat `a`"),
    "SHOW": Kind("the others", "`player` shows mask `value` at seat `a` to all other players, and does not see it"),
    "POWER": Kind("all", "`player` on seat `a` uses the power of mask `value`"),
    "CHOOSE": Kind("all", "`player` chooses seat `a` as the target"),
    "DECLINE": Kind("all", "`player` declines to use the Witch's power"),
    "DECLARE": Kind("all", "`player` names mask `value` to the Guru"),
    "PAY": Kind("all", f"`value` coins move from `a` to `b`: seats, {BANK} for the bank, {TRIBUNAL} for the tribunal"),
    "EXCHANGE": Kind("all", "seats `a` and `b` exchange their coins; `player` is the Witch"),
    "MOVE": Kind("all", "the players of seats `a` and `b` exchange seats; `player` is the Puppet Master"),
    "LIMIT": Kind("all", "the turn limit is reached after `value` turns"),
    "WIN": Kind("all", "`player` wins"),
    "ASK": Kind("all", "`player` on seat `a` decides next; `value` is the phase, see below"),
}  # fmt: skip

_HEAD = f"""# Events

Everything that players know comes from events: observations, histories, beliefs, logs, and the messages
that a bot receives (`AgentView.hear`, see [BOTS.md](../agents/BOTS.md)). Each event says what happened and
who sees it. This page is printed from the code (`make events`); a test fails when it is stale.

```python
from mascarade_env import Game

game = Game("4A", seed=3)
game.play("take:2")
print(game.last_events)  # an array: what the last decision brought
print(game.view(0).events.tolist())  # all that player 0 has seen, as tuples
```

An event is six whole numbers, in this order: `value`, `seen_by`, `kind`, `player`, `a`, `b`.

- Seats and slots count from 0. The slots of the centre follow those of the seats.
- `player` is a number that a person keeps when seats are exchanged. It is -1 where no player acts.
- A mask is its number in the order of `MASKS`: {", ".join(f"{number} {mask}" for number, mask in enumerate(MASK_IDS))}.
- `seen_by` is a set of players as bits. It is {EVERYONE} for all players and the onlooker (bit {ONLOOKER}),
  `1 << player` for one player alone, and `{PLAYERS} - (1 << player)` for all players but one.
- A number without a meaning is 0.

## Kinds

| kind | name | seen by | meaning |
|---|---|---|---|
"""

_PHASES = """
The phases of `ASK`, which decide what is legal ([ACTIONS.md](ACTIONS.md)):

| value | phase |
|---|---|
"""

#: For each decision: the events that can follow it, and when. `+` is one or more, `*` any number.
ORDERS = (
    ("take", "TAKE ASK", "the masks are under the table; the same player decides"),
    ("swap", "RETURN SWAP end", "players who see no `SWAP` get `RETURN` alone"),
    ("keep", "RETURN KEEP end", "the same"),
    ("look", "LOOK SEE end", "others get `LOOK` alone"),
    ("announce", "ANNOUNCE ASK", "the next player may claim the mask too"),
    ("claim", "CLAIM ASK", "the next player may claim"),
    ("claim", "CLAIM REVEAL+ POWER* PAY* ASK", "the last answer: all who claim reveal, and a power needs a target"),
    ("claim", "CLAIM REVEAL+ POWER* PAY* end", "the same, with a power that needs none, or without a power"),
    ("pass", "PASS ASK", "the next player may claim"),
    ("pass", "PASS POWER PAY* ASK", "no player claimed, and the power needs a target"),
    ("pass", "PASS POWER PAY* end", "the same, with a power that needs none"),
    ("pass", "PASS REVEAL+ POWER* PAY* ASK", "the last answer after a claim, as above"),
    ("pass", "PASS REVEAL+ POWER* PAY* end", "the same"),
    ("target", "CHOOSE ASK", "the Fool or the Spy chooses a second mask, or the Guru's target answers"),
    ("target", "CHOOSE SEE* TAKE ASK", "the Fool, or the Spy who sees both masks, takes them"),
    ("target", "CHOOSE PAY+ end", "a power that takes coins"),
    ("target", "CHOOSE SHOW end", "the Princess"),
    ("target", "CHOOSE EXCHANGE end", "the Witch"),
    ("target", "CHOOSE PAY* MOVE end", "the Puppet Master"),
    ("decline", "DECLINE end", "the Witch does without an exchange"),
    ("declare", "DECLARE REVEAL PAY* end", "the Guru's target names a mask and reveals its own"),
)  # fmt: skip

#: What "end" is in `ORDERS`.
END = ("PAY* BEGIN ASK", "PAY* WIN+", "PAY* LIMIT WIN*")

_ORDER = """
## The order of events

The deal is one `DEAL` for each slot, then `BEGIN` and `ASK`. After it, each decision brings the events of
one row of this table. A `+` means one or more events of a kind, a `*` any number. A player's message
leaves out the events that the player does not see.

| decision | events | when |
|---|---|---|
{orders}

The *end* of a turn: first a `PAY` for each fine that is due, then one of these.

- `BEGIN ASK`: the next turn begins.
- `WIN`, one or more: the game is over.
- `LIMIT`, with a `WIN` for each winner if there are any: the turn limit is reached.
"""

_EXAMPLE = """
## An example

The first decisions of a game, as the player who takes the masks sees them:

```json
{events}
```

The same in words:

```text
{words}
```
"""


def events() -> None:
    """Write EVENTS.md from the kinds of events.

    Example: python -m lab events
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """Return the whole page."""
    kinds = (
        f"| {number} | `{name}` | {MEANINGS[name].seen_by} | {MEANINGS[name].meaning} |"
        for number, name in enumerate(KINDS)
    )
    phases = (f"| {number} | {phase} |" for number, phase in enumerate(PHASES[:OVER]))
    orders = (f"| `{decision}` | {_ended(order)} | {when} |" for decision, order, when in ORDERS)
    return "".join(
        [
            _HEAD,
            "\n".join(kinds),
            "\n",
            _PHASES,
            "\n".join(phases),
            "\n",
            _ORDER.format(orders="\n".join(orders)),
            _example(),
        ]
    )


def _ended(order: str) -> str:
    """Return an order with its kinds as code, for a cell of a table."""
    events, end, _ = f"`{order}`".partition(" end`")
    return f"{events}`, *end*" if end else events


def _example() -> str:
    game = Game("4A", seed=3)
    for word in ("take:2", "swap"):
        game.play(word)
    view = game.view(0)
    rows = ",\n".join(f"  {json.dumps(event)}" for event in view.events.tolist())
    return _EXAMPLE.format(events=f"[\n{rows}\n]", words="\n".join(game.log(0)))
