"""Which lines may be said in the chat of a table (SITE-14): plain text that stays in its own row."""

import unicodedata
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 200
MARKS: Final = 2
"""So many accents may stand on one letter; more would run over other people's lines."""

_BLANK: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters that look like nothing."""
_JOINERS: Final = "\u200d\ufe0f"
"""What holds a picture of several signs together."""


class BadLine(ValueError):
    """The text is no line: ``empty`` or ``too_long``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean(raw: str) -> str:
    """The line as it is kept: NFC, in one row, without what can't be seen or turns the direction of reading.

    Raises BadLine, and nothing else.
    """
    line = " ".join("".join(_plain(unicodedata.normalize("NFC", raw))).split())
    if not line.strip(_JOINERS):
        raise BadLine("empty")
    if len(line) > LONGEST:
        raise BadLine("too_long")
    return line


def _plain(text: str) -> Iterator[str]:
    """The signs that can be seen, with no more accents on one than it can bear."""
    marks = 0
    for sign in text:
        kind = unicodedata.category(sign)
        if sign in _BLANK or (kind in ("Cc", "Cf", "Cs", "Co", "Cn") and not sign.isspace() and sign not in _JOINERS):
            continue
        if kind in ("Mn", "Me") and sign not in _JOINERS:
            marks += 1
        elif sign not in _JOINERS:
            marks = 0
        if marks <= MARKS:
            yield sign
