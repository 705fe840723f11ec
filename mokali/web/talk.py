"""What is said at a table, as its people see it: lines, phrases, faces, voice messages, and the refusals."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from mokali.config import Settings
from mokali.engine.protocol import Seat
from mokali.store.talk import Kind, Pace, Said
from mokali.tables.frame import OLD_PLAYER
from mokali.tables.table import Table, seat_of

PHRASES: Final[Mapping[str, str]] = {
    "selam": "Selam",
    "kolay": "Kolay gelsin",
    "sans": "İyi şanslar",
    "guzel": "Güzel oynadın",
    "saglik": "Eline sağlık",
    "tebrik": "Tebrikler",
    "tesekkur": "Teşekkürler",
    "pardon": "Pardon",
    "dakika": "Bir dakika",
    "geldim": "Geldim",
    "hadi": "Hadi bakalım",
    "dusun": "Düşünüyorum",
    "ah": "Ah be",
    "bir_el": "Bir el daha?",
    "sesim": "Sesim geliyor mu?",
    "gorusuruz": "Görüşürüz",
    "masallah": "Maşallah",
    "gecmis": "Geçmiş olsun",
}
FACES: Final[Mapping[str, str]] = {
    "smile": "gülümsüyor",
    "laugh": "gülüyor",
    "wink": "göz kırpıyor",
    "love": "bayıldı",
    "wow": "şaşırdı",
    "sad": "üzüldü",
    "angry": "kızdı",
    "clap": "alkışlıyor",
}
"""Drawn faces, by the name of their picture, in words for who cannot see it."""

REFUSALS: Final[Mapping[tuple[Kind, str], tuple[str, str]]] = {
    ("chat", "too_soon"): ("Mesajların arası en az 1 saniye: biraz bekle, yeniden gönder.", "SITE-14"),
    ("chat", "too_many"): ("Bir dakikada en çok 20 mesaj yazılır: {wait} saniye bekle.", "SITE-14"),
    ("chat", "too_long"): ("Bir mesaj en çok 200 karakter olur: kısaltıp gönder.", "SITE-14"),
    ("phrase", "too_soon"): ("Hazır sözlerin arası en az 2 saniye: biraz bekle, yeniden dokun.", "SITE-14"),
    ("phrase", "too_many"): ("Bir dakikada en çok 10 hazır söz söylenir: {wait} saniye bekle.", "SITE-14"),
    ("voice", "too_soon"): ("Sesli mesajların arası en az 2 saniye: {wait} saniye sonra gönder.", "SITE-17"),
    ("voice", "too_many"): ("Bir dakikada en çok 10 sesli mesaj olur: {wait} saniye sonra gönder.", "SITE-17"),
    ("voice", "too_long"): ("Sesli mesaj en çok 30 saniye olur: daha kısa konuş.", "SITE-17"),
    ("voice", "too_short"): ("Çok kısa oldu, gönderilmedi: mikrofona dokun, konuş, bir daha dokun.", "SITE-16"),
    ("voice", "too_big"): ("Ses kaydı çok büyük, gönderilmedi: daha kısa konuş.", "SITE-17"),
    ("voice", "bad_voice"): ("Bu ses kaydı okunamadı, gönderilmedi: yeniden konuş.", "SITE-16"),
    ("voice", "busy"): ("Şu anda çok sesli mesaj var: birkaç saniye sonra yeniden gönder.", "SITE-17"),
    ("voice", "too_slow"): ("Bağlantı çok yavaş, ses kaydı gelmedi: yeniden gönder.", "SITE-16"),
    ("voice", "restarting"): ("Mokali yenileniyor, birkaç saniye sürer: sonra yeniden gönder.", "SITE-16"),
    ("voice", "not_here"): ("Sesli mesajı yalnızca bu masada oturanlar gönderir.", "SITE-18"),
    ("voice", "not_there"): ("Masaya bağlı değilsin, gönderilmedi: sayfayı yenile ya da birazdan dene.", "SITE-18"),
    ("voice", "stranger"): ("Seni tanıyamadık: sayfayı yenile, yeniden gir.", "SITE-5"),
    ("voice", "no_table"): ("Bu masa kapanmış: lobiye dön.", "SITE-20"),
    ("voice", "not_kept"): ("Kayıt yapılamadı, birazdan yeniden dene.", "CM-1"),
}
"""Code to (sentence, rule id)."""


class Line(Struct, frozen=True):
    """A line or a phrase. ``seat`` is None for somebody who looks on; ``face`` is the picture, if it is one."""

    n: int
    who: str
    seat: Seat | None
    kind: Kind
    text: str
    face: str
    at: int


class Message(Struct, frozen=True):
    """A voice message."""

    n: int
    who: str
    seat: Seat | None
    seconds: int
    src: str
    at: int


def paces(settings: Settings) -> dict[Kind, Pace]:
    """How often each may be sent (SITE-14, SITE-17, RL-18)."""
    return {
        "chat": Pace(int(settings.chat_seconds * 1000), settings.chats_per_minute),
        "phrase": Pace(int(settings.phrase_seconds * 1000), settings.phrases_per_minute),
        "voice": Pace(int(settings.voice_seconds * 1000), settings.voices_per_minute),
    }


def seconds(wait: int) -> str:
    """So many milliseconds as one says them: "1,5"."""
    tenths = -(-wait // 100)
    return f"{tenths // 10},{tenths % 10}" if tenths < 50 and tenths % 10 else str(-(-tenths // 10))


def lines(table: Table, said: Iterable[Said], names: Mapping[int, str]) -> tuple[Line, ...]:
    """What was written or picked, in order: for everybody at the table."""
    found = []
    for one in said:
        if one.kind != "voice":
            text = one.text if one.kind == "chat" else PHRASES.get(one.text) or FACES.get(one.text, "")
            face = one.text if one.kind == "phrase" and one.text in FACES else ""
            found.append(Line(one.id, _name(one, names), seat_of(table, one.person), one.kind, text, face, one.at))
    return tuple(found)


def messages(
    table: Table, said: Iterable[Said], names: Mapping[int, str], listener: int | None, link: Callable[[str], str]
) -> tuple[Message, ...]:
    """The voice messages of others, in order: for who may hear them. ``link`` gives the address of a name."""
    return tuple(
        Message(
            n=one.id,
            who=_name(one, names),
            seat=seat_of(table, one.person),
            seconds=max(1, round(one.seconds)),
            src=link(one.text),
            at=one.at,
        )
        for one in said
        if one.kind == "voice" and one.person != listener
    )


def _name(one: Said, names: Mapping[int, str]) -> str:
    return names.get(one.person, OLD_PLAYER)
