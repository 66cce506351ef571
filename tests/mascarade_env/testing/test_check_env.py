from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from mascarade_env import MascaradeError, Pool, Scenario, mascarade_v0
from mascarade_env.envs._single import MascaradeEnv
from mascarade_env.testing import ConformanceError, check_env
from tests.mascarade_env.testing import saboteurs
from tests.messages import facts, states

DUEL = Scenario(
    "duel",
    players=2,
    masks=("king", "thief", "judge"),
    strict=False,
    turn_limit=6,
    opening_turns=2,
    fixed_deal=True,
)


def first_legal(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> Any:
    return mask.argmax(axis=1)


@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("6A", {}),
        ("4B", {"padded": True, "track": "memory"}),
        ("8B", {"illegal_actions": "terminate"}),
        ("6A", {"illegal_actions": "random"}),
        ("5A", {"shaping": 0.5, "track": "belief"}),
        (DUEL, {"shaping": 0.5}),
    ],
)
def test_pettingzoo_conforms(scenario: Any, options: dict[str, Any]) -> None:
    report = check_env(mascarade_v0.raw_env(scenario, **options), games=1)
    assert report.kind == "PettingZoo AEC"
    assert report.games == 1
    assert report.compared_with_game == report.observations > report.steps > 0
    assert report.replays == 3
    assert report.copies == report.pickles > 0
    assert report.legal_tried > 0
    assert report.illegal_actions == {options.get("illegal_actions", "raise"): report.illegal_tried}
    assert report.seeds == (0 if scenario is DUEL else 8)


def test_wrapped_environments_conform() -> None:
    assert check_env(mascarade_v0.env("6A"), games=2).games == 2


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scenario": "8B", "padded": True, "opponents": Pool()},
        {"scenario": DUEL, "illegal_actions": "raise", "seat": "rotate"},
        {"illegal_actions": "random", "shaping": 0.3, "seat": "random"},
        {"scenario": DUEL, "shaping": 0.3, "seat": 1},
        {"scenario": "4A", "opponents": first_legal, "track": "memory", "seat": "rotate"},
    ],
)
def test_gymnasium_conforms(options: dict[str, Any]) -> None:
    report = check_env(gymnasium.make("Mascarade-v0", **options), games=2)
    assert report.kind == "Gymnasium Env"
    assert report.compared_with_game > report.games
    assert report.scenario is not None
    assert report.illegal_actions == {
        options.get("illegal_actions", "terminate"): report.illegal_tried
    }


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    "options",
    [
        {"seat": "rotate"},
        {"illegal_actions": "random", "padded": True, "shaping": 0.5},
        {"scenario": DUEL, "illegal_actions": "raise", "seat": "random", "shaping": 0.5},
        {"scenario": "4A", "opponents": Pool(["random", first_legal])},
    ],
)
def test_vector_environments_conform(mode: AutoresetMode, options: dict[str, Any]) -> None:
    env = gymnasium.make_vec("Mascarade-v0", num_envs=3, autoreset_mode=mode, **options)
    report = check_env(env, games=1)
    assert report.kind == "Gymnasium VectorEnv"
    assert report.compared_with_game > 3 * report.games
    assert report.observations > 3 * report.steps > 0


def test_vectors_of_single_environments_conform_but_cannot_be_pickled() -> None:
    env = gymnasium.make_vec("Mascarade-v0", num_envs=2, vectorization_mode="sync")
    with pytest.raises(ConformanceError, match=facts("pickle", "raised")):
        check_env(env, games=1)
    report = check_env(env, games=1, pickling=False)
    assert report.pickles == report.compared_with_game == 0


