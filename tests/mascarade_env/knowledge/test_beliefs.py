"""Beliefs against an enumeration of all hidden swaps, sampled games, and thinned beliefs."""

import pickle
import random
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Literal, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mascarade_env import (
    MASKS,
    Batch,
    Game,
    InexactBeliefWarning,
    MascaradeError,
    Scenario,
    scenarios,
)
from mascarade_env._jit import SETTINGS
from mascarade_env.knowledge import _world_memory as world_memory
from tests.mascarade_env.game.decks import Whim, random_scenario
from tests.mascarade_env.game.naive import NaiveGame
from tests.mascarade_env.game.tables import PRINTED, announce, play, table
from tests.mascarade_env.knowledge.brute_force import (
    MOST_STRINGS,
    NUMBERS,
    BruteForce,
    Strings,
    codes,
)
from tests.messages import facts
from tests.tiers import sampled, slow_from

Viewer: TypeAlias = int | Literal["onlooker"]
Policy: TypeAlias = Callable[[list[str]], str]

# Batches store beliefs in single precision.
SINGLE = 1e-6
# Plain Python is about a hundred times slower than compiled code.
SLOWNESS = 24 if SETTINGS.DISABLE_JIT else 1


def viewers(scenario: Scenario) -> list[Viewer]:
    """Return all players, and last the onlooker."""
    return [*range(scenario.players), "onlooker"]


def by_weight(weights: dict[str, float], chance: random.Random) -> Policy:
    """Return a policy that samples actions by the weights of their verbs, 1 by default."""

    def choose(legal: list[str]) -> str:
        drawn = [weights.get(word.partition(":")[0], 1.0) for word in legal]
        return chance.choices(legal, drawn)[0]

    return choose


def uniform(chance: random.Random) -> Policy:
    return by_weight({}, chance)


def swapper(chance: random.Random) -> Policy:
    """Return a policy with many takes and few challenges, so that few masks are shown."""
    return by_weight({"take": 3.0, "look": 0.5, "announce": 1.0, "claim": 0.04}, chance)


def whim(chance: random.Random) -> Policy:
    return Whim(chance).choose


POLICIES = {"uniform": uniform, "swapper": swapper, "whim": whim}


def research(players: int, *masks: str, **more: Any) -> Scenario:
    return Scenario(
        name="small", players=players, masks=masks, **{"strict": False, "opening_turns": 1, **more}
    )


SMALL = {
    "two players": research(2, "judge", "spy"),
    "two players and a centre": research(2, "king", "princess", "spy", "judge"),
    "two players, Peasants": research(2, "peasant", "peasant", "guru", "princess"),
    "three players": research(3, "spy", "fool", "princess"),
    "three players and a centre": research(3, "spy", "fool", "guru", "judge"),
    "three players who move": research(3, "puppet_master", "spy", "princess", "witch"),
}


class Trial:
    """One game in all implementations, compared at every decision."""

    def __init__(self, batch: Batch, seed: int, *, merged: bool = False) -> None:
        self.scenario = batch.scenario
        self.batch = batch
        batch.reset(seed=[seed])
        self.game = Game(self.scenario, seed=seed)
        self.naive = NaiveGame(self.scenario.to_dict(), self.game.deal)
        self.oracle = BruteForce(self.naive, merged=merged)
        self.compared: Counter[int] = Counter()  # by number of decisions that a viewer did not see
        self._wanted: dict[int, tuple[NDArray[Any], ...]] = {}
        self._versions = [-1] * (self.scenario.players + 1)

    def run(self, policy: Policy, most: int) -> None:
        self.compare()
        while not self.game.over and most:
            word = policy(self.game.legal_actions())
            self.batch.step([self.game.action_id(word)])
            self.game.play(word)
            self.naive.play(word)
            self.oracle.follow()
            self.compare()
            most -= 1

    def compare(self) -> None:
        for number, viewer in enumerate(viewers(self.scenario)):
            strings = self.oracle.viewers[number]
            if strings is None:
                continue
            if self._versions[number] != self.oracle.version[number]:
                self._versions[number] = self.oracle.version[number]
                self._wanted[number] = (strings.belief(self.scenario.kinds), *strings.worlds())
            belief, placements, weights = self._wanted[number]
            found = self.game.worlds(viewer)
            numbered = codes(found.placements)
            order = np.argsort(numbered)
            assert found.exact
            assert np.array_equal(numbered[order], placements)
            assert abs(found.weights[order] - weights).max() <= 1e-12
            assert abs(self.game.belief(viewer) - belief).max() <= 1e-12
            assert abs(self.batch.belief(viewer)[0] - belief).max() <= SINGLE
            assert self.batch.exact[0, number]
            self.compared[strings.unseen] += 1


