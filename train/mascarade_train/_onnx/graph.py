"""Convert the arrays of a policy file to an ONNX graph.

A graph uses operators of opset 13 or earlier, so ONNX Runtime 1.6 or newer runs it. All its numbers
are finite. Minus infinity is not safe on every device, so illegal actions have the log-probability
-1e9, whose exponential is 0.
"""

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env import __version__
from mascarade_env._errors import MascaradeError
from mascarade_env.knowledge._windows import TOKEN
from mascarade_train._net_policy import NO_CHANCE, seat_indices
from mascarade_train._onnx.card import identity
from mascarade_train._policy_file import PolicyFile, numbers_read
from mascarade_train._slots import BELIEFS, SlotReader

if TYPE_CHECKING:
    from onnx import ModelProto

OPSET, IR_VERSION = 13, 7

#: The key of `identity` in the metadata of a graph.
METADATA = "mascarade"

#: The error if a library is missing.
NEEDS = "ONNX files need the extra onnx: pip install 'mascarade-env[onnx]'"


def graph_of(file: PolicyFile) -> "ModelProto":
    """Return a network as an ONNX model; its card describes inputs and outputs.

    Raises:
        MascaradeError: the extra `onnx` is not installed.
    """
    try:
        from onnx import TensorProto, checker, helper, numpy_helper  # noqa: PLC0415 (an extra)
    except ImportError as missing:
        raise MascaradeError(f"{NEEDS} ({missing})") from missing

    parts = _Parts(file)
    slots = parts.slots() if file.slots else None
    numbers = parts.trunk(parts.read(), slots)
    parts.policy(numbers, slots)
    parts.wins(numbers)

    def table(name: str, kind: int, width: int) -> Any:
        return helper.make_tensor_value_info(name, kind, ["batch", width])

    graph = helper.make_graph(
        [helper.make_node(kind, reads, [out], **how) for kind, reads, out, how in parts.nodes],
        "mascarade",
        inputs=[
            table("observation", TensorProto.FLOAT, file.schema.size),
            table("mask", TensorProto.INT8, file.actions),
        ],
        outputs=[
            table("log_chances", TensorProto.FLOAT, file.actions),
            table("wins", TensorProto.FLOAT, file.players),
        ],
        initializer=[numpy_helper.from_array(array, name) for name, array in parts.constants],
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="mascarade-env",
        producer_version=__version__,
    )
    helper.set_model_props(model, {METADATA: json.dumps(identity(file))})
    checker.check_model(model, full_check=True)
    return model


