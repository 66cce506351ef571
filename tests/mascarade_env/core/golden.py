"""Golden playthroughs: a random game of every scenario, written out with all that can be asked.

Run as a program this writes them anew (`make golden`).
"""

import zlib
from pathlib import Path

import numpy as np

from mascarade_env import Game, Scenario, Schema, scenarios
from mascarade_env.core import events
from mascarade_env.core.blocks import TRACKS

FOLDER = Path(__file__).parent / "golden"
SEED = 2026
IN_FULL = 25  # decisions between two observations in words

_EVERY_MASK = [
    "judge",
    "king",
    "empress",
    "widow",
    "patron",
    "princess",
    "fool",
    "peasant",
    "peasant",
    "thief",
    "beggar",
]
_EVERY_POWER = [
    "judge",
    "king",
    "trickster",
    "cheat",
    "witch",
    "spy",
    "guru",
    "puppet_master",
    "princess",
    "fool",
]


def all_scenarios() -> dict[str, Scenario]:
    """The named scenarios, and some of research that show what those do not."""
    research = [
        Scenario("centre", 9, (*_EVERY_MASK,), strict=False, opening_turns=9),
        Scenario("powers", 8, (*_EVERY_POWER,), strict=False, start_coins=8),
        Scenario("limit", 6, scenarios()["6A"].masks, turn_limit=7),
        Scenario(
            "duel", 2, ("king", "thief", "judge"), goal_coins=10, opening_turns=2, turn_limit=6,
            at_limit="richest", strict=False, fixed_deal=True,
        ),
    ]  # fmt: skip
    return {**scenarios(), **{scenario.name: scenario for scenario in research}}


def playthrough(scenario: Scenario) -> str:
    """A random game as text."""
    game = Game(scenario, seed=SEED)
    lines = [f"{key}: {value}" for key, value in scenario.to_dict().items()]
    lines += [f"seed: {SEED}", f"action ids: {game.num_actions}", *_told(game)]
    table, number = "", 0
    while not game.over:
        lines.append(f"\n#{number} {game.phase}: player {game.player} on seat {game.seat}")
        if (now := _table(game)) != table:
            lines.append(now)
            table = now
        legal = zip(game.legal_ids(), game.legal_actions(), strict=True)
        lines.append("legal " + " ".join(f"{action}={word}" for action, word in legal))
        lines += _known(game, in_full=number % IN_FULL == 0)
        before = game.legal_actions()
        ids = game.legal_ids()
        game.play_randomly(1)
        lines += [f"> {before[ids.index(~game._taken[-1])]}", *_told(game)]
        number += 1
    lines += ["", _table(game), f"winners {game.winners} truncated {game.truncated}"]
    lines += [f"returns {' '.join(f'{value:.6f}' for value in game.returns())}", "", str(game)]
    return "\n".join(lines) + "\n"


def _table(game: Game) -> str:
    words = (
        ("turn", [game.turn]),
        ("coins", game.coins),
        ("tribunal", [game.tribunal]),
        ("masks", game.masks),
        ("players", game.player_at),
        ("barred", game.barred),
    )
    return " | ".join(f"{name} {' '.join(map(str, values))}" for name, values in words)


def _known(game: Game, *, in_full: bool) -> list[str]:
    """What the player who decides knows: in short, and now and then in full."""
    assert game.player is not None
    assert game.seat is not None
    kinds = game.scenario.kinds
    own, onlooker = (
        " ".join(f"{mask} {chance:.4g}" for mask, chance in zip(kinds, row, strict=True) if chance)
        for row in (game.belief(viewer)[game.seat] for viewer in (game.player, "onlooker"))
    )
    sums = (
        zlib.crc32(np.rint(game.observation(track=track) * 1e4).astype("<i4").tobytes())
        for track in TRACKS
    )
    lines = [
        f"own mask: {own} | to an onlooker: {onlooker}",
        "observation "
        + " ".join(f"{track} {crc:08x}" for track, crc in zip(TRACKS, sums, strict=True)),
    ]
    if in_full:
        schema = Schema(game.scenario)
        lines += [f"  | {words}" for words in schema.describe(game.observation()).splitlines()]
    return lines


def _told(game: Game) -> list[str]:
    """The events of the last step, each with who may know it."""
    log = game._logs[0]
    lines = []
    for event in log["event"][: log["count"]]:
        if event["kind"] == events.ASK:
            continue  # the next heading says it
        seen_by = int(event["seen_by"])
        players = [str(p) for p in range(game.scenario.players) if seen_by >> p & 1]
        public = seen_by >> events.ONLOOKER & 1
        audience = "all" if len(players) == game.scenario.players else ",".join(players)
        mark = "" if public else " privately"
        sentence = events.in_words(event, game.scenario.players)
        lines.append(f"  {sentence}  [{audience}{mark}]")
    return lines


def main() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, scenario in all_scenarios().items():
        (FOLDER / f"{name}.txt").write_text(playthrough(scenario), "utf-8")


if __name__ == "__main__":
    main()
