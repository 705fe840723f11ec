"""Which lines may be said in the chat of a table (SITE-14): plain text that stays in its own row."""

import re
import unicodedata
from typing import Final

LONGEST: Final = 200
MARKS: Final = 2
"""So many accents may stand on one letter; more would run over other people's lines."""

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
    line = " ".join("".join(filter(_seen, unicodedata.normalize("NFC", raw))).split())
    line = re.sub(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff]{3,}", lambda found: found[0][:MARKS], line)
    if not line.strip(_JOINERS):
        raise BadLine("empty")
    if len(line) > LONGEST:
        raise BadLine("too_long")
    return line


def _seen(sign: str) -> bool:
    return sign.isspace() or sign in _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn")
