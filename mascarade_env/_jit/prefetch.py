"""Ask the processor for memory before it is needed.

A batch goes through more memory at each step than a processor keeps near. What is read game after
game it loads ahead by itself; what is read at places that depend on the position it cannot guess.
Asked for a few games before, that is there in time too.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from mascarade_env._jit import SETTINGS

LINE = 64  # bytes that a processor loads at once


def _prefetch_plain(array: NDArray[Any], element: int) -> None:
    """Do nothing: plain Python is slow for other reasons."""


@intrinsic
def _prefetch(typing_context: Any, array: Any, element: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        elements = make_array(signature.args[0])(context, builder, arguments[0])
        pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        ask = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag]),
            "llvm.prefetch.p0",
        )
        offset = builder.mul(arguments[1], builder.extract_value(elements.strides, 0))
        there = builder.gep(builder.bitcast(elements.data, pointer), [offset])
        # To read, to keep as near as possible, data and not code.
        builder.call(ask, [there, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


#: Ask for the line of memory that an element of an array of one dimension is in.
prefetch: Any = _prefetch_plain if SETTINGS.DISABLE_JIT else _prefetch
