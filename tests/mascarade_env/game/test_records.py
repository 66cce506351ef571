"""Game records: written ones can be read, and ones that break the rules are refused."""

import copy
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mascarade_env import (
    Game,
    InexactBeliefWarning,
    MascaradeError,
    RecordError,
    read_games,
    scenarios,
    write_games,
)
from mascarade_env.game import _replay as replay
from mascarade_env.game._record_files import record_line
from tests.mascarade_env.game.decks import random_scenario
from tests.messages import facts, states
from tests.tiers import fuzzed, sampled


def nested(depth: int) -> Any:
    """Return an object with lists nested in each other."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return {"x": value}


def a_game(scenario: str = "6A", seed: int = 3) -> Game:
    game = Game(scenario, seed=seed)
    game.play_randomly()
    return game


def refused(record: Any) -> RecordError:
    """Return the error with which a record is refused."""
    with pytest.raises(RecordError) as caught:
        Game.from_record(record)
    return caught.value


@pytest.mark.parametrize("trace", [False, True])
def test_a_record_read_and_written_again_is_the_same(trace: bool) -> None:
    chance = random.Random(9)
    made = [Game(name, seed=1) for name in scenarios()]
    made += [Game(random_scenario(chance), seed=seed) for seed in range(60)]
    for game in made:
        game.play_randomly(chance.choice([0, 1, 20, None]))
        text = json.dumps(game.to_record(trace=trace))
        again = Game.from_record(json.loads(text))
        assert json.dumps(again.to_record(trace=trace)) == text
        assert again._rows["mask_at"].tobytes() == game._rows["mask_at"].tobytes()


def test_what_a_record_holds() -> None:
    game = Game("4A", seed=5, names=["a", "b", "c", "d"])
    game.play("take:3")
    record = game.to_record()
    assert list(record) == ["format", "scenario", "deal", "steps", "result", "names", "meta"]
    assert record["format"] == "mascarade-record/1"
    assert record["scenario"] == {
        "name": "4A", "players": 4,
        "masks": ["judge", "trickster", "empress", "patron", "fool", "thief"],
        "start_coins": 6, "goal_coins": 13, "opening_turns": 4, "turn_limit": None,
        "at_limit": "void", "strict": True, "fixed_deal": False,
    }  # fmt: skip
    assert record["deal"] == game.masks
    assert record["steps"] == [{"player": 0, "action": "take:3"}]
    assert record["result"] is None
    assert record["names"] == ["a", "b", "c", "d"]
    assert record["meta"] == {"seed": 5}


def test_what_a_trace_holds() -> None:
    game = Game("4A", seed=5)
    game.play("take:3")
    game.play("swap")
    record = game.to_record(trace=True)
    deal = game.deal
    first, second = record["steps"]
    assert first == {
        "player": 0, "action": "take:3", "phase": "turn", "turn": 0,
        "legal": ["take:1", "take:2", "take:3", "take:4", "take:5"],
        "coins": [6] * 4, "tribunal": 0, "masks": deal, "player_at": [0, 1, 2, 3],
    }  # fmt: skip
    assert second["phase"] == "table"
    assert second["legal"] == ["swap", "keep"]
    assert second["masks"] == deal  # in phase table the masks are still where they were
    swapped = [deal[3], deal[1], deal[2], deal[0], *deal[4:]]
    assert record["final"] == {
        "coins": [6] * 4, "tribunal": 0, "masks": swapped, "player_at": [0, 1, 2, 3],
    }  # fmt: skip


def test_the_result_of_a_game_that_is_over() -> None:
    game = a_game()
    winners = game.winners
    assert winners is not None
    result = game.to_record()["result"]
    assert result == {"winners": winners, "returns": game.returns(), "truncated": False}
    void = Game({**scenarios()["6A"].to_dict(), "turn_limit": 1}, seed=1)
    void.play_randomly()
    assert void.to_record()["result"] == {"winners": [], "returns": [0.0] * 6, "truncated": True}


def test_meta_is_free() -> None:
    record = a_game().to_record()
    for meta in ({}, {"seed": "mine"}, {"seed": -1, "who": ["x"]}):
        assert Game.from_record({**record, "meta": meta}).meta == meta
    del record["meta"]
    assert Game.from_record(record).to_record() == record


def test_returns_may_be_rounded() -> None:
    record = a_game().to_record()
    record["result"]["returns"] = [round(value, 6) for value in record["result"]["returns"]]
    assert Game.from_record(record).over


def test_names_and_meta_may_be_null() -> None:
    game = Game.from_record({**a_game().to_record(), "names": None, "meta": None})
    assert (game.names, game.meta) == (None, {})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1}, b"x"])
def test_meta_that_is_no_json_is_not_written(value: object, tmp_path: Path) -> None:
    game = a_game()
    game.meta["x"] = value
    with pytest.raises(MascaradeError, match=facts("meta", "JSON")):
        write_games(tmp_path / "games.jsonl", [game])


def test_copies_of_meta_are_independent() -> None:
    game = a_game()
    game.meta["notes"] = ["x"]
    record, twin = game.to_record(), copy.deepcopy(game)
    again = Game.from_record(record)
    record["meta"]["notes"].append("y")
    twin.meta["notes"].append("z")
    assert game.meta["notes"] == again.meta["notes"] == ["x"]


def test_random_play_after_a_record_uses_its_seed() -> None:
    record = Game("6A", seed=3).to_record()
    ends = []
    for seed in (3, 3, 4):
        game = Game.from_record({**record, "meta": {"seed": seed}})
        game.play_randomly()
        ends.append(game.history)
    assert ends[0] == ends[1] != ends[2]


def test_names_of_any_letters_are_written_and_read(tmp_path: Path) -> None:
    game = Game("4A", seed=1, names=["Zoë", "\ud800", "名", "d"])
    write_games(tmp_path / "games.jsonl", [game])
    assert next(read_games(tmp_path / "games.jsonl")).names == game.names


def changed(record: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy of a record with another value at a path such as "steps.3.action"."""
    twin = copy.deepcopy(record)
    place: Any = twin
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in way:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return twin


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("format", "mascarade-record/2", ("format", "mascarade-record/2", "mascarade-record/1")),
        ("format", ..., ("format", None, "mascarade-record/1")),
        ("scenario", ..., ("'scenario'", "missing")),
        ("scenario", "6A", ("scenario", "JSON object", "'6A'")),
        ("scenario.players", 7, ("scenario", "rule 9", "7 players", "7 masks", 6)),
        ("scenario.players", True, ("players", "whole number", True)),
        ("scenario.players", ..., ("'players'", "missing")),
        ("scenario.masks.1", "king", ("king", "one card", 2)),
        ("scenario.masks.0", "jugde", ("mask", "'jugde'", "'judge'")),
        ("scenario.masks.0", "guru", ("rule 9", "Judge")),
        ("scenario.goal_coins", 10, ("rule 7.1", 13, 10)),
        ("scenario.turns", 10, ("field", "'turns'")),
        ("deal", ["judge"], ("deal", "masks", "scenario", "not judge")),
        ("deal.0", "guru", ("deal", "masks", "scenario", "guru")),
        ("deal", {}, ("deal", "list", "{}")),
        ("deal", None, ("deal", "list", None)),
        ("steps", ..., ("'steps'", "missing")),
        ("steps", {}, ("steps", "list")),
        ("steps.5", 5, ("step 5", "JSON object", 5)),
        ("steps.5.player", ..., ("step 5", "'player'", "missing")),
        ("steps.5.player", 0, ("step 5", "player 2", 0)),
        ("steps.5.player", 2.0, ("step 5", "player 2", "2.0")),
        ("steps.5.action", "claim", ("step 5", "'claim'", "'table'")),
        ("steps.5.action", 3, ("step 5", "action", "string", 3)),
        ("steps.5.action", "swop", ("step 5", "'swop'", "'swap'")),
        ("steps.0.action", "take:0", ("step 0", "'take:0'", "seat")),
        ("result", None, ("result", "null", "over")),
        ("result", [], ("result", "JSON object")),
        ("result.winners", [0], ("result", "winners", "[0]")),
        ("result.returns.0", 0.5, ("result", "returns", "[0.5")),
        ("result.returns", [], ("result", "returns", "[]")),
        ("result.returns", [10**400] * 6, ("result", "returns")),
        ("result.returns", [True] * 6, ("result", "returns", True)),
        ("result.truncated", True, ("result", "truncated", False, True)),
        ("result.truncated", ..., ("'truncated'", "missing")),
        ("names", ["x"], ("names", 6, "['x']")),
        ("names", 3, ("names", 6, 3)),
        ("names", dict.fromkeys("abcdef"), ("names", 6)),
        ("meta", 3, ("meta", "JSON object")),
        ("meta", [], ("meta", "JSON object")),
        ("meta", nested(700), ("nested",)),
        ("deal", nested(960), ("deal", "list", "{'x': [")),
    ],
)
def test_a_record_that_is_wrong_is_refused(path: str, value: Any, why: tuple[object, ...]) -> None:
    record = a_game().to_record()
    assert states(str(refused(changed(record, path, value))), *why)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("steps.4.phase", "table", ("step 4", "phase", "turn", "'table'")),
        ("steps.4.turn", 3, ("step 4", "turn", 2, 3)),
        ("steps.4.turn", 2.0, ("step 4", "turn", 2, "2.0")),
        ("steps.4.coins.1", 7, ("step 4", "coins", "[6, 6, 6, 6, 6, 6]", 7)),
        ("steps.4.tribunal", False, ("step 4", "tribunal", 0, False)),
        ("steps.4.masks", [], ("step 4", "masks", "[]")),
        ("steps.4.player_at", [1, 0, 2, 3, 4, 5], ("step 4", "player_at", "[1, 0, 2, 3, 4, 5]")),
        ("steps.4.legal.0", "look", ("step 4", "legal", "'look'")),
        ("steps.4.legal", ["take:0", "take:0"], ("step 4", "legal", "'take:0', 'take:0'")),
        ("steps.4.legal", ..., ("step 4", "trace", "fields")),
        ("steps.0.legal", ..., ("step 0", "trace", "fields")),
        ("final", ..., ("trace", "'final'")),
        ("final.coins.0", 99, ("final", "coins", 99)),
        ("final.masks", ..., ("'masks'", "missing")),
        ("final", [], ("final", "JSON object")),
    ],
)
def test_a_trace_that_is_wrong_is_refused(path: str, value: Any, why: tuple[object, ...]) -> None:
    assert states(str(refused(changed(a_game().to_record(trace=True), path, value))), *why)