def one_game_batch(scenario: Scenario) -> Batch:
    return Batch(
        scenario, 1, seed=[0], autoreset="disabled", track="belief", most_worlds=MOST_STRINGS
    )


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_beliefs_are_those_of_brute_force(name: str) -> None:
    batch = one_game_batch(scenarios()[name])
    compared: Counter[int] = Counter()
    for number, policy in enumerate(POLICIES.values()):
        for seed in range(1 if SLOWNESS > 1 else 3):
            trial = Trial(batch, 10 * seed + number)
            trial.run(policy(random.Random(seed)), most=150)
            compared += trial.compared
    unsure = sum(count for unseen, count in compared.items() if unseen >= 7)
    assert unsure > 100 or name not in PRINTED


def test_beliefs_are_those_of_brute_force_with_random_decks() -> None:
    kinds: Counter[str] = Counter()
    masks: set[str] = set()
    for seed in range(80 // SLOWNESS):
        chance = random.Random(seed)
        scenario = random_scenario(chance)
        trial = Trial(one_game_batch(scenario), seed)
        trial.run(chance.choice(list(POLICIES.values()))(chance), most=120)
        kinds += trial.oracle.kinds
        masks |= set(scenario.masks)
    assert len(masks) == 16 or SLOWNESS > 1
    # The games together contain every kind of hidden event.
    hidden = {"take under the table", "fool under the table", "spy under the table"}
    seen = {"look shows", "challenge shows", "spy shows", "guru shows", "princess shows"}
    assert set(kinds) == hidden | seen or SLOWNESS > 1


@pytest.mark.parametrize("policy", slow_from(1, POLICIES))
@pytest.mark.parametrize("name", SMALL)
def test_beliefs_are_those_of_brute_force_in_small_games(name: str, policy: str) -> None:
    batch = one_game_batch(SMALL[name])
    for seed in range(max(1, 12 // SLOWNESS)):
        Trial(batch, seed).run(POLICIES[policy](random.Random(seed)), most=100)


@pytest.mark.parametrize("policy", POLICIES)
def test_beliefs_stay_right_in_long_games(policy: str) -> None:
    scenario = Scenario(
        name="long", players=4, masks=("judge", "princess", "widow", "beggar", "spy", "fool"),
        goal_coins=900, start_coins=400, strict=False, turn_limit=400 // SLOWNESS,
    )  # fmt: skip
    trial = Trial(one_game_batch(scenario), 1, merged=True)
    trial.run(POLICIES[policy](random.Random(1)), most=1500)
    assert trial.game.turn > 100 // SLOWNESS


# By hand


def chances(game: Game, viewer: Viewer, slot: int) -> dict[str, float]:
    """Return the belief of a viewer about one slot: the possible masks with probabilities."""
    row = game.belief(viewer)[slot]
    return {mask: float(p) for mask, p in zip(game.scenario.kinds, row, strict=True) if p}


def all_worlds(game: Game) -> list[dict[tuple[int, ...], float]]:
    found = [game.worlds(viewer) for viewer in viewers(game.scenario)]
    return [
        dict(zip(map(tuple, w.placements.tolist()), w.weights.tolist(), strict=True)) for w in found
    ]


def test_beliefs_do_not_change_before_masks_are_put_back() -> None:
    game = play(table("judge", "king", "witch"), "take:1", "keep")
    before = all_worlds(game)
    assert [len(worlds) for worlds in before] == [1, 2, 2, 2]
    play(game, "take:2")
    assert game.phase == "table"
    assert all_worlds(game) == before
    play(game, "swap")
    assert [len(worlds) for worlds in all_worlds(game)] == [2, 2, 4, 4]


def test_only_the_player_who_held_the_masks_knows() -> None:
    game = play(table("judge", "king", "witch"), "take:1", "swap")
    for viewer in (1, 2, "onlooker"):
        assert chances(game, viewer, 0) == {"judge": 0.5, "king": 0.5}
        assert chances(game, viewer, 2) == {"witch": 1.0}
    assert chances(game, 0, 0) == {"king": 1.0}
    assert chances(game, 0, 1) == {"judge": 1.0}


def test_the_spy_knows_both_masks_before_they_are_put_back() -> None:
    game = play(table("judge", "king", "spy"), "take:1", "swap")
    announce(game, "spy")
    before = all_worlds(game)
    play(game, "target:0")
    assert game.phase == "table"
    assert chances(game, 1, 0) == {"king": 1.0}
    assert chances(game, 1, 1) == {"judge": 1.0}
    after = all_worlds(game)
    assert after[0] == before[0]
    assert after[2:] == before[2:]
    play(game, "keep")
    assert chances(game, 1, 0) == {"king": 1.0}
    assert chances(game, 0, 0) == {"king": 0.5, "judge": 0.5}
    assert chances(game, "onlooker", 0) == {"king": 0.5, "judge": 0.5}


def test_who_shows_a_mask_for_the_princess_and_the_onlooker_do_not_see_it() -> None:
    game = play(table("princess", "king", "spy", "judge"), "take:3", "swap", "take:3", "keep")
    announce(game, "princess")
    play(game, "target:0")
    # Seat 0 shows the judge. Only player 1 knows what was put back after that.
    assert chances(game, 0, 0) == {"judge": 1.0}
    assert chances(game, 0, 3) == {"princess": 0.5, "king": 0.5}
    assert chances(game, 1, 0) == {"judge": 1.0}
    assert chances(game, 1, 3) == {"princess": 1.0}
    assert chances(game, 2, 0) == {"judge": 1.0}
    assert chances(game, 2, 3) == {"princess": 0.5, "king": 0.5}
    assert chances(game, "onlooker", 0) == {"judge": 0.5, "princess": 0.5}
    assert chances(game, "onlooker", 3) == {"king": 0.5, "princess": 0.25, "judge": 0.25}


def test_who_shows_a_mask_for_the_princess_may_not_know_it() -> None:
    game = play(table("princess", "king", "judge"), "take:1", "swap")
    announce(game, "princess")
    announced_by = 1
    play(game, "target:2")
    assert chances(game, announced_by, 0) == {"princess": 0.5, "king": 0.5}
    play(game, "take:0", "swap", "look")
    announce(game, "princess")
    play(game, "target:2")
    assert chances(game, 0, 2) == {"king": 1.0}
    assert chances(game, 1, 2) == {"king": 1.0}
    assert chances(game, 2, 2) == {"king": 0.5, "princess": 0.5}
    assert len(game.worlds("onlooker").weights) == 4


def test_a_sight_changes_the_belief_about_earlier_swaps() -> None:
    # By a look player 1 learns whether player 0 has swapped, and so where both masks are.
    game = play(table("judge", "king", "witch"), "take:1", "swap", "look")
    assert chances(game, 1, 1) == {"judge": 1.0}
    assert chances(game, 1, 0) == {"king": 1.0}
    assert chances(game, 2, 1) == {"judge": 0.5, "king": 0.5}


def test_two_peasants_are_one_placement() -> None:
    game = play(table("peasant", "peasant", "king"), "take:1", "swap")
    assert len(game.worlds(1).weights) == 1
    assert game.belief(2).sum(0).tolist() == [1.0, 2.0]


# Properties of all beliefs


@settings(max_examples=max(2, 40 // SLOWNESS), deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from(list(POLICIES)))
def test_beliefs_are_probabilities_and_agree_with_the_truth(seed: int, policy: str) -> None:
    chance = random.Random(seed)
    scenario = random_scenario(chance)
    game = Game(scenario, seed=seed)
    choose = POLICIES[policy](chance)
    cards = [scenario.masks.count(kind) for kind in scenario.kinds]
    for _ in range(10):
        truth = codes(np.array([[NUMBERS[mask] for mask in game.masks]]))
        found = {viewer: game.worlds(viewer) for viewer in viewers(scenario)}
        possible = codes(found["onlooker"].placements)
        for viewer, worlds in found.items():
            assert worlds.exact == game.exact(viewer)
            with nullcontext() if worlds.exact else pytest.warns(InexactBeliefWarning):
                belief = game.belief(viewer)
            assert (belief >= 0).all()
            assert abs(belief.sum(1) - 1).max() <= 1e-12
            assert abs(belief.sum(0) - cards).max() <= 1e-12
            assert worlds.weights.sum() == pytest.approx(1, abs=1e-12)
            assert (worlds.weights > 0).all()
            if worlds.exact:
                numbered = codes(worlds.placements)
                assert truth in numbered
                if found["onlooker"].exact:
                    assert np.isin(numbered, possible).all()
        for _ in range(chance.randint(1, 8)):
            if game.over:
                return
            game.play(choose(game.legal_actions()))


def test_a_batch_is_asked_for_the_belief_of_a_viewer_for_each_game() -> None:
    batch = Batch("6A", 5, seed=2, track="belief")
    for _ in range(30):
        batch.step(batch.random_actions())
    each = batch.belief(batch.player)
    for row, player in enumerate(batch.player.tolist()):
        assert (each[row] == batch.belief(player)[row]).all()
    assert (batch.belief([5] * 5) == batch.belief(5)).all()
    assert (batch.belief(np.array(5)) == batch.belief(5)).all()


def quiet(batch: Batch, chance: np.random.Generator) -> NDArray[np.int64]:
    """Return random actions with many takes and few claims; swap or keep is a fair coin."""
    n, m, k = batch.scenario.players, batch.scenario.slots, len(batch.scenario.kinds)
    weights = np.ones(batch.num_actions)
    weights[: m - 1] = 2.0
    weights[m + k + 2] = 1 / n
    drawn = np.where(batch.mask, chance.exponential(size=batch.mask.shape) / weights, np.inf)
    picked: NDArray[np.int64] = drawn.argmin(1)
    return picked


@pytest.mark.parametrize("policy", ["uniform", "quiet"])
@pytest.mark.parametrize("name", slow_from(1, ["4B", "6A", "6B", "7B", "8B", "9B"]))
def test_own_seat_beliefs_are_calibrated_when_swaps_are_fair_coins(name: str, policy: str) -> None:
    size, most = (4000 if name[0] in "89" else 12000) // SLOWNESS, 50
    batch = Batch(name, size, seed=11, autoreset="disabled", track="belief", most_worlds=2**15)
    # One moment of each game, because two moments of a game are not independent.
    generator = np.random.default_rng(5)
    moment = generator.integers(most, size=size)
    columns = np.array([NUMBERS[mask] for mask in scenarios()[name].kinds])
    believed, true = [], []
    lost = 0
    for now in range(most):
        rows = np.flatnonzero((moment == now) & (batch.player >= 0))
        players = np.maximum(batch.player, 0)
        # Whether a belief is exact depends only on what its viewer saw, so this is not biased.
        exact = batch.exact[rows, players[rows]]
        lost += len(rows) - int(exact.sum())
        rows = rows[exact]
        seat = batch.state["seat_of"][rows, players[rows]]
        believed.append(batch.belief(players.tolist())[rows, seat])
        true.append(batch.state["mask_at"][rows, seat][:, None] == columns)
        batch.step(quiet(batch, generator) if policy == "quiet" else batch.random_actions())
    assert lost < size // 50
    chance, hit = np.concatenate(believed).astype(float), np.concatenate(true)
    assert len(chance) > size // 2
    assert not hit[chance < 1e-6].any()
    assert hit[chance > 1 - 1e-6].all()
    between = (chance > 1e-6) & (chance < 1 - 1e-6)
    bins = np.minimum((chance * 10).astype(int), 9)
    filled = 0
    for number in range(10):
        in_bin = between & (bins == number)
        if in_bin.sum() < 30:
            continue
        filled += 1
        # Masks of one seat exclude each other, so the true error is smaller than this.
        error = np.sqrt((chance[in_bin] * (1 - chance[in_bin])).sum())
        assert abs(hit[in_bin].sum() - chance[in_bin].sum()) < 4 * error
    assert filled >= 4 or SLOWNESS > 1


# Sampled games


def state_of(game: Game) -> tuple[object, ...]:
    """Return the public part of a position."""
    return (
        game.phase, game.player, game.turn, game.marker, game.coins, game.tribunal,
        game.player_at, game.barred, game.claims, game.announced, game.winners,
        game.legal_actions(), game.deal,
    )  # fmt: skip


def hidden_bits(game: Game) -> int:
    """Return the decisions under the table, as a bit string of `brute_force`."""
    bits = 0
    for _, word in game.history:
        if word in ("swap", "keep"):
            bits = 2 * bits + (word == "swap")
    return bits


def told(game: Game, viewer: Viewer) -> object:
    return game.log("onlooker") if viewer == "onlooker" else game.information_state(viewer)


def check_sample(game: Game, viewer: Viewer, sample: Game) -> None:
    """Check that a sample is a valid game that the viewer cannot tell from the true one."""
    scenario = game.scenario
    assert told(sample, viewer) == told(game, viewer)
    assert state_of(sample) == state_of(game)
    possible = set(map(tuple, game.worlds(viewer).placements.tolist()))
    assert tuple(NUMBERS[mask] for mask in sample.masks) in possible
    public = [(p, "?" if word in ("swap", "keep") else word) for p, word in game.history]
    assert public == [(p, "?" if w in ("swap", "keep") else w) for p, w in sample.history]
    own = [word for player, word in game.history if player == viewer]
    assert own == [word for player, word in sample.history if player == viewer]
    np.testing.assert_allclose(sample.belief(viewer), game.belief(viewer), rtol=0, atol=1e-12)
    # The knowledge of other players in it is consistent with its masks.
    truth = tuple(NUMBERS[mask] for mask in sample.masks)
    for other in viewers(scenario):
        assert truth in set(map(tuple, sample.worlds(other).placements.tolist()))
    again = Game.from_record(sample.to_record())
    assert (again.masks, again.history) == (sample.masks, sample.history)
    assert state_of(again) == state_of(sample)
    twin = sample.clone()
    assert twin.play_randomly() == sample.clone().play_randomly()
    assert twin.over
    made = len(sample.history)
    twin.undo(len(twin.history) - made)
    assert (twin.masks, twin.history) == (sample.masks, sample.history)
    twin.undo(made)
    assert twin.masks == game.deal
    assert twin.history == []
    assert all(len(twin.worlds(other).weights) == 1 for other in viewers(scenario))
    for _, word in sample.history:
        twin.play(word)
    assert (twin.masks, state_of(twin)) == (sample.masks, state_of(sample))


@pytest.mark.parametrize("policy", POLICIES)
def test_samples_are_games_that_a_viewer_cannot_tell_from_the_true_one(policy: str) -> None:
    others = 0
    for seed in range(max(1, 24 // SLOWNESS)):
        chance = random.Random(seed)
        scenario = chance.choice([random_scenario(chance), *SMALL.values(), *scenarios().values()])
        game = Game(scenario, seed=seed)
        choose = POLICIES[policy](chance)
        for _ in range(chance.randint(0, 40)):
            if game.over:
                break
            game.play(choose(game.legal_actions()))
        viewer = chance.choice(viewers(scenario))
        before = pickle.dumps(game)
        stories = [told(game, other) for other in viewers(scenario)]
        samples = game.sample_worlds(viewer, 4, seed)
        assert len(samples) == 4
        for sample in samples:
            check_sample(game, viewer, sample)
            others += sample.history != game.history
        # Sampling does not change the game, nor its random numbers.
        assert pickle.dumps(game) == before
        assert [told(game, other) for other in viewers(scenario)] == stories
    assert others > 10 or SLOWNESS > 1


def test_samples_of_a_game_that_is_over_or_has_not_begun() -> None:
    game = Game("6A", seed=3)
    (sample,) = game.sample_worlds(2, 1, 0)
    assert sample.history == []
    assert sample.masks == game.masks
    check_sample(game, 2, sample)
    assert game.sample_worlds(2, 0) == []
    game.play_randomly()
    for viewer in (0, "onlooker"):
        for sample in game.sample_worlds(viewer, 3, 0):
            assert sample.over
            assert sample.returns() == game.returns()
            check_sample(game, viewer, sample)


def middle(scenario: Scenario | str, seed: int, decisions: int, policy: Policy) -> Game:
    """Return a game after some decisions."""
    game = Game(scenario, seed=seed)
    for _ in range(decisions):
        game.play(policy(game.legal_actions()))
    return game


def ahead(game: Game) -> list[tuple[int, str]]:
    """Return how a copy of a game continues with its random numbers."""
    twin = game.clone()
    twin.play_randomly()
    return twin.history[len(game.history) :]


def test_the_same_seed_gives_the_same_samples_and_another_seed_others() -> None:
    game = middle("6A", 5, 24, swapper(random.Random(5)))
    first = game.sample_worlds("onlooker", 20, 9)
    second = game.sample_worlds("onlooker", 20, np.random.default_rng(9))
    third = game.sample_worlds("onlooker", 20, 10)
    assert [s.history for s in first] == [s.history for s in second]
    assert [ahead(s) for s in first] == [ahead(s) for s in second]
    assert [s.history for s in first] != [s.history for s in third]
    # A generator continues; without one, samples differ between calls.
    chance = np.random.default_rng(9)
    runs = [[s.history for s in game.sample_worlds("onlooker", 20, chance)] for _ in range(2)]
    assert runs[0] != runs[1]
    runs = [[s.history for s in game.sample_worlds("onlooker", 20)] for _ in range(2)]
    assert runs[0] != runs[1]


def test_samples_do_not_show_the_future_of_the_true_game() -> None:
    game = middle("6A", 5, 12, swapper(random.Random(5)))
    future = ahead(game)
    samples = game.sample_worlds(game.player or 0, 30, 1)
    tails = [ahead(sample) for sample in samples]
    assert any(sample.masks == game.masks for sample in samples)
    assert all(tail[:10] != future[:10] for tail in tails)
    assert len({tuple(tail) for tail in tails}) == len(tails)
    assert ahead(game) == future


def check_distribution(counts: Counter[object], wanted: dict[object, float]) -> None:
    """Check that counts agree with probabilities: a chi-square test with a wide margin."""
    assert set(counts) <= set(wanted)
    number = sum(counts.values())
    if len(wanted) == 1:
        return
    square = sum((counts[key] - number * p) ** 2 / (number * p) for key, p in wanted.items())
    free = len(wanted) - 1
    assert min(wanted.values()) * number > 1
    assert square < free + 5 * np.sqrt(2 * free)


@pytest.mark.parametrize("name", ["4A", "4B", "6B", "7A"])
def test_samples_are_as_frequent_as_worlds_are_probable(name: str) -> None:
    most = 1
    for seed in range(3):
        game = middle(name, seed, 20, swapper(random.Random(seed + 6)))
        for viewer in (0, 1, "onlooker"):
            found = game.worlds(viewer)
            wanted: dict[object, float] = dict(
                zip(map(tuple, found.placements.tolist()), found.weights.tolist(), strict=True)
            )
            samples = game.sample_worlds(viewer, 1500, seed)
            counts: Counter[object] = Counter(
                tuple(NUMBERS[mask] for mask in sample.masks) for sample in samples
            )
            check_distribution(counts, wanted)
            most = max(most, len(wanted))
    assert most >= 8


@pytest.mark.parametrize(
    "name", slow_from(1, ["three players", "three players and a centre", "4B"])
)
def test_sampled_histories_are_as_frequent_as_brute_force_predicts(name: str) -> None:
    scenario = SMALL.get(name) or scenarios()[name]
    most = 0
    struck_out = False
    for seed in range(4):
        chance = random.Random(seed)
        game = Game(scenario, seed=seed)
        naive = NaiveGame(scenario.to_dict(), game.deal)
        oracle = BruteForce(naive)
        choose = by_weight({"take": 2.0, "look": 3.0, "claim": 0.5}, chance)
        while not game.over and sum(w in ("swap", "keep") for _, w in game.history) < 5:
            word = choose(game.legal_actions())
            game.play(word)
            naive.play(word)
            oracle.follow()
        for number, viewer in enumerate(viewers(scenario)):
            strings = oracle.viewers[number]
            assert strings is not None
            bits = strings.bits.tolist()
            assert hidden_bits(game) in bits
            samples = game.sample_worlds(viewer, 400, 100 * seed + number)
            counts: Counter[object] = Counter(map(hidden_bits, samples))
            check_distribution(counts, dict.fromkeys(bits, 1 / len(bits)))
            most = max(most, len(bits))
            struck_out |= 1 < len(bits) < 2**strings.unseen
    assert most >= 8
    assert struck_out


# Beliefs that are thinned

CROWD = Scenario(
    name="long", players=5, masks=("judge", "patron", "widow", "beggar", "spy", "fool"),
    goal_coins=200, start_coins=90, strict=False, turn_limit=25,
)  # fmt: skip


class CappedBatch:
    """A batch with a low limit of worlds, with an oracle for each game."""

    def __init__(self, size: int, cap: int) -> None:
        self.cap = cap
        self.batch = Batch(
            CROWD, size, seed=4, autoreset="next_step", track="belief", most_worlds=cap
        )
        self.games = [Game(CROWD) for _ in range(size)]
        self.oracles = [BruteForce(NaiveGame(CROWD.to_dict(), game.deal)) for game in self.games]
        self.naives: list[NaiveGame] = [NaiveGame(CROWD.to_dict(), g.deal) for g in self.games]
        self.lost = np.zeros((size, CROWD.players + 1), bool)
        for row in range(size):
            self.deal(row)

    def deal(self, row: int) -> None:
        """Follow the new game of a row."""
        game = Game(CROWD, seed=int(self.batch.state["seed"][row]))
        naive = NaiveGame(CROWD.to_dict(), game.deal)
        self.games[row], self.naives[row] = game, naive
        self.oracles[row] = BruteForce(naive, merged=True)
        self.lost[row] = False

    def step(self, policy: Policy) -> None:
        ids, over = [], [game.over for game in self.games]
        for row, (game, naive, oracle) in enumerate(
            zip(self.games, self.naives, self.oracles, strict=True)
        ):
            if over[row]:
                ids.append(0)
                continue
            word = policy(game.legal_actions())
            ids.append(game.action_id(word))
            game.play(word)
            naive.play(word)
            oracle.follow()
            self.lost[row] |= [len(self.strings(row, v).masks) > self.cap for v in self.numbers]
        self.batch.step(ids)
        for row, was_over in enumerate(over):
            if was_over:
                self.deal(row)

    @property
    def numbers(self) -> range:
        return range(CROWD.players + 1)

    def strings(self, row: int, viewer: int) -> Strings:
        found = self.oracles[row].viewers[viewer]
        assert found is not None
        return found

    def beliefs(self) -> NDArray[np.float32]:
        """Return [viewers, B, slots, masks] beliefs."""
        return np.stack([self.batch.belief(viewer) for viewer in viewers(CROWD)])


def test_a_belief_is_inexact_exactly_if_it_has_lost_worlds() -> None:
    capped = CappedBatch(max(2, 24 // SLOWNESS), cap=8)
    policy = by_weight({"take": 1.5, "announce": 1.0, "claim": 0.1}, random.Random(3))
    cards = [CROWD.masks.count(kind) for kind in CROWD.kinds]
    shown = few_again = dealt_again = 0
    assert capped.batch.exact.all()
    assert capped.batch.thinned == 0
    for _ in range(130):
        before = capped.lost.copy()
        capped.step(policy)
        dealt_again += int((before & ~capped.lost).sum())
        assert np.array_equal(capped.batch.exact, ~capped.lost)
        beliefs = capped.beliefs()
        assert (beliefs >= 0).all()
        assert abs(beliefs.sum(3) - 1).max() <= SINGLE
        assert abs(beliefs.sum(2) - cards).max() <= SINGLE
        for row, oracle in enumerate(capped.oracles):
            for viewer in capped.numbers:
                strings = capped.strings(row, viewer)
                if capped.lost[row, viewer]:
                    few_again += int(len(strings.masks) <= capped.cap)
                else:
                    wanted = strings.belief(CROWD.kinds)
                    assert abs(beliefs[viewer, row] - wanted).max() <= SINGLE
            for saw, slot, mask in oracle.seen:
                column = CROWD.kinds.index(MASKS[mask].id)
                for viewer in saw:
                    assert beliefs[viewer, row, slot, column] == 1.0
                    shown += int(capped.lost[row, viewer])
            oracle.seen = []
    assert capped.batch.thinned > 0
    assert min(shown, few_again, dealt_again) > 30 or SLOWNESS > 1
    capped.batch.reset()
    assert capped.batch.exact.all()


def run_both(
    scenario: Scenario | str, policy: Callable[[Batch], NDArray[np.int64]], steps: int, cap: int
) -> tuple[Batch, Batch]:
    """Play the same games with thinned beliefs and with exact ones."""
    size = 3000 // SLOWNESS
    thinned, exact = (
        Batch(scenario, size, seed=8, autoreset="disabled", track="belief", most_worlds=most)
        for most in (cap, 4096)
    )
    for _ in range(steps):
        actions = policy(exact)
        thinned.step(actions)
        exact.step(actions)
    assert exact.exact.all()
    assert exact.thinned == 0
    assert thinned.thinned > 0
    return thinned, exact


def check_mean_is_zero(samples: NDArray[np.floating[Any]], margin: float = 0.0) -> None:
    """Check that the mean of independent samples is 0 within 4 standard errors and a margin."""
    error = samples.std() / np.sqrt(len(samples))
    assert error > 0
    assert abs(samples.mean()) < 4 * error + margin


def test_thinning_is_unbiased() -> None:
    """Without sights, the thinned beliefs of each game must be right on average."""
    scenario = Scenario(
        name="takes", players=4, masks=CROWD.masks, opening_turns=1000, strict=False
    )
    chance = np.random.default_rng(1)

    def policy(batch: Batch) -> NDArray[np.int64]:
        drawn = chance.random(batch.mask.shape) * batch.mask
        picked: NDArray[np.int64] = drawn.argmax(1)
        return picked

    thinned, exact = run_both(scenario, policy, 16, cap=8)
    truth = exact.state["mask_at"][:, : scenario.slots]
    columns = np.array([NUMBERS[mask] for mask in scenario.kinds])
    for viewer in viewers(scenario):
        right = exact.belief(viewer).astype(float)
        difference = thinned.belief(viewer) - right
        assert abs(difference).mean() > 0.01
        # This fails if thinning prefers likely or unlikely worlds.
        check_mean_is_zero((difference * right).sum((1, 2)))
        check_mean_is_zero((difference * (truth[:, :, None] == columns)).sum((1, 2)))
        for slot in range(scenario.slots):
            for mask in range(len(columns)):
                check_mean_is_zero(difference[:, slot, mask])
        # Impossible masks have probability 0.
        assert not thinned.belief(viewer)[right == 0].any()


@pytest.mark.parametrize("name", ["4A", "6A", "6B"])
def test_thinned_beliefs_are_near_the_exact_ones_on_average(name: str) -> None:
    thinned, exact = run_both(name, Batch.random_actions, 40, cap=8)
    running = exact.player >= 0
    for viewer in viewers(exact.scenario):
        difference = thinned.belief(viewer)[running] - exact.belief(viewer)[running]
        lost = ~thinned.exact[running][:, viewers(exact.scenario).index(viewer)]
        assert lost.sum() > 100 or SLOWNESS > 1
        assert not difference[~lost].any()
        for slot in range(exact.scenario.slots):
            for mask in range(difference.shape[2]):
                check_mean_is_zero(difference[lost, slot, mask].astype(float), margin=0.01)


@pytest.mark.parametrize("most", [2, 8])
def test_a_thinned_belief_agrees_with_what_its_viewer_sees(most: int) -> None:
    batch = Batch("6A", 64, seed=1, track="belief", most_worlds=most)
    chance = np.random.default_rng(most)
    look, rows, looks = batch.scenario.slots - 1, np.arange(64), 0
    kinds = [NUMBERS[mask] for mask in batch.scenario.kinds]
    for _ in range(400 if not SETTINGS.DISABLE_JIT else 60):
        actions = batch.random_actions()
        looking = (batch.mask[:, look] == 1) & (chance.random(64) < 0.5)
        actions[looking] = look
        viewers = np.array(batch.player)
        batch.step(actions)
        beliefs = batch.belief(viewers)
        for row in rows[looking & ~batch.terminated]:
            seat = batch.state["seat_of"][row, viewers[row]]
            seen = kinds.index(batch.state["mask_at"][row, seat])
            assert beliefs[row, seat, seen] == 1
            looks += 1
    assert looks > 100
    assert batch.thinned > 0


@pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="a long game")
def test_a_nearly_impossible_sight_makes_the_belief_inexact() -> None:
    masks = ("peasant", "peasant", "king", "judge", "thief", "cheat")
    scenario = Scenario("long", 4, masks, strict=False, fixed_deal=True, opening_turns=0)
    game = Game(scenario, seed=1)
    play(game, "take:2", "swap", "look", "look", "look")
    for _ in range(1100):  # no other player can know that the king remains on seat 0
        play(game, "take:1", "keep", "look", "look", "look")
    announce(game, "king", 2)
    assert game.worlds(1).weights.sum() == pytest.approx(1)
    assert not game.exact(1)
    with pytest.warns(InexactBeliefWarning):
        belief = game.belief(1)
    assert belief[0].tolist() == [float(mask == "king") for mask in scenario.kinds]
    assert np.isfinite(game.observation(1)).all()
    with pytest.raises(MascaradeError, match=facts("placements", 2**17)):
        game.sample_worlds(1, 2, rng=0)


@pytest.mark.parametrize("viewer", ["me", "all", None, True, 1.0, -1, 6, np.array([1, 2])])
def test_a_viewer_is_a_player_or_the_onlooker(viewer: Any) -> None:
    game = Game("6A", seed=1)
    for ask in (game.belief, game.worlds, game.exact, lambda who: game.sample_worlds(who, 1)):
        with pytest.raises(MascaradeError, match=facts(repr(viewer)) + ".*(onlooker|player)"):
            ask(viewer)


@pytest.mark.parametrize("rng", ["seed", -1, 1.5, np.random.RandomState(1)])
def test_samples_are_drawn_by_a_generator_or_a_seed(rng: Any) -> None:
    with pytest.raises(MascaradeError, match="seed"):
        Game("6A", seed=1).sample_worlds(0, 1, rng=rng)


@pytest.mark.parametrize("most", [0, 1, -5, 2.5, "8", 1 << 25])
def test_most_worlds_is_a_number_within_reason(most: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("most_worlds", repr(most))):
        Batch("6A", 2, most_worlds=most)


def test_a_17th_mask_does_not_fit_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be stored as the first mask, so making beliefs raises an error."""
    monkeypatch.setattr(world_memory, "MASKS", (*MASKS, MASKS[0]))
    message = "MASKS has 17 masks, .* four bits .* enough for 16: widen the key of WORLD"
    with pytest.raises(MascaradeError, match=message):
        Batch("6A", 1, seed=0)
    game = Game("6A", seed=0)
    with pytest.raises(MascaradeError, match=message):
        game.belief(0)
