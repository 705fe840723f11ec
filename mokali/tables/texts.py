"""The table's own words in Turkish: its refusals, how it ended, what happened to a seat."""

from collections.abc import Mapping
from typing import Final

from mokali.tables.table import How, No, Why
from mokali.tables.terms import Absence, Terms

REFUSALS: Final[Mapping[No, tuple[str, str]]] = {
    No.STALE: ("Masa bu arada değişti, hamlen yapılmadı.", "CM-6"),
    No.NOT_SEATED: ("Bu masada oturmuyorsun: izleyiciler oynayamaz.", "SITE-12"),
    No.CHAIR_TAKEN: ("Bu koltuk dolu: boş bir koltuk seç.", "SITE-9"),
    No.SEATED_ELSEWHERE: ("Başka bir masada oturuyorsun: önce oradan çık.", "SITE-7"),
    No.STARTED: ("Oyun başladı, koltuklar artık değişmez.", "SITE-9"),
    No.NOT_STARTED: ("Oyun daha başlamadı: önce herkes hazır olsun.", "SITE-9"),
    No.NO_PAUSE: ("El sürüyor: Devam, el bitince.", "CM-11"),
    No.NOT_OPENER: ("Koltuğu yalnızca masayı açan boşaltır; kopanınkini herkes.", "SITE-9"),
    No.IS_READY: ("Hazır olan birinin koltuğu boşaltılmaz.", "SITE-9"),
    No.NOBODY_ABSENT: ("Masada eksik kimse yok: bunun kararı ancak biri koptuğunda verilir.", "AB-6"),
    No.TABLE_CLOSED: ("Bu masa kapanmış: yeni bir masa aç.", "AB-6"),
    No.NO_BOT: ("Bu oyunda öyle bir bot yok: listedekilerden seç.", "AB-10"),
    No.CHAIR_GIVEN: ("Masadan çıkmıştın, koltuğunda artık bot oynuyor: geri alınmaz.", "AB-11"),
    No.NOT_UNDOABLE: ("Bu hamle geri alınmaz: kendi son hamleni, kimse oynamadan, bir şey açılmadan alırsın.", "PT-4"),
    No.LESSON: ("Şimdilik şunu dene: {what}.", "AB-10"),
    No.NOT_FINISHED: ("Oyun daha bitmedi: yeniden oynamak için sonunu bekle.", "SITE-9"),
}
"""Code to (sentence, rule id)."""

EVENTS: Final[Mapping[str, str]] = {
    "went_away": "{seat:in} bağlantısı koptu.",
    "came_back": "{seat} geri geldi.",
    "left_table": "{seat} masadan çıktı.",
    "bot_sat": "{seat:in} yerine artık bot oynuyor.",
    "took_over": "{seat} boş kalan koltuğa oturdu.",
    "timed_out": "{seat:in} süresi doldu, yerine oynandı.",
    "taken_back": "{seat} son hamlesini geri aldı.",
}

TOASTS: Final[Mapping[str, str]] = {
    "timed_out": "süresi doldu",
    "bot_sat": "artık bot oynuyor",
    "took_over": "koltuğa oturdu",
}
"""What of it is shown large for a moment, under the name of its seat."""

ENDS: Final[Mapping[Why, str]] = {
    Why.FINISHED: "Oyun bitti.",
    Why.VOTED: "Masadakiler oyunu kapattı. Sonuç yazılmadı.",
    Why.LEFT: "Herkes çıktığı için masa kapandı. Sonuç yazılmadı.",
    Why.FORFEITED: "Oyun yarıda kaldı.",
    Why.VACANT: "Uzun süre kimse olmadığı için masa kapandı. Sonuç yazılmadı.",
    Why.UNREADABLE: "Masa yeni sürümde açılamadığı için kapandı. Sonuç yazılmadı.",
}

FORFEITS: Final[Mapping[How, str]] = {
    "clock": "{seat:in} süresi doldu, oyunu kaybetti.",
    "away": "{seat} uzun süre kopuk kaldı, oyunu kaybetti.",
    "left": "{seat} masadan çıktı, oyunu kaybetti.",
}
"""How somebody lost a match before its end."""

CLOCKS: Final[tuple[int | None, ...]] = (None, 30, 60, 90, 120, 300)
"""The move clocks that tables are opened with, in seconds (PT-8)."""

ABSENCES: Final[Mapping[Absence, tuple[str, str]]] = {
    "wait": ("Masa bekler", ""),
    "bot": ("Bot oynar", "kopanın yerine bot oynar"),
    "auto": ("Süre işler", "kopanın da süresi işler"),
    "forfeit": ("Kaybeder", "kopan kaybeder"),
}
"""What absence may mean: as a choice, and in the line that says what is played (AB-2)."""


def clock(seconds: int) -> str:
    """A move clock in words: "45 saniye", "2 dakika"."""
    return f"{seconds // 60} dakika" if seconds % 60 == 0 and seconds > 60 else f"{seconds} saniye"


def kept(terms: Terms) -> list[str]:
    """How a table is kept, in sentences for who is about to sit down (AB-2)."""
    said = [] if terms.seconds is None else [f"Her hamle için {clock(terms.seconds)} vardır. {_RUN_OUT[terms.absence]}"]
    wait = terms.forfeit_after_seconds if terms.absence == "forfeit" else terms.bot_after_seconds
    return [*said, _AWAY[terms.absence].format(wait=clock(wait))]


_RUN_OUT: Final[Mapping[Absence, str]] = {
    "wait": "Dolunca hamle kendiliğinden yapılır.",
    "bot": "Dolunca hamle kendiliğinden yapılır, üst üste üçüncüde yerine bot oynar.",
    "auto": "Dolunca hamle kendiliğinden yapılır, üst üste üçüncüde yerine bot oynar.",
    "forfeit": "Süresi dolan oyunu kaybeder.",
}
_AWAY: Final[Mapping[Absence, str]] = {
    "wait": "Kopanı ya da çıkanı masa bekler; ötekiler isterse koltuğunu bota ya da yeni birine verir.",
    "bot": "Kopanın yerine {wait} sonra bot oynar, dönen koltuğunu geri alır. Çıkan oyunu kaybetmiş sayılır.",
    "auto": "Kopanın süresi işlemeye devam eder, dönen kaldığı yerden oynar. Çıkan oyunu kaybetmiş sayılır.",
    "forfeit": "Çıkan ya da {wait} kopuk kalan oyunu kaybeder, oyun biter.",
}
