from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import BaseWrapper

from mascarade_env import Game, MascaradeError, Scenario, mascarade_v0
from mascarade_env.testing import ConformanceError, check_no_leak, observer_of
from tests.messages import facts
from tests.tiers import slow_from

DUEL = Scenario("duel", players=2, masks=("king", "thief", "judge"), strict=False, turn_limit=12)


def everything(game: Game, player: int) -> Any:
    return {
        "memory": game.observation(player, "memory", padded=True),
        "belief": [game.belief(player), game.belief("onlooker")],
        "text": (game.information_state(player), *game.news(player)),
        "table": (game.coins, game.phase, game.player, game.history[:0]),
        "legal": game.legal_mask(),
    }


@pytest.mark.parametrize("scenario", slow_from(2, ["4A", DUEL, "6A", "8B"]))
def test_what_the_game_tells_players_leaks_nothing(scenario: Any) -> None:
    report = check_no_leak(everything, scenario, games=1)
    assert report.games == 1
    assert report.views > report.uncertain > 0
    assert report.worlds > report.elsewhere > 0
    assert report.inexact == 0


@pytest.mark.parametrize(
    "observe", [Game.observation, Game.belief, Game.information_state, Game.log]
)
def test_methods_of_a_game_are_observers(observe: Any) -> None:
    assert check_no_leak(observe, "4B", games=1).elsewhere > 0


@pytest.mark.parametrize("options", [{}, {"padded": True}])
def test_environments_leak_nothing(options: Any) -> None:
    observe = observer_of(mascarade_v0.env("4A", **options))
    assert check_no_leak(observe, "4A", games=1, worlds=2).elsewhere > 0


class Whispers(BaseWrapper[Any, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """Shows in the info whether the Patron is in the first slot."""

    @property
    def infos(self) -> Any:
        patron = self.unwrapped.game.masks[0] == "patron"
        return {agent: {**info, "patron": patron} for agent, info in self.env.infos.items()}

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.env.reset(seed=seed)


def test_a_wrapper_that_whispers_is_found() -> None:
    with pytest.raises(ConformanceError, match=facts("[1]['patron']", True, False)):
        check_no_leak(observer_of(Whispers(mascarade_v0.raw_env("4A"))), "4A", games=2)


class Remembers:
    """An observer whose result depends on its last call."""

    def __init__(self) -> None:
        self.last = np.zeros(1)

    def __call__(self, game: Game, player: int) -> Any:
        belief = game.belief(player)
        mixed, self.last = belief + self.last.sum(), belief
        return mixed


def own_mask(game: Game, player: int) -> str:
    return game.masks[game.player_at.index(player)]


def neighbours_belief(game: Game, player: int) -> Any:
    return game.belief((player + 1) % game.scenario.players)


def length_of_all_histories(game: Game, player: int) -> int:
    """Depends on the events that others have seen, although not on the places of masks."""
    return sum(len(game.information_state(p)) for p in range(game.scenario.players))


def last_swap(game: Game, player: int) -> bool:
    return any(word == "swap" and who != player for who, word in game.history)


def at_the_end_all(game: Game, player: int) -> Any:
    return game.masks if game.over else None


def next_random_number(game: Game, player: int) -> Any:
    twin = game.clone()
    twin.play_randomly(1)
    return twin.history[-1] if not game.over else None


@pytest.mark.parametrize(
    ("observe", "words"),
    [
        (own_mask, ("differs", "player", "Game.news")),
        (lambda game, player: {"a": [game.full_state(player)]}, ("['a'][0][", "Game.news")),
        (neighbours_belief, ("differs", "player", "Game.news")),
        (length_of_all_histories, ("differs", "player", "Game.news")),
        (last_swap, ("differs", "player", "Game.news")),
        (at_the_end_all, ("differs", "player", "Game.news")),
        (lambda game, player: game.meta["seed"], ("seed", "later random numbers")),
        (next_random_number, ("seed", "later random numbers")),
        (Remembers(), ("called again", "differs")),
        (lambda game, player: np.random.default_rng().random(), ("called again", "differs")),
        (lambda game, player: game.over or game.play_randomly(1), ("changed", "game.clone()")),
        (lambda game, player: 1 / 0, ("observer", "ZeroDivisionError")),
    ],
)
def test_leaks_are_found(observe: Any, words: tuple[str, ...]) -> None:
    with pytest.raises(ConformanceError, match=facts(*words)):
        check_no_leak(observe, "6A", games=3)


def test_a_leak_is_reported_with_its_place() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_no_leak(own_mask, "6A", seed=4)
    assert caught.value.scenario == "6A"
    assert caught.value.seed == 4
    assert caught.value.player is not None


def test_games_without_hidden_state_are_refused() -> None:
    alone = Scenario("alone", 2, ("king", "judge"), strict=False, opening_turns=0, turn_limit=1)
    with pytest.raises(ConformanceError, match=facts("cannot find a leak", "scenario", "masks")):
        check_no_leak(Game.observation, alone, games=1)


def test_results_must_be_comparable() -> None:
    with pytest.raises(MascaradeError, match=facts("compared", "object", "arrays")):
        check_no_leak(lambda game, player: object(), "4A", games=1)


def test_an_observer_that_forgets_to_return_is_found() -> None:
    with pytest.raises(ConformanceError, match=facts("None", "Return")):
        check_no_leak(lambda game, player: None, "4A", games=1)
    with pytest.raises(MascaradeError, match=facts("observe", "function", "game", "player", 3)):
        check_no_leak(3, "4A")  # type: ignore[arg-type]
