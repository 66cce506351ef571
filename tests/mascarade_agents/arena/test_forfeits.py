"""Agents that misbehave forfeit the games concerned, and nothing else changes."""

import os

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_agents.arena import run
from mascarade_agents.arena._outcome import shares
from mascarade_env import AgentView, Game, IllegalActionError, Positions
from tests.mascarade_agents.arena.saboteurs import (
    DUEL,
    TRIO,
    Bad,
    Chancy,
    Dies,
    DislikesCrowds,
    Exits,
    Floats,
    Forbidden,
    Forks,
    Helps,
    Loops,
    Negative,
    Nothing,
    Raises,
    Scribbles,
    Sleeps,
    TooHigh,
    TooMany,
)
from tests.mascarade_agents.arena.test_play import check_games, same
from tests.messages import facts, states

CHANCY = ("chancy", Chancy)


@pytest.mark.parametrize(
    ("agent", "kind", "message"),
    [
        (Raises, "raised", ["RuntimeError: no idea at all"]),
        (Exits, "raised", ["SystemExit: 3"]),
        (TooHigh, "answered", ["action id", 10**12, 0, 14]),
        (Negative, "answered", ["action id", -1, 0, 14]),
        (Forbidden, "answered", ["illegal action", "'take:0'", "legal"]),
        (Floats, "answered", ["float64", "(1,)", "1 action ids"]),
        (TooMany, "answered", ["int64", "(2,)", "1 action ids"]),
        (Nothing, "answered", ["object", "()", "1 action ids"]),
    ],
)
def test_misbehaving_agents_forfeit(agent: type[Agent], kind: str, message: list[object]) -> None:
    outcome = run([CHANCY, ("bad", agent)], DUEL, games=40, seed=4, measured=40)
    results = outcome.results
    (found,) = outcome.forfeits
    assert (found.agent, found.kind) == ("bad", kind)
    assert states(found.message, *message)
    forfeited = np.flatnonzero(results.forfeits >= 0)
    assert 5 < len(forfeited) < 20
    assert found.games == len(forfeited)
    guilty = results.forfeits[forfeited]
    assert (results.lineups[forfeited, guilty] == 1).all()
    assert (results.shares[forfeited, guilty] == 0).all()
    assert (results.shares[forfeited, 1 - guilty] == 1).all()
    check_games(outcome)
    for number, game in enumerate(outcome.games()):
        asked = game.over or (game.phase == "challenge" and game.announced == "king")
        assert asked == (not game.over or results.forfeits[number] < 0)


class Wordy(Agent):
    """An agent that answers with a word, as `Game.play` accepts it."""

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        return view.legal_actions()[0]  # type: ignore[return-value]


class WordyBatch(Agent):
    """The same for many decisions at once."""

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        return np.array(["take:1"] * len(positions.masks))


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Wordy, ["`view.legal_ids()`", "`view.action_id`"]),
        (WordyBatch, ["'take:1'", "action ids", "`positions.masks`"]),
    ],
)
def test_answers_in_words_are_explained(agent: type[Agent], message: list[object]) -> None:
    outcome = run([CHANCY, ("wordy", agent)], DUEL, games=4)
    (forfeits,) = outcome.forfeits
    assert states(forfeits.message, *message)


def test_one_view_of_a_batch_agent_is_checked_too() -> None:
    with pytest.raises(IllegalActionError, match=facts("'take:1'", "`view.legal_ids()`")):
        WordyBatch(DUEL).act(Game(DUEL, seed=1).view(), np.random.default_rng(0))


def test_other_agents_share_what_is_forfeited() -> None:
    results = run([CHANCY, ("bad", Raises)], TRIO, games=30).results
    forfeited = np.flatnonzero(results.forfeits >= 0)
    others = results.lineups[forfeited] == 0
    assert set(others.sum(axis=1).tolist()) == {1, 2}
    assert (results.shares[forfeited] == others / others.sum(axis=1, keepdims=True)).all()
    assert not (results.forfeits == -1).all()


