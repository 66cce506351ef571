"""Graphs that would take memory without a limit, never end, or read other files are refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from mascarade_env import MascaradeError
from mascarade_train._onnx import policy as onnx_policy
from mascarade_train._onnx.check import MOST_NUMBERS, OPERATORS, check_graph
from mascarade_train._onnx.export import export
from mascarade_train._onnx.graph import graph_of
from mascarade_train._onnx.policy import OnnxPolicy
from mascarade_train._policy_file import PolicyFile
from mascarade_train._released import released_names, released_path
from tests.mascarade_train.random_nets import random_net


@pytest.mark.parametrize("name", released_names())
def test_graphs_that_are_exported_are_played(name: str) -> None:
    model = graph_of(PolicyFile.load(released_path(name)))
    assert {node.op_type for node in model.graph.node} <= OPERATORS
    check_graph(model.SerializeToString())


def doubled(model: onnx.ModelProto) -> None:
    """Thirty results, each twice as long as the one before."""
    for number in range(30):
        before = f"twice.{number - 1}" if number else "observation"
        model.graph.node.append(
            helper.make_node("Concat", [before, before], [f"twice.{number}"], axis=1)
        )


def padded(model: onnx.ModelProto) -> None:
    pads = np.array([0, 0, 0, 2**40])
    model.graph.initializer.append(numpy_helper.from_array(pads, "pads"))
    model.graph.node.append(helper.make_node("Pad", ["observation", "pads"], ["long"]))


def padded_by_a_claimed_size(model: onnx.ModelProto) -> None:
    """Pads that cannot be inferred, and a size that the file claims for the result."""
    model.graph.node.append(helper.make_node("Cast", ["mask"], ["pads"], to=TensorProto.INT64))
    model.graph.node.append(helper.make_node("Pad", ["observation", "pads"], ["large"]))
    model.graph.value_info.append(
        helper.make_tensor_value_info("large", TensorProto.FLOAT, ["batch", 1000])
    )


def made_of_rows(model: onnx.ModelProto) -> None:
    """A shape that is computed from the observation."""
    model.graph.node.append(helper.make_node("Cast", ["mask"], ["shape"], to=TensorProto.INT64))
    model.graph.node.append(helper.make_node("Reshape", ["observation", "shape"], ["any"]))


def filled(model: onnx.ModelProto) -> None:
    shape = numpy_helper.from_array(np.array([2**40]), "shape")
    model.graph.initializer.append(shape)
    model.graph.node.append(helper.make_node("ConstantOfShape", ["shape"], ["full"]))


def looped(model: onnx.ModelProto) -> None:
    body = helper.make_graph([], "body", [], [])
    model.graph.node.append(helper.make_node("Loop", ["", ""], ["never"], body=body))


def elsewhere(model: onnx.ModelProto) -> None:
    constant = model.graph.initializer[0]
    constant.data_location = TensorProto.EXTERNAL
    constant.external_data.add(key="location", value="/etc/passwd")


def many(model: onnx.ModelProto) -> None:
    for number in range(1001):
        model.graph.node.append(helper.make_node("Relu", ["observation"], [f"again.{number}"]))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (doubled, rf"numbers for each observation, and the limit is {MOST_NUMBERS:,}"),
        (padded, r"'long' has \d{13} numbers for each observation"),
        (padded_by_a_claimed_size, "'large' has an unknown number of numbers"),
        (made_of_rows, "'any' has an unknown number of numbers"),
        (filled, "the operator 'ConstantOfShape', which `mascarade export` does not use"),
        (looped, "the operator 'Loop', which `mascarade export` does not use"),
        (elsewhere, "are in another file"),
        (many, "more than 1000 nodes"),
    ],
)
def test_other_graphs_are_refused(change: Callable[[onnx.ModelProto], None], why: str) -> None:
    model = graph_of(random_net("tiny-2", "both"))
    check_graph(model.SerializeToString())
    change(model)
    with pytest.raises(ValueError, match=why):
        check_graph(model.SerializeToString())


def test_a_graph_is_checked_before_it_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.onnx"
    export(random_net("tiny-2", "both"), path)
    checked: list[bytes] = []
    monkeypatch.setattr(onnx_policy, "check_graph", checked.append)
    OnnxPolicy(path)
    assert checked == [path.read_bytes()]

    def refuse(data: bytes) -> None:
        raise ValueError("it has a loop")

    monkeypatch.setattr(onnx_policy, "check_graph", refuse)
    monkeypatch.setattr(onnxruntime, "InferenceSession", None)
    with pytest.raises(MascaradeError, match=r"graph\.onnx.* it has a loop"):
        OnnxPolicy(path)
