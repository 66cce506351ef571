"""Check an ONNX graph before it is played: it must not need much memory or read other files.

ONNX Runtime computes any graph, no matter how much memory it takes, and operators such as loops may
never end. A graph may come from anyone. So it must be of the kind that `mascarade export` writes:
with the same operators, and with a known and moderate size of every result.
"""

from typing import Any

from mascarade_env._errors import MascaradeError
from mascarade_train._onnx.graph import NEEDS

#: The operators that `graph_of` uses.
OPERATORS = frozenset({
    "Add", "Cast", "Concat", "Flatten", "Gather", "Gemm", "LogSoftmax", "MatMul", "Pad",
    "ReduceSum", "Relu", "Reshape", "Slice", "Softmax", "Sum", "Transpose", "Where",
})  # fmt: skip
#: Limit on the size of a result: numbers for each observation. The largest released networks have a
#: few thousand.
MOST_NUMBERS = 2**22
_MOST_NODES = 1000
_BATCH = "batch"


def check_graph(data: bytes) -> None:
    """Refuse a graph that is not of the kind that `mascarade export` writes.

    Args:
        data: the bytes of an ONNX file.

    Raises:
        MascaradeError: the library onnx is missing.
        ValueError: the graph is refused; the error gives the reason.
        Exception: the graph cannot be read; onnx raises many types.
    """
    try:
        from onnx import TensorProto, load_model_from_string, shape_inference  # noqa: PLC0415
    except ImportError as missing:
        raise MascaradeError(f"{NEEDS} ({missing})") from missing

    model = load_model_from_string(data)
    nodes = model.graph.node
    if model.functions or model.graph.sparse_initializer or len(nodes) > _MOST_NODES:
        raise ValueError(
            f"it has functions, sparse constants, or more than {_MOST_NODES} nodes, which "
            "`mascarade export` does not write"
        )
    for node in nodes:
        if node.op_type not in OPERATORS or node.domain:
            raise ValueError(
                f"it has the operator {node.op_type!r:.40}, which `mascarade export` does not use"
            )
    for constant in model.graph.initializer:
        if constant.data_location != TensorProto.DEFAULT or constant.external_data:
            raise ValueError(
                f"the numbers of {constant.name!r:.40} are in another file, and must be in this one"
            )
    del model.graph.value_info[:]  # sizes that the file claims; they are inferred instead
    inferred = shape_inference.infer_shapes(model, strict_mode=True).graph
    sizes = {value.name: _size(value) for value in (*inferred.value_info, *inferred.output)}
    for name in (out for node in nodes for out in node.output):
        size = sizes.get(name)
        if size is None or size > MOST_NUMBERS:
            raise ValueError(
                f"the result {name!r:.40} has {size or 'an unknown number of'} numbers for each "
                f"observation, and the limit is {MOST_NUMBERS:,}"
            )


def _size(value: Any) -> int | None:
    """Return how many numbers a result has for each observation; None if that is unknown."""
    size, rows = 1, 0
    for dimension in value.type.tensor_type.shape.dim:
        if dimension.HasField("dim_value"):
            size *= dimension.dim_value
        elif dimension.dim_param == _BATCH and not rows:
            rows = 1
        else:
            return None
    return size if value.type.tensor_type.HasField("shape") else None
