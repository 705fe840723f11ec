"""3-5-8 in Turkish."""

from collections.abc import Mapping
from typing import Final

from mokali.engine.protocol import Choice, Common, Texts
from mokali.engine.tricks import asked
from mokali.games.ucbessekiz import rules
from mokali.games.ucbessekiz.rules import UcBesSekizRules
from mokali.games.ucbessekiz.state import No, UcBesSekizView


def _length(chosen: UcBesSekizRules, seats: int) -> str:
    return f"{chosen.hands} el"


def _cue(view: UcBesSekizView) -> str:
    """What there is to do now: a key of ``prompts``."""
    if view.phase == "trump":
        return "redeal" if view.turn is None else "trump" if view.may_pass else "trump_only"
    if view.phase != "play":
        return view.phase
    if not view.trick:
        return "lead" if view.tricks else "first"
    return asked(view.cards, view.trick, view.trump_suit)[0]


def _asked(view: UcBesSekizView) -> Mapping[str, object]:
    return asked(view.cards, view.trick, view.trump_suit)[1]


TEXTS: Final = Texts(
    summary="Kozu 8ci seçer; sekiz, beş ya da üç el al, fazlası sonraki elde kart çektirir. Üç kişi.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "UB-6"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: {phase}.", "UB-6"),
        Common.NOT_HELD: ("Bu kart elinde değil: elindekilerden seç.", "UB-6"),
        No.MUST_FOLLOW: ("{suit} oynamalısın: elinde {suit} var.", "UB-10"),
        No.MUST_BEAT: ("Elinde daha büyük {suit} var: {card} geçilmeli.", "UB-11"),
        No.MUST_TRUMP: ("Koz oynamalısın: yerdeki renk elinde yok, {suit} var.", "UB-13"),
        No.MUST_OVERTRUMP: ("Elinde daha büyük koz var: {card} geçilmeli.", "UB-13"),
        No.NO_REDEAL: ("Bu elde başka pas yok: kozu seç.", "UB-7"),
    },
    events={
        "exchanged": "{seat} ile {other} kart değişti.",
        "declined": "{seat} başka kart istemedi.",
        "redeal_asked": "{seat} pas geçti, kartlar yeniden dağıtılıyor.",
        "trump_chosen": "{seat} kozu seçti: {suit}.",
        "no_trump": "{seat} kozsuz dedi.",
        "buried": "{seat} dört kart gömdü, dibi aldı.",
        "card_played": "{seat} {card} attı.",
        "trick_won": "{seat} eli aldı.",
        "hand_ended": "El bitti.",
    },
    toasts={"redeal_asked": "PAS", "trump_chosen": "KOZ {suit:upper}", "no_trump": "KOZSUZ"},
    advice={
        "give": "{card} ver",
        "decline": "Değişimi bitir",
        "trump": "Kozu seç: {suit}",
        "pass": "Pas geç",
        "bury": "Göm: {cards}",
        "play": "{card} oyna",
    },
    sounds={
        "exchanged": "play",
        "buried": "play",
        "card_played": "play",
        "trick_won": "capture",
        "hand_ended": "end",
    },
    rules={
        "hands": Choice(
            label="El sayısı",
            meaning="Bu kadar el sonunda toplamı en yüksek olan kazanır.",
            rule="UB-21",
            values={"3": "3", "6": "6", "9": "9", "12": "12"},
            basic=True,
            said="{value} el",
        ),
        "max_redeals": Choice(
            label="Yeniden dağıtma",
            meaning="8ci bir elde kartları bu kadar kez yeniden dağıttırabilir.",
            rule="UB-7",
            values={"null": "Sınırsız", "0": "Yok", "1": "1 kez", "2": "2 kez", "3": "3 kez"},
        ),
    },
    rulesets={"klasik": "Mokali kuralları"},
    reasons={"played_out": "Bütün kartlar oynandı.", "fourteen": "Bir elde 14 el alan oyunu kazanır."},
    prompts={
        "exchange": ("Bir kart ver, karşılığını al", "{who} kart değişiyor"),
        "trump": ("Kozu seç ya da pas geç", "{who} koz seçiyor"),
        "trump_only": ("Kozu seç", "{who} koz seçiyor"),
        "redeal": ("Kartlar yeniden dağıtılıyor", "Kartlar yeniden dağıtılıyor"),
        "bury": ("Dört kart seç ve göm", "{who} kart gömüyor"),
        "first": ("Eli sen aç: noktalı kartlar dipten", "{who} eli açıyor"),
        "lead": ("Eli sen aç: bir kart at", "{who} eli açıyor"),
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
        "role": {"8": "8ci", "5": "5çi", "3": "3çü"},
        "phase": {
            "exchange": "kart değişimi sürüyor",
            "trump": "önce koz seçilsin",
            "bury": "önce dört kart gömülsün",
            "play": "el oynanıyor, bir kart at",
            "hand_over": "önce yeni el dağıtılsın",
            "over": "oyun bitti",
        },
    },
    figures=lambda chosen: {
        "amnesty": [hand for hand in range(1, chosen.hands + 1) if rules.amnesty(hand)],
        "targets": rules.TARGETS,
        "tricks": rules.TRICKS,
        "dip": rules.DIP,
        "all_but_two": rules.ALL_BUT_TWO,
    },
    length=_length,
)
