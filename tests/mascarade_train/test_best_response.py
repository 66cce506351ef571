"""Best responses: seats, figures, and that a search finds a gain where there is one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab.calibration import gain_of
from mascarade_agents._registry import make_agent
from mascarade_agents.exact import tabulate
from mascarade_env import Batch, MascaradeError, Positions, Scenario, Schema, scenarios
from mascarade_env.exact import build, nash_conv
from mascarade_train._agents import NetworkAgent
from mascarade_train._best_response import search as module
from mascarade_train._best_response import training as response_training
from mascarade_train._best_response.search import (
    EVALUATION,
    SELECTION,
    Candidate,
    Hooks,
    Response,
    best_response,
)
from mascarade_train._best_response.settings import Kind, ResponseSettings
from mascarade_train._best_response.training import Figures, FrozenOpponents, sharpened
from mascarade_train._evaluation import WinShare, alone_among
from mascarade_train._net_policy import NetPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._ppo import Learner
from mascarade_train._rollouts import LEARNER, Collector, Rollout
from mascarade_train._settings import Settings
from tests.mascarade_train.random_nets import positions, random_net, undecided
from tests.messages import facts

TINY = ResponseSettings(
    decisions=10_000,
    selection=400,
    evaluation=2000,
    games=64,
    batch=512,
    layers=(32,),
    events=8,
    learning_rate=(0.01,),
    entropy=(0.02,),
)
AGENTS = """
import numpy as np
from mascarade_agents import Agent

class ByView(Agent):
    def act(self, view, rng):
        return view.legal_ids()[-1]

