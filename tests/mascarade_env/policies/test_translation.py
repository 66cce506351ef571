"""Policies at tables that are laid out otherwise than what they read."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mascarade_agents import make_agent
from mascarade_env import Batch, MascaradeError, Policy, Positions, Schema, scenarios
from mascarade_env._policies.functions import FunctionPolicy, as_policy
from mascarade_env._policies.protocol import checked_actions, is_policy
from mascarade_env._policies.translation import Translation, fitted
from tests.mascarade_env.policies.players import LastByMask, Noting, last
from tests.messages import facts


def positions(scenario: str, track: Any, padded: bool, steps: int = 25) -> Positions:
    """Positions of the same games in any layout."""
    batch = Batch(scenario, 40, seed=3, track=track, padded=padded)
    plain = Batch(scenario, 40, seed=3)
    for _ in range(steps):
        taken = plain.mask.argmax(axis=1) if _ % 3 else last(plain.observation, plain.mask)
        ids = np.array([np.flatnonzero(batch.unpadded == action)[0] for action in taken])
        plain.step(taken)
        batch.step(ids)
    return Positions.of_batch(batch)


@pytest.mark.parametrize("scenario", ["4A", "6A", "8B"])
@pytest.mark.parametrize("shown", [False, True])
def test_an_agent_plays_the_same_at_tables_of_both_layouts(scenario: str, shown: bool) -> None:
    """The numbers it reads are its own, and its answers mean the same actions."""
    agent = make_agent("bluffer:0.4", scenario)
    own, there = positions(scenario, "both", False), positions(scenario, "both", shown)
    player = fitted(agent, there.schema)
    rngs = np.random.default_rng(1), np.random.default_rng(1)
    taken, wanted = player.act_batch(there, rngs[0]), agent.act_batch(own, rngs[1])
    unpadded = Batch(scenario, 1, padded=shown).unpadded
    np.testing.assert_array_equal(unpadded[taken], wanted)
    known, expected = player.probabilities(there), agent.probabilities(own)
    assert known is not None
    assert expected is not None
    assert known.shape == there.masks.shape
    for action, column in zip(unpadded, known.T, strict=True):
        wanted_column = expected[:, action] if action >= 0 else np.zeros(len(known))
        np.testing.assert_array_equal(column, wanted_column)


def test_a_policy_that_reads_padded_numbers_plays_at_plain_tables() -> None:
    """In every scenario, also in those that it has not learned."""
    for scenario in ("4A", "8B"):
        policy = Noting(Schema("6A", "belief", padded=True))
        plain, padded = positions(scenario, "both", False), positions(scenario, "belief", True)
        taken = fitted(policy, plain.schema).act_batch(plain, np.random.default_rng(0))
        (seen,) = policy.shown
        np.testing.assert_array_equal(seen.observations, padded.observations)
        np.testing.assert_array_equal(seen.masks, padded.masks)
        first = padded.masks.argmax(axis=1)
        np.testing.assert_array_equal(taken, Batch(scenario, 1, padded=True).unpadded[first])


def test_a_policy_that_reads_what_is_shown_is_not_wrapped() -> None:
    agent, anyone = make_agent("honest", "4A"), Noting()
    assert fitted(agent, Schema("4A")) is agent
    assert fitted(anyone, Schema("4A", "memory", padded=True)) is anyone
    renamed = replace(scenarios()["4A"], name="mine")
    assert fitted(agent, Schema(renamed)) is agent


def test_what_cannot_play_is_refused() -> None:
    agent = make_agent("honest", "4A")
    with pytest.raises(MascaradeError, match=facts("plays 4A", "not 4B", "masks")):
        fitted(agent, Schema("4B"))
    richer = replace(scenarios()["4A"], start_coins=7, strict=False)
    with pytest.raises(MascaradeError, match=facts("plays 4A", "not 4A", "start_coins", "strict")):
        fitted(agent, Schema(richer))
    with pytest.raises(MascaradeError, match=facts("track", '"both"', '"belief"')):
        fitted(agent, Schema("4A", "belief"))
    wide = replace(scenarios()["4A"], masks=(*scenarios()["4A"].masks, "cheat"), strict=False)
    if wide.slots - wide.players > 2:
        with pytest.raises(MascaradeError, match=facts("padded", "centre", 2)):
            fitted(Noting(Schema("6A", padded=True)), Schema(wide))


@pytest.mark.parametrize("answer", [[99], [-1], [1.0], [[1]], [], None])
def test_wrong_answers_are_refused(answer: Any) -> None:
    class Wrong(Noting):
        def act_batch(self, positions: Positions, rng: np.random.Generator) -> Any:
            return answer

    shown = positions("4A", "both", True)
    one = Positions(shown.observations[:1], shown.masks[:1], shown.schema)
    with pytest.raises(MascaradeError, match=facts("policy", "action")):
        fitted(Wrong(Schema("4A")), one.schema).act_batch(one, np.random.default_rng(0))


def test_translations_take_numbers_and_ids_there_and_back() -> None:
    plain, padded = Schema("6A"), Schema("6A", padded=True)
    there, back = Translation(plain, padded), Translation(padded, plain)
    shown = positions("6A", "both", False)
    wide = there.positions(shown)
    np.testing.assert_array_equal(back.observations(wide.observations), shown.observations)
    np.testing.assert_array_equal(back.masks(wide.masks), shown.masks)
    ids = np.arange(shown.masks.shape[1])
    np.testing.assert_array_equal(there.actions(back.actions(ids)), ids)


def test_functions_become_policies_in_one_place() -> None:
    made = as_policy(last)
    assert isinstance(made, FunctionPolicy)
    assert made.reads is None
    shown = positions("4A", "memory", False)
    taken = made.act_batch(shown, np.random.default_rng(0))
    np.testing.assert_array_equal(taken, last(shown.observations, shown.masks))
    anyone: Policy = made
    assert anyone.probabilities(shown) is None
    policy: Policy = LastByMask(scenarios()["4A"])
    assert as_policy(policy) is policy
    for nothing in (3, "stopper", LastByMask, None):
        with pytest.raises(MascaradeError, match=facts("policy", "function")):
            as_policy(nothing)  # type: ignore[arg-type]
    assert not is_policy(LastByMask)


def test_answers_are_one_id_for_each_position() -> None:
    assert checked_actions([1, 2], 2).tolist() == [1, 2]
    for wrong in ([1], [[1, 2]], [0.5, 1], ["a", "b"], [[1], [1, 2]]):
        with pytest.raises(MascaradeError, match=facts("one action id", 2, "shape")):
            checked_actions(wrong, 2)


def test_positions_are_copies_of_a_batch() -> None:
    batch = Batch("4A", 3, seed=1)
    for rows in (slice(None), np.arange(3), np.ones(3, np.bool_)):
        shown = Positions.of_batch(batch, rows)
        assert len(shown) == 3
        shown.observations[:] = 9
        shown.masks[:] = 9
    assert (batch.mask <= 1).all()
    assert (batch.observation != 9).any()
    with pytest.raises(MascaradeError, match=facts("observations", "track")):
        Positions.of_batch(Batch("4A", 1, track=None))
    with pytest.raises(MascaradeError, match=facts("view")):
        Positions.of_views([])
