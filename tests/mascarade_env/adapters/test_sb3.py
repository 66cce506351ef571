"""The VecEnv against single environments, and with the tools of Stable-Baselines3."""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from mascarade_env import IllegalActionError, MascaradeError, Pool, Scenario, scenarios
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_env.envs._single import MascaradeEnv
from tests.messages import facts

SHORT = Scenario("short", 4, scenarios()["4A"].masks, turn_limit=12)  # most games end void
SIZE = 3


def first_legal(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = mask.argmax(axis=1)
    return found


def last_legal(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return found


def random_actions(masks: NDArray[np.bool_], chance: np.random.Generator) -> NDArray[np.int64]:
    found: NDArray[np.int64] = (chance.random(masks.shape) * masks).argmax(axis=1)
    return found


def stepped(env: MascaradeVecEnv, actions: NDArray[np.int64]) -> Any:
    """Return a step; SB3's types are too general."""
    return env.step(actions)


def weights_of(model: MaskablePPO) -> torch.Tensor:
    return torch.nn.utils.parameters_to_vector(model.policy.parameters()).detach().clone()


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def follow(steps: int, **options: Any) -> list[dict[str, Any]]:
    """Step a VecEnv and single environments with the same actions; return all final infos."""
    env = MascaradeVecEnv(SIZE, **options)
    seeds = env.seed(40)
    singles = [Monitor(MascaradeEnv(**options)) for _ in range(SIZE)]
    expected = np.stack([single.reset(seed=seeds[i])[0] for i, single in enumerate(singles)])
    observation = env.reset()
    chance = np.random.default_rng(0)
    ends = []
    for _ in range(steps):
        assert np.array_equal(observation, expected)
        masks = np.stack([single.get_wrapper_attr("action_masks")() for single in singles])
        assert np.array_equal(env.action_masks(), masks)
        actions = random_actions(masks, chance)
        observation, rewards, dones, infos = stepped(env, actions)
        for i, single in enumerate(singles):
            expected[i], reward, terminated, truncated, info = single.step(int(actions[i]))
            assert rewards[i] == np.float32(reward)
            assert dones[i] == (terminated or truncated)
            assert infos[i]["TimeLimit.truncated"] == (truncated and not terminated)
            assert ("terminal_observation" in infos[i]) == dones[i] == ("episode" in infos[i])
            if dones[i]:
                assert np.array_equal(infos[i]["terminal_observation"], expected[i])
                assert infos[i]["episode"]["r"] == pytest.approx(info["episode"]["r"], abs=1e-5)
                assert infos[i]["episode"]["l"] == info["episode"]["l"]
                expected[i] = single.reset()[0]
                ends.append(infos[i])
    return ends


@pytest.mark.parametrize("name", scenarios())
def test_every_scenario_plays_as_single_environments(name: str) -> None:
    follow(12, scenario=name, seat=1)


@pytest.mark.parametrize(
    "options",
    [
        {"track": "memory", "seat": 2},
        {"padded": True, "seat": 0},
        {"shaping": 0.5, "seat": "random", "opponents": first_legal},
        {"seat": "random", "opponents": Pool([first_legal, "random", last_legal], newest=0.3)},
    ],
    ids=["memory", "padded", "shaping", "pool"],
)
def test_further_games_are_those_of_single_environments(options: dict[str, Any]) -> None:
    ends = follow(80, scenario="4A", **options)
    assert len(ends) >= 2 * SIZE


def test_void_games_are_cut_off() -> None:
    ends = follow(40, scenario=SHORT, seat=0)
    assert any(info["TimeLimit.truncated"] for info in ends)


def test_the_learners_seat_rotates() -> None:
    env = MascaradeVecEnv(5, "4A", seed=0)
    env.reset()
    assert env.get_attr("learner") == [0, 1, 2, 3, 0]
    chance = np.random.default_rng(0)
    dones = np.zeros(5, np.bool_)
    while not dones[1]:
        dones = stepped(env, random_actions(env.action_masks(), chance))[2]
    assert env.get_attr("learner", 1) == [2]


def test_seeds_are_used_once() -> None:
    env = MascaradeVecEnv(3, "4A")
    env.seed(7)
    first = env.reset()
    assert np.array_equal(first, MascaradeVecEnv(3, "4A", seed=7).reset())
    assert not np.array_equal(first, env.reset())
    env.seed(7)
    assert np.array_equal(first, env.reset())


def test_neighbouring_seeds_share_no_game() -> None:
    env = MascaradeVecEnv(256, "4A")
    runs = [env.seed(seed) for seed in (0, 1, 2, 2**63 - 1)]
    assert len({seed for seeds in runs for seed in seeds}) == 4 * 256
    assert env.seed(1) == runs[1]
    assert MascaradeVecEnv(3, "4A").seed(1) == runs[1][:3]
    with pytest.raises(MascaradeError, match=facts("seed", "2**63-1", -1)):
        env.seed(-1)


def test_a_reset_during_a_game_resets_the_statistics() -> None:
    """With shaping, so that there are rewards before the end; against a new environment."""
    env, fresh = (MascaradeVecEnv(8, SHORT, shaping=0.5) for _ in range(2))
    chance = np.random.default_rng(1)
    env.seed(1)
    env.reset()
    for _ in range(3):
        rewards, dones = stepped(env, random_actions(env.action_masks(), chance))[1:3]
    assert not dones.all()
    assert rewards.any()
    for each in (env, fresh):
        each.seed(2)
    assert np.array_equal(env.reset(), fresh.reset())
    ended = np.zeros(8, np.bool_)
    while not ended.all():
        actions = random_actions(env.action_masks(), chance)
        dones, infos = stepped(env, actions)[2:]
        wanted = stepped(fresh, actions)[3]
        for row in np.flatnonzero(dones):
            for key in ("r", "l"):
                assert infos[row]["episode"][key] == wanted[row]["episode"][key]
        ended |= dones


def test_returned_arrays_do_not_change() -> None:
    env = MascaradeVecEnv(4, "4A", seed=0)
    chance = np.random.default_rng(0)
    kept = [env.reset()]
    copies = [kept[0].copy()]
    infos: list[dict[str, Any]] = []
    for _ in range(60):
        observation, rewards, dones, told = stepped(env, random_actions(env.action_masks(), chance))
        kept += [observation, rewards, dones]
        kept += [info["terminal_observation"] for info in told if "terminal_observation" in info]
        copies += [array.copy() for array in kept[len(copies) :]]
        infos += told
    assert all(np.array_equal(*pair) for pair in zip(kept, copies, strict=True))
    assert len({id(info) for info in infos}) == len(infos)


def test_illegal_actions_end_the_game_or_are_refused() -> None:
    env = MascaradeVecEnv(2, "4A", seed=0)
    env.reset()
    legal, last = int(env.action_masks()[0].argmax()), env.action_masks().shape[1] - 1
    observation, rewards, dones, infos = stepped(env, np.array([legal, last]))
    assert (rewards[1], dones.tolist()) == (-1, [False, True])
    assert "illegal_action" not in infos[0]
    assert infos[1]["illegal_action"] is True
    assert infos[1]["episode"]["r"] == -1
    assert not np.array_equal(infos[1]["terminal_observation"], observation[1])
    strict = MascaradeVecEnv(2, "4A", seed=0, illegal_actions="raise")
    before = strict.reset()
    with pytest.raises(IllegalActionError, match=facts("row 1", "illegal action", "legal")):
        strict.step(np.array([legal, last]))
    after, *_ = stepped(strict, np.array([legal, legal]))
    assert not np.array_equal(before, after)


def test_attributes_and_methods_by_indices() -> None:
    env = MascaradeVecEnv(4, "4A", seed=0)
    env.reset()
    assert env.has_attr("action_masks")
    assert env.has_attr("learner")
    assert not env.has_attr("no_such_attribute")
    masks = env.action_masks()
    found = env.env_method("action_masks", indices=[3, 1])
    assert [mask.tolist() for mask in found] == [masks[3].tolist(), masks[1].tolist()]
    assert all(mask.dtype == np.bool_ for mask in found)
    assert env.get_attr("action_masks", 2)[0]().tolist() == masks[2].tolist()
    assert env.get_attr("render_mode") == [None] * 4
    assert env.env_is_wrapped(Monitor, indices=[0, 2]) == [False, False]
    env.set_attr("level", 3)
    assert env.get_attr("level", [0, 3]) == [3, 3]
    with pytest.raises(AttributeError, match=facts("another", "tables", "attributes")):
        env.set_attr("another", 3, indices=0)
    with pytest.raises(AttributeError, match=facts("tables", "MascaradeVecEnv")):
        env.set_attr("tables", 3)
    with pytest.raises(AttributeError, match=facts("action_masks", "not render")):
        env.env_method("render")
    env.close()


def test_wrong_uses_are_refused() -> None:
    env = MascaradeVecEnv(2, "4A", seed=0)
    with pytest.raises(MascaradeError, match=facts("reset", "tables")):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(MascaradeError, match=facts("step_async", "step_wait")):
        env.step_wait()
    env.set_options({"deal": 1})
    with pytest.raises(MascaradeError, match=facts("reset", "options")):
        env.reset()
    env.reset()


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "mascarade_env.adapters.sb3")
    with pytest.raises(ImportError, match=r"pip install 'mascarade-env\[sb3\]'"):
        importlib.import_module("mascarade_env.adapters.sb3")


@pytest.mark.parametrize("illegal", ["terminate", "random"])
def test_the_single_environment_passes_the_checker(illegal: Any) -> None:
    check_env(MascaradeEnv("4A", illegal_actions=illegal))


def test_masks_are_found_through_wrappers() -> None:
    env = MascaradeVecEnv(4, "4A", seed=0)
    wrapped = VecNormalize(VecMonitor(env), norm_reward=False)
    wrapped.reset()
    assert is_masking_supported(wrapped)
    assert np.array_equal(get_action_masks(wrapped), env.action_masks())


def test_maskable_ppo_learns_saves_and_loads(tmp_path: Path) -> None:
    env = MascaradeVecEnv(8, "4A")
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, seed=3, device="cpu")
    before = weights_of(model)
    model.set_logger(Logger(None, []))
    model.learn(512)
    assert model.num_timesteps == 512
    assert not torch.equal(before, weights_of(model))
    assert model.ep_info_buffer
    assert all(abs(episode["r"]) <= 1 for episode in model.ep_info_buffer)
    model.save(tmp_path / "model")
    again = MaskablePPO.load(tmp_path / "model", env=env)
    again.set_logger(Logger(None, []))
    again.learn(256)
    observation, masks = env.reset(), env.action_masks()
    taken, _ = again.predict(observation, action_masks=masks)
    assert masks[np.arange(8), taken].all()


