"""The PettingZoo environment: PettingZoo's own checks, and step by step against `Game`."""

import copy
import hashlib
import pickle
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as check_save_obs
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

import mascarade_env
from mascarade_env import Game, Scenario, mascarade_v0, scenarios
from mascarade_env.game._rng import episode_seed

NAMES = list(scenarios())
MASKS = scenarios()["4A"].masks
SHORT = Scenario("short", 4, MASKS, turn_limit=6)  # all games are void
RICHEST = Scenario("richest", 4, MASKS, turn_limit=8, at_limit="richest", strict=False)

# The only warnings of PettingZoo's api_test about observations that are dicts. It gives them unless
# it knows the name of the environment.
dict_observations = (
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array$:UserWarning"),
    pytest.mark.filterwarnings(
        r"ignore:Observation space for each agent probably should be gymnasium\.spaces\.box or "
        r"gymnasium\.spaces\.discrete$:UserWarning"
    ),
)


def accept_dicts(test: Callable[..., None]) -> Callable[..., None]:
    for mark in dict_observations:
        test = mark(test)
    return test


def whim(mask: Any, step: int) -> int:
    """Return a legal action that depends only on the mask and the step."""
    legal = np.flatnonzero(mask)
    digest = hashlib.sha256(f"{step} {legal.tolist()}".encode()).digest()
    return int(legal[int.from_bytes(digest[:4], "big") % len(legal)])


