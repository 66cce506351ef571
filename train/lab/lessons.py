"""`python -m lab lessons`: run the lessons in notebooks/ and store the outputs of their cells.

A lesson is stored with its outputs, so that web pages show its pictures. This module keeps the
outputs small and up to date, and removes parts that differ between runs:

- `run` executes a lesson in a new kernel. Charts become SVG.
- `tidy` returns a lesson without times, paths and execution counts. It also writes the two cells
  that contain the address of the project: the badges, and the installation of packages.
- `faults` finds outputs that are too large, or older than the code. It does not run any code.

Cells with the tag `volatile` show figures that differ between machines. Tests run the lessons and
compare the outputs of all other cells with the stored ones. The outputs of cells with the tag
`progress` are not stored.
"""

import hashlib
import json
import os
import re
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import tyro

from lab.paths import ROOT
from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making

FOLDER = ROOT / "notebooks"
MOST_BYTES = 300_000  # of one lesson
MOST_BYTES_TOGETHER = 1_500_000
VOLATILE = "volatile"
PROGRESS = "progress"

#: An empty cell for the reader's solution of an exercise.
ANSWER = "# your answer"

_SECONDS = 3600  # for one cell

# Matplotlib writes the same bytes for the same chart, and text as text, which keeps files small.
_KERNEL_ARGUMENTS = [
    "--InlineBackend.figure_formats={'svg'}",
    "--InlineBackend.rc={'svg.fonttype': 'none', 'svg.hashsalt': 'mascarade'}",
    "--InlineBackend.print_figure_kwargs="
    "{'bbox_inches': 'tight', 'metadata': {'Date': None, 'Creator': None}}",
]
_COLUMNS = "88"  # width of tables, so that they fit next to the navigation of a page

# An output may have several forms. The first one in this list is kept. HTML is not in the list,
# because web viewers remove its styles.
_KINDS = ("image/svg+xml", "image/png", "text/plain")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATH = re.compile(r'\bd="[^"]*"')
_DIGITS = re.compile(r"(\.\d\d)\d+")  # further digits are smaller than a pixel
_FONTS = re.compile(r"(?<='DejaVu Sans')(?:, '?[\w ]+'?)*, sans-serif")
_PLACES = re.compile(r"(?:/home|/root|/tmp|/Users|/var/folders)/\S+|\b[A-Z]:\\\S+")


class Needs(NamedTuple):
    """The needs of a lesson: an extra of the package, and modules to look for."""

    extra: str = ""
    modules: tuple[str, ...] = ()


NEEDS = {
    "01_tour": Needs(),
    "02_beliefs": Needs(),
    "03_arena": Needs(),
    "04_self_play_sb3": Needs("train,plot", ("sb3_contrib", "torch", "matplotlib")),
    "05_exploitability": Needs("plot", ("matplotlib",)),
    "06_train_ppo": Needs("train,plot", ("tensorboard", "torch", "matplotlib")),
    "07_masks": Needs("train,plot", ("torch", "matplotlib")),
}


def lessons(
    files: Annotated[tuple[Path, ...], tyro.conf.Positional] = (),
    check: bool = False,
    tidy_only: bool = False,
) -> None:
    """Run lessons in a new kernel and store the outputs of their cells.

    Example: python -m lab lessons notebooks/01_tour.ipynb

    Args:
        files: Lessons to run; all lessons by default.
        check: Run no code; fail if stored outputs are not tidy, too large or out of date.
        tidy_only: Run no code; remove times, paths and counts, and rewrite badges.

    Raises:
        MascaradeError: a cell raises an error, or `--check` finds faults.
    """
    paths = files or tuple(all_lessons())
    for path in paths:
        if path.suffix != ".ipynb" or not path.exists():
            raise MascaradeError(f"{path} is not a notebook: name files such as 01_tour.ipynb")
    if check:
        found = [fault for path in paths for fault in faults(path)]
        found += [] if files else _faults_together()
        if found:
            raise MascaradeError("\n".join(found))
        return
    for path in paths:
        start = time.perf_counter()
        notebook = read(path)
        write(path, tidy(notebook if tidy_only else run(notebook), path.stem))
        took = "" if tidy_only else f", {time.perf_counter() - start:.0f} s"
        print(f"{path.name}: {path.stat().st_size:,} bytes{took}", flush=True)


