"""Pişti in Turkish."""

from typing import Final

from mokali.engine.protocol import Choice, Common, Texts
from mokali.games.pisti import rules
from mokali.games.pisti.rules import PistiRules


def _length(chosen: PistiRules, seats: int) -> str:
    return f"Eşli, {chosen.target} sayı" if seats == 4 else f"{chosen.target} sayı"


TEXTS: Final = Texts(
    summary="Yerdeki karta eşini at, yeri topla. İki kişi ya da eşli dört kişi.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "PI-4"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: önce kartlar dağıtılsın.", "PI-4"),
        Common.NOT_HELD: ("Bu kart artık elinde değil.", "PI-4"),
    },
    events={
        "card_played": "{seat} {card} attı.",
        "captured": "{seat} yeri aldı, {cards} kart.",
        "pisti_made": "{seat} pişti yaptı, {points} puan.",
        "jack_pisti_made": "{seat} vale piştisi yaptı, {points} puan.",
        "round_dealt": "Yeni kartlar dağıtıldı, destede {stock} kart kaldı.",
        "hand_ended": "El bitti.",
    },
    toasts={"pisti_made": "PİŞTİ +{points}", "jack_pisti_made": "VALE PİŞTİSİ +{points}"},
    advice={"play": "{card} at"},
    sounds={
        "card_played": "play",
        "captured": "capture",
        "pisti_made": "pisti",
        "jack_pisti_made": "pisti",
        "hand_ended": "end",
    },
    rules={
        "target": Choice(
            label="Hedef",
            meaning="Bir el sonunda bu sayıya ulaşan ve önde olan taraf kazanır.",
            rule="PI-10",
            values={"51": "51", "101": "101", "151": "151"},
            basic=True,
            said="{value} sayı",
        ),
    },
    rulesets={"klasik": "Mokali kuralları"},
    reasons={"played_out": "Deste bitti, son kart oynandı."},
    prompts={
        "play": ("Sıra sende: bir kart at", "{who} düşünüyor"),
        "hand_over": ("El bitti", "El bitti"),
        "over": ("Oyun bitti", "Oyun bitti"),
    },
    figures=lambda _: {
        "ace": rules.ACE_POINTS,
        "jack": rules.JACK_POINTS,
        "club_two": rules.CLUB_TWO_POINTS,
        "diamond_ten": rules.DIAMOND_TEN_POINTS,
        "most_cards": rules.MOST_CARDS_POINTS,
        "pisti": rules.PISTI_POINTS,
        "jack_pisti": rules.JACK_PISTI_POINTS,
    },
    length=_length,
)
