"""`Window` alone, with rewards at every step and random games."""

import numpy as np
import pytest

from mascarade_env.envs._decisions import NONE, Window, WindowShape
from tests.mascarade_env.envs.naive_credit import Course, Decided, targets


@pytest.mark.parametrize("players", range(2, 13))
def test_rewards_at_any_step_go_to_the_pending_decision(players: int) -> None:
    """Also rewards in later windows; players may decide often, late or never."""
    chance = np.random.default_rng(players)
    size, step = 5, 0
    window = Window(WindowShape(players, 12, size, 0, 1), {}, everyone=False)
    games = [[Course(row)] for row in range(size)]
    credited = 0
    for length in (12, 1, 1, 1, 3, 12, 2, 12, 1, 12):
        begin = step
        for _ in range(length):
            who = np.minimum(chance.integers(players, size=size), chance.integers(12, size=size))
            values = chance.normal(size=size).astype(np.float32)
            rewards = chance.normal(size=(size, players)).astype(np.float32)
            beyond = chance.normal(size=(size, players)).astype(np.float32)
            over = chance.random(size) < 0.1
            truncated = over & (chance.random(size) < 0.5)
            for name, array in (("player", who), ("value", values[:, None]), ("step", step)):
                window.fields[name][window.place] = array
            window.link(rewards)
            rows, waiting = np.nonzero((window.pending != NONE) & truncated[:, None])
            window.bootstrap(rows, waiting, beyond[rows, waiting][:, None])
            window.close(over)
            for row in range(size):
                course = games[row][-1]
                course.decided.append(Decided(step, int(who[row]), float(values[row])))
                course.rewards[step] = rewards[row].tolist()
                if over[row]:
                    course.ended = step
                    course.beyond = beyond[row].tolist() if truncated[row] else None
                    games[row].append(Course(row))
            step += 1
        for discount, trace in ((1.0, 1.0), (0.9, 0.8), (0.5, 0.0)):
            decisions = window.look_back(discount, trace)
            courses = [course for series in games for course in series]
            expected = targets(courses, begin, step, discount, trace)
            keys = list(zip(decisions.row.tolist(), decisions.step.tolist(), strict=True))
            assert sorted(keys) == sorted(expected)
            np.testing.assert_allclose(
                decisions.target, [expected[key] for key in keys], rtol=1e-5, atol=1e-5
            )
        credited += len(decisions)
        window.begin()
    assert credited > 4 * step  # of 5 a step
