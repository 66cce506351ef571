"""Play networks from ONNX files with ONNX Runtime."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env._files.bounded import read_bytes
from mascarade_env._files.strict_json import read_json
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._schema import Schema
from mascarade_train._onnx.card import FORMAT, IDENTITY, digest
from mascarade_train._onnx.check import check_graph
from mascarade_train._onnx.export import card_path
from mascarade_train._onnx.graph import METADATA, NEEDS
from mascarade_train._policy_file import MOST_BYTES, action_count

_AGAIN = "write both files again with `mascarade export`"


class OnnxPolicy:
    """A network in an ONNX file, with its card next to it.

    Args:
        path: the ONNX file.

    Attributes:
        schema: the layout of the observations that it reads.
        actions: A, the number of action ids.
        players: the number of players whose win probabilities it predicts.

    Raises:
        MascaradeError: a file is missing or damaged, the two do not belong together, or the extra
            `onnx` is not installed.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = file = Path(path)
        graph = _read(file)
        card = _card(card_path(file), file)
        try:
            if card["sha256"] != digest(graph):
                raise MascaradeError(
                    f"{str(file)!r} is damaged, or its card {str(card_path(file))!r} belongs to "
                    f"another file (sha256 differs): get another copy of both, or {_AGAIN}"
                )
            scenario = Scenario.from_dict(card["scenario"])
            self.schema = Schema(scenario, card["track"], padded=card["padded"])
        except (KeyError, TypeError) as error:
            raise MascaradeError(
                f"the card {str(card_path(file))!r} is incomplete ({error}): {_AGAIN}"
            ) from error
        with _reporting_damage(file):
            self._session = _session(graph)
        self.actions = action_count(self.schema)
        self.players = self.schema.seats
        with _reporting_damage(file):
            self._check_agreement(card, file)

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return log-probabilities, [k, A]; -inf for illegal actions.

        Args:
            observation: [k, D] observations.
            mask: [k, A] action masks.

        Raises:
            MascaradeError: a shape is wrong, or the output is not finite.
        """
        scores, _ = self._run(observation, mask)
        scores[mask == 0] = -np.inf
        return scores

    def wins(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return win probabilities by seat, the acting player first, clockwise, [k, players]."""
        return self._run(observation, np.ones((len(observation), self.actions), np.int8))[1]

    def _run(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        shapes = (len(mask), self.schema.size), (len(mask), self.actions)
        if (observation.shape, mask.shape) != shapes:
            raise MascaradeError(
                f"this graph reads {self.schema!r} and masks of {self.actions} actions, not arrays "
                f"of shapes {observation.shape} and {mask.shape}: make them with the scenario, "
                "track and padding of its card"
            )
        inputs = {
            "observation": np.ascontiguousarray(observation, np.float32),
            "mask": np.ascontiguousarray(mask, np.int8),
        }
        with _reporting_damage(self._file):
            log_chances, wins = self._session.run(["log_chances", "wins"], inputs)
        if not (np.isfinite(log_chances).all() and np.isfinite(wins).all()):
            raise MascaradeError(
                "the output of the graph is not finite: check that the observation is finite; if "
                f"it is, the file is damaged: {_AGAIN}"
            )
        return log_chances, wins

    def _check_agreement(self, card: Mapping[str, Any], file: Path) -> None:
        """Check that the graph belongs to its card, and has the required inputs and outputs."""
        about = self._session.get_modelmeta().custom_metadata_map
        if about.get(METADATA) != json.dumps({name: card[name] for name in IDENTITY}):
            raise MascaradeError(
                f"{str(file)!r} and its card {str(card_path(file))!r} do not belong together: use "
                f"the card that was written with it, or {_AGAIN}"
            )
        tensors = (*self._session.get_inputs(), *self._session.get_outputs())
        actual = [(tensor.name, tensor.type, tensor.shape[1:]) for tensor in tensors]
        expected = [
            ("observation", "tensor(float)", [self.schema.size]),
            ("mask", "tensor(int8)", [self.actions]),
            ("log_chances", "tensor(float)", [self.actions]),
            ("wins", "tensor(float)", [self.players]),
        ]
        if actual != expected:
            raise MascaradeError(
                f"{str(file)!r} has the inputs and outputs {actual}, but its card requires "
                f"{expected}: another version of mascarade-env wrote it, or it was changed; "
                f"{_AGAIN}"
            )


def _read(file: Path) -> bytes:
    try:
        return read_bytes(file, MOST_BYTES)
    except OSError as error:
        raise MascaradeError(
            f"cannot read {str(file)!r}: {error.strerror}; check the path"
        ) from error


def _session(graph: bytes) -> Any:
    """Return a session of ONNX Runtime with one thread, because games run in many processes."""
    try:
        import onnxruntime  # noqa: PLC0415 (an extra)
    except ImportError as missing:
        raise MascaradeError(f"{NEEDS} ({missing})") from missing

    check_graph(graph)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised, so they need not be printed too
    return onnxruntime.InferenceSession(
        graph, options, providers=["CPUExecutionProvider"], enable_fallback=0
    )


@contextlib.contextmanager
def _reporting_damage(file: Path) -> Iterator[None]:
    """Raise all errors of ONNX Runtime as `MascaradeError`."""
    try:
        yield
    except MascaradeError:
        raise
    except Exception as error:
        raise MascaradeError(
            f"{str(file)!r} is not a valid ONNX file: {error}; get another copy, or {_AGAIN}"
        ) from error


def _card(card: Path, file: Path) -> Mapping[str, Any]:
    try:
        content = read_json(card)
    except OSError as error:
        raise MascaradeError(
            f"the card {str(card)!r} of {str(file)!r} cannot be read: {error.strerror}; keep both "
            f"files in one folder, or {_AGAIN}"
        ) from error
    except ValueError as error:
        raise MascaradeError(f"the card {str(card)!r} is damaged: {error}; {_AGAIN}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise MascaradeError(
            f"{str(card)!r} is not a card that this version reads ({FORMAT}): {_AGAIN}"
        )
    return content
