"""Names that a package exports, but imports only on first use.

    if TYPE_CHECKING:
        from package._heavy import Heavy

    __all__ = ["Heavy"]

    if not TYPE_CHECKING:
        __getattr__, __dir__ = loaded_on_use(__name__, {"Heavy": "package._heavy"})

Type checkers read the import under TYPE_CHECKING. So they still report names that do not exist in
the package.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loaded_on_use(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a `__getattr__` and a `__dir__` that import some names of a package on first use.

    Args:
        package: the `__name__` of the package.
        modules: for each name, the module that defines it. A name may also be the name of a
            submodule.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module = import_module(modules[name])
        value = module if module.__name__ == f"{package}.{name}" else getattr(module, name)
        setattr(sys.modules[package], name, value)  # so that this runs once
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return load, names
