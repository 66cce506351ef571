"""The game record, format version 1: one game as one JSON object.

A record names everything by the words of the rules, so other programs can read it without ours.
Reading one replays it: a record that breaks the rules is refused with the step and the reason.
"""

import math
from typing import TYPE_CHECKING, Any, TypeVar

from mascarade_env.core.errors import MascaradeError, RecordError
from mascarade_env.core.rng import checked_seed
from mascarade_env.core.scenarios import Scenario

if TYPE_CHECKING:
    from mascarade_env.core.game import Game

    G = TypeVar("G", bound=Game)

FORMAT = "mascarade-record/1"
_TRACE = ("phase", "turn", "legal", "coins", "tribunal", "masks", "player_at")
_FINAL = ("coins", "tribunal", "masks", "player_at")


def to_record(game: "Game", *, trace: bool) -> dict[str, Any]:
    """The record of a game so far; with `trace`, each step carries the truth before it."""
    past = game.at_start()
    steps: list[dict[str, Any]] = []
    for player, action in game.history:
        step = {"player": player, "action": action}
        steps.append({**step, **_truth(past, _TRACE)} if trace else step)
        past.play(action)
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
        record["meta"] = dict(game.meta)
    if trace:
        record["final"] = _truth(game, _FINAL)
    return record


def _truth(game: "Game", fields: tuple[str, ...]) -> dict[str, Any]:
    return {
        field: game.legal_actions() if field == "legal" else getattr(game, field)
        for field in fields
    }


def _result(game: "Game") -> dict[str, Any] | None:
    if not game.over:
        return None
    return {"winners": game.winners, "returns": game.returns(), "truncated": game.truncated}


def from_record(make: "type[G]", record: object) -> "G":
    """Replay a record into a new game of class `make`, checking all that it says."""
    data = _object(record, "a record")
    if data.get("format") != FORMAT:
        raise RecordError(
            f"format is {data.get('format')!r}; this version reads {FORMAT!r}"
            if "format" in data
            else f"no 'format': a game record begins with {FORMAT!r}"
        )
    for key in ("scenario", "deal", "steps", "result"):
        if key not in data:
            raise RecordError(f"the field {key!r} is missing")
    game = _new_game(make, data)
    steps = data["steps"]
    if not isinstance(steps, list):
        raise RecordError(f"steps must be a list, not {_short(steps)}")
    fields = _traced(steps)
    for number, step in enumerate(steps):
        try:
            for field, value in _truth(game, fields).items():
                _compare(field, step[field], value)
            _take_step(game, step)
        except MascaradeError as error:
            reason = error.reason if isinstance(error, RecordError) else str(error)
            raise RecordError(reason, step=number) from error
    if fields and "final" not in data:
        raise RecordError("the record has a trace but no 'final'")
    if "final" in data:
        final = _object(data["final"], "final")
        for field, value in _truth(game, _FINAL).items():
            if field not in final:
                raise RecordError(f"final: the field {field!r} is missing")
            _compare(f"final: {field}", final[field], value)
    _check_result(data["result"], _result(game))
    return game


def _new_game(make: "type[G]", data: dict[str, Any]) -> "G":
    try:
        scenario = Scenario.from_dict(_object(data["scenario"], "scenario"))
    except MascaradeError as error:
        raise RecordError(f"scenario: {error}") from error
    meta = _object(data.get("meta", {}), "meta")
    try:
        seed = checked_seed(meta.get("seed", 0))
    except MascaradeError:
        seed = 0  # meta is free: a seed that is not ours is kept, not used
    try:
        game = make(scenario, seed=seed, deal=data["deal"], names=data.get("names"))
    except MascaradeError as error:
        raise RecordError(f"{error}") from error
    game.meta = dict(meta)
    return game


def _traced(steps: list[Any]) -> tuple[str, ...]:
    """The trace fields that every step has, which must be all or none."""
    found: set[tuple[str, ...]] = set()
    for number, step in enumerate(steps):
        for key in ("player", "action"):
            if not isinstance(step, dict) or key not in step:
                raise RecordError(f"a step has a player and an action: {_short(step)}", step=number)
        found.add(tuple(field for field in _TRACE if field in step))
        if len(found) > 1 or not found <= {(), _TRACE}:
            raise RecordError("all trace fields are on every step, or none on any", step=number)
    return found.pop() if found else ()


def _take_step(game: "Game", step: dict[str, Any]) -> None:
    player, action = step["player"], step["action"]
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
        if field not in result:
            raise RecordError(f"result: the field {field!r} is missing")
        if field != "returns":
            _compare(f"result: {field}", result[field], value)
        elif not _close(result[field], value):
            raise RecordError(f"result: returns are {value}, not {_short(result[field])}")


def _close(found: object, expected: list[float]) -> bool:
    return (
        isinstance(found, list)
        and len(found) == len(expected)
        and all(
            type(number) in (int, float) and math.isclose(number, value, abs_tol=1e-9)
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


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{what} must be a JSON object, not {_short(value)}")
    return value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
