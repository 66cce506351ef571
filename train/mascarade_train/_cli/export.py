"""`mascarade export`: write a trained network as an ONNX file, for bots in other programs."""

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
    """Write a trained network as an ONNX file, with a card that documents its inputs and outputs.

    Example: mascarade export released:padded --out padded.onnx

    ONNX Runtime runs these files in many languages and in browsers. The card is a JSON file. It
    describes every number of an observation and every action, and holds an example to test a bot
    with.

    Args:
        policy: Folder of a run, policy file (.npz), or released network such as released:6A.
        out: File for the network (.onnx), by default next to the policy file; for a released
            network, in the working folder. The card gets the same name with the ending .json.
        json: Print the result as JSON.
    """
    source, default = _source_and_default(policy)
    file = PolicyFile.load(source)
    graph = default if out is None else out
    if graph.suffix != ".onnx":
        raise MascaradeError(f"--out must end in .onnx, not {str(graph)!r}")
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
    of = "every scenario (padded)" if schema.padded else schema.scenario.name
    print(printable(f"Wrote the network {policy} for {of} to {graph}, and its card to {card}."))
    print(printable(f"It plays as the agent onnx:{shlex.quote(str(graph))}"))


def _source_and_default(policy: str) -> tuple[Path, Path]:
    """Return the policy file, and the default path of its ONNX file."""
    if policy.startswith(_RELEASED):
        name = policy.removeprefix(_RELEASED)
        return released_path(name), Path(f"{name}.onnx")
    path = Path(policy)
    if path.is_dir():
        if (path / _OF_SB3).exists() and not (path / NAME).exists():
            raise MascaradeError(
                f"{policy!r} holds a policy of Stable-Baselines3, which cannot be exported: play "
                f"it as net:{policy}, or train a network with `mascarade train`"
            )
        path /= NAME
    return path, path.with_suffix(".onnx")


def _check_replaceable(card: Path) -> None:
    """Check that the file does not exist, or is the card of an ONNX file, of any version."""
    if not card.exists():
        return
    try:
        content = read_json(card)
    except (OSError, ValueError):
        content = None
    kind = FORMAT.partition(" ")[0]  # without the number of its version
    if not isinstance(content, dict) or str(content.get("format")).partition(" ")[0] != kind:
        raise MascaradeError(
            f"the card would overwrite {str(card)!r}, which is not a card: choose another --out"
        )
