"""What a table's rules mean, in a few sentences made from their values (UX 3, the waiting table)."""

from collections.abc import Iterator
from typing import Final

from mokali.games.okey101.rules import OkeyRules
from mokali.games.okey101.score import Finish, reward

_TIMES: Final = {1: "kendisini", 2: "iki katını", 3: "üç katını"}
_FROM_HAND: Final = {
    "same_turn": "Elden: açtığın sırada bitersin.",
    "single_move": "Elden: tek hamlede açıp bitersin.",
    "same_turn_nobody_opened": "Elden: başka açan yokken, açtığın sırada bitersin.",
}
_PAIRS: Final = {
    "never": "Seriyle açan çift indiremez.",
    "own": "Biri çiftle açtıysa seriyle açan da kendi önüne çift indirebilir.",
    "area": "Biri çiftle açtıysa seriyle açan da onun önüne çift koyabilir.",
}


def gist(rules: OkeyRules) -> list[str]:
    """Five to ten lines; what only matters to who knows the game stands among the differences."""
    lines = (_match, _opening, _sizes, _pairs, _side, _okeys, _flat, _end, _factors, _nobody)
    return [text for line in lines if (text := " ".join(line(rules)))]


def _match(rules: OkeyRules) -> Iterator[str]:
    hands = "Tek el" if rules.hands == 1 else f"{rules.hands} el"
    if rules.partnered:
        yield f"Eşli, {hands.lower()}: eşlerin sayıları toplanır, toplamı en az olan takım kazanır."
    else:
        yield f"{hands} oynanır, sayısı en az olan kazanır."
    if rules.mode == "stake":
        yield "Bahis yoktur."


def _opening(rules: OkeyRules) -> Iterator[str]:
    yield f"El açmak için en az {rules.threshold} sayılık per ya da {rules.min_pairs} çift gerekir."
    if rules.rising_threshold:
        yield "Katlamalı: sonra açan, önce açanların hepsinden fazlasıyla açar."
    if rules.from_hand_waives_threshold:
        yield "Tek hamlede elinde bir taş bırakana baraj aranmaz."


def _sizes(rules: OkeyRules) -> Iterator[str]:
    if rules.max_meld_tiles < 13:
        yield f"Bir seride en çok {rules.max_meld_tiles} taş olur."
    if rules.layoff_tiles_max:
        yield f"Bir hamlede en çok {rules.layoff_tiles_max} taş işlenir."


def _pairs(rules: OkeyRules) -> Iterator[str]:
    yield _PAIRS[rules.melds_opener_pairs]
    if not rules.pairs_opener_more_pairs:
        yield "Çiftle açan sonradan çift indiremez."
    if not rules.pairs_opener_layoff:
        yield "Çiftle açan taş işleyemez."


def _side(rules: OkeyRules) -> Iterator[str]:
    yield "Yandan alınan taş " + (
        "o sırada kullanılır ya da geri bırakılır." if rules.side_must_use else "elde kalabilir."
    )
    if rules.side_precheck_opened:
        yield "Elini açan, yandan yalnız hemen kullanabileceği taşı alır."
    if rules.put_back_penalty:
        yield f"Geri bırakmak {rules.put_back_penalty} cezadır."


def _okeys(rules: OkeyRules) -> Iterator[str]:
    places = (
        (rules.swap_from_run, "seriden"),
        (rules.swap_from_group4, "dörtlü kütten"),
        (rules.swap_from_pair, "çiftten"),
    )
    found = [name for taken, name in places if taken]
    if found:
        yield f"Yerdeki okey, yerini tuttuğu taşı verene geçer: {', '.join(found)}."
    else:
        yield "Yerdeki okeyler yerinde kalır."


def _flat(rules: OkeyRules) -> Iterator[str]:
    undo = rules.undo_free_tiles is not None and rules.penalty_undo
    fines = (
        ("okey atmak", rules.penalty_okey_discard),
        ("işlek taş atmak", rules.penalty_playable_discard),
        ("baraja yetmeden açmak", rules.penalty_failed_opening),
        (f"bir sırada işlenmiş {rules.undo_free_tiles} taştan fazlasını geri almak", rules.penalty_undo if undo else 0),
    )
    found = [f"{name} {points}" for name, points in fines if points]
    yield f"Cezalar: {', '.join(found)}." if found else "Okey ya da işlek taş atmanın cezası yoktur."
    if rules.indicator_reward:
        yield f"Göstergenin eşini ilk sırasında gösterenden {-rules.indicator_reward} düşülür."


def _end(rules: OkeyRules) -> Iterator[str]:
    plain, _ = reward(Finish(0, False, False, False), rules)
    yield f"Bitene {_minus(plain)}, hiç açmayana {rules.unopened_penalty}, ötekilere ellerinde kalan yazılır."
    yield "Elde kalan okey 101 sayılır." if rules.okey_in_rack == 101 else "Elde kalan okey kendi sayısıdır."
    if rules.pairs_rack_factor > 1:
        yield f"Çiftle açan, elinde kalanın {_TIMES[rules.pairs_rack_factor]} yazar."


def _factors(rules: OkeyRules) -> Iterator[str]:
    ways = ("okeyle", rules.mult_okey), ("çiftten", rules.mult_pairs), ("elden", rules.mult_from_hand)
    found = [f"{name} ×{times}" for name, times in ways if times > 1]
    yield f"Bitişin katı: {', '.join(found)}." if found else "Nasıl bitildiği sayıları değiştirmez."
    if rules.mult_from_hand > 1:
        yield _FROM_HAND[rules.from_hand_condition]
    if rules.reward_table:
        best = _minus(min(rules.reward_table))
        yield f"Bitenin kendi sayısı çizelgeden okunur, en iyisi {best}."


def _nobody(rules: OkeyRules) -> Iterator[str]:
    nothing = rules.exhausted_nobody_opened == "zero"
    yield f"Kimse açmadan deste biterse herkese {0 if nothing else rules.unopened_penalty} yazılır."
    if rules.all_pairs_cancels:
        yield "Dördü de çiftle açarsa el sayılmaz."


def _minus(value: int) -> str:
    return str(value).replace("-", "−")
