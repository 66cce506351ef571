"""Feed mutated files to loaders in a separate process, because a crash would end it.

    python -m tests.hostile.child GROUP FOLDER FIRST COUNT [LOADER]

Each file is written to FOLDER before it is read, with a note of its number. So after a crash or a
hang the file is still there. File number N is the same on every machine; the files are FIRST,
FIRST + 1, ... The process prints a line of JSON for each loader.
"""

import importlib
import json
import os
import random
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

from mascarade_env._errors import MascaradeError
from tests.hostile.loaders import Loader
from tests.hostile.mutations import CODE

#: Modules with the loaders of each group.
GROUPS = {"game": "tests.hostile.loaders", "train": "tests.hostile.train_loaders"}
#: A file that is made if code of a hostile file runs.
RAN = "ran"
#: The note on which file is being read.
NOTE = "reading"

_MOST_FAULTS = 5
_MOST_MEMORY = 2**20  # kilobytes that one input may add to the peak memory of the process


def main() -> None:
    """Run the command line."""
    group, folder, first, count, *only = sys.argv[1:]
    os.chdir(folder)
    Path(CODE).write_text(f"import pathlib\npathlib.Path({RAN!r}).touch()\n")
    warnings.simplefilter("ignore")
    for loader in importlib.import_module(GROUPS[group]).loaders():
        if not only or loader.name in only:
            print(json.dumps(_fed(loader, int(first), int(count))), flush=True)


def _fed(loader: Loader, first: int, count: int) -> dict[str, Any]:
    """Feed inputs to a loader; return the numbers of files read and refused, and the faults."""
    place = Path(loader.name).resolve()
    seeds = loader.seeds(place.parent)
    for seed in seeds:  # an unmutated file must load, or the rest proves nothing
        place.write_bytes(seed)
        loader.load(place)
    loaded = refused = 0
    slowest = 0.0
    faults: list[str] = []
    for number in range(first, first + count):
        rng = random.Random(f"{loader.name} {number}")
        data = loader.mutate(rng, rng.choice(seeds))
        place.write_bytes(data)
        Path(NOTE).write_text(f"{loader.name} {number}")
        memory, begun = _memory(), time.process_time()
        fault = None
        try:
            loader.load(place)
            loaded += 1
        except MascaradeError as error:
            refused += 1
            if not str(error):
                fault = "an error without words"
        except BaseException:
            fault = traceback.format_exc()
        slowest = max(slowest, time.process_time() - begun)
        if _memory() - memory > _MOST_MEMORY:
            fault = f"it took {(_memory() - memory) // 1024} MB"
        if Path(RAN).exists():
            Path(RAN).unlink()
            fault = "it ran code"
        if fault is not None:
            Path(f"fault-{number}-{loader.name}").write_bytes(data)
            faults.append(f"{loader.name} {number}: {fault}")
            if len(faults) == _MOST_FAULTS:
                break
    return {
        "loader": loader.name, "inputs": loaded + refused + len(faults), "loaded": loaded,
        "refused": refused, "slowest": round(slowest, 2), "faults": faults,
    }  # fmt: skip


def _memory() -> int:
    """Return the peak memory of this process so far, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