def test_copies_of_who_forfeits_gain_nothing() -> None:
    winners, forfeits = np.zeros(4, np.int64), np.array([0, 0, 2, 1])
    lineups = np.array([[1, 1, 0], [1, 0, 0], [2, 0, 1], [1, 1, 1]])
    assert shares(winners, forfeits, lineups).tolist() == [
        [0, 0, 1], [0, 0.5, 0.5], [0.5, 0.5, 0], [0, 0, 0],
    ]  # fmt: skip


def test_the_games_of_others_go_on_as_if_nothing_were() -> None:
    """Without a claim of the King to decide, the saboteur plays like a sound agent."""
    for seed in range(8, 12):
        good = run([CHANCY, ("bad", Bad)], DUEL, games=2, tables="mixed", seed=seed).results
        bad = run([CHANCY, ("bad", Raises)], DUEL, games=2, tables="mixed", seed=seed).results
        if (bad.forfeits == -1).all():
            assert same(good, bad)
            return
    pytest.fail("every pair of games had a forfeit")


def test_a_failing_crowd_is_asked_one_by_one() -> None:
    alone = run([CHANCY, ("shy", DislikesCrowds)], DUEL, games=20)
    assert not alone.forfeits
    assert same(alone.results, run([CHANCY, ("shy", Chancy)], DUEL, games=20).results)


def test_what_agents_write_into_arrays_is_lost() -> None:
    scribbled = run([CHANCY, ("scribbles", Scribbles)], DUEL, games=20)
    assert not scribbled.forfeits
    assert same(scribbled.results, run([CHANCY, ("other", Chancy)], DUEL, games=20).results)
    helped = run([CHANCY, ("helps", Helps)], DUEL, games=20)
    assert (helped.results.forfeits >= 0).all()
    assert states(helped.forfeits[0].message, "illegal action", "'declare:thief'")


@pytest.mark.parametrize(
    ("agent", "seed", "games", "kind", "message"),
    [
        pytest.param(Sleeps, 12, 2, "overran", "no decision within 0.25 s", marks=pytest.mark.slow),
        (Loops, 8, 1, "overran", "no decision within 0.25 s"),
        pytest.param(
            Dies, 8, 1, "died", "the process ended with exit code 7", marks=pytest.mark.slow
        ),
        pytest.param(
            Forks,
            8,
            1,
            "died",
            "the process ended with exit code 7",
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here"),
            ],
        ),
    ],
)
def test_what_hangs_or_dies_is_replaced(
    agent: type[Agent], seed: int, games: int, kind: str, message: str
) -> None:
    agents = [CHANCY, ("bad", agent)]
    outcome = run(
        agents, DUEL, games=4, seed=seed, workers=1, seconds_per_decision=0.25, measured=4
    )
    (found,) = outcome.forfeits
    assert (found.agent, found.kind, found.message) == ("bad", kind, message)
    raising = run([CHANCY, ("bad", Raises)], DUEL, games=4, seed=seed)
    assert found.games == raising.forfeits[0].games == games
    assert same(outcome.results, raising.results)
    check_games(outcome)


def test_several_saboteurs_at_a_table() -> None:
    agents = [CHANCY, ("raises", Raises), ("floats", Floats), ("forbidden", Forbidden)]
    outcome = run(agents, TRIO, games=60, tables="mixed")
    assert [each.agent for each in outcome.forfeits] == ["raises", "floats", "forbidden"]
    by_agent = {each.agent: each.games for each in outcome.forfeits}
    results = outcome.results
    rows = np.flatnonzero(results.forfeits >= 0)
    for number, name in enumerate(results.agents):
        guilty = results.lineups[rows, results.forfeits[rows]]
        assert by_agent.get(name, 0) == (guilty == number).sum()