def all_lessons() -> list[Path]:
    """Return the files of all lessons, in order."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """Return a notebook as JSON types. The source of a cell is one string, not a list of lines."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def write(path: Path, notebook: dict[str, Any]) -> None:
    """Write a notebook that `tidy` returned."""
    with making(path) as beside:
        beside.write_text(as_text(notebook), "utf-8")


def as_text(notebook: dict[str, Any]) -> str:
    """Return a notebook as the JSON text that Jupyter writes, with sources as lists of lines."""
    cells = [
        {**cell, "source": cell["source"].splitlines(keepends=True)} for cell in notebook["cells"]
    ]
    return (
        json.dumps({**notebook, "cells": cells}, indent=1, ensure_ascii=False, sort_keys=True)
        + "\n"
    )


def run(notebook: dict[str, Any], *, short: bool = False) -> dict[str, Any]:
    """Execute all cells in a new kernel and an empty folder; return the notebook with outputs.

    Args:
        notebook: a lesson.
        short: train and play for a short time only. The figures of the lesson are then meaningless.

    Raises:
        MascaradeError: a cell raises an error.
    """
    import nbformat  # noqa: PLC0415  only this function needs it, and `nbclient`
    from nbclient import NotebookClient  # noqa: PLC0415
    from nbclient.exceptions import CellExecutionError  # noqa: PLC0415

    from_dict: Any = nbformat.from_dict  # has no annotations
    executed = from_dict(notebook)
    environment = {**os.environ, "JUPYTER_COLUMNS": _COLUMNS, "NO_COLOR": "1"}
    environment.pop("MASCARADE_SHORT", None)
    if short:
        environment["MASCARADE_SHORT"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            executed,
            timeout=_SECONDS,
            startup_timeout=600,
            extra_arguments=_KERNEL_ARGUMENTS,
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute(env=environment)
        except CellExecutionError as error:
            text = _ESCAPES.sub("", str(error))
            raise MascaradeError(f"a cell of a lesson failed:\n{text}") from error
    executed.metadata["mascarade"] = {"code": code_digest(executed)}
    result: dict[str, Any] = json.loads(json.dumps(executed))
    return result


def code_digest(notebook: dict[str, Any]) -> str:
    """Return a digest of the code of all cells except the generated one."""
    sources = [
        cell["source"]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and cell["id"] != "install"
    ]
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()[:16]


def tidy(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a lesson without parts that differ between runs, and with current generated cells.

    Args:
        notebook: a lesson.
        name: the name of its file, without `.ipynb`.
    """
    generated = {"badges": badges(name), "install": install(name)}
    return {
        "cells": [_tidy_cell(cell, generated) for cell in notebook["cells"]],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "mascarade": notebook["metadata"].get("mascarade", {}),
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _tidy_cell(cell: dict[str, Any], generated: dict[str, str]) -> dict[str, Any]:
    tags = cell["metadata"].get("tags", [])
    clean = {
        "cell_type": cell["cell_type"],
        "id": cell["id"],
        "metadata": {"tags": tags} if tags else {},
        "source": generated.get(cell["id"], cell["source"]),
    }
    if cell["cell_type"] == "code":
        outputs = [] if PROGRESS in tags else list(_tidy_outputs(cell["outputs"]))
        clean |= {"execution_count": None, "outputs": outputs}
    return clean


def _tidy_outputs(outputs: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the outputs to store: printed text in one piece, and one form of each result."""
    printed = ""
    for output in outputs:
        if output["output_type"] == "stream":
            # Warnings and progress are in the other stream, stderr.
            printed += "".join(output["text"]) if output["name"] == "stdout" else ""
            continue
        data = output.get("data", {})
        kind = next((kind for kind in _KINDS if kind in data), "")
        text = "".join(data.get(kind, ()))
        if output["output_type"] == "display_data" and kind == "text/plain":  # printed by rich
            printed += text if text.endswith("\n") else f"{text}\n"
            continue
        if printed:
            yield _stream(printed)
            printed = ""
        if output["output_type"] == "error":
            yield output
        elif kind:
            yield _result(output["output_type"], kind, text)
    if printed:
        yield _stream(printed)


def _result(output_type: str, kind: str, text: str) -> dict[str, Any]:
    final = _final(text) if kind == "text/plain" else text.strip()
    if kind == "image/svg+xml":
        final = _smaller(final)
    count = {"execution_count": None} if output_type == "execute_result" else {}
    data = {kind: final.splitlines(keepends=True)}
    return {"output_type": output_type, "metadata": {}, "data": data, **count}


def _smaller(svg: str) -> str:
    """Return a smaller SVG that looks the same, without indentation, comments and extra digits."""
    svg = _PATH.sub(lambda path: _DIGITS.sub(r"\1", " ".join(path[0].split())), svg)
    svg = _FONTS.sub(", sans-serif", re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL))
    return "\n".join(filter(None, map(str.strip, svg.splitlines())))


def _stream(text: str) -> dict[str, Any]:
    lines = _final(text).splitlines(keepends=True)
    return {"output_type": "stream", "name": "stdout", "text": lines}


def _final(text: str) -> str:
    """Return a text as a terminal shows it after all overwriting, without colours."""
    lines = _ESCAPES.sub("", text).split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2].rstrip() for line in lines)


