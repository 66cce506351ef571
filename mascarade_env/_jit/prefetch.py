"""Ask the processor for memory before it is needed.

A batch goes through more memory at each step than a processor keeps near, game after game. Most of
it is read at places that depend on the position, which the processor cannot guess. Asked for a few
games ahead, it is there in time: a step of many games then takes about as long as one of few.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from mascarade_env._jit import SETTINGS

_LINE = 64  # bytes that a processor loads at once


def _prefetch_plain(array: NDArray[Any], row: int) -> None:
    """Do nothing: plain Python is slow for other reasons."""


@intrinsic
def _prefetch(typing_context: Any, array: Any, row: Any) -> Any:
    """Ask for the memory of one row of an array, from the first byte to that of the next row."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, number = arguments
        rows = make_array(signature.args[0])(context, builder, data)
        bytes_a_row = builder.extract_value(rows.strides, 0)
        pointer = ir.IntType(8).as_pointer()
        flag = ir.IntType(32)
        ask = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag]),
            "llvm.prefetch.p0",
        )
        first = builder.gep(builder.bitcast(rows.data, pointer), [builder.mul(number, bytes_a_row)])
        line = ir.Constant(bytes_a_row.type, _LINE)
        lines = builder.sdiv(builder.add(bytes_a_row, line.type(_LINE - 1)), line)
        with cgutils.for_range(builder, lines) as loop:
            there = builder.gep(first, [builder.mul(loop.index, line)])
            # To read, to keep as near as possible, data and not code.
            builder.call(ask, [there, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


#: Ask for the memory of row `row` of `array`.
prefetch: Any = _prefetch_plain if SETTINGS.DISABLE_JIT else _prefetch
