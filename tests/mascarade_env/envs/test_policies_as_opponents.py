"""Policies as opponents in environments: by name, by views, and of other layouts."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from mascarade_agents import make_agent
from mascarade_env import IllegalActionError, MascaradeError, Policy, Pool, Schema, scenarios
from mascarade_env.envs._learner_tables import LearnerTables
from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.envs._vector import MascaradeVectorEnv
from mascarade_env.testing import check_env
from tests.mascarade_env.policies.players import (
    ByBelief,
    LastByMask,
    LastByView,
    Noting,
    last,
)
from tests.messages import facts


def history(tables: LearnerTables, steps: int = 6) -> list[Any]:
    """Return all decisions at the tables; the learner takes the first legal action."""
    tables.reset(seed=range(len(tables)))
    found = []
    for _ in range(steps):
        tables.step(tables.mask.argmax(axis=1))
        if tables.over.any():
            tables.reset(rows=tables.over)
        found.append([tables.game(row).history for row in range(len(tables))])
    return found


def tables_with(opponents: Any, name: str = "4A", size: int = 5, **options: Any) -> LearnerTables:
    return LearnerTables(name, size, opponents=opponents, seat="rotate", recording=True, **options)


@pytest.mark.parametrize("name", ["stopper", "bluffer:0.3", "released:6A", "random"])
def test_opponents_by_name_play_as_the_agents_do(name: str) -> None:
    by_name = history(tables_with(name, "6A"))
    if name != "random":  # random players act within the batch
        agent: Policy = make_agent(name, "6A")
        assert by_name == history(tables_with(agent, "6A"))
    assert by_name == history(tables_with(Pool([name]), "6A"))
    assert by_name != history(tables_with(last, "6A"))


BAD = """
import numpy as np
from mascarade_agents import Agent

class Illegal(Agent):
    def act_batch(self, positions, rng):
        return positions.masks.argmin(axis=1)

class Tables(Agent):
    def act_batch(self, positions, rng):
        return positions.masks

class Beyond(Agent):
    def act_batch(self, positions, rng):
        return np.full(len(positions.masks), 4000)
"""


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Illegal", ("returned", "legal")),
        ("Tables", ("one action id", "shape")),
        ("Beyond", ("returned", 4000)),
    ],
)
def test_an_opponent_that_answers_wrongly_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: tuple[Any, ...], padded: bool
) -> None:
    """Otherwise the learner's own action seems to be the illegal one."""
    (tmp_path / "mine.py").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    opponent = f"mine.py:{name}"
    kinds = {"Illegal": IllegalActionError}
    for opponents in (opponent, Pool([opponent])):
        tables = LearnerTables("4A", 3, opponents=opponents, seat=2, padded=padded)
        wrong = facts("opponent", repr(opponent), *why)
        with pytest.raises(kinds.get(name, MascaradeError), match=wrong):
            tables.reset(seed=range(3))

    def mistaken(observation: Any, mask: Any) -> Any:
        return mask.argmin(axis=1)

    tables = LearnerTables("4A", 3, opponents=mistaken, seat=2, padded=padded)
    with pytest.raises(IllegalActionError, match=facts("opponent mistaken", "player", "row 0")):
        tables.reset(seed=range(3))


def test_a_name_is_enough_in_every_environment() -> None:
    single = gymnasium.make("Mascarade-v0", scenario="6A", opponents="stopper")
    many = gymnasium.make_vec("Mascarade-v0", num_envs=3, scenario="6A", opponents="stopper")
    check_env(MascaradeEnv("4A", opponents="honest", track="belief"), games=2)
    for env in (single, many):
        once, again = (env.reset(seed=3)[0] for _ in range(2))
        np.testing.assert_array_equal(once, again)


@pytest.mark.parametrize("make", [MascaradeEnv, lambda *a, **o: MascaradeVectorEnv(2, *a, **o)])
def test_impossible_opponents_fail_when_the_environment_is_made(make: Any) -> None:
    honest = make_agent("honest", "4A")
    for opponents, why in (
        ("stoper", ("unknown agent", "'stoper'", "stopper")),
        ("bluffer:often", ("bluffs", "often")),
        ("released:6A", ("learned 6A", "not 4B")),
        (honest, ("plays 4A", "not 4B", "masks")),
        (Pool(["random", honest]), ("plays 4A", "not 4B", "masks")),
        (3, ("opponents", "random", "Pool")),
    ):
        with pytest.raises(MascaradeError, match=facts(*why)):
            make("4B", opponents=opponents)