def test_the_same_seed_learns_the_same() -> None:
    def learned() -> torch.Tensor:
        pool = Pool([first_legal, last_legal])
        env = MascaradeVecEnv(4, "4A", opponents=pool)
        model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, seed=5, device="cpu")
        model.set_logger(Logger(None, []))
        return weights_of(model.learn(128))

    assert torch.equal(learned(), learned())


def test_policies_are_evaluated_through_a_monitor() -> None:
    env = VecMonitor(MascaradeVecEnv(8, "4A", seed=1))
    model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu")
    returns, lengths = evaluate_policy(model, env, 16, return_episode_rewards=True)
    assert isinstance(returns, list)
    assert isinstance(lengths, list)
    assert len(returns) == len(lengths) == 16
    assert {round(float(value), 3) for value in returns} <= {1.0, 0.333, 0.111, 0.0, -0.333}


def test_a_pool_may_grow_while_games_are_played() -> None:
    asked: list[int] = []

    def noted(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        asked.append(len(mask))
        return first_legal(observation, mask)

    pool = Pool(newest=1.0)
    env = MascaradeVecEnv(4, "4A", opponents=pool, seed=0)
    env.reset()
    chance = np.random.default_rng(0)
    pool.add(noted)
    ended = np.zeros(4, np.bool_)
    while not ended.any():
        assert not asked  # running games keep their opponents
        ended |= stepped(env, random_actions(env.action_masks(), chance))[2]
    for _ in range(5):
        env.step(random_actions(env.action_masks(), chance))
    assert asked
