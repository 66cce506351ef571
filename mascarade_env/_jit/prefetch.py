"""Load memory into the processor's cache before it is needed.

A batch reads more memory in each step than fits into the cache. If an array is read from start to
end, the processor loads it ahead of time. But it cannot predict a place in memory that depends on
the position of a game. Loading this place a few games ahead avoids the wait.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from mascarade_env._jit import SETTINGS

LINE = 64  # bytes that a processor loads at a time


def _prefetch_plain(array: NDArray[Any], element: int) -> None:
    """Do nothing: in plain Python this would not save time."""


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
        # Flags: 0 for reading, 3 for the nearest cache, 1 for data.
        builder.call(ask, [there, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


#: Prefetch the cache line of an element of a one-dimensional array.
prefetch: Any = _prefetch_plain if SETTINGS.DISABLE_JIT else _prefetch
