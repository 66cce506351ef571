"""`mascarade play`: a person plays against agents in the terminal."""

import math
from itertools import islice
from pathlib import Path

from mascarade_agents._agent import Agent
from mascarade_agents._play import Dialogue, Keeper, Series, Session, Terminal
from mascarade_agents._play.session import new_game, players_of, replace_agent
from mascarade_agents._registry import agent_names, check_stored, make_agent
from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._game import Game
from mascarade_env.game._record_files import read_games
from mascarade_env.game._rng import MAX_SEED
from mascarade_env.game._scenarios import Scenario, resolve

#: The agents that can give hints. By default, hints come from the first one that is installed.
_HINTERS = ("stopper", "statistician", "sceptic", "bluffer", "opportunist", "honest", "random")

#: The default agent of all other players, and the agent that replaces it in scenarios that it
#: cannot play.
_OPPONENT, _SECOND_OPPONENT = "released", "stopper"


def play(
    scenario: str = "6A",
    opponents: str | None = None,
    seat: int = 0,
    seed: int | None = None,
    name: str = "you",
    blind: bool = False,
    save: str | None = None,
    resume: str | None = None,
    undo: bool = False,
    hints: str | None = None,
    pause: float = 0.0,
) -> None:
    """Play against agents in the terminal.

    The screen shows only what you may know. After each game you can play another one.

    Example: mascarade play --scenario 6A --seed 7

    Example: mascarade play --scenario 4A --opponents stopper,bluffer,honest --blind

    Args:
        scenario: A name such as 6A (see `mascarade scenarios`), or a .json file with a scenario.
        opponents: Agents for the other seats, separated by commas, clockwise from your seat. If
            there are fewer agents than seats, the list is repeated. Default: released, a trained
            network; with --resume, the opponents in the file. If the file names Python files, or
            weights outside its folder, these are refused: name all opponents here instead.
        seat: Your seat; seat 0 begins.
        seed: Seed of the deal and of the agents' choices; each further game uses the next seed. A
            random seed by default.
        name: Your name in the record. The screen calls you "you".
        blind: Hide what you know of the masks until the game is over, so that you must remember it.
        save: A new file for the record, gzipped if its name ends in .gz. The files of further games
            have a number added to this name. Default: mascarade-<scenario>-<date>-<time>.jsonl in
            this folder.
        resume: Resume the unfinished game in this file. Scenario, seat, seed, name and blind come
            from the file. The record is updated in the same file unless --save is given.
        undo: Allow the command `undo`, which takes back your last decision.
        hints: The agent whose decision the command `hint` shows. Default: the strongest
            hand-written agent.
        pause: Seconds to wait between two decisions of other players.
    """
    if not 0 <= pause < math.inf:
        raise MascaradeError(f"--pause must be a number of seconds, 0 or more, not {pause}")
    terminal = Terminal()
    if resume is None:
        rules = resolve(scenario)
        if opponents is None:
            opponents, note = _default_opponent(rules)
            if note:
                terminal.say(note)
        game = _dealt(rules, opponents, seat, seed, name, blind=blind)
    else:
        if (scenario, seat, seed, name, blind) != ("6A", 0, None, "you", False):
            raise MascaradeError(
                "--resume takes scenario, seat, seed, name and blind from the file: leave out "
                "these options"
            )
        game = _unfinished(resume, opponents)
        rules = game.scenario
    hinter = make_agent(_default_hinter() if hints is None else hints, rules)
    players = players_of(game)
    agents = _agents(game)
    person = (game.names or [])[players.index(None)]
    series = Series(terminal)
    session = Session(game, agents, hinter)
    keeper = _first_keeper(save, resume, rules)
    while True:
        with keeper:
            keeper.save(game)
            Dialogue(session, terminal, keeper, undo=undo, pause=pause).run()
        if not series.wants_another(session):
            return
        following = None if seed is None else (seed + series.played) % (MAX_SEED + 1)
        game = new_game(rules, players, person, seed=following, blind=session.blind)
        session = Session(game, agents, hinter)
        keeper = Keeper.anywhere(rules.name) if save is None else Keeper.beside(Path(save))


def _default_opponent(scenario: Scenario) -> tuple[str, str]:
    """Return the default agent of the other players, and a note if it is not the usual one."""
    try:
        make_agent(_OPPONENT, scenario)
    except MascaradeError as error:
        return _SECOND_OPPONENT, (
            f"The trained network {_OPPONENT}, the usual opponent, cannot play here: {error}. The "
            f"agent {_SECOND_OPPONENT} plays instead."
        )
    return _OPPONENT, ""


def _dealt(
    scenario: Scenario, opponents: str, seat: int, seed: int | None, name: str, *, blind: bool
) -> Game:
    """Return a new game, in which `names` and `meta` name the person and the agents."""
    others = scenario.players - 1
    if not 0 <= whole(seat, "--seat") <= others:
        raise MascaradeError(f"--seat must be 0..{others} in {scenario.name}, not {seat}")
    if not name.strip():
        raise MascaradeError("--name is empty: give a name, or leave out the option")
    return new_game(scenario, _seated(opponents, scenario, seat), name, seed=seed, blind=blind)


def _seated(opponents: str, scenario: Scenario, seat: int) -> list[str | None]:
    """Return the name of each player's agent, and None for the person."""
    others = scenario.players - 1
    names = [word.strip() for word in opponents.split(",")]
    if not all(names):
        raise MascaradeError(f"--opponents must be names separated by commas, not {opponents!r}")
    if len(names) > others:
        raise MascaradeError(
            f"--opponents must have at most {others} names in {scenario.name}, not {len(names)}"
        )
    players: list[str | None] = [None] * scenario.players
    for place in range(others):
        players[(seat + 1 + place) % scenario.players] = names[place % len(names)]
    return players


def _unfinished(file: str, opponents: str | None) -> Game:
    """Return the game in a file. The opponents are `opponents`, or those in the file if None."""
    games = list(islice(read_games(file), 2))
    if len(games) != 1:
        count = "no game" if not games else "several games"
        raise MascaradeError(
            f"{file} holds {count}: name a file that `mascarade play` wrote, which holds one game"
        )
    game = games[0]
    if game.over:
        raise MascaradeError(f"the game in {file} is over; to see it, run: mascarade replay {file}")
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
    """Return the agent of each player, and None for the person.

    Players whose agents have the same name share one agent.
    """
    names = players_of(game)
    agents = {name: make_agent(name, game.scenario) for name in set(names) if name is not None}
    return [None if name is None else agents[name] for name in names]


def _first_keeper(save: str | None, resume: str | None, scenario: Scenario) -> Keeper:
    if save is not None:
        return Keeper(Path(save))
    if resume is not None:
        return Keeper(Path(resume), mine=True)
    return Keeper.anywhere(scenario.name)


def _default_hinter() -> str:
    installed = agent_names()
    return next(name for name in _HINTERS if name in installed)