def test_the_legal_actions_of_a_trace_may_stand_in_any_order() -> None:
    record = a_game().to_record(trace=True)
    for step in record["steps"]:
        step["legal"] = step["legal"][::-1]
    assert Game.from_record(record).over


def test_a_trace_on_some_steps_only_is_refused() -> None:
    record, plain = a_game().to_record(trace=True), a_game().to_record()
    record["steps"][7:] = plain["steps"][7:]
    assert refused(record).step == 7


def test_a_result_while_the_game_runs_is_refused() -> None:
    record = a_game().to_record()
    record["steps"].pop()
    assert states(str(refused(record)), "result", "null", "step")


def test_a_step_after_the_end_is_refused() -> None:
    record = a_game().to_record()
    record["steps"].append({"player": 0, "action": "look"})
    error = refused(record)
    assert error.step == len(record["steps"]) - 1
    assert states(error.reason, "'look'", "end")


def test_a_fixed_deal_must_be_the_one_listed() -> None:
    masks = ["king", "thief", "judge"]
    scenario = {"players": 2, "masks": masks, "strict": False, "fixed_deal": True}
    record = Game(scenario, seed=1).to_record()
    assert record["deal"] == masks
    assert "fixed" in str(refused({**record, "deal": masks[::-1]}))


@pytest.mark.parametrize("record", [None, [], "x", 3, {}])
def test_values_that_are_not_a_record_are_refused(record: Any) -> None:
    refused(record)


