"""The page EVENTS.md, generated from the kinds in game/_events.py; tests compare it with games."""

import json
from typing import NamedTuple

from lab.paths import ROOT
from mascarade_env.game._events import BANK, EVERYONE, KINDS, ONLOOKER, PLAYERS, TRIBUNAL
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import OVER, PHASES

PAGE = ROOT / "mascarade_env/EVENTS.md"


class Kind(NamedTuple):
    """The viewers who see a kind of event, and its meaning."""

    seen_by: str
    meaning: str


#: Every kind, in the order of its numbers.
MEANINGS = {
    "DEAL": Kind("all", "mask `value` is dealt face up to slot `a`; one event for each slot, in order; `player` -1"),
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
    "PAY": Kind("all", f"`value` coins move from `a` to `b`: seats, {BANK} for the bank or {TRIBUNAL} for the tribunal; `player` -1"),
    "EXCHANGE": Kind("all", "seats `a` and `b` exchange their coins; `player` is the Witch"),
    "MOVE": Kind("all", "the players of seats `a` and `b` exchange seats; `player` is the Puppet Master"),
    "LIMIT": Kind("all", "the turn limit is reached after `value` turns"),
    "WIN": Kind("all", "`player` wins"),
    "ASK": Kind("all", "`player` on seat `a` decides next; `value` is the phase, see below"),
}  # fmt: skip

_HEAD = f"""# Events

Everything that players know comes from events: observations, histories, beliefs, logs, and the messages
that a bot receives (`AgentView.hear`, see [BOTS.md](../agents/BOTS.md)). Each event says what happened and
who sees it. This page is generated from the code (`make events`); a test fails if it is out of date.

```python
from mascarade_env import Game

game = Game("4A", seed=3)
game.play("take:2")
print(game.last_events)  # the events of the last decision, as an array
print(game.view(0).events.tolist())  # all events that player 0 has seen, as tuples
```

An event is six whole numbers, in this order: `value`, `seen_by`, `kind`, `player`, `a`, `b`.

- Seats and slots count from 0. The slots of the centre follow those of the seats.
- `player` is the number of a player, or -1 if no player acts. Players keep their numbers when they exchange seats.
- A mask is its number in the order of `MASKS`: {", ".join(f"{number} {mask}" for number, mask in enumerate(MASK_IDS))}.
- `seen_by` is a set of players as bits. Bit {ONLOOKER} is the onlooker, who sees only what all players see. The set
  is {EVERYONE} for all players and the onlooker, `1 << player` for a single player, and `{PLAYERS} - (1 << player)`
  for all players but one.
- If a kind of event does not use a number, this number is 0.

## Kinds

| kind | name | seen by | meaning |
|---|---|---|---|
"""

_PHASES = """
The value of `ASK` is the phase, which determines the legal kinds of actions ([ACTIONS.md](ACTIONS.md)):

| value | phase |
|---|---|
"""

_ORDER = """
## The order of events

The first step of a game is the deal. Every other step is one action and all its consequences, up to the next `ASK` or
the end of the game. In this table `…` means one or more events of this kind,
and brackets mean that the events may be missing. A player's message leaves out the events that the player
does not see.

| step | events in order |
|---|---|
| the deal | `DEAL` …, `BEGIN`, `ASK` |
| `take` | `TAKE`, `ASK` |
| `look` | `LOOK`, `SEE`, *end of turn* |
| `swap` | `RETURN`, `SWAP`, *end of turn* |
| `keep` | `RETURN`, `KEEP`, *end of turn* |
| `announce` | `ANNOUNCE`, `ASK` |
| `claim` or `pass`, not the last answer | `CLAIM` or `PASS`, `ASK` |
| the last `pass`, if no player claimed | `PASS`, *power* |
| the last answer, if a player claimed and one of them has the mask | `CLAIM` or `PASS`, `REVEAL` …, *power* |
| the last answer, if none of them has the mask | `CLAIM` or `PASS`, `REVEAL` …, *end of turn* |
| `target` as the Witch | `CHOOSE`, `EXCHANGE`, *end of turn* |
| `target` as the Trickster | `CHOOSE`, [`PAY`], *end of turn* |
| `target` as the Princess | `CHOOSE`, `SHOW`, *end of turn* |
| `target` as the Spy | `CHOOSE`, `SEE` …, `TAKE`, `ASK` |
| first `target` as the Fool or Puppet Master | `CHOOSE`, `ASK` |
| second `target` as the Fool | `CHOOSE`, `TAKE`, `ASK` |
| second `target` as the Puppet Master | `CHOOSE`, [`PAY` …], `MOVE`, *end of turn* |
| `target` as the Guru | `CHOOSE`, `ASK` |
| `decline` | `DECLINE`, *end of turn* |
| `declare` | `DECLARE`, `REVEAL`, [`PAY`], *end of turn* |
| *power* that needs a target | `POWER`, [`PAY` …], `ASK` |
| other *power* | `POWER` …, [`PAY` …], *end of turn* |
| *end of turn* | [`PAY` …], `BEGIN`, `ASK` |
| *end of turn* at the turn limit | [`PAY` …], `LIMIT`, [`WIN` …] |

- The first `REVEAL` event is that of the announcer. The claimants follow in the order of their seats, clockwise
  from the announcer.
- The Spy sees the other mask first (`SEE`), then their own.
- The `PAY` events of *end of turn* are the fines to the tribunal, in ascending order of players.
- In `TAKE`, `a` is the slot of the player who takes, and `b` the other slot. For the Fool, `a` and `b` are the two
  targets in the order of the choice. `RETURN`, `SWAP` and `KEEP` repeat the two numbers.
- The `PAY` events of a power have a fixed order. Thief: from the left neighbour, then from the right one. Patron: the
  player, then the left and the right neighbour. Beggar: clockwise from the left neighbour. Two Peasants: clockwise
  from the announcer. Puppet Master: the first target, then the second.
- A payment of 0 coins has no event. An example is a Judge who takes an empty tribunal.
- As soon as the game is over, one `WIN` for each winner follows, in ascending order of players, and the step ends.
"""

_EXAMPLE = """
## An example

These are the first events of a game, as seen by player 0, who takes two masks and swaps them:

```json
{events}
```

The same in words:

```text
{words}
```

Later in this game, player 0 announces the Thief, player 1 claims it, and players 2 and 3 pass. The last `pass` brings
these events: two masks are revealed, the true Thief takes a coin from each neighbour, and the liar pays the fine.

```json
{challenge}
```

The same in words:

```text
{challenge_words}
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
    return "".join(
        [
            _HEAD,
            "\n".join(kinds),
            "\n",
            _PHASES,
            "\n".join(phases),
            "\n",
            _ORDER,
            _example(),
        ]
    )


def _example() -> str:
    game = Game("4A", seed=3)
    for word in ("take:2", "swap"):
        game.play(word)
    first, words = _as_json(game.view(0).events.tolist()), game.log(0)
    for seat in (1, 2, 3):
        for word in (f"take:{seat - 1}", "keep"):
            game.play(word)
    game.play("announce:thief")
    for word in ("claim", "pass", "pass"):
        before = len(game.log())
        game.play(word)
    return _EXAMPLE.format(
        events=first,
        words="\n".join(words),
        challenge=_as_json(game.last_events.tolist()),
        challenge_words="\n".join(game.log()[before:]),
    )


def _as_json(events: list[tuple[int, ...]]) -> str:
    rows = ",\n".join(f"  {json.dumps(event)}" for event in events)
    return f"[\n{rows}\n]"