class ByMask(Agent):
    def act_batch(self, positions, rng):
        masks = positions.masks
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
"""
#: Settings of a very short search.
SHORT = replace(TINY, decisions=300, selection=20, evaluation=40, batch=128)


class Watching(FrozenOpponents):
    """Opponents that record the seats in games that have ended."""

    def __init__(self) -> None:
        super().__init__(make_agent("random", "tiny-2"), "random")
        self.seats: list[np.ndarray] = []

    def ended(self, seats: np.ndarray, shares: np.ndarray) -> None:
        self.seats.append(seats.copy())
        super().ended(seats, shares)


def test_the_learner_sits_once_in_each_game_and_in_every_seat_equally_often() -> None:
    table = FrozenOpponents(make_agent("random", "6A"), "random")
    chance = np.random.default_rng(0)
    # The result must not depend on how many games are dealt in one call.
    seats = np.concatenate([table.seat(games, 6, chance) for games in (7, 1, 3, 13)])
    assert ((seats == LEARNER).sum(axis=1) == 1).all()
    assert (seats[seats != LEARNER] == 0).all()
    assert (seats == LEARNER).sum(axis=0).tolist() == [4] * 6


def test_only_the_learners_decisions_are_learned_from_and_its_wins_are_counted() -> None:
    table = Watching()
    schema = Schema("tiny-2", "both")
    games = Collector([schema], Rollout(50, 40, 1), table)

    def predict(_: Any, mask: Any, __: Any) -> tuple[Any, Any]:
        return np.where(mask, 0, -1e9).astype(np.float32), np.full((len(mask), 2), 0.5, "f4")

    harvest = games.collect(predict, 0.95, np.random.default_rng(0))
    seats = np.concatenate(table.seats)
    assert ((seats == LEARNER).sum(axis=1) == 1).all()
    assert len(seats) == games.finished > 200
    # Half of the 2000 decisions, without those whose outcome is still open.
    assert 900 < len(harvest.action) < 1050
    share = table.share()
    assert 0.4 < share < 0.6
    assert np.isnan(table.share())  # no game has ended since the last call


def test_the_share_of_a_table_is_of_its_learner() -> None:
    table = FrozenOpponents(make_agent("random", "6A"), "random")
    seats = np.array([[LEARNER, 0, 0], [0, LEARNER, 0], [0, 0, LEARNER], [LEARNER, 0, 0]])
    shares = np.array([[1, 0, 0], [0, 0.5, 0.5], [1, 0, 0], [0, 1, 0]], np.float32)
    table.ended(seats[:2], shares[:2])
    table.ended(seats[2:], shares[2:])
    assert table.share() == (1 + 0.5 + 0 + 0) / 4


def response(mean: float, margin: float, fair: float) -> Response:
    chosen = Candidate(Kind(0, 0.01, 0.1), "average", mean)
    return Response(
        agent="random",
        scenario="4A",
        settings=SHORT,
        share=WinShare(mean, mean - margin, mean + margin, 100, fair, 0),
        chosen=chosen,
        candidates=(chosen,),
        curve=(),
        decisions=300,
        seconds=1.0,
        whole=True,
        policy=random_net("4A"),
    )


def test_a_gain_is_what_is_won_above_an_equal_share() -> None:
    found = response(0.4, 0.03, 0.25)
    assert found.gain == pytest.approx(0.15)
    assert found.interval == pytest.approx((0.12, 0.18))
    assert found.at_least == pytest.approx(0.12)
    told = found.to_dict()
    assert told["gain"] == found.gain
    assert told["at_least"] == found.at_least
    assert told["share"]["games"] == 100
    worse = response(0.24, 0.03, 0.25)
    assert worse.interval == pytest.approx((-0.04, 0.02))
    assert worse.at_least == 0  # the gain of the agent against itself


def test_most_of_the_true_gain_is_found_against_uniform_play() -> None:
    seen: list[Figures] = []
    found = best_response("random", "tiny-2", TINY, hooks=Hooks(seen.append))
    game = build("tiny-2")
    uniform = tabulate(make_agent("random", game.scenario), game).policy
    true_gain = nash_conv(game.tree, uniform).nash_conv / 2
    assert gain_of(game, found.policy, uniform) > 0.9 * true_gain
    # Games give the same result as the tree.
    wide = found.share.high - found.share.low
    assert found.gain == pytest.approx(gain_of(game, found.policy, uniform), abs=wide)
    assert found.whole
    assert TINY.decisions <= found.decisions < TINY.decisions + 1024
    assert found.chosen == max(found.candidates, key=lambda each: each.share)
    assert found.curve[-1].share > found.curve[0].share + 0.1
    assert (seen[-1].done, seen[-1].decisions) == (1.0, found.decisions)
    assert "wins" in str(seen[-1])


def test_the_same_seed_finds_the_same() -> None:
    one, other = (best_response("random", "tiny-2", SHORT) for _ in range(2))
    assert one.share == other.share
    assert one.candidates == other.candidates
    assert best_response("random", "tiny-2", replace(SHORT, seed=1)).candidates != one.candidates


def test_of_several_trainings_the_best_is_taken() -> None:
    s = replace(SHORT, seeds=2, seed=5, learning_rate=(0.01, 0.002), entropy=(0.2, 0.01))
    found = best_response("random", "tiny-2", s)
    planned = [
        Kind(5, 0.01, 0.2), Kind(5, 0.002, 0.01), Kind(6, 0.01, 0.2), Kind(6, 0.002, 0.01)
    ]  # fmt: skip
    assert [candidate.kind for candidate in found.candidates[::2]] == planned
    assert found.chosen.share == max(candidate.share for candidate in found.candidates)
    assert {point.kind for point in found.curve} == set(planned)
    assert found.decisions > 4 * SHORT.decisions - 1


def test_a_response_learns_unhindered(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no KL penalty, its critic sees all masks, and every training has separate weights."""
    given: list[Settings] = []

    def noted(settings: Settings, schema: Schema, *, sees_all: bool) -> Learner:
        assert sees_all
        given.append(settings)
        return Learner(settings, schema, sees_all=True)

    monkeypatch.setattr(response_training, "Learner", noted)
    pairs = replace(SHORT, learning_rate=(0.02, 0.001), entropy=(0.2, 0.01))
    best_response("random", "tiny-2", replace(pairs, entropy_end=0.5, slots=9))
    assert [(s.learning_rate, s.entropy) for s in given] == [(0.02, 0.2), (0.001, 0.01)]
    assert {(s.entropy_end, s.layers, s.events, s.slots) for s in given} == {(0.5, (32,), 8, 9)}
    assert {(s.previous, s.magnet, s.teacher, s.league) for s in given} == {(0, 0, None, 0)}


