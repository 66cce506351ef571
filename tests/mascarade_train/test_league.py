"""Opponents in training: which, how often, and their actions."""

import copy
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from mascarade_agents._registry import make_agent
from mascarade_env import Batch, MascaradeError, Positions, Schema, scenarios
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._state import new_rows
from mascarade_train._league import League
from mascarade_train._networks import Network
from mascarade_train._rollouts import LEARNER, Collector, Rollout
from tests.mascarade_train.random_nets import positions
from tests.mascarade_train.small_runs import training
from tests.messages import facts

SCHEMA = Schema("4A", "both")
STOPPER, FIRST, SECOND, THIRD = 0, 1, 2, 3  # numbers in a league with one agent by name


def network(seed: int) -> Network:
    """A network that prefers some actions."""
    torch.manual_seed(seed)
    made = Network(SCHEMA, (8,), events=2, embedding=2)
    with torch.no_grad():
        made.policy.weight.normal_(0, 1)
    return made


def league(share: float = 0.5, every: int = 100, keep: int = 2, *agents: str) -> League:
    return League(share, every, keep, agents or ("stopper",), network(0))


def meet(games: League, opponent: int, share: float, times: int = 300) -> None:
    """Record games of the learner against an opponent on two of four seats."""
    seats = np.tile([LEARNER, opponent, LEARNER, opponent], (times, 1))
    shares = np.tile([share, 1 - share, 0, 0], (times, 1)).astype(np.float32)
    games.ended(seats, shares)


def drawn(games: League, count: int = 20_000, players: int = 4) -> NDArray[np.int64]:
    return games.seat(count, players, np.random.default_rng(1))


def often(seats: NDArray[np.int64], opponent: int) -> float:
    """The fraction of games with opponents in which this one plays."""
    with_opponents = (seats != LEARNER).any(axis=1)
    return float((seats[with_opponents] == opponent).any(axis=1).mean())


def test_a_share_of_games_has_one_opponent_on_some_seats() -> None:
    games = league(0.3)
    seats = drawn(games)
    opponents = seats != LEARNER
    assert opponents.any(axis=1).mean() == pytest.approx(0.3, abs=0.015)
    held = opponents.sum(axis=1)[opponents.any(axis=1)]
    assert set(held.tolist()) == {1, 2, 3}  # the learner plays in every game
    for count in (1, 2, 3):  # the probability falls with the square of the learner's seats
        assert ((held == count) * (4 - count) ** 2).mean() == pytest.approx(36 / 49, abs=0.08)
    on_seat = opponents[opponents.any(axis=1)].mean(axis=0)
    assert on_seat == pytest.approx(np.full(4, 1 - 66 / 196), abs=0.03)
    for row in seats[:200].tolist():
        assert len(set(row) - {LEARNER}) <= 1
    assert not (drawn(league(0.0)) != LEARNER).any()
    assert (drawn(league(1.0), players=2) != LEARNER).sum(axis=1).tolist() == [1] * 20_000
    assert drawn(games, 0).shape == (0, 4)


def test_hard_opponents_come_more_often() -> None:
    games = league(1.0, 100, 2)
    games.learned(100, network(1))  # a second snapshot
    before = [often(drawn(games), opponent) for opponent in (STOPPER, FIRST, SECOND)]
    assert before == pytest.approx([1 / 3] * 3, abs=0.02)  # no games with them yet
    meet(games, STOPPER, 0.1)
    meet(games, FIRST, 0.5)
    meet(games, SECOND, 0.9)
    hard, fair, easy = (often(drawn(games), opponent) for opponent in (STOPPER, FIRST, SECOND))
    assert hard > 2 * fair > 10 * easy
    assert easy > 0  # none is forgotten
    assert hard + fair + easy == pytest.approx(1)


def test_opponents_are_met_still_when_the_learner_gets_twice_the_fair_share() -> None:
    """As 1 vs 5 it can win six times the fair share; an equal opponent must not seem stronger."""
    games = league(1.0, 100, 2)
    for opponent, every in ((STOPPER, 3), (FIRST, 6)):
        seats = np.tile([LEARNER, *[opponent] * 5], (1200, 1))
        winner = np.minimum(np.arange(1200) % every, 1)
        games.ended(seats, np.eye(6, dtype=np.float32)[winner])
    assert games.standing()["stopper"] == pytest.approx(2, abs=0.05)
    twice, equal = (often(drawn(games), opponent) for opponent in (STOPPER, FIRST))
    assert twice / equal == pytest.approx((0.8 / 2.8) ** 2 / 0.5**2, abs=0.1)


