"""Policies from ONNX files, played by ONNX Runtime."""

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

_AGAIN = "write both anew by `mascarade export`"


class OnnxPolicy:
    """A network in an ONNX file, with its card beside it.

    Args:
        path: of the graph.

    Attributes:
        schema: of the observations that it reads.
        actions: how many action ids it knows.
        players: for how many players it tells who will win.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = file = Path(path)
        graph = _read(file)
        card = _card(card_path(file), file)
        try:
            if card["sha256"] != digest(graph):
                raise MascaradeError(
                    f"{str(file)!r} is damaged, or its card {str(card_path(file))!r} is that of "
                    f"another graph (sha256 differs): take another copy of both, or {_AGAIN}"
                )
            scenario = Scenario.from_dict(card["scenario"])
            self.schema = Schema(scenario, card["track"], padded=card["padded"])
        except (KeyError, TypeError) as error:
            raise MascaradeError(
                f"the card {str(card_path(file))!r} is incomplete ({error}): {_AGAIN}"
            ) from error
        with _damage_told(file):
            self._session = _session(graph)
        self.actions = action_count(self.schema)
        self.players = self.schema.seats
        with _damage_told(file):
            self._check_agreement(card, file)

    def scores(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return [k, A] the logarithms of chances; minus infinity where illegal."""
        found, _ = self._run(observation, mask)
        found[mask == 0] = -np.inf
        return found

    def wins(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return [k, players] how likely each wins, by seat: first who decides, then clockwise."""
        return self._run(observation, np.ones((len(observation), self.actions), np.int8))[1]

    def _run(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        shapes = (len(mask), self.schema.size), (len(mask), self.actions)
        if (observation.shape, mask.shape) != shapes:
            raise MascaradeError(
                f"this graph reads {self.schema!r} and masks of {self.actions} actions, not arrays "
                f"of shapes {observation.shape} and {mask.shape}"
            )
        given = {
            "observation": np.ascontiguousarray(observation, np.float32),
            "mask": np.ascontiguousarray(mask, np.int8),
        }
        with _damage_told(self._file):
            log_chances, wins = self._session.run(["log_chances", "wins"], given)
        if not (np.isfinite(log_chances).all() and np.isfinite(wins).all()):
            raise MascaradeError(
                f"what the graph says is not finite: the observation is not, or it is damaged: "
                f"{_AGAIN}"
            )
        return log_chances, wins

    def _check_agreement(self, card: Mapping[str, Any], file: Path) -> None:
        """Whether the graph is the one that the card tells of, and of this version's making."""
        about = self._session.get_modelmeta().custom_metadata_map
        if about.get(METADATA) != json.dumps({name: card[name] for name in IDENTITY}):
            raise MascaradeError(
                f"{str(file)!r} and its card {str(card_path(file))!r} do not belong together: find "
                f"the card that was written with it, or {_AGAIN}"
            )
        reads, says = self._session.get_inputs(), self._session.get_outputs()
        found = [(tensor.name, tensor.type, tensor.shape[1:]) for tensor in (*reads, *says)]
        wanted = [
            ("observation", "tensor(float)", [self.schema.size]),
            ("mask", "tensor(int8)", [self.actions]),
            ("log_chances", "tensor(float)", [self.actions]),
            ("wins", "tensor(float)", [self.players]),
        ]
        if found != wanted:
            raise MascaradeError(
                f"{str(file)!r} reads and says {found}, and by its card it should be {wanted}: "
                f"another version of mascarade-env made it, or it was changed; {_AGAIN}"
            )


def _read(file: Path) -> bytes:
    try:
        return read_bytes(file, MOST_BYTES)
    except OSError as error:
        raise MascaradeError(f"cannot read {str(file)!r}: {error.strerror}") from error


def _session(graph: bytes) -> Any:
    """Return a session of ONNX Runtime, with one thread: games are run side by side."""
    try:
        import onnxruntime  # noqa: PLC0415 (an extra)
    except ImportError as missing:
        raise MascaradeError(f"{NEEDS} ({missing})") from missing

    check_graph(graph)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what is wrong is raised, and need not be printed as well
    return onnxruntime.InferenceSession(
        graph, options, providers=["CPUExecutionProvider"], enable_fallback=0
    )


@contextlib.contextmanager
def _damage_told(file: Path) -> Iterator[None]:
    """Tell what ONNX Runtime finds wrong with a file; its errors have no base of their own."""
    try:
        yield
    except MascaradeError:
        raise
    except Exception as error:
        raise MascaradeError(
            f"{str(file)!r} is no whole ONNX file: {error}; take another copy, or {_AGAIN}"
        ) from error


def _card(card: Path, file: Path) -> Mapping[str, Any]:
    try:
        found = read_json(card)
    except OSError as error:
        raise MascaradeError(
            f"the card {str(card)!r} of {str(file)!r} cannot be read: {error.strerror}; it is "
            f"written beside the graph and moves with it: put it there, or {_AGAIN}"
        ) from error
    except ValueError as error:
        raise MascaradeError(f"the card {str(card)!r} is damaged: {error}; {_AGAIN}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise MascaradeError(
            f"{str(card)!r} is no card of a graph as this version writes them ({FORMAT}): {_AGAIN}"
        )
    return found
