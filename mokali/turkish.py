"""Turkish casing and folding (İ/i, I/ı), sorting, suffixes (Ayşe'nin, Ali'ye).

Takes any text; knows no rule about which names are allowed.
"""

import re
import unicodedata
from typing import Final

_ALPHABET: Final = "abcçdefgğhıijklmnoöpqrsştuüvwxyz"
_ORDER: Final = " .,_-'0123456789" + _ALPHABET
_PLAIN: Final = str.maketrans("âîû", "aiu")

_CLOSE: Final = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_VOICELESS: Final = frozenset("fstkçşhp")
# A thin l or t of Arabic origin wants front vowels, whatever the last vowel: Kemal'in, but Ünal'ın.
_THIN: Final = frozenset(
    {"bilal", "celal", "cemal", "hilal", "iclal", "ikbal", "kemal", "meral", "nihal", "resul"}
    | {"zuhal", "zühal", "melahat", "nebahat", "nezahat", "sabahat"}
)

_UNITS: Final = ("", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz")
_TENS: Final = ("", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan")
_SCALES: Final = ("bin", "milyon", "milyar", "trilyon", "katrilyon", "kentilyon")
_NUMBER: Final = re.compile(r"([1-9][0-9]{0,2}(\.[0-9]{3})+|[0-9]+)$")


def fold(text: str) -> str:
    """The key under which two spellings of ``text`` are one (RL-9, SITE-6).

    I, İ, ı, i and i with a combining dot are all i; otherwise case does not count, but accents do.
    The key is in NFC, and folding it again changes nothing.

    >>> fold("IŞIK") == fold("ışık") == fold("işik") == "işik"
    True
    """
    # casefold turns İ into i and a combining dot, and leaves ı alone
    return _nfc(re.sub("[iı]\u0307*", "i", _nfc(text).casefold()))


def lower(text: str) -> str:
    """``text`` in small letters: İ to i (also where its dot is a combining one), I to ı."""
    return _nfc(text).replace("İ", "i").replace("I", "ı").lower()


def upper(text: str) -> str:
    """``text`` in capitals: i to İ, ı to I."""
    return _nfc(text).replace("i", "İ").upper()


def capital(text: str) -> str:
    """``text`` with its first letter as a capital; the rest keeps its case."""
    text = _nfc(text)
    return upper(text[:1]) + text[1:]


def sort_key(text: str) -> tuple[tuple[int, ...], str, str]:
    """What to sort names by: the Turkish alphabet, with q behind p, and w and x behind v.

    Marks and digits stand before letters, anything else behind them. Circumflexes, then capitals,
    count only where nothing else differs.

    >>> sorted(["Zeki", "Çınar", "Cem", "Işıl", "İnci", "Hale"], key=sort_key)
    ['Cem', 'Çınar', 'Hale', 'Işıl', 'İnci', 'Zeki']
    """
    small = lower(text)
    return tuple(_place(letter) for letter in small.translate(_PLAIN)), small, text


def _place(letter: str) -> int:
    place = _ORDER.find(letter)
    return place if place >= 0 else len(_ORDER) + ord(letter)


def genitive(name: str) -> str:
    """Of ``name``: Ayşe'nin, Umut'un.

    Here and in the other cases digits at the end are read as a number (40'ın), a last word without
    a vowel letter by letter (BTK'nin), and marks at the end are not read. Never fails.
    """
    spoken = _spoken(name)
    return f"{name}'{'n' if _ends_open(spoken) else ''}{_close(spoken)}n"


def dative(name: str) -> str:
    """To ``name``: Ali'ye, Umut'a, 40'a."""
    spoken = _spoken(name)
    return f"{name}'{'y' if _ends_open(spoken) else ''}{_wide(spoken)}"


def accusative(name: str) -> str:
    """``name`` as the object: Ali'yi, Umut'u, 51'i."""
    spoken = _spoken(name)
    return f"{name}'{'y' if _ends_open(spoken) else ''}{_close(spoken)}"


def locative(name: str) -> str:
    """At ``name``: Ayşe'de, Umut'ta."""
    spoken = _spoken(name)
    return f"{name}'{'t' if spoken[-1] in _VOICELESS else 'd'}{_wide(spoken)}"


def ablative(name: str) -> str:
    """From ``name``: Ayşe'den, Umut'tan."""
    return locative(name) + "n"


def _spoken(name: str) -> str:
    """How the end of ``name`` is said, as far as suffixes care; has a vowel."""
    end = re.sub(r"[\W_]+$", "", lower(name))
    if number := _NUMBER.search(end):
        return _number(number[0].replace(".", ""))
    words = re.findall(r"[^\W\d_]+", end)
    word: str = words[-1] if words else ""
    plain = word.translate(_PLAIN)
    if not any(letter in _CLOSE for letter in plain):
        return {"q": "kü", "x": "iks"}.get(plain[-1:], plain[-1:] + "e")
    if fold(word) in _THIN or word.endswith(("âl", "ûl")):
        return plain.translate({ord("a"): "e", ord("u"): "ü"})
    return plain


def _number(digits: str) -> str:
    """The last word of a number: 151 ends in bir, 40 in kırk, 2000 in bin."""
    core = digits.rstrip("0")
    zeros = len(digits) - len(core)
    if not core:
        return "sıfır"
    if zeros < 2:
        return (_UNITS, _TENS)[zeros][int(core[-1])]
    return "yüz" if zeros == 2 else _SCALES[min(zeros // 3, len(_SCALES)) - 1]


def _ends_open(spoken: str) -> bool:
    return spoken[-1] in _CLOSE


def _close(spoken: str) -> str:
    """ı, i, u or ü, in harmony with the last vowel."""
    return next(_CLOSE[letter] for letter in reversed(spoken) if letter in _CLOSE)


def _wide(spoken: str) -> str:
    """a or e, in harmony with the last vowel."""
    return "a" if _close(spoken) in "ıu" else "e"


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
