"""Observations in words, for `Schema.describe`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env.game._events import KINDS
from mascarade_env.game._masks import MASKS
from mascarade_env.game._positions import PHASES
from mascarade_env.knowledge._facts import ANSWERS, OUTCOMES, TALLIES
from mascarade_env.knowledge._windows import CENTRE_WORD, PLACE_WORD
from mascarade_env.observation._blocks import AGE_HALF, TALLY_HALF, TURN_HALF

if TYPE_CHECKING:
    from mascarade_env.observation._schema import Schema


def described(schema: "Schema", views: dict[str, NDArray[Any]]) -> Iterator[str]:
    """Yield the lines of an observation in words.

    They show the table, then each slot, then the last events.

    Args:
        schema: the schema of the observation.
        views: the observation as `Schema.views` returns it.
    """
    if not views["phase"].any():
        yield "no position: all zeros, as a batch shows for a game that is over"
        return
    yield from _table(schema, views)
    yield from _slots(schema, views)
    if "window" in views:
        yield "last events:"
        yield from (f"  {words}" for words in _tokens(views["window"]))


def _table(schema: "Schema", views: dict[str, NDArray[Any]]) -> Iterator[str]:
    goal = round(float(views["goal"][0]) * 13)
    turn = _turns(views["turn"][0], TURN_HALF)
    yield (
        f"turn {turn}, phase {_one(PHASES, views['phase'])}, goal {goal}, "
        f"tribunal {round(float(views['tribunal'][0]) * goal)}"
    )
    if opening := round(float(views["opening_left"][0]) * 4):
        yield f"{opening} turns of the opening are left"
    if near := float(views["limit_near"][0]):
        yield f"the game stops after {round(1 / near)} more turns"
    if views["announced"].any():
        yield f"announced: {_one(schema.masks, views['announced'])}"
    if "exact" in views and not views["exact"].all():
        yield "the beliefs are not exact"


def _slots(schema: "Schema", views: dict[str, NDArray[Any]]) -> Iterator[str]:
    goal = round(float(views["goal"][0]) * 13)
    for slot in range(schema.slots):
        here = {name: views[name][slot] for name in schema.columns}
        seated = bool(here["occupied"])
        in_centre = 0 <= slot - schema.seats < schema.scenario.slots - schema.scenario.players
        if not seated and not in_centre:
            continue  # padding
        words = [f"{round(float(here['coins']) * goal)} coins"] if seated else []
        words += [word for word in ("decides", "marker", "barred", "sure") if here[word]]
        words += [name.replace("_", " ") for name in ("chosen", "under_table") if here[name]]
        if here["uses_power"]:
            words.append("uses the power")
        if here["answer"].any():
            words.append(_one(ANSWERS, here["answer"]))
        if here["said"].any():
            words.append(
                f"last announced {_one(schema.masks, here['said'])} "
                f"{_turns(here['said_ago'], AGE_HALF)} turns ago "
                f"({_one(OUTCOMES, here['said_outcome'])})"
            )
        words += [
            f"{name.replace('_', ' ')} {_turns(here[name], TALLY_HALF)}"
            for name in TALLIES
            if here[name]
        ]
        words.append(f"revealed {_turns(here['revealed_ago'], AGE_HALF)} turns ago")
        words.append(f"touched {_turns(here['touched_ago'], AGE_HALF)} turns ago")
        for name, whose in (("own_belief", "own belief"), ("onlooker_belief", "onlooker")):
            if name in views:
                words.append(f"{whose}: {_belief(schema, views[name][slot])}")
        if "truth" in views:
            words.append(f"truth: {_one(schema.masks, views['truth'][slot])}")
        yield f"{_place_name(slot, schema.seats)}: {', '.join(words)}"


def _place_name(slot: int, seats: int) -> str:
    if slot >= seats:
        return f"centre {slot - seats}"
    return "own seat" if slot == 0 else f"seat +{slot}"


def _belief(schema: "Schema", row: NDArray[Any]) -> str:
    order = np.argsort(-row, kind="stable")
    return " ".join(f"{schema.masks[k]} {row[k]:.3g}" for k in order if row[k])


def _one(words: tuple[str, ...], flags: NDArray[Any]) -> str:
    return words[int(np.argmax(flags))]


def _turns(age: float, half: int) -> int:
    """Return the number of turns from t / (t + half)."""
    return round(half * float(age) / (1 - float(age)))


def _tokens(window: NDArray[Any]) -> Iterator[str]:
    for kind, who, where, what in window.astype(int).tolist():
        if kind:
            words = [KINDS[kind - 1].lower()]
            words += [f"by {_word(who)}"] if who else []
            words += [f"at {_word(where)}"] if where else []
            if what >= PLACE_WORD:
                words.append(f"and {_word(what - PLACE_WORD + 1)}")
            elif what:
                words.append(MASKS[what - 1].id)
            yield " ".join(words)


def _word(place: int) -> str:
    """Return the name of a place in a token."""
    return _place_name(place - 1, CENTRE_WORD - 1)