def same(one: Any, other: Any) -> bool:
    """Return whether two results of an environment are equal, arrays bit by bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return type(one) is type(other) and one == other


def shown(env: Any) -> dict[str, Any]:
    """Return copies of all results of an environment between two steps."""
    bare = env.unwrapped
    return copy.deepcopy(
        {
            "agents": env.agents,
            "selected": env.agent_selection,
            "last": env.last() if env.agents else None,
            "rewards": env.rewards,
            "infos": env.infos,
            "over": (env.terminations, env.truncations),
            "seen": [bare.observe(agent) for agent in env.possible_agents],
            "state": env.state(),
        }
    )


def course(env: Any, step: int = 0, burn: Callable[[], Any] = lambda: None) -> list[dict[str, Any]]:
    """Play to the end and past the last dead step, with some illegal actions."""
    told = [shown(env)]
    while env.agents:
        burn()
        _, _, terminated, truncated, info = env.last()
        action = None if terminated or truncated else whim(info["action_mask"], step)
        if action is not None and step % 5 == 4:
            action = whim(info["action_mask"] == 0, step)
        env.step(action)
        step += 1
        told.append(shown(env))
    return told


# PettingZoo's checks


@accept_dicts
@pytest.mark.parametrize("make", [mascarade_v0.env, mascarade_v0.raw_env])
@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_api(name: str, make: Callable[[str], Any]) -> None:
    api_test(make(name), num_cycles=4)


@accept_dicts
@pytest.mark.parametrize(
    "options",
    [
        {"scenario": "4A"},
        {"scenario": SHORT, "shaping": 0.5},
        {"scenario": RICHEST, "track": "memory"},
        {"scenario": "6B", "track": "belief", "padded": True},
    ],
    ids=["4A", "short", "richest", "6B"],
)
def test_pettingzoo_api_to_the_end(options: dict[str, Any]) -> None:
    api_test(mascarade_v0.env(**options), num_cycles=200)
    api_test(mascarade_v0.raw_env(**options), num_cycles=200)


@accept_dicts
def test_pettingzoo_makes_it_by_name() -> None:
    env: Any = pettingzoo.make("aec", "mascarade/mascarade-v0", scenario="5B", track="memory")
    bare = env.unwrapped
    assert type(bare) is mascarade_v0.raw_env
    assert bare.scenario == scenarios()["5B"]
    assert bare.batch.schema is not None
    assert bare.batch.schema.track == "memory"
    assert str(env) == "mascarade_v0"
    api_test(env, num_cycles=4)
    assert mascarade_env.mascarade_v0.env is mascarade_v0.env


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_seeds(name: str) -> None:
    seed_test(lambda: mascarade_v0.env(name), num_cycles=4)
    seed_test(lambda: mascarade_v0.raw_env(name), num_cycles=2)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_states(name: str) -> None:
    """The check samples actions without a mask, so illegal ones must not raise."""
    env = mascarade_v0.env(name, illegal_actions="random")
    check_state_space(env)
    check_state(env, 40)


@pytest.mark.parametrize("name", ["4A", "8B", "12B"])
def test_pettingzoo_renders(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: mascarade_v0.env(name, render_mode=render_mode))
    assert name in capsys.readouterr().out  # "human" prints


def test_pettingzoo_saves_no_pictures_of_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    check_save_obs(mascarade_v0.env("4A"))
    assert "did not save" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


# Against Game


def assert_follows(env: Any, game: Game, options: dict[str, Any]) -> None:
    bare = env.unwrapped
    padded = options.get("padded", False)
    asked = None if game.over else f"player_{game.player}"
    if asked:
        assert env.agent_selection == asked
    legal = np.zeros(env.action_space("player_0").n, np.int8)
    ids = np.flatnonzero(np.isin(bare.batch.unpadded, game.legal_ids()))
    legal[ids] = 1
    assert len(ids) == len(game.legal_ids())
    for player, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        expected = game.observation(player, options.get("track", "both"), padded=padded)
        assert same(seen["observation"], expected)
        assert same(seen["action_mask"], legal if agent == asked else np.zeros_like(legal))
        assert seen in env.observation_space(agent)
        if agent in env.infos:
            assert same(env.infos[agent]["action_mask"], seen["action_mask"])
    assert same(env.state(), game.full_state(0, padded=padded))
    assert env.state() in env.state_space


def assert_a_game(name: str | Scenario, seed: int, **options: Any) -> Game:
    """Play a game in the environment and in `Game` with the same action ids."""
    env = mascarade_v0.env(name, **options)
    env.reset(seed=seed)
    game = Game(name, seed=seed)
    step = 0
    while not game.over:
        assert_follows(env, game, options)
        assert not any(env.rewards.values())
        assert not any(env.terminations.values()) | any(env.truncations.values())
        action = whim(env.last()[0]["action_mask"], step + seed)
        env.step(action)
        game.play(int(env.unwrapped.batch.unpadded[action]))
        step += 1
    assert_follows(env, game, options)
    assert env.game.to_record() == game.to_record()
    returns = dict(zip(env.agents, game.returns(), strict=True))
    assert env.rewards == pytest.approx(returns)
    assert set(env.terminations.values()) == {not game.truncated}
    assert set(env.truncations.values()) == {game.truncated}
    left = env.agents.copy()
    for agent in left:
        assert env.agent_selection == agent
        assert env.last()[1] == pytest.approx(returns[agent])
        env.step(None)
    assert not env.agents
    assert_follows(env.unwrapped, game, options)
    return game


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_and_action_ids_give_the_same_game_as_game(name: str) -> None:
    assert_a_game(name, seed=NAMES.index(name))


@pytest.mark.parametrize("track", ["memory", "belief", "both"])
@pytest.mark.parametrize("padded", [False, True])
def test_tracks_and_padding(track: str, padded: bool) -> None:
    assert_a_game("4B", 5, track=track, padded=padded)
    assert_a_game("8B", 6, track=track, padded=padded)


def test_rewards_are_those_of_the_rules() -> None:
    """Rules 7: a sole winner gets 1, several winners get less, void games give 0."""
    winners: Counter[int] = Counter()
    for seed in range(12):
        for scenario in (RICHEST, SHORT, "4A"):
            env = mascarade_v0.raw_env(scenario, track="memory")
            env.reset(seed=seed)
            step = seed
            while not env._over:
                assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0.0}
                env.step(whim(env.last()[0]["action_mask"], step))
                step += 1
            won = env.game.winners
            assert won is not None
            w, n = len(won), 4
            winners[w] += 1
            for player, agent in enumerate(env.possible_agents):
                paid = (n - w) / (w * (n - 1)) if player in won else -1 / (n - 1)
                assert env.rewards[agent] == pytest.approx(paid if won else 0)
                assert type(env.rewards[agent]) is float
            assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-6)
            assert set(env.truncations.values()) == {not won}
    assert min(winners[0], winners[1], winners[2]) > 0


@pytest.mark.parametrize(
    "scenario", ["4A", "8B", RICHEST, SHORT], ids=["4A", "8B", "richest", "short"]
)
def test_shaping(scenario: str | Scenario) -> None:
    """Rewards before the end are subtracted at the end, and `last` returns each agent's sum."""
    env = mascarade_v0.env(scenario, shaping=0.5)
    paid_on_the_way = 0
    for seed in range(6):
        env.reset(seed=seed)
        owed = dict.fromkeys(env.agents, 0.0)
        total = dict.fromkeys(env.agents, 0.0)
        goal = env.unwrapped.scenario.goal_coins
        step, leads = seed, dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            assert reward == pytest.approx(owed[agent], abs=1e-6)
            owed[agent] = 0.0
            if terminated or truncated:
                env.step(None)
                assert not any(env.rewards.values())
                continue
            env.step(whim(seen["action_mask"], step))
            step += 1
            assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-6)
            game = env.game
            before, mean = leads, sum(game.coins) / len(game.coins)
            leads = {
                f"player_{player}": 0.5 * (coins - mean) / goal
                for player, coins in zip(game.player_at, game.coins, strict=True)
            }
            for name, reward in env.rewards.items():
                owed[name] += reward
                total[name] += reward
                paid_on_the_way += reward != 0 and not game.over
                if not game.over:
                    assert reward == pytest.approx(leads[name] - before[name], abs=1e-6)
        final = env.game
        plain = dict(zip(env.possible_agents, final.returns(), strict=True))
        assert total == pytest.approx(leads if final.truncated else plain, abs=1e-5)
    assert paid_on_the_way >= 10


