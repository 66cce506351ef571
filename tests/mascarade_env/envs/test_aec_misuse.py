"""Wrong uses of the PettingZoo environment."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mascarade_env import (
    Game,
    IllegalActionError,
    MascaradeError,
    Scenario,
    mascarade_v0,
    scenarios,
)
from tests.messages import facts

NO_NUMBERS = [1.0, np.float64(1), True, np.True_, "1", "take:1", [1], np.array([1]), {}]
OUT_OF_RANGE = [-1, 26, np.int64(-1), 2**31, 2**63 - 1, -(2**63), 2**63, 10**30, -(10**30)]


def new(**options: Any) -> Any:
    env = mascarade_v0.raw_env("4A", track="memory", **options)
    env.reset(seed=1)
    return env


def legal(env: Any) -> list[int]:
    ids: list[int] = np.flatnonzero(env.infos[env.agent_selection]["action_mask"]).tolist()
    return ids


def play_out(env: Any, seed: int = 0) -> None:
    """Play until the dead steps begin."""
    chance = np.random.default_rng(seed)
    while not any(env.terminations.values()):
        env.step(int(chance.choice(legal(env))))


def taken(env: Any) -> list[tuple[int, str]]:
    history: list[tuple[int, str]] = env.unwrapped.game.history
    return history


@pytest.mark.parametrize("mode", ["raise", "terminate", "random"])
@pytest.mark.parametrize("action", NO_NUMBERS, ids=repr)
def test_an_action_is_a_whole_number(action: Any, mode: str) -> None:
    env = new(illegal_actions=mode)
    before = env.observe("player_0")["observation"], env.infos["player_0"]["action_mask"]
    with pytest.raises(MascaradeError, match=facts("action id", "whole number", repr(action))):
        env.step(action)
    assert env.agent_selection == "player_0"
    assert not taken(env)
    assert (env.observe("player_0")["observation"] == before[0]).all()
    assert (env.infos["player_0"]["action_mask"] == before[1]).all()
    env.step(legal(env)[0])


@pytest.mark.parametrize("mode", ["raise", "terminate", "random"])
def test_none_is_for_agents_whose_game_is_over(mode: str) -> None:
    env = new(illegal_actions=mode)
    with pytest.raises(MascaradeError, match=facts("player_0", None)):
        env.step(None)
    assert not taken(env)
    assert not any(env.terminations.values())


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int32, np.uint64, np.int64, np.array])
def test_any_integer_type_is_accepted(kind: Callable[[int], Any]) -> None:
    env = new()
    action = legal(env)[-1]
    env.step(kind(action))
    game = Game("4A", seed=1)
    game.play(action)
    assert taken(env) == game.history


@pytest.mark.parametrize("action", [0, *OUT_OF_RANGE], ids=repr)
@pytest.mark.parametrize("wrapped", [False, True])
def test_raise_leaves_the_game_unchanged(action: int, wrapped: bool) -> None:
    action = 5 if action == 0 else action  # look, in the opening
    env = mascarade_v0.env("4A") if wrapped else mascarade_v0.raw_env("4A")
    env.reset(seed=1)
    before = env.state()
    refused = (
        facts("action id", action, 25) if action in OUT_OF_RANGE else facts("'look'", "take:1")
    )
    with pytest.raises(IllegalActionError, match=refused):
        env.step(action)
    assert env.agent_selection == "player_0"
    assert (env.state() == before).all()
    assert "illegal_action" not in env.infos["player_0"]
    env.step(legal(env)[0])
    assert env.unwrapped.game.history == [(0, "take:1")]


@pytest.mark.parametrize("action", [5, *OUT_OF_RANGE], ids=repr)
def test_terminate(action: int) -> None:
    """The acting agent gets -1 and the others share 1; the game does not change."""
    env = new(illegal_actions="terminate")
    env.step(legal(env)[0])
    env.step(legal(env)[0])
    culprit = env.agent_selection
    assert culprit == "player_1"
    env.step(action)
    assert env.rewards == pytest.approx(
        {agent: -1 if agent == culprit else 1 / 3 for agent in env.agents}
    )
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert {agent for agent in env.agents if "illegal_action" in env.infos[agent]} == {culprit}
    assert env.infos[culprit]["illegal_action"] is True
    assert len(taken(env)) == 2
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    shares = dict.fromkeys(env.possible_agents, 1 / 3)
    assert rewards == pytest.approx(shares | {culprit: -1})
    env.reset(seed=2)
    assert not any("illegal_action" in info for info in env.infos.values())
    env.step(legal(env)[0])


def test_terminate_with_shaping_subtracts_earlier_rewards() -> None:
    env = new(illegal_actions="terminate", shaping=2.0)
    total = dict.fromkeys(env.agents, 0.0)
    chance = np.random.default_rng(3)
    moved = False
    while not moved:
        env.step(int(chance.choice(legal(env))))
        assert not any(env.terminations.values())
        for agent, reward in env.rewards.items():
            total[agent] += reward
        moved = any(abs(paid) > 0.01 for paid in total.values())
    culprit = env.agent_selection
    env.step(-1)
    for agent, reward in env.rewards.items():
        total[agent] += reward
    wanted = {agent: -1 if agent == culprit else 1 / 3 for agent in total}
    assert total == pytest.approx(wanted, abs=1e-5)


def test_random_takes_a_legal_action_instead() -> None:
    """The info of the acting agent reports it, right after the step."""
    env = new(illegal_actions="random")
    chance = np.random.default_rng(3)
    phases = set()
    for step in range(40):
        agent, phase, before = env.agent_selection, env.game.phase, len(taken(env))
        if step % 2:
            phases.add(phase)
            able = set(legal(env))
            choices = [k for k in range(env.action_space(agent).n) if k not in able]
            env.step(int(chance.choice([*choices, -1, 10**6, 2**63 - 1])))
        else:
            env.step(int(chance.choice(legal(env))))
        if any(env.terminations.values()):
            break
        assert len(taken(env)) == before + 1
        assert env.infos[agent].get("illegal_action", False) is bool(step % 2), phase
    assert {"turn", "table", "challenge"} <= phases


def test_random_replacements_are_uniform_and_depend_on_the_seed() -> None:
    firsts = []
    for _ in range(2):
        env = mascarade_v0.raw_env("4A", illegal_actions="random", track="memory")
        found = []
        for seed in range(400):
            env.reset(seed=seed)
            env.step(99)
            found.append(env.game.history[0][1])
        firsts.append(found)
    assert firsts[0] == firsts[1]
    counts = {word: firsts[0].count(word) for word in firsts[0]}
    assert set(counts) == {f"take:{slot}" for slot in range(1, 6)}
    assert all(45 <= count <= 115 for count in counts.values())  # 80 expected, deviation 8


@pytest.mark.parametrize("wrapped", [False, True])
def test_after_the_end(wrapped: bool) -> None:
    env = mascarade_v0.env("4A") if wrapped else mascarade_v0.raw_env("4A")
    env.reset(seed=1)
    play_out(env)
    first = env.agent_selection
    with pytest.raises(ValueError, match=facts("over", "player_0", None)):
        env.step(0)
    assert env.agent_selection == first
    for _ in range(4):
        env.step(None)
    assert env.agents == []
    if not wrapped:  # the wrapper logs a warning, as it does for all environments
        for action in (None, 0):
            with pytest.raises(MascaradeError, match=facts("over", "reset")):
                env.step(action)
    game = env.unwrapped.game
    for player, agent in enumerate(env.possible_agents):
        assert (env.observe(agent)["observation"] == game.observation(player)).all()
    env.reset()
    assert env.agents == env.possible_agents


def test_unknown_agents() -> None:
    env = mascarade_v0.env("4A")
    env.reset(seed=1)
    for agent in ("player_4", "nobody", "", 0, None):
        with pytest.raises(
            MascaradeError, match=facts("agent", repr(agent), "player_0", "player_3")
        ):
            env.observe(agent)


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.step(None),
        lambda env: env.observe("player_0"),
        lambda env: env.state(),
        lambda env: env.render(),
        lambda env: env.game,
        lambda env: env.last(),
        lambda env: env.agents,
        lambda env: next(iter(env.agent_iter())),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_before_reset(use: Callable[[Any], Any], wrapped: bool) -> None:
    """Calls raise an error, and attributes that do not exist yet are missing, not wrong."""
    make = mascarade_v0.env if wrapped else mascarade_v0.raw_env
    env = make("4A", render_mode="ansi")
    with pytest.raises((MascaradeError, AssertionError, AttributeError), match=r"reset|attribute"):
        use(env)
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert env.action_space("player_0") is env.action_space("player_0")
    env.reset(seed=4)
    use_after = env.observe("player_0")["observation"]
    assert (use_after == Game("4A", seed=4).observation(0)).all()


@pytest.mark.parametrize("seed", [-1, 2**63, "a", 1.5, True])
def test_seeds_that_are_refused(seed: Any) -> None:
    env = new()
    before = taken(env), env.state()
    with pytest.raises(MascaradeError, match=facts("seed", repr(seed))):
        env.reset(seed=seed)
    assert (env.state() == before[1]).all()
    env.step(legal(env)[0])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"illegal_actions": "ignore"},
            ("illegal_actions", "raise", "terminate", "random", "'ignore'"),
        ),
        ({"illegal_actions": None}, ("illegal_actions", "raise", "terminate", "random", None)),
        ({"track": "all"}, ("track", "memory", "belief", "both", "'all'")),
        ({"track": "full"}, ("track", "memory", "belief", "both", "'full'")),
        ({"track": None}, ("observations", "track")),
        ({"render_mode": "svg"}, ("render_mode", "ansi", "human", "rgb_array", "'svg'")),
        ({"render_mode": True}, ("render_mode", "ansi", "human", "rgb_array", True)),
        ({"scenario": "4Z"}, ("scenario", "'4Z'", "4A")),
        ({"shaping": "much"}, ("shaping", "finite", "'much'")),
        ({"shaping": float("nan")}, ("shaping", "finite", "nan")),
    ],
    ids=str,
)
def test_options_that_are_refused(options: dict[str, Any], why: tuple[object, ...]) -> None:
    with pytest.raises(MascaradeError, match=facts(*why)):
        mascarade_v0.env(**{"scenario": "4A", **options})


@pytest.mark.parametrize("perspective", ["nobody", 4, -1, None, "learner"])
def test_perspectives_that_are_refused(perspective: Any) -> None:
    with pytest.raises(
        MascaradeError, match=facts("perspective", 3, "onlooker", repr(perspective))
    ):
        new(render_mode="ansi", perspective=perspective).render()


def test_no_render_mode() -> None:
    env = new()
    with pytest.raises(MascaradeError, match=facts("render_mode", "ansi")):
        env.render()
    env.close()
    env.close()


def test_a_scenario_that_does_not_fit_padding() -> None:
    wide = Scenario("wide", 2, (*scenarios()["7A"].masks[:4], "widow"), strict=False)
    with pytest.raises(MascaradeError, match=facts("wide", "centre", 2, 3, "padded=False")):
        mascarade_v0.env(wide, padded=True)
    env = mascarade_v0.env(wide)
    env.reset(seed=1)
    assert env.agents == ["player_0", "player_1"]
