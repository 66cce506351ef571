"""Measures of play, compared with counts from the records of the same games."""

from typing import Any

import numpy as np
import pytest

from mascarade_agents.behaviour import MEASURES
from mascarade_env import Game, Schema
from mascarade_env.game._actions import padded_ids
from mascarade_env.game._state import new_rows
from mascarade_env.observation._blocks import Track
from mascarade_train._rollouts import Harvest
from mascarade_train._run.play_measures import COUNTED, PlayCounter, shares

NONE = np.zeros((0, 0), np.float32)


def played(scenario: str, padded: bool, track: Track) -> tuple[Harvest, dict[str, list[int]]]:
    """Random games, and the count and opportunities of each measure by their records."""
    schema = Schema(scenario, track, padded=padded)
    ids = np.array(padded_ids(new_rows(schema.scenario, 1)[0]))
    chance = np.random.default_rng(0)
    told: dict[str, list[int]] = {name: [0, 0] for name in COUNTED}
    rows: dict[str, list[Any]] = {"observation": [], "mask": [], "action": [], "held": []}
    for seed in range(12):
        game = Game(scenario, seed=seed)
        while not game.over:
            assert game.player is not None
            assert game.seat is not None
            plain = np.array(game.legal_ids())
            action = int(chance.choice(plain))
            words = [game.action_word(int(number)) for number in plain]
            mask = np.zeros(ids.max() + 1 if padded else len(ids), np.int8)
            mask[ids[plain] if padded else plain] = 1
            rows["observation"].append(game.observation(track=track, padded=padded))
            rows["mask"].append(mask)
            rows["action"].append(int(ids[action]) if padded else action)
            rows["held"].append(schema.masks.index(game.masks[game.seat]))
            _count(told, game, game.action_word(action), words)
            game.play(action)
    unasked = dict.fromkeys(("log_probs", "advantage", "wins", "full", "teacher_probs"), NONE)
    return Harvest(**{name: np.array(given) for name, given in rows.items()} | unasked), told


def _count(told: dict[str, list[int]], game: Game, word: str, legal: list[str]) -> None:
    def note(name: str, yes: bool) -> None:
        told[name][0] += yes
        told[name][1] += 1

    assert game.player is not None
    assert game.seat is not None
    held = game.masks[game.seat]
    if any(other.startswith("announce") for other in legal):
        note("announce_rate", word.startswith("announce"))
        note("look_rate", word == "look")
    if word.startswith("announce"):
        mask = word.split(":")[1]
        note("false", mask != held)
        belief = game.belief(game.player)[game.seat]
        note("knowing_bluff", belief[game.scenario.kinds.index(mask)] == 0)
    if "claim" in legal:
        note("claim_rate", word == "claim")
    if word == "claim":
        note("claim_precision", game.announced == held)


@pytest.mark.parametrize(
    ("scenario", "padded", "track"),
    [("4A", False, "both"), ("6A", True, "both"), ("8B", True, "belief"), ("5A", False, "memory")],
)
def test_it_counts_as_the_words_tell(scenario: str, padded: bool, track: Track) -> None:
    harvest, told = played(scenario, padded, track)
    # Any schema of the same width gives the same counts.
    schema = Schema("4A" if padded else scenario, track, padded=padded)
    found = np.array(PlayCounter(schema).count(harvest)).reshape(-1, 2)
    counted = dict(zip(COUNTED, found.astype(int).tolist(), strict=True))
    if track == "memory":  # without beliefs, knowing bluffs cannot be counted
        assert counted.pop("knowing_bluff")[0] == 0
        told.pop("knowing_bluff")
    assert counted == told
    assert min(yes for yes, _ in told.values()) > 5


def test_figures_without_a_chance_are_left_out() -> None:
    found = shares([1.0, 4.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0, 0.0, 3.0])
    assert found == {
        "announce_rate": 0.25, "look_rate": 0.0, "claim_rate": 1.0, "claim_precision": 0.0
    }  # fmt: skip


def test_they_are_measures_of_behaviour() -> None:
    assert {measure.name for measure in MEASURES} >= set(COUNTED)
