"""Single actions tried out on copies: legal ones must do, illegal ones must do what is said."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mascarade_env.testing._compare import difference
from mascarade_env.testing._drivers import Driver, Moment
from mascarade_env.testing._errors import ConformanceError

_MOST = 12  # actions of a kind tried at one moment


def try_actions(
    copied: Callable[[], Driver],
    moment: Moment,
    picks: list[int],
    after: Any,
    mode: str | None,
    chance: np.random.Generator,
) -> tuple[int, list[str]]:
    """Try legal and illegal actions of one who is asked.

    Args:
        copied: makes a copy of the environment as it is.
        moment: the position.
        picks: what was played there.
        after: what was shown then.
        mode: what illegal actions do, if known.
        chance: draws whose actions, and which.

    Returns:
        How many legal actions were tried, and what the illegal ones did.
    """
    place = int(chance.integers(len(moment.asked)))
    who, mask = moment.asked[place]
    mask = mask.copy()
    legal, illegal = np.flatnonzero(mask), np.flatnonzero(mask == 0)
    some = chance.permutation(legal)[:_MOST].tolist()
    for action in some:
        driver = copied()
        shown = driver.step([*picks[:place], action, *picks[place + 1 :]])
        if shown.flags.get(who):
            raise driver.where.error(
                f"action {action} is legal by the mask, and was found illegal",
                "The mask holds 1 for legal actions alone.",
                who,
            )
    outcomes = []
    for action in chance.permutation(illegal)[:_MOST].tolist():
        driver = copied()
        taken = [*picks[:place], action, *picks[place + 1 :]]
        outcome = _outcome(driver, taken, who, mode)
        if outcome == "raise" and (found := _changed(driver, picks, after)):
            raise driver.where.error(
                f"illegal action {action} has raised and yet changed something: {found}",
                "After the error the game is as it was.",
                who,
            )
        if outcome is None or mode not in (None, outcome):
            raise driver.where.error(
                f"illegal action {action} {_WORDS[outcome]}",
                "The mask has to hold 1 for it if it is legal; otherwise "
                + _WANTED.get(mode, "it must raise, end the game, or be told of in the info."),
                who,
            )
        outcomes.append(outcome)
    return len(some), outcomes


_WORDS = {
    None: "was accepted like a legal one",
    "raise": "raised an error",
    "terminate": "ended the game",
    "random": "was replaced by another",
}
_WANTED: dict[str | None, str] = {
    "raise": 'it must raise, as illegal_actions="raise" says.',
    "terminate": 'it must end the game with a loss, as illegal_actions="terminate" says.',
    "random": 'info["illegal_action"] must be True, as illegal_actions="random" says.',
}


def _outcome(driver: Driver, taken: list[int], who: str, mode: str | None) -> str | None:
    """What an illegal action does."""
    try:
        moment = driver.step(taken)
    except ConformanceError as error:
        if error.__cause__ is None:  # not raised by the environment, but about what it shows
            raise
        return "raise"
    if mode == "random" and moment.flags[who]:  # the game may have ended by the other action
        return "random"
    if moment.over[who] and moment.reward[who] < 0:
        return "terminate"
    return "random" if moment.flags[who] else None


def _changed(driver: Driver, picks: list[int], after: Any) -> str | None:
    """How the game goes on differently after an error."""
    with driver.where.running("after an illegal action a legal one"):
        return difference(after, driver.step(picks).shown)
