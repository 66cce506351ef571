"""Wrong uses of the Gymnasium environment, and failing opponents."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mascarade_env import IllegalActionError, MascaradeError, Scenario
from mascarade_env.game._rng import episode_seed
from tests.mascarade_env.envs.opposition import (
    BROKEN,
    MASKS,
    broken,
    course,
    equal,
    lowest,
    single,
)
from tests.messages import facts


@pytest.mark.parametrize("illegal", ["raise", "terminate", "random"])
@pytest.mark.parametrize("action", [5, -1, 26, 2**40, np.int8(-3)], ids=repr)
def test_illegal_actions(action: Any, illegal: str) -> None:
    env = single("4A", seat=1, illegal_actions=illegal, render_mode="ansi").unwrapped
    seen, info = env.reset(seed=1)
    history = env.game.history
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match=facts("row 0") + r".*(take:2|-?\d+ .*25)"):
            env.step(action)
        assert env.game.history == history
        _, _, terminated, _, told = env.step(int(info["action_mask"].argmax()))
        assert not terminated
        assert "illegal_action" not in told
        return
    after, reward, terminated, truncated, told = env.step(action)
    assert told["illegal_action"] is True
    assert not truncated
    if illegal == "random":
        assert (reward, terminated) == (0, False)
        assert env.game.history[len(history)][0] == 1
        told = env.step(int(told["action_mask"].argmax()))[4]
    else:
        assert (reward, terminated) == (-1, True)
        assert env.game.history == history
        assert (after == seen).all()
        assert told["action_mask"].all()
        with pytest.raises(MascaradeError, match=facts("over", "reset")):
            env.step(0)
        told = env.reset()[1]
    assert "illegal_action" not in told


@pytest.mark.parametrize(
    "action", [None, 1.0, "1", True, [0, 1], [], np.array([1.0]), 10**30, {}], ids=repr
)
@pytest.mark.parametrize("illegal", ["raise", "terminate", "random"])
def test_other_objects_as_actions(action: Any, illegal: str) -> None:
    env = single("4A", illegal_actions=illegal, render_mode="ansi").unwrapped
    env.reset(seed=1)
    with pytest.raises(MascaradeError, match=r"action.*whole number"):
        env.step(action)
    assert not env.game.history
    env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.game,
        lambda env: env.render(),
        lambda env: env.action_masks(),
    ],
    ids=["step", "game", "render", "action_masks"],
)
def test_before_reset(use: Callable[[Any], Any]) -> None:
    """There is no game yet, so there are no results."""
    env = single("4A", render_mode="ansi").unwrapped
    with pytest.raises(MascaradeError, match=facts("reset", "tables")):
        use(env)
    env.reset(seed=1)
    use(env)


def test_after_the_end() -> None:
    env = single("4A", render_mode="ansi").unwrapped
    env.reset(seed=1)
    while not env.step(int(env.action_masks().argmax()))[2]:
        pass
    with pytest.raises(MascaradeError, match=facts("over", "reset")):
        env.step(0)
    assert env.action_masks().all()
    assert env.game.over
    env.reset()
    assert not env.game.over


@pytest.mark.parametrize("render_mode", [None, "ansi"])
@pytest.mark.parametrize("good_for", [0, 4])
@pytest.mark.parametrize("how", BROKEN)
def test_an_opponent_that_fails(how: str, good_for: int, render_mode: Any) -> None:
    """In a reset or a step: after another reset the environment works again."""
    answer, why = BROKEN[how]
    options: dict[str, Any] = {"seat": 1, "render_mode": render_mode}
    env = single("4A", opponents=broken(answer, good_for), **options).unwrapped
    kinds = {"raises": ZeroDivisionError, "exits": SystemExit}
    with pytest.raises(kinds.get(how, MascaradeError), match=why):
        play_some(env)
    with pytest.raises(MascaradeError, match=facts("reset", "tables")):
        env.step(0)
    healthy = single("4A", opponents=lowest, **options).unwrapped
    assert equal(env.reset(seed=7), healthy.reset(seed=7))
    assert equal(tuple(course(env, 20)), tuple(course(healthy, 20)))


def play_some(env: Any) -> None:
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))


def test_a_failure_does_not_stop_the_series_of_games() -> None:
    env = single("4A", seat="rotate", opponents=broken(lambda mask: 1 // 0, 0), render_mode="ansi")
    env.reset(seed=1)  # the learner on seat 0 decides first
    with pytest.raises(ZeroDivisionError):
        env.reset()
    found = []
    for _ in range(3):
        env.reset()
        found.append(env.unwrapped.game.meta["seed"])
    series = [episode_seed(1, episode) for episode in range(8)]
    first = series.index(found[0])
    assert first in {1, 2}
    assert found == series[first : first + 3]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"seat": 4}, ("4A", 0, 3, 4)),
        ({"seat": -1}, ("seat", "rotate", "random", 0, -1)),
        ({"seat": True}, ("seat", "rotate", "random", "whole number", True)),
        ({"seat": None}, ("seat", "rotate", "random", "whole number", None)),
        ({"seat": "left"}, ("seat", "rotate", "random", "whole number", "'left'")),
        ({"seat": 1.0}, ("seat", "rotate", "random", "whole number", "1.0")),
        ({"opponents": "best"}, ("unknown agent", "'best'", "stopper")),
        ({"opponents": [lowest]}, ("opponents", "random", "function", "Pool")),
        ({"opponents": None}, ("opponents", "random", "function", "Pool")),
        (
            {"illegal_actions": "ignore"},
            ("illegal_actions", "raise", "terminate", "random", "'ignore'"),
        ),
        ({"track": None}, ("track", "both", None)),
        ({"shaping": float("nan")}, ("shaping", "finite", "nan")),
        (
            {"scenario": Scenario("brief", 4, MASKS, turn_limit=3)},
            ("brief", "3 turns", "turn_limit"),
        ),
    ],
    ids=lambda each: str(each)[:30],
)
def test_options_that_are_refused(options: dict[str, Any], why: tuple[object, ...]) -> None:
    for more in ({}, {"render_mode": "ansi"}, {"opponents": lowest}):
        with pytest.raises(MascaradeError, match=facts(*why)):
            single(**(more | options)).unwrapped.reset(seed=1)


def test_resets_that_are_refused() -> None:
    env = single("4A", render_mode="ansi").unwrapped
    env.reset(seed=1)
    before = env.game.to_record()
    with pytest.raises(MascaradeError, match=facts("options", "'learner'")):
        env.reset(options={"learner": 1})
    with pytest.raises(MascaradeError, match=facts("seed", "2**63-1", 2**63)):
        env.reset(seed=2**63)
    assert env.game.to_record() == before
    env.reset(options={})
