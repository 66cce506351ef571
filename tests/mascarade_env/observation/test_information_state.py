"""Information states: perfect recall, and equal only for games that a player cannot tell apart."""

import copy
import pickle
import random
from collections.abc import Hashable, Iterator

import numpy as np
import pytest

from mascarade_env import Game, MascaradeError, Scenario, scenarios
from mascarade_env._jit import SETTINGS
from mascarade_env.observation._information_states import FIELDS, LENGTH
from tests.mascarade_env.game.decks import Whim, random_scenario
from tests.mascarade_env.knowledge.test_no_leak import (
    Choose,
    Play,
    given_to,
    other_courses,
    played,
    replayed,
    restless,
    told_to,
)
from tests.messages import facts
from tests.tiers import sampled, slow_from

# Plain Python is about a hundred times slower than compiled code.
SLOWNESS = 20 if SETTINGS.DISABLE_JIT else 1

ROOM = 500  # events that these games do not reach


def tensor(game: Game, player: int) -> bytes:
    return game.information_state_tensor(player, ROOM).tobytes()


def family(scenario: Scenario, seed: int, most: int) -> Iterator[Play]:
    """Yield a game and similar games at several moments, with other public or hidden decisions."""
    chance = random.Random(seed)
    game = played(scenario, seed, most)
    yield game
    deal, words = game.game.deal, game.words
    for number in chance.sample(range(len(words)), min(6, len(words))):
        moment = replayed(scenario, deal, words[:number], seed)
        assert moment is not None
        yield moment
        for word in chance.sample(moment.game.legal_actions(), 1):
            other = replayed(scenario, deal, [*words[:number], word], seed)
            assert other is not None
            yield other
            other.play_on(Whim(chance).choose, number + 3)
            yield other
    for number in [k for k, word in enumerate(words) if word in {"swap", "keep"}][-6:]:
        flipped = "keep" if words[number] == "swap" else "swap"
        for end in (number + 1, len(words)):
            other = replayed(
                scenario, deal, [*words[:number], flipped, *words[number + 1 : end]], 5
            )
            if other is not None:
                yield other
    for viewer in chance.sample(range(scenario.players), 2):
        for words in other_courses(game, viewer, chance, 2):
            other = replayed(scenario, deal, words, seed)
            if other is not None:
                yield other
    elsewhere = [*deal[1:], deal[0]]
    if not scenario.fixed_deal:
        yield Play(scenario, elsewhere, seed)
    yield Play(scenario, deal, seed)


