"""Klasik Okey in Turkish."""

from itertools import product
from typing import Any, Final

from msgspec import Struct

from mokali.engine.protocol import Choice, Common, Texts
from mokali.engine.tileplay import NoTwin
from mokali.games.klasik import score
from mokali.games.klasik.rules import EXTRA, SHOWN, TILES, KlasikRules
from mokali.games.klasik.sight import KlasikView
from mokali.games.klasik.state import No


class Ending(Struct, frozen=True):
    """One kind of loss: a line of the rule page. ``coloured`` is the same with a red or black indicator (KL-17)."""

    name: str
    points: int
    coloured: int


def _figures(rules: KlasikRules) -> dict[str, Any]:
    names = "Düz", "Okeyle", "Çiftten", "Çiftten, okeyle"
    kinds = [(okey, pairs) for pairs, okey in product((False, True), repeat=2)]
    losses = [_ending(name, okey, pairs) for name, (okey, pairs) in zip(names, kinds, strict=True)]
    shown = Ending("Gösterge", *(score.shown_cost("R1", KlasikRules(coloured=coloured)) for coloured in (False, True)))
    return {"tiles": TILES, "extra": EXTRA, "endings": losses, "shown": shown}


def _ending(name: str, okey: bool, pairs: bool) -> Ending:
    finish = score.Finish(0, okey, pairs, "B1")
    plain, coloured = (
        -score.tallies(finish, (0, 0), "R1", KlasikRules(coloured=coloured))[1].total for coloured in (False, True)
    )
    return Ending(name, plain, coloured)


def _gist(rules: KlasikRules) -> list[str]:
    plain, okey, _, both = (ending.points for ending in _figures(rules)["endings"])
    return [
        f"{rules.start_points} puanla başlanır; birinin puanı bitince oyun biter, puanı en çok kalan kazanır.",
        f"{TILES} taşının hepsini perlere ya da çiftlere ayıran, on beşinciyle bitirir.",
        f"Biri bitince ötekiler {plain} puan kaybeder; okeyle ya da çiftten biterse {okey}, ikisi birdense {both}.",
        f"Göstergenin eşini ilk sırasında gösteren, ötekilere {SHOWN} puan kaybettirir.",
        "Renkli: gösterge kırmızı ya da siyahsa bütün kayıplar iki katıdır."
        if rules.coloured
        else "Renksiz: göstergenin rengi kayıpları değiştirmez.",
        "Deste biterse kimse puan kaybetmez.",
    ]


def _length(rules: KlasikRules, seats: int) -> str:
    parts = [f"{rules.start_points} puan", *(["renkli"] if rules.coloured else [])]
    return ", ".join(parts if seats == 4 else [f"{seats} kişi", *parts])


def _cue(view: KlasikView) -> str:
    """What there is to do now: a key of ``prompts``."""
    if view.turn is None or view.phase == "draw":
        return "draw_or_take" if view.side is not None else view.phase
    return "play" if view.drawn is not None or view.first_done[view.turn] else "first"


TEXTS: Final = Texts(
    summary="14 taşını perlere ayır ya da yedi çift yap, on beşinciyle bitir. Dört kişi; iki ya da üç kişi de olur.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "KL-4"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: {phase}.", "KL-4"),
        Common.NOT_HELD: ("Elinde {tile} yok: ıstakandaki taşlardan seç.", "KL-4"),
        No.NO_FINISH: (
            "Bu taşla bitmez, {away} taş perlere girmiyor, çiftlerin de {pairs}: bir taş at ya da başkasıyla dene.",
            "KL-10",
        ),
        No.ALREADY_SHOWN: ("Göstergeyi bu elde {seat} gösterdi: oyuna devam et.", "KL-16"),
        No.TOO_LATE: ("İlk taşını attın, gösterge artık gösterilemez: oyuna devam et.", "KL-16"),
        No.NO_INDICATOR: ("{because}: gösteremezsin.", "KL-16"),
    },
    events={
        "stock_drawn": "{seat} desteden çekti.",
        "side_taken": "{seat} yandan {tile} aldı.",
        "indicator_shown": "{seat} göstergeyi gösterdi, ötekiler {points} puan kaybetti.",
        "discarded": "{seat} {tile} attı.",
        "finished": "{seat} {pairs}{okey}bitti.",
        "hand_ended": "El bitti.",
    },
    toasts={
        "indicator_shown": "GÖSTERGE −{points}",
        "finished": "{pairs:upper}{okey:upper}BİTTİ",
    },
    advice={
        "draw": "{source}",
        "show": "Göstergeyi göster",
        "discard": "{tile} at",
        "finish": "{tile} ile bitir",
    },
    sounds={
        "stock_drawn": "play",
        "side_taken": "play",
        "discarded": "play",
        "finished": "pisti",
        "hand_ended": "end",
    },
    rules={
        "start_points": Choice(
            label="Başlangıç puanı",
            meaning="Herkes bu puanla başlar; birinin puanı bitince oyun da biter.",
            rule="KL-15",
            values={str(points): str(points) for points in (10, 15, 20, 25, 30)},
            basic=True,
            said="{value} puan",
        ),
        "coloured": Choice(
            label="Renkli",
            meaning="Gösterge kırmızı ya da siyahsa bütün kayıplar iki katıdır.",
            rule="KL-17",
            values={"false": "Renksiz", "true": "Renkli"},
            basic=True,
        ),
    },
    rulesets={"klasik": "Mokali kuralları"},
    reasons={"finish": "Biri elini bitirdi.", "stock": "Destede taş kalmadı."},
    prompts={
        "draw": ("Desteden bir taş çek", "{who} taş çekecek"),
        "draw_or_take": ("Desteden çek ya da yandan al", "{who} taş çekecek"),
        "first": ("Çekmeden bir taş at ya da bitir", "{who} çekmeden başlıyor"),
        "play": ("Bir taş at ya da bitir", "{who} oynuyor"),
        "hand_over": ("El bitti", "El bitti"),
        "over": ("Oyun bitti", "Oyun bitti"),
    },
    cue=_cue,
    words={
        "source": {"stock": "Desteden çek", "side": "Yandan al"},
        "phase": {
            "draw": "önce bir taş çek",
            "play": "bu sıra çekilmez, bir taş at ya da bitir",
            "no_side": "solunda atılmış taş yok, desteden çek",
            "hand_over": "önce yeni el dağıtılsın",
            "over": "oyun bitti",
        },
        "because": {
            NoTwin.TWIN_NOT_HELD: "Göstergenin eşi {tile} elinde değil",
            NoTwin.TWIN_FROM_SIDE: "Göstergenin eşini yandan aldın",
        },
        "okey": {"true": "okeyle ", "false": ""},
        "pairs": {"true": "çiftten ", "false": ""},
        "row": {"finish": "Bitti", "lost": "Kaybı", "stock": "Deste bitti"},
        "factor": {"okey": "okeyle bitiş", "pairs": "çiftten bitiş", "coloured": "renkli gösterge"},
        "item": {"indicator": "Gösterge"},
    },
    figures=_figures,
    gist=_gist,
    length=_length,
)
