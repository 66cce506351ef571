"""Errors in the code of an agent, in one line."""

_LONGEST = 300  # most characters of an error in a message


def in_short(error: BaseException) -> str:
    """Return an error in one line, even if its own `str` fails."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:
        return kind
    text = f"{kind}: {text}" if text else kind
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
