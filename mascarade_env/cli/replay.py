"""`mascarade replay`: a recorded game, step by step."""

import json as json_format

import tyro

from mascarade_env.core.errors import MascaradeError, whole
from mascarade_env.core.game import Game
from mascarade_env.core.record_files import read_games


def replay(file: tyro.conf.Positional[str], game: int = 0, json: bool = False) -> None:
    """Print a recorded game step by step, as the referee saw it.

    Example: mascarade replay games.jsonl.gz --game 3

    Args:
        file: A file of game records (.jsonl or .jsonl.gz).
        game: Which game of the file, the first being 0.
        json: Print the record with its trace instead, as JSON.
    """
    played = _game_of(file, whole(game, "--game", at_least=0))
    if json:
        print(json_format.dumps(played.to_record(trace=True)))
    else:
        print("\n".join(_told(played)))


def _game_of(file: str, wanted: int) -> Game:
    count = 0
    for count, played in enumerate(read_games(file), start=1):
        if count > wanted:
            return played
    raise MascaradeError(f"{file} has no game {wanted}: it holds {count}, the first is game 0")


def _told(played: Game) -> list[str]:
    past = played.at_start()
    names = played.names or []
    lines = [f"player {player} is {_printable(name)}" for player, name in enumerate(names)]
    lines += [str(past), ""]
    turn = -1
    for _, action in [(None, None), *played.history]:
        if action is not None:
            past.play(action)
        for sentence in past.news():
            lines.append(f"  {sentence}")
        if past.turn != turn and not past.over:
            turn = past.turn
            coins = " ".join(map(str, past.coins))
            begin = lines.pop().strip()
            lines += [f"{begin}   [coins {coins}, tribunal {past.tribunal}]"]
    return [*lines, "", str(past)]


def _printable(name: str) -> str:
    """A name without what would command the terminal."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)