def test_while_it_warms_up_only_the_baseline_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Learner] = []

    def noted(settings: Settings, schema: Schema, *, sees_all: bool) -> Learner:
        made.append(Learner(settings, schema, sees_all=sees_all))
        return made[-1]

    monkeypatch.setattr(response_training, "Learner", noted)
    for warming in (0.0, 1.0):
        best_response("random", "tiny-2", replace(SHORT, warming=warming))
    again = Learner(made[0].settings, Schema("tiny-2", "both"), sees_all=True)
    for place, changed in ((0, True), (1, False)):
        weight = made[place].network.policy.weight
        assert bool((weight != again.network.policy.weight).any()) is changed
        critic = made[place].critic
        assert critic is not None
        assert again.critic is not None
        assert (critic.wins.weight != again.critic.wins.weight).any()


def test_choosing_and_measuring_take_games_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[tuple[int, set[int]]] = []
    dealt: set[int] = set()

    def noted(*given: Any, games: int, seed: int) -> WinShare:
        before = set(dealt)
        dealt.clear()
        found = alone_among(*given, games=games, seed=seed)
        measured.append((seed, set(dealt)))
        dealt.clear()
        dealt.update(before)
        return found

    def watched(batch: Batch, *arguments: Any, **options: Any) -> None:
        reset(batch, *arguments, **options)
        dealt.update(batch.state["seed"].tolist())

    reset = Batch.reset
    monkeypatch.setattr(module, "alone_among", noted)
    monkeypatch.setattr(Batch, "reset", watched)
    best_response("random", "tiny-2", SHORT)
    *tried, counted = measured
    assert [seed for seed, _ in tried] == [SELECTION] * 2
    assert counted[0] == EVALUATION
    assert tried[0] == tried[1]  # the same deals for all candidates
    assert (len(tried[0][1]), len(counted[1])) == (10, 20)  # each from both seats
    assert not tried[0][1] & counted[1]
    assert len(dealt) > 60
    assert not dealt & (tried[0][1] | counted[1])


def test_beliefs_are_thinned_while_training_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    training: list[int] = []

    def noted(schemas: list[Schema], rollout: Rollout, *others: Any) -> Collector:
        training.append(rollout.most_worlds)
        return Collector(schemas, rollout, *others)

    def exact(*_: object, games: int, **options: Any) -> WinShare:
        assert "most_worlds" not in options
        return WinShare(0.5, 0.4, 0.6, games, 0.5, 0)

    monkeypatch.setattr(response_training, "Collector", noted)
    monkeypatch.setattr(module, "alone_among", exact)
    best_response("random", "tiny-2", replace(SHORT, most_worlds=7))
    assert training == [7]


@pytest.mark.parametrize(("scenario", "thinned"), [("6A", False), ("6B", False), ("8A", True)])
def test_six_masks_never_have_more_worlds_than_are_kept(scenario: str, thinned: bool) -> None:
    kept = ResponseSettings().most_worlds
    games = Batch(scenario, 64, seed=3, autoreset="same_step", track="both", most_worlds=kept)
    for _ in range(300):
        games.step(games.random_actions())
    assert bool(games.thinned) is thinned


def test_what_is_broken_off_is_measured_and_told() -> None:
    found = best_response(
        "random", "tiny-2", replace(SHORT, seeds=2), hooks=Hooks(stopped=lambda: True)
    )
    assert not found.whole
    assert found.decisions < SHORT.decisions
    assert {candidate.kind for candidate in found.candidates} == {Kind(0, 0.01, 0.02)}
    assert found.share.games == SHORT.evaluation


