"""Single actions tried out on copies: legal ones must do, illegal ones must do what is said."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mascarade_env.testing._compare import difference
from mascarade_env.testing._drivers import Driver, Moment
from mascarade_env.testing._errors import ConformanceError

_MOST = 12  # actions of a kind tried at one moment


class Step(NamedTuple):
    """A step of a game, as it was played."""

    moment: Moment  # before it
    actions: list[int]  # of all who were asked
    shown: Any  # after it


def try_actions(
    copied: Callable[[], Driver], step: Step, mode: str | None, rng: np.random.Generator
) -> tuple[int, list[str]]:
    """Try legal and illegal actions of one agent who is asked.

    Args:
        copied: makes a copy of the environment as it is before the step.
        step: what was played there.
        mode: what illegal actions do, if known.
        rng: samples whose actions are tried, and which.

    Returns:
        How many legal actions were tried, and what the illegal ones did.
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
                f"action {action} is legal by the mask, and was found illegal",
                "The mask holds 1 for legal actions alone.",
                agent,
            )
    outcomes = []
    for action in rng.permutation(illegal)[:_MOST].tolist():
        driver = copied()
        actions = [*step.actions[:place], action, *step.actions[place + 1 :]]
        outcome = _outcome(driver, actions, agent, mode)
        if outcome == "raise" and (changed := _changed(driver, step)):
            raise driver.where.error(
                f"illegal action {action} has raised and yet changed something: {changed}",
                "After the error the game is as it was.",
                agent,
            )
        if outcome is None or mode not in (None, outcome):
            raise driver.where.error(
                f"illegal action {action} {_WORDS[outcome]}",
                "The mask has to hold 1 for it if it is legal; otherwise "
                + _REQUIRED.get(mode, "it must raise, end the game, or be told of in the info."),
                agent,
            )
        outcomes.append(outcome)
    return len(tried), outcomes


_WORDS = {
    None: "was accepted like a legal one",
    "raise": "raised an error",
    "terminate": "ended the game",
    "random": "was replaced by another",
}
_REQUIRED: dict[str | None, str] = {
    "raise": 'it must raise, as illegal_actions="raise" says.',
    "terminate": 'it must end the game with a loss, as illegal_actions="terminate" says.',
    "random": 'info["illegal_action"] must be True, as illegal_actions="random" says.',
}


def _outcome(driver: Driver, actions: list[int], agent: str, mode: str | None) -> str | None:
    """Return what an illegal action does; None if it was accepted."""
    try:
        moment = driver.step(actions)
    except ConformanceError as error:
        if error.__cause__ is None:  # not raised by the environment, but about what it shows
            raise
        return "raise"
    if mode == "random" and moment.flags[agent]:  # the game may have ended by the other action
        return "random"
    if moment.over[agent] and moment.reward[agent] < 0:
        return "terminate"
    return "random" if moment.flags[agent] else None


def _changed(driver: Driver, step: Step) -> str | None:
    """Return how the game differs if the step is taken after an error; None if it does not."""
    with driver.where.running("after an illegal action a legal one"):
        return difference(step.shown, driver.step(step.actions).shown)
