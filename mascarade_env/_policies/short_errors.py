"""Errors in the code of an agent, in one line."""

from collections.abc import Iterator
from contextlib import contextmanager

from mascarade_env._errors import MascaradeError

_LONGEST = 300  # largest number of characters of an error in a message


def in_short(error: BaseException) -> str:
    """Return an error as one line of text, even if `str(error)` fails."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:
        return kind
    text = f"{kind}: {text}" if text else kind
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


@contextmanager
def faults_of(who: str) -> Iterator[None]:
    """Raise every error in the code of an agent as a MascaradeError that names the agent.

    Args:
        who: names the agent, such as "opponent 'stopper'".

    Raises:
        MascaradeError: the code raised an error or SystemExit. A KeyboardInterrupt is not changed.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise MascaradeError(f"{who} failed: {in_short(error)}") from error
