"""What went wrong in the code of an agent, in one line."""

_LONGEST = 300  # characters of an error's message that are kept


def in_short(error: BaseException) -> str:
    """Return an error in one line; making its text may fail too."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:
        return kind
    text = f"{kind}: {text}" if text else kind
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