def test_how_the_learner_fares_is_its_share_to_the_fair_one() -> None:
    games = league(0.5, 100, 2, "stopper", "random")
    meet(games, 0, 0.25, 10)
    # Where it has one seat of four, a quarter is fair.
    games.ended(np.array([[LEARNER, 1, 1, 1]] * 2), np.eye(4, dtype=np.float32)[[0, 1]])
    # Games in which it holds all seats do not count for an opponent.
    games.ended(np.full((5, 4), LEARNER), np.eye(4, dtype=np.float32)[[0] * 5])
    # Ten imaginary fair games: a single lucky game does not make an opponent easy.
    stopper, easy = (10 * 1 + 10 * 0.5) / 20, (10 * 1 + 4 + 0) / 12
    assert games.standing() == pytest.approx({"stopper": stopper, "random": easy})
    meet(games, 0, 0.25, 2000)
    assert games.standing()["stopper"] == pytest.approx(0.5, abs=0.01)
    meet(games, 0, 0.5, 800)  # old games do not count any more
    assert games.standing()["stopper"] == pytest.approx(1.0, abs=0.02)


def ask(games: League, opponent: int, seed: int = 0) -> list[int]:
    observation, mask = positions(SCHEMA)
    shown = Positions(observation, mask, SCHEMA)
    taken = games.policy(opponent, SCHEMA).act_batch(shown, np.random.default_rng(seed))
    assert (mask[np.arange(len(mask)), taken] == 1).all()
    return [int(action) for action in taken]


def test_a_snapshot_plays_as_the_learner_did() -> None:
    learner = network(0)
    games = League(0.5, 100, 5, (), learner)
    before = ask(games, 0)
    with torch.no_grad():
        learner.policy.weight.normal_(0, 1)
    assert ask(games, 0) == before
    games.learned(99, learner)
    assert set(drawn(games).ravel().tolist()) == {LEARNER, 0}
    games.learned(101, learner)
    games.learned(200, learner)  # the next is due at 201
    assert set(drawn(games).ravel().tolist()) == {LEARNER, 0, 1}
    assert ask(games, 0) == before != ask(games, 1)
    # It samples by its probabilities: often the same action, not always.
    observation, mask = positions(SCHEMA)
    with torch.no_grad():
        said = learner(torch.from_numpy(observation), torch.from_numpy(mask))
    chances = said.log_probs.exp().numpy()
    counts = np.zeros_like(chances)
    for seed in range(200):
        counts[np.arange(len(mask)), ask(games, 1, seed)] += 1
    assert np.abs(counts / 200 - chances).max() < 0.2


def test_the_easiest_snapshot_leaves() -> None:
    games = league(1.0, 100, 2)
    games.learned(100, network(1))
    meet(games, FIRST, 0.1)
    meet(games, SECOND, 0.9)
    first, second = ask(games, FIRST), ask(games, SECOND)
    games.learned(200, network(2))
    assert set(drawn(games).ravel().tolist()) - {LEARNER} == {STOPPER, FIRST, THIRD}
    # In games with a dropped snapshot, the oldest snapshot takes its place.
    assert ask(games, SECOND) == ask(games, FIRST) == first != second
    meet(games, SECOND, 0.9)
    assert "snapshot 1" not in games.standing()
    # The newest snapshot stays, even if all others are stronger: it has not played yet.
    meet(games, THIRD, 0.2)
    games.learned(300, network(3))
    assert [int(number) for number, *_ in games.state()["snapshots"]] == [FIRST, THIRD + 1]


def through_a_file(state: dict[str, Any]) -> dict[str, Any]:
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    found: dict[str, Any] = torch.load(file, weights_only=True)
    return found


def test_restored_it_is_the_same_league() -> None:
    games = league(0.7)
    for number, share in enumerate((0.2, 0.4, 0.8)):
        games.learned(100 * (number + 1), network(number + 1))
        meet(games, STOPPER, share, 7)
    meet(games, THIRD, 0.3, 9)
    saved = through_a_file(games.state())
    other = league(0.7)
    other.restore(saved)
    assert other.standing() == games.standing()
    np.testing.assert_array_equal(drawn(other), drawn(games))
    opponents = sorted(set(drawn(games).ravel().tolist()) - {LEARNER})
    assert [ask(other, opponent) for opponent in opponents] == [
        ask(games, opponent) for opponent in opponents
    ]
    for one in (games, other):
        meet(one, STOPPER, 0.9, 5)
        one.learned(399, network(7))
        one.learned(400, network(8))
    assert other.standing() == games.standing()
    np.testing.assert_array_equal(drawn(other), drawn(games))
    later = sorted(set(drawn(games).ravel().tolist()) - {LEARNER})
    assert later != opponents
    assert [ask(other, opponent) for opponent in later] == [
        ask(games, opponent) for opponent in later
    ]
    with pytest.raises(MascaradeError, match=facts("--league-agents", "leave")):
        league(0.7, 100, 2, "random").restore(copy.deepcopy(saved))