# Files


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_files_hold_many_games(tmp_path: Path, name: str) -> None:
    games = [a_game(seed=seed) for seed in range(5)]
    assert write_games(tmp_path / name, games, trace=True) == 5
    again = list(read_games(tmp_path / name))
    assert [g.to_record() for g in again] == [g.to_record() for g in games]
    assert name.endswith(".gz") == ((tmp_path / name).read_bytes()[:2] == b"\x1f\x8b")
    before = (tmp_path / name).read_bytes()
    write_games(tmp_path / name, games, trace=True)
    assert (tmp_path / name).read_bytes() == before


def test_empty_lines_and_a_missing_last_newline_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("\n" + record_line(a_game()) + "\n\n" + record_line(a_game()).rstrip())
    assert len(list(read_games(file))) == 2


def read_until_error(path: Path) -> tuple[int, RecordError]:
    """Return the number of games read, and the error that ended the reading."""
    games: list[Game] = []
    with pytest.raises(RecordError) as caught:
        games.extend(read_games(path))
    assert caught.value.readable == len(games)
    assert caught.value.file == str(path)
    assert str(path) in str(caught.value)
    return len(games), caught.value


def test_a_fault_names_file_line_step_and_reason(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    bad = json.dumps(changed(a_game().to_record(), "steps.5.action", "claim"))
    file.write_text(record_line(a_game()) + "\n" + bad + "\n" + record_line(a_game()))
    count, error = read_until_error(file)
    assert count == 1
    assert (error.line, error.step) == (3, 5)
    assert states(str(error), str(file), "line 3", "step 5", "'claim'", "'table'", 1)


def test_a_file_cut_off_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(record_line(a_game()) * 2 + record_line(a_game())[:700])
    count, error = read_until_error(file)
    assert (count, error.line) == (2, 3)
    assert states(str(error), "line 3", "JSON", "file", 2)


def test_a_gzip_file_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    write_games(file, [a_game(seed=seed) for seed in range(60)])
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    count, error = read_until_error(file)
    assert 0 < count < 60
    assert states(str(error), "gzip", "damaged")


def test_a_damaged_gzip_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    write_games(file, [a_game()])
    whole = bytearray(file.read_bytes())
    whole[-6] ^= 255  # the checksum
    file.write_bytes(whole)
    assert states(str(read_until_error(file)[1]), "gzip", "damaged")
    file.write_bytes(b"not gzip at all")
    assert states(str(read_until_error(file)[1]), "gzip", "damaged")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe", ["UTF-8"]),
        (b"[" * 100_000, ["nested"]),
        (b"{", ["JSON", "line 1"]),
        (b'{"players": ' + b"9" * 5000 + b"}", ["JSON", "line 1"]),
        (b"\x00", ["JSON", "line 1"]),
        (b"NaN", ["NaN", "number"]),
        (b"1e999", ["1e999", "number"]),
        (b'{"deal": [], "deal": []}', ["key", "'deal'", "duplicate"]),
    ],
)
def test_lines_that_are_not_json_are_refused(
    tmp_path: Path, content: bytes, why: list[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(content)
    assert states(str(read_until_error(file)[1]), *why)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert "No such file" in str(read_until_error(tmp_path / "none.jsonl")[1])
    assert "directory" in str(read_until_error(tmp_path)[1]).lower()
    assert "null byte" in str(read_until_error(Path("a\0b"))[1])


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    lines = record_line(a_game()) * 2
    file.write_bytes(b"\xef\xbb\xbf" + lines.replace("\n", "\r\n").encode())
    assert len(list(read_games(file))) == 2


# Fuzzing: any change of a file gives games or a RecordError, and nothing else

LINE = record_line(a_game(), trace=True).encode()
PLAIN = a_game().to_record(trace=True)


@settings(max_examples=fuzzed(200), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_fuzzed_bytes(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(LINE)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, max(0, len(content) - 1)))
        how = data.draw(st.sampled_from(["change", "cut", "insert", "end"]))
        if how == "change" and content:
            content[place] = data.draw(st.integers(0, 255))
        elif how == "cut":
            del content[place : place + data.draw(st.integers(1, 50))]
        elif how == "insert":
            content[place:place] = data.draw(st.binary(max_size=8))
        else:
            del content[place + 1 :]
    packed = data.draw(st.booleans())
    file = tmp_path_factory.mktemp("fuzz") / ("f.jsonl.gz" if packed else "f.jsonl")
    blob = gzip.compress(bytes(content), 1) if packed else bytes(content)
    if packed and data.draw(st.booleans()):
        blob = blob[: data.draw(st.integers(0, len(blob)))]
    file.write_bytes(blob)
    games: list[Game] = []
    refusal = None
    try:
        games.extend(read_games(file))
    except RecordError as error:
        refusal = error
    assert refusal is None or refusal.readable == len(games)
    for game in games:  # a game that is read follows the rules
        assert game.over
        assert Game.from_record(game.to_record(trace=True)).history == game.history


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["king", "look", "swap", "claim", "take:1", "announce:king", "target:0"]),
    lambda children: (
        st.lists(children, max_size=7)
        | st.dictionaries(st.sampled_from([*PLAIN, *PLAIN["scenario"]]), children, max_size=4)
    ),
    max_leaves=12,
)


