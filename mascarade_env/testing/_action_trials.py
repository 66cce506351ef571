"""Try single actions on copies of an environment.

A legal action must be accepted. An illegal action must have the effect that the environment
declares.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mascarade_env.testing._compare import difference
from mascarade_env.testing._drivers import Driver, Moment
from mascarade_env.testing._errors import ConformanceError

_MOST = 12  # limit of legal and of illegal actions that are tried at one position


class Step(NamedTuple):
    """A step of a game that was played."""

    moment: Moment  # before the step
    actions: list[int]  # one for each acting agent
    shown: Any  # the results of the step


def try_actions(
    copied: Callable[[], Driver], step: Step, mode: str | None, rng: np.random.Generator
) -> tuple[int, list[str]]:
    """Try legal and illegal actions of one acting agent.

    Args:
        copied: returns a copy of the environment before the step.
        step: the step that was played.
        mode: the declared effect of illegal actions; None if none is declared.
        rng: samples the agent and the actions.

    Returns:
        The number of legal actions that were tried, and the effect of each illegal action.

    Raises:
        ConformanceError: the effect of an action is not the declared one.
    """
    place = int(rng.integers(len(step.moment.asked)))
    agent, mask = step.moment.asked[place]
    mask = mask.copy()
    legal, illegal = np.flatnonzero(mask), np.flatnonzero(mask == 0)
    tried = rng.permutation(legal)[:_MOST].tolist()
    for action in tried:
        driver = copied()
        after = driver.step([*step.actions[:place], action, *step.actions[place + 1 :]])
        if after.flags.get(agent):
            raise driver.where.error(
                f"the mask of action {action} is 1, but the environment reported it as illegal",
                "The mask must be 1 only for legal actions.",
                agent,
            )
    outcomes = []
    for action in rng.permutation(illegal)[:_MOST].tolist():
        driver = copied()
        actions = [*step.actions[:place], action, *step.actions[place + 1 :]]
        outcome = _outcome(driver, actions, agent, mode)
        if outcome == "raise" and (changed := _changed(driver, step)):
            raise driver.where.error(
                f"illegal action {action} raised an error but changed the game: {changed}",
                "After the error the game must be as before.",
                agent,
            )
        if outcome is None or mode not in (None, outcome):
            raise driver.where.error(
                f"illegal action {action} {_WORDS[outcome]}",
                "If it is legal, its mask must be 1; otherwise "
                + _REQUIRED.get(mode, "it must raise, end the game, or be reported in the info."),
                agent,
            )
        outcomes.append(outcome)
    return len(tried), outcomes


_WORDS = {
    None: "was accepted like a legal action",
    "raise": "raised an error",
    "terminate": "ended the game",
    "random": "was replaced by another action",
}
_REQUIRED: dict[str | None, str] = {
    "raise": 'it must raise because of illegal_actions="raise".',
    "terminate": 'it must end the game with a loss because of illegal_actions="terminate".',
    "random": 'info["illegal_action"] must be True because of illegal_actions="random".',
}


def _outcome(driver: Driver, actions: list[int], agent: str, mode: str | None) -> str | None:
    """Take an illegal action; return its effect, or None if it was accepted."""
    try:
        moment = driver.step(actions)
    except ConformanceError as error:
        if error.__cause__ is None:  # raised by the driver, not by the environment
            raise
        return "raise"
    if mode == "random" and moment.flags[agent]:  # the replacing action may have ended the game
        return "random"
    if moment.over[agent] and moment.reward[agent] < 0:
        return "terminate"
    return "random" if moment.flags[agent] else None


def _changed(driver: Driver, step: Step) -> str | None:
    """Take the played step after an error; return how its results differ, or None if equal."""
    with driver.where.running("a legal action after an illegal one"):
        return difference(step.shown, driver.step(step.actions).shown)
