"""Why a bot of 101 Okey would play a move: the sentences."""

from collections.abc import Iterable

from mokali.engine import melds as shapes
from mokali.engine import prospects
from mokali.engine.melds import Kind
from mokali.engine.protocol import Action, Mind
from mokali.engine.tileplay import Discard, Draw, Show
from mokali.engine.tiles import Face, Tile, natural
from mokali.games.okey101.bots.seen import Seen, uses
from mokali.games.okey101.bots.thumbs import faces
from mokali.games.okey101.calls import As, Call, Open, names
from mokali.games.okey101.hand import Return
from mokali.games.okey101.laying import Lay, Swap


def why(mind: Mind, action: Action) -> str:
    """Why ``zor`` would play this, in one Turkish sentence that tells no more than the view does."""
    seen = Seen.of(mind)
    match action:
        case Show():
            return f"Göstergenin eşini ilk turunda gösterirsen {-seen.view.rules.indicator_reward} puan silersin."
        case Draw():
            return _why_draw(seen, action, mind)
        case Open():
            return _why_open(seen, action)
        case Lay() if uses(action, seen.okey):
            return "Okey elinde kalırsa pahalıya gelir; yerde bir pere giriyor."
        case Lay():
            return "Bu taş yerdeki bir pere giriyor; elinde kalırsa sayısı yazılır."
        case Swap():
            return "Bu taşla yerdeki okeyi alıyorsun; okey başka bir pere de girer."
        case Return():
            return "Yandan aldığın taşı indiremiyorsun; geri bırakınca desteden çekersin."
        case Discard(tile):
            return _why_discard(seen, Tile(tile))
    return "Şimdi yapılabilecek en iyi hamle bu."


def _why_draw(seen: Seen, draw: Draw, mind: Mind) -> str:
    if draw.source == "side":
        return "Yandaki taşı hemen yere indirebilirsin." if seen.opened else "Yandaki taşla elini açabiliyorsun."
    if Draw("side") not in mind.moves:
        return "Yanda alınacak taş yok."
    if seen.opened:
        return "Yandaki taşı bu turda yere indiremiyorsun."
    return "Yandaki taş elini açmaya yetmiyor."


def _why_open(seen: Seen, call: Open) -> str:
    view = seen.view
    if seen.opened:
        return "Bu taşlar birlikte yere iniyor; elinde kalırlarsa sayıları yazılır."
    if call.kind == "pairs":
        return f"{len(call.melds)} çiftin var, açmaya {view.bar_pairs} çift yetiyor."
    value = sum(_value(map(Tile, names(some)), some, seen.okey) for some in call.melds)
    if value < (view.bar or 0):
        return "Tek taş dışında elindeki her şey yere iniyor."
    return f"Perlerin {value} ediyor, baraj {view.bar}; açmadan biterse {view.rules.unopened_penalty} yazarsın."


def _value(tiles: Iterable[Tile], call: Call, okey: Face) -> int:
    meld = shapes.meld(tuple(tiles), okey, Kind(call.kind) if isinstance(call, As) else None)
    return 0 if meld is None else meld.value


def _why_discard(seen: Seen, tile: Tile) -> str:
    face = natural(tile, seen.okey)
    if len(seen.view.rack) == 1:
        doubles = face is None and seen.view.rules.mult_okey > 1
        return "Son taşın okey: onunla bitirirsen el katlanır." if doubles else "Son taşını atınca el biter."
    if face is None or tile in seen.fines():
        return "Elindeki taşların hepsi değerli; en az bunu atmak zarar verir."
    if not prospects.ties(face, faces(seen, tile), seen.left):
        return "Bu taş, elindeki hiçbir taşla per yolunda değil."
    if seen.opened:
        return "Elde kalan taşların sayısı yazılır; bunu şimdi atmak en az zarar verir."
    return "Bu taşı atınca açma şansın en az azalır, sağındakine de pek yaramaz."
