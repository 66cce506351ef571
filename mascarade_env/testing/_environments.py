"""Whether an environment of this game does what PettingZoo, Gymnasium and the game promise."""

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
_SPOTS = 3  # moments of a game at which copies are made
_DEALS = 8  # seeds of which not all may give the same game
_AFTER = 3  # steps of a vector environment after every table has ended a game


@dataclass
class EnvReport:
    """What `check_env` has checked.

    Attributes:
        kind: of environment.
        scenario: its name, if the environment has one.
        games: played to the end; of a vector environment, runs in which every table ends one.
        steps: of these games.
        observations: found to lie in their space.
        compared_with_game: observations of the innermost environment found to be those of
            `Game.observation`; the end and the rewards are compared then as well. 0 if nothing
            could be: that environment is none of ours, or its opponents do not answer the same when
            asked the same again.
        replays: games played again from the same seed with the same actions.
        copies: deep copies in mid-game that continued alike and apart.
        pickles: the same of pickles; 0 with pickling=False.
        legal_tried: legal actions tried out on copies.
        illegal_tried: illegal actions tried out on copies.
        illegal_actions: what they did: "raise", "terminate" or "random", and how often.
        seeds: seeds compared with each other; 0 if the scenario deals the same each time.
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
    """A game as it was played first."""

    seed: int
    shown: list[Any]  # at the deal and after each step
    picks: list[list[int]]


class _Complaint(NamedTuple):
    """What is wrong if a game that is played again differs from the first time."""

    what: str
    remedy: str


def check_env(env: Any, *, games: int = 3, seed: int = 0, pickling: bool = True) -> EnvReport:
    """Check an environment of this game, ours, wrapped, or rebuilt.

    By public interfaces: reset, step, last, observe, spaces, and the masks in observations or
    infos. Of our own environments the state within is read too, to set up the same game again.
    Random games are played, and in each it is checked that

    - observations lie in their space, dtype included, and what was handed out stays as it was;
      writing into it does not influence the game;
    - masks are int8, 0 or 1, with something legal for who is asked and nothing for others; all that
      is legal is accepted; what is illegal does what the attribute `illegal_actions` says, or,
      without one, raises and changes nothing, ends the game, or is reported in the info;
    - the same seed and actions give the same game, other seeds others;
    - the global random generators of NumPy and Python are neither drawn from nor of influence;
    - deep copies and pickles in mid-game continue like the original and apart from it;
    - rewards are zero until the end, unless an attribute `shaping` says otherwise, and sum to zero
      over all players; the game is terminated or truncated, not both;
    - an AEC environment asks in the right order and lets agents leave after the end. If its
      innermost environment is ours, that one's observations are `Game.observation`, and the winners
      get the most;
    - if the innermost environment of a Gymnasium one is ours, it does what the game says, taken by
      itself without wrappers: observations are `Game.observation`, also the last of a game and
      `final_obs`; the learner's rewards are the return and shaping; it is terminated or truncated
      as the game is, or by an illegal action; and games follow each other as `autoreset_mode` and
      `seat` say. `EnvReport.compared_with_game` says whether that could be checked.

    Example:
        >>> from mascarade_env import mascarade_v0
        >>> from mascarade_env.testing import check_env
        >>> check_env(mascarade_v0.env("4A"), games=1).kind
        'PettingZoo AEC'

    Args:
        env: a PettingZoo AECEnv, a Gymnasium Env or a Gymnasium VectorEnv. It is used up: reset it.
        games: how many.
        seed: of the first game, and of the actions. Opponents must be determined by it too.
        pickling: whether it must be possible to pickle it.

    Returns:
        What was checked, and how often.

    Raises:
        ConformanceError: something is wrong.
    """
    whole(games, "games", at_least=1)
    where = Where()
    driver = driver_of(env, where)
    where.scenario = getattr(attribute_of(env, "scenario"), "name", None)
    report = EnvReport(driver.kind, where.scenario)
    apart = getattr(env, "num_envs", 1)  # a vector environment takes as many seeds
    for number in range(whole(seed, "seed", at_least=0), seed + games * apart, apart):
        run = _play(driver, number, report)
        for way in ("plainly", "with other global random numbers", "scribbling"):
            _replay(driver, run, way)
            report.replays += 1
        report.compared_with_game += compare_with_game(env, where, number)
        _branch(driver, run, report, pickling=pickling)
        _try(driver, run, report)
    _compare_seeds(driver, seed, apart, report)
    return report


def _picks(moment: Moment, rng: np.random.Generator) -> list[int]:
    return [int(rng.choice(np.flatnonzero(mask))) for _, mask in moment.asked]


def _play(driver: Driver, seed: int, report: EnvReport) -> _Run:
    """Play a game and look at everything."""
    where = driver.where
    where.seed, where.step = seed, 0
    rng = np.random.default_rng(seed)
    examiner = examiner_of(driver)
    with _untouched_globals(where):
        moment = driver.reset(seed)
    run = _Run(seed, [copy.deepcopy(moment.shown)], [])
    live = [held(moment.shown)]
    picks: list[int] | None = None
    waiting = set(moment.over)
    left = _AFTER
    while True:
        examiner.check(moment, picks)
        waiting -= {agent for agent, over in moment.over.items() if over}
        if not waiting:
            left -= 1
        if not moment.asked or left == 0:
            break
        if len(run.picks) == _MOST_STEPS:
            raise where.error(
                f"random play has not come to an end within {_MOST_STEPS} steps",
                "Use a scenario whose games end, for example by a turn_limit.",
            )
        picks = _picks(moment, rng)
        run.picks.append(picks)
        where.step = len(run.picks)
        with _untouched_globals(where):
            moment = driver.step(picks)
        run.shown.append(copy.deepcopy(moment.shown))
        live.append(held(moment.shown))
    for number, (now, then) in enumerate(zip(live, run.shown, strict=True)):
        where.step = number
        if differs := difference(then, now):
            raise where.error(
                f"what was handed out has changed since: {differs}", "Hand out copies of buffers."
            )
    report.games += 1
    report.steps += len(run.picks)
    report.observations += examiner.observations
    report.compared_with_game += examiner.compared
    return run


def _replay(driver: Driver, run: _Run, way: str) -> None:
    """Play the same game again, in one way or another."""
    remedy = {
        "plainly": "Reset everything by the seed: the game, opponents, wrappers.",
        "with other global random numbers": "Draw from a generator of the environment's own.",
        "scribbling": "Hand out copies: whoever writes into one must not touch the game.",
    }[way]
    complaint = _Complaint(f"played again {way}, the game is another", remedy)
    kept = np.random.get_state(), random.getstate()
    try:
        if way == "with other global random numbers":
            _burn(0)
        moment = _begin_again(driver, run, complaint)
        for step in range(len(run.picks)):
            if way == "scribbling":
                _scribble(moment.shown)
            elif way == "with other global random numbers":
                _burn(step + 1)
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
    """Take a step of a run again, counted from 0; it must bring what it brought then."""
    driver.where.step = step + 1
    try:
        moment = driver.step(run.picks[step])
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
    for number in range(step, len(run.picks)):
        _step_again(driver, run, number, complaint)


def _spots(run: _Run) -> set[int]:
    """Return some moments of a game at which there is something to decide."""
    rng = np.random.default_rng([run.seed, 1])
    return {0, *rng.integers(len(run.picks), size=_SPOTS - 1).tolist()}


def _branch(driver: Driver, run: _Run, report: EnvReport, *, pickling: bool) -> None:
    """Copies at some moments of a game, played on before and after the original."""
    apart = "A copy shares nothing that changes with its original."
    whole_state = "Copy the whole state of the game, its random numbers and wrappers included."
    changed = _Complaint("copies or what they did have changed the original", apart)
    kept: list[tuple[int, Driver]] = []
    spots = _spots(run)
    _begin_again(driver, run, changed)
    for step in range(len(run.picks)):
        if step in spots:
            kept.append((step, _deepcopied(driver)))
            twins = {"deep copy": _deepcopied(driver)}
            if pickling:
                twins["pickle"] = _pickled(driver)
            for kind, twin in twins.items():
                what = f"a {kind} in mid-game does not go on as the original does"
                _resume(twin, run, step, _Complaint(what, whole_state))
            report.copies += 1
            report.pickles += pickling
        _step_again(driver, run, step, changed)
    for step, twin in kept:
        complaint = _Complaint("a copy is changed by what its original does", apart)
        _resume(twin, run, step, complaint)


def _try(driver: Driver, run: _Run, report: EnvReport) -> None:
    """Try out actions on copies; these are known to be good by now."""
    rng = np.random.default_rng([run.seed, 2])
    mode = illegal_mode(driver.env)
    spots = _spots(run)
    complaint = _Complaint("copies or what they did have changed the original", "Copy everything.")
    moment = _begin_again(driver, run, complaint)
    for step in range(len(run.picks)):
        if step in spots:
            driver.where.step = step
            played = Step(moment, run.picks[step], run.shown[step + 1])
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
    """Whether some seeds give other games: they differ in the deal, or in what opponents do."""
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
        f"{_DEALS} seeds show the same position after reset",
        "Pass the seed on to the game, which deals by it.",
    )


def _burn(number: int) -> None:
    np.random.seed(number)
    random.seed(number)


def _scribble(shown: Any) -> None:
    """Write something else into all arrays; the same memory may stand in several places."""
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
                f"the global generator of {name} was drawn from",
                "Draw from a generator of the environment's own.",
            )
