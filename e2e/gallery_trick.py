"""Every state of a table of İhaleli Batak and of 3-5-8: few tables, laid into one position after the other."""

from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import Page, expect

from e2e.gallery import WIDE, NewPhone, Scene
from e2e.staging import Stage, dealt
from mokali.engine.cards import DECK, Suit, cards
from mokali.games import BY_KEY
from mokali.games.batak.sight import Contract
from mokali.games.ucbessekiz.exchange import Swap
from tests.web.server import Server

Setup = dict[str, Any]
Counts = tuple[int, ...]

EDGE: Final[Any] = {"x": 12, "y": 12}
"""Where a card is seen in a fan."""
PEOPLE: Final = ["Ayşe", "Muhammet Ali", "Ecenaz", "Deniz", "Efe"]
BROAD: Final = ["Muhammet Ali Can", "İ" * 16, WIDE + "W", "Iıiİ Şğçöü Iıiİş", "Efe"]


def _stage(server: Server, new_phone: NewPhone, key: str, names: list[str], setup: Setup, **rules: Any) -> Stage:
    """Nothing moves here by itself: a trick that is taken lies."""
    return Stage(server, new_phone, dealt(server, BY_KEY[key], setup, names, **rules), reduced_motion="reduce")


# --- İhaleli Batak ---


