"""Public methods refuse numbers and arrays that mean nothing, by an error that says so.

The methods are found by their signatures: a new one is tested as soon as it is there.
"""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from mascarade_env import Batch, Game, MascaradeError, Schema
from mascarade_env.envs._aec import raw_env
from mascarade_env.envs._self_play import SelfPlay
from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.envs._vector import MascaradeVectorEnv
from mascarade_env.knowledge._agent_view import AgentView


def _begun() -> Game:
    game = Game("4A", seed=3)
    game.play_randomly(7)
    return game


def _reset(env: Any) -> Any:
    env.reset(seed=1)
    return env


def _self_play() -> SelfPlay:
    return SelfPlay(Batch("4A", 3, seed=1, autoreset="disabled"), 4)


SUBJECTS: dict[str, tuple[type, Callable[[], Any]]] = {
    "Game": (Game, _begun),
    "AgentView": (AgentView, lambda: _begun().view()),
    "Batch": (Batch, lambda: Batch("4A", 3, seed=1)),
    "Batch padded": (Batch, lambda: Batch("4A", 3, seed=1, padded=True)),
    "Schema": (Schema, lambda: Schema("4A")),
    "MascaradeEnv": (
        MascaradeEnv,
        lambda: _reset(MascaradeEnv("4A", illegal_actions="raise")),
    ),
    "MascaradeVectorEnv": (
        MascaradeVectorEnv,
        lambda: _reset(MascaradeVectorEnv(3, "4A", illegal_actions="raise")),
    ),
    "MascaradeAEC": (raw_env, lambda: _reset(raw_env("4A"))),
    "SelfPlay": (SelfPlay, _self_play),
}
# Values that no parameter of these names accepts.
_NO_NUMBER: tuple[Any, ...] = (
    "x",
    1.5,
    object(),
    [[1], [1, 2]],
    {},
    np.zeros((2, 2)),
    np.array(["a"] * 3),
)
_TOO_LARGE: tuple[Any, ...] = (99, -99, 2**70)
BAD: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("player", "viewer", "row", "action"), (*_NO_NUMBER, *_TOO_LARGE)),
    **dict.fromkeys(("most", "steps", "count", "length"), (*_NO_NUMBER, -1)),
    "actions": (*_NO_NUMBER, *_TOO_LARGE, None, 0, [0], [0] * 4, [99] * 3, [-1] * 3, [2**70] * 3),
    "rows": (*_NO_NUMBER, 0, [0, 1, 2], [True], [True] * 4, -1),
    "learner": (*_NO_NUMBER, *_TOO_LARGE, [0], [99] * 3),
    "series": (*_NO_NUMBER, 0, [[0, 0]] * 4, [[-1, 0]] * 3, [[0, -1]] * 3, [[0, 2**62]] * 3),
    "seed": (*_NO_NUMBER, -1, -(2**70)),
    "word": (1, None, "x", "take:99", "take:-1", "take:x", "", "\0"),
    "agent": ("x", 0, None, "player_99"),
    "observation": ("x", None, object(), np.zeros(3), np.zeros((2, 2))),
}
# Parameters that are neither numbers nor arrays, and what the others are when one is bad.
OTHERS: dict[str, Any] = {
    "track": "both", "padded": False, "trace": False, "beliefs": False, "rng": 1, "record": {},
    "view": None, "told": None, "message": None, "other": Schema("4A"), "options": None,
    "values": np.zeros(3, np.float32), "extras": None, "discount": 1.0, "arrays": {},
    "saved": None, "name": "x", "chance": np.random.default_rng(1), "memo": {},
}  # fmt: skip
# Methods with separate tests. Gymnasium itself refuses the seeds of its `Env`.
_ELSEWHERE = {"AgentView.hear", "Game.tell", "MascaradeEnv.reset", "SelfPlay.restore"}
GOOD: dict[str, Any] = {
    "player": 0, "viewer": 0, "row": 0, "action": 0, "most": 1, "steps": 1, "count": 1,
    "length": 2048, "seed": 1, "word": "pass", "actions": [0, 0, 0],
}  # fmt: skip


def _cases() -> Iterator[tuple[str, str, str]]:
    for subject, (kind, _) in SUBJECTS.items():
        for name, method in inspect.getmembers(kind, callable):
            own = getattr(method, "__module__", "") or ""
            if name.startswith("_") or not own.startswith("mascarade_env"):
                continue
            if f"{kind.__name__}.{name}" in _ELSEWHERE:
                continue
            for parameter in inspect.signature(method).parameters:
                if parameter not in ("self", *OTHERS):
                    yield subject, name, parameter


CASES = sorted(_cases())


def _raise(found: Any) -> None:
    """Raise an error that was returned, as `Batch.refusal` does."""
    if isinstance(found, MascaradeError):
        raise found


@pytest.mark.parametrize(("subject", "method", "parameter"), CASES)
def test_bad_numbers_are_refused(subject: str, method: str, parameter: str) -> None:
    assert parameter in BAD, f"list what {parameter!r} of {subject}.{method} cannot be in BAD"
    thing = SUBJECTS[subject][1]()
    called = inspect.signature(getattr(thing, method)).parameters.values()
    needed = {
        p.name: {**OTHERS, **GOOD}[p.name]
        for p in called
        if p.default is p.empty and p.kind is not p.VAR_KEYWORD and p.name != parameter
    }
    for bad in BAD[parameter]:
        if subject == "Game" and method == "play" and isinstance(bad, str):
            continue  # a word; separate tests cover words
        with pytest.raises((MascaradeError, TypeError)) as refused:
            _raise(getattr(thing, method)(**needed, **{parameter: bad}))
        assert isinstance(refused.value, MascaradeError), (bad, refused.value)
        assert len(str(refused.value)) > 10


def test_the_methods_are_found() -> None:
    found = {f"{subject}.{method}" for subject, method, _ in CASES}
    assert {"Batch.refusal", "Game.sample_worlds", "MascaradeAEC.observe"} <= found
    assert len(found) > 40


@pytest.mark.parametrize(
    ("row", "action", "given"), [(99, 0, "99"), ("x", 0, "'x'"), (-1, 0, "-1"), (0, None, "None")]
)
def test_a_refusal_of_no_row_names_the_row(row: Any, action: Any, given: str) -> None:
    with pytest.raises(MascaradeError) as refused:
        Batch("4A", 3, seed=1).refusal(row, action)
    assert given in str(refused.value)
