"""The games of a training and their harvests, with opponents and in several scenarios."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import Batch, Game, MascaradeError, Policy, Positions, Schema
from mascarade_env.game._rng import episode_seed
from mascarade_train._rollouts import LEARNER, Collector, Harvest, Opponents, Predict, Rollout
from tests.messages import facts

#: Games with a centre and without, and with six seats and four, in observations of one width.
SEVERAL = ("4A", "6A", "8B")


class LastLegal:
    """An opponent on the odd seats of every second game; it takes the last legal action."""

    numbers = 3 + 12 + 1
    reads = None
    needs_views = False

    def __init__(self) -> None:
        self.games: list[NDArray[np.int64]] = []  # the players of each game that was dealt
        self.ends: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
        self.asked: Counter[tuple[int, str]] = Counter()

    def seat(self, games: int, players: int, chance: np.random.Generator) -> NDArray[np.int64]:
        found = np.full((games, players), LEARNER)
        for game in range(games):
            if len(self.games) % 2:
                found[game, 1::2] = 3 + players
            self.games.append(found[game])
        return found

    def name(self, number: int) -> str:
        return "last legal"

    def policy(self, number: int, schema: Schema) -> Policy:
        assert number == 3 + schema.scenario.players
        return self

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        mask, schema = positions.masks, positions.schema
        assert positions.observations.shape == (len(mask), schema.size)
        self.asked[3 + schema.scenario.players, schema.scenario.name] += len(mask)
        taken: NDArray[np.int64] = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        return taken

    def probabilities(self, positions: Positions) -> None:
        return None

    def ended(self, seats: NDArray[np.int64], shares: NDArray[np.float32]) -> None:
        self.ends.append((seats.copy(), shares.copy()))


def schemas(*names: str, padded: bool = True) -> list[Schema]:
    return [Schema(name, "both", padded=padded) for name in names]


def first_legal(
    _: NDArray[np.float32], mask: NDArray[np.int8], __: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A learner that takes the first legal action, and predicts equal win probabilities."""
    log_probs = np.full(mask.shape, -1e9, np.float32)
    log_probs[np.arange(len(mask)), mask.argmax(axis=1)] = 0
    return log_probs, np.full((len(mask), 12), 1 / 12, np.float32)