class SeedsItsOpponents(MascaradeEnv):
    """An environment with random opponents, whose generator each reset with a seed seeds."""

    def __init__(self, scenario: str) -> None:
        self.chance = np.random.default_rng(0)
        super().__init__(scenario, opponents=self.draw)

    def draw(self, observation: Any, mask: Any) -> Any:
        return (self.chance.random(mask.shape) * mask).argmax(axis=1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self.chance.bit_generator.state = np.random.default_rng(seed).bit_generator.state
        return super().reset(seed=seed, options=options)


def test_nothing_is_compared_when_opponents_are_not_repeatable() -> None:
    report = check_env(SeedsItsOpponents("4A"), games=1)
    assert report.observations > report.compared_with_game == 0


@pytest.mark.parametrize(
    ("saboteur", "words"),
    [
        ("ReusesBuffers", facts("changed", "copies of buffers")),
        ("LeaksTheTable", facts("observation", "Game.observation")),
        ("PaysTheWrongPlayer", facts("player_0", "winners", "RULES.md 7")),
        ("PaysEverybody", facts("rewards", "6.0")),
        ("PaysOnTheWay", facts("reward", "1.0", "shaping")),
        ("ForgetsToPay", facts("last()", "rewards", "0.0")),
        ("CopyBeginsAnew", facts("deep copy", "game", "original")),
        ("CopySharesTheGame", facts("copies", "original", "changed")),
        ("PickleBeginsAnew", facts("pickle", "game", "original")),
        ("DrawsFromNumPy", facts("global generator of numpy.random")),
        ("DrawsFromPython", facts("global generator of random")),
        ("ReadsGlobalNumbers", facts("again", "global random numbers")),
        ("AllowsAnIllegalAction", facts("step", "legal action", "raised")),
        ("ForbidsALegalAction", facts("illegal action", "accepted", "mask")),
        ("AllowsNothing", facts("one legal action")),
        ("ShowsMasksToOthers", facts("agent", "legal actions", "all zeros")),
        ("MasksAreWide", facts("mask", "int64", "int8")),
        ("MasksDisagree", facts("masks", "observation", "info", "differ")),
        ("TrustsItsReader", facts("again", "changed results", "copies")),
        ("ChangesAndRaises", facts("illegal action", "raised", "changed")),
        ("IgnoresTheSeed", facts("8 seeds", "same position", "reset")),
        ("DealsAnyGame", facts("again", "same seed", "Reset")),
        ("ShowsDoubles", facts("float64", "shape", "space")),
        ("ShowsTooMuch", facts("['observation'][3]", "nan", "outside")),
        ("EndsTwice", facts("both", "terminated", "truncated")),
        ("EndsForOne", facts("terminations", "truncations", "All agents")),
        ("LeavesInDisorder", facts("end", "selected", "leaves")),
        ("ForgetsTheGame", facts("`game`", "seed", "decisions")),
        ("TurnsAround", facts("agents", "order")),
        ("LastIsLate", facts("last()", "observe()", "differ")),
        ("Stumbles", facts("RuntimeError: stumbled")),
    ],
)
def test_faults_of_pettingzoo_environments_are_found(saboteur: str, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_env(getattr(saboteurs, saboteur)("6A"), games=1)


@pytest.mark.parametrize("mode", ["raise", "terminate", "random"])
def test_illegal_actions_must_have_the_declared_effect(mode: Any) -> None:
    with pytest.raises(ConformanceError, match=facts(f'illegal_actions="{mode}"')):
        check_env(saboteurs.PunishesNobody("4A", illegal_actions=mode), games=1)


@pytest.mark.parametrize(
    ("saboteur", "words"),
    [
        ("ReusesItsBuffer", facts("changed", "copies of buffers")),
        ("PaysAnOther", facts("reward", "0.01", "shaping")),
        ("TakesAnything", facts("illegal action", "accepted", "mask")),
        ("HidesMasks", facts("mask", "observation", "info", '"action_mask"')),
    ],
)
def test_faults_of_gymnasium_environments_are_found(saboteur: str, words: str) -> None:
    env = getattr(saboteurs, saboteur)(gymnasium.make("Mascarade-v0", disable_env_checker=True))
    with pytest.raises(ConformanceError, match=words):
        check_env(env, games=1)


@pytest.mark.parametrize("mode", ["raise", "terminate", "random"])
@pytest.mark.parametrize("saboteur", ["PaysTheNext", "PaysNothing"])
def test_wrong_rewards_of_learners_are_found(saboteur: str, mode: Any) -> None:
    with pytest.raises(ConformanceError, match=facts("reward", "game", "RULES.md 7")):
        check_env(getattr(saboteurs, saboteur)("4A", illegal_actions=mode), games=1)


@pytest.mark.parametrize(
    ("saboteur", "options", "words"),
    [
        ("PaysNothing", {"opponents": first_legal}, facts("reward is 0.0", "game", "RULES.md 7")),
        ("PaysNothing", {"shaping": 0.5}, facts("reward is 0.0", "game", "RULES.md 7")),
        ("PunishesHalf", {}, facts("reward", -0.5, "-1.00000", "RULES.md 7")),
        ("EndsInTheDark", {}, facts("observation", "Game.observation")),
        ("NeverMovesOn", {"seat": "rotate"}, facts("observation", "Game.observation")),
    ],
)
def test_single_environments_that_do_not_play_the_game_are_found(
    saboteur: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_env(getattr(saboteurs, saboteur)("4A", **options), games=1)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("saboteur", "words"),
    [
        (
            "PaysTheOthers",
            facts("reward", "RULES.md 7") + r".* (-1\.0\b.* 1\.0|0\.33\d*\b.* -0\.33)",
        ),
        ("PaysNobody", facts("reward", "RULES.md 7") + r".* -?0\.0\b.* -?[01]\.\d+ .*table \d"),
        ("CutsOffWhatIsWon", facts("terminated is False", "truncated is True", "True and False")),
        ("EndsInTheNextGame", facts("observation", "Game.observation")),
        ("AllEndInTheDark", facts("observation", "Game.observation")),
    ],
)
def test_vector_environments_that_do_not_play_the_game_are_found(
    saboteur: str, mode: AutoresetMode, words: str
) -> None:
    env = getattr(saboteurs, saboteur)(3, "4A", autoreset_mode=mode, illegal_actions="raise")
    if saboteur == "EndsInTheNextGame" and mode != AutoresetMode.SAME_STEP:
        assert check_env(env, games=1).compared_with_game > 0  # there is no final_obs to be wrong
        return
    with pytest.raises(ConformanceError, match=words):
        check_env(env, games=1)


@pytest.mark.parametrize(
    ("saboteur", "mode", "words"),
    [
        ("LosesTheEnd", "SameStep", facts("SAME_STEP", "final_obs", "final_info")),
        ("EndsAgain", "NextStep", facts("over", "NEXT_STEP")),
        ("PaysWholeNumbers", "NextStep", facts("reward is array", "floats")),
        ("SaysNothingOfResets", "NextStep", facts("AutoresetMode", 'metadata["autoreset_mode"]')),
    ],
)
def test_faults_of_vector_environments_are_found(saboteur: str, mode: str, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_env(getattr(saboteurs, saboteur)(3, "6A", autoreset_mode=mode), games=1)


def test_a_fault_has_its_place_and_a_remedy() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_env(saboteurs.ShowsTooMuch("6A"), seed=5)
    error = caught.value
    assert isinstance(error, MascaradeError)
    assert isinstance(error, AssertionError)
    assert (error.scenario, error.seed, error.step, error.player) == ("6A", 5, 0, "player_0")
    assert states(str(error), "scenario 6A", "game seed 5", "step 0", "player_0", "another space")


def test_other_things_are_refused() -> None:
    with pytest.raises(
        MascaradeError, match=facts("check_env", "AECEnv", "Env", "VectorEnv", "object")
    ):
        check_env(object())
