"""101 Okey in Turkish."""

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine.protocol import Choice, Common, Texts
from mokali.engine.tileplay import NoTwin
from mokali.engine.tiles import tiles
from mokali.games.okey101.gist import gist
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Finish, HandIn, partners, tallies
from mokali.games.okey101.sight import OkeyView
from mokali.games.okey101.spread import Because, No

_YES_NO: Final = {"true": "Evet", "false": "Hayır"}
_COST: Final = {"0": "Ceza yok", "101": "101 ceza"}
_TIMES: Final = {"1": "Çarpmaz", "2": "İki kat", "3": "Üç kat"}


class Ending(Struct, frozen=True):
    """One way in which a hand ends, and what seats write then: a line of the rule page."""

    name: str
    finisher: int | None
    """None where the stock ends it."""
    unopened: int
    melds: int | None
    """Who opened with melds and holds ``LEFT``; None where nobody else can have opened."""
    pairs: int | None
    """The same of who opened with pairs."""


LEFT: Final = 35
"""What the rule page's examples have left in their racks."""


def _figures(rules: OkeyRules) -> dict[str, Any]:
    finishes = (Finish(0, *flags) for flags in product((False, True), repeat=3))
    possible = sorted((finish for finish in finishes if _can_be(finish, rules)), key=_rarity)
    return {"left": LEFT, "endings": [_ending(finish, rules) for finish in (*possible, None)]}


def _can_be(finish: Finish, rules: OkeyRules) -> bool:
    """Pairs remove tiles by twos, so that their opener must lay off one, on what others opened (OK-66)."""
    if not finish.pairs:
        return True
    in_one_turn = rules.layoff_in_opening_turn and rules.from_hand_condition == "same_turn"
    return rules.pairs_opener_layoff and (in_one_turn or not finish.from_hand)


def _rarity(finish: Finish) -> tuple[int, bool, bool]:
    return finish.okey + finish.pairs + finish.from_hand, finish.from_hand, finish.pairs


def _ending(finish: Finish | None, rules: OkeyRules) -> Ending:
    racks = ((), *(tiles("R12a Y12a K11a"),) * 3)
    hand = HandIn("B6", racks, ("melds", None, "melds", "pairs"), ((),) * 4, (0,) * 4, finish)
    first, unopened, melds, pairs = (tally.total for tally in tallies(hand, replace(rules, partnered=False)))
    if finish is None:
        return Ending("Deste biterse", None, unopened, melds, pairs)
    alone = finish.from_hand and rules.from_hand_condition == "same_turn_nobody_opened"
    return Ending(_named(finish), first, unopened, *((None, None) if alone else (melds, pairs)))


def _named(finish: Finish) -> str:
    flags = (finish.from_hand, "elden"), (finish.pairs, "çiftten"), (finish.okey, "okeyle")
    return ", ".join(name for flag, name in flags if flag).capitalize() or "Düz"


def _length(chosen: OkeyRules, seats: int) -> str:
    hands = "tek el" if chosen.hands == 1 else f"{chosen.hands} el"
    if partners(chosen, seats):
        return f"Eşli, {hands}"
    return hands.capitalize() if seats == 4 else f"{seats} kişi, {hands}"


def _cue(view: OkeyView) -> str:
    """What there is to do now: a key of ``prompts``."""
    if view.turn is None or view.phase == "draw":
        takes = view.side is not None and (view.legal is None or view.legal.side)
        return "draw_or_take" if takes else view.phase
    if view.waived:
        return "waived"
    if view.duty:
        return "use"
    if view.opened[view.turn] is None:
        return "open" if view.drawn is not None or view.first_done[view.turn] else "first"
    return "last" if view.racks[view.turn] == 1 else "lay"


def _flag(label: str, meaning: str, rule: str) -> Choice:
    return Choice(label=label, meaning=meaning, rule=rule, values=_YES_NO)


def _cost(label: str, meaning: str, rule: str) -> Choice:
    return Choice(label=label, meaning=meaning, rule=rule, values=_COST)


