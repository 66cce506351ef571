"""Rendering and wrong uses of the vector environment."""

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from mascarade_env import IllegalActionError, MascaradeError, Scenario
from tests.mascarade_env.envs.opposition import (
    BROKEN,
    MASKS,
    SHORT,
    broken,
    equal,
    lowest,
    picks,
    varied,
    vector,
)
from tests.messages import facts, states

MODES = list(AutoresetMode)
ALL = np.ones(4, np.bool_)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = vector("5B", render_mode="ansi", seat="rotate")
    env.reset(seed=3)
    pictures = env.render()
    assert len(pictures) == 4
    for row, text in enumerate(pictures):
        assert states(text.splitlines()[0], f"player {row}")
    env = vector("5B", render_mode="rgb_array", perspective="onlooker")
    env.reset(seed=3)
    assert all(each.dtype == np.uint8 and each.ndim == 3 for each in env.render())
    env = vector("5B", render_mode="human", perspective="all")
    env.reset(seed=3)
    capsys.readouterr()
    assert env.render() is None
    assert capsys.readouterr().out.count("5B") == 1
    env.close()
    plain = vector("5B")
    plain.reset(seed=1)
    with pytest.raises(MascaradeError, match=facts("render_mode", "ansi")):
        plain.render()


@pytest.mark.parametrize(
    ("mask", "why"),
    [
        ([True], (4, "bools")),
        (np.ones((4, 1), np.bool_), (4, "bools")),
        (np.array([1, 0, 0, 0]), (4, "bools")),
        (np.zeros(4, np.bool_), (4, "one True")),
        (None, (4, "bools")),
    ],
)
def test_reset_masks_that_are_refused(mask: Any, why: tuple[object, ...]) -> None:
    env = vector()
    env.reset(seed=1)
    before = env.tables.batch.state.tobytes()
    with pytest.raises(MascaradeError, match=facts("reset_mask", *why)):
        env.reset(options={"reset_mask": mask})
    with pytest.raises(MascaradeError, match=facts("reset_mask", "learner")):
        env.reset(options={"reset_mask": ALL, "learner": 3})
    assert env.tables.batch.state.tobytes() == before


@pytest.mark.parametrize("opponents", ["random", lowest])
def test_the_first_reset_is_of_all_tables(opponents: Any) -> None:
    """A reset of some tables is refused, or it also deals at tables without a game."""
    env = vector(opponents=opponents, seat=2, autoreset_mode="Disabled")
    try:
        env.reset(options={"reset_mask": np.array([True, False, False, True])})
    except MascaradeError as error:
        assert "reset" in str(error)  # noqa: PT017
        return
    chance = np.random.default_rng(0)
    for _ in range(8):
        assert env.tables.batch.player.tolist() == [2] * 4
        env.step(picks(env.action_masks(), chance))


@pytest.mark.parametrize("mode", MODES)
def test_illegal_actions_of_some_tables(mode: AutoresetMode) -> None:
    raising = vector(illegal_actions="raise", autoreset_mode=mode)
    _, info = raising.reset(seed=1)
    actions = info["action_mask"].argmax(axis=1)
    before = raising.tables.batch.state.tobytes()
    wrongs: tuple[Any, ...] = (
        [*actions[:3], 5], [*actions[:3], -1], actions[:3], actions[:, None], actions * 1.0,
        actions > 0, None, "look", {},
    )  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(IllegalActionError):
            raising.step(wrong)
        assert raising.tables.batch.state.tobytes() == before
    raising.step(actions.tolist())
    ending = vector(illegal_actions="terminate", autoreset_mode=mode)
    ending.reset(seed=1)
    _, reward, terminated, _, info = ending.step([actions[0], 5, actions[2], 10**6])
    assert reward.tolist() == [0, -1, 0, -1]
    assert terminated.tolist() == [False, True, False, True]
    told = info["final_info"] if mode == AutoresetMode.SAME_STEP else info
    assert told["illegal_action"].tolist() == [False, True, False, True]
    if mode == AutoresetMode.SAME_STEP:
        assert "illegal_action" not in info
        assert info["final_info"]["action_mask"][[1, 3]].all()


