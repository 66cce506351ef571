"""The Gymnasium environment of one learner, against `Game`."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mascarade_env import Game, scenarios
from mascarade_env.game._rng import episode_seed
from tests.mascarade_env.envs.opposition import (
    NAMES,
    OPPONENTS,
    RICHEST,
    SHORT,
    course,
    equal,
    single,
    varied,
)

# Gymnasium's check


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_check(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(single(name).unwrapped)
    assert name in capsys.readouterr().out  # "human" prints


@pytest.mark.parametrize(
    "options",
    [
        {"scenario": SHORT, "seat": "random", "opponents": varied},
        {"seat": 3, "track": "memory", "padded": True, "illegal_actions": "random"},
        {"seat": "rotate", "track": "belief", "opponents": OPPONENTS["pool"], "shaping": 1.0},
    ],
    ids=["short", "padded", "pool"],
)
def test_gymnasium_check_with_options(options: dict[str, Any]) -> None:
    check_env(single(**options).unwrapped, skip_render_check=True)


def test_names() -> None:
    env = gymnasium.make("mascarade_env:Mascarade-v0", scenario="5B", seat=2, track="memory")
    assert env.unwrapped.tables.scenario == scenarios()["5B"]  # type: ignore[attr-defined]
    _, info = env.reset(seed=1)
    assert info["learner"] == 2
    assert env.unwrapped.tables.batch.schema.track == "memory"  # type: ignore[attr-defined]
    assert "6A" in repr(gymnasium.make("Mascarade-v0").unwrapped.tables.scenario)  # type: ignore[attr-defined]
    assert "Mascarade-v0" in gymnasium.registry


@pytest.mark.filterwarnings("error")
def test_gymnasium_accepts_whole_games() -> None:
    """Its passive checker and its wrappers check every step."""
    env = gymnasium.wrappers.RecordEpisodeStatistics(single("6B", opponents=varied))
    env.reset(seed=5)
    ends = [step[4]["episode"]["r"] for step in course(env, 120) if len(step) == 5 and step[2]]
    assert len(ends) >= 3
    assert all(-1 <= reward <= 1 for reward in ends)


# Against Game


def assert_follows(env: Any, seen: Any, info: dict[str, Any], options: dict[str, Any]) -> Game:
    """Compare the results for the learner with those of the replayed game."""
    game: Game = env.unwrapped.game
    learner = info["learner"]
    assert type(learner) is int
    padded, track = options.get("padded", False), options.get("track", "both")
    assert equal(seen, game.observation(learner, track, padded=padded))
    assert seen in env.observation_space
    batch = env.unwrapped.tables.batch
    legal = np.isin(batch.unpadded, game.legal_ids()) | game.over
    assert game.over or game.player == learner
    assert equal(info["action_mask"], legal.astype(np.int8))
    assert equal(env.unwrapped.action_masks(), legal)
    return game


def play_a_game(
    env: Any, options: dict[str, Any], chance: np.random.Generator, **reset: Any
) -> Game:
    seen, info = env.reset(**reset)
    game = assert_follows(env, seen, info, options)
    learner, own = info["learner"], []
    while not game.over:
        action = int(chance.choice(np.flatnonzero(info["action_mask"])))
        own.append(int(env.unwrapped.tables.batch.unpadded[action]))
        seen, reward, terminated, truncated, info = env.step(action)
        assert type(reward) is float
        assert type(terminated) is type(truncated) is bool
        game = assert_follows(env, seen, info, options)
        assert info["learner"] == learner
        assert "illegal_action" not in info
        assert reward == (pytest.approx(game.returns()[learner]) if game.over else 0)
        assert (terminated, truncated) == (game.over and not game.truncated, game.truncated)
    again = Game(game.scenario, seed=game.meta["seed"])
    mine = iter(own)
    for player, word in game.history:
        assert player == again.player
        if player == learner:
            assert next(mine) == again.action_id(word)
        again.play(word)
    assert next(mine, None) is None
    assert again.over
    return game


@pytest.mark.parametrize("opponents", OPPONENTS)
@pytest.mark.parametrize("name", NAMES)
def test_observations_and_rewards_are_those_of_the_game(name: str, opponents: str) -> None:
    options = {"padded": NAMES.index(name) % 3 == 0, "track": ("both", "memory")[len(name) % 2]}
    seat = NAMES.index(name) % scenarios()[name].players
    env = single(name, seat=seat, opponents=OPPONENTS[opponents], render_mode="ansi", **options)
    chance = np.random.default_rng(1)
    game = play_a_game(env, options, chance, seed=9)
    assert game.meta["seed"] == 9
    game = play_a_game(env, options, chance)
    assert game.meta["seed"] == episode_seed(9, 1)


@pytest.mark.parametrize("seat", [0, 3, "rotate", "random"])
def test_every_way_to_end(seat: Any) -> None:
    chance = np.random.default_rng(2)
    ended: Counter[int] = Counter()
    for scenario in (SHORT, RICHEST):
        env = single(scenario, seat=seat, opponents=OPPONENTS["pool"], render_mode="ansi")
        for seed in range(8):
            game = play_a_game(env, {}, chance, seed=seed)
            assert game.winners is not None
            ended[len(game.winners)] += 1
    assert ended[0] == 8
    assert ended[1] > 0
    assert sum(ended.values()) > ended[0] + ended[1]


@pytest.mark.parametrize("name", NAMES)
def test_random_opponents_decide_the_same_with_and_without_a_record(name: str) -> None:
    """Without a record, they decide within a step of the batch."""
    seat: Any = (0, "rotate", "random")[NAMES.index(name) % 3]
    mode = ("terminate", "random")[NAMES.index(name) % 2]
    options = {"seat": seat, "illegal_actions": mode, "shaping": 0.5}
    envs = [single(name, **options), single(name, render_mode="ansi", **options)]
    told = [[env.reset(seed=4), *course(env, 80, illegal=0.05)] for env in envs]
    assert envs[0].unwrapped.tables._within
    assert not envs[1].unwrapped.tables._within
    for one, other in zip(*told, strict=True):
        assert equal(one, other)


def test_shaping_adds_up_to_the_return() -> None:
    env = single("4A", shaping=0.7, render_mode="ansi")
    void = single(SHORT, shaping=0.7, render_mode="ansi")
    paid = 0
    for seed in range(6):
        for each in (env, void):
            each.reset(seed=seed)
            chance, total, over, lead = np.random.default_rng(seed), 0.0, False, 0.0
            while not over:
                able = np.flatnonzero(each.unwrapped.action_masks())
                _, reward, terminated, truncated, info = each.step(int(chance.choice(able)))
                game, over = each.unwrapped.game, terminated or truncated
                total += reward
                paid += reward != 0 and not over
                before, seat = lead, game.player_at.index(info["learner"])
                lead = 0.7 * (game.coins[seat] - sum(game.coins) / 4) / 13
                if not terminated:
                    assert reward == pytest.approx(lead - before, abs=1e-6)
            assert total == pytest.approx(lead if truncated else game.returns()[0], abs=1e-6)
    assert paid > 5


# Seats and seeds


def learners(env: Any, games: int, **reset: Any) -> list[int]:
    found = [env.reset(**reset)[1]["learner"]]
    return found + [env.reset()[1]["learner"] for _ in range(games - 1)]


def test_seats() -> None:
    assert learners(single(seat=2), 5) == [2] * 5
    assert learners(single(seat=np.int64(3)), 2, seed=1) == [3] * 2
    env = single("5A", seat="rotate")
    assert learners(env, 7, seed=8) == [0, 1, 2, 3, 4, 0, 1]
    assert learners(env, 3) == [2, 3, 4]
    assert learners(env, 3, seed=1) == [0, 1, 2]
    env = single("4A", seat="random")
    drawn = learners(env, 60, seed=8)
    assert learners(single("4A", seat="random", render_mode="ansi"), 60, seed=8) == drawn
    assert learners(env, 60, seed=9) != drawn
    assert learners(env, 60, seed=8) == drawn
    firsts = [env.reset(seed=seed)[1]["learner"] for seed in range(400)]
    for found in (firsts, learners(env, 400, seed=1)):
        counts = Counter(found)
        assert set(counts) == {0, 1, 2, 3}
        assert all(57 <= count <= 143 for count in counts.values())  # 100 expected, deviation 8.7


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_a_seed_determines_all_games_after_it(opponents: str) -> None:
    def run(burn: int, before: int) -> list[Any]:
        np.random.seed(burn)
        env = single("4A", seat="random", opponents=OPPONENTS[opponents], illegal_actions="random")
        for _ in range(before):
            env.reset()
        return [env.reset(seed=3), *course(env, 60, illegal=0.1)]

    assert equal(tuple(run(1, 0)), tuple(run(2, 3)))


def test_without_seeds_environments_play_different_games() -> None:
    seeds = set()
    for _ in range(5):
        env = single("4A", track="memory", render_mode="ansi")
        for _ in range(3):
            env.reset()
            seeds.add(env.unwrapped.game.meta["seed"])
    assert len(seeds) == 15


@pytest.mark.parametrize("opponents", OPPONENTS)
@pytest.mark.parametrize("render_mode", [None, "ansi"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_go_on_alike_and_by_themselves(
    copied: Callable[[Any], Any], render_mode: Any, opponents: str
) -> None:
    env = single(
        SHORT, seat="random", opponents=OPPONENTS[opponents], render_mode=render_mode,
        illegal_actions="random",
    )  # fmt: skip
    early = copied(env)
    assert equal(env.reset(), early.reset())
    env.reset(seed=2)
    for _ in range(12):
        course(env, 2)
        twin = copied(env)
        ahead = course(twin, 25, illegal=0.2)
        again = copied(env)
        assert equal(tuple(course(again, 25, illegal=0.2)), tuple(ahead))
    assert equal(tuple(course(env, 25, illegal=0.2)), tuple(ahead))
