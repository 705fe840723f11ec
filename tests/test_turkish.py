"""Turkish casing, folding, sorting and suffixes."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mokali import turkish

CASES = (
    turkish.genitive,
    turkish.dative,
    turkish.accusative,
    turkish.locative,
    turkish.ablative,
)

# each name, then its suffix in the order of CASES
NAMES = """
Ayşe      nin ye yi de den
Ali       nin ye yi de den
İnci      nin ye yi de den
Tuğçe     nin ye yi de den
Mustafa   nın ya yı da dan
Fatma     nın ya yı da dan
Sıla      nın ya yı da dan
Çağrı     nın ya yı da dan
Hakkı     nın ya yı da dan
Kutlu     nun ya yu da dan
Ebru      nun ya yu da dan
Memo      nun ya yu da dan
Ülkü      nün ye yü de den
Bengü     nün ye yü de den
Can       ın  a  ı  da dan
Ünal      ın  a  ı  da dan
Aydın     ın  a  ı  da dan
Oğuz      un  a  u  da dan
Birol     un  a  u  da dan
Yağmur    un  a  u  da dan
Deniz     in  e  i  de den
İbrahim   in  e  i  de den
Ömer      in  e  i  de den
Gül       ün  e  ü  de den
Özgür     ün  e  ü  de den
Murat     ın  a  ı  ta tan
Burak     ın  a  ı  ta tan
Işık      ın  a  ı  ta tan
Barış     ın  a  ı  ta tan
İlyas     ın  a  ı  ta tan
Umut      un  a  u  ta tan
Yusuf     un  a  u  ta tan
Nuh       un  a  u  ta tan
Ahmet     in  e  i  te ten
Zeynep    in  e  i  te ten
Sevinç    in  e  i  te ten
Göktürk   ün  e  ü  te ten
Nâzım     ın  a  ı  da dan
Leylâ     nın ya yı da dan
Hilal     in  e  i  de den
"""

# the same, read as a number: sıfır, bir, iki …
NUMBERS = """
0         ın  a  ı  da dan
1         in  e  i  de den
2         nin ye yi de den
3         ün  e  ü  te ten
4         ün  e  ü  te ten
5         in  e  i  te ten
6         nın ya yı da dan
7         nin ye yi de den
8         in  e  i  de den
9         un  a  u  da dan
10        un  a  u  da dan
20        nin ye yi de den
30        un  a  u  da dan
40        ın  a  ı  ta tan
50        nin ye yi de den
60        ın  a  ı  ta tan
70        in  e  i  te ten
80        in  e  i  de den
90        ın  a  ı  da dan
51        in  e  i  de den
100       ün  e  ü  de den
101       in  e  i  de den
110       un  a  u  da dan
151       in  e  i  de den
1000      in  e  i  de den
1.000     in  e  i  de den
2026      nın ya yı da dan
10000     in  e  i  de den
1000000   un  a  u  da dan
007       nin ye yi de den
00        ın  a  ı  da dan
"""

# no vowel, marks at the end, words and numbers together, circumflexes, thin l and t
ODD = """
BTK       nin ye yi de den
Mrt       nin ye yi de den
Ali_K     nin ye yi de den
Mx        in  e  i  te ten
Bq        nün ye yü de den
Can.      ın  a  ı  da dan
Umut(!)   un  a  u  ta tan
Can7      nin ye yi de den
Ali-40    ın  a  ı  ta tan
7can      ın  a  ı  da dan
IŞIK      ın  a  ı  ta tan
İNCİ      nin ye yi de den
Sâmî      nin ye yi de den
Banû      nun ya yu da dan
Nigâr     ın  a  ı  da dan
Kemal     in  e  i  de den
CELÂL     in  e  i  de den
Resûl     ün  e  ü  de den
Melahat   in  e  i  te ten
"""


def rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


def suffixed(name: str) -> list[str]:
    return [case(name) for case in CASES]


def test_the_table_has_forty_names() -> None:
    assert len({row[0] for row in rows(NAMES)}) == 40


@pytest.mark.parametrize("row", [*rows(NAMES), *rows(NUMBERS), *rows(ODD)], ids=" ".join)
def test_suffixes_follow_vowels_and_consonants(row: list[str]) -> None:
    name, *suffixes = row
    assert suffixed(name) == [f"{name}'{suffix}" for suffix in suffixes]


@pytest.mark.parametrize("combining", ["Ays\u0327e", "I\u0307nci"])
def test_suffixes_see_through_combining_marks(combining: str) -> None:
    assert turkish.genitive(combining) == combining + "'nin"


@given(st.text())
def test_suffixes_never_fail_and_leave_the_name_alone(name: str) -> None:
    for word in suffixed(name):
        assert word.startswith(name + "'")
        assert 1 <= len(word) - len(name) - 1 <= 3


@pytest.mark.parametrize("spelling", ["IŞIK", "ışık", "işik", "İŞİK", "I\u0307şık", "i\u0307s\u0327ık"])
def test_rl_9_spellings_share_one_key(spelling: str) -> None:
    assert turkish.fold(spelling) == "işik"


def test_rl_9_plain_casefold_would_not_do() -> None:
    assert "IŞIK".casefold() != "ışık".casefold()
    assert len("İ".lower()) == 2
    assert len(turkish.fold("İ")) == 1


def test_rl_9_other_letters_stay_apart() -> None:
    names = ["Cem", "Çem", "Kâmil", "Kamil", "Olcay", "Ölçay", "Ugur", "Uğur", "Can", "Cen"]
    assert len({turkish.fold(name) for name in names}) == len(names)


@given(st.text() | st.text(alphabet="iıIİîÎşS\u0307\u0323\u0327\u0302\u0345ﬁßΣ"))
def test_rl_9_folding_a_key_changes_nothing(text: str) -> None:
    key = turkish.fold(text)
    assert turkish.fold(key) == key
    assert unicodedata.is_normalized("NFC", key)


@given(st.text())
def test_rl_9_composed_and_decomposed_share_one_key(text: str) -> None:
    assert turkish.fold(unicodedata.normalize("NFD", text)) == turkish.fold(text)


def test_rl_9_folding_is_stable_for_every_letter_with_a_case() -> None:
    letters = [c for c in map(chr, range(sys.maxunicode + 1)) if c.casefold() != c.upper()]
    for text in letters + [letter + "\u0307" for letter in letters]:
        key = turkish.fold(text)
        assert turkish.fold(key) == key, ascii(text)


def test_casing_keeps_the_dot() -> None:
    assert turkish.lower("IĞDIR İZMİR I\u0307") == "ığdır izmir i"
    assert turkish.upper("ığdır izmir kâmil") == "IĞDIR İZMİR KÂMİL"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("inci", "İnci"), ("ışık", "Işık"), ("şEN", "ŞEN"), ("7can", "7can"), ("", "")],
)
def test_capital_touches_the_first_letter_only(text: str, expected: str) -> None:
    assert turkish.capital(text) == expected


def resorted(texts: list[str]) -> list[str]:
    backwards = texts[::-1]
    return sorted(backwards, key=turkish.sort_key)


def test_sorting_follows_the_turkish_alphabet() -> None:
    alphabet = list("abcçdefgğhıijklmnoöpqrsştuüvwxyz")
    assert resorted(alphabet) == alphabet
    capitals = list("ABCÇDEFGĞHIİJKLMNOÖPQRSŞTUÜVWXYZ")
    assert resorted(capitals) == capitals


def test_sorting_names() -> None:
    names = [
        *("7can", "Ali", "Ali 2", "Ali Can", "Alican", "Cem", "Çınar", "Gül", "Ğ", "Hale"),
        *("Işıl", "İnci", "jale", "Kamil", "Kâmil", "Kamile", "Oya", "Ömer", "Su", "Şule"),
        *("Umut", "Ümit", "Zeki", "Анна"),
    ]
    assert resorted(names) == names


def test_sorting_counts_circumflex_before_case() -> None:
    names = ["Kar", "kar", "Kâr", "kâr", "kara"]
    assert resorted(names) == names
