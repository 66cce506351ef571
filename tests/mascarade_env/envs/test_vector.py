"""The vector environment against single environments, in every autoreset mode."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from mascarade_env import MascaradeError
from mascarade_env.envs._learner_tables import LearnerTables
from mascarade_env.game._rng import episode_seed
from tests.mascarade_env.envs.opposition import (
    NAMES,
    OPPONENTS,
    RICHEST,
    SHORT,
    arrays,
    equal,
    picks,
    single,
    varied,
    vector,
)
from tests.messages import facts

MODES = list(AutoresetMode)
SEEDS = [5, 2**62, 0, 17]
ALL = np.ones(4, np.bool_)


class Loop:
    """Single environments, stepped in a loop and reset by the test."""

    def __init__(self, mode: AutoresetMode, count: int = 4, **options: Any) -> None:
        self.mode = mode
        self.envs = [single(**options).unwrapped for _ in range(count)]
        self.over = [False] * count

    def reset(self, seeds: Any, rows: Any = ALL) -> list[Any]:
        for row in np.flatnonzero(rows):
            self.over[row] = False
        return [
            env.reset(seed=None if seeds is None else seeds[row]) if rows[row] else None
            for row, env in enumerate(self.envs)
        ]

    def step(self, actions: Any) -> list[dict[str, Any]]:
        told = []
        for row, env in enumerate(self.envs):
            if self.over[row]:
                assert self.mode == AutoresetMode.NEXT_STEP
                seen, info = env.reset()
                reward, terminated, truncated = 0.0, False, False
            else:
                seen, reward, terminated, truncated, info = env.step(actions[row])
            self.over[row] = terminated or truncated
            line = {"reward": reward, "terminated": terminated, "truncated": truncated}
            if self.over[row] and self.mode == AutoresetMode.SAME_STEP:
                line |= {"final_obs": seen, "final_info": info}
                seen, info = env.reset()
                self.over[row] = False
            told.append({**line, "observation": seen, "info": info})
        return told


def assert_info(info: dict[str, Any], row: int, expected: dict[str, Any]) -> None:
    assert equal(info["action_mask"][row], expected["action_mask"])
    assert info["learner"][row] == expected["learner"]
    assert info["_action_mask"][row]
    assert info["_learner"][row]
    assert bool(info.get("illegal_action", ALL & False)[row]) == ("illegal_action" in expected)


def assert_step(step: Any, lines: list[dict[str, Any]]) -> int:
    """Compare a step of the vector with the single environments; return the ended games."""
    seen, reward, terminated, truncated, info = step
    ended = sum("final_obs" in line for line in lines)
    assert ("final_obs" in info) == ("final_info" in info) == (ended > 0)
    assert (seen.dtype, terminated.dtype, truncated.dtype) == (np.float32, np.bool_, np.bool_)
    assert info["action_mask"].dtype == np.int8
    for row, line in enumerate(lines):
        assert (seen[row] == line["observation"]).all()
        assert reward[row] == np.float32(line["reward"])
        assert terminated[row] == line["terminated"]
        assert truncated[row] == line["truncated"]
        assert_info(info, row, line["info"])
        if ended:
            assert info["_final_obs"][row] == info["_final_info"][row] == ("final_obs" in line)
            if "final_obs" in line:
                assert equal(info["final_obs"][row], line["final_obs"])
                assert_info(info["final_info"], row, line["final_info"])
            else:
                assert info["final_obs"][row] is None
                assert not info["final_info"]["_action_mask"][row]
    return ended or int((terminated | truncated).sum())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", OPPONENTS)
@pytest.mark.parametrize("seat", [2, "random"])
def test_tables_are_single_environments(seat: Any, opponents: str, mode: AutoresetMode) -> None:
    for number, scenario in enumerate(("4A", SHORT, RICHEST)):
        options = {
            "scenario": scenario, "seat": seat, "opponents": OPPONENTS[opponents],
            "shaping": 0.5 * number, "illegal_actions": ("random", "terminate")[number % 2],
            "padded": number == 2, "track": ("both", "memory", "belief")[number],
        }  # fmt: skip
        many, loop = vector(autoreset_mode=mode, **options), Loop(mode, **options)
        seen, info = many.reset(seed=SEEDS)
        ended = 0
        for row, (alone, told) in enumerate(loop.reset(SEEDS)):
            assert equal(seen[row], alone)
            assert_info(info, row, told)
        chance = np.random.default_rng(3)
        for _ in range(70):
            actions = picks(info["action_mask"], chance, illegal=0.03)
            step = many.step(actions)
            ended += assert_step(step, loop.step(actions))
            info = step[4]
            assert equal(many.action_masks(), info["action_mask"] == 1)
            over = step[2] | step[3]
            if mode == AutoresetMode.DISABLED and over.any():
                with pytest.raises(
                    MascaradeError, match=facts("tables", "reset(options", "reset_mask")
                ):
                    many.step(actions)
                seen, info = many.reset(options={"reset_mask": over})
                for row, told in enumerate(loop.reset(None, over)):
                    assert info["_action_mask"][row] == info["_learner"][row] == over[row]
                    if told is not None:
                        assert equal(seen[row], told[0])
                        assert_info(info, row, told[1])
                    else:
                        assert equal(seen[row], step[0][row])
                assert not many.tables.over.any()
        assert ended >= 8


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_every_scenario(name: str, mode: AutoresetMode) -> None:
    """Random opponents decide in compiled code, or one by one with a record: no difference."""
    options: dict[str, Any] = {
        "scenario": name,
        "seat": ("rotate", "random", 1)[NAMES.index(name) % 3],
    }
    fast = vector(autoreset_mode=mode, **options)
    slow = vector(autoreset_mode=mode, render_mode="ansi", **options)
    seed = NAMES.index(name)
    first = fast.reset(seed=seed)
    assert equal(first, slow.reset(seed=seed))
    chance = np.random.default_rng(seed)
    info = first[1]
    for number in range(45):
        actions = picks(info["action_mask"], chance, illegal=0.03)
        one, other = fast.step(actions), slow.step(actions)
        assert equal({**one[4], "final_obs": 0}, {**other[4], "final_obs": 0})
        finals = [step[4].get("final_obs", ()) for step in (one, other)]
        for left, right in zip(*finals, strict=True):
            assert (left is None and right is None) or equal(left, right)
        assert equal(one[:4], other[:4])
        info, over = one[4], one[2] | one[3]
        if mode == AutoresetMode.DISABLED and over.any():
            told = [each.reset(options={"reset_mask": over}) for each in (fast, slow)]
            assert equal(*told)
            info = told[0][1]
        if number % 5 == 0:
            row = number % 4
            game = slow.tables.game(row)
            assert (
                game.observation(int(info["learner"][row])) == slow.tables.observation[row]
            ).all()
    assert fast.tables._within
    assert not slow.tables._within


@pytest.mark.parametrize("mode", MODES)
def test_it_agrees_with_gymnasiums_vectors_of_single_environments(mode: AutoresetMode) -> None:
    options: dict[str, Any] = {
        "scenario": SHORT, "seat": "random", "opponents": varied, "illegal_actions": "random",
    }  # fmt: skip
    many = vector(autoreset_mode=mode, **options)
    sync = gymnasium.make_vec(
        "Mascarade-v0", 4, "sync", vector_kwargs={"autoreset_mode": mode}, **options
    )
    assert isinstance(sync, SyncVectorEnv)
    assert many.metadata["autoreset_mode"] == sync.metadata["autoreset_mode"] == mode
    for name in (
        "observation_space", "action_space", "single_observation_space", "single_action_space",
    ):  # fmt: skip
        assert getattr(many, name) == getattr(sync, name)
    chance = np.random.default_rng(3)
    seeds: tuple[Any, ...] = (3, SEEDS)
    for seed in seeds:
        first = many.reset(seed=seed)
        assert equal(first, sync.reset(seed=seed))
        info = first[1]
        for _ in range(40):
            actions = picks(info["action_mask"], chance, illegal=0.05)
            one, other = many.step(actions), sync.step(actions)
            assert equal(one[0], other[0])
            assert np.allclose(one[1], other[1])
            assert equal(one[2:4], other[2:4])
            info, over = one[4], one[2] | one[3]
            assert_infos(info, other[4])
            if mode == AutoresetMode.DISABLED and over.any():
                told = [each.reset(options={"reset_mask": over}) for each in (many, sync)]
                assert equal(told[0][0], told[1][0])
                assert (told[0][1]["_action_mask"] == told[1][1]["_action_mask"]).all()
                assert (told[0][1]["action_mask"][over] == told[1][1]["action_mask"][over]).all()
                info = told[0][1]


def assert_infos(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Compare two infos of vectors: the same keys, rows and values."""
    illegal = {"illegal_action", "_illegal_action"}  # in the next test
    assert one.keys() - illegal == other.keys() - illegal
    for key in other.keys() - illegal:
        if key.startswith("_"):
            assert equal(one[key], other[key]), key
        elif isinstance(other[key], dict):
            assert_infos(one[key], other[key])
        else:
            assert type(one[key]) is type(other[key])
            assert one[key].dtype == other[key].dtype, key
            for row in np.flatnonzero(other[f"_{key}"]):
                assert equal(one[key][row], other[key][row]), key