# Seeds, copies


def test_a_reset_without_seed_deals_the_next_game() -> None:
    envs = [mascarade_v0.env("4A"), mascarade_v0.raw_env("4A", track="memory")]
    for env in envs:
        env.reset(seed=5)
        for episode in range(4):
            assert env.unwrapped.game.meta["seed"] == episode_seed(5, episode)
            env.step(whim(env.infos[env.agent_selection]["action_mask"], 1))
            env.reset()
        env.reset(seed=5)
        assert env.unwrapped.game.to_record() == Game("4A", seed=5).to_record()
    deals = set()
    for _ in range(8):
        env = mascarade_v0.env("4A")
        env.reset()
        deals.add(env.unwrapped.game.meta["seed"])
    assert len(deals) == 8


def test_global_random_generators_have_no_effect() -> None:
    def burn() -> None:
        np.random.seed(random.randrange(99))
        random.seed(3)

    courses = []
    for burnt in (burn, lambda: None):
        env = mascarade_v0.env("4A", illegal_actions="random")
        burnt()
        env.reset(seed=11)
        courses.append(course(env, burn=burnt))
    assert same(*courses)


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
@pytest.mark.parametrize("make", [mascarade_v0.env, mascarade_v0.raw_env])
def test_copies_go_on_alike_and_by_themselves(
    make: Callable[..., Any], copied: Callable[[Any], Any]
) -> None:
    """At any step, also with illegal actions, so a copy needs the state of the generator."""
    options = {"scenario": SHORT, "shaping": 1.0, "illegal_actions": "random"}
    env = make(**options)
    early = copied(env)
    for each in (env, early):
        each.reset()
    assert same(shown(env), shown(early))
    for each in (env, early):
        each.reset(seed=8)
    told = course(copied(env))
    assert same(course(early), told)
    for step in range(len(told)):
        assert same(shown(env), told[step])
        assert same(course(copied(env), step), told[step:])
        assert same(shown(env), told[step])
        if env.agents:
            dead = env.unwrapped._over
            mask = env.infos[env.agent_selection]["action_mask"]
            env.step(None if dead else whim(mask if step % 5 < 4 else mask == 0, step))
    twin = copied(env)
    twin.reset()
    env.reset()
    assert same(shown(twin), shown(env))


@pytest.mark.parametrize("copied", [lambda env: env, copy.deepcopy, pickled])
def test_writing_into_returned_arrays_changes_no_game(copied: Callable[[Any], Any]) -> None:
    """An array is read-only, or it is a copy."""
    env = mascarade_v0.env("4A")
    env.reset(seed=1)
    env = copied(env)
    before = shown(env)
    arrays = [env.state()]
    for agent in env.agents:
        arrays += env.observe(agent).values()
    for array in arrays:
        if array.flags.writeable:
            array[:] = 1 - array
    assert same(shown(env), before)
