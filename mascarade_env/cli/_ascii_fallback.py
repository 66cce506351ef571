"""An error handler for streams. It replaces letters that the stream's encoding does not have."""

import codecs

#: The name of the handler, for `reconfigure(errors=...)`.
PLAIN = "mascarade.plain"

# Marks that rich and tyro print. Each becomes one letter, so that columns keep their width.
_MARKS = {"\N{HORIZONTAL ELLIPSIS}": ".", "\N{BULLET}": "*"}


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement: a plain letter for each of `_MARKS`, an escape for other letters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_MARKS.get(letter) or ascii(letter)[1:-1] for letter in letters), error.end


codecs.register_error(PLAIN, _plain)
