"""How Numba compiles what only compiled code calls: as a part of its callers.

By itself Numba makes each function executable: it optimizes it, together with all that it calls,
and turns the whole into machine code; then its callers do the same again. Most functions here are
only called by others, so that is most of the time. A part is typed and translated once, and is
left to the optimizer with those kernels that Python calls.
"""

from typing import Any

from llvmlite import binding
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import compiler, typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys

_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of functions' environments begin


class _Part(JITCodeLibrary):
    """Code to link into callers: neither optimized nor executable by itself."""

    def add_linking_library(self, library: Any) -> None:
        if library is not rtsys.library:  # which each caller links for itself
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


def _stand_in(fndesc: Any, env: Any, library: Any) -> Any:
    """Return what Numba's tables hold for a part: nothing that could be called."""
    return _dynfunc.make_function(
        fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,)
    )


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    """Numba's translation to LLVM, which keeps parts apart."""

    _name = "mascarade_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate a function, as a part if Python cannot call it."""
        if state.flags.no_cpython_wrapper:
            return self._translate_part(state)
        super().run_pass(state)
        # Numba does this for the function itself, but parts have been nowhere until now.
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
    """Numba's compiler for functions without Python objects, with the lowering above."""

    def define_pipelines(self) -> list[Any]:
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state, "mascarade")
        passes = PassManager("mascarade")
        for step, words in manager.passes:
            passes.add_pass(_Lowering if step is typed_passes.NativeLowering else step, words)
        passes.finalize()
        return [passes]


def reduce_part(result: Any) -> Any:
    """Turn a compiled part into what can be pickled."""
    fndesc = result.fndesc
    fndesc.typemap = fndesc.calltypes = None  # Numba's, of no more use
    bitcode = result.library._final_module.as_bitcode()
    return result.library.name, bitcode, fndesc, result.environment, result.signature


def rebuild_part(target: Any, payload: Any) -> Any:
    """Turn that back into a compiled part."""
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
    """Turn an executable function into what can be pickled."""
    return result._reduce()


def rebuild_whole(target: Any, payload: Any) -> Any:
    """Turn that back into an executable function."""
    return compiler.CompileResult._rebuild(target, *payload)
