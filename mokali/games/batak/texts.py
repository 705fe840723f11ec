"""Batak in Turkish."""

from collections.abc import Mapping
from typing import Final

from mokali.engine.protocol import Choice, Common, Texts
from mokali.engine.tricks import asked
from mokali.games.batak.rules import LEAST_BID, TRICKS, BatakRules
from mokali.games.batak.sight import BatakView
from mokali.games.batak.state import No


def _cue(view: BatakView) -> str:
    if view.phase != "play":
        return view.phase
    if not view.trick:
        return "lead"
    return asked(view.cards, view.trick, view.trump)[0]


def _asked(view: BatakView) -> Mapping[str, object]:
    return asked(view.cards, view.trick, view.trump)[1]


def _length(chosen: BatakRules, seats: int) -> str:
    return f"{chosen.hands} el"


TEXTS: Final = Texts(
    summary="Kaç el alacağını söyle, kozu seç, sözünü tut. Dört kişi, herkes kendine.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "BT-2"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: {phase}.", "BT-2"),
        Common.NOT_HELD: ("Bu kart artık elinde değil.", "BT-2"),
        No.BID_TOO_LOW: ("{tricks} yetmez: en az {least} de ya da pas geç.", "BT-3"),
        No.BID_TOO_HIGH: ("{tricks} fazla: bir elde {most} kart var, en çok {most} de.", "BT-3"),
        No.TRUMP_CLOSED: ("Koz daha açılmadı: {suit} ile başlanmaz, başka renkten bir kart at.", "BT-8"),
        No.MUST_FOLLOW: ("{suit} oynamalısın: elinde {suit} var.", "BT-9"),
        No.MUST_BEAT: ("Elinde daha büyük {suit} var: {card} geçilmeli.", "BT-9"),
        No.MUST_TRUMP: ("Koz oynamalısın: yerdeki renk elinde yok, {suit} var.", "BT-10"),
        No.MUST_OVERTRUMP: ("Elinde daha büyük koz var: {card} geçilmeli.", "BT-10"),
    },
    events={
        "bid_made": "{seat} {tricks} dedi.",
        "passed": "{seat} pas geçti.",
        "auction_won": "{seat} ihaleyi {tricks} ile aldı.",
        "trump_chosen": "{seat} kozu seçti: {suit}.",
        "card_played": "{seat} {card} attı.",
        "trump_broken": "{seat} kozu açtı.",
        "trick_won": "{seat} eli aldı.",
        "hand_ended": "El bitti.",
    },
    toasts={"auction_won": "İHALE {tricks}", "trump_chosen": "KOZ {suit:upper}"},
    advice={"bid": "{tricks} de", "pass": "Pas geç", "trump": "Kozu seç: {suit}", "play": "{card} oyna"},
    sounds={"card_played": "play", "trick_won": "capture", "hand_ended": "end"},
    rules={
        "hands": Choice(
            label="El sayısı",
            meaning="Oyun bu kadar el sürer; sonunda en çok sayısı olan kazanır.",
            rule="BT-15",
            values={"4": "4", "8": "8", "12": "12"},
            basic=True,
            said="{value} el",
        ),
    },
    rulesets={"klasik": "Mokali kuralları"},
    reasons={"played_out": "On üç kart da oynandı."},
    prompts={
        "bid": ("Sıra sende: ihaleye gir ya da pas geç", "{who} ihaleyi düşünüyor"),
        "trump": ("Kozu seç", "{who} koz seçiyor"),
        "lead": ("Eli sen aç: bir kart at", "{who} eli açacak"),
        "play": ("Sıra sende: bir kart at", "{who} düşünüyor"),
        No.MUST_FOLLOW: ("{suit} oyna", "{who} düşünüyor"),
        No.MUST_BEAT: ("{suit} oyna: yerdekini geç", "{who} düşünüyor"),
        No.MUST_TRUMP: ("Koz oyna: {suit}", "{who} düşünüyor"),
        No.MUST_OVERTRUMP: ("Koz oyna: yerdeki kozu geç", "{who} düşünüyor"),
        "hand_over": ("El bitti", "El bitti"),
        "over": ("Oyun bitti", "Oyun bitti"),
    },
    cue=_cue,
    asked=_asked,
    words={
        "phase": {
            "bid": "ihale sürüyor, ihaleye gir ya da pas geç",
            "trump": "önce kozu seç",
            "play": "el oynanıyor, bir kart at",
            "hand_over": "önce yeni el dağıtılsın",
            "over": "oyun bitti",
        },
    },
    figures=lambda _: {"least_bid": LEAST_BID, "tricks": TRICKS},
    length=_length,
)