def test_a_league_that_goes_on_with_fewer_snapshots_lets_the_others_leave() -> None:
    games = league(0.7, 100, 5)
    for number in range(1, 6):
        games.learned(100 * number, network(number))
    assert len(games.state()["snapshots"]) == 5
    fewer = league(0.7, 100, 2)
    fewer.restore(through_a_file(games.state()))
    fewer.learned(600, network(7))
    assert len(fewer.state()["snapshots"]) == 2


@pytest.mark.parametrize("name", ["stopper", "bluffer:0.4"])
@pytest.mark.parametrize("scenario", ["4A", "8B"])
def test_an_agent_plays_as_opponent_what_it_plays(name: str, scenario: str) -> None:
    """Also with padded observations and padded action ids."""
    given = scenarios()[scenario]
    agent = make_agent(name, given)
    games = league(0.5, 100, 2, name)
    plain = Batch(given, 32, seed=4, track="both")
    padded = Batch(given, 32, seed=4, track="both", padded=True)
    ids = np.array(padded_ids(new_rows(given, 1)[0]))
    kinds = set()
    for step in range(40):
        wanted = agent.act_batch(Positions.of_batch(plain), np.random.default_rng(step))
        for batch in (plain, padded):
            assert batch.schema is not None
            opponent = games.policy(0, batch.schema)
            taken = opponent.act_batch(Positions.of_batch(batch), np.random.default_rng(step))
            assert (batch.mask[np.arange(32), taken] == 1).all()
            np.testing.assert_array_equal(taken, ids[wanted] if batch.padded else wanted)
            batch.step(taken)
        kinds |= set(wanted.tolist())
    assert len(kinds) > 8


def test_opponents_that_cannot_come_are_refused() -> None:
    with pytest.raises(MascaradeError, match=facts("stopper", '"both"', '"belief"')):
        league().policy(STOPPER, Schema("4A", "belief"))
    with pytest.raises(MascaradeError, match=facts("learned 6A", "not 4A")):
        league(0.5, 100, 2, "released:6A").policy(0, SCHEMA)
    with pytest.raises(MascaradeError, match=facts("agent", "'stoper'", "'stopper'")):
        league(0.5, 100, 2, "stoper").policy(0, SCHEMA)
    with pytest.raises(MascaradeError, match=facts("--league", 0, 1, 1.5)):
        league(1.5)
    with pytest.raises(MascaradeError, match=facts("--league-keep", 1, 0)):
        league(0.5, 100, 0)


VIEWING = """
from mascarade_agents import Agent

class Last(Agent):
    def act(self, view, rng):
        return view.legal_ids()[-1]
"""


@pytest.mark.parametrize("padded", [False, True])
def test_an_agent_written_with_views_can_be_an_opponent(tmp_path: Path, padded: bool) -> None:
    """Opponents by name, in games of two scenarios, over several deals."""
    file = tmp_path / "mine.py"
    file.write_text(VIEWING)
    schemas = [
        Schema(name, "both", padded=padded) for name in (("4A", "5A") if padded else ("4A",))
    ]
    torch.manual_seed(0)
    games = League(1.0, 10**9, 2, (f"{file}:Last",), Network(schemas[0], (8,)))
    collector = Collector(schemas, Rollout(6, 150, 3), games)
    shown: list[tuple[NDArray[np.int8], NDArray[np.int64]]] = []
    for schema in schemas:
        policy = games.policy(0, schema)
        assert policy.needs_views

        def noted(positions: Positions, rng: Any, ask: Any = policy.act_batch) -> Any:
            taken = ask(positions, rng)
            shown.append((positions.masks, taken))
            return taken

        policy.act_batch = noted  # type: ignore[method-assign]
    rng, seats = np.random.default_rng(0), 12 if padded else 4

    def predict(_: Any, mask: NDArray[np.int8], __: Any) -> tuple[Any, Any]:
        log_probs = np.where(mask > 0, np.float32(0), np.float32(-1e9))
        return log_probs, np.full((len(mask), seats), 1 / seats, np.float32)

    for _ in range(140):
        collector.step(predict, rng)
    assert collector.finished > 6
    assert len(shown) > 40
    for masks, taken in shown:
        assert (masks[np.arange(len(masks)), taken] == 1).all()
        if not padded:  # the last id is the last plain one
            last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
            np.testing.assert_array_equal(taken, last)


def test_an_opponent_in_training_that_fails_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(
        "from mascarade_agents import Agent\n"
        "class Bad(Agent):\n"
        "    def act(self, view, rng):\n        raise KeyError('lost')\n"
    )
    monkeypatch.chdir(tmp_path)
    run = training(tmp_path, league=1.0, league_agents=("mine.py:Bad",))
    wrong = facts("opponent", "'mine.py:Bad'", "failed", "KeyError: 'lost'")
    with pytest.raises(MascaradeError, match=wrong):
        run.update()
