"""The game record, format version 1: one game as one JSON object.

A record names everything by the words of the rules, so other programs can read it without ours.
Reading one replays it: a record that breaks the rules is refused with the step and the reason.
"""

import copy
import reprlib
from typing import TYPE_CHECKING, Any, TypeVar

from mascarade_env._errors import MascaradeError, RecordError
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._rng import given_seed
from mascarade_env.game._scenarios import Scenario

if TYPE_CHECKING:
    from mascarade_env.game._game import Game

    G = TypeVar("G", bound=Game)

FORMAT = "mascarade-record/1"
_TRACE = ("phase", "turn", "legal", "coins", "tribunal", "masks", "player_at")
_FINAL = ("coins", "tribunal", "masks", "player_at")
_ROUNDING = 1e-6  # how far the returns of a record may be from ours
_TOLERANCE = 1e-5  # and its probabilities
_DIGITS = 9  # of the probabilities that we write


def to_record(game: "Game", *, trace: bool, beliefs: bool) -> dict[str, Any]:
    """Return the record of a game so far.

    With `trace` each step carries the truth before it, with `beliefs` what every player believed.
    """
    steps: list[dict[str, Any]] = [
        {"player": player, "action": action} for player, action in game.history
    ]
    if trace or beliefs:
        past = game.at_start()
        for step in steps:
            if trace:
                step.update(_truth(past, _TRACE))
            if beliefs:
                step["beliefs"] = _beliefs(past)
            past.play(step["action"])
    record: dict[str, Any] = {
        "format": FORMAT,
        "scenario": game.scenario.to_dict(),
        "deal": game.deal,
        "steps": steps,
        "result": _result(game),
    }
    if game.names is not None:
        record["names"] = list(game.names)
    if game.meta:
        record["meta"] = copy.deepcopy(game.meta)
    if trace:
        record["final"] = _truth(game, _FINAL)
    return record


def _truth(game: "Game", fields: tuple[str, ...]) -> dict[str, Any]:
    return {
        field: game.legal_actions() if field == "legal" else getattr(game, field)
        for field in fields
    }


def _beliefs(game: "Game") -> list[list[dict[str, float]]] | None:
    """By player, by slot, the probability of each mask; None unless all are exact."""
    scenario = game.scenario
    if not all(game.exact(player) for player in range(scenario.players)):
        return None
    return [
        [
            {
                mask: round(chance, _DIGITS)
                for mask, chance in zip(scenario.kinds, row, strict=True)
                if chance
            }
            for row in game.belief(player).tolist()
        ]
        for player in range(scenario.players)
    ]


def _result(game: "Game") -> dict[str, Any] | None:
    if not game.over:
        return None
    return {"winners": game.winners, "returns": game.returns(), "truncated": game.truncated}


def from_record(make: "type[G]", record: object) -> "G":
    """Replay a record into a new game of class `make`, checking all that it says."""
    data = _object(record, "a record")
    if data.get("format") != FORMAT:
        raise RecordError(f"format is {_short(data.get('format'))}; this version reads {FORMAT!r}")
    for field in ("scenario", "deal", "steps", "result"):
        _field(data, field)
    game = _new_game(make, data)
    traced = _take_steps(game, data["steps"])
    if traced and "final" not in data:
        raise RecordError("the record has a trace but no 'final'")
    if "final" in data:
        final = _object(data["final"], "final")
        for field, value in _truth(game, _FINAL).items():
            _compare(f"final: {field}", _field(final, field), value)
    _check_result(data["result"], _result(game))
    return game


def _new_game(make: "type[G]", data: dict[str, Any]) -> "G":
    try:
        scenario = Scenario.from_dict(_object(data["scenario"], "scenario"))
    except MascaradeError as error:
        raise RecordError(f"scenario: {error}") from error
    if not isinstance(data["deal"], list):
        raise RecordError(f"deal must be a list, not {_short(data['deal'])}")
    given = data.get("meta")
    meta = _object({} if given is None else given, "meta")
    try:
        seed = given_seed(meta.get("seed"))
    except MascaradeError:
        seed = 0  # meta is free: a seed that is not ours is kept, not used
    try:
        game = make(scenario, seed=seed, deal=data["deal"], names=data.get("names"))
    except MascaradeError as error:
        raise RecordError(f"{error}") from error
    game.meta = copy.deepcopy(meta)
    return game


