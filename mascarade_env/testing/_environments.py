"""Check that an environment of this game conforms to PettingZoo or Gymnasium and to the rules."""

import copy
import pickle
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from mascarade_env._errors import whole
from mascarade_env.testing._action_trials import Step, try_actions
from mascarade_env.testing._against_game import compare_with_game
from mascarade_env.testing._compare import arrays_in, difference, held
from mascarade_env.testing._drivers import Driver, Moment, attribute_of, driver_of, illegal_mode
from mascarade_env.testing._errors import ConformanceError, Where
from mascarade_env.testing._moment_checks import examiner_of

_MOST_STEPS = 2000  # a random game takes a few hundred decisions at most
_SPOTS = 3  # positions of a game at which copies are made
_DEALS = 8  # seeds, of which at least two must give different games
_AFTER = 3  # steps of a vector environment after every table has ended a game


@dataclass
class EnvReport:
    """The report of `check_env`: counts of its checks.

    Attributes:
        kind: the kind of environment.
        scenario: name of the scenario, if the environment has one.
        games: number of games played to the end. For a vector environment it is the number of runs,
            in each of which every table ended a game.
        steps: number of steps in these games.
        observations: number of observations that are in their space.
        compared_with_game: number of observations of the innermost environment that are equal to
            `Game.observation`. The end and the rewards of the games were compared too. It is 0 if
            no comparison is possible, because the environment is not one of ours, or because its
            opponents do not repeat their decisions with the same seeds.
        replays: number of games replayed with the same seed and actions.
        copies: number of deep copies during a game that continued like the original. The copy and
            the original did not influence each other.
        pickles: number of pickles during a game that continued like the original; 0 with
            pickling=False.
        legal_tried: number of legal actions tried on copies.
        illegal_tried: number of illegal actions tried on copies.
        illegal_actions: number of illegal actions with each effect: "raise", "terminate" or
            "random".
        seeds: number of compared seeds; 0 if the scenario fixes the deal.
    """

    kind: str
    scenario: str | None
    games: int = 0
    steps: int = 0
    observations: int = 0
    compared_with_game: int = 0
    replays: int = 0
    copies: int = 0
    pickles: int = 0
    legal_tried: int = 0
    illegal_tried: int = 0
    illegal_actions: dict[str, int] = field(default_factory=dict)
    seeds: int = 0


class _Run(NamedTuple):
    """A game as it was played the first time."""

    seed: int
    shown: list[Any]  # the results at the deal and after each step
    actions: list[list[int]]


class _Complaint(NamedTuple):
    """The fault and the remedy to report if a replayed game differs from the first one."""

    what: str
    remedy: str


def check_env(env: Any, *, games: int = 3, seed: int = 0, pickling: bool = True) -> EnvReport:
    """Check an environment of this game: ours, a wrapped one, or your own.

    The check uses the public interfaces: reset, step, last, observe, spaces, and the masks in
    observations or infos. In our own environments it also reads the state, to set up the same game
    again. It plays random games, and in each game it requires that

    - observations are in their space, dtype included; returned arrays do not change later, and
      writing into them does not change the game;
    - masks are int8, 0 or 1; an acting agent has a legal action, and other agents have none;
    - every legal action is accepted; an illegal action has the effect that the attribute
      `illegal_actions` declares. Without this attribute, the illegal action must raise an error and
      change nothing, end the game, or be reported in the info;
    - the same seed and actions give the same game, and other seeds give other games;
    - the environment does not use or change the global random generators of NumPy and Python;
    - deep copies and pickles during a game continue like the original, and do not influence it;
    - rewards are zero until the end, unless there is an attribute `shaping`, and sum to zero over
      all players; the game is terminated or truncated, not both;
    - an AEC environment selects agents in the right order and removes them after the end. If its
      innermost environment is ours, the observations of that environment are equal to
      `Game.observation`, and the winners get the highest rewards;
    - a Gymnasium environment, if its innermost environment is ours, plays the game correctly
      without its wrappers. Observations are equal to `Game.observation`, also the last one of a
      game and `final_obs`. The rewards are the return plus shaping. The environment is terminated
      or truncated when the game is, or by an illegal action. Games follow each other according to
      `autoreset_mode` and `seat`. `EnvReport.compared_with_game` shows whether this comparison was
      possible.

    Example:
        >>> from mascarade_env import mascarade_v0
        >>> from mascarade_env.testing import check_env
        >>> check_env(mascarade_v0.env("4A"), games=1).kind
        'PettingZoo AEC'

    Args:
        env: a PettingZoo AECEnv, a Gymnasium Env or a Gymnasium VectorEnv. Reset it afterwards.
        games: number of games.
        seed: seed of the first game and of the actions. It must determine opponents too.
        pickling: whether the environment must support pickle.

    Returns:
        A report of what was checked, and how often.

    Raises:
        ConformanceError: the environment fails the check.
    """
    whole(games, "games", at_least=1)
    where = Where()
    driver = driver_of(env, where)
    where.scenario = getattr(attribute_of(env, "scenario"), "name", None)
    report = EnvReport(driver.kind, where.scenario)
    apart = getattr(env, "num_envs", 1)  # a vector environment uses one seed for each table
    for number in range(whole(seed, "seed", at_least=0), seed + games * apart, apart):
        run = _play(driver, number, report)
        for way in (
            "with the same seed",
            "with other global random numbers",
            "with changed results",
        ):
            _replay(driver, run, way)
            report.replays += 1
        report.compared_with_game += compare_with_game(env, where, number)
        _branch(driver, run, report, pickling=pickling)
        _try(driver, run, report)
    _compare_seeds(driver, seed, apart, report)
    return report