def test_only_rows_with_an_illegal_action_have_that_info() -> None:
    actions = np.array([0, 5, 0, 99])
    for mode in MODES:
        many = vector(autoreset_mode=mode)
        sync = gymnasium.make_vec(
            "Mascarade-v0", 4, "sync", vector_kwargs={"autoreset_mode": mode}, scenario="4A"
        )
        told = []
        for each in (many, sync):
            each.reset(seed=1)
            info = each.step(actions)[4]
            told.append(info.get("final_info", info))
        for key in ("illegal_action", "_illegal_action"):
            assert told[1][key].tolist() == [False, True, False, True]
            assert told[0][key].tolist() == told[1][key].tolist(), key
    many = vector(SHORT, autoreset_mode="SameStep", illegal_actions="random", seat="rotate")
    _, info = many.reset(seed=1)
    while "final_info" not in info:
        wrong = info["action_mask"].argmin(axis=1)
        info = many.step(wrong)[4]
    over = info["_final_info"]
    assert not over.all()
    assert (info["final_info"]["_illegal_action"] == over).all()
    assert (info["final_info"]["illegal_action"] == over).all()
    assert (info["illegal_action"] == ~over).all()
    assert (info["_illegal_action"] == ~over).all()


def test_seeds() -> None:
    plain = vector(seat="random", track="memory")
    for given, meant in (
        (7, [7, 8, 9, 10]),
        (np.int64(7), [7, 8, 9, 10]),
        ((1, 2, 1, 2), [1, 2, 1, 2]),
        (np.array([3, 2, 1, 0]), [3, 2, 1, 0]),
        (range(4), [0, 1, 2, 3]),
        (2**63 - 2, [2**63 - 2, 2**63 - 1, 0, 1]),
    ):
        plain.reset(seed=given)
        assert plain.tables.batch.state["seed"].tolist() == meant
    plain.reset(seed=SEEDS)
    plain.reset()
    plain.reset(options={"reset_mask": np.array([True, False, False, True])})
    expected = [episode_seed(seed, 1 + (row in (0, 3))) for row, seed in enumerate(SEEDS)]
    assert plain.tables.batch.state["seed"].tolist() == expected
    plain.reset(seed=[9, 9, 9, 8], options={"reset_mask": np.array([False, True, False, True])})
    assert plain.tables.batch.state["seed"].tolist() == [expected[0], 9, expected[2], 8]
    assert len(set(vector(num_envs=50).tables.batch.state["seed"].tolist())) == 50
    for seed in ([1, 2, 3], -1, 2**63, "a", 1.5, True, [1, 2, 3, None], [0, 1, 2, -3]):
        before = plain.tables.batch.state.tobytes()
        with pytest.raises(MascaradeError, match="seed"):
            plain.reset(seed=seed)
        assert plain.tables.batch.state.tobytes() == before


