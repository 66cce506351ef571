"""`mascarade export`: a trained network as an ONNX file, for bots of other frontends."""

import json as json_format
import shlex
from pathlib import Path

import tyro

from mascarade_env._errors import MascaradeError
from mascarade_env._files.strict_json import read_json
from mascarade_env.cli._outputs import check_outputs, make_folder
from mascarade_env.render._scene import printable
from mascarade_train._onnx.card import FORMAT
from mascarade_train._onnx.export import card_path
from mascarade_train._onnx.export import export as write
from mascarade_train._policy_file import NAME, PolicyFile
from mascarade_train._released import released_path

_RELEASED = "released:"
_OF_SB3 = "policy.zip"


def export(policy: tyro.conf.Positional[str], out: Path | None = None, json: bool = False) -> None:
    """Write a trained network as an ONNX file, and a card that tells how to use it.

    Example: mascarade export released:padded --out padded.onnx

    ONNX Runtime plays such files in many languages and in browsers. The card, in JSON, names every
    number of an observation and every action, and has an example to test a bot with.

    Args:
        policy: The folder of a run, a policy file (.npz), or a released network such as
            released:6A.
        out: The file for the graph (.onnx). By default it lies beside the policy file, or here if
            that is a released one. The card comes beside it, into a file of the same name that ends
            in .json.
        json: Print JSON.
    """
    source, default = _named(policy)
    file = PolicyFile.load(source)
    graph = default if out is None else out
    if graph.suffix != ".onnx":
        raise MascaradeError(f"--out is a file whose name ends in .onnx, not {str(graph)!r}")
    card = card_path(graph)
    check_outputs({"--out": graph, "the card, named after --out,": card}, [source])
    _check_replaceable(card)
    make_folder(graph)
    write(file, graph)
    schema = file.schema
    if json:
        figures = {
            "policy": policy,
            "scenario": schema.scenario.name,
            "track": schema.track,
            "padded": schema.padded,
            "output": str(graph),
            "card": str(card),
        }
        print(json_format.dumps(figures))
        return
    of = "padded, for every scenario" if schema.padded else f"for {schema.scenario.name}"
    print(printable(f"the network of {policy}, {of}, is in {graph}; how to use it is in {card}"))
    print(printable(f"it is an agent: onnx:{shlex.quote(str(graph))}"))


def _named(policy: str) -> tuple[Path, Path]:
    """The policy file that is meant, and where its graph lies by default."""
    if policy.startswith(_RELEASED):
        name = policy.removeprefix(_RELEASED)
        return released_path(name), Path(f"{name}.onnx")
    path = Path(policy)
    if path.is_dir():
        if (path / _OF_SB3).exists() and not (path / NAME).exists():
            raise MascaradeError(
                f"{policy!r} holds a policy of Stable-Baselines3, which only net:{policy} plays: "
                "to export one, train it by mascarade train"
            )
        path /= NAME
    return path, path.with_suffix(".onnx")


def _check_replaceable(card: Path) -> None:
    """Refuse to write over a file that is no such card, as that of a checkpoint beside a policy."""
    if not card.exists():
        return
    try:
        found = read_json(card)
    except (OSError, ValueError):
        found = None
    kind = FORMAT.partition(" ")[0]  # of whatever version
    if not isinstance(found, dict) or str(found.get("format")).partition(" ")[0] != kind:
        raise MascaradeError(
            f"the card would overwrite {str(card)!r}, which is something else: name another --out"
        )