def _sample_actions(moment: Moment, rng: np.random.Generator) -> list[int]:
    return [int(rng.choice(np.flatnonzero(mask))) for _, mask in moment.asked]


def _play(driver: Driver, seed: int, report: EnvReport) -> _Run:
    """Play a game, and check the results of each step."""
    where = driver.where
    where.seed, where.step = seed, 0
    rng = np.random.default_rng(seed)
    examiner = examiner_of(driver)
    with _untouched_globals(where):
        moment = driver.reset(seed)
    run = _Run(seed, [copy.deepcopy(moment.shown)], [])
    live = [held(moment.shown)]
    actions: list[int] | None = None
    waiting = set(moment.over)
    left = _AFTER
    while True:
        examiner.check(moment, actions)
        waiting -= {agent for agent, over in moment.over.items() if over}
        if not waiting:
            left -= 1
        if not moment.asked or left == 0:
            break
        if len(run.actions) == _MOST_STEPS:
            raise where.error(
                f"a random game has not ended within {_MOST_STEPS} steps",
                "Use a scenario whose games end, for example by a turn_limit.",
            )
        actions = _sample_actions(moment, rng)
        run.actions.append(actions)
        where.step = len(run.actions)
        with _untouched_globals(where):
            moment = driver.step(actions)
        run.shown.append(copy.deepcopy(moment.shown))
        live.append(held(moment.shown))
    for number, (now, then) in enumerate(zip(live, run.shown, strict=True)):
        where.step = number
        if differs := difference(then, now):
            raise where.error(
                f"an array changed after it was returned: {differs}",
                "Return copies of buffers.",
            )
    report.games += 1
    report.steps += len(run.actions)
    report.observations += examiner.observations
    report.compared_with_game += examiner.compared
    return run


def _replay(driver: Driver, run: _Run, way: str) -> None:
    """Play the same game again in one of three ways, and compare all results."""
    remedy = {
        "with the same seed": "Reset everything with the seed: the game, opponents, wrappers.",
        "with other global random numbers": "Use a generator that belongs to the environment.",
        "with changed results": "Return copies of arrays: writing into a returned array must not "
        "change the game.",
    }[way]
    complaint = _Complaint(f"the game differs when it is played again {way}", remedy)
    kept = np.random.get_state(), random.getstate()
    try:
        if way == "with other global random numbers":
            _set_globals(0)
        moment = _begin_again(driver, run, complaint)
        for step in range(len(run.actions)):
            if way == "with changed results":
                _overwrite(moment.shown)
            elif way == "with other global random numbers":
                _set_globals(step + 1)
            moment = _step_again(driver, run, step, complaint)
    finally:
        np.random.set_state(kept[0])
        random.setstate(kept[1])


def _begin_again(driver: Driver, run: _Run, complaint: _Complaint) -> Moment:
    driver.where.seed, driver.where.step = run.seed, 0
    moment = driver.reset(run.seed)
    _compare(driver, moment, run.shown[0], complaint)
    return moment


def _step_again(driver: Driver, run: _Run, step: int, complaint: _Complaint) -> Moment:
    """Repeat the step with this index of a run, and require the same results."""
    driver.where.step = step + 1
    try:
        moment = driver.step(run.actions[step])
    except ConformanceError as error:
        what = f"{complaint.what}: {error.what}"
        raise driver.where.error(what, complaint.remedy, error.player) from error
    _compare(driver, moment, run.shown[step + 1], complaint)
    return moment


def _compare(driver: Driver, moment: Moment, shown: Any, complaint: _Complaint) -> None:
    if differs := difference(shown, moment.shown):
        raise driver.where.error(f"{complaint.what}: {differs}", complaint.remedy)


