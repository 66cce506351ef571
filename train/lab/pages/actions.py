"""The page ACTIONS.md, printed from the functions in game/_actions.py."""

from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_env.game._actions import MAX_ACTIONS, count_ids, padded_ids, word_of
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import Row
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, Scenario, scenarios
from mascarade_env.game._state import new_rows

PAGE = ROOT / "mascarade_env/ACTIONS.md"

#: The scenario of which all ids are shown.
SHOWN = "6A"

#: How an action is written, in which phase it can be legal, what it means, and by which rules.
_KINDS = (
    ("`take:<slot>`", "turn", "take this mask and one's own under the table, to swap them or not",
     "4.1, 4.2b"),
    ("`look`", "turn, after the opening", "look at one's own mask", "4.2a"),
    ("`announce:<mask>`", "turn, after the opening, unless one has just revealed",
     "announce a mask, true or not", "4.2c, 4.3"),
    ("`swap`, `keep`", "table", "what happens under the table; the others do not see which",
     "4.2b; 6 for the Spy and the Fool"),
    ("`claim`, `pass`", "challenge", "claim to be the announced mask as well, or do not", "5.1"),
    ("`target:<seat>`", "target", "the seat that a power is used on", "6"),
    ("`decline`", "target", "do not use the power; the Witch alone may", "6"),
    ("`declare:<mask>`", "declare", "what the Guru's victim says its own mask is", "6"),
)  # fmt: skip

_HEAD = """# Actions

This page is printed from the functions in `game/_actions.py` (`make actions`); a test fails when it
is stale. In code:

```python
from mascarade_env import Game

game = Game("6A", seed=7)
print(game.legal_actions())  # in words, as a record has them
print(game.legal_ids())  # as ids, which networks choose from
game.play("take:3")  # or game.play(2)
```

| word | legal in the phase | what it does | rules |
|---|---|---|---|
"""

_IDS = f"""
The rules stand in [RULES.md](RULES.md). In each phase only its own actions are legal;
masks (`info["action_mask"]`, `batch.mask`) have a one for each that is. There is always at least
one.

**Words are absolute, ids are egocentric.** A word names a seat or a slot by its number, as the game
record does. An id counts seats from the one who decides, clockwise, so that one policy can sit
anywhere: the first `take` is always about the neighbour on the left. Masks stand in the order of
`MASKS` ({", ".join(MASK_IDS)}), those in play alone.

**Padded ids** (`padded=True`) are those of {MAX_PLAYERS} seats, {MAX_SLOTS} slots and all
{len(MASK_IDS)} masks, {MAX_ACTIONS} in all. They mean the same in every scenario, so that one
policy can play all of them.

## Where the ids of a scenario begin

The ids of a kind are consecutive; `take` is about other seats first, then about the centre.

"""


def actions() -> None:
    """Write ACTIONS.md from the functions that number actions.

    Example: python -m lab actions
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The whole page."""
    return "\n".join(
        [
            _HEAD + "\n".join(f"| {' | '.join(kind)} |" for kind in _KINDS),
            _IDS + "\n".join(_beginnings()),
            f"\n## All ids of {SHOWN}\n",
            "As the player on seat 0 has them, and padded.\n",
            *_all_ids(scenarios()[SHOWN]),
            "",
        ]
    )


def _beginnings() -> Iterator[str]:
    heads = ["take", "look", "announce", "swap", "keep", "claim", "pass", "target", "decline",
             "declare"]  # fmt: skip
    yield f"| scenario | {' | '.join(heads)} | ids |"
    yield "|---" * (len(heads) + 2) + "|"
    for name, scenario in scenarios().items():
        words = _words(scenario)
        verbs = [word.partition(":")[0] for word in words]
        firsts = (str(verbs.index(head)) for head in heads)
        yield f"| {name} | {' | '.join(firsts)} | {len(words)} |"
    last = (str(padded) for padded in _padded_beginnings(heads))
    yield f"| padded | {' | '.join(last)} | {MAX_ACTIONS} |"


def _padded_beginnings(heads: list[str]) -> Iterator[int]:
    """The least padded id of each kind that any scenario has."""
    found: dict[str, int] = {}
    for scenario in scenarios().values():
        row = _row(scenario)
        for word, padded in zip(_words(scenario), padded_ids(row), strict=True):
            verb = word.partition(":")[0]
            found[verb] = min(found.get(verb, MAX_ACTIONS), padded)
    return (found[head] for head in heads)


def _all_ids(scenario: Scenario) -> Iterator[str]:
    yield "| id | word | padded id |"
    yield "|---|---|---|"
    for action, (word, padded) in enumerate(
        zip(_words(scenario), padded_ids(_row(scenario)), strict=True)
    ):
        yield f"| {action} | `{word}` | {padded} |"


def _words(scenario: Scenario) -> list[str]:
    """The words for all ids, as the player on seat 0 has them."""
    row = _row(scenario)
    return [word_of(row, action) for action in range(count_ids(row))]


def _row(scenario: Scenario) -> Row:
    row = new_rows(scenario, 1)[0]
    row["actor"] = 0
    return row
