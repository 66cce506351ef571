"""What a hostile file may hold."""

import os
from pathlib import Path
from typing import Any


class Trap:
    """Makes a file where it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mknod, (str(self.file),)
