"""Trained networks as ONNX files, for programs in other languages and for browsers."""

import json
import re
from pathlib import Path

from mascarade_env._errors import MascaradeError
from mascarade_env.exact._files import making
from mascarade_train._onnx.card import card_of
from mascarade_train._onnx.graph import graph_of
from mascarade_train._policy_file import PolicyFile


def card_path(path: str | Path) -> Path:
    """Return where the card of a graph lies."""
    return Path(path).with_suffix(".json")


def export(file: PolicyFile, path: str | Path) -> None:
    """Write a network as an ONNX graph, and a card beside it that tells how to use it.

    Args:
        file: the network.
        path: of the graph; its name ends in `.onnx`, that of the card in `.json`.
    """
    if Path(path).suffix != ".onnx":
        raise MascaradeError(f"the name of a graph ends in .onnx, not {str(path)!r}")
    graph = graph_of(file).SerializeToString()
    lines = json.dumps(card_of(file, graph), indent=1, ensure_ascii=False) + "\n"
    # A list of numbers is put in one line; no word of JSON has the end of a line in it.
    card = re.sub(r"\[\n[^][{}\"]*\]", lambda row: " ".join(row[0].split()), lines)
    # Neither takes its place before both are written: on a full disk the earlier ones stay.
    with making(card_path(path)) as card_beside, making(path) as graph_beside:
        card_beside.write_text(card, "utf-8")
        graph_beside.write_bytes(graph)
