"""An error handler that replaces letters that the encoding of a stream lacks."""

import codecs

#: The name of the handler, for `reconfigure(errors=...)`.
PLAIN = "mascarade.plain"

# Marks that rich and tyro put into text, each as one letter, so that columns keep their width.
_MARKS = {"\N{HORIZONTAL ELLIPSIS}": ".", "\N{BULLET}": "*"}


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace marks by plain ones, and other letters by their escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_MARKS.get(letter) or ascii(letter)[1:-1] for letter in letters), error.end


codecs.register_error(PLAIN, _plain)
