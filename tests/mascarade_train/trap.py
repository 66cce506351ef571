"""An object for hostile files."""

import os
from pathlib import Path
from typing import Any


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mknod, (str(self.file),)
