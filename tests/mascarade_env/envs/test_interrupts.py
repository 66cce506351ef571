"""After an interrupt a reset is needed, and it is enough."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from mascarade_env import Batch, Game, MascaradeError, mascarade_v0
from mascarade_env.adapters.sb3 import MascaradeVecEnv
from mascarade_env.envs._learner_tables import LearnerTables
from tests.messages import facts


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Interrupt right after a step of the batch."""
    step = Batch.step

    def stepped(self: Batch, *args: Any, **named: Any) -> None:
        step(self, *args, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(Batch, "step", stepped)
    return monkeypatch


def test_an_interrupted_decision_is_credited_to_no_other_player(
    interrupted: pytest.MonkeyPatch,
) -> None:
    env = mascarade_v0.raw_env("4A")
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt):
        env.step(0)
    interrupted.undo()
    for ask in (lambda: env.step(0), env.last, env.state, lambda: env.game):
        with pytest.raises(MascaradeError, match=facts("reset") + r"(?!.*\bover\b)"):
            ask()
    env.reset(seed=1)
    env.step(0)
    assert env.game.history == [(0, "take:1")]


def test_a_reset_may_be_interrupted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    reset = Batch.reset

    def dealt(self: Batch, *args: Any, **named: Any) -> None:
        reset(self, *args, **named)
        raise KeyboardInterrupt

    env = mascarade_v0.raw_env("4A")
    env.reset(seed=1)
    monkeypatch.setattr(Batch, "reset", dealt)
    with pytest.raises(KeyboardInterrupt):
        env.reset(seed=2)
    with pytest.raises(MascaradeError, match=facts("reset") + r"(?!.*\bover\b)"):
        env.step(0)


def test_a_picture_may_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    env = mascarade_v0.raw_env("4A")
    env.reset(seed=1)
    before = env.state()
    for _ in range(3):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    play = Game.play

    def played(self: Game, action: str | int) -> None:
        play(self, action)
        raise KeyboardInterrupt

    monkeypatch.setattr(Game, "play", played)
    with pytest.raises(KeyboardInterrupt):
        env.state()
    monkeypatch.undo()
    assert len(env.game.history) == 3
    assert (env.state() != before).any()


def test_tables_need_a_reset_after_an_interrupted_step(interrupted: pytest.MonkeyPatch) -> None:
    tables = LearnerTables("4A", 3)
    tables.reset(seed=[1, 2, 3])
    taken = tables.mask.argmax(axis=1)
    with pytest.raises(KeyboardInterrupt):
        tables.step(taken)
    interrupted.undo()
    assert not tables.dealt
    with pytest.raises(MascaradeError, match=facts("reset", "tables", "step")):
        tables.step(taken)
    tables.reset()
    tables.step(tables.mask.argmax(axis=1))


def play(tables: LearnerTables) -> None:
    for _ in range(9):
        tables.step(tables.mask.argmax(axis=1))


def play_at_random(env: MascaradeVecEnv) -> None:
    chance = np.random.default_rng(0)
    for _ in range(500):
        masks = env.action_masks()
        env.step((masks * chance.random(masks.shape)).argmax(axis=1))


def test_an_opponent_may_be_interrupted() -> None:
    def policy(observation: Any, mask: NDArray[np.int8]) -> ArrayLike:
        if impatient:
            raise KeyboardInterrupt
        taken: NDArray[np.intp] = mask.argmax(axis=1)
        return taken

    impatient = False
    tables = LearnerTables("4A", 3, opponents=policy)
    tables.reset(seed=[1, 2, 3])
    impatient = True
    with pytest.raises(KeyboardInterrupt):
        play(tables)
    impatient = False
    with pytest.raises(MascaradeError, match=facts("reset", "tables", "step")):
        tables.step(np.zeros(3, np.int64))
    tables.reset()
    assert (tables.batch.player == tables.learner).all()


def test_a_game_that_ended_is_not_lost_between_step_and_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    env = MascaradeVecEnv(8, "4A", seed=1)
    env.reset()
    reset = LearnerTables.reset

    def dealt(self: LearnerTables, **named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LearnerTables, "reset", dealt)
    with pytest.raises(KeyboardInterrupt):
        play_at_random(env)
    monkeypatch.setattr(LearnerTables, "reset", reset)
    with pytest.raises(MascaradeError, match=facts("reset", "step")):
        env.step(np.zeros(8, np.int64))
    env.reset()
    env.step(env.action_masks().argmax(axis=1))


def test_a_refused_action_needs_no_reset() -> None:
    env = MascaradeVecEnv(2, "4A", seed=1, illegal_actions="raise")
    env.reset()
    with pytest.raises(MascaradeError, match=facts("row 1", "illegal action", "legal")):
        env.step(np.array([0, 25]))
    env.step(np.array([0, 0]))
