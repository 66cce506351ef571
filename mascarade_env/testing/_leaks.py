"""Check that an encoder shows a player nothing that this player cannot know."""

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

_APART = 6  # decisions between two positions, on average; more and more later in a game
_MOST_POSITIONS = 60  # limit of positions of one game
_PASSED = 0.9  # probability of a pass, so that masks stay hidden until the end


@dataclass
class LeakReport:
    """The report of `check_no_leak`: counts of its checks.

    Attributes:
        scenario: name of the scenario.
        games: number of random games.
        positions: number of positions; the encoder was called there for every player.
        views: number of results of the encoder, one for each player and position.
        uncertain: number of views of players with more than one possible placement of the masks.
        worlds: number of compared games that the player cannot tell from the played one.
        elsewhere: number of these games in which the masks are placed differently.
        inexact: number of views that were not compared, because the player's belief is not exact.
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
    """Check that an encoder shows a player only what this player can know.

    The check plays random games. Claims are rare in them, so that masks stay hidden. At some
    positions, and at the end, it calls `observe(game, player)` for each player, and requires that

    - the result is exactly the same in other games that the player cannot tell from this one
      (`Game.sample_worlds`). In these games, masks are in other places, other players have seen
      other masks, and the seed and all later random numbers differ;
    - a second call returns the same, also after calls for other players, in the game and in a copy;
    - the call does not change the game.

    Results are compared bit by bit, dtypes included (`mascarade_env.testing.difference`).

    Example:
        >>> from mascarade_env import Game
        >>> from mascarade_env.testing import check_no_leak
        >>> report = check_no_leak(Game.information_state, "4A", games=1)
        >>> report.uncertain > 0
        True
        >>> check_no_leak(lambda game, player: game.masks, "4A", games=1)
        Traceback (most recent call last):
        mascarade_env.testing.ConformanceError: the result differs ...

    Args:
        observe: a function that returns an array, number, text, or nested containers of these. For
            a PettingZoo environment use `observer_of`.
        scenario: the scenario of the games.
        games: number of games.
        seed: seed of the first game.
        worlds: number of other games with which each view is compared.

    Returns:
        A report of what was checked. `uncertain` and `elsewhere` count the cases in which the check
        could have found a leak.

    Raises:
        ConformanceError: the encoder leaks hidden state, or the games had no hidden state to leak.
    """
    if not callable(observe):
        raise MascaradeError(
            f"observe must be a function that takes a game and a player, not {observe!r}; for a "
            "PettingZoo environment use observer_of(env)"
        )
    whole(games, "games", at_least=1)
    whole(worlds, "worlds", at_least=1)
    examiner = _Examiner(observe, resolve(scenario), worlds)
    for number in range(whole(seed, "seed", at_least=0), seed + games):
        examiner.play(number)
    examiner.conclude()
    return examiner.report


class _Examiner:
    """Plays games, and compares the results of the encoder.

    Args:
        observe: the encoder.
        scenario: the scenario of the games.
        worlds: number of other games with which each view is compared.
    """

    def __init__(self, observe: Observer, scenario: Scenario, worlds: int) -> None:
        self.report = LeakReport(scenario.name)
        self._observe = observe
        self._scenario = scenario
        self._worlds = worlds
        self._where = Where(scenario.name)
        self._anything = False  # whether any result was not None

    def play(self, seed: int) -> None:
        """Play one game, and check some positions of it."""
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
        """Raise an error if nothing could have leaked."""
        self._where.seed = self._where.step = None
        if not self._anything:
            raise self._where.error(
                "the observer always returns None", "Return what the player observes."
            )
        if self.report.elsewhere == 0:
            raise self._where.error(
                f"this check cannot find a leak: in all {self.report.worlds} compared games the "
                "masks are in the same places as in the played game",
                "Check more games, or use a scenario in which masks are swapped in secret.",
            )

    def _examine(self, game: Game, rng: np.random.Generator) -> None:
        """Compare the results for each player in games that the player cannot tell apart."""
        players = range(game.scenario.players)
        before = pickle.dumps(game)
        results = [self._result(game, player) for player in players]
        if pickle.dumps(game) != before:
            raise self._where.error(
                "the observer has changed the game", "Work on a clone: game.clone()."
            )
        for player in reversed(players):
            self._call_again(game, player, results[player])
        for player in players:
            self.report.views += 1
            try:
                others = game.sample_worlds(player, self._worlds, rng=rng)
            except MascaradeError:
                self.report.inexact += 1
                continue
            self.report.uncertain += len(game.worlds(player).weights) > 1
            for other in others:
                self._compare(game, other, player, results[player])
                self.report.worlds += 1
                self.report.elsewhere += other.masks != game.masks
        self._anything |= any(one is not None for one in results)

    def _call_again(self, game: Game, player: int, result: Any) -> None:
        for how, same_game in (("again", game), ("in a copy of the game", game.clone())):
            if differs := difference(result, self._result(same_game, player)):
                raise self._where.error(
                    f"the result differs when the observer is called {how}: {differs}",
                    "The result must depend only on the events that the player has seen. It must "
                    "not depend on earlier calls or random numbers.",
                    f"player_{player}",
                )

    def _compare(self, game: Game, other: Game, player: int, result: Any) -> None:
        if (differs := difference(result, self._result(other, player))) is None:
            return
        if other.history == game.history:
            raise self._where.error(
                f"the result depends on the seed or on later random numbers: {differs}",
                "Leave out the seed and all random numbers of the game.",
                f"player_{player}",
            )
        raise self._where.error(
            f"the result differs in a game that the player cannot tell from this one: {differs}",
            "Build it from Game.observation, Game.belief, Game.information_state or Game.news of "
            "this player.",
            f"player_{player}",
        )

    def _result(self, game: Game, player: int) -> Any:
        """Return a copy of the encoder's result for a player."""
        with self._where.running("the observer", f"player_{player}"):
            return copy.deepcopy(self._observe(game, player))


