"""The default perspective of pictures, and other ones."""

from typing import Any

import gymnasium
import pytest

from mascarade_env import MascaradeError, mascarade_v0
from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.envs._vector import MascaradeVectorEnv
from mascarade_env.render import ansi
from tests.messages import facts


def test_pettingzoo_shows_what_all_players_see() -> None:
    env = mascarade_v0.raw_env("6A", render_mode="ansi")
    env.reset(seed=1)
    for _ in range(6):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert env.render() == ansi(env.game, "onlooker")
    assert "%" in ansi(env.game, "onlooker")


def test_gymnasium_shows_what_the_learner_sees() -> None:
    env = MascaradeEnv("6A", seat=2, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == ansi(env.game, 2)
    assert "%" in ansi(env.game, 2)
    envs = MascaradeVectorEnv(2, "6A", seat="rotate", render_mode="ansi")
    envs.reset(seed=1)
    frames = envs.render()
    assert frames is not None
    assert list(frames) == [ansi(envs.tables.game(row), row) for row in range(2)]


@pytest.mark.parametrize("perspective", [6, -1, "learnr", 1.5, True, None])
def test_a_wrong_perspective_is_refused_at_once(perspective: Any) -> None:
    for make in (mascarade_v0.env, MascaradeEnv):
        with pytest.raises(
            MascaradeError, match=facts("perspective", "onlooker", 5, repr(perspective))
        ):
            make("6A", perspective=perspective)
    with pytest.raises(
        MascaradeError, match=facts("perspective", "onlooker", 5, repr(perspective))
    ):
        gymnasium.make_vec("Mascarade-v0", num_envs=1, scenario="6A", perspective=perspective)


def test_all_masks_are_shown_on_request() -> None:
    env = MascaradeEnv("6A", render_mode="ansi", perspective="all")
    env.reset(seed=1)
    assert env.render() == ansi(env.game, "all")