def paths(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Yield the path to every part of a JSON value."""
    found = [way] if way else []
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            found += paths(part, (*way, key))
    return found


PATHS = paths(PLAIN)


@settings(max_examples=fuzzed(200), deadline=None)
@given(st.sampled_from(PATHS), JSON)
def test_fuzzed_values(way: tuple[Any, ...], value: Any) -> None:
    record = copy.deepcopy(PLAIN)
    place: Any = record
    for part in way[:-1]:
        place = place[part]
    place[way[-1]] = value
    try:
        game = Game.from_record(record)
    except RecordError:
        return
    # An accepted record is the same game, except for its free fields.
    free = {"names", "meta"}
    again = game.to_record(trace=True)
    same = {key: part for key, part in again.items() if key not in free | {"scenario"}}
    assert same == {key: part for key, part in PLAIN.items() if key not in free | {"scenario"}}


def test_all_errors_have_one_base_class() -> None:
    assert issubclass(RecordError, MascaradeError)
    assert issubclass(MascaradeError, ValueError)


def with_beliefs(scenario: str = "8B", seed: int = 5) -> dict[str, Any]:
    """Return the record of a game with all beliefs."""
    return a_game(scenario, seed).to_record(beliefs=True)


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_beliefs_are_those_before_each_action(name: str) -> None:
    record = with_beliefs(name, seed=11)
    game = Game(name, deal=record["deal"])
    for step in record["steps"]:
        for player, slots in enumerate(step["beliefs"]):
            told = [[row.get(mask, 0.0) for mask in game.scenario.kinds] for row in slots]
            assert game.belief(player).tolist() == [pytest.approx(row, abs=1e-8) for row in told]
            assert all(chance > 0 for row in slots for chance in row.values())
        game.play(step["action"])
    again = json.loads(json.dumps(record))
    assert Game.from_record(again).to_record(beliefs=True) == record


def test_the_deal_is_certain_and_peasants_are_one_key() -> None:
    record = with_beliefs("9B")
    certain = [{mask: 1.0} for mask in record["deal"]]
    assert record["steps"][0]["beliefs"] == [certain] * 9
    beliefs = [row for step in record["steps"] for rows in step["beliefs"] for row in rows]
    assert max(row.get("peasant", 0) for row in beliefs) == 1.0
    assert all(sum(row.values()) == pytest.approx(1, abs=1e-6) for row in beliefs)


def test_trace_and_beliefs_go_together() -> None:
    game = a_game("6B")
    record = game.to_record(trace=True, beliefs=True)
    assert {"masks", "beliefs"} <= record["steps"][3].keys()
    assert "final" in record
    assert Game.from_record(record).to_record(trace=True, beliefs=True) == record


def test_beliefs_within_the_tolerance_are_read() -> None:
    record = with_beliefs()
    for row in record["steps"][9]["beliefs"][2]:
        for mask in row:
            row[mask] -= 9e-6
    record["steps"][0]["beliefs"][1][0]["fool"] = 9e-6
    Game.from_record(record)


def test_beliefs_that_are_null_are_read() -> None:
    record = with_beliefs()
    for step in record["steps"][5:]:
        step["beliefs"] = None
    Game.from_record(record)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda beliefs: beliefs[1][0].update(judge=0.3), ("player 1", "slot 0", "judge")),
        (lambda beliefs: beliefs[1].__setitem__(0, {}), ("player 1", "slot 0", "judge")),
        (lambda beliefs: beliefs[1][0].update(mayor=0.0), ("player 1", "slot 0", "judge")),
        (lambda beliefs: beliefs[1][0].update(judge="1"), ("player 1", "slot 0", "judge")),
        (lambda beliefs: beliefs[1][0].update(judge=True), ("player 1", "slot 0", "judge")),
        (lambda beliefs: beliefs[1].__setitem__(0, [1.0]), ("player 1", "slot 0", "judge")),
        (lambda beliefs: beliefs[1].pop(), ("player 1", "list", "slot")),
        (lambda beliefs: beliefs.__setitem__(1, 0.5), ("player 1", "list", "slot")),
        (lambda beliefs: beliefs.pop(), ("beliefs", "list", "player")),
    ],
)  # fmt: skip
def test_wrong_beliefs_are_refused(spoil: Any, reason: tuple[str, ...]) -> None:
    record = with_beliefs()
    spoil(record["steps"][7]["beliefs"])
    error = refused(record)
    assert error.step == 7
    assert states(str(error), *reason)


def test_beliefs_are_on_every_step_or_on_none() -> None:
    record = with_beliefs()
    del record["steps"][4]["beliefs"]
    error = refused(record)
    assert error.step == 4
    assert states(str(error), "beliefs", "step")


def test_beliefs_beyond_the_most_worlds_are_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "GAME_WORLD_LIMIT", 8)
    game = Game("8A", seed=1)
    for _ in range(12):
        game.play(game.legal_actions()[0])
        game.play("swap")
    steps = game.to_record(beliefs=True)["steps"]
    given_up = [step["beliefs"] is None for step in steps]
    assert given_up[0] is False
    assert given_up[-1] is True
    assert given_up == sorted(given_up)
    assert not game.exact("onlooker")
    with pytest.warns(InexactBeliefWarning, match=facts("onlooker", 8)):
        game.belief("onlooker")
    # If either side has no exact belief, a reader does not compare.
    monkeypatch.undo()
    exact = Game.from_record(game.to_record(beliefs=True)).to_record(beliefs=True)
    assert all(step["beliefs"] for step in exact["steps"])
    monkeypatch.setattr(replay, "GAME_WORLD_LIMIT", 8)
    Game.from_record(exact)
