"""ONNX files: the same network, with a card from which a bot can be written."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

from mascarade_agents._agent import Agent
from mascarade_env import Game, MascaradeError, Positions, Schema, scenarios
from mascarade_env.game._actions import padded_ids, word_of
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._state import new_rows
from mascarade_env.observation._blocks import Track
from mascarade_env.testing import check_agent
from mascarade_train._agents import NetAgent, OnnxAgent
from mascarade_train._net_policy import NetPolicy
from mascarade_train._onnx.card import card_of
from mascarade_train._onnx.export import export
from mascarade_train._onnx.graph import IR_VERSION, OPSET, graph_of
from mascarade_train._onnx.policy import OnnxPolicy
from tests.mascarade_train.random_nets import positions, random_net, undecided
from tests.messages import facts, states

NETS: list[tuple[str, Track, bool, str]] = [
    ("4A", "belief", False, "4A"),
    ("tiny-2", "both", False, "tiny-2"),
    ("6A", "memory", True, "4A"),
    ("6A", "both", True, "12A"),
]


def written(folder: Path, scenario: str = "4A", track: Track = "belief", **told: Any) -> Path:
    """The graph of a random network, and its policy file."""
    file = random_net(scenario, track, **told)
    file.save(folder / "policy.npz")
    export(file, folder / "policy.onnx")
    return folder / "policy.onnx"


def put(path: Path, model: onnx.ModelProto) -> None:
    """Write another graph, with its digest on the card."""
    onnx.save(model, path)
    changed(path, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def changed(path: Path, **fields: Any) -> None:
    """Change fields on the card of a graph."""
    card = path.with_suffix(".json")
    card.write_text(json.dumps(json.loads(card.read_text()) | fields))


# The graph


@pytest.mark.parametrize("slots", [0, 5])
@pytest.mark.parametrize(("scenario", "track", "padded", "played"), NETS)
def test_the_graph_says_what_the_network_says(
    scenario: str, track: Track, played: str, slots: int, *, padded: bool
) -> None:
    file = random_net(scenario, track, padded=padded, slots=slots)
    session = onnxruntime.InferenceSession(graph_of(file).SerializeToString())
    observation, mask = positions(file.schema, played)
    log_chances, wins = session.run(None, {"observation": observation, "mask": mask})
    net = NetPolicy(file)
    # Tokens are large numbers, so rounding errors are larger.
    np.testing.assert_allclose(log_chances, net.log_chances(observation, mask), atol=1e-4)
    np.testing.assert_allclose(wins, net.wins(observation), atol=1e-5)
    assert (log_chances[mask == 0] == -1e9).all()
    assert (wins[:, scenarios()[played].players :] == 0).all()


@pytest.mark.parametrize("slots", [0, 5])
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_the_graph_takes_any_number_of_rows(tmp_path: Path, rows: int, slots: int) -> None:
    policy = OnnxPolicy(written(tmp_path, slots=slots))
    observation, mask = positions(policy.schema)
    found = policy.scores(observation[:rows], mask[:rows])
    np.testing.assert_allclose(found, policy.scores(observation, mask)[:rows], atol=1e-5)
    assert policy.wins(observation[:rows]).shape == (rows, 4)
    assert (found[mask[:rows] == 0] == -np.inf).all()


def test_the_graph_is_finite_where_nothing_is_legal_and_nobody_sits() -> None:
    file = random_net("6A", padded=True, slots=5)
    session = onnxruntime.InferenceSession(graph_of(file).SerializeToString())
    nothing = {
        "observation": np.zeros((1, file.schema.size), np.float32),
        "mask": np.zeros((1, file.actions), np.int8),
    }
    assert all(np.isfinite(told).all() for told in session.run(None, nothing))


def test_the_graph_keeps_to_operators_that_old_runtimes_have() -> None:
    model = graph_of(random_net("6A", "both", padded=True))
    assert [(one.domain, one.version) for one in model.opset_import] == [("", OPSET)] == [("", 13)]
    assert model.ir_version == IR_VERSION == 7
    kinds = {node.op_type for node in model.graph.node}
    events = {"Slice", "Sum", "Flatten", "Concat"}
    plain = events | {"Gemm", "Relu", "Cast", "Where", "LogSoftmax", "Gather", "Softmax"}
    assert kinds == plain
    model = graph_of(random_net("6A", "both", slots=5))
    slots = {"Reshape", "MatMul", "ReduceSum", "Add", "Transpose", "Pad"}
    assert {node.op_type for node in model.graph.node} == plain | slots


def test_half_as_exact_weights_are_exported_as_they_are() -> None:
    half = random_net("4A", "both", kind="float16")
    session = onnxruntime.InferenceSession(graph_of(half).SerializeToString())
    observation, mask = positions(half.schema)
    found, _ = session.run(None, {"observation": observation, "mask": mask})
    expected = NetPolicy(half).log_chances(observation, mask)
    np.testing.assert_allclose(found, expected, atol=1e-5)


# The card


@pytest.mark.parametrize("name", [*scenarios(), "padded"])
def test_the_card_numbers_actions_as_the_core_does(name: str) -> None:
    padded = name == "padded"
    file = random_net("6A" if padded else name, padded=padded, layers=())
    listed = card_of(file, b"")["actions"]
    assert [one["id"] for one in listed] == list(range(file.actions))
    for played in scenarios() if padded else (name,):
        row = new_rows(scenarios()[played], 1)[0]
        row["actor"] = 0
        for action, place in enumerate(padded_ids(row)):
            told = listed[place if padded else action]
            word, _, what = word_of(row, action).partition(":")
            assert told["action"] == word
            if "seat" in told:
                assert int(what) == told["seat"] < scenarios()[played].players
            elif "centre" in told:
                assert int(what) == scenarios()[played].players + told["centre"]
            else:
                assert what == told.get("mask", "")


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("track", ["memory", "belief", "both"])
def test_the_card_tells_of_every_number_of_an_observation(track: Track, *, padded: bool) -> None:
    schema = Schema("6A", track, padded=padded)
    told = card_of(random_net("6A", track, padded=padded), b"")["observation"]
    numbers: list[int] = []
    for block in told["blocks"]:
        count = int(np.prod(block["shape"]))
        numbers += range(block["first"], block["first"] + count)
        assert block["meaning"]
        assert block["low"] < block["high"]
    assert numbers == list(range(schema.size)) == list(range(told["size"]))
    views = schema.views(np.arange(schema.size))
    width = told["blocks"][0]["shape"][1]
    assert told["blocks"][0]["name"] == "slots"
    for column in told["columns of slots"]["columns"]:
        first = views[column["name"]].reshape(told["slots"], -1)[:, 0]
        assert first.tolist() == [slot * width + column["offset"] for slot in range(told["slots"])]
    assert told["masks"] == list(MASK_IDS if padded else scenarios()["6A"].kinds)
    assert ("tokens" in told["reading"]) == (track != "belief")
    assert ("padded" in told["reading"]) == padded
    assert "| 9 ANNOUNCE | player | - | mask |" in told["reading"].get(
        "tokens", "| 9 ANNOUNCE | player | - | mask |"
    )
    assert states(told["reading"]["sure"], "sure", "slot")


@pytest.mark.parametrize(("scenario", "track", "padded", "_played"), NETS)
def test_the_example_is_what_the_graph_says_of_its_game(
    tmp_path: Path, scenario: str, track: Track, _played: str, *, padded: bool
) -> None:
    path = written(tmp_path, scenario, track, padded=padded)
    example = json.loads(path.with_suffix(".json").read_text())["example"]
    game = Game.from_record(example["record"])
    assert len(game.history) > 3
    assert game.player == example["player who decides"]
    seen = game.observation(track=track, padded=padded)
    np.testing.assert_allclose(example["observation"], seen, rtol=1e-5, atol=1e-6)
    ids = padded_ids(new_rows(scenarios()[scenario], 1)[0])
    legal = [ids[action] if padded else action for action in game.legal_ids()]
    assert np.flatnonzero(example["mask"]).tolist() == legal
    session = onnxruntime.InferenceSession(path)
    log_chances, wins = session.run(
        None,
        {
            "observation": np.array([example["observation"]], np.float32),
            "mask": np.array([example["mask"]], np.int8),
        },
    )
    np.testing.assert_allclose(log_chances[0], example["log_chances"], atol=1e-4)
    np.testing.assert_allclose(wins[0], example["wins"], atol=1e-5)


def test_the_card_says_where_the_network_comes_from(tmp_path: Path) -> None:
    told: dict[str, Any] = {
        "provenance": {"seconds": 3},
        "scores": {"random": 0.5},
        "note": "Small.",
    }
    path = written(tmp_path, "6A", padded=True, scenarios=("6A", "8B"), **told)
    card = json.loads(path.with_suffix(".json").read_text())
    for field, value in {**told, "scenarios": ["6A", "8B"], "padded": True}.items():
        assert card[field] == value
    assert card["scenario"] == scenarios()["6A"].to_dict()
    model = onnx.load(path)
    tensors = {one["name"]: one["shape"] for one in (*card["inputs"], *card["outputs"])}
    for one in (*model.graph.input, *model.graph.output):
        batch, width = one.type.tensor_type.shape.dim
        assert tensors.pop(one.name) == [batch.dim_param, width.dim_value]
    assert not tensors


# The agent


@pytest.mark.parametrize(("scenario", "track", "padded", "played"), NETS)
def test_the_agent_decides_as_the_policy_file(
    tmp_path: Path, scenario: str, track: Track, played: str, *, padded: bool
) -> None:
    path = written(tmp_path, scenario, track, padded=padded)
    rules = scenarios()[played]
    agents: list[Agent] = [OnnxAgent(rules, str(path)), NetAgent(rules, str(tmp_path))]
    observation, mask = positions(Schema(rules, "both"))
    taken = [
        one.act_batch(Positions(observation, mask, one.reads), np.random.default_rng(4))
        for one in agents
    ]
    assert taken[0].tolist() == taken[1].tolist()
    chances = [one.probabilities(Positions(observation, mask, one.reads)) for one in agents]
    assert chances[0] is not None
    assert chances[1] is not None
    np.testing.assert_allclose(chances[0], chances[1], atol=1e-5)
    np.testing.assert_allclose(chances[0].sum(axis=1), 1)
    assert (chances[0][mask == 0] == 0).all()


def test_the_agent_answers_as_arenas_ask(tmp_path: Path) -> None:
    export(undecided(random_net("6A", "both", padded=True)), tmp_path / "policy.onnx")
    agent = OnnxAgent(scenarios()["4A"], str(tmp_path / "policy.onnx"))
    assert check_agent(agent, "4A", games=4).games == 4


# Errors


def test_what_is_no_graph_is_told(tmp_path: Path) -> None:
    path = written(tmp_path)
    rules = scenarios()["4A"]
    with pytest.raises(MascaradeError, match=facts("file", "onnx:6A.onnx")):
        OnnxAgent(rules)
    with pytest.raises(MascaradeError, match=facts("read", "nothing.onnx", "No such file")):
        OnnxAgent(rules, str(tmp_path / "nothing.onnx"))
    with pytest.raises(MascaradeError, match=facts("4A", "not 4B")):
        OnnxAgent(scenarios()["4B"], str(path))
    whole = path.read_bytes()
    for content in (b"", b"words", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(MascaradeError, match=facts(path, "damaged", "sha256")):
            OnnxAgent(rules, str(path))
        changed(path, sha256=hashlib.sha256(content).hexdigest())
        with pytest.raises(MascaradeError, match=facts(path, "ONNX", "`mascarade export`")):
            OnnxAgent(rules, str(path))


def test_each_bit_of_a_graph_counts(tmp_path: Path) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    for bit in np.random.default_rng(0).integers(8 * len(whole), size=60).tolist():
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        with pytest.raises(MascaradeError, match=facts("damaged", "`mascarade export`")):
            OnnxPolicy(path)
    path.write_bytes(whole)
    OnnxPolicy(path)


def test_a_card_of_an_earlier_format_is_refused(tmp_path: Path) -> None:
    """The earlier format has no digest of the graph."""
    path = written(tmp_path)
    changed(path, format="mascarade_train.onnx 1")
    with pytest.raises(MascaradeError, match=facts("onnx 2", "`mascarade export`")):
        OnnxPolicy(path)


def test_a_card_that_is_missing_or_damaged_is_told(tmp_path: Path) -> None:
    path = written(tmp_path)
    card = path.with_suffix(".json")
    for content, why in (
        (b"{", facts("card", "damaged", "`mascarade export`")),
        (b"[]", facts("card", "mascarade_train.onnx 2", "`mascarade export`")),
        (b'{"format": "mascarade_train.sb3 1"}', facts("card", "mascarade_train.onnx 2")),
        (b'{"format": "mascarade_train.onnx 2"}', facts("card", "incomplete", "'sha256'")),
    ):
        card.write_bytes(content)
        with pytest.raises(MascaradeError, match=why):
            OnnxPolicy(path)
    card.unlink()
    with pytest.raises(MascaradeError, match=facts(card, path, "one folder", "No such file")):
        OnnxPolicy(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scenario", scenarios()["4B"].to_dict()),
        ("track", "both"),
        ("padded", True),
    ],
)
def test_a_card_of_another_graph_is_told(tmp_path: Path, field: str, value: object) -> None:
    path = written(tmp_path, "4A", "belief")
    changed(path, **{field: value})
    with pytest.raises(MascaradeError, match=facts(path, "card", "belong", "`mascarade export`")):
        OnnxPolicy(path)


def test_a_graph_that_is_not_ours_is_told(tmp_path: Path) -> None:
    path = written(tmp_path)
    model = onnx.load(path)
    (last,) = (node for node in model.graph.node if "log_chances" in node.output)
    model.graph.output[0].name = last.output[0] = "log_odds"
    onnx.checker.check_model(model)
    put(path, model)
    with pytest.raises(MascaradeError, match=facts(path, "'log_odds'", "version of mascarade-env")):
        OnnxPolicy(path)
    del model.metadata_props[:]
    put(path, model)
    with pytest.raises(MascaradeError, match=facts(path, "card", "belong", "`mascarade export`")):
        OnnxPolicy(path)


def test_a_graph_that_cannot_be_run_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path)
    model = onnx.load(path)
    (seats,) = (one for one in model.graph.initializer if one.name == "seats")
    seats.CopyFrom(onnx.numpy_helper.from_array(np.full(4, 10**6), "seats"))
    put(path, model)
    policy = OnnxPolicy(path)
    with pytest.raises(MascaradeError, match=facts("ONNX") + ".*Gather"):
        policy.scores(*positions(policy.schema))
    model.ir_version = 10**6
    put(path, model)
    with pytest.raises(MascaradeError, match=facts(path, "ONNX", "IR version")):
        OnnxPolicy(path)
    assert capfd.readouterr() == ("", "")  # errors are raised and not also printed


def test_numbers_that_are_not_finite_are_told(tmp_path: Path) -> None:
    policy = OnnxPolicy(written(tmp_path))
    observation, mask = positions(policy.schema)
    with pytest.raises(MascaradeError, match=facts("not finite", "observation")):
        policy.scores(np.full_like(observation, np.nan), mask)
    with pytest.raises(MascaradeError, match=facts("arrays", "(288, 282)")):
        policy.scores(observation[:, 1:], mask)


def test_a_missing_library_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MascaradeError, match=facts("pip install 'mascarade-env[onnx]'")):
        export(random_net(), tmp_path / "other.onnx")
    assert not (tmp_path / "other.json").exists()
    with pytest.raises(MascaradeError, match=r"pip install 'mascarade-env\[onnx\]'"):
        OnnxPolicy(path)
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MascaradeError, match=facts("pip install 'mascarade-env[onnx]'")):
        OnnxPolicy(path)


def test_a_file_of_another_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MascaradeError, match=facts(".onnx", "policy.json")):
        export(random_net(), tmp_path / "policy.json")


def test_on_a_full_disk_the_earlier_files_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(MascaradeError, match=r"cannot write .*: No space left on device"):
            export(random_net("4B"), path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