def test_seats_rotate_at_each_table() -> None:
    """Table i begins at seat i; each game is that of a single environment with this seat."""
    many = vector("5A", num_envs=7)
    assert many.reset(seed=1)[1]["learner"].tolist() == [0] * 7
    many = vector("5A", num_envs=7, seat="rotate", autoreset_mode="Disabled")
    seen, info = many.reset(seed=1)
    assert info["learner"].tolist() == [0, 1, 2, 3, 4, 0, 1]
    for row in range(7):
        assert equal(single("5A", seat=row % 5).unwrapped.reset(seed=1 + row)[0], seen[row])
    some = np.array([True, False, True, False, True, False, True])
    seen, info = many.reset(options={"reset_mask": some})
    assert info["learner"].tolist() == [1, 1, 3, 3, 0, 0, 2]
    for row in np.flatnonzero(some).tolist():
        alone = single("5A", seat=int(info["learner"][row])).unwrapped
        assert equal(alone.reset(seed=episode_seed(1 + row, 1))[0], seen[row])
    _, info = many.reset()
    assert info["learner"].tolist() == [2, 2, 4, 4, 1, 1, 3]
    _, info = many.reset(seed=4)
    assert info["learner"].tolist() == [0, 1, 2, 3, 4, 0, 1]


@pytest.mark.parametrize("mode", MODES)
def test_returned_arrays_are_copies(mode: AutoresetMode) -> None:
    """Writing into them changes no game, and later steps do not change them."""
    one, other = (vector(SHORT, autoreset_mode=mode, shaping=0.3) for _ in range(2))
    told = [one.reset(seed=2), other.reset(seed=2)]
    chance = np.random.default_rng(0)
    kept: list[tuple[Any, Any]] = []
    for _ in range(20):
        masks = told[1][-1]["action_mask"]
        kept.append((told[1], copy.deepcopy(told[1])))
        actions = picks(masks, chance)
        for array in arrays(told[0]):
            array[...] = 1 if array.dtype == np.bool_ else 77
        one.action_masks()[:] = False
        if mode == AutoresetMode.DISABLED and other.tables.over.any():
            over = {"reset_mask": other.tables.over}
            told = [one.reset(options=over), other.reset(options=over)]
        else:
            told = [one.step(actions), other.step(actions)]
        assert all(map(np.array_equal, arrays(told[0]), arrays(told[1])))
    for now, then in kept:
        assert all(map(np.array_equal, arrays(now), arrays(then)))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", OPPONENTS)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_go_on_alike_and_by_themselves(
    copied: Callable[[Any], Any], opponents: str, mode: AutoresetMode
) -> None:
    def run(env: Any, steps: int) -> list[Any]:
        chance, told = np.random.default_rng(1), []
        for _ in range(steps):
            over = env.tables.over
            if mode == AutoresetMode.DISABLED and over.any():
                told.append(env.reset(options={"reset_mask": over}))
            told.append(env.step(picks(env.action_masks(), chance, illegal=0.1)))
        return arrays(tuple(told))

    env = vector(
        SHORT, autoreset_mode=mode, seat="random", opponents=OPPONENTS[opponents],
        illegal_actions="random",
    )  # fmt: skip
    early = copied(env)
    assert all(map(np.array_equal, arrays(env.reset()), arrays(early.reset())))
    for _ in range(5):
        run(env, 3)
        twin, again = copied(env), copied(env)
        ahead = run(twin, 15)
        assert all(map(np.array_equal, run(again, 15), ahead))
    assert all(map(np.array_equal, run(env, 15), ahead))
    assert len(ahead) > 60
    tables = LearnerTables("4A", 3, opponents=OPPONENTS[opponents], recording=True)
    tables.reset(seed=[1, 2, 3])
    other = copied(tables)
    for each in (tables, other):
        each.step(each.mask.argmax(axis=1))
    assert tables.game(1).to_record() == other.game(1).to_record()
    assert (tables.observation == other.observation).all()


def test_wrappers_of_gymnasium_for_vectors() -> None:
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector(SHORT, autoreset_mode=mode))
        _, info = env.reset(seed=1)
        ended, lengths = 0, []
        chance = np.random.default_rng(0)
        for _ in range(30):
            _, _, terminated, truncated, info = env.step(picks(info["action_mask"], chance))
            if (terminated | truncated).any():
                ended += int((terminated | truncated).sum())
                lengths += info["episode"]["l"][info["_episode"]].tolist()
        assert len(lengths) == ended > 4
        assert min(lengths) > 1
