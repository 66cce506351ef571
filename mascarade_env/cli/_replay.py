"""`mascarade replay`: show a recorded game step by step."""

import json as json_format

import tyro

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.cli._outputs import writing
from mascarade_env.exact._files import making
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import read_games
from mascarade_env.render._animation import animated_svg
from mascarade_env.render._ansi import table_text
from mascarade_env.render._replay import replay_html
from mascarade_env.render._scene import Perspective, checked_perspective, printable, scene


def replay(
    file: tyro.conf.Positional[str],
    game: int = 0,
    perspective: str = "all",
    json: bool = False,
    html: str | None = None,
    svg: str | None = None,
    first: int | None = None,
    last: int | None = None,
    seconds: float | None = None,
) -> None:
    """Print a recorded game step by step, or write it as a page or a picture.

    Example: mascarade replay games.jsonl.gz --game 3 --html game.html

    Example: mascarade replay games.jsonl.gz --svg game.svg --perspective onlooker --last 30

    Args:
        file: A file of game records (.jsonl or .jsonl.gz).
        game: The number of the game in the file; the first is 0.
        perspective: The perspective to show: a player's number for what this player sees, onlooker
            for what all players see, or all to show the hidden masks too.
        json: Print the record with its trace as JSON instead of text.
        html: Write an HTML page to this file instead of text. In a browser it shows the game step
            by step, from every perspective.
        svg: Write an animated picture to this file instead of text. It shows what --perspective
            sees.
        first: The animation of --svg starts after this number of decisions. The default 0 is the
            deal.
        last: The animation of --svg ends after this number of decisions. By default it ends with
            the game.
        seconds: The animation of --svg shows each picture for this number of seconds; by default 2.
    """
    if (perspective != "all") + json + (html is not None) > 1:
        raise MascaradeError(
            "use only one of --perspective, --json and --html, because records and pages always "
            "contain all perspectives"
        )
    if svg is not None and (json or html is not None):
        raise MascaradeError("use only one of --json, --html and --svg")
    if svg is None and (first, last, seconds) != (None, None, None):
        raise MascaradeError(
            "--first, --last and --seconds are options of the animation: use them with --svg"
        )
    with writing({"--html": html, "--svg": svg}, [file]):
        played = _game_of(file, whole(game, "--game", at_least=0))
        named = int(perspective) if perspective.isdecimal() else perspective
        viewer = checked_perspective(named, played.scenario.players)
        if json:
            print(json_format.dumps(played.to_record(trace=True)))
        elif html is not None:
            _write(html, replay_html(played))
            print(f"wrote game {game} of {file} ({played.scenario.name}) to {html}")
        elif svg is not None:
            stay = 2.0 if seconds is None else seconds
            picture = animated_svg(played, viewer, first=first or 0, last=last, seconds=stay)
            _write(svg, picture)
            print(f"wrote game {game} of {file} ({played.scenario.name}) to {svg}")
        else:
            print("\n".join(_lines(played, viewer)))


def _game_of(file: str, number: int) -> Game:
    count = 0
    for count, played in enumerate(read_games(file), start=1):
        if count > number:
            return played
    if not count:
        raise MascaradeError(f"{file} contains no games: name a file of game records")
    raise MascaradeError(
        f"{file} has no game {number}: it contains {count} games, so --game must be 0..{count - 1}"
    )


def _write(file: str, page: str) -> None:
    with making(file) as beside:
        beside.write_text(page, "utf-8")


def _lines(played: Game, viewer: Perspective) -> list[str]:
    past = played.at_start()
    names = played.names or []
    lines = [f"player {player} is {printable(name)}" for player, name in enumerate(names)]
    lines += [_table(past, viewer), ""]
    turn = -1
    for _, action in [(None, None), *played.history]:
        if action is not None:
            past.play(action)
        for sentence in past.news(viewer):
            lines.append(f"  {sentence}")
        if past.turn != turn and not past.over:
            turn = past.turn
            coins = " ".join(map(str, past.coins))
            begin = lines.pop().strip()
            lines += [f"{begin}   [coins {coins}, tribunal {past.tribunal}]"]
    return [*lines, "", _table(past, viewer)]


def _table(past: Game, viewer: Perspective) -> str:
    return str(past) if viewer == "all" else table_text(scene(past, viewer))
