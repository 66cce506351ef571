"""Results do not depend on the number of processes."""

from dataclasses import replace
from multiprocessing import Pipe

import numpy as np
import pytest

from mascarade_agents.arena import Standing, run
from mascarade_agents.arena import _worker as worker
from mascarade_agents.arena._entrants import entrants
from mascarade_agents.arena._faults import PATIENCE, Care, Fault, Step, Watch
from mascarade_agents.arena._play import play_chunk
from mascarade_agents.arena._supervisor import _Job, _learned
from mascarade_env import MascaradeError
from tests.mascarade_agents.arena.saboteurs import (
    DUEL,
    TRIO,
    Chancy,
    Compiles,
    DiesLater,
    Interrupts,
    Raises,
    Viewing,
)
from tests.mascarade_agents.arena.test_play import same
from tests.messages import facts, states

AGENTS = [("chancy", Chancy), ("viewing", Viewing), ("raises", Raises)]


def test_any_number_of_workers_finds_the_same() -> None:
    told: list[Standing] = []
    here = run(AGENTS, TRIO, games=40, seed=4, measured=20, progress=told.append)
    assert len(told) > 4
    assert [each.games for each in told] == sorted({each.games for each in told})
    assert told[-1].games == told[-1].of == len(here.results.deals)
    assert told[-1].decisions == here.results.decisions.sum()
    assert told[-1].forfeits == (here.results.forfeits >= 0).sum()
    for workers in (1, 2):
        there = run(AGENTS, TRIO, games=40, seed=4, measured=20, workers=workers)
        assert same(here.results, there.results)
        assert here.forfeits == there.forfeits
        assert here.behaviour == there.behaviour
        assert [g.history for g in here.games()] == [g.history for g in there.games()]


def test_what_is_learned_from_a_worker_that_ended() -> None:
    fault = Fault("died", "exit code 1")
    job = _Job(3)
    # count, agent, tick, rows, row, compiling, last
    crowd = _learned(job, [9, 1, 5, 40, 7, 0, 1], fault)
    assert crowd == _Job(3, Care(singly={1: 5}))
    one = _learned(crowd, [9, 1, 5, 1, 12, 0, 1], fault)
    assert one == _Job(3, Care(singly={1: 5}, faults={(5, 12): fault}))
    other = _learned(one, [9, 0, 8, 2, 12, 0, 0], fault)
    assert other == _Job(3, Care(singly={0: 8, 1: 5}, faults={(5, 12): fault}))


def test_workers_that_die_by_themselves_are_replaced_twice() -> None:
    fault, nobody = Fault("died", "exit code -9"), [9, -1, 5, 40, 7, 0, -1]
    job = _learned(_learned(_Job(3), nobody, fault), nobody, fault)
    assert job == _Job(3, deaths=2)
    with pytest.raises(MascaradeError, match=facts("exit code -9", "memory", "fewer workers")):
        _learned(job, nobody, fault)


def test_who_was_asked_last_is_blamed_for_the_third_death() -> None:
    fault, steps = Fault("died", "exit code -9"), [Step(np.zeros(2, np.int64), {})] * 7
    job = replace(_Job(3, Care(steps=steps)), deaths=2)
    crowd = _learned(job, [9, -1, 5, 40, 7, 0, 1], fault)
    assert crowd == _Job(3, Care(steps=steps[:5], singly={1: 5}), deaths=2)
    one = _learned(crowd, [9, -1, 5, 1, 12, 0, 1], fault)
    ((place, blamed),) = one.care.faults.items()
    assert place == (5, 12)
    assert states(blamed.message, "exit code -9", "no agent")


def test_who_stalls_too_often_is_not_asked_again() -> None:
    fault, job = Fault("overran", "too slow"), _Job(3)
    for row in range(PATIENCE):
        assert job.care.known(1, 9, 0) is None
        job = _learned(job, [9, 1, 5, 1, 2 * row, 0, 1], fault)
    assert job.care.singly == {1: 5}
    known = job.care.known
    assert known(1, 5, 2) is fault
    assert known(1, 5, 3) is None  # answered before
    assert known(1, 4, 90) is None
    for tick, row in ((5, 2 * PATIENCE), (6, 0)):
        given_up = known(1, tick, row)
        assert given_up is not None
        assert states(given_up.message, "20 stalls", "chunk")
        assert known(0, tick, row) is None


def test_a_stalling_agent_forfeits_the_rest_of_its_chunk() -> None:
    plan = run(AGENTS[::2], TRIO, games=40, seed=9, tables="mixed").plan
    agents = [Chancy(plan.scenario), Chancy(plan.scenario)]
    stalls = tuple((0, row) for row in range(PATIENCE))
    found = play_chunk(plan, 0, agents, Care(singly={1: 0}, stalls={1: stalls}), Watch())
    overran = [fault for fault in found.faults if fault[0] == 1]
    assert len(overran) == len(found.faults) == 1
    guilty = [row for row, player in enumerate(found.forfeits) if player >= 0]
    assert len(guilty) == overran[0][2] > 20


@pytest.mark.slow
def test_an_agent_that_kills_its_process_later_forfeits() -> None:
    agents = [("chancy", Chancy), ("late", DiesLater)]
    outcome = run(agents, DUEL, games=4, workers=1)
    assert {each.kind for each in outcome.forfeits} == {"died"}
    assert states(outcome.forfeits[0].message, "exit code 9", "no agent", "last")


def test_an_interrupt_that_an_agent_raises_is_its_own() -> None:
    agents = [("chancy", Chancy), ("interrupts", Interrupts)]
    (found,) = run(agents, DUEL, games=40, seed=4, workers=1).forfeits
    assert (found.agent, found.kind, found.message) == ("interrupts", "raised", "KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        run(agents, DUEL, games=40, seed=4)


def test_time_to_compile_is_nobodys_fault() -> None:
    agents = [("chancy", Chancy), ("compiles", Compiles)]
    outcome = run(agents, DUEL, games=4, workers=1, seconds_per_decision=0.1)
    assert not outcome.forfeits


def test_what_was_decided_before_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = run(AGENTS, TRIO, games=10, seed=9).plan
    agents = [entrant.make(plan.scenario) for entrant in entrants(AGENTS)]
    (ours, theirs), shared = Pipe(), [0] * worker.FIELDS
    monkeypatch.setattr(worker, "_SECONDS", 0.0)
    chunk = len(plan.chunks) - 1
    wanted = play_chunk(plan, chunk, agents, Care(), worker._SharedWatch(shared, theirs))
    assert wanted.faults
    steps: list[Step] = []
    while ours.poll():
        steps += ours.recv()
    assert len(steps) >= max(wanted.decisions)

    class Listens(Watch):
        first = len(steps)

        def asking(self, agent: int, tick: int, rows: int, row: int) -> None:
            self.first = min(self.first, tick)

    for known in (0, 1, 9, len(steps)):
        listens = Listens()
        found = play_chunk(plan, chunk, agents, Care(steps=steps[:known]), listens)
        assert found == wanted
        assert listens.first == known


def test_a_class_that_workers_cannot_find() -> None:
    class Hidden(Chancy):
        pass

    agents = [("chancy", Chancy), ("hidden", Hidden)]
    with pytest.raises(MascaradeError, match=facts("module", "__main__", "workers=0")):
        run(agents, DUEL, games=2, workers=1)
    assert not run(agents, DUEL, games=2).forfeits
