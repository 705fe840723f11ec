"""Which nicknames are kept, and which two are one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mokali.people import names
from mokali.people.names import BadName, No

LETTER = "[0-9A-Za-zÇĞİÖŞÜÂÎÛçğıöşüâîû]"
KEPT = re.compile(rf"(?=.{{2,16}}\Z){LETTER}+([ ._-]{LETTER}+)*\Z")

REFUSED = {
    "empty": ("", No.TOO_SHORT),
    "only spaces": ("   ", No.TOO_SHORT),
    "1 letter": ("A", No.TOO_SHORT),
    "1 letter in spaces": ("  A  ", No.TOO_SHORT),
    "17 letters": ("abcdefghijklmnopq", No.TOO_LONG),
    "direction override": ("Ali\u202eVeli", No.BAD_CHARACTER),
    "direction isolate": ("\u2066Ali", No.BAD_CHARACTER),
    "zero width space": ("Ali\u200bVeli", No.BAD_CHARACTER),
    "zero width joiner": ("Ali\u200d", No.BAD_CHARACTER),
    "byte order mark": ("\ufeffAli", No.BAD_CHARACTER),
    "soft hyphen": ("Ali\u00adVeli", No.BAD_CHARACTER),
    "Cyrillic А": ("\u0410li", No.BAD_CHARACTER),
    "full width": ("\uff21li", No.BAD_CHARACTER),
    "stacked accents": ("Ali" + "\u0301" * 8, No.BAD_CHARACTER),
    "a second dot": ("I\u0307\u0307nci", No.BAD_CHARACTER),
    "other accents": ("René", No.BAD_CHARACTER),
    "Arabic digits": ("Ali\u0663", No.BAD_CHARACTER),
    "emoji": ("Ali😀", No.BAD_CHARACTER),
    "emoji alone": ("😀", No.BAD_CHARACTER),
    "markup": ("<b>", No.BAD_CHARACTER),
    "quotation mark": ('Ali"', No.BAD_CHARACTER),
    "apostrophe": ("Ali'nin", No.BAD_CHARACTER),
    "tab": ("Ali\tVeli", No.BAD_CHARACTER),
    "newline": ("Ali\nVeli", No.BAD_CHARACTER),
    "no-break space": ("Ali\u00a0Veli", No.BAD_CHARACTER),
    "nul": ("Ali\0", No.BAD_CHARACTER),
    "lone surrogate": ("Ali\ud800", No.BAD_CHARACTER),
    "two dots": ("a..b", No.BAD_MARK),
    "two different marks": ("a_-b", No.BAD_MARK),
    "mark beside a space": ("Ali - Veli", No.BAD_MARK),
    "leading dot": (".Ali", No.BAD_MARK),
    "trailing dash": ("Ali-", No.BAD_MARK),
    "trailing mark and space": ("Ali_ ", No.BAD_MARK),
    "only marks": ("__", No.BAD_MARK),
}


def refusal(raw: str) -> No:
    with pytest.raises(BadName) as caught:
        names.clean(raw)
    return caught.value.reason


@pytest.mark.parametrize(("raw", "reason"), REFUSED.values(), ids=REFUSED)
def test_rl_8_refused(raw: str, reason: No) -> None:
    assert refusal(raw) == reason


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Ali", "Ali"),
        ("Su", "Su"),
        ("42", "42"),
        ("abcdefghijklmnop", "abcdefghijklmnop"),
        ("ÇĞİÖŞÜÂÎÛ", "ÇĞİÖŞÜÂÎÛ"),
        ("çğıöşüâîû", "çğıöşüâîû"),
        ("qwx QWX", "qwx QWX"),
        ("a.b_c-d e", "a.b_c-d e"),
        ("  Ali   Veli ", "Ali Veli"),
        ("Ali\r\n", "Ali"),
        ("a" + " " * 20 + "b", "a b"),
        ("I\u0307nci", "İnci"),
        ("S\u0327u\u0308kru\u0302", "Şükrû"),
    ],
)
def test_rl_8_kept(raw: str, kept: str) -> None:
    assert names.clean(raw) == kept


def test_rl_8_length_counts_the_kept_name() -> None:
    assert names.clean("  " + "s\u0327" * 16) == "ş" * 16
    assert refusal("s\u0327" * 17) == No.TOO_LONG
    assert refusal("I\u0307") == No.TOO_SHORT


NEARLY = st.text(alphabet="aBzıİîÛş09 ._-\t\u0307\u0327<А", max_size=20)
ANY = st.text(st.characters(exclude_categories=()))


def answer(raw: str) -> str | No:
    try:
        return names.clean(raw)
    except BadName as refused:
        return refused.reason


@given(ANY | NEARLY)
def test_rl_8_any_text_is_kept_by_the_rule_or_refused(raw: str) -> None:
    kept = answer(raw)
    if not isinstance(kept, No):
        assert KEPT.match(kept)
        assert names.clean(kept) == kept


@given(st.from_regex(rf"{LETTER}([ ._-]?{LETTER}){{1,7}}{LETTER}?", fullmatch=True))
def test_rl_8_every_name_of_the_rule_is_kept(name: str) -> None:
    assert answer(name) in (name, No.RESERVED)


@pytest.mark.parametrize("spelling", ["IŞIK", "ışık", "işik", "İŞİK", "I\u0307şık"])
def test_rl_9_spellings_share_one_key(spelling: str) -> None:
    assert names.key(names.clean(spelling)) == "işik"


def test_rl_9_marks_and_accents_keep_names_apart() -> None:
    different = ["Ali Can", "Alican", "Ali_Can", "Kamil", "Kâmil", "Ayse", "Ayşe"]
    assert len({names.key(name) for name in different}) == len(different)


@pytest.mark.parametrize("word", sorted(names.RESERVED))
def test_rl_10_each_reserved_word_is_refused(word: str) -> None:
    dotless = word.replace("i", "ı")
    for spelling in (word, word.upper(), word.title(), dotless, dotless.upper(), f" {word} "):
        assert refusal(spelling) == No.RESERVED
    for mark in " ._-":
        assert refusal(word[:2] + mark + word[2:]) == No.RESERVED


@pytest.mark.parametrize(
    "spelling",
    [
        *("Sistem", "SİSTEM", "sıstem", "Admîn", "ÂDMİN", "MOKALI", "Mokâli", "mo-ka-li", "B.o_t"),
        *("Eski oyuncu", "ESKİ  OYUNCU", "eski_oyuncu", "Eski.Oyuncu", "eski-oyuncu"),
        *("Eskî Oyuncû", "e.s.k.i oyuncu"),
    ],
)
def test_rl_10_no_spelling_gets_through(spelling: str) -> None:
    assert refusal(spelling) == No.RESERVED


@pytest.mark.parametrize("name", ["Botan", "Robot", "Admin 2", "Mokalı oyuncu", "Eski"])
def test_rl_10_longer_names_are_free(name: str) -> None:
    assert names.clean(name) == name


def test_every_reason_has_a_sentence() -> None:
    assert set(names.SENTENCES) == set(No)
    for sentence in names.SENTENCES.values():
        assert sentence.endswith(".")
        assert "!" not in sentence
