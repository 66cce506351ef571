from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from mascarade_env import MascaradeError, Pool, Scenario, mascarade_v0
from mascarade_env.envs.single import MascaradeEnv
from mascarade_env.testing import ConformanceError, check_env
from tests.mascarade_env.testing import saboteurs

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


def test_what_gymnasium_makes_of_single_ones_conforms_but_is_not_pickled() -> None:
    env = gymnasium.make_vec("Mascarade-v0", num_envs=2, vectorization_mode="sync")
    with pytest.raises(ConformanceError, match="pickle raised"):
        check_env(env, games=1)
    report = check_env(env, games=1, pickling=False)
    assert report.pickles == report.compared_with_game == 0


class SeedsItsOpponents(MascaradeEnv):
    """Opponents who draw, from a generator that each reset with a seed begins anew."""

    def __init__(self, scenario: str) -> None:
        self.chance = np.random.default_rng(0)
        super().__init__(scenario, opponents=self.draw)

    def draw(self, observation: Any, mask: Any) -> Any:
        return (self.chance.random(mask.shape) * mask).argmax(axis=1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self.chance.bit_generator.state = np.random.default_rng(seed).bit_generator.state
        return super().reset(seed=seed, options=options)


def test_nothing_is_compared_when_opponents_cannot_be_asked_again() -> None:
    report = check_env(SeedsItsOpponents("4A"), games=1)
    assert report.observations > report.compared_with_game == 0


@pytest.mark.parametrize(
    ("saboteur", "words"),
    [
        ("ReusesBuffers", "what was handed out has changed since"),
        ("LeaksTheTable", "not that of Game.observation"),
        ("PaysTheWrongPlayer", "where the rules say"),
        ("PaysEverybody", "the rewards sum to 6.0"),
        ("PaysOnTheWay", "a reward of 1.0 while the game goes on"),
        ("ForgetsToPay", r"last\(\) has told of rewards of 0.0"),
        ("CopyBeginsAnew", "a deep copy in mid-game does not go on"),
        ("CopySharesTheGame", "copies or what they did have changed the original"),
        ("PickleBeginsAnew", "a pickle in mid-game does not go on"),
        ("DrawsFromNumPy", "generator of numpy.random was drawn from"),
        ("DrawsFromPython", "generator of random was drawn from"),
        ("ReadsGlobalNumbers", "played again with other global random numbers"),
        ("AllowsAnIllegalAction", "step with a legal action raised"),
        ("ForbidsALegalAction", "was accepted like a legal one"),
        ("AllowsNothing", "nothing is legal"),
        ("ShowsMasksToOthers", "an agent that is not asked has legal actions"),
        ("MasksAreWide", "the mask is int64"),
        ("MasksDisagree", "the masks in observation and info differ"),
        ("TrustsItsReader", "played again scribbling"),
        ("ChangesAndRaises", "has raised and yet changed something"),
        ("IgnoresTheSeed", "8 seeds show the same position"),
        ("DealsAnyGame", "played again plainly"),
        ("ShowsDoubles", "is float64 of shape"),
        ("ShowsTooMuch", r"\['observation'\]\[3\] is nan, outside"),
        ("EndsTwice", "both terminated and truncated"),
        ("EndsForOne", "the game is over for some agents alone"),
        ("LeavesInDisorder", "after the end"),
        ("ForgetsTheGame", "`game` is not the game that was played"),
        ("TurnsAround", "agents is"),
        ("LastIsLate", r"last\(\) and observe\(\) differ"),
        ("Stumbles", "raised RuntimeError: stumbled"),
    ],
)
def test_faults_of_pettingzoo_environments_are_found(saboteur: str, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_env(getattr(saboteurs, saboteur)("6A"), games=1)


@pytest.mark.parametrize("mode", ["raise", "terminate", "random"])
def test_what_illegal_actions_do_is_what_was_said(mode: Any) -> None:
    with pytest.raises(ConformanceError, match=f'as illegal_actions="{mode}" says'):
        check_env(saboteurs.PunishesNobody("4A", illegal_actions=mode), games=1)


@pytest.mark.parametrize(
    ("saboteur", "words"),
    [
        ("ReusesItsBuffer", "what was handed out has changed since"),
        ("PaysAnOther", "a reward of 0.01 while the game goes on"),
        ("TakesAnything", "was accepted like a legal one"),
        ("HidesMasks", "there is no mask"),
    ],
)
def test_faults_of_gymnasium_environments_are_found(saboteur: str, words: str) -> None:
    env = getattr(saboteurs, saboteur)(gymnasium.make("Mascarade-v0", disable_env_checker=True))
    with pytest.raises(ConformanceError, match=words):
        check_env(env, games=1)


@pytest.mark.parametrize("mode", ["raise", "terminate", "random"])
@pytest.mark.parametrize("saboteur", ["PaysTheNext", "PaysNothing"])
def test_learners_paid_what_the_game_does_not_say_are_found(saboteur: str, mode: Any) -> None:
    with pytest.raises(ConformanceError, match=r"the reward is .*, where the game says"):
        check_env(getattr(saboteurs, saboteur)("4A", illegal_actions=mode), games=1)


@pytest.mark.parametrize(
    ("saboteur", "options", "words"),
    [
        ("PaysNothing", {"opponents": first_legal}, "the reward is 0.0, where the game says"),
        ("PaysNothing", {"shaping": 0.5}, "the reward is 0.0, where the game says"),
        ("PunishesHalf", {}, "the reward is -0.5, where the game says -1.0"),
        ("EndsInTheDark", {}, "the observation is not that of Game.observation"),
        ("NeverMovesOn", {"seat": "rotate"}, "the observation is not that of Game.observation"),
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
            r"the reward is (-1.0, where the game says 1|0.33\d*, where the game says -0.33)",
        ),
        ("PaysNobody", r"the reward is -?0.0, where the game says -?[01]\.\d+ .*, table \d"),
        ("CutsOffWhatIsWon", "are False and True, where the game says True and False"),
        ("EndsInTheNextGame", "the observation is not that of Game.observation"),
        ("AllEndInTheDark", "the observation is not that of Game.observation"),
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
        ("LosesTheEnd", "SameStep", "how a game ended is lost"),
        ("EndsAgain", "NextStep", "is over again"),
        ("PaysWholeNumbers", "NextStep", "reward is array"),
        ("SaysNothingOfResets", "NextStep", "does not say when it resets"),
    ],
)
def test_faults_of_vector_environments_are_found(saboteur: str, mode: str, words: str) -> None:
    with pytest.raises(ConformanceError, match=words):
        check_env(getattr(saboteurs, saboteur)(3, "6A", autoreset_mode=mode), games=1)


def test_a_fault_is_told_with_its_place_and_a_remedy() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_env(saboteurs.ShowsTooMuch("6A"), seed=5)
    error = caught.value
    assert isinstance(error, MascaradeError)
    assert isinstance(error, AssertionError)
    assert (error.scenario, error.seed, error.step, error.player) == ("6A", 5, 0, "player_0")
    assert str(error).endswith(
        "(scenario 6A, game seed 5, step 0, player_0). "
        "Declare another space, or hand out what was declared."
    )


def test_other_things_are_refused() -> None:
    with pytest.raises(MascaradeError, match="takes a PettingZoo AECEnv"):
        check_env(object())
