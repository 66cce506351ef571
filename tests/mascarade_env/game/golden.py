"""Golden playthroughs: a random game of every scenario, as numbers and stable ids.

Each game has a separate file in the folder `golden`. These files have no sentences, so a change of
wording leaves them unchanged. One more file has examples of the sentences of events, observations
and tables (golden_sentences.py). Run as a program, this module writes all files (`make golden`).

Each decision has these lines; the second is left out if it is unchanged:

    #12 turn player 2 seat 2 legal 0-11
    turn 6 coins 6 6 6 6 tribunal 0 masks fool judge ... players 0 1 2 3 barred
    own judge 0.5 fool 0.5 | onlooker judge 0.5 empress 0.25 fool 0.25 | observation 740bed35
    > 5=take:5
     TAKE 2 2 5 0 all

The third line is the belief of the player and of the onlooker about the player's mask, and a
checksum of the observation, rounded to 1e-4. After the action there is a line for each event: kind,
player, a, b, value, and the players who see it, with "o" for the onlooker.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mascarade_env import Game, Scenario, scenarios
from mascarade_env.game._events import ASK, KINDS, ONLOOKER
from tests.mascarade_env.game import golden_sentences

FOLDER = Path(__file__).parent / "golden"
SEED = 2026

_EVERY_MASK = "judge king empress widow patron princess fool peasant peasant thief beggar"
_EVERY_POWER = "judge king trickster cheat witch spy guru puppet_master princess fool"


def all_scenarios() -> dict[str, Scenario]:
    """Return the named scenarios, and research scenarios with features that these lack."""
    research = [
        Scenario("centre", 9, (*_EVERY_MASK.split(),), strict=False, opening_turns=9),
        Scenario("powers", 8, (*_EVERY_POWER.split(),), strict=False, start_coins=8),
        Scenario("limit", 6, scenarios()["6A"].masks, turn_limit=7),
        Scenario(
            "duel", 2, ("king", "thief", "judge"), goal_coins=10, opening_turns=2, turn_limit=6,
            at_limit="richest", strict=False, fixed_deal=True,
        ),
    ]  # fmt: skip
    return {**scenarios(), **{scenario.name: scenario for scenario in research}}


def playthrough(scenario: Scenario) -> str:
    """Return the text of a random game, from the deal to the end."""
    game = Game(scenario, seed=SEED)
    lines = [json.dumps(scenario.to_dict()), f"seed {SEED} ids {game.num_actions}", *_events(game)]
    table, number = "", 0
    while not game.over:
        legal = _spans(game.legal_ids())
        lines.append(f"#{number} {game.phase} player {game.player} seat {game.seat} legal {legal}")
        if (now := _table(game)) != table:
            lines.append(now)
            table = now
        lines.append(_knowledge(game))
        before = game.clone()
        game.play_randomly(1)
        action = game.taken[-1]
        lines += [f"> {action}={before.action_word(action)}", *_events(game)]
        number += 1
    returns = " ".join(f"{value:.6f}" for value in game.returns())
    lines += [_table(game), f"winners {game.winners} truncated {game.truncated} returns {returns}"]
    return "\n".join(lines) + "\n"


def _spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers in short form, as in "0-3 7"."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))


def _table(game: Game) -> str:
    words = (
        ("turn", [game.turn]),
        ("coins", game.coins),
        ("tribunal", [game.tribunal]),
        ("masks", game.masks),
        ("players", game.player_at),
        ("barred", game.barred),
    )
    return " ".join(" ".join(map(str, (name, *values))) for name, values in words)


def _knowledge(game: Game) -> str:
    """Return the line about what the acting player knows."""
    assert game.player is not None
    assert game.seat is not None
    kinds = game.scenario.kinds
    own, onlooker = (
        " ".join(f"{mask} {p:.4g}" for mask, p in zip(kinds, row, strict=True) if p)
        for row in (game.belief(viewer)[game.seat] for viewer in (game.player, "onlooker"))
    )
    numbers = np.rint(game.observation() * 1e4).astype("<i4")
    return f"own {own} | onlooker {onlooker} | observation {zlib.crc32(numbers.tobytes()):08x}"


def _events(game: Game) -> Iterator[str]:
    """Yield a line for each event of the last step, with the players who see it."""
    players = range(game.scenario.players)
    for event in game.last_events:
        if event["kind"] == ASK:
            continue  # the heading of the next decision has it
        seen_by = int(event["seen_by"])
        viewers = [str(player) for player in players if seen_by >> player & 1]
        viewers += ["o"] if seen_by >> ONLOOKER & 1 else []
        audience = "all" if len(viewers) == len(players) + 1 else ",".join(viewers)
        numbers = " ".join(str(event[field]) for field in ("player", "a", "b", "value"))
        yield f" {KINDS[event['kind']]} {numbers} {audience}"


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, scenario in all_scenarios().items():
        (FOLDER / f"{name}.txt").write_text(playthrough(scenario), "utf-8")
    golden_sentences.FILE.write_text(golden_sentences.sentences(all_scenarios(), SEED), "utf-8")


if __name__ == "__main__":
    main()