@cache
def _source() -> str:
    """Return the address of the repository from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["urls"]["Source"])


def badges(name: str) -> str:
    """Return the text of the cell with links to Colab and to GitHub."""
    place = f"blob/main/notebooks/{name}.ipynb"
    colab = _source().replace("https://github.com", "https://colab.research.google.com/github")
    return (
        "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
        f"({colab}/{place})\n"
        "[![View on GitHub](https://img.shields.io/badge/GitHub-view_this_lesson-24292f?logo=github)]"
        f"({_source()}/{place})"
    )


def install(name: str) -> str:
    """Return the code of the cell that installs missing packages.

    It installs from an archive of the sources, because laptops in a class often do not have git.
    """
    needs = NEEDS[name]
    names = ", ".join(f'"{module}"' for module in ("mascarade_env", *needs.modules))
    missing = f"not all(find_spec(name) for name in ({names}))"
    if not needs.modules:
        missing = 'find_spec("mascarade_env") is None'
    package = f"mascarade-env[{needs.extra}]" if needs.extra else "mascarade-env"
    return (
        "# Install what this lesson needs. If everything is there, this cell does nothing.\n"
        "from importlib.util import find_spec\n"
        "\n"
        f"if {missing}:\n"
        f'    %pip install --quiet "{package} @ {_source()}/archive/refs/heads/main.zip"'
    )


def faults(path: Path) -> Iterator[str]:
    """Yield each fault of the stored outputs of a lesson, with a remedy."""
    notebook = read(path)
    name = f"notebooks/{path.name}"
    if as_text(tidy(notebook, path.stem)) != path.read_text("utf-8"):
        yield f"{name} is not tidy: run `python -m lab lessons --tidy-only {name}`"
    if notebook["metadata"].get("mascarade", {}).get("code") != code_digest(notebook):
        yield f"the code of {name} has changed since it was run: run `python -m lab lessons {name}`"
    size = path.stat().st_size
    if size > MOST_BYTES:
        yield (
            f"{name} has {size:,} bytes, and the limit is {MOST_BYTES:,}: show less, or smaller "
            "charts"
        )
    for number, cell in enumerate(notebook["cells"], start=1):
        for output in cell.get("outputs", ()):
            if output["output_type"] == "error":
                yield f"{name}, cell {number}, shows an error: correct the cell and run the lesson"
            if place := _PLACES.search(text_of(output)):
                yield f"{name}, cell {number}, shows a path of one machine: remove {place[0]}"


def text_of(output: dict[str, Any]) -> str:
    """Return the text of an output; "" for a picture."""
    return "".join(output.get("text", ()) or output.get("data", {}).get("text/plain", ()))


def _faults_together() -> list[str]:
    size = sum(path.stat().st_size for path in all_lessons())
    if size <= MOST_BYTES_TOGETHER:
        return []
    return [
        f"all lessons together have {size:,} bytes, and the limit is {MOST_BYTES_TOGETHER:,}: show "
        "less"
    ]