def _take_steps(game: "Game", steps: object) -> bool:
    """Play the steps, comparing their trace and beliefs; returns whether they have a trace."""
    if not isinstance(steps, list):
        raise RecordError(f"steps must be a list, not {_short(steps)}")
    fields: tuple[str, ...] | None = None
    believing: bool | None = None
    for number, step in enumerate(steps):
        try:
            found = _object(step, "a step")
            present = tuple(field for field in _TRACE if field in found)
            fields = present if fields is None else fields
            if present != fields or present not in ((), _TRACE):
                raise RecordError("all trace fields are on every step, or none on any")
            for field, value in _truth(game, fields).items():
                _compare(field, found[field], value)
            believing = "beliefs" in found if believing is None else believing
            if ("beliefs" in found) != believing:
                raise RecordError("beliefs are on every step, or on none")
            if believing and found["beliefs"] is not None:
                _compare_beliefs(game, found["beliefs"])
            _take_step(game, found)
        except MascaradeError as error:
            reason = error.reason if isinstance(error, RecordError) else str(error)
            raise RecordError(reason, step=number) from error
    return bool(fields)


def _take_step(game: "Game", step: dict[str, Any]) -> None:
    player, action = _field(step, "player"), _field(step, "action")
    if not isinstance(action, str):
        raise RecordError(f"an action is a word, not {_short(action)}")
    if game.over:
        raise RecordError(f"{_short(action)} comes after the end of the game")
    if type(player) is not int or player != game.player:
        raise RecordError(f"player {game.player} decides here, not {_short(player)}")
    game.play(action)


def _check_result(found: object, expected: dict[str, Any] | None) -> None:
    if expected is None:
        if found is not None:
            raise RecordError("the result must be null: the game still runs after the last step")
        return
    if found is None:
        raise RecordError(f"the result is null, but the game is over: {expected}")
    result = _object(found, "result")
    for field, value in expected.items():
        given = _field(result, field)
        if field != "returns":
            _compare(f"result: {field}", given, value)
        elif not _close(given, value):
            raise RecordError(f"result: returns are {value}, not {_short(given)}")


def _close(found: object, expected: list[float]) -> bool:
    return (
        isinstance(found, list)
        and len(found) == len(expected)
        and all(
            type(number) in (int, float) and -1 <= number <= 1 and abs(number - value) <= _ROUNDING
            for number, value in zip(found, expected, strict=True)
        )
    )


def _compare(field: str, found: object, expected: object) -> None:
    if field == "legal" and isinstance(found, list) and isinstance(expected, list):
        agree = all(isinstance(word, str) for word in found) and sorted(found) == sorted(expected)
    else:
        # JSON's true and 1.0 would equal 1 in Python.
        agree = found == expected and repr(found) == repr(expected)
    if not agree:
        raise RecordError(f"{field} is {expected} by the rules, not {_short(found)}")


def _compare_beliefs(game: "Game", found: object) -> None:
    """Check beliefs, which another program may give up earlier or later than we do."""
    expected = _beliefs(game)
    if expected is None:
        return
    if not (isinstance(found, list) and len(found) == len(expected)):
        raise RecordError(f"beliefs are a list, one entry a player, not {_short(found)}")
    for player, (theirs, ours) in enumerate(zip(found, expected, strict=True)):
        if not (isinstance(theirs, list) and len(theirs) == len(ours)):
            raise RecordError(f"beliefs of player {player} are a list, one entry a slot")
        for slot, (given, chances) in enumerate(zip(theirs, ours, strict=True)):
            if not _agree(given, chances):
                raise RecordError(
                    f"player {player} believes {chances} of slot {slot}, not {_short(given)}"
                )


def _agree(given: object, chances: dict[str, float]) -> bool:
    return (
        isinstance(given, dict)
        and given.keys() <= set(MASK_IDS)
        and all(
            type(chance) in (int, float) and abs(chance - chances.get(mask, 0)) <= _TOLERANCE
            for mask, chance in given.items()
        )
        and all(mask in given or chance <= _TOLERANCE for mask, chance in chances.items())
    )


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{what} must be a JSON object, not {_short(value)}")
    return value


def _field(data: dict[str, Any], field: str) -> Any:
    if field not in data:
        raise RecordError(f"the field {field!r} is missing")
    return data[field]


def _short(value: object) -> str:
    text = reprlib.repr(value) if isinstance(value, list | dict) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
