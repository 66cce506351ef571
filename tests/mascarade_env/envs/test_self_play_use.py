"""Uses of `SelfPlay` and `Decisions`, right and wrong."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from mascarade_env import Batch, IllegalActionError, MascaradeError
from mascarade_env.envs._self_play import SelfPlay
from mascarade_env.game._batch import Autoreset
from tests.mascarade_env.envs.sessions import RICHEST, new_play, run
from tests.messages import facts


def test_decisions_can_be_selected() -> None:
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
    with pytest.raises(MascaradeError, match=facts("decisions", "slice", "array")):
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
        with pytest.raises(MascaradeError, match=facts("decisions", "window", "next step")):
            use()
    with pytest.raises(MascaradeError, match=facts("extra", "'chanse'", "'chance'")):
        play.harvest().extra("chanse")


def test_a_refused_step_loses_nothing() -> None:
    play, other = new_play(), new_play()
    run(play, 1, 2, 10)
    run(other, 1, 2, 10)
    refused: list[
        tuple[ArrayLike, ArrayLike, dict[str, Any], type[Exception], tuple[object, ...]]
    ] = [
        (np.full(16, 999), np.zeros(16), {}, IllegalActionError, ("row 0", 999, 27)),
        (np.zeros(3, int), np.zeros(16), {}, IllegalActionError, ("actions", 16, "(3,)")),
        (np.zeros(16, int), np.zeros(15), {}, MascaradeError, ("values", "(16,)", "(15,)")),
        (np.zeros(16, int), np.zeros((16, 1)), {}, MascaradeError, ("values", "(16,)", "(16, 1)")),
        (np.zeros(16, int), ["a"] * 16, {}, MascaradeError, ("values", "float32", "U1")),
        (np.zeros(16, int), [[1], [1, 2]], {}, MascaradeError, ("values", "float32", "object")),
        (
            np.zeros(16, int),
            np.zeros(16),
            {"odd": np.zeros(16)},
            MascaradeError,
            ("extras", "(none)", "odd"),
        ),
    ]
    for actions, values, extras, error, message in refused:
        with pytest.raises(error, match=facts(*message)):
            play.step(actions, values, **extras)
    assert run(play, 2, 3, 10) == run(other, 2, 3, 10)


def test_steps_and_harvests_at_the_wrong_time_are_refused() -> None:
    play = new_play(steps=2)
    with pytest.raises(MascaradeError, match=facts("harvest", "step")):
        play.harvest()
    for _ in range(2):
        play.step(play.batch.random_actions(), np.zeros(16))
    with pytest.raises(MascaradeError, match=facts("window", "2 steps", "harvest")):
        play.step(play.batch.random_actions(), np.zeros(16))
    for wrong in ({"discount": 1.5}, {"trace": -0.1}, {"trace": float("nan")}):
        with pytest.raises(MascaradeError, match=facts(*wrong, 0, 1, *wrong.values())):
            play.harvest(**wrong)
    assert play.full
    play.harvest()
    play.step(play.batch.random_actions(), np.zeros(16))


def test_changes_of_the_batch_by_other_code_are_noticed() -> None:
    changes: list[Callable[[Batch], None]] = [
        lambda batch: batch.step(batch.random_actions()),
        lambda batch: batch.reset(),
        lambda batch: batch.reset(rows=np.arange(16) == 7),
    ]
    for change in changes:
        play = new_play()
        change(play.batch)
        with pytest.raises(MascaradeError, match=facts("batch", "SelfPlay.step", "new SelfPlay")):
            play.step(play.batch.random_actions(), np.zeros(16))


def test_wrong_batches_and_options_are_refused() -> None:
    modes: Sequence[Autoreset] = ("same_step", "next_step")
    for mode in modes:
        with pytest.raises(MascaradeError, match=facts('autoreset="disabled"', repr(mode))):
            SelfPlay(Batch("6A", 2, seed=0, autoreset=mode), 4)
    with pytest.raises(MascaradeError, match=facts("batch", "observations", "track")):
        SelfPlay(Batch("6A", 2, seed=0, autoreset="disabled", track=None), 4)
    with pytest.raises(MascaradeError, match=facts("value_of", 'at_limit="richest"')):
        new_play(value_of=None)
    SelfPlay(Batch(RICHEST, 2, seed=0, autoreset="disabled"), 4)  # never void
    with pytest.raises(MascaradeError, match=facts("steps", 1, 0)):
        new_play(steps=0)
    for name, kind, message in (("values", "float32", "name"), ("x", "flood", "type")):
        with pytest.raises(MascaradeError, match=facts("extra", name, message)):
            new_play(extras={name: kind})
    play = new_play(extras={"x": np.int8, "y": np.float32})
    zeros = np.zeros(16)
    with pytest.raises(MascaradeError, match=facts("extras", "x, y", "received x")):
        play.step(play.batch.random_actions(), zeros, x=zeros)
    with pytest.raises(MascaradeError, match=facts("x", "int8", "float64")):
        play.step(play.batch.random_actions(), zeros, x=zeros, y=zeros)


def test_an_interrupted_step_is_noticed() -> None:
    """Here `value_of` returns a wrong shape."""
    play = new_play(value_of=lambda observations: observations[:, :2])
    with pytest.raises(MascaradeError, match=facts("value_of", "(6,)", "(6, 2)")):
        run(play, 1, 30, 10)
    with pytest.raises(MascaradeError, match=facts("batch", "SelfPlay.step", "new SelfPlay")):
        play.step(play.batch.random_actions(), np.zeros(16))


def test_memory_is_as_documented() -> None:
    play = new_play(extras={"x": (np.float32, (3,))})
    a, d = play.batch.num_actions, play.batch.observation.shape[1]
    assert play.nbytes == (10 + 6) * 16 * (4 * d + a + 48 + 12)
