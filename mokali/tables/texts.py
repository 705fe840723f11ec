"""The table's own words in Turkish: its refusals, how it ended, what happened to a seat."""

from collections.abc import Mapping
from typing import Final

from mokali.tables.table import No, Why

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
    No.NOBODY_ABSENT: ("Masada eksik kimse yok: masa ancak biri koptuğunda kapatılır.", "AB-6"),
    No.TABLE_CLOSED: ("Bu masa kapanmış: yeni bir masa aç.", "AB-6"),
    No.NO_BOT: ("Bu oyunda öyle bir bot yok: listedekilerden seç.", "AB-10"),
    No.NOT_FINISHED: ("Oyun daha bitmedi: yeniden oynamak için sonunu bekle.", "SITE-9"),
}
"""Code to (sentence, rule id)."""

EVENTS: Final[Mapping[str, str]] = {
    "went_away": "{seat:in} bağlantısı koptu.",
    "came_back": "{seat} geri geldi.",
    "left_table": "{seat} masadan çıktı.",
}

ENDS: Final[Mapping[Why, str]] = {
    Why.FINISHED: "Oyun bitti.",
    Why.VOTED: "Masadakiler oyunu kapattı. Sonuç yazılmadı.",
    Why.LEFT: "Herkes çıktığı için masa kapandı. Sonuç yazılmadı.",
    Why.VACANT: "Uzun süre kimse olmadığı için masa kapandı. Sonuç yazılmadı.",
    Why.UNREADABLE: "Masa yeni sürümde açılamadığı için kapandı. Sonuç yazılmadı.",
}