def test_a_response_to_a_network_begins_with_its_weights(
    tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    random_net("tiny-2", "both", layers=(12,), events=3, slots=4).save("mine.npz")
    s = replace(SHORT, decisions=1, batch=64, learning_rate=(0.0, 0.0), entropy=(0.02, 0.02))
    tried: list[PolicyFile] = []

    def noted(file: PolicyFile, *arguments: Any) -> WinShare:
        tried.append(file)
        return won(file, *arguments)

    won = module._won
    monkeypatch.setattr(module, "_won", noted)
    found = best_response("net:mine.npz", "tiny-2", s)
    assert found.policy.card["layers"] == [12]
    assert found.policy.events == 3
    assert [candidate.version for candidate in found.candidates] == [
        "average", "average, sharp", "first, sharp", "average", "average, sharp"
    ]  # fmt: skip
    mine = PolicyFile.load("mine.npz")
    for name in ("trunk.0.weight", "slots.weight"):
        np.testing.assert_array_equal(found.policy.arrays[name], mine.arrays[name])
    assert [file.arrays.keys() for file in tried] == [mine.arrays.keys()] * 6
    for name, array in sharpened(mine).arrays.items():  # the candidate `first, sharp`
        np.testing.assert_array_equal(tried[2].arrays[name], array)


@pytest.mark.parametrize("slots", [0, 5])
def test_a_sharp_network_takes_what_it_deems_best(slots: int) -> None:
    file = undecided(random_net("4A", "both", slots=slots))
    scenario = scenarios()["4A"]
    shown = Positions(*positions(file.schema), file.schema)
    calm, sharp = (
        NetworkAgent(scenario, NetPolicy(each)).probabilities(shown)
        for each in (file, sharpened(file))
    )
    assert calm.max(axis=1).mean() < 0.8
    assert (sharp.max(axis=1) > 0.99).mean() > 0.95
    assert (sharp.argmax(axis=1) == calm.argmax(axis=1)).all()


def test_a_response_to_an_agent_written_with_views(tmp_path: Path) -> None:
    """Two agents that take the last legal action, by view and by mask, give the same training.

    The arena plays fewer games at once where views are needed, with other random numbers.
    """
    file = tmp_path / "mine.py"
    file.write_text(AGENTS)
    by_view, by_mask = (
        best_response(f"{file}:{name}", "tiny-2", SHORT) for name in ("ByView", "ByMask")
    )
    assert by_view.curve == by_mask.curve
    assert len(by_view.curve) > 1
    assert by_view.decisions == by_mask.decisions
    assert by_view.gain > 0.3 < by_mask.gain


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"decisions": 0}, facts("--decisions", 1, 0)),
        ({"seed": 2**64}, facts("--seed", 2**64)),
        ({"evaluation": 1}, facts("--evaluation", 2, 1)),
        ({"learning_rate": (-0.1,)}, facts("--learning-rate", 0, 1, "(-0.1,)")),
        (
            {"learning_rate": (0.1, 0.2)},
            facts("--learning-rate", "--entropy", "(0.02,)", "(0.1, 0.2)"),
        ),
        ({"slots": -1}, facts("--slots", 0, -1)),
        ({"most_worlds": 1}, facts("--most-worlds", 2, 1)),
        ({"trace": float("nan")}, facts("--trace", 0, 1, "nan")),
        ({"layers": (0,)}, facts("--layers", 1, 0)),
        ({"entropy": ()}, facts("--entropy", "one number", "not ()")),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(MascaradeError, match=words):
        best_response("random", "tiny-2", replace(SHORT, **change))  # type: ignore[arg-type]


def test_unknown_agents_and_scenarios_are_refused() -> None:
    with pytest.raises(MascaradeError, match=facts("agent", "'stoper'", "'stopper'")):
        best_response("stoper", "tiny-2", SHORT)
    with pytest.raises(MascaradeError, match=facts("scenario", "'tiny2'", "'tiny-2'")):
        best_response("random", "tiny2", SHORT)


def test_a_scenario_that_is_void_at_its_limit_is_refused() -> None:
    void = Scenario(
        "void", 2, ("king", "thief", "judge"), strict=False, turn_limit=4, at_limit="void"
    )
    with pytest.raises(MascaradeError, match=facts("void", "limit", 'at_limit="richest"')):
        best_response("random", void, SHORT)