class _Parts:
    """The nodes and constants of a graph. Methods add nodes and return the name of a result."""

    _BOOL, _INT32 = 9, 6  # type numbers of ONNX

    def __init__(self, file: PolicyFile) -> None:
        self.nodes: list[tuple[str, list[str], str, dict[str, Any]]] = []
        self.constants: list[tuple[str, NDArray[Any]]] = []
        self._file = file
        self._constant("no_chance", np.array(NO_CHANCE))

    def read(self) -> str:
        """Return the input of the first layer: the numbers, and the latest events as vectors."""
        file = self._file
        size, end = file.schema.size, numbers_read(file.schema)
        if end == size:
            return "observation"
        numbers = self._columns("numbers", slice(0, end))
        if not file.events:
            return numbers
        first = size - file.events * len(TOKEN)
        vectors = [
            self._vectors(
                field, self._columns(field, slice(first + place, size, len(TOKEN))), tokens
            )
            for place, (field, tokens) in enumerate(
                zip(TOKEN, file.arrays["tokens"].astype(np.float32), strict=True)
            )
        ]
        events = self._add("Relu", [self._add("Sum", vectors, "events.sum")], "events")
        row = self._add("Flatten", [events], "events.row", axis=1)
        return self._add("Concat", [numbers, row], "read", axis=1)

    def slots(self) -> str:
        """Return the vector of every slot."""
        schema = self._file.schema
        places, masks = schema.places, len(schema.masks)

        def numbers(name: str, *shape: int) -> str:
            place = places[name]
            return self._shaped(self._columns(name, slice(place.start, place.stop)), *shape)

        announced = numbers("announced", masks, 1)
        inputs = [numbers("slots", schema.slots, schema.columns["said"].stop)]
        for name in BELIEFS:
            if name in places:
                belief = numbers(name, schema.slots, masks)
                inputs += [belief, self._add("MatMul", [belief, announced], f"{name}.announced")]
        weight = self._file.arrays["slots.weight"].astype(np.float32)
        vectors = self._constant("slots.weight", np.ascontiguousarray(weight.T))
        row = self._add("Concat", inputs, "slots.numbers", axis=2)
        return self._add("Relu", [self._add("MatMul", [row, vectors], "slots.sum")], "slots.read")

    def trunk(self, numbers: str, slots: str | None) -> str:
        """Return the output of the hidden layers."""
        for layer in range(self._file.layers):
            name = f"trunk.{layer}"
            total = self._linear(numbers, name)
            if layer == 0 and slots is not None:
                axis = self._constant("pooled.axis", np.array([1]))
                pooled = self._add("ReduceSum", [slots, axis], "slots.pooled", keepdims=0)
                total = self._add("Add", [total, self._linear(pooled, "pooled")], f"{name}.all")
            numbers = self._add("Relu", [total], name)
        return numbers

    def policy(self, numbers: str, slots: str | None) -> None:
        """Add the log-probabilities of actions."""
        legal = self._add("Cast", ["mask"], "legal", to=self._BOOL)
        scores = self._linear(numbers, "policy")
        if slots is not None:
            scores = self._add("Sum", [scores, *self._fits(numbers, slots)], "policy.all")
        scores = self._add("Where", [legal, scores, "no_chance"], "scores")
        chances = self._add("LogSoftmax", [scores], "chances", axis=-1)
        self._add("Where", [legal, chances, "no_chance"], "log_chances")

    def _fits(self, numbers: str, slots: str) -> list[str]:
        """Return the results to add to the scores of actions that name a slot: take, target."""
        schema, actions = self._file.schema, self._file.actions
        reader = SlotReader(schema)
        asked = self._shaped(self._linear(numbers, "asked"), 2, self._file.slots)
        asked = self._add("Transpose", [asked], "asked.columns", perm=[0, 2, 1])
        fits = self._add("MatMul", [slots, asked], "fits")
        parts = []
        for place, (kind, ids) in enumerate((("take", reader.takes), ("target", reader.targets))):
            column = self._columns(f"{kind}.fits", slice(place, place + 1), of=fits, axis=2)
            others = self._columns(f"{kind}.others", slice(1, 1 + ids.stop - ids.start), of=column)
            row = self._add("Flatten", [others], f"{kind}.row", axis=1)
            beside = self._constant(f"{kind}.pads", np.array([0, ids.start, 0, actions - ids.stop]))
            parts.append(self._add("Pad", [row, beside], f"{kind}.scores"))
        return parts

    def wins(self, numbers: str) -> None:
        """Add the win probabilities of the players at the table."""
        seats = self._constant("seats", seat_indices(self._file.schema))
        occupied = self._add("Gather", ["observation", seats], "occupied", axis=1)
        present = self._add("Cast", [occupied], "present", to=self._BOOL)
        scores = self._linear(numbers, "wins")
        at_table = self._add("Where", [present, scores, "no_chance"], "at_table")
        self._add("Softmax", [at_table], "wins", axis=-1)

    def _add(self, kind: str, reads: list[str], out: str, **how: Any) -> str:
        self.nodes.append((kind, reads, out, how))
        return out

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        self.constants.append((name, array))
        return name

    def _linear(self, numbers: str, name: str) -> str:
        weights = [
            self._constant(part, self._file.arrays[part].astype(np.float32))
            for part in (f"{name}.weight", f"{name}.bias")
            if part in self._file.arrays
        ]
        return self._add("Gemm", [numbers, *weights], f"{name}.sum", transB=1)

    def _columns(self, name: str, places: slice, *, of: str = "observation", axis: int = 1) -> str:
        """Return a slice of an observation, or of another result."""
        bounds = {"first": places.start, "end": places.stop, "axis": axis, "step": places.step or 1}
        where = [
            self._constant(f"{name}.{what}", np.array([place])) for what, place in bounds.items()
        ]
        return self._add("Slice", [of, *where], name)

    def _shaped(self, numbers: str, *shape: int) -> str:
        """Return a result with each row reshaped."""
        new_shape = self._constant(f"{numbers}.shape", np.array([0, *shape]))
        return self._add("Reshape", [numbers, new_shape], f"{numbers}.table")

    def _vectors(self, field: str, words: str, tokens: NDArray[np.float32]) -> str:
        """Return the vectors of one token of each event."""
        numbers = self._add("Cast", [words], f"{field}.words", to=self._INT32)
        table = self._constant(f"{field}.tokens", tokens)
        return self._add("Gather", [table, numbers], f"{field}.vectors", axis=0)