def _pick(game: Game, rng: np.random.Generator) -> str:
    """Sample a kind of action, and then an action of this kind.

    Claims are rare, because they reveal masks.
    """
    kinds: dict[str, list[str]] = {}
    for word in game.legal_actions():
        kinds.setdefault(word.split(":")[0], []).append(word)
    if "claim" in kinds and rng.random() < _PASSED:
        return "pass"
    words = kinds[list(kinds)[rng.integers(len(kinds))]]
    return words[rng.integers(len(words))]


def observer_of(env: AECEnv[str, Any, Any]) -> Observer:
    """Make an observer for `check_no_leak` from a PettingZoo environment of this game.

    The observer replays each game in the environment, with `reset(seed=...)` and `step`, and
    returns `observe(agent)` and `infos[agent]`. So the check covers wrappers too.

    The environment can deal a game only from a seed. So the played game and the games compared with
    it are replayed with one seed, that of their common deal. The check therefore cannot detect an
    environment that reveals its seed.

    Example:
        >>> from mascarade_env import mascarade_v0
        >>> from mascarade_env.testing import check_no_leak, observer_of
        >>> check_no_leak(observer_of(mascarade_v0.env("4A")), "4A", games=1).games
        1

    Args:
        env: the environment. Reset it after the check.
    """
    seeds: dict[tuple[str, ...], int] = {}  # a seed for each deal
    env_ids: dict[int, int] = {}  # the environment's id, maybe padded, of each action id

    def observe(game: Game, player: int) -> Any:
        deal = tuple(game.deal)
        seed = game.meta["seed"]
        if tuple(Game(game.scenario, seed=seed).deal) == deal:
            seeds[deal] = seed
        elif deal not in seeds:
            raise MascaradeError(
                f"no seed is known for the deal {', '.join(deal)}: first call the observer with a "
                "game that was dealt like this from a seed"
            )
        env.reset(seed=seeds[deal])
        agents = list(env.agents)
        width = int(env.action_space(agents[0]).n)
        if not env_ids:
            ids = Batch(game.scenario, 1, seed=0, track=None, padded=width != game.num_actions)
            env_ids.update({int(own): theirs for theirs, own in enumerate(ids.unpadded)})
        past = game.at_start()
        for _, word in game.history:
            env.step(env_ids[past.action_id(word)])
            past.play(word)
        return env.observe(agents[player]), dict(env.infos[agents[player]])

    return observe