def _times(label: str, meaning: str, rule: str) -> Choice:
    return Choice(label=label, meaning=meaning, rule=rule, values=_TIMES)


def _choice(
    label: str, meaning: str, rule: str, values: Mapping[Any, str], *, basic: bool = False, said: str = "{value}"
) -> Choice:
    named = {str(value): text for value, text in values.items()}
    return Choice(label=label, meaning=meaning, rule=rule, values=named, basic=basic, said=said)


TEXTS: Final = Texts(
    summary="Barajı geçen perlerle ya da çiftlerle aç, taşlarını işle, en az sayıyla kal. Dört kişi, tekli ya da eşli.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "OK-14"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: {phase}.", "OK-13"),
        Common.NOT_HELD: ("Elinde {tile} yok: ıstakandaki taşlardan seç.", "OK-25"),
        No.SIDE_CLOSED: ("{because}: desteden çek.", "OK-38"),
        No.SIDE_UNUSABLE: (
            "Yandaki {tile} ne yerdeki perlere ne elindekilere uyuyor ya da atacak taşın kalmıyor: desteden çek.",
            "OK-39",
        ),
        No.NO_SIDE_TILE: ("{because}.", "OK-38"),
        No.MELD_ON_TABLE: ("Taşı geri bırakmak için önce bu sıra açtığın perleri geri al.", "OK-38"),
        No.WAIVED: ("Elden bitiyorsun: son taşını at ya da açtığını geri al.", "OK-33"),
        No.AS_NEEDED: ("Bu per seri de olur küt de: hangisi olacağını seç.", "OK-21"),
        No.BAD_MELD: ("{tiles} per değil: {because}.", "OK-15"),
        No.BAD_PAIR: ("{tiles} çift değil: {because}.", "OK-17"),
        No.MELD_FULL: ("{because}.", "OK-24"),
        No.KIND_CLOSED: ("{because}.", "OK-29"),
        No.KEEP_ONE: ("Atmak için elinde bir taş kalmalı: birini ıstakada bırak.", "OK-31"),
        No.SIDE_UNUSED: ("Yandan aldığın {tile} {because}.", "OK-35"),
        No.TOO_FEW_PAIRS: (
            "Çiftten açmak için {bar} çift gerekir, seçtiğin {value}: {missing} çift daha ekle.",
            "OK-26",
        ),
        No.BELOW_BAR: ("Açmak için {bar} gerekir, seçtiklerin {value} ediyor: {missing} sayı daha ekle.", "OK-26"),
        No.NOT_OPENED: ("{because}.", "OK-40"),
        No.BAD_TARGET: ("Çiftlere taş işlenmez: bir seri ya da küt seç.", "OK-40"),
        No.TOO_MANY: ("Bir seferde en çok {most} taş işlenir, sen {value} seçtin: ikiye böl.", "OK-43"),
        No.END_NEEDED: ("Okey serinin iki ucuna da gelir: başını ya da sonunu seç.", "OK-42"),
        No.NO_FIT: ("{because}.", "OK-41"),
        No.NOT_TAKEABLE: ("Bu okey alınamaz: {because}.", "OK-45"),
        No.NOTHING_TO_UNDO: ("Bu sıra geri alınacak bir şey yapmadın: aç, işle ya da bir taş at.", "OK-46"),
        No.NOT_IN_RULES: ("Bu masada gösterge ödülü yok: oyuna devam et.", "OK-50"),
        No.ALREADY_SHOWN: ("Göstergeyi bu elde {seat} gösterdi: oyuna devam et.", "OK-50"),
        No.TOO_LATE: ("İlk taşını attın, gösterge artık gösterilemez: oyuna devam et.", "OK-50"),
        No.NO_INDICATOR: ("{because}: gösteremezsin.", "OK-50"),
    },
    events={
        "stock_drawn": "{seat} desteden çekti.",
        "side_taken": "{seat} yandan {tile} aldı.",
        "side_returned": "{seat} yandan aldığını geri bıraktı: {tile}.",
        "opened": "{seat} {value} sayıyla açtı.",
        "pairs_opened": "{seat} {pairs} çiftle açtı.",
        "melds_laid": "{seat} {melds} per daha indirdi.",
        "opening_failed": "{seat} açamadı, {bar} yerine {value} sayı: {points} ceza.",
        "tiles_laid": "{seat} işledi: {tiles}.",
        "okey_taken": "{seat} {tile} verip okeyi aldı.",
        "move_taken_back": "{seat} hamlesini geri aldı.",
        "indicator_shown": "{seat} göstergeyi gösterdi: {points}.",
        "penalised": "{seat} {why}: {points} ceza.",
        "discarded": "{seat} {tile} attı.",
        "finished": "{seat} {from_hand}{pairs}{okey}bitti.",
        "hand_ended": "El bitti.",
    },
    toasts={
        "opened": "AÇTI {value}",
        "pairs_opened": "{pairs} ÇİFTLE AÇTI",
        "opening_failed": "AÇAMADI {value}/{bar} +{points}",
        "indicator_shown": "GÖSTERGE {points}",
        "penalised": "{why:upper} +{points}",
        "finished": "{from_hand:upper}{pairs:upper}{okey:upper}BİTTİ",
    },
    advice={
        "draw": "{source}",
        "return": "Taşı geri bırak",
        "open": "{kind}: {melds}",
        "lay": "İşle: {tiles}",
        "swap": "{tile} ver, okeyi al",
        "show": "Göstergeyi göster",
        "discard": "{tile} at",
    },
    sounds={
        "stock_drawn": "play",
        "side_taken": "play",
        "tiles_laid": "play",
        "discarded": "play",
        "opened": "capture",
        "pairs_opened": "capture",
        "melds_laid": "capture",
        "okey_taken": "capture",
        "finished": "pisti",
        "hand_ended": "end",
    },
    rules={
        "hands": _choice(
            "El sayısı",
            "Oyun bu kadar el sürer; en az sayısı olan kazanır.",
            "OK-68",
            {hands: str(hands) for hands in range(1, 12)},
            basic=True,
            said="{value} el",
        ),
        "partnered": _choice(
            "Oyun biçimi",
            "Eşlide karşılıklı oturanlar ortaktır, sayıları toplanır.",
            "OK-69",
            {"false": "Tekli", "true": "Eşli"},
            basic=True,
        ),
        "max_meld_tiles": _choice(
            "Serinin boyu", "Bir seride en çok bu kadar taş olur.", "OK-24", {5: "En çok 5", 13: "Sınır yok"}
        ),
        "threshold": _choice(
            "Baraj", "Seriyle açmak için gereken sayı.", "OK-26", {n: str(n) for n in (34, 51, 71, 81, 101)}
        ),
        "min_pairs": _choice("Çift barajı", "Çiftle açmak için gereken çift.", "OK-26", {n: str(n) for n in (4, 5, 6)}),
        "rising_threshold": _flag("Katlamalı", "Sonra açan, önce açandan fazlasıyla açmalı.", "OK-27"),
        "from_hand_waives_threshold": _flag("Elden bitene baraj yok", "Tek taş bırakan barajsız açabilir.", "OK-33"),
        "new_melds_same_turn": _flag("Açtığı sırada yeni per", "Açan aynı sırada per eklemeyi sürdürür.", "OK-28"),
        "layoff_in_opening_turn": _flag("Açtığı sırada işleme", "Açan aynı sırada taş işler, okey alır.", "OK-40"),
        "melds_opener_pairs": _choice(
            "Seriyle açanın çifti",
            "Seriyle açan, başkası çiftle açtıysa çift indirebilir mi?",
            "OK-29",
            {"never": "İndiremez", "own": "Kendi önüne indirir", "area": "Çiftle açanın önüne indirir"},
        ),
        "pairs_opener_more_pairs": _flag("Çift açana yeni çift", "Çiftle açan sonra da çift indirebilir.", "OK-30"),
        "pairs_opener_layoff": _flag("Çift açan işler", "Çiftle açan serilere ve kütlere taş işleyebilir.", "OK-30"),
        "layoff_tiles_max": _choice(
            "Bir seferde işlenen taş",
            "Tek hamlede en çok bu kadar taş işlenir.",
            "OK-43",
            {0: "Sınır yok", 1: "1", 2: "2", 3: "3"},
        ),
        "side_must_use": _flag("Yandan alan kullanır", "Yandan alınan taş o sırada açılır ya da işlenir.", "OK-35"),
        "side_precheck_opened": _flag(
            "İşe yaramayan alınmaz", "El açan, yalnız kullanacağı taşı yandan alır.", "OK-39"
        ),
        "put_back_penalty": _cost("Geri bırakma", "Yandan alınan taşı geri bırakmanın bedeli.", "OK-38"),
        "swap_from_run": _flag("Seriden okey alınır", "Yerine geçtiği taşı veren, serideki okeyi alır.", "OK-45"),
        "swap_from_group4": _flag("Dörtlü kütten okey alınır", "Dört taşlı kütteki okey alınabilir.", "OK-45"),
        "swap_two_okey_group": _flag("İki okeyli kütten alınır", "İki okeyli dörtlü kütten okey alınabilir.", "OK-45"),
        "swap_from_pair": _flag("Çiftten okey alınır", "Çiftteki okey, eşi verilerek alınabilir.", "OK-45"),
        "undo_free_tiles": _choice(
            "Bedava geri alma",
            "Bir sırada bu kadar işlenmiş taş bedava geri alınır.",
            "OK-47",
            {"null": "Hepsi", 1: "1 taş", 2: "2 taş"},
        ),
        "penalty_undo": _cost("Geri alma cezası", "Bedava sınırını aşan geri almanın bedeli.", "OK-47"),
        "penalty_okey_discard": _cost("Okey atma", "Bitmeden okey atmanın bedeli.", "OK-48"),
        "penalty_playable_discard": _cost("İşlek taş atma", "Masaya işlenebilecek taşı atmanın bedeli.", "OK-49"),
        "swap_makes_playable": _flag("Okeyi alan taş işlektir", "Okeyi alabilecek taş da işlek sayılır.", "OK-49"),
        "okey_is_playable": _flag("Okey işlek sayılır", "Bir perde yeri varsa okey de işlek taştır.", "OK-49"),
        "penalty_failed_opening": _cost("Açamama", "Baraja yetmeyen açışın bedeli.", "OK-51"),
        "indicator_reward": _choice(
            "Gösterge ödülü",
            "İlk sırasında göstergenin eşini gösterenin ödülü.",
            "OK-50",
            {-101: "101 düşülür", 0: "Yok"},
        ),
        "all_pairs_cancels": _flag("Dört çift eli bozar", "Herkes çiftle açarsa el sayılmaz.", "OK-58"),
        "okey_in_rack": _choice(
            "Elde kalan okey", "Istakada kalan okeyin sayısı.", "OK-60", {101: "101", "face": "Gösterdiği sayı"}
        ),
        "unopened_penalty": _choice("Açamayan", "El açmayanın yazdığı sayı.", "OK-61", {n: str(n) for n in (101, 202)}),
        "finish_reward": _choice(
            "Bitiş",
            "Bitenin yazdığı sayı; bitiş çizelgesi olan kurallarda çizelge geçer.",
            "OK-64",
            {-101: "−101", -202: "−202"},
        ),
        "mult_okey": _times("Okeyle bitiş", "Okey atarak bitmenin katı.", "OK-63"),
        "mult_pairs": _times("Çiftten bitiş", "Çiftle açıp bitmenin katı.", "OK-63"),
        "mult_from_hand": _times("Elden bitiş", "Açtığı sırada bitmenin katı.", "OK-63"),
        "from_hand_condition": _choice(
            "Elden bitiş ne zaman",
            "Hangi bitiş elden sayılır?",
            "OK-62",
            {
                "same_turn": "Açtığı sırada biten",
                "single_move": "Tek hamlede açıp biten",
                "same_turn_nobody_opened": "Başka açan yokken biten",
            },
        ),
        "pairs_rack_factor": _times("Çift açanın eli", "Çiftle açanın elinde kalan sayının katı.", "OK-64"),
        "pairs_factor_on_exhaustion": _flag(
            "Deste bitince de kat", "Deste biterse de çift açanın katı işler.", "OK-65"
        ),
        "exhausted_nobody_opened": _choice(
            "Kimse açmadan deste bitince",
            "Hiç kimse açmadıysa ne yazılır?",
            "OK-65",
            {"zero": "Herkese 0", "pay": "Herkese açmama sayısı"},
        ),
        "partner_waiver": _choice(
            "Eşi biten",
            "Ortağı biten oyuncu ne yazar?",
            "OK-70",
            {"positive_only": "Yalnız ödülü", "literal_zero": "Sıfır", "base_only": "Ceza ve ödülleri"},
        ),
    },
    headings={
        "max_meld_tiles": "Açmak",
        "layoff_in_opening_turn": "İşlemek ve çiftler",
        "side_must_use": "Yandan almak",
        "swap_from_run": "Okey almak",
        "undo_free_tiles": "Cezalar ve ödül",
        "okey_in_rack": "Sayılar",
    },
    rulesets={
        "mokali": "Mokali",
        "mey": "Mey",
        "mey_katlamali": "Mey katlamalı",
        "standart": "Standart",
        "okeylo_101": "OkeyLo 101",
        "okeylo_51": "OkeyLo 51",
        "okeylo_34": "OkeyLo 34",
    },
    reasons={
        "finish": "Biri elini bitirdi.",
        "stock": "Destede taş kalmadı.",
        "cancelled": "Herkes çiftle açtı, el sayılmadı.",
    },
    prompts={
        "draw": ("Desteden bir taş çek", "{who} taş çekecek"),
        "draw_or_take": ("Desteden çek ya da yandan al", "{who} taş çekecek"),
        "first": ("Çekmeden bir taş at ya da elini aç", "{who} çekmeden başlıyor"),
        "open": ("Elini aç ya da bir taş at", "{who} oynuyor"),
        "use": ("Aldığın taşı kullan ya da geri bırak", "{who} yandan aldı, oynuyor"),
        "waived": ("Taşı at ya da geri al", "{who} elden bitiyor"),
        "last": ("Son taşını at, eli bitir", "{who} son taşında"),
        "lay": ("İşle ya da bir taş at", "{who} oynuyor"),
        "hand_over": ("El bitti", "El bitti"),
        "over": ("Oyun bitti", "Oyun bitti"),
    },
    cue=_cue,
    words={
        "source": {"stock": "Desteden çek", "side": "Yandan al"},
        "kind": {"melds": "Perlerini indir", "pairs": "Çiftlerini indir"},
        "phase": {
            "draw": "önce bir taş çek",
            "play": "bu sıra çekilmez, aç, işle ya da bir taş at",
            "hand_over": "önce yeni el dağıtılsın",
            "over": "oyun bitti",
        },
        "because": {
            Because.RETURNED: "Geri bıraktığın taşı bu sıra yeniden alamazsın",
            Because.NO_DISCARD: "Solunda atılmış taş yok",
            Because.NOT_TAKEN: "Geri bırakacak taşın yok: bu sıra yandan almadın",
            Because.ON_TABLE: "Yandan aldığın {tile} yerde: bırakmak için önce hamleni geri al",
            Because.SHORT: "en az üç taş gerekir",
            Because.LONG: "küt en çok dört, seri en çok on üç taştır",
            Because.TWICE: "seride aynı sayı iki kez olmaz",
            Because.ROUND: "1 yalnızca başta, 2'den önce durur",
            Because.GAP: "seride sayılar art arda gelir",
            Because.COLOUR_TWICE: "kütte aynı renk iki kez olmaz",
            Because.MIXED: "seri tek renk, küt tek sayı ister",
            Because.NOT_TWO: "çift iki taştır",
            Because.TWO_OKEYS: "iki okey çift olmaz",
            Because.DIFFERENT: "çift aynı taştan ikisi ya da okeyle bir taştır",
            Because.OVER_CAP: "Bir seride en çok {most} taş olur: ikiye bölüp aç",
            Because.NO_ROOM: "Bu perde yer yok: başka bir per seç",
            Because.OPENED_MELDS: "Seriden açtın, bu elde çift açamazsın: seri ya da küt aç",
            Because.OPENED_PAIRS: "Çiftten açtın, bu elde seri ya da küt açamazsın: işle ya da çift aç",
            Because.NO_PAIRS_THERE: "Masada çift açan olmadan çift koyamazsın: seri ya da küt aç",
            Because.NOT_THEIR_AREA: "Seçtiğin oyuncu çiftten açmadı: çift açanın önünü seç",
            Because.NO_MORE_PAIRS: "Çiftten açtın, bu masada başka çift konmaz: işle ya da bir taş at",
            Because.JUST_OPENED: "Bu sıra açtın: yeni perler ve işlemek sonraki sıranı bekler",
            Because.UNOPENED: "İşlemek ve okey almak için önce elini aç",
            Because.PAIRS_STAY: "Çiftten açtın, bu masada taş işleyemezsin: çift aç ya da bir taş at",
            Because.SIDE_TO_OPEN: "açtığın perlerde olmalı: onunla aç ya da geri bırak",
            Because.SIDE_TO_LAY: "bu sıra yere inmeli: per aç, işle ya da geri bırak",
            Because.DOES_NOT_FIT: "Bu pere {tile} uymuyor: başka bir per seç",
            Because.NO_OKEY_FOR_IT: "Bu perde {tile} yerine duran okey yok: başka bir per seç",
            Because.OKEY_FOR_OKEY: "Okey verilip okey alınmaz: yerine durduğu taşı ver",
            Because.RUN_CLOSED: "bu masada serideki okey yerinde kalır",
            Because.GROUP_OF_THREE: "üç taşlık kütte önce dördüncü renk gelmeli",
            Because.GROUP_CLOSED: "bu masada kütteki okey yerinde kalır",
            Because.TWO_IN_GROUP: "bu masada iki okeyli kütten alınmaz",
            Because.PAIR_CLOSED: "bu masada çiftteki okey yerinde kalır",
            NoTwin.TWIN_NOT_HELD: "Göstergenin eşi {tile} elinde değil",
            NoTwin.TWIN_FROM_SIDE: "Göstergenin eşini yandan aldın",
        },
        "why": {
            "okey": "okey attı",
            "playable": "işlek taş attı",
            "undo": "işlediğini geri aldı",
            "put_back": "yandan aldığını geri bıraktı",
            "failed": "açamadı",
            "before": "önceden cezalı",
        },
        "okey": {"true": "okeyle ", "false": ""},
        "pairs": {"true": "çiftten ", "false": ""},
        "from_hand": {"true": "elden ", "false": ""},
        "row": {
            "finish": "Bitti",
            "unopened": "Açmadı",
            "rack": "Elinde kaldı",
            "nobody": "Kimse açmadı",
        },
        "factor": {
            "okey": "okeyle bitiş",
            "pairs": "çiftten bitiş",
            "from_hand": "elden bitiş",
            "own_pairs": "çiftten açtı",
        },
        "item": {
            "okey": "Okey attı",
            "playable": "İşlek taş attı",
            "undo": "Geri aldı",
            "put_back": "Taşı geri bıraktı",
            "failed": "Açamadı",
            "before": "Önceki cezalar",
            "indicator": "Göstergeyi gösterdi",
        },
    },
    figures=_figures,
    gist=gist,
    length=_length,
)
