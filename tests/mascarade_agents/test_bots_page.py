"""What agents/BOTS.md says of events, and its code."""

import re
from pathlib import Path

import numpy as np
import pytest

from mascarade_env import Game
from mascarade_env.game import _events as events
from mascarade_env.game._events import EVENT, EVERYONE, KINDS, PLAYERS
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import PHASES

PAGE = (Path(__file__).parents[2] / "agents/BOTS.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
ROWS = re.findall(r"^\| (\d+) \| `(\w+)` \| ([a-z ]+) \| (.*) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_code_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[number], "agents/BOTS.md", "exec"), {"__name__": "page"})
    assert re.match(r"player 1 says \S+\n|\S+ of \S+", capsys.readouterr().out)


def test_all_kinds_of_events_are_told() -> None:
    assert [(int(number), name) for number, name, *_ in ROWS] == list(enumerate(KINDS))
    assert f"in this order: `{'`, `'.join(EVENT.names or ())}`".replace("\n", " ") in PAGE.replace(
        "\n", " "
    )
    assert [PAGE.count(f"{number} for the") for number in (events.BANK, events.TRIBUNAL)] == [1, 1]
    assert str(EVERYONE) in PAGE
    assert f"{PLAYERS} - (1 << player)" in PAGE
    asked = next(told for _, name, _, told in ROWS if name == "ASK")
    assert [asked.index(f" {phase} ") for phase in range(PHASES.index("over"))]
    assert len(MASK_IDS) == 16


@pytest.mark.parametrize("scenario", ["4A", "6B", "8B", "12B"])
def test_games_bring_what_the_table_says(scenario: str) -> None:
    told = {name: (seen, words) for _, name, seen, words in ROWS}
    chance = np.random.default_rng(1)
    for seed in range(8):
        game = Game(scenario, seed=seed)
        found = list(game.last_events)
        while not game.over:
            game.play(int(chance.choice(game.legal_ids())))
            found += list(game.last_events)
        for event in found:
            seen, words = told[KINDS[event["kind"]]]
            own = 1 << max(int(event["player"]), 0)
            sets = {"all": EVERYONE, "the player": own, "the others": PLAYERS & ~own}
            assert int(event["seen_by"]) == sets[seen], event
            assert (event["player"] == -1) == ("`player` -1" in words), event
            for field in ("a", "b", "value"):
                assert event[field] == 0 or f"`{field}`" in words + _BY_TABLE.get(
                    KINDS[event["kind"]], ""
                ), event


#: What SWAP and its like say of "them" is told with TAKE.
_BY_TABLE = dict.fromkeys(("RETURN", "SWAP", "KEEP"), "`a` `b`")
