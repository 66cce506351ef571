"""The page ACTIONS.md, generated with the functions in game/_actions.py."""

from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_env.game._actions import MAX_ACTIONS, count_ids, padded_ids, word_of
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import Row
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS, Scenario, scenarios
from mascarade_env.game._state import new_rows

PAGE = ROOT / "mascarade_env/ACTIONS.md"

#: The scenario whose ids are all listed.
SHOWN = "6A"

#: For each action: the word, the phase in which it can be legal, its meaning, and the rules.
_KINDS = (
    ("`take:<slot>`", "turn",
     "take the mask of this slot and your own under the table, to swap or keep them",
     "4.1, 4.2b"),
    ("`look`", "turn, after the opening", "look at your own mask", "4.2a"),
    ("`announce:<mask>`", "turn, after the opening, unless you are barred",
     "announce a mask, true or not", "4.2c, 4.3"),
    ("`swap`, `keep`", "table", "swap or keep the two masks under the table, unseen by the others",
     "4.2b; 6 for the Spy and the Fool"),
    ("`claim`, `pass`", "challenge", "claim to have the announced mask too, or do not claim",
     "5.1"),
    ("`target:<seat>`", "target", "choose this seat for the power", "6"),
    ("`decline`", "target", "do not use the power; only for the Witch", "6"),
    ("`declare:<mask>`", "declare", "name your own mask, as the Guru's target", "6"),
)  # fmt: skip

_HEAD = """# Actions

This page lists all actions and their ids. It is generated with the functions in `game/_actions.py`
(`make actions`); a test fails if the two differ. In code:

```python
from mascarade_env import Game

game = Game("6A", seed=7)
print(game.legal_actions())  # in words, as in a game record
print(game.legal_ids())  # as ids, for networks
game.play("take:3")  # or game.play(2)
```

| word | phase in which it can be legal | meaning | rules |
|---|---|---|---|
"""

_IDS = f"""
The last column gives sections of [RULES.md](RULES.md). Action masks (`info["action_mask"]`,
`batch.mask`) are 1 for each legal id. Until the game is over, at least one action is legal.

**Words use the numbers of seats and slots at the table**, like a game record. **Ids count seats
clockwise from the acting player**, so that one policy can play on every seat. For example, the
first `take` id always takes the mask of the neighbour on the left. Masks are in the order of
`MASKS` ({", ".join(MASK_IDS)}). Only masks in play have ids.

**Padded ids** (`padded=True`) are the {MAX_ACTIONS} ids of a table with {MAX_PLAYERS} seats,
{MAX_SLOTS} slots and all {len(MASK_IDS)} masks. A padded id has the same meaning in every scenario,
so one policy can play all scenarios.

## The first id of each kind of action

Each kind of action has consecutive ids. The ids of `take` begin with the other seats; the slots of
the centre follow.

"""


def actions() -> None:
    """Write ACTIONS.md from the functions that number actions.

    Example: python -m lab actions
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """Return the text of the page."""
    return "\n".join(
        [
            _HEAD + "\n".join(f"| {' | '.join(kind)} |" for kind in _KINDS),
            _IDS + "\n".join(_beginnings()),
            f"\n## All ids of {SHOWN}\n",
            "The words are for an acting player on seat 0. The last column is the padded id.\n",
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
    """Return the smallest padded id of each kind of action in any scenario."""
    smallest: dict[str, int] = {}
    for scenario in scenarios().values():
        row = _row(scenario)
        for word, padded in zip(_words(scenario), padded_ids(row), strict=True):
            verb = word.partition(":")[0]
            smallest[verb] = min(smallest.get(verb, MAX_ACTIONS), padded)
    return (smallest[head] for head in heads)


def _all_ids(scenario: Scenario) -> Iterator[str]:
    yield "| id | word | padded id |"
    yield "|---|---|---|"
    for action, (word, padded) in enumerate(
        zip(_words(scenario), padded_ids(_row(scenario)), strict=True)
    ):
        yield f"| {action} | `{word}` | {padded} |"


def _words(scenario: Scenario) -> list[str]:
    """Return the words for all ids, for the acting player on seat 0."""
    row = _row(scenario)
    return [word_of(row, action) for action in range(count_ids(row))]


def _row(scenario: Scenario) -> Row:
    row = new_rows(scenario, 1)[0]
    row["actor"] = 0
    return row
