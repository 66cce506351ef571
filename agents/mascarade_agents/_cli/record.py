"""`mascarade record`: plays games and writes their records."""

import contextlib
import json as json_format
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Annotated

import tyro

from mascarade_agents._agent import Agent
from mascarade_agents._registry import make_agent
from mascarade_agents.arena import run
from mascarade_agents.arena._entrants import Factory, split_names
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.cli._interrupts import held_back
from mascarade_env.cli._outputs import writing
from mascarade_env.cli._progress import progress
from mascarade_env.exact._files import making
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import open_for_writing, record_line
from mascarade_env.game._rng import checked_seed
from mascarade_env.game._scenarios import Scenario, resolve

_MOST_GAMES = 10**9
_CHUNK = 500  # number of games of agents in memory before they are written


def record(
    agents: tuple[str, ...] = (),
    scenario: str = "6A",
    games: int = 1,
    seed: int | None = None,
    trace: bool = False,
    beliefs: bool = False,
    output: Annotated[str | None, tyro.conf.arg(aliases=["-o"])] = None,
    json: bool = False,
) -> None:
    """Play games at random or with agents, and write their records, one record in each line.

    Example: mascarade record --scenario 6A --games 1000 --seed 7 --trace -o games.jsonl.gz

    Example: mascarade record --agents honest,bluffer,stopper --games 1000 -o games.jsonl.gz

    Args:
        agents: Names of agents, as for `mascarade arena`; they share the seats equally. By default
            all decisions are random.
        scenario: A name such as 6A (see `mascarade scenarios`), or a .json file with a scenario.
        games: Number of games.
        seed: Seed of the first game; a random seed by default. With random decisions, game k has
            the seed SEED + k. With agents, the games are mixed tables of an arena with this seed.
        trace: Add the full state of the game at each step.
        beliefs: Add the neutral belief of every player at each step.
        output: The file to write, gzipped if its name ends in .gz. Standard output by default.
        json: Print how many games and decisions were written, as JSON; needs --output.
    """
    rules = resolve(scenario)
    if whole(games, "--games", at_least=0) > _MOST_GAMES:
        raise MascaradeError(f"--games must be at most {_MOST_GAMES}, not {games}")
    if json and output is None:
        raise MascaradeError(
            "--json reports what was written to a file: name the file with --output"
        )
    first = checked_seed(None) // 2 if seed is None else checked_seed(seed)
    checked_seed(first + max(games - 1, 0))
    names = split_names(agents)
    for name in names:
        make_agent(name, rules)
    with writing({"--output": output}, [*names, scenario]):
        _write(
            _by_agents(names, rules, games, first) if names else _at_random(rules, games, first),
            _Written(output, rules.name, first),
            games,
            trace=trace,
            beliefs=beliefs,
            json=json,
        )


def _write(
    all_games: Iterator[Game],
    written: "_Written",
    count: int,
    *,
    trace: bool,
    beliefs: bool,
    json: bool,
) -> None:
    """Write each game when it is finished. After an error or interrupt, these games are kept."""
    played = _started(all_games)  # before the file is opened, because that may empty it
    stopped: BaseException | None = None
    with _opened(written.output) as file:
        try:
            for _, game in zip(progress(range(count), "games"), played, strict=True):
                line = record_line(game, trace=trace, beliefs=beliefs).encode()
                with held_back():
                    file.write(line)
                    written.count(len(game.history))
        except OSError:
            raise  # the file cannot be written, so there is nothing to report
        except BaseException as error:
            if not written.games:
                raise
            stopped = error
    written.report(as_json=json)
    if stopped is not None:
        raise stopped


def _started(games: Iterator[Game]) -> Iterator[Game]:
    """Play the first game, and return an iterator over all games."""
    return chain(list(islice(games, 1)), games)


def _at_random(rules: Scenario, games: int, seed: int) -> Iterator[Game]:
    for number in range(games):
        game = Game(rules, seed=seed + number)
        game.play_randomly()
        yield game


def _by_agents(names: Sequence[str], rules: Scenario, games: int, seed: int) -> Iterator[Game]:
    """Yield games at mixed tables of an arena.

    Raises:
        MascaradeError: an agent fails in a game.
    """
    playing: list[str | tuple[str, Factory]] = list(names)
    if len(names) == 1:  # an arena needs two agents, so the agent plays under two names
        playing = [(f"{names[0]} {copy}", partial(_own_agent, names[0])) for copy in ("1", "2")]
    for first_game in range(0, games, _CHUNK):
        count = min(_CHUNK, games - first_game)
        outcome = run(
            playing, rules, games=count, seed=seed + first_game, tables="mixed", measured=count
        )
        for forfeit in outcome.forfeits:
            raise MascaradeError(f"agent {forfeit.agent!r} failed: {forfeit.reason}")
        yield from islice(outcome.games(), count)


def _own_agent(name: str, rules: Scenario, argument: str) -> Agent:
    """Return the agent with a name. `argument` comes from the name in the arena; it is not used."""
    return make_agent(name, rules)


@contextlib.contextmanager
def _opened(output: str | None) -> Iterator[IO[bytes]]:
    """Open the output file, or standard output.

    A new file is written directly, so it holds the finished games even if this process is killed.
    An existing file is replaced when all games are written.
    """
    if output is None:
        with _named("standard output"):
            yield sys.stdout.buffer
        return
    path = Path(output)
    older = path.is_file() and path.stat().st_size > 0
    with making(path) if older else contextlib.nullcontext(path) as place, _named(output):
        file = open_for_writing(place)
        try:
            yield file
        finally:
            with held_back():
                file.close()


@contextlib.contextmanager
def _named(output: str) -> Iterator[None]:
    """Raise an error that names the output if it cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise MascaradeError(f"cannot write {output}: {error.strerror}") from error


class _Written:
    """Counts of the games and decisions that were written to a file."""

    def __init__(self, output: str | None, scenario: str, seed: int) -> None:
        self.output = output
        self._scenario = scenario
        self._seed = seed
        self.games = 0
        self._decisions = 0

    def count(self, decisions: int) -> None:
        """Count one more game."""
        self.games += 1
        self._decisions += decisions

    def report(self, *, as_json: bool) -> None:
        """Print the counts, unless the games were written to standard output."""
        if self.output is None:
            return
        if as_json:
            figures = {
                "output": self.output,
                "scenario": self._scenario,
                "seed": self._seed,
                "games": self.games,
                "decisions": self._decisions,
            }
            print(json_format.dumps(figures))
            return
        games = "1 game" if self.games == 1 else f"{self.games} games"
        print(
            f"{games} of {self._scenario} ({self._decisions} decisions, seed {self._seed}) "
            f"in {self.output}"
        )
