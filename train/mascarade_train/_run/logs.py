"""The logs of a run: a line of JSON for each evaluation, TensorBoard curves for each update."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._files.bounded import read_bytes
from mascarade_env._files.strict_json import parse_json
from mascarade_train._run.examination import Examined

#: The file of evaluations in the folder of a run.
NAME = "log.jsonl"
#: Limit on the size of a log that is read.
MOST_BYTES = 2**28


class Log:
    """Writes the logs in the folder of a run.

    Args:
        run: the folder; new lines are appended to an existing log.
        decisions: learned decisions so far.

    Raises:
        MascaradeError: the folder cannot be written, or the log in it cannot be read.
    """

    def __init__(self, run: Path, decisions: int = 0) -> None:
        self._run = run
        self._hook = threading.excepthook
        threading.excepthook = _without_curves(self._hook)
        with self._writing():
            self._last = _last_decisions(run / NAME)
            self._lines = (run / NAME).open("a", encoding="utf-8")
            # Hide points that are later than the resumed checkpoint, because they are logged again.
            self._curves = SummaryWriter(str(run), purge_step=decisions + 1)

    def learned(
        self,
        decisions: int,
        seconds: float,
        update: Mapping[str, float],
        conduct: Mapping[str, float],
    ) -> None:
        """Log an update.

        Args:
            decisions: learned decisions so far.
            seconds: time of learning so far.
            update: means over the minibatches of the update.
            conduct: measures of play, by name.
        """
        self._draw("learning", update, decisions)
        self._draw("conduct", conduct, decisions)
        self._draw("learning", {"decisions a second": decisions / seconds}, decisions)

    def league(self, decisions: int, standing: Mapping[str, float]) -> None:
        """Log the learner's win share by opponent in the league, divided by the fair share."""
        self._draw("league", standing, decisions)

    def examined(self, decisions: int, seconds: float, scores: Examined) -> None:
        """Log an evaluation, unless an interrupted run has logged it already."""
        if decisions == self._last:
            return
        self._last = decisions
        line: dict[str, Any] = {"decisions": decisions, "seconds": round(seconds, 2)}
        if scores.nash_conv is not None:
            line["nash_conv"] = scores.nash_conv
            self._draw("examined", {"NashConv": scores.nash_conv}, decisions)
        for kind, shares in (("alone", scores.alone), ("against", scores.against)):
            if shares:
                line[kind] = {name: asdict(share) for name, share in shares.items()}
            means = {name: share.mean for name, share in shares.items()}
            self._draw(f"examined {kind}", means, decisions)
        with self._writing():
            self._lines.write(json.dumps(line) + "\n")
            self._lines.flush()

    def close(self) -> None:
        """Close the files."""
        with self._writing():
            self._lines.close()
            self._curves.close()
        threading.excepthook = self._hook

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise MascaradeError(
                f"cannot write the log in {str(self._run)!r}: {error.strerror or error}; check its "
                "permissions and the free space"
            ) from error

    def _draw(self, group: str, figures: Mapping[str, float], decisions: int) -> None:
        with self._writing():
            for name, value in figures.items():
                self._curves.add_scalar(f"{group}/{name}", value, decisions)


def _without_curves(hook: Callable[[threading.ExceptHookArgs], Any]) -> Callable[..., None]:
    """Return a hook that hides TensorBoard's file errors in its thread.

    `_draw` raises these errors in the main thread.
    """

    def quiet(raised: threading.ExceptHookArgs) -> None:
        of_curves = type(raised.thread).__module__.startswith("tensorboard")
        if not (of_curves and issubclass(raised.exc_type, OSError)):
            hook(raised)

    return quiet


def _last_decisions(file: Path) -> int | None:
    """Return the decision count of the last evaluation in a log; remove an incomplete last line."""
    if not file.exists():
        return None
    try:
        text = read_bytes(file, MOST_BYTES)
    except OSError as error:
        raise MascaradeError(
            f"cannot read {str(file)!r}: {error.strerror}; check its permissions, or remove it"
        ) from error
    lines = text[: text.rfind(b"\n") + 1]
    if lines != text:
        os.truncate(file, len(lines))
    try:
        return (
            whole(parse_json(lines.splitlines()[-1])["decisions"], "decisions") if lines else None
        )
    except (ValueError, KeyError, TypeError) as error:
        raise MascaradeError(
            f"the last line of {str(file)!r} was not written by training: remove this line"
        ) from error
