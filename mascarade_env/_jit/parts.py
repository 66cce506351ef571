"""Compile functions as parts of their callers, if only compiled code calls them.

Numba makes each function executable: it optimizes the function together with all functions that it
calls, and generates machine code. It does the same again for each caller, and this takes most of
the time of compiling. Here, a function that only compiled code calls is a part: it is typed and
translated to LLVM only once. It is optimized together with the kernels that call it. Kernels are
the functions that Python calls.
"""

from typing import Any

from llvmlite import binding
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import compiler, typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys

_ENVIRONMENT = "_ZN08NumbaEnv"  # prefix of the names of environments of functions


class _Part(JITCodeLibrary):
    """LLVM code to link into callers, not optimized and not executable."""

    def add_linking_library(self, library: Any) -> None:
        if library is not rtsys.library:  # each caller links that library itself
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def _stand_in(fndesc: Any, env: Any, library: Any) -> Any:
    """Return an object that represents a part in Numba's tables and cannot be called."""
    return _dynfunc.make_function(
        fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,)
    )


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    """Numba's translation to LLVM, with a separate library for each part."""

    _name = "mascarade_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate a function to LLVM; if Python cannot call it, translate it as a part."""
        if state.flags.no_cpython_wrapper:
            return self._translate_part(state)
        super().run_pass(state)
        # Numba sets the environment of the function itself, but not those of its parts.
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                env = lookup_environment(variable.name)
                if env is not None:
                    state.library.codegen.set_env(variable.name, env)
        return True

    def _translate_part(self, state: Any) -> bool:
        target = state.targetctx
        library = _Part(target.codegen(), state.func_id.func_qualname)
        state.library = library
        state.flags.no_compile = True
        super().run_pass(state)
        library.finalize()
        lowered = state["cr"]
        entry = _stand_in(lowered.fndesc, lowered.env, library)
        target.insert_user_function(entry, lowered.fndesc, [library])
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class Compiler(compiler.CompilerBase):
    """Numba's compiler for functions without Python objects, with `_Lowering`."""

    def define_pipelines(self) -> list[Any]:
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state, "mascarade")
        passes = PassManager("mascarade")
        for step, words in manager.passes:
            passes.add_pass(_Lowering if step is typed_passes.NativeLowering else step, words)
        passes.finalize()
        return [passes]


def reduce_part(result: Any) -> Any:
    """Return a compiled part as a tuple that can be pickled."""
    fndesc = result.fndesc
    fndesc.typemap = fndesc.calltypes = None  # not needed after compiling
    bitcode = result.library._final_module.as_bitcode()
    return result.library.name, bitcode, fndesc, result.environment, result.signature


def rebuild_part(target: Any, payload: Any) -> Any:
    """Return the compiled part for a tuple that `reduce_part` returned."""
    name, bitcode, fndesc, env, signature = payload
    library = _Part(target.codegen(), name)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalize_final_module()
    return compiler.compile_result(
        typing_context=target.typing_context,
        target_context=target,
        entry_point=_stand_in(fndesc, env, library),
        library=library,
        signature=signature,
        objectmode=False,
        lifted=(),
        fndesc=fndesc,
        environment=env,
    )


def reduce_whole(result: Any) -> Any:
    """Return an executable function as a tuple that can be pickled."""
    return result._reduce()


def rebuild_whole(target: Any, payload: Any) -> Any:
    """Return the executable function for a tuple that `reduce_whole` returned."""
    return compiler.CompileResult._rebuild(target, *payload)