def batak(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A hand of Batak: what is said, the trump, and the tricks."""
    stage = _stage(server, new_phone, "batak", PEOPLE, _auction(), hands=12)
    yield Scene("batak-ihale-ilk", stage.look(), True, True)
    stage.put(_auction(6, "pass", 7, 8), hand=2, base=(13, 11, -4, 22))
    yield Scene("batak-ihale", stage.look(), True)
    yield Scene("batak-ihale-bekler", stage.look(2), True, True)
    yield Scene("batak-ihale-izleyen", stage.look(-1), True, True)
    stage.put(_auction(10, "pass", 11, 12))
    yield Scene("batak-ihale-son", stage.look(), True, True)
    stage.put(_contract(0, 8))
    yield Scene("batak-koz", stage.look(), True)
    yield Scene("batak-koz-bekler", stage.look(3), True, True)
    stage.put(_contract(0, 8, "S"))
    page = stage.look()
    yield Scene("batak-koz-kapali", page, True)
    _lift(page, "KH")
    yield Scene("batak-kalkik", page, True, True)
    page.locator("#card-AS").tap(position=EDGE, force=True)
    expect(page.locator('#refusal[data-code="trump_closed"] a')).to_have_text("Kural")
    yield Scene("batak-ret", page, True)
    stage.put(_contract(1, 7, "S", trick="6C 7C 5C"))
    page = stage.look()
    yield Scene("batak-gecmeli", page, True)
    _set(page, '{"onerow":true,"four":true}')
    page = stage.look()
    expect(page.locator("html.onerow.four")).to_be_attached()
    yield Scene("batak-tek-sira", page, True, True)
    _set(page, "{}")
    stage.does(0, {"do": "play", "card": "JC"})
    page = stage.look()
    yield Scene("batak-el-alindi", page, True)
    page.locator("#last").tap()
    expect(page.locator("#sheet-last")).to_be_visible()
    yield Scene("batak-son-el", page, True)
    stage.put(_contract(2, 9, "H", own="QC JC 8C 3C AD TD AS 7S", trick="6C TC", taken=(1, 1, 3, 0)), **SOME)
    yield Scene("batak-sekiz", stage.look(), True, True)
    yield Scene("batak-izleyen", stage.look(-1), True)
    page = stage.look(2)
    for sheet in ("menu", "settings"):
        _open(page, sheet)
        yield Scene(f"batak-{sheet}", page, True, sheet == "menu")
    stage.put(_last("AS"), **EARLY)
    yield Scene("batak-tek-kart", stage.look(2), True, True)
    yield from _batak_ends(stage)


def _batak_ends(stage: Stage) -> Iterator[Scene]:
    """A hand that was made, one that was not, and the match."""
    stage.put(_last("AS"), **EARLY)
    stage.does(2, {"do": "play", "card": "AS"})
    yield Scene("batak-el-sonu", stage.look(), True, True)
    stage.put(_last("2D"), hand=11, history=LONG[:10], contracts=CONTRACTS[:10])
    stage.does(2, {"do": "play", "card": "2D"})
    yield Scene("batak-el-sonu-batti", stage.look(2), True)
    yield Scene("batak-el-sonu-izleyen", stage.look(-1), True, True)
    stage.put(_last("2D"), **LATE)
    stage.does(2, {"do": "play", "card": "2D"})
    yield Scene("batak-mac-sonu", stage.look(3), True)


def batak_broad(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Batak among the widest names, with the longest sheets."""
    stage = _stage(server, new_phone, "batak", BROAD, _auction(8, "pass", 9, 10), hands=12)
    yield Scene("batak-genis-ihale", stage.look(), True)
    stage.put(_contract(2, 13), **LATE)
    yield Scene("batak-genis-koz", stage.look(1), True, True)
    stage.put(_contract(2, 13, "H", own="QC JC 8C 3C AD TD AS 7S", trick="6C TC 7H", taken=(0, 0, 5, 0)), **SOME)
    yield Scene("batak-genis", stage.look(), True)
    stage.put(_last("AS", bid=13), **LATE)
    page = stage.look(1)
    page.locator("#scores").tap()
    expect(page.locator("#sheet-scores")).to_be_visible()
    yield Scene("batak-genis-skor", page, True)
    page = stage.look(3)
    page.locator("#last").tap()
    expect(page.locator("#sheet-last")).to_be_visible()
    yield Scene("batak-genis-son-el", page, True, True)
    stage.put(_contract(1, 7, "S", trick="6C 7C 5C"), away=(1, 2))
    yield Scene("batak-genis-kopuk", stage.look(), True)
    stage.put(_last("AS"), **LATE, base=_base((34, 34, -104, 34), *LONG, (2, 1, 8, 2)))
    stage.does(2, {"do": "play", "card": "AS"})
    yield Scene("batak-genis-mac-sonu", stage.look(2), True)


# --- 3-5-8 ---


def ucbessekiz(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A hand of 3-5-8 from the exchange to its end."""
    stage = _stage(server, new_phone, "ucbessekiz", [*PEOPLE[:3], "Efe"], EXCHANGE, hands=9, max_redeals=2)
    page = stage.look(1)
    yield Scene("358-degisim", page, True)
    _lift(page, "2S")
    expect(page.get_by_role("button", name="Ver", exact=True)).to_be_enabled()
    yield Scene("358-ver", page, True, True)
    yield Scene("358-degisim-veren", stage.look(2), True, True)
    yield Scene("358-degisim-bekler", stage.look(0), True, True)
    stage.does(1, {"do": "give", "card": "2S"})
    yield Scene("358-degisti-veren", stage.look(2), True, True)
    yield Scene("358-degisti-izleyen", stage.look(-1), True, True)
    page = stage.look(1)
    yield Scene("358-degisti", page, True)
    page.locator("#enough").tap()
    expect(page.locator("#sheet-decline")).to_be_visible()
    yield Scene("358-bitir", page, True)
    stage.put(LEAD | {"hand": 5})
    yield Scene("358-koz-af", stage.look(), True)
    stage.put(LEAD, redeals=2)
    yield Scene("358-koz-son", stage.look(), True, True)
    yield Scene("358-koz-bekler", stage.look(1), True, True)
    stage.put(LEAD | {"trump": "S"})
    page = stage.look()
    yield Scene("358-gom", page, True, True)
    for card in BURIED:
        page.locator(f"#card-{card}").tap(position=EDGE)
    expect(page.get_by_role("button", name="Göm 4/4")).to_be_enabled()
    yield Scene("358-gom-4", page, True)
    yield Scene("358-gom-bekler", stage.look(2), True, True)
    stage.put(LEAD | {"trump": "none"}, swaps=SWAPS)
    stage.does(0, {"do": "bury", "cards": list(BURIED)})
    page = stage.look()
    yield Scene("358-dip", page, True)
    stage.does(0, {"do": "play", "card": "KH"})
    yield Scene("358-kozsuz", stage.look(1), True)
    stage.does(1, {"do": "play", "card": "JH"})
    stage.does(2, {"do": "play", "card": "AH"})
    page = stage.look()
    yield Scene("358-el-alindi", page, True)
    page.locator("#last").tap()
    expect(page.locator("#sheet-last")).to_be_visible()
    yield Scene("358-son-el", page, True)
    yield Scene("358-izleyen", stage.look(-1), True, True)
    yield from _ucbessekiz_ends(stage)


def _ucbessekiz_ends(stage: Stage) -> Iterator[Scene]:
    """Hands that leave something for the next one, and that don't; the match."""
    stage.put(_ending(9, 1, 5))
    stage.does(2, LAST_CARD)
    yield Scene("358-el-sonu", stage.look(), True)
    stage.put(_ending(9, 3, 3), **_before(4))
    stage.does(2, LAST_CARD)
    yield Scene("358-el-sonu-af", stage.look(1), True)
    stage.put(_ending(8, 5, 2))
    stage.does(2, LAST_CARD)
    yield Scene("358-el-sonu-denk", stage.look(-1), True, True)
    stage.put(_ending(1, 1, 13))
    stage.does(2, LAST_CARD)
    yield Scene("358-on-dort", stage.look(1), True)


def ucbessekiz_broad(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """3-5-8 among the widest names."""
    stage = _stage(server, new_phone, "ucbessekiz", BROAD[1:], EXCHANGE, hands=12)
    stage.does(1, {"do": "give", "card": "2S"})
    yield Scene("358-genis-degisti", stage.look(1), True)
    yield Scene("358-genis-degisti-veren", stage.look(2), True, True)
    stage.put(LEAD, redeals=2, base=(-104, 101, 3))
    yield Scene("358-genis-koz", stage.look(), True)
    stage.put(LEAD | {"trump": "D"})
    yield Scene("358-genis-gom", stage.look(1), True, True)
    stage.put(EXCHANGE, away=(0, 2))
    yield Scene("358-genis-kopuk", stage.look(1), True)
    stage.put(_ending(9, 1, 5), **_before(10), base=_base((-104, 101, 3), *DIFFERENCES[:9]))
    page = stage.look(1)
    page.locator("#scores").tap()
    expect(page.locator("#sheet-scores")).to_be_visible()
    yield Scene("358-genis-skor", page, True, True)
    stage.does(2, LAST_CARD)
    yield Scene("358-genis-el-sonu", stage.look(0), True)
    stage.put(_ending(7, 4, 4), **_before(12), base=_base((52, 52, -104), *DIFFERENCES, (-1, -1, 2)))
    stage.does(2, LAST_CARD)
    yield Scene("358-genis-mac-sonu", stage.look(1), True)


# --- what fingers do ---


def _lift(page: Page, card: str) -> None:
    page.locator(f"#card-{card}").tap(position=EDGE)
    expect(page.locator(f"#card-{card}.lifted")).to_be_attached()


def _open(page: Page, sheet: str) -> None:
    """The menu, or a sheet that it opens."""
    if sheet == "menu":
        page.get_by_role("button", name="Menü").tap()
    else:
        page.locator(f'#sheet-menu [data-ui="{sheet}"]').tap()
    expect(page.locator(f"#sheet-{sheet}")).to_be_visible()


def _set(page: Page, settings: str) -> None:
    """This phone's settings, from its next page on."""
    page.evaluate("settings => localStorage.setItem('mokali.settings', settings)", settings)


# --- positions of Batak, seen from seat 0 ---

OWN: Final = "KH 9H 5H QC JC 8C 3C AD TD 4D AS JS 7S"


def _hands(own: str, sizes: Counts, but: str = "") -> list[list[str]]:
    """A hand for each seat: the first one as it is told, the others of what lies nowhere."""
    free = iter([card for card in DECK if card not in cards(f"{own} {but}")])
    return [own.split(), *([str(next(free)) for _ in range(size)] for size in sizes[1:])]


def _auction(*bids: int | str | None) -> Setup:
    return {"dealer": 3, "hands": _hands(OWN, (13,) * 4), "bids": list(bids) or None}


def _contract(
    who: int, bid: int, trump: str | None = None, *, own: str = OWN, trick: str = "", taken: Counts = (0,) * 4
) -> Setup:
    """Somebody has bid so much; where cards lie, seat 0 is to follow."""
    lying = trick.split()
    players = range(4 - len(lying), 4)
    sizes = tuple(13 - sum(taken) - (seat in players) for seat in range(4))
    hands, trick_so_far = _hands(own, sizes, trick), list(zip(players, lying, strict=True))
    position = {"dealer": 3, "declarer": who, "bid": bid, "hands": hands, "taken": list(taken)}
    return position | {"trump": trump, "trick": trick_so_far}


def _last(card: str, bid: int = 8) -> Setup:
    """Seat 2, who has bid, is to play the last card of a hand."""
    return {
        "dealer": 1,
        "declarer": 2,
        "bid": bid,
        "trump": "S",
        "hands": [[], [], [card], []],
        "trick": [(3, "4H"), (0, "9H"), (1, "TH")],
        "taken": [2, 1, 7, 2],
    }


def _base(totals: Counts, *history: Counts) -> Counts:
    """With what a match must begin to come to these totals."""
    return tuple(total - sum(scores) for total, *scores in zip(totals, *history, strict=True))


LONG: Final = (*((4, 3, -13, 2), (-7, 4, 3, 6), (1, 5, 5, 2), (3, 2, -13, 5), (2, 6, -8, 1)), *((3, 4, -13, 1),) * 6)
CONTRACTS: Final = tuple(
    Contract(next((seat for seat, score in enumerate(scores) if score < 0), 1), 5, suit, 5)
    if min(scores) > 0
    else Contract(scores.index(min(scores)), -min(scores), suit, 4)
    for scores, suit in zip(LONG, (*Suit, *Suit, *Suit), strict=False)
)
"""Eleven hands, in nine of which somebody has failed; the third seat comes to −104."""
SOME: Final[dict[str, Any]] = {"tricks": (tuple(zip((3, 0, 1, 2), cards("TD QD 2S KD"), strict=True)),), "won": (1,)}
EARLY: Final = {"hand": 3, "history": LONG[:2], "contracts": CONTRACTS[:2], **SOME}
LATE: Final = {"hand": 12, "history": LONG, "contracts": CONTRACTS, **SOME}

# --- positions of 3-5-8 ---

DEALT: Final = {
    "hand": 2,
    "hands": [
        ["3S", "JS", "QS", "AS", "2H", "TH", "QH", "KH", "3D", "JD", "3C", "5C", "8C", "9C", "KC", "AC"],
        ["2S", "4S", "5S", "7S", "TS", "KS", "JH", "2D", "6D", "7D", "8D", "TD", "QD", "AD", "TC", "QC"],
        ["6S", "9S", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "AH", "4D", "5D", "9D", "KD", "4C", "6C"],
    ],
    "dip": ["8S", "2C", "7C", "JC"],
}
BURIED: Final = ("2H", "3S", "3D", "3C")
EXCHANGE: Final = DEALT | {"roles": [3, 8, 5], "balance": [-2, 4, -2], "totals": [-2, 4, -2]}
"""Seat 1 takes two cards from each of the others."""
LEAD: Final = DEALT | {"roles": [8, 5, 3], "totals": [-4, 1, 3]}
"""Seat 0 is to choose trump, as nobody owes anybody a card."""
SWAPS: Final = (
    Swap(0, 2, *cards("4H QH")),
    Swap(0, 1, *cards("3D 3D")),
    Swap(1, 0, *cards("JS KS")),
)
LAST_CARD: Final = {"do": "play", "card": "AS"}


def _ending(*taken: int) -> Setup:
    """The last trick of a hand, which seat 2 is to take."""
    lying = {"hands": [[], [], ["AS"]], "trick": [(0, "9H"), (1, "TH")]}
    return LEAD | lying | {"dip": [], "trump": "S", "taken": list(taken)}


DIFFERENCES: Final = (*((1, -4, 3), (-2, 3, -1), (0, 0, 0), (-8, 10, -2), (5, -5, 0)), *((1, 1, -2),) * 6)
PARTS: Final = ((8, 5, 3), (5, 3, 8), (3, 8, 5)) * 4


def _before(hand: int) -> dict[str, Any]:
    """A match of 3-5-8 in this hand."""
    done = hand - 1
    return {"hand": hand, "history": DIFFERENCES[:done], "past_roles": PARTS[:done], "past_taken": PARTS[:done]}
