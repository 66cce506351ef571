"""The game record, format version 1: one game as one JSON object (see RECORDS.md).

A record uses the words of the rules, so that other programs can read it. Reading a record replays
the game. If a step breaks the rules, a `RecordError` names the step and the reason.
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
_ROUNDING = 1e-6  # largest difference allowed between the returns of a record and ours
_TOLERANCE = 1e-5  # the same for probabilities
_DIGITS = 9  # decimals of the probabilities that we write


def to_record(game: "Game", *, trace: bool, beliefs: bool) -> dict[str, Any]:
    """Return the record of a game so far.

    With `trace` each step has the full state before it, with `beliefs` all players' beliefs.
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
    """Return the probability of each mask, by player and slot; None if a belief is approximate."""
    scenario = game.scenario
    if not all(game.exact(player) for player in range(scenario.players)):
        return None
    return [
        [
            {
                mask: round(probability, _DIGITS)
                for mask, probability in zip(scenario.kinds, row, strict=True)
                if probability
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
    """Return the game of a record as an instance of `make`, after replaying and checking it."""
    data = _object(record, "a record")
    if data.get("format") != FORMAT:
        raise RecordError(f"format must be {FORMAT!r}, not {_short(data.get('format'))}")
    for field in ("scenario", "deal", "steps", "result"):
        _field(data, field)
    game = _new_game(make, data)
    traced = _take_steps(game, data["steps"])
    if traced and "final" not in data:
        raise RecordError("the steps have a trace, so the record must have the field 'final'")
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
        raise RecordError(f"deal must be a list of masks, not {_short(data['deal'])}")
    given = data.get("meta")
    meta = _object({} if given is None else given, "meta")
    try:
        seed = given_seed(meta.get("seed"))
    except MascaradeError:
        seed = 0  # meta may hold any "seed": one that is not valid here is kept, but not used
    try:
        game = make(scenario, seed=seed, deal=data["deal"], names=data.get("names"))
    except MascaradeError as error:
        raise RecordError(f"{error}") from error
    game.meta = copy.deepcopy(meta)
    return game


def _take_steps(game: "Game", steps: object) -> bool:
    """Play the steps and compare their trace and beliefs; return whether they have a trace."""
    if not isinstance(steps, list):
        raise RecordError(f"steps must be a list, not {_short(steps)}")
    fields: tuple[str, ...] | None = None
    with_beliefs: bool | None = None
    for number, step in enumerate(steps):
        try:
            data = _object(step, "a step")
            present = tuple(field for field in _TRACE if field in data)
            fields = present if fields is None else fields
            if present != fields or present not in ((), _TRACE):
                raise RecordError(
                    f"each step must have all fields of the trace ({', '.join(_TRACE)}), "
                    "or each step none of them"
                )
            for field, value in _truth(game, fields).items():
                _compare(field, data[field], value)
            with_beliefs = "beliefs" in data if with_beliefs is None else with_beliefs
            if ("beliefs" in data) != with_beliefs:
                raise RecordError("the field 'beliefs' must be on every step, or on none")
            if with_beliefs and data["beliefs"] is not None:
                _compare_beliefs(game, data["beliefs"])
            _take_step(game, data)
        except MascaradeError as error:
            reason = error.reason if isinstance(error, RecordError) else str(error)
            raise RecordError(reason, step=number) from error
    return bool(fields)


def _take_step(game: "Game", step: dict[str, Any]) -> None:
    player, action = _field(step, "player"), _field(step, "action")
    if not isinstance(action, str):
        raise RecordError(f"an action must be a string, not {_short(action)}")
    if game.over:
        raise RecordError(f"the action {_short(action)} comes after the end of the game")
    if type(player) is not int or player != game.player:
        raise RecordError(f"player {game.player} decides here, not {_short(player)}")
    game.play(action)


def _check_result(given: object, expected: dict[str, Any] | None) -> None:
    if expected is None:
        if given is not None:
            raise RecordError(
                "result must be null, because the game is not over after the last step"
            )
        return
    if given is None:
        raise RecordError(f"result is null, but the game is over: it must be {expected}")
    result = _object(given, "result")
    for field, value in expected.items():
        entry = _field(result, field)
        if field != "returns":
            _compare(f"result: {field}", entry, value)
        elif not _close(entry, value):
            raise RecordError(f"result: returns must be {value}, not {_short(entry)}")


def _close(given: object, expected: list[float]) -> bool:
    return (
        isinstance(given, list)
        and len(given) == len(expected)
        and all(
            type(number) in (int, float) and -1 <= number <= 1 and abs(number - value) <= _ROUNDING
            for number, value in zip(given, expected, strict=True)
        )
    )


def _compare(field: str, given: object, expected: object) -> None:
    if field == "legal" and isinstance(given, list) and isinstance(expected, list):
        agree = all(isinstance(word, str) for word in given) and sorted(given) == sorted(expected)
    else:
        # In Python 1 == True == 1.0, but in a record true and 1.0 are wrong for 1.
        agree = given == expected and repr(given) == repr(expected)
    if not agree:
        raise RecordError(f"{field} must be {expected} by the rules, not {_short(given)}")


def _compare_beliefs(game: "Game", given: object) -> None:
    """Compare beliefs, unless ours are approximate: other programs may keep other placements."""
    expected = _beliefs(game)
    if expected is None:
        return
    if not (isinstance(given, list) and len(given) == len(expected)):
        raise RecordError(
            f"beliefs must be a list of {len(expected)} entries, one for each player, "
            f"not {_short(given)}"
        )
    for player, (theirs, ours) in enumerate(zip(given, expected, strict=True)):
        if not (isinstance(theirs, list) and len(theirs) == len(ours)):
            raise RecordError(
                f"beliefs of player {player} must be a list of {len(ours)} entries, one for each "
                f"slot, not {_short(theirs)}"
            )
        for slot, (entry, probabilities) in enumerate(zip(theirs, ours, strict=True)):
            if not _agree(entry, probabilities):
                raise RecordError(
                    f"the belief of player {player} about slot {slot} must be {probabilities}, "
                    f"not {_short(entry)}"
                )


def _agree(given: object, expected: dict[str, float]) -> bool:
    return (
        isinstance(given, dict)
        and given.keys() <= set(MASK_IDS)
        and all(
            type(value) in (int, float) and abs(value - expected.get(mask, 0)) <= _TOLERANCE
            for mask, value in given.items()
        )
        and all(mask in given or value <= _TOLERANCE for mask, value in expected.items())
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
