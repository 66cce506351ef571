"""Write trained networks as ONNX files, for programs in other languages and for browsers."""

import json
import re
from pathlib import Path

from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making
from mascarade_train._onnx.card import card_of
from mascarade_train._onnx.graph import graph_of
from mascarade_train._policy_file import PolicyFile


def card_path(path: str | Path) -> Path:
    """Return the path of the card that belongs to an ONNX file."""
    return Path(path).with_suffix(".json")


def export(file: PolicyFile, path: str | Path) -> None:
    """Write a network as an ONNX file, and a card next to it that describes inputs and outputs.

    Args:
        file: the network.
        path: the ONNX file, which must end in `.onnx`. The card gets the ending `.json`.

    Raises:
        MascaradeError: the path has another ending, a file cannot be written, or the extra `onnx`
            is not installed.
    """
    if Path(path).suffix != ".onnx":
        raise MascaradeError(f"an ONNX file must end in .onnx, not {str(path)!r}")
    graph = graph_of(file).SerializeToString()
    lines = json.dumps(card_of(file, graph), indent=1, ensure_ascii=False) + "\n"
    # Put each list of numbers on one line. This is safe because JSON strings have no line breaks.
    card = re.sub(r"\[\n[^][{}\"]*\]", lambda row: " ".join(row[0].split()), lines)
    # Write both files before either replaces an earlier one, so that a full disk changes nothing.
    with making(card_path(path)) as card_beside, making(path) as graph_beside:
        card_beside.write_text(card, "utf-8")
        graph_beside.write_bytes(graph)
