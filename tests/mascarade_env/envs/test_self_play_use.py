"""How `SelfPlay` and `Decisions` are used, and what they refuse."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from mascarade_env import Batch, IllegalActionError, MascaradeError
from mascarade_env.core.batch import Autoreset
from mascarade_env.envs.self_play import SelfPlay
from tests.mascarade_env.envs.sessions import RICHEST, new_play, run


def test_picks_narrow_the_decisions() -> None:
    play = new_play()
    run(play, 1, 2, 10)
    decisions = play.harvest()
    chosen = decisions[decisions.player == 2]
    assert len(chosen) > 0
    assert (chosen.player == 2).all()
    np.testing.assert_array_equal(chosen.observation, decisions.observation[decisions.player == 2])
    shuffled = np.random.default_rng(0).permutation(len(decisions))
    np.testing.assert_array_equal(decisions[shuffled].target, decisions.target[shuffled])
    np.testing.assert_array_equal(decisions[5:9][1:].step, decisions.step[6:9])
    assert len(decisions[:0]) == 0
    with pytest.raises(MascaradeError, match="by a slice or by an array"):
        decisions[3]  # type: ignore[index]


def test_decisions_last_until_the_next_step() -> None:
    play = new_play(extras={"chance": np.float32})
    play.step(play.batch.random_actions(), np.zeros(16), chance=np.zeros(16))
    decisions = play.harvest()
    kept = decisions.observation
    play.step(play.batch.random_actions(), np.zeros(16), chance=np.zeros(16))
    assert kept.shape == (len(decisions), play.batch.observation.shape[1])
    for use in (
        lambda: decisions.target,
        lambda: decisions[:1],
        lambda: decisions.extra("chance"),
    ):
        with pytest.raises(MascaradeError, match="before the next step"):
            use()
    with pytest.raises(MascaradeError, match="did you mean 'chance'"):
        play.harvest().extra("chanse")


def test_a_refused_step_loses_nothing() -> None:
    play, other = new_play(), new_play()
    run(play, 1, 2, 10)
    run(other, 1, 2, 10)
    refused: list[tuple[ArrayLike, ArrayLike, dict[str, Any], type[Exception], str]] = [
        (np.full(16, 999), np.zeros(16), {}, IllegalActionError, "row 0"),
        (np.zeros(3, int), np.zeros(16), {}, IllegalActionError, "array of 16 whole numbers"),
        (np.zeros(16, int), np.zeros(15), {}, MascaradeError, r"shape \(16,\)"),
        (np.zeros(16, int), np.zeros((16, 1)), {}, MascaradeError, r"not float64 of shape"),
        (np.zeros(16, int), ["a"] * 16, {}, MascaradeError, "values is an array of float32"),
        (np.zeros(16, int), [[1], [1, 2]], {}, MascaradeError, "values is an array of float32"),
        (np.zeros(16, int), np.zeros(16), {"odd": np.zeros(16)}, MascaradeError, r"\(none\), not"),
    ]
    for actions, values, extras, error, message in refused:
        with pytest.raises(error, match=message):
            play.step(actions, values, **extras)
    assert run(play, 2, 3, 10) == run(other, 2, 3, 10)


def test_steps_and_harvests_at_the_wrong_time_are_refused() -> None:
    play = new_play(steps=2)
    with pytest.raises(MascaradeError, match="nothing to harvest"):
        play.harvest()
    for _ in range(2):
        play.step(play.batch.random_actions(), np.zeros(16))
    with pytest.raises(MascaradeError, match="window of 2 steps is full"):
        play.step(play.batch.random_actions(), np.zeros(16))
    for wrong in ({"discount": 1.5}, {"trace": -0.1}, {"trace": float("nan")}):
        with pytest.raises(MascaradeError, match="from 0 to 1"):
            play.harvest(**wrong)
    assert play.full
    play.harvest()
    play.step(play.batch.random_actions(), np.zeros(16))


def test_a_batch_that_others_change_is_noticed() -> None:
    changes: list[Callable[[Batch], None]] = [
        lambda batch: batch.step(batch.random_actions()),
        lambda batch: batch.reset(),
        lambda batch: batch.reset(rows=np.arange(16) == 7),
    ]
    for change in changes:
        play = new_play()
        change(play.batch)
        with pytest.raises(MascaradeError, match="stepped or reset by others"):
            play.step(play.batch.random_actions(), np.zeros(16))


def test_wrong_batches_and_options_are_refused() -> None:
    modes: Sequence[Autoreset] = ("same_step", "next_step")
    for mode in modes:
        with pytest.raises(MascaradeError, match='autoreset="disabled"'):
            SelfPlay(Batch("6A", 2, seed=0, autoreset=mode), 4)
    with pytest.raises(MascaradeError, match="give it a track"):
        SelfPlay(Batch("6A", 2, seed=0, autoreset="disabled", track=None), 4)
    with pytest.raises(MascaradeError, match="give value_of"):
        new_play(value_of=None)
    SelfPlay(Batch(RICHEST, 2, seed=0, autoreset="disabled"), 4)  # never void
    with pytest.raises(MascaradeError, match="steps is 1 or more"):
        new_play(steps=0)
    for name, kind, message in (("values", "float32", "another name"), ("x", "flood", "a type")):
        with pytest.raises(MascaradeError, match=message):
            new_play(extras={name: kind})
    play = new_play(extras={"x": np.int8, "y": np.float32})
    zeros = np.zeros(16)
    with pytest.raises(MascaradeError, match="the extras x, y, not x"):
        play.step(play.batch.random_actions(), zeros, x=zeros)
    with pytest.raises(MascaradeError, match="x is an array of int8"):
        play.step(play.batch.random_actions(), zeros, x=zeros, y=zeros)


def test_a_step_that_is_broken_off_is_noticed() -> None:
    """The values of ends have a wrong shape here."""
    play = new_play(value_of=lambda observations: observations[:, :2])
    with pytest.raises(MascaradeError, match="value_of is an array of float32"):
        run(play, 1, 30, 10)
    with pytest.raises(MascaradeError, match="a step was broken off"):
        play.step(play.batch.random_actions(), np.zeros(16))


def test_memory_is_as_documented() -> None:
    play = new_play(extras={"x": (np.float32, (3,))})
    a, d = play.batch.num_actions, play.batch.observation.shape[1]
    assert play.nbytes == (10 + 6) * 16 * (4 * d + a + 48 + 12)
