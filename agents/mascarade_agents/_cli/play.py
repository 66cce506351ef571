"""`mascarade play`: a person plays against agents, in the terminal."""

import math
from itertools import islice
from pathlib import Path

from mascarade_agents._agent import Agent
from mascarade_agents._play import Dialogue, Keeper, Session, Terminal
from mascarade_agents._play.session import new_game, players_of, replace_agent
from mascarade_agents._registry import agent_names, check_stored, make_agent
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import read_games
from mascarade_env.game._scenarios import Scenario, resolve

#: Whom to ask for hints, the first of them that is installed.
_HINTERS = ("stopper", "statistician", "sceptic", "bluffer", "opportunist", "honest", "random")

#: Who holds the other seats of a new game.
_OPPONENT = "random"


def play(
    scenario: str = "6A",
    opponents: str | None = None,
    seat: int = 0,
    seed: int | None = None,
    name: str = "you",
    save: str | None = None,
    resume: str | None = None,
    undo: bool = False,
    hints: str | None = None,
    pause: float = 0.0,
) -> None:
    """Play against agents. You are shown only what you may know.

    Example: mascarade play --scenario 6A --opponents random,random --seat 0 --seed 7

    Args:
        scenario: A name such as 6A (see `mascarade scenarios`), or a .json file with a scenario.
        opponents: Agents for the other seats, clockwise from yours, with commas between; fewer
            are repeated in turn. Default: random; with --resume, those in the file. A file cannot
            name Python files, or weights outside its folder: name all opponents here instead.
        seat: Where you sit; seat 0 begins.
        seed: Determines the deal and the agents' choices. A random seed by default.
        name: What the record calls you.
        save: The file to keep the record in, a new one; gzipped if its name ends in .gz. By
            default mascarade-<scenario>-<date>-<time>.jsonl in this folder.
        resume: Resume the unfinished game in this file; scenario, seat, seed and name are those of
            the file, and the record is kept there unless --save is given.
        undo: Let decisions be taken back.
        hints: The agent that the command `hint` asks; by default the strongest of those that are
            installed and do not search.
        pause: Seconds between the decisions of the others.
    """
    if not 0 <= pause < math.inf:
        raise MascaradeError(f"--pause is a number of seconds, 0 or more, not {pause}")
    if resume is None:
        game = _dealt(resolve(scenario), opponents or _OPPONENT, seat, seed, name)
    else:
        if (scenario, seat, seed, name) != ("6A", 0, None, "you"):
            raise MascaradeError(
                "--resume takes scenario, seat, seed and name from the file: leave them out"
            )
        game = _unfinished(resume, opponents)
    hinter = make_agent(_default_hinter() if hints is None else hints, game.scenario)
    session = Session(game, _agents(game), hinter)
    with _keeper(save, resume, game.scenario) as keeper:
        keeper.save(game)
        Dialogue(session, Terminal(), keeper, undo=undo, pause=pause).run()


def _dealt(scenario: Scenario, opponents: str, seat: int, seed: int | None, name: str) -> Game:
    """A new game whose names and meta say who plays."""
    others = scenario.players - 1
    if not 0 <= whole(seat, "--seat") <= others:
        raise MascaradeError(f"--seat is 0..{others} in {scenario.name}, not {seat}")
    if not name.strip():
        raise MascaradeError("--name is empty: give a name, or leave it out")
    return new_game(scenario, _seated(opponents, scenario, seat), name, seed=seed)


def _seated(opponents: str, scenario: Scenario, seat: int) -> list[str | None]:
    """The name of each player's agent, None for the person."""
    others = scenario.players - 1
    names = [word.strip() for word in opponents.split(",")]
    if not all(names):
        raise MascaradeError(f"--opponents are names with commas between, not {opponents!r}")
    if len(names) > others:
        raise MascaradeError(
            f"--opponents are {others} at most in {scenario.name}, not {len(names)}"
        )
    players: list[str | None] = [None] * scenario.players
    for place in range(others):
        players[(seat + 1 + place) % scenario.players] = names[place % len(names)]
    return players


def _unfinished(file: str, opponents: str | None) -> Game:
    """The game in a file, with the opponents that are typed, or else those that it names."""
    games = list(islice(read_games(file), 2))
    if len(games) != 1:
        count = "no game" if not games else "several games"
        raise MascaradeError(f"{file} holds {count}: only a file of one can be resumed")
    game = games[0]
    if game.over:
        raise MascaradeError(f"the game in {file} is over; see it again by mascarade replay {file}")
    stored = players_of(game)
    if opponents is None:
        for name in filter(None, stored):
            check_stored(name, file, "--opponents")
        return game
    for player, typed in enumerate(_seated(opponents, game.scenario, stored.index(None))):
        if typed is not None and typed != stored[player]:
            replace_agent(game, player, typed)
    return game


def _agents(game: Game) -> list[Agent | None]:
    """The agents of a game's players, None for the person; one agent for all of one name."""
    names = players_of(game)
    agents = {name: make_agent(name, game.scenario) for name in set(names) if name is not None}
    return [None if name is None else agents[name] for name in names]


def _keeper(save: str | None, resume: str | None, scenario: Scenario) -> Keeper:
    if save is not None:
        return Keeper(Path(save))
    if resume is not None:
        return Keeper(Path(resume), mine=True)
    return Keeper.anywhere(scenario.name)


def _default_hinter() -> str:
    known = agent_names()
    return next(name for name in _HINTERS if name in known)
