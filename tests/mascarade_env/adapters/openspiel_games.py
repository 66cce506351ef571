"""Random games of OpenSpiel for the tests; without OpenSpiel these are skipped."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from mascarade_env import Game

pyspiel = pytest.importorskip("pyspiel")

from mascarade_env.adapters import openspiel  # noqa: E402 - it needs OpenSpiel
from mascarade_env.adapters.openspiel import MascaradeState, load_game, resample  # noqa: E402

__all__ = [
    "MascaradeState",
    "choices",
    "course",
    "game_of",
    "load_game",
    "moment",
    "openspiel",
    "pyspiel",
    "resample",
    "whole_tree",
]


def game_of(state: MascaradeState) -> Game:
    """Return our game of a state after the deal."""
    assert state.core.game is not None
    return state.core.game


def choices(state: MascaradeState) -> list[int]:
    """Return the possible next actions, at a chance node or of a player."""
    if state.is_chance_node():
        return [action for action, _ in state.chance_outcomes()]
    found: list[int] = state.legal_actions()
    return found


def course(name: str, seed: int, **options: Any) -> Iterator[MascaradeState]:
    """Return the states of a random game, up to the end."""
    chance = random.Random(seed)
    state = load_game(name, **options).new_initial_state()
    yield state
    while not state.is_terminal():
        state = state.child(chance.choice(choices(state)))
        yield state


def moment(name: str, decisions: int, seed: int = 0) -> MascaradeState:
    """Return a state some decisions after the deal."""
    states = [state for state in course(name, seed) if not state.is_chance_node()]
    return states[decisions]


def whole_tree(state: MascaradeState) -> Iterator[MascaradeState]:
    """Yield a state and all states after it."""
    yield state
    if not state.is_terminal():
        for action in choices(state):
            yield from whole_tree(state.child(action))
