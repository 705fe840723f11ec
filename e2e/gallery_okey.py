"""Every state of a table of 101 Okey, one after another: few tables, laid into one position after the other."""

from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import expect

from e2e.gallery import WIDE, NewPhone, Scene
from e2e.okey import GAME, case, dealt
from e2e.staging import Stage
from mokali.engine import codec
from mokali.engine.tiles import ALL_TILES
from mokali.games.okey101.score import Fine
from tests.web.server import Server

Setup = dict[str, Any]


def _stage(server: Server, new_phone: NewPhone, names: list[str], setup: Setup, **rules: Any) -> Stage:
    return Stage(server, new_phone, dealt(server, setup, names, **rules))


def _arranges(stage: Stage, who: int, *groups: str, down: tuple[str, ...] = ()) -> None:
    """Let a seat lay its tiles in groups of its own, the others behind."""
    slots: list[str] = []
    for group in groups:
        slots += [*group.split(), ""]
    seat = stage.seat(who)
    seat.do("rack", cols=10, slots=slots + [""] * (30 - len(slots)), down=list(down), n=1)
    seat.settle()
    seat.wire.close()


def turns(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A turn of one's own from the first tile to the last, and the sheets that belong to it."""
    names = ["Ayşe", "Muhammet Ali", "Ecenaz", "Deniz", "Efe"]
    stage = _stage(server, new_phone, names, FIRST, hands=5)
    page = stage.look()
    yield Scene("okey-ilk-tur", page, True)
    page.locator("#sort [data-sort=runs]").tap()
    expect(page.locator("#open-melds .num")).to_have_text("127/101")
    yield Scene("okey-dizili", page, True)
    page.locator("#open-melds").tap()
    expect(page.locator("#sheet-open-melds .sum")).to_contain_text("açabilirsin")
    yield Scene("okey-ac-seri", page, True)
    stage.put(ALL_THREE)
    page = stage.look()
    page.locator("#sort [data-sort=runs]").tap()
    page.locator("#sort [data-sort=pairs]").tap()
    expect(page.locator("#open-pairs .num")).to_have_text("11/5")
    page.locator("#open-pairs").tap()
    yield Scene("okey-ac-cift", page, True)
    stage.put(TO_DRAW)
    page = stage.look()
    yield Scene("okey-cek", page, True)
    page.locator("#side").tap()
    back = page.locator('#side[data-do="return"]')
    expect(back).to_be_visible()
    page.wait_for_timeout(1_100)  # right after the draw it takes no tap
    yield Scene("okey-yandan-alindi", page, True)
    back.tap()
    expect(back).to_contain_text("Geri bırak?")
    yield Scene("okey-geri-birak", page, True)
    stage.put(OPENED)
    page = stage.look()
    page.locator("#tile-R12a").tap()
    expect(page.locator(".laid.fits")).to_have_count(1)
    yield Scene("okey-islenir", page, True)
    page.locator("#drop").tap()
    expect(page.locator("#drop")).to_contain_text("Yine de at")
    yield Scene("okey-yine-de-at", page, True)
    page = stage.look()
    page.locator("#tile-B7a").tap()
    expect(page.locator(".laid.frees")).to_have_count(1)
    yield Scene("okey-okey-al", page, True)
    page = stage.look()
    page.locator("#tile-B6b").tap()
    page.locator(".laid.run.fits").nth(2).tap()
    expect(page.locator("#sheet-end")).to_be_visible()
    yield Scene("okey-uc-sec", page, True)
    page = stage.look(2)
    yield Scene("okey-bekliyorsun", page, True)
    page.get_by_role("button", name="Menü").tap()
    page.locator('#sheet-menu [data-ui="rules"]').tap()
    expect(page.locator("#sheet-rules")).to_be_visible()
    yield Scene("okey-kurallar", page, True)
    stage.put(OKEYS)
    _arranges(stage, 0, "B6a", "FJa FJb", "B6b R1a", down=("B6a",))
    page = stage.look()
    expect(page.locator(".tile.down")).to_have_count(1)
    yield Scene("okey-kapali", page, True)


def tables(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A table that is full, for who plays and who watches; hands and matches that are over."""
    names = ["Burak", "Zeynep", "Can", "Elif", "Mert"]
    stage = _stage(server, new_phone, names, FULL, hands=5)
    stage.put(FULL, history=HISTORY, hand=4, fines=FINES, rewards=(0, 0, 0, -101))
    page = stage.look()
    page.locator("#tile-R6b").tap()
    expect(page.locator(".laid.fits")).to_have_count(1)
    yield Scene("okey-dolu-masa", page, True)
    page = stage.look()
    page.locator("#melds .spread").tap(position={"x": 300, "y": 260})  # free felt
    expect(page.locator("#table.magnified")).to_be_attached()
    yield Scene("okey-buyutec", page, True)
    page = stage.look()
    page.locator("#title .title").tap()
    expect(page.locator("#sheet-scores")).to_be_visible()
    yield Scene("okey-skor", page, True)
    page = stage.look(-1)
    yield Scene("okey-izleyen-dolu", page, True)
    stage.put(OPENED)
    yield Scene("okey-izleyen", stage.look(-1), True)
    stage.put(FIRST)
    yield Scene("okey-izleyen-bos", stage.look(-1), True)
    stage.put(STOCK, hand=2, history=HISTORY[:1])
    stage.does(2, {"do": "draw", "from": "stock"}, {"do": "discard", "tile": "R4"})
    yield Scene("okey-el-sonu-deste", stage.look(), True)
    stage.put(ALL_THREE, hand=3, history=HISTORY[:2], fines=FINES, rewards=(-101, 0, 0, 0))
    stage.does(0, *LAST_TURN)
    yield Scene("okey-el-sonu", stage.look(3), True)
    yield Scene("okey-el-sonu-izleyen", stage.look(-1), True)
    stage.put(ALL_THREE, hand=5, history=HISTORY)
    stage.does(0, *LAST_TURN)
    page = stage.look()
    yield Scene("okey-mac-sonu", page, True)
    page.locator('[data-do="again"]').tap()
    expect(page.locator('[data-do="again"]')).to_contain_text("1/4")
    yield Scene("okey-mac-sonu-yeniden", page, True)
    yield Scene("okey-mac-sonu-izleyen", stage.look(-1), True)


def company(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Partners with the widest names, one of them lost; two and three people."""
    stage = _stage(server, new_phone, [WIDE + letter for letter in "ABCDE"], FIRST, hands=5, partnered=True)
    yield Scene("okey-genis-ilk-tur", stage.look(), True)
    stage.put(FULL, history=HISTORY, hand=4, fines=FINES, rewards=(0, -101, 0, 0))
    yield Scene("okey-genis-bekliyorsun", stage.look(2), True)
    yield Scene("okey-genis-izleyen", stage.look(-1), True)
    stage.put(OPENED, away=(1, 3))
    yield Scene("okey-genis-kopuk", stage.look(), True)
    stage.put(ALL_THREE, hand=3, history=HISTORY[:2], fines=FINES, rewards=(-101, 0, 0, 0))
    stage.does(0, *LAST_TURN)
    page = stage.look(1)
    yield Scene("okey-genis-el-sonu", page, True)
    stage.put(ALL_THREE, hand=5, history=HISTORY)
    stage.does(0, *LAST_TURN)
    yield Scene("okey-genis-mac-sonu", stage.look(3), True)
    two = _stage(server, new_phone, ["Ali", "Ece", "Umut"], ALONE | {"racks": _racks("", "", mover=0)}, helps=False)
    _arranges(two, 0, "R1a R2a R3a", "Y1a Y2a", "R4a R5a R6a R7a")
    page = two.look()
    yield Scene("okey-ikili", page, True)
    page.locator("#open-melds").tap()
    expect(page.locator("#sheet-open-melds .pick")).to_have_count(3)
    yield Scene("okey-ac-yardimsiz", page, True)
    yield Scene("okey-uclu", three(server, new_phone).look(1), True)


def rulesets(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """What other rule sets add: prices that are asked for, doors that are closed, a hand that does not count."""
    standart = codec.plain(GAME.rulesets["standart"])
    stage = _stage(server, new_phone, ["Aslı", "Bora", "Cemre", "Derya", "Emre"], FIRST, **standart)
    page = stage.look()
    page.locator("#sort [data-sort=runs]").tap()
    page.locator("#open-melds").tap()
    page.locator("#sheet-open-melds label", has_text="kırmızı 13").tap()
    page.locator("#sheet-open-melds [data-do=open]").tap()
    expect(page.locator("#sheet-open-melds [data-do=open]")).to_have_text("Yine de aç +101")
    page.locator("#refusal").evaluate("refusal => { refusal.hidden = true }")  # it goes away by itself, but later
    yield Scene("okey-yine-de-ac", page, True, True)
    stage.put(OPENED, undone=1)
    page = stage.look()
    page.locator("#tile-R12a").tap()
    page.locator(".laid.fits").tap()
    back = page.locator('#stock[data-do="undo"]')
    expect(back).to_have_text("Geri al+101")
    yield Scene("okey-geri-al-bedelli", page, True, True)
    back.tap()
    expect(back).to_contain_text("Geri al? +101")
    yield Scene("okey-geri-al-sorar", page, True, True)
    stage.put(FOUR_PAIRS)
    stage.does(0, {"do": "open", "kind": "pairs", "melds": PAIRS}, {"do": "discard", "tile": "K3"})
    yield Scene("okey-el-sonu-sayilmaz", stage.look(), True, True)
    okeylo = codec.plain(GAME.rulesets["okeylo_101"])
    stage = _stage(server, new_phone, ["Filiz", "Gökhan", "Hale", "İrem", "Jale"], FIRST, **okeylo)
    stage.put(USELESS)
    page = stage.look()
    expect(page.locator("#side")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#step")).to_contain_text("Desteden bir taş çek")
    yield Scene("okey-yandan-alinmaz", page, True, True)


def three(server: Server, new_phone: NewPhone) -> Stage:
    """Three people, the second to draw, nobody having thrown anything yet."""
    setup = ALONE | {"racks": _racks("", "", "", mover=None), "turn": 1, "phase": "draw"}
    return _stage(server, new_phone, ["Kerem", "Selin", "Oya", "Naz"], setup)


# --- positions, with the okey B6 unless they come from a record ---


def _racks(*some: str, mover: int | None, but: str = "") -> list[list[str]]:
    """Racks; an empty one is filled with what is named nowhere."""
    named = set(f"{but} {' '.join(some)} B5a B5b B6a B6b".split())
    free = iter([tile for tile in ALL_TILES if tile not in named])
    return [rack.split() or [next(free) for _ in range(21 + (seat == mover))] for seat, rack in enumerate(some)]


def _melds(*blocks: str) -> list[Setup]:
    """What lies on the table: a text for each owner, melds parted by strokes."""
    laid = [(owner, meld.split()) for owner, block in enumerate(blocks) for meld in block.split("|") if meld.strip()]
    return [{"owner": owner, "kind": _kind(tiles), "tiles": tiles} for owner, tiles in laid]


def _kind(tiles: list[str]) -> str:
    """Tiles of one colour are a run, an okey counting as what it stands for."""
    if len(tiles) == 2:
        return "pair"
    return "run" if len({tile.rpartition("=")[2][0] for tile in tiles if not tile.startswith("FJ")}) == 1 else "group"


def _record(name: str, **more: object) -> Setup:
    setup = case(name).header.setup
    assert setup is not None
    return setup | more


FIRST: Final = _record("a-hand-with-everything")
ALONE: Final[Setup] = {"dealer": 0, "indicator": "B5a"}
TO_DRAW: Final = FIRST | {
    "racks": [FIRST["racks"][0][:-1], *FIRST["racks"][1:]],
    "discards": [["K2a"], ["B7a"], ["K4b"], ["R6a"]],
    "stock": [],
    "phase": "draw",
    "first_turn_done": None,
    "penalties": [0, 101, 0, -101],
}
_SOME: Final = (
    "R1a R2a R3a | R9a R10a R11a | R7a Y7a K7a B6a=B7",
    "Y1a Y1b | K5a K5b | B1a B1b | R13a R13b | Y9a Y9b",
    "Y3a Y4a Y5a | K9a K10a K11a | B8a B9a B10a",
)
_HELD: Final = (
    "B6b R4a B7a K12a K8b FJa R12a Y6a Y13a K1a",
    "R4b R5b Y6b B2b B3b K3b K4b K13b FJb R8b B12b",
    "K2a K6b R6a B4a Y2b Y10b R1b",
)
OPENED: Final = ALONE | {
    "turn": 0,
    "phase": "play",
    "drawn": "stock",
    "racks": _racks(*_HELD, "", mover=None, but=" ".join(_SOME).replace("=B7", "") + " R5a K8a B4b Y12b"),
    "melds": _melds(*_SOME),
    "opened": ["melds", "pairs", "melds", None],
    "discards": [["R5a"], ["K8a"], ["B4b"], ["Y12b"]],
    "penalties": [0, 0, 101, -101],
    "totals": [101, -202, 303, 0],
}
USELESS: Final = OPENED | {
    "phase": "draw",
    "drawn": None,
    "racks": [["R4a", "K1a", "Y6a"], *OPENED["racks"][1:]],
}
PAIRS: Final = [["R1a", "R1b"], ["R2a", "R2b"], ["R3a", "R3b"], ["R4a", "R4b"], ["R5a", "R5b"]]
FOUR_PAIRS: Final = ALONE | {
    "turn": 0,
    "phase": "play",
    "drawn": "stock",
    "racks": [
        [
            *(tile for pair in PAIRS for tile in pair),
            *["K3a", "K5a", "K7a", "K9a", "K11a", "K13a", "Y2a", "Y4a", "Y6a", "Y8a", "Y10a", "Y12a"],
        ],
        ["B1a", "B3a", "B7a"],
        ["B8a", "B9a", "B10a"],
        ["B11a", "B12a", "B13a"],
    ],
    "melds": _melds(
        "",
        "R6a R6b | R7a R7b | R8a R8b | R9a R9b | R10a R10b",
        "R11a R11b | R12a R12b | R13a R13b | K1a K1b | K2a K2b",
        "Y1a Y1b | Y3a Y3b | Y5a Y5b | Y7a Y7b | Y9a Y9b",
    ),
    "opened": [None, "pairs", "pairs", "pairs"],
    "opening": [None, 5, 5, 5],
    "penalties": [101, 0, 0, 0],
    "totals": [101, -202, 303, 0],
    "hand": 2,
}
OKEYS: Final = ALONE | {
    "turn": 1,
    "phase": "draw",
    "racks": _racks(
        "B6a B6b FJa FJb R1a R2a R3a R10a R11a R12a R13a Y10a Y11a Y12a Y13a K10b K11b K12b K13b B13a B12a",
        "",
        "",
        "",
        mover=None,
    ),
}
FULL: Final = ALONE | {
    "turn": 0,
    "phase": "play",
    "drawn": "stock",
    "racks": [
        ["R6b", "Y6b", "K8a", "FJb", "K7b", "B13b"],
        ["B3b", "K6b", "Y6a", "B4b"],
        ["R3b", "Y1b", "K8b"],
        ["Y2b", "R1b", "K4b", "R2b"],
    ],
    "melds": _melds(
        "R1a R2a R3a | R4a R5a R6a | R7a R8a R9a | R10a R11a R12a R13a | Y1a Y2a Y3a | R13b Y13b K13b"
        "| R7b Y7b B7b K7a | R9b Y9b B9b",
        "Y4a Y5a B6a=Y6 Y7a | Y8a Y9a Y10a | Y11a Y12a Y13a | K1a K2a K3a | K4a K5a K6a | R8b Y8b B8b| R10b Y10b B10b",
        "K9a K9b | K10a K10b | K11a K11b | K12a K12b | B1a B1b | B2a B2b | B6b=K13 K13a",
        "B5b FJa B7a | B8a B9a B10a | B11a B12a B13a | R4b Y4b B4a | R5b Y5b K5b | R11b Y11b B11b"
        "| R12b Y12b B12b | Y3b B3a K3b",
    ),
    "opened": ["melds", "melds", "pairs", "melds"],
    "discards": [["K1b"], ["K2b"], [], []],
}
STOCK: Final = _record("OK-55-stock-empty", opened=None)
ALL_THREE: Final = _record("OK-64-all-three-mokali")
LAST_TURN: Final = [line.step for line in case("OK-64-all-three-mokali").lines[:-1]]
HISTORY: Final = ((-404, 202, 86, 139), (-404, 0, 404, 808), (-101, 202, 0, 52), (-808, 144, 202, 404))
FINES: Final = (
    (),
    (Fine("okey", 101), Fine("playable", 202)),
    (Fine("undo", 101), Fine("put_back", 101)),
    (Fine("playable", 101), Fine("failed", 101)),
)