def compare_family(scenario: Scenario, seed: int) -> int:
    """Compare what a player saw in the naive games with the information states.

    Returns:
        The number of different states.
    """
    texts: dict[Hashable, set[Hashable]] = {}
    tensors: dict[Hashable, set[Hashable]] = {}
    histories: dict[Hashable, set[Hashable]] = {}
    for play in family(scenario, seed, 36):
        for player in range(scenario.players):
            told = (player, tuple(play.game.deal), told_to(play.naive, player))
            text = (player, play.game.information_state(player))
            numbers = (player, tensor(play.game, player))
            texts.setdefault(told, set()).add(text)
            tensors.setdefault(text, set()).add(numbers)
            histories.setdefault(numbers, set()).add(told)
    for names in (texts, tensors, histories):
        assert all(len(same) == 1 for same in names.values())
    assert len(texts) == len(tensors) == len(histories)
    return len(texts)


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_states_are_equal_exactly_if_a_player_cannot_tell_histories_apart(name: str) -> None:
    for seed in range(max(1, 3 // SLOWNESS)):
        assert compare_family(scenarios()[name], seed) >= 10 * scenarios()[name].players


def test_the_same_holds_in_random_decks() -> None:
    for seed in range(max(1, 30 // SLOWNESS)):
        compare_family(random_scenario(random.Random(seed)), seed)


def some_scenarios(count: int) -> list[Scenario]:
    """Return all named scenarios, and random ones."""
    named = list(scenarios().values())
    return [*named, *(random_scenario(random.Random(seed)) for seed in range(count))][
        :: min(SLOWNESS, 6)
    ]


@pytest.mark.parametrize("part", slow_from(1, range(2)))
def test_recall_is_perfect(part: int) -> None:
    for seed, scenario in enumerate(some_scenarios(20)[part::2]):
        play = played(scenario, seed, 40)
        game = Game(scenario, deal=play.game.deal)
        everyone = range(scenario.players)
        texts = [game.information_state(player) for player in everyone]
        tensors = [game.information_state_tensor(player, ROOM) for player in everyone]
        for word in play.words:
            decided = game.player
            game.play(word)
            for player in everyone:
                text = game.information_state(player)
                numbers = game.information_state_tensor(player, ROOM)
                assert text == texts[player] or text.startswith(texts[player] + "\n")
                before = int((tensors[player][:, 0] != 0).sum())
                assert (numbers[:before] == tensors[player][:before]).all()
                if player == decided:
                    assert text != texts[player]
                    assert (numbers != tensors[player]).any()
                texts[player], tensors[player] = text, numbers


def test_each_action_of_a_player_leads_to_another_state_at_once() -> None:
    for seed, scenario in enumerate(some_scenarios(20)):
        play = played(scenario, seed, 40)
        game = Game(scenario, deal=play.game.deal)
        for number, word in enumerate(play.words):
            player = game.player
            assert player is not None
            if number % 4 == seed % 4 or game.phase in {"table", "target", "declare"}:
                texts, tensors = set(), set()
                for other in game.legal_actions():
                    twin = game.clone()
                    twin.play(other)
                    texts.add(twin.information_state(player))
                    tensors.add(tensor(twin, player))
                assert len(texts) == len(tensors) == len(game.legal_actions())
            game.play(word)


def test_states_with_different_legal_actions_differ() -> None:
    for seed, scenario in enumerate(some_scenarios(10)):
        legal: dict[tuple[int, str], list[str]] = {}
        for play in family(scenario, seed, 30):
            player = play.game.player
            if player is not None:
                state = (player, play.game.information_state(player))
                found = play.game.legal_actions()
                assert legal.setdefault(state, found) == found


def test_the_tensor_is_of_fixed_length_and_ends_in_zeros() -> None:
    for seed, scenario in enumerate(some_scenarios(10)):
        game = played(scenario, seed, 60).game
        for player in range(scenario.players):
            numbers = game.information_state_tensor(player)
            assert numbers.shape == (LENGTH, len(FIELDS))
            assert numbers.dtype == np.int32
            told = len(game.log(player))
            assert (numbers[:told, 0] > 0).all()
            assert not numbers[told:].any()
            assert len(game.information_state(player).split("\n")) == told + 1
            shortest = game.information_state_tensor(player, told)
            assert shortest.tobytes() == numbers[:told].tobytes()
            with pytest.raises(MascaradeError, match=facts("events", told, "length", told - 1)):
                game.information_state_tensor(player, told - 1)


def states(game: Game) -> list[tuple[str, bytes]]:
    everyone = range(game.scenario.players)
    return [(game.information_state(player), tensor(game, player)) for player in everyone]


@pytest.mark.parametrize("part", slow_from(1, range(2)))
def test_states_depend_only_on_the_decisions(part: int) -> None:
    for seed, scenario in enumerate(some_scenarios(20)[part::2]):
        chance = random.Random(seed)
        game = played(scenario, seed, 50).game
        expected = states(game)
        assert states(Game.from_record(game.to_record())) == expected
        assert states(Game.from_record(game.to_record(trace=True))) == expected
        assert states(game.clone()) == expected
        assert states(copy.copy(game)) == expected
        assert states(copy.deepcopy(game)) == expected
        assert states(pickle.loads(pickle.dumps(game))) == expected
        words = [word for _, word in game.history]
        for asked in (False, True):  # with and without questions in between
            back = game.clone()
            steps = chance.randint(0, len(words))
            back.undo(steps)
            if asked:
                states(back)
            for word in words[len(words) - steps :]:
                back.play(word)
                if asked and chance.random() < 0.3:
                    back.observation(0)
            assert states(back) == expected


# Nothing is out of date


def compare_with_fresh(game: Game) -> None:
    """Compare all that viewers receive with a new game of the same decisions."""
    fresh = Game(game.scenario, deal=game.deal)
    for _, word in game.history:
        fresh.play(word)
    for viewer in range(game.scenario.players + 1):
        assert given_to(game, viewer) == given_to(fresh, viewer)


def ask(game: Game, chance: random.Random) -> None:
    """Ask a random question, which must not change the game."""
    before, taken = bytes(game._memory), list(game._taken)
    viewer = chance.randrange(game.scenario.players)
    match chance.randrange(7):
        case 0:
            game.belief(viewer)
        case 1:
            game.worlds("onlooker")
        case 2:
            game.observation(viewer, "belief", padded=game.scenario.slots == game.scenario.players)
        case 3:
            game.observation(viewer, "memory")
        case 4:
            game.information_state(viewer)
        case 5:
            for world in game.sample_worlds(viewer, 2, chance.randrange(99)):
                world.belief(viewer)
                world.play_randomly(1)
        case _:
            game.full_state(viewer)
    assert bytes(game._memory) == before
    assert game._taken == taken


def copied(game: Game, chance: random.Random) -> Game:
    """Return a copy of a game, made in a random way."""
    way = chance.randrange(3)
    if way == 0:
        return game.clone()
    return copy.deepcopy(game) if way == 1 else pickle.loads(pickle.dumps(game))


def meddle(games: list[Game], choose: Choose, chance: random.Random) -> None:
    """Do something random with one of several games."""
    game = chance.choice(games)
    made = game._decisions
    match chance.randrange(8):
        case 0 | 1:
            ask(game, chance)
        case 2:
            game.undo(chance.randint(0, min(made, 4)))
        case 3 if len(games) < 4:
            games.append(copied(game, chance))
        case 4:
            game.play_randomly(2)
        case 5:
            game.play_randomly(2, seed=chance.randrange(99))
        case _:
            if not game.over and made < 40:
                game.play(choose(game.legal_actions()))


@pytest.mark.parametrize("part", slow_from(1, range(4)))
def test_knowledge_is_never_stale(part: int) -> None:
    for seed in range(part, max(1, 100 // SLOWNESS), 4):
        chance = random.Random(seed)
        scenario = random_scenario(chance)
        if seed % 2:
            scenario = chance.choice(list(scenarios().values()))
        choose = Whim(chance).choose if chance.random() < 0.5 else restless(chance)
        games = [Game(scenario, seed=seed)]
        for _ in range(50):
            meddle(games, choose, chance)
            if chance.random() < 0.1:
                compare_with_fresh(chance.choice(games))
        for game in games:
            compare_with_fresh(game)


@pytest.mark.parametrize("part", slow_from(1, range(2)))
def test_decisions_in_a_clone_do_not_change_knowledge_in_the_original(part: int) -> None:
    for seed, scenario in enumerate(some_scenarios(20)[part::2]):
        chance = random.Random(seed)
        game = played(scenario, seed, 30).game
        everyone = range(scenario.players + 1)
        before = [given_to(game, viewer) for viewer in everyone]
        for _ in range(3):
            twin = game.clone()
            for _ in range(6):
                if not twin.over:
                    twin.play(chance.choice(twin.legal_actions()))
                    twin.belief("onlooker")
                    twin.observation(0)
            twin.clone().undo(1)
            assert [given_to(game, viewer) for viewer in everyone] == before
        compare_with_fresh(twin)