def anything(schema: Schema, rng: np.random.Generator) -> Predict:
    """A learner whose win probabilities differ between positions."""
    weights = np.cos(np.arange(schema.size)[:, None] * (1 + np.arange(schema.seats)))

    def predict(
        observation: NDArray[np.float32], mask: NDArray[np.int8], _: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        scores = np.where(mask > 0, rng.normal(size=mask.shape), -1e9)
        log_probs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        shares = np.exp(observation @ weights / 10)
        shares *= schema.views(observation)["occupied"][:, : schema.seats]
        return log_probs.astype("f"), (shares / shares.sum(axis=1, keepdims=True)).astype("f")

    return predict


def fixed(log_probs: NDArray[np.float32], players: int) -> Predict:
    """A learner with fixed log-probabilities and equal win probabilities."""
    return lambda *_: (log_probs, np.full((len(log_probs), players), 1 / players, np.float32))


def fair(predict: Predict, players: int) -> Predict:
    """The same learner with equal win probabilities."""
    return lambda *given: (
        predict(*given)[0], np.full((len(given[0]), players), 1 / players, np.float32)
    )  # fmt: skip


def collected(games: Collector, schema: Schema, seed: int, trace: float) -> Harvest:
    """The harvest of one window."""
    rng = np.random.default_rng(seed)
    return games.collect(anything(schema, rng), trace, rng)


def rows_of(harvest: Harvest) -> dict[int, NDArray[np.intp]]:
    """The decisions by the number of players at their tables."""
    schema = Schema("4A", "full", padded=True)
    players = schema.views(harvest.full)["occupied"].sum(axis=1).astype(int)
    return {n: np.flatnonzero(players == n) for n in np.unique(players).tolist()}


def test_padded_scenarios_are_gathered_together() -> None:
    games = Collector(schemas(*SEVERAL), Rollout(7, 40, seed=3, full=True))
    full = Schema("4A", "full", padded=True)
    assert games.observation.shape == (7, Schema("4A", "both", padded=True).size)
    assert games.full.shape == (7, full.size)
    for seed in range(3):
        harvest = collected(games, schemas(*SEVERAL)[0], seed, 0.95)
        assert (harvest.mask[np.arange(len(harvest.mask)), harvest.action] == 1).all()
        np.testing.assert_allclose(harvest.wins.sum(axis=1), 1, atol=1e-5)
        assert harvest.wins.min() >= 0
        rows = rows_of(harvest)
        assert set(rows) == {4, 6, 8}
        for n, some in rows.items():
            assert len(some) > 40
            assert not harvest.wins[some][:, n:].any()
            assert harvest.wins[some][:, :n].any(axis=0).all()
        # The acting player's mask is in slot 0 of the full state.
        truth = full.views(harvest.full)["truth"]
        np.testing.assert_array_equal(truth[:, 0].argmax(axis=1), harvest.held)
    assert games.finished > 0


def test_the_mask_held_is_the_column_that_observations_have_for_it() -> None:
    """Unpadded and with a centre, against the full states of the same games."""
    games = Collector(schemas("4A", padded=False), Rollout(6, 30, seed=1, full=True))
    harvest = collected(games, Schema("4A", "both"), 0, 1.0)
    truth = Schema("4A", "full").views(harvest.full)["truth"]
    np.testing.assert_array_equal(truth[:, 0].argmax(axis=1), harvest.held)
    assert len(np.unique(harvest.held)) > 3


@pytest.mark.parametrize(("name", "steps"), [("tiny-2", 60), ("4A", 400)])
def test_a_game_by_hand(name: str, steps: int) -> None:
    """With lambda 1, every decision of a winner has the winner's whole share as its target."""
    games = Collector(schemas(name, padded=False), Rollout(1, steps, seed=11))
    first, chance = int(Batch(name, 1, seed=11).state["seed"][0]), np.random.default_rng(0)
    game = Game(name, seed=first)
    n = game.scenario.players
    wanted: dict[int, list[tuple[int, list[float]]]] = {player: [] for player in range(n)}
    running: list[tuple[int, int]] = []
    episode = 0
    while not games.ready:
        assert game.player is not None
        action = int(chance.choice(np.flatnonzero(games.mask[0])))
        running.append((game.player, action))
        log_probs = np.full(games.mask.shape, -1e9, np.float32)
        log_probs[0, action] = 0
        games.step(fixed(log_probs, n), chance)
        game.play(action)
        if game.over:
            assert game.winners
            won = [(p in game.winners) / len(game.winners) for p in range(n)]
            for p, a in running:
                wanted[p].append((a, won[p:] + won[:p]))  # no player changes seats in these games
            running, episode = [], episode + 1
            game = Game(name, seed=episode_seed(first, episode))
    assert games.finished == episode > 2
    harvest = games.harvest(1.0)
    assert harvest.full.shape == (len(harvest.action), 0)
    # A harvest is in the order of time; the own share identifies the player.
    expected = [pair for pairs in wanted.values() for pair in pairs]
    whole = slice(len(expected))  # the last game is not over, so it has no result
    found = zip(harvest.action[whole].tolist(), harvest.wins[whole].round(3).tolist(), strict=True)
    assert sorted(found) == sorted((a, np.round(won, 3).tolist()) for a, won in expected)
    assert len({tuple(won) for _, won in expected}) >= n  # some games have a winner
    np.testing.assert_allclose(harvest.advantage[whole], harvest.wins[whole, 0] - 1 / n, atol=1e-6)


def test_without_a_trace_only_what_is_next_counts() -> None:
    """With lambda 0, the target is the prediction at the player's next decision, or the result."""
    games = Collector(schemas("4A", padded=False), Rollout(8, 60, seed=2))
    chance = np.random.default_rng(0)
    while not games.ready:
        games.step(fair(anything(Schema("4A", "both"), chance), 4), chance)
    short, far = (games.harvest(trace) for trace in (0.0, 1.0))
    unmoved = abs(short.wins - 0.25).max(axis=1) < 1e-6
    decided = abs(far.wins - 0.25).max(axis=1) > 0.1
    assert (unmoved & decided).sum() > 50
    np.testing.assert_allclose(short.wins[~unmoved], far.wins[~unmoved], atol=1e-6)
    assert 4 <= (~unmoved).sum() <= 4 * games.finished


def test_actions_are_drawn_by_their_chances() -> None:
    count = 1500
    games = Collector(schemas("4A", padded=False), Rollout(count, 24, seed=0))
    chance = np.random.default_rng(0)
    legal = games.mask[0] > 0
    assert (games.mask == games.mask[0]).all()  # the first turn
    chances = np.where(legal, chance.dirichlet(np.ones(len(legal))), 0)
    chances /= chances.sum()
    first = np.log(chances, out=np.full(len(chances), -1e9), where=legal).astype(np.float32)
    games.step(fixed(np.repeat(first[None], count, axis=0), 4), chance)
    while not games.ready:
        games.step(fixed(np.where(games.mask > 0, np.float32(0), np.float32(-1e9)), 4), chance)
    harvest = games.harvest(1.0)
    taken = harvest.action[(harvest.log_probs == first).all(axis=1)]
    assert len(taken) > 0.95 * count  # nearly all of these players have decided again
    shares = np.bincount(taken, minlength=len(chances)) / len(taken)
    assert not shares[~legal].any()
    off = np.sqrt(chances * (1 - chances) / len(taken))
    assert (abs(shares - chances) <= 4.5 * off + 1e-9).all()


@pytest.mark.parametrize(("names", "padded"), [(("6A",), False), (SEVERAL, True)], ids=str)
def test_opponents_decide_on_their_seats_and_the_learner_on_its_own(
    names: tuple[str, ...], padded: bool
) -> None:
    opponents = LastLegal()
    games = Collector(schemas(*names, padded=padded), Rollout(8, 50, 5), opponents)
    given: Opponents = opponents
    assert given is opponents
    chance = np.random.default_rng(0)
    seats = 12 if padded else 6
    decisions = 0
    for _ in range(4):
        harvest = games.collect(fair(first_legal, seats), 0.95, chance)
        # Only the learner's decisions are harvested, each with the learner's action.
        np.testing.assert_array_equal(harvest.action, harvest.mask.argmax(axis=1))
        decisions += len(harvest.action)
    # Opponents' decisions are left out, and at most one decision of each player is pending.
    decided = 8 * 4 * 50 - sum(opponents.asked.values())
    assert 0 <= decided - decisions <= 8 * 12
    assert {name for _, name in opponents.asked} == set(names)
    assert min(opponents.asked.values()) > 10
    ends = [
        (who, won)
        for whole, shares in opponents.ends
        for who, won in zip(whole, shares, strict=True)
    ]
    assert len(ends) == games.finished > 0
    for who, won in ends:
        assert len(who) == len(won)
        assert won.sum() == pytest.approx(1, abs=1e-5)
        assert any(np.array_equal(who, dealt) for dealt in opponents.games)
    # Each game that was dealt got its opponents once; those of the last step have none yet.
    assert 8 <= len(opponents.games) <= 8 + games.finished
    assert any((who != LEARNER).any() for who, _ in ends)


@pytest.mark.parametrize("opponents", [False, True])
def test_the_learner_is_asked_where_it_acts_and_nowhere_else(opponents: bool) -> None:
    games = Collector(
        schemas("6A", padded=False),
        Rollout(8, 60, 5, full=True),
        LastLegal() if opponents else None,
    )
    asked, full = 0, Schema("6A", "full").size

    def predict(*given: NDArray[np.generic]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        nonlocal asked
        observation, mask, states = given
        assert states.shape == (len(mask), full)
        rows = [np.flatnonzero((games.observation == row).all(axis=1)) for row in observation]
        assert all(len(found) for found in rows)
        asked += len(mask)
        return fair(first_legal, 6)(*given)  # type: ignore[arg-type]

    decided = len(games.collect(predict, 1.0, np.random.default_rng(0)).action)
    assert (asked < 8 * 60) == opponents
    assert 0 <= asked - decided <= 8 * 6


def test_opponents_play_what_they_decide() -> None:
    """Compared with the same games, stepped with the actions of opponents and learner."""
    opponents = LastLegal()
    games = Collector(schemas("6A", padded=False), Rollout(8, 400, 5), opponents)
    twin = Batch("6A", 8, seed=5, autoreset="disabled", track="both")
    chance, dealt = np.random.default_rng(0), np.arange(8)
    moves = 0
    for _ in range(200):
        np.testing.assert_array_equal(games.observation, twin.observation)
        games.step(fair(first_legal, 6), chance)
        deciders = np.array([opponents.games[number][0:6] for number in dealt.tolist()])
        opponent = deciders[np.arange(8), twin.player] != LEARNER
        last = twin.mask.shape[1] - 1 - twin.mask[:, ::-1].argmax(axis=1)
        moves += int(opponent.sum())
        twin.step(np.where(opponent, last, twin.mask.argmax(axis=1)))
        over = twin.terminated.copy()
        if over.any():
            assert np.array_equal(opponents.ends[-1][0], deciders[over])
            twin.reset(rows=over)
            # The opponents of new games are chosen at their start, in the order of the rows.
            dealt[over] = len(opponents.games) + np.arange(int(over.sum()))
    assert moves > 100
    assert games.finished > 0


class ByChance(LastLegal):
    """An opponent in a random part of the games."""

    def seat(self, games: int, players: int, chance: np.random.Generator) -> NDArray[np.int64]:
        opponents = chance.random((games, players)) < 0.3
        return np.where(opponents, 3 + players, LEARNER)


@pytest.mark.parametrize("opponents", [False, True])
def test_restored_it_goes_on_as_it_would_have(opponents: bool) -> None:
    def collector() -> Collector:
        given = ByChance() if opponents else None
        return Collector(schemas("4A", "6A"), Rollout(6, 12, 5, full=True), given)

    def on(games: Collector, windows: int, seed: int) -> list[bytes]:
        found = []
        for number in range(windows):
            harvest = collected(games, schemas("4A")[0], seed + number, 0.9)
            found += [array.tobytes() for array in harvest]
        return found

    games, other = collector(), collector()
    on(games, 9, 0)
    kept = games.arrays()
    before = [{name: array.tobytes() for name, array in table.items()} for table in kept]
    on(other, 2, 77)
    after = on(games, 3, 100)
    assert [{name: a.tobytes() for name, a in table.items()} for table in kept] == before  # copies
    other.restore(kept)
    np.testing.assert_array_equal(other.mask.any(axis=1), True)
    assert on(other, 3, 100) == after
    for one, two in zip(games.arrays(), other.arrays(), strict=True):
        assert {name: array.tobytes() for name, array in one.items()} == {
            name: array.tobytes() for name, array in two.items()
        }


@pytest.mark.parametrize(("worlds", "exact"), [(2, False), (4096, True)])
def test_beliefs_are_thinned_to_so_many_worlds(worlds: int, exact: bool) -> None:
    games = Collector(schemas("6A", padded=False), Rollout(8, 40, 5, most_worlds=worlds))
    schema = Schema("6A", "both")
    told = schema.views(collected(games, schema, 0, 0.9).observation)["exact"]
    assert bool((told == 1).all()) is exact
    assert (told == 1).any()  # at the start all masks are known


def test_tables_of_one_scenario_get_deals_of_their_own() -> None:
    games = Collector(schemas("4A", "4A"), Rollout(64, 10, 3, full=True))
    deals = [row.tobytes() for row in games.full]
    assert len(set(deals)) > 56


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(MascaradeError, match=facts("--games 2", "3 scenarios")):
        Collector(schemas(*SEVERAL), Rollout(2, 10, 0))
    with pytest.raises(MascaradeError, match=facts("learner", "players may know")):
        Collector([Schema("4A", "full")], Rollout(2, 10, 0))
    games = Collector(schemas("4A", "6A"), Rollout(2, 10, 0))
    with pytest.raises(MascaradeError, match=facts("1 scenarios")):
        games.restore(games.arrays()[:1])
