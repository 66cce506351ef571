"""`mascarade record`: random games as record lines."""

import contextlib
import json as json_format
import sys
from typing import IO, Annotated

import tyro

from mascarade_env.cli.progress import progress
from mascarade_env.core.errors import MascaradeError
from mascarade_env.core.game import Game
from mascarade_env.core.record_files import open_for_writing, record_line
from mascarade_env.core.rng import checked_seed
from mascarade_env.core.scenarios import resolve


def record(
    scenario: str = "6A",
    games: int = 1,
    seed: int | None = None,
    trace: bool = False,
    output: Annotated[str | None, tyro.conf.arg(aliases=["-o"])] = None,
    json: bool = False,
) -> None:
    """Play random games and write their records, one a line.

    Example: mascarade record --scenario 6A --games 1000 --seed 7 --trace -o games.jsonl.gz

    Args:
        scenario: A name such as 6A (see `mascarade scenarios`), or a .json file with a scenario.
        games: How many games.
        seed: Game k is dealt and played by seed + k. A random seed by default.
        trace: Add the whole truth at each step.
        output: The file to write, gzipped if its name ends in .gz. Standard output by default.
        json: Print what was written as JSON; goes with --output.
    """
    rules = resolve(scenario)
    if games < 0:
        raise MascaradeError(f"--games is 0 or more, not {games}")
    if json and output is None:
        raise MascaradeError("--json tells what was written to a file: give --output as well")
    first = checked_seed(None) // 2 if seed is None else checked_seed(seed)
    checked_seed(first + max(games - 1, 0))
    decisions = written = 0
    try:
        with _opened(output) as file:
            for number in progress(range(games), "games"):
                game = Game(rules, seed=first + number)
                decisions += game.play_randomly()
                file.write(record_line(game, trace=trace).encode())
                written += 1
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise MascaradeError(f"cannot write {output}: {error.strerror}") from error
    finally:
        if output is not None and written:
            _report(output, rules.name, first, written, decisions, as_json=json)


def _opened(output: str | None) -> contextlib.AbstractContextManager[IO[bytes]]:
    if output is None:
        return contextlib.nullcontext(sys.stdout.buffer)
    return open_for_writing(output)


def _report(
    output: str, scenario: str, seed: int, games: int, decisions: int, *, as_json: bool
) -> None:
    figures = {
        "output": output,
        "scenario": scenario,
        "seed": seed,
        "games": games,
        "decisions": decisions,
    }
    if as_json:
        print(json_format.dumps(figures))
    else:
        print(f"{games} games of {scenario} ({decisions} decisions, seed {seed}) in {output}")
