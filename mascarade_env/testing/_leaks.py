"""Whether what an encoder shows a player depends on anything that the player cannot know."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from pettingzoo import AECEnv

from mascarade_env._errors import MascaradeError, whole
from mascarade_env.game._batch import Batch
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.testing._compare import difference
from mascarade_env.testing._errors import Where

Observer: TypeAlias = Callable[[Game, int], Any]

_APART = 6  # decisions between two positions, on average; later ever more
_MOST_POSITIONS = 60  # of one game
_PASSED = 0.9  # of announcements, so that doubts remain to the end


@dataclass
class LeakReport:
    """What `check_no_leak` has checked.

    Attributes:
        scenario: its name.
        games: played at random.
        positions: at which the encoder was called for every player.
        views: results of the encoder: one a player and position.
        uncertain: views of players to whom more than one placement of the masks was possible.
        worlds: games compared that the player cannot tell from the one played.
        elsewhere: those of them in which the masks lie otherwise.
        inexact: views left out, as the player's worlds had become too many to keep.
    """

    scenario: str
    games: int = 0
    positions: int = 0
    views: int = 0
    uncertain: int = 0
    worlds: int = 0
    elsewhere: int = 0
    inexact: int = 0


def check_no_leak(
    observe: Observer,
    scenario: str | Scenario = "6A",
    *,
    games: int = 3,
    seed: int = 0,
    worlds: int = 4,
) -> LeakReport:
    """Check that an encoder shows a player only what that player may know.

    Random games are played, with few claims, so that doubts remain. At positions of them, the end
    included, `observe(game, player)` is called for each player. It is checked that

    - in other games that the player cannot tell from this one (`Game.sample_worlds`) the
      result is exactly the same. In these the masks lie elsewhere, others have seen other masks,
      and the seed and all random numbers ahead are others;
    - a second call returns the same, also after calls for others, in the game and in a copy;
    - the game is not changed by it.

    Results are compared bit by bit, dtypes included (`mascarade_env.testing.difference`).

    Example:
        >>> from mascarade_env import Game
        >>> from mascarade_env.testing import check_no_leak
        >>> report = check_no_leak(Game.information_state, "4A", games=1)
        >>> report.uncertain > 0
        True
        >>> check_no_leak(lambda game, player: game.masks, "4A", games=1)
        Traceback (most recent call last):
        mascarade_env.testing.ConformanceError: what is told differs ...

    Args:
        observe: gives an array, number, text, or containers of these, nested at will. For a
            PettingZoo environment see `observer_of`.
        scenario: of the games.
        games: how many.
        seed: of the first game.
        worlds: how many other games each view is compared in.

    Returns:
        What was checked. `uncertain` and `elsewhere` say how much there was to leak.

    Raises:
        ConformanceError: something leaks, or no player ever was in doubt, so that nothing could.
    """
    if not callable(observe):
        raise MascaradeError(f"observe is a function of a game and a player, not {observe!r}")
    whole(games, "games", at_least=1)
    whole(worlds, "worlds", at_least=1)
    examiner = _Examiner(observe, resolve(scenario), worlds)
    for number in range(whole(seed, "seed", at_least=0), seed + games):
        examiner.play(number)
    examiner.conclude()
    return examiner.report


class _Examiner:
    """Plays games, and compares what players are shown.

    Args:
        observe: what is checked.
        scenario: of the games.
        worlds: how many other games each view is compared in.
    """

    def __init__(self, observe: Observer, scenario: Scenario, worlds: int) -> None:
        self.report = LeakReport(scenario.name)
        self._observe = observe
        self._scenario = scenario
        self._worlds = worlds
        self._where = Where(scenario.name)
        self._anything = False  # whether any player was told anything

    def play(self, seed: int) -> None:
        """Play one game, and look at some positions of it."""
        rng = np.random.default_rng(seed)
        game = Game(self._scenario, seed=seed)
        self._where.seed = seed
        for looked in range(_MOST_POSITIONS):
            self._where.step = len(game.history)
            self._examine(game, rng)
            self.report.positions += 1
            if game.over:
                break
            for _ in range(int(rng.integers(1, 2 * _APART + looked))):
                if not game.over:
                    game.play(_pick(game, rng))
        self.report.games += 1

    def conclude(self) -> None:
        """Raise if there was nothing to leak."""
        self._where.seed = self._where.step = None
        if not self._anything:
            raise self._where.error("nobody was told anything", "Return what the player is told.")
        if self.report.elsewhere == 0:
            raise self._where.error(
                "nothing was checked: in no other game did the masks lie elsewhere",
                "Check more games, or a scenario in which masks are taken under the table.",
            )

    def _examine(self, game: Game, rng: np.random.Generator) -> None:
        """Compare what all players are shown at a position."""
        players = range(game.scenario.players)
        before = pickle.dumps(game)
        told = [self._shown_to(game, player) for player in players]
        if pickle.dumps(game) != before:
            raise self._where.error(
                "observing has changed the game", "Work on a clone: game.clone()."
            )
        for player in reversed(players):
            self._ask_again(game, player, told[player])
        for player in players:
            self.report.views += 1
            try:
                others = game.sample_worlds(player, self._worlds, rng=rng)
            except MascaradeError:
                self.report.inexact += 1
                continue
            self.report.uncertain += len(game.worlds(player).weights) > 1
            for other in others:
                self._compare(game, other, player, told[player])
                self.report.worlds += 1
                self.report.elsewhere += other.masks != game.masks
        self._anything |= any(one is not None for one in told)

    def _ask_again(self, game: Game, player: int, told: Any) -> None:
        for how, asked in (("again", game), ("in a copy of the game", game.clone())):
            if differs := difference(told, self._shown_to(asked, player)):
                raise self._where.error(
                    f"asked {how}, what is told differs: {differs}",
                    "What is told follows from what the player has seen, not from who asked "
                    "before, nor from chance.",
                    f"player_{player}",
                )

    def _compare(self, game: Game, other: Game, player: int, told: Any) -> None:
        if (differs := difference(told, self._shown_to(other, player))) is None:
            return
        if other.history == game.history:
            raise self._where.error(
                f"what is told depends on the seed or on random numbers ahead: {differs}",
                "Leave out the seed, and whatever random numbers are drawn from the game.",
                f"player_{player}",
            )
        raise self._where.error(
            f"what is told differs in a game that the player cannot tell from this one: {differs}",
            "Build it from Game.observation, Game.belief, Game.information_state or Game.news of "
            "that player.",
            f"player_{player}",
        )

    def _shown_to(self, game: Game, player: int) -> Any:
        """Return a copy of what a player is shown."""
        with self._where.running("the observer", f"player_{player}"):
            return copy.deepcopy(self._observe(game, player))


def _pick(game: Game, rng: np.random.Generator) -> str:
    """Sample an action of a sampled kind; claims are rare, because they reveal much."""
    kinds: dict[str, list[str]] = {}
    for word in game.legal_actions():
        kinds.setdefault(word.split(":")[0], []).append(word)
    if "claim" in kinds and rng.random() < _PASSED:
        return "pass"
    among = kinds[list(kinds)[rng.integers(len(kinds))]]
    return among[rng.integers(len(among))]


def observer_of(env: AECEnv[str, Any, Any]) -> Observer:
    """Make an observer for `check_no_leak` of a PettingZoo environment of this game.

    Each game is played again in the environment, by `reset(seed=...)` and `step`; the result is
    `observe(agent)` and `infos[agent]`. So whatever wrappers add is checked as well.

    Other games than the one played are dealt by another seed there, since it is the seed that
    determines the deal, and a player knows the deal: what the environment reveals about its seed
    goes unnoticed.

    Example:
        >>> from mascarade_env import mascarade_v0
        >>> from mascarade_env.testing import check_no_leak, observer_of
        >>> check_no_leak(observer_of(mascarade_v0.env("4A")), "4A", games=1).games
        1

    Args:
        env: the environment; it is used up.
    """
    seeds: dict[tuple[str, ...], int] = {}  # that give a deal
    outside: dict[int, int] = {}  # padded ids

    def observe(game: Game, player: int) -> Any:
        deal = tuple(game.deal)
        seed = game.meta["seed"]
        if tuple(Game(game.scenario, seed=seed).deal) == deal:
            seeds[deal] = seed
        elif deal not in seeds:
            raise MascaradeError(
                "this deal came from no seed so far: ask first about a game that a seed deals"
            )
        env.reset(seed=seeds[deal])
        agents = list(env.agents)
        width = int(env.action_space(agents[0]).n)
        if not outside:
            ids = Batch(game.scenario, 1, seed=0, track=None, padded=width != game.num_actions)
            outside.update({int(own): theirs for theirs, own in enumerate(ids.unpadded)})
        past = game.at_start()
        for _, word in game.history:
            env.step(outside[past.action_id(word)])
            past.play(word)
        return env.observe(agents[player]), dict(env.infos[agents[player]])

    return observe