def test_ragged_actions_and_seeds() -> None:
    env = vector()
    env.reset(seed=1)
    with pytest.raises(MascaradeError, match=facts("actions", "4 whole numbers")):
        env.step([[1], [1, 2], [1], [1]])
    with pytest.raises(MascaradeError, match=facts("reset_mask", 4, "bools")):
        env.reset(options={"reset_mask": [[True], [True, False], True, True]})
    with pytest.raises(MascaradeError, match="seed"):
        env.reset(seed=[[1], [1, 2], 3, 4])


@pytest.mark.parametrize("render_mode", [None, "ansi"])
@pytest.mark.parametrize("how", ["raises", "illegal", "far", "scalar"])
def test_an_opponent_that_fails(how: str, render_mode: Any) -> None:
    answer, why = BROKEN[how]
    env, healthy = (
        vector("4A", opponents=policy, render_mode=render_mode, autoreset_mode="Disabled")
        for policy in (broken(answer, 12), lowest)
    )
    env.reset(seed=1)
    kind = ZeroDivisionError if how == "raises" else MascaradeError
    with pytest.raises(kind, match=why):
        play_some(env)
    with pytest.raises(MascaradeError, match=facts("reset", "tables")):
        env.step(env.action_masks().argmax(axis=1))
    assert equal(env.reset(seed=7), healthy.reset(seed=7))
    for _ in range(6):
        step, other = (each.step(each.action_masks().argmax(axis=1)) for each in (env, healthy))
        assert equal(step, other)


def test_after_a_failure_no_game_continues_half_done() -> None:
    """A reset of some tables is refused, or the others have lost no end and no reward."""
    for good_for in range(6, 20):
        policy = broken(lambda mask: 1 // 0, good_for)
        env = vector(SHORT, opponents=policy, seat="rotate", autoreset_mode="Disabled")
        env.reset(seed=[1, 2, 3, 4])
        with pytest.raises(ZeroDivisionError):
            play_to_an_end(env)
        over = ~env.tables.over & (env.tables.batch.player < 0)
        if over.any():  # a game had come to its end in the step that failed
            break
    assert over.any()
    try:
        env.reset(options={"reset_mask": ~over})
    except MascaradeError as error:
        assert "reset" in str(error)  # noqa: PT017
    else:
        assert env.tables.over[over].all()


def play_some(env: Any) -> None:
    for _ in range(20):
        env.step(env.action_masks().argmax(axis=1))


def play_to_an_end(env: Any) -> None:
    while not env.tables.over.any():
        env.step(env.action_masks().argmax(axis=1))
    raise ZeroDivisionError  # before the opponent failed


def test_options_that_are_refused() -> None:
    for options, why in (
        ({"num_envs": 0}, ("size", 1, 0)),
        ({"num_envs": 2.0}, ("size", "whole number", "2.0")),
        ({"seat": 4}, ("4A", 0, 3, 4)),
        ({"render_mode": "svg"}, ("render_mode", "ansi", "'svg'")),
        ({"opponents": "best"}, ("unknown agent", "'best'", "stopper")),
    ):
        with pytest.raises(MascaradeError, match=facts(*why)):
            vector(**options)
    with pytest.raises(
        MascaradeError, match=facts("autoreset_mode", "NextStep", "SameStep", "Disabled", "Never")
    ):
        vector(autoreset_mode="Never")
    brief = Scenario("brief", 4, MASKS, turn_limit=3)
    for opponents in ("random", varied):
        with pytest.raises(MascaradeError, match=facts("brief", "turn_limit")):
            vector(brief, opponents=opponents).reset(seed=1)