def test_an_impossible_new_member_is_refused_at_the_next_deal() -> None:
    pool = Pool(["random"])
    env = MascaradeEnv("4B", opponents=pool)
    env.reset(seed=0)
    pool.add(make_agent("honest", "4A"))
    with pytest.raises(MascaradeError, match=facts("plays 4A", "not 4B")):
        env.reset(seed=0)
    pool = Pool(["random"])
    env = MascaradeEnv("4A", opponents=pool, track="memory")
    pool.add("honest")
    with pytest.raises(MascaradeError, match=facts("track", '"both"', '"memory"')):
        env.reset(seed=0)


def test_a_scenario_with_another_name_is_the_same_scenario() -> None:
    renamed = replace(scenarios()["4A"], name="mine")
    MascaradeEnv(renamed, opponents=make_agent("honest", "4A")).reset(seed=0)


@pytest.mark.parametrize("padded", [False, True])
def test_an_agent_written_with_views_can_be_an_opponent(padded: bool) -> None:
    scenario = scenarios()["4A"]
    by_view, by_mask, function = (
        history(tables_with(each, padded=padded))
        for each in (LastByView(scenario), LastByMask(scenario), last)
    )
    assert by_view == by_mask
    if not padded:  # here the last id is the same action
        assert by_view == function


@pytest.mark.parametrize("padded", [False, True])
def test_views_of_opponents_are_exact_in_every_game(padded: bool) -> None:
    """Each decision is that of the agent for the view of this game."""
    agent = ByBelief(scenarios()["5A"])
    tables = tables_with(agent, "5A", size=3, padded=padded)
    tables.reset(seed=range(3))
    rng, checked = np.random.default_rng(0), 0
    for _ in range(25):
        tables.step((rng.random(tables.mask.shape) * tables.mask).argmax(axis=1))
        if tables.over.any():
            tables.reset(rows=tables.over)
    for row in range(3):
        game = tables.game(row)
        past = game.at_start()
        for player, word in game.history:
            if player != tables.learner[row]:
                answer = agent.act(past.view(player), rng)
                assert past.action_id(word) == answer
                checked += 1
            past.play(word)
    assert checked > 10


def test_opponents_get_their_own_track() -> None:
    """The learner's observations and the games do not depend on it."""
    agent = make_agent("honest", "6A")
    whole = tables_with(agent, "6A")
    wanted = history(whole)
    for track in ("belief", "memory"):
        for padded in (False, True):
            part = tables_with(agent, "6A", track=track, padded=padded)
            assert part.schema.track == track
            assert history(part) == wanted
            assert part.observation.shape[1] == Schema("6A", track, padded=padded).size
            game = part.game(2)
            np.testing.assert_array_equal(
                part.observation[2],
                game.observation(int(part.learner[2]), track, padded=padded),
            )


def test_the_batch_has_no_larger_track_than_needed() -> None:
    belief = Noting(Schema("4A", "belief"))
    tables = tables_with(belief, track="belief")
    tables.reset(seed=range(5))
    assert tables.batch.schema is not None
    assert tables.batch.schema.track == "belief"
    assert belief.shown[0].schema.track == "belief"


def test_a_policy_needs_no_base_class() -> None:
    policy = Noting(Schema("4A"))
    env = MascaradeEnv("4A", opponents=policy, seat=2)
    env.reset(seed=1)
    assert policy.shown
    assert policy.shown[0].views == ()


@pytest.mark.parametrize("size", [1, 4])
def test_a_seed_repeats_random_opponents(size: int) -> None:
    def played(seed: int) -> Any:
        tables = tables_with("bluffer:0.5", size=size)
        tables.reset(seed=range(seed, seed + size))
        for _ in range(6):
            tables.step(tables.mask.argmax(axis=1))
        return [tables.game(row).history for row in range(size)]

    assert played(3) == played(3)
    assert played(3) != played(4)


def test_a_pool_with_names_can_be_pickled() -> None:
    pool = pickle.loads(pickle.dumps(Pool(["random", "bluffer:0.5"])))
    assert list(pool.members.values()) == ["random", "bluffer:0.5"]
    MascaradeEnv("4A", opponents=pool).reset(seed=0)


def test_an_agent_with_views_can_join_a_pool_during_games() -> None:
    """Decisions are recorded from then on; earlier games do not need them."""
    scenario = scenarios()["4A"]
    pool = Pool([last], keep=1)
    tables = LearnerTables("4A", 6, opponents=pool)
    tables.reset(seed=range(6))
    for step in range(40):
        tables.step(tables.mask.argmax(axis=1))
        if step == 2:
            pool.add(ByBelief(scenario))
            tables.reset(rows=np.arange(6) < 3)
        elif tables.over.any():
            tables.reset(rows=tables.over)
    assert tables.dealt
