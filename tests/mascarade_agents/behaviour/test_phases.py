"""Phases of a game by the richest fortune."""

import pytest

from mascarade_agents.behaviour import PHASES, phase_of
from tests.mascarade_agents.behaviour.hands import trio


@pytest.mark.parametrize(
    ("start", "goal", "phases"),
    [
        (6, 13, {5: "early", 6: "early", 7: "early", 8: "middle", 9: "middle", 10: "late"}),
        (6, 13, {12: "late"}),
        (2, 5, {1: "early", 2: "early", 3: "middle", 4: "late"}),
        (2, 4, {2: "early", 3: "late"}),
        (12, 13, {12: "early"}),
        (6, 30, {6: "early", 16: "early", 17: "middle", 26: "middle", 27: "late"}),
    ],
)
def test_phases(start: int, goal: int, phases: dict[int, str]) -> None:
    scenario = trio(start=start, goal=goal)
    assert {coins: phase_of(coins, scenario) for coins in phases} == phases
    assert set(phases.values()) <= set(PHASES[1:])
