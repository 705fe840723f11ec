"""Which nicknames are allowed, when two are the same. Knows nobody who bears one."""

import re
import string
import unicodedata
from enum import StrEnum
from typing import Final

from mokali import turkish

SHORTEST: Final = 2
LONGEST: Final = 16
RESERVED: Final = frozenset({"sistem", "mokali", "admin", "bot", "eskioyuncu", "findik", "ceviz", "badem", "kestane"})

_MARKS: Final = frozenset(" ._-")
_ALLOWED: Final = _MARKS.union(string.digits, string.ascii_letters, "ÇĞİÖŞÜÂÎÛ", "çğıöşüâîû")
_BARE: Final = str.maketrans("âîû", "aiu", " ._-")


class No(StrEnum):
    """Why a nickname is refused, in the order in which it is asked."""

    BAD_CHARACTER = "bad_character"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    BAD_MARK = "bad_mark"
    RESERVED = "reserved"


SENTENCES: Final[dict[No, str]] = {
    No.BAD_CHARACTER: "Bu adda kullanılamayan bir karakter var: yalnızca Türkçe harf (q, w ve x de"
    " olur), rakam, boşluk, nokta, alt çizgi ve tire kullan.",
    No.TOO_SHORT: f"Bu ad çok kısa: en az {SHORTEST} karakter yaz.",
    No.TOO_LONG: f"Bu ad çok uzun: en çok {LONGEST} karakter yaz.",
    No.BAD_MARK: "Boşluk, nokta, alt çizgi ve tire yalnızca iki harf ya da rakam arasında tek"
    " olarak durabilir: fazlasını sil.",
    No.RESERVED: "Bu ad siteye ayrılmış: başka bir ad yaz.",
}


class BadName(ValueError):
    """The text is no nickname; ``reason`` says why."""

    def __init__(self, reason: No) -> None:
        super().__init__(reason)
        self.reason: Final = reason


def clean(raw: str) -> str:
    """The nickname as it is kept: NFC, trimmed, inner spaces single (RL-8, SITE-6).

    Raises BadName, and nothing else, for a text that is no allowed nickname (RL-8, RL-10).
    Cleaning a kept name again changes nothing. Tabs and line breaks inside are refused.
    """
    name = re.sub(" +", " ", unicodedata.normalize("NFC", raw).strip())
    if reason := _objection(name):
        raise BadName(reason)
    return name


def key(name: str) -> str:
    """What is unique among nicknames: two names with one key are the same (RL-9)."""
    return turkish.fold(name)


def _objection(name: str) -> No | None:
    if not _ALLOWED.issuperset(name):
        return No.BAD_CHARACTER
    if len(name) < SHORTEST:
        return No.TOO_SHORT
    if len(name) > LONGEST:
        return No.TOO_LONG
    # a mark stands between two letters or digits, so pieces between marks are never empty
    if not all(re.split("[ ._-]", name)):
        return No.BAD_MARK
    # bare of marks and circumflexes, so that "B.o.t" and "Mokâli" deceive nobody (RL-10)
    if key(name).translate(_BARE) in RESERVED:
        return No.RESERVED
    return None