def _resume(driver: Driver, run: _Run, step: int, complaint: _Complaint) -> None:
    """Play the rest of a run again, from a step on."""
    for number in range(step, len(run.actions)):
        _step_again(driver, run, number, complaint)


def _spots(run: _Run) -> set[int]:
    """Return the numbers of some steps of a game."""
    rng = np.random.default_rng([run.seed, 1])
    return {0, *rng.integers(len(run.actions), size=_SPOTS - 1).tolist()}


def _branch(driver: Driver, run: _Run, report: EnvReport, *, pickling: bool) -> None:
    """Copy the environment at some positions, and continue copies and original in turn."""
    apart = "A copy must not share changing data with its original."
    whole_state = "Copy the whole state of the game, with its random generators and wrappers."
    changed = _Complaint("making or stepping copies has changed the original", apart)
    kept: list[tuple[int, Driver]] = []
    spots = _spots(run)
    _begin_again(driver, run, changed)
    for step in range(len(run.actions)):
        if step in spots:
            kept.append((step, _deepcopied(driver)))
            twins = {"deep copy": _deepcopied(driver)}
            if pickling:
                twins["pickle"] = _pickled(driver)
            for kind, twin in twins.items():
                what = f"a {kind} during a game does not continue like the original"
                _resume(twin, run, step, _Complaint(what, whole_state))
            report.copies += 1
            report.pickles += pickling
        _step_again(driver, run, step, changed)
    for step, twin in kept:
        complaint = _Complaint("stepping the original has changed a copy", apart)
        _resume(twin, run, step, complaint)


def _try(driver: Driver, run: _Run, report: EnvReport) -> None:
    """Try actions on copies, after `_branch` has checked that copies are correct."""
    rng = np.random.default_rng([run.seed, 2])
    mode = illegal_mode(driver.env)
    spots = _spots(run)
    complaint = _Complaint(
        "making or stepping copies has changed the original", "Copy the whole state."
    )
    moment = _begin_again(driver, run, complaint)
    for step in range(len(run.actions)):
        if step in spots:
            driver.where.step = step
            played = Step(moment, run.actions[step], run.shown[step + 1])
            legal, outcomes = try_actions(lambda: _deepcopied(driver), played, mode, rng)
            report.legal_tried += legal
            report.illegal_tried += len(outcomes)
            for outcome in outcomes:
                report.illegal_actions[outcome] = report.illegal_actions.get(outcome, 0) + 1
        moment = _step_again(driver, run, step, complaint)


def _deepcopied(driver: Driver) -> Driver:
    with driver.where.running("copy.deepcopy"):
        return driver_of(copy.deepcopy(driver.env), driver.where)


def _pickled(driver: Driver) -> Driver:
    with driver.where.running("pickle"):
        return driver_of(pickle.loads(pickle.dumps(driver.env)), driver.where)


def _compare_seeds(driver: Driver, seed: int, apart: int, report: EnvReport) -> None:
    """Check that not all seeds show the same position after a reset."""
    if getattr(attribute_of(driver.env, "scenario"), "fixed_deal", False):
        return
    driver.where.seed, driver.where.step = None, None
    first: Any = None
    for number in range(_DEALS):
        moment = driver.reset(seed + number * apart)
        shown = copy.deepcopy(moment.shown)
        if first is None:
            first = shown
        elif difference(first, shown):
            report.seeds = _DEALS
            return
    raise driver.where.error(
        f"{_DEALS} seeds give the same position after reset",
        "Pass the seed to the game, which uses it for the deal.",
    )


def _set_globals(number: int) -> None:
    """Seed the global generators of NumPy and Python."""
    np.random.seed(number)
    random.seed(number)


def _overwrite(shown: Any) -> None:
    """Write other numbers into all arrays.

    All new values are computed first, because some arrays may share their memory.
    """
    arrays = [a for a in arrays_in(shown) if a.flags.writeable and not a.dtype.hasobject]
    others = [~array if array.dtype.kind == "b" else 1 - array for array in arrays]
    for array, other in zip(arrays, others, strict=True):
        array[...] = other


@contextmanager
def _untouched_globals(where: Where) -> Iterator[None]:
    before: Sequence[Any] = [np.random.get_state(), random.getstate()]
    yield
    for name, one, other in zip(
        ("numpy.random", "random"), before, [np.random.get_state(), random.getstate()], strict=True
    ):
        if difference(one, other):
            raise where.error(
                f"the environment has used the global generator of {name}",
                "Use a generator that belongs to the environment.",
            )
