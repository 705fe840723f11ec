"""101 Okey in Turkish."""

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mokali.engine.protocol import Choice, Common, Texts
from mokali.engine.tiles import tiles
from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Finish, HandIn, tallies
from mokali.games.okey101.spread import No

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
    hand = HandIn("B6", racks, ("melds", None, "melds", "pairs"), (0,) * 4, (0,) * 4, finish)
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
    if chosen.partnered and seats == 4:
        return f"Eşli, {hands}"
    return hands.capitalize() if seats == 4 else f"{seats} kişi, {hands}"


def _flag(label: str, meaning: str, rule: str) -> Choice:
    return Choice(label=label, meaning=meaning, rule=rule, values=_YES_NO)


def _cost(label: str, meaning: str, rule: str) -> Choice:
    return Choice(label=label, meaning=meaning, rule=rule, values=_COST)


def _times(label: str, meaning: str, rule: str) -> Choice:
    return Choice(label=label, meaning=meaning, rule=rule, values=_TIMES)


def _choice(label: str, meaning: str, rule: str, values: Mapping[Any, str], *, basic: bool = False) -> Choice:
    named = {str(value): text for value, text in values.items()}
    return Choice(label=label, meaning=meaning, rule=rule, values=named, basic=basic)


TEXTS: Final = Texts(
    summary="101 sayıyla ya da beş çiftle aç, taşlarını işle, en az sayıyla kal. Dört kişi, tek ya da eşli.",
    refusals={
        Common.NOT_YOUR_TURN: ("Sıra {turn:de}.", "OK-14"),
        Common.WRONG_PHASE: ("Bu şu anda yapılamaz: her sırada önce bir taş çekilir, en son bir taş atılır.", "OK-13"),
        Common.NOT_HELD: ("Bu taş ıstakanda değil.", "OK-25"),
        No.SIDE_CLOSED: ("Yandan taş alamazsın: alınacak taş yok ya da bu sırada geri bıraktın.", "OK-38"),
        No.SIDE_UNUSABLE: ("Bu taşı hemen kullanamıyorsun, o yüzden yandan alamazsın.", "OK-39"),
        No.NO_SIDE_TILE: ("Geri bırakılacak bir taş yok: yandan aldığın taş ıstakanda değil.", "OK-38"),
        No.MELD_ON_TABLE: ("Bu sırada per açtın; taşı geri bırakmak için önce onu geri al.", "OK-38"),
        No.WAIVED: ("Barajın altında elden açtın: şimdi ya geri al ya da taşını at.", "OK-33"),
        No.AS_NEEDED: ("Bu per seri de olabilir küt de: hangisi olduğunu seç.", "OK-21"),
        No.BAD_MELD: ("Bu taşlar ne seri ne küt.", "OK-15"),
        No.BAD_PAIR: ("Bu taşlar çift değil.", "OK-17"),
        No.MELD_FULL: ("Bu perde yer yok.", "OK-24"),
        No.KIND_CLOSED: ("Bunu şimdi açamazsın: açış biçimin buna izin vermiyor.", "OK-29"),
        No.KEEP_ONE: ("Elinde atacak bir taş kalmalı.", "OK-31"),
        No.SIDE_UNUSED: ("Yandan aldığın taşı kullanmalısın ya da geri bırakmalısın.", "OK-35"),
        No.TOO_FEW_PAIRS: ("Çift sayın yetmiyor: {value} çift var, en az {bar} gerek.", "OK-26"),
        No.BELOW_BAR: ("Açmaya yetmiyor: {value} sayı var, en az {bar} gerek.", "OK-26"),
        No.NOT_OPENED: ("İşlemek ve okey almak için önce el açmalısın.", "OK-40"),
        No.BAD_TARGET: ("Oraya taş işlenmez: seri ya da küt seç.", "OK-40"),
        No.TOO_MANY: ("Bir seferde en çok {most} taş işlenir.", "OK-43"),
        No.END_NEEDED: ("Okey serinin iki ucuna da gider: başını ya da sonunu seç.", "OK-42"),
        No.NO_FIT: ("Bu taş oraya uymuyor.", "OK-41"),
        No.NOT_TAKEABLE: ("Buradaki okey alınamaz.", "OK-45"),
        No.NOTHING_TO_UNDO: ("Bu sırada geri alınacak bir hamle yok.", "OK-46"),
        No.NOT_IN_RULES: ("Bu masada gösterge gösterilmez.", "OK-50"),
        No.ALREADY_SHOWN: ("Gösterge bu elde zaten gösterildi.", "OK-50"),
        No.TOO_LATE: ("Gösterge yalnız ilk sıranda, taş atmadan önce gösterilir.", "OK-50"),
        No.NO_INDICATOR: ("Göstergenin eşi elinde değil ya da onu yandan aldın.", "OK-50"),
    },
    events={
        "stock_drawn": "{seat} desteden çekti.",
        "side_taken": "{seat} yandan {tile} aldı.",
        "side_returned": "{seat} {tile} taşını geri bıraktı.",
        "opened": "{seat} {value} sayıyla açtı.",
        "pairs_opened": "{seat} {pairs} çiftle açtı.",
        "melds_laid": "{seat} {melds} per daha indirdi.",
        "opening_failed": "{seat} açamadı: {value} sayı, {points} ceza.",
        "tiles_laid": "{seat} {count} taş işledi.",
        "okey_taken": "{seat} {tile} verip okeyi aldı.",
        "move_taken_back": "{seat} hamlesini geri aldı.",
        "indicator_shown": "{seat} göstergeyi gösterdi, {points} sayı.",
        "penalised": "{seat} {points} ceza yedi.",
        "discarded": "{seat} {tile} attı.",
        "finished": "{seat} bitti.",
        "hand_ended": "El bitti.",
    },
    toasts={
        "opened": "AÇTI {value}",
        "pairs_opened": "{pairs} ÇİFTLE AÇTI",
        "opening_failed": "AÇAMADI +{points}",
        "indicator_shown": "GÖSTERGE {points}",
        "penalised": "CEZA +{points}",
        "finished": "BİTTİ",
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
        ),
        "partnered": _choice(
            "Oyun biçimi",
            "Eşlide karşılıklı oturanlar ortaktır, sayıları toplanır.",
            "OK-69",
            {"false": "Tekli", "true": "Eşli"},
            basic=True,
        ),
        "hands_choices": _choice("Sunulan el sayıları", "Masa açılırken seçilebilecek el sayıları.", "OK-68", {}),
        "hands_default": _choice("Önerilen el sayısı", "Masa açılırken seçili gelen el sayısı.", "OK-68", {}),
        "partnered_allowed": _flag("Eşli sunulur", "Bu kurallarla eşli oynanabilir.", "OK-69"),
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
        "finish_reward": _choice("Bitiş", "Bitenin yazdığı sayı.", "OK-64", {-101: "−101", -202: "−202"}),
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
        "reward_table": _choice("Bitiş tablosu", "Bitenin sayısı, bitiş türüne göre.", "OK-75", {}),
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
        "mode": _choice(
            "Masa türü",
            "Bu kurallarla açılan masanın türü.",
            "AB-2",
            {"casual": "Serbest", "stake": "Çipli", "timed": "Süreli"},
        ),
        "turn_seconds": _choice(
            "Sıra süresi", "Bir sıranın saniyesi; 0 süresiz.", "PT-8", {n: str(n) for n in (0, 60)}
        ),
    },
    rulesets={
        "mokali": "Mokali kuralları",
        "mey": "Mey",
        "mey_katlamali": "Mey katlamalı",
        "standart": "Standart",
        "okeylo_101": "Okeylo 101",
        "okeylo_51": "Okeylo 51",
        "okeylo_34": "Okeylo 34",
    },
    reasons={
        "finish": "Biri elini bitirdi.",
        "stock": "Destede taş kalmadı.",
        "cancelled": "Herkes çiftle açtı, el sayılmadı.",
    },
    prompts={
        "draw": ("Sıra sende: desteden çek ya da yandan al", "{who} taş çekecek"),
        "play": ("Sıra sende: aç, işle, bir taş at", "{who} oynuyor"),
        "hand_over": ("El bitti", "El bitti"),
        "over": ("Oyun bitti", "Oyun bitti"),
    },
    figures=_figures,
    length=_length,
)
