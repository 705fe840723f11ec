"""Which lines may be said in the chat (SITE-14)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mokali.people import lines
from mokali.people.lines import BadLine, clean


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("  Selam  herkese ", "Selam herkese"),
        ("iki\nsatır\tbir", "iki satır bir"),
        ("I\u0307stanbul", "İstanbul"),
        ("<b>kalın</b> & ince", "<b>kalın</b> & ince"),
        ("ters\u202eyüz\u200b, \u2066gizli\u2069", "tersyüz, gizli"),
        ("a" + "\u0301" * 9 + "b", "á" + "\u0301" * 2 + "b"),
        ("x\u1dc4\u1dc4\u1dc4\u0301\u200d\u0301", "x\u1dc4\u1dc4"),
        ("aile: \U0001f468\u200d\U0001f469\u200d\U0001f467", "aile: \U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("x" * 200, "x" * 200),
    ],
)
def test_site_14_a_line_is_plain_text_in_one_row(raw: str, kept: str) -> None:
    assert clean(raw) == kept


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("\u202e\u200b", "empty"),
        ("\u200d", "empty"),
        ("\u2800\u3164", "empty"),
        ("x" * 201, "too_long"),
    ],
)
def test_site_14_what_is_no_line(raw: str, code: str) -> None:
    with pytest.raises(BadLine) as refused:
        clean(raw)
    assert refused.value.code == code


@given(st.text(max_size=300))
def test_cleaning_again_changes_nothing(raw: str) -> None:
    try:
        line = clean(raw)
    except BadLine:
        return
    assert 1 <= len(line) <= lines.LONGEST
    assert clean(line) == line
