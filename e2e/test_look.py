"""What every page must be at every size: no sideways scroll, no small targets, nothing that axe calls serious."""

import re
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from e2e.conftest import NewPhone
from e2e.phones import Phone, play_hand, seated, whose_turn
from tests.web.server import Server

SIZES: Final = [(320, 568), (360, 640), (390, 844), (430, 932), (568, 320), (640, 360), (844, 390), (1280, 800)]
LONG: Final = ("WWWWWWWWWWWWWWWW", "WWWWWWWWWWWWWWWV", "İİİİİİİİİİİİİİİİ", "ŞŞŞŞŞŞŞŞŞŞŞŞŞŞŞŞ")

MEASURE: Final = """() => {
  const seen = element => {
    const box = element.getBoundingClientRect()
    if (!box.width || !box.height || element.closest('[hidden]')) return null
    let {left, top, right, bottom} = box
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (!['auto', 'scroll', 'hidden'].includes(getComputedStyle(up).overflowY)) continue
      const clip = up.getBoundingClientRect()
      top = Math.max(top, clip.top); bottom = Math.min(bottom, clip.bottom)
    }
    return bottom - top < 1 ? null : {width: right - left, height: box.height}
  }
  const small = []
  for (const element of document.querySelectorAll('button, a[href], input, summary, label:has(input)')) {
    if (element.matches('input') && element.closest('label')) continue
    if (element.matches('p a, td a, .muted a')) continue
    const box = seen(element)
    if (box && (box.width < 24 || box.height < 24)) small.push(element.outerHTML.slice(0, 120))
  }
  const page = document.scrollingElement
  return {wide: page.scrollWidth - innerWidth, high: page.scrollHeight - innerHeight, small}
}"""


def _measured(page: Page, where: str, *, table: bool = False) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found: dict[str, Any] = page.evaluate(MEASURE)
        assert found["wide"] <= 0, f"{where} at {width}x{height} is {found['wide']} px too wide"
        assert found["small"] == [], f"{where} at {width}x{height}"
        assert not table or found["high"] <= 0, f"{where} at {width}x{height} scrolls by {found['high']} px"
    page.set_viewport_size({"width": 360, "height": 640})


def _sound(page: Page, where: str) -> None:
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_timeout(250)  # colours fade over
        found = Axe().run(page).response["violations"]
        bad = [
            (rule["id"], [node["html"][:140] for node in rule["nodes"]])
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]
        assert bad == [], f"{where}, {scheme}"
    page.emulate_media(color_scheme="dark")


def _checked(page: Page, where: str, *, table: bool = False) -> None:
    _measured(page, where, table=table)
    _sound(page, where)


@pytest.mark.parametrize(
    "path", ["/", "/masa-ac", "/kurallar", "/kurallar/pisti", "/siralama", "/profil", "/ayarlar", "/yok"]
)
def test_a_page(shared: Server, new_phone: NewPhone, path: str) -> None:
    phone = new_phone(shared, f"Bakan {abs(hash(path)) % 1000}")
    phone.page.goto(shared.base + path)
    _checked(phone.page, path)


def test_the_pages_of_strangers(shared: Server, new_phone: NewPhone) -> None:
    stranger = new_phone(shared)
    stranger.page.goto(shared.base)
    _checked(stranger.page, "entry")
    stranger.page.get_by_label("Takma adın").fill("a..b")
    stranger.page.get_by_role("button", name="Gir").tap()
    expect(stranger.page.get_by_role("alert")).to_be_visible()
    _checked(stranger.page, "entry refused")


def _everybody(shared: Server, new_phone: NewPhone, names: tuple[str, ...]) -> list[Phone]:
    return [new_phone(shared, name) for name in names]


def test_a_table_of_four_with_the_longest_names(shared: Server, new_phone: NewPhone) -> None:
    phones = _everybody(shared, new_phone, LONG)
    address = phones[0].open_table(4)
    _checked(phones[0].page, "waiting")
    for chair, phone in enumerate(phones[1:], 1):
        phone.sit(address, chair)
    _checked(phones[0].page, "waiting, all seated")
    for phone in phones:
        phone.ready()
    for phone in phones:
        phone.page.locator('#table[data-phase="play"]').wait_for()
    mover = whose_turn(*phones)
    _checked(mover.page, "own turn", table=True)
    _checked(next(phone for phone in phones if phone is not mover).page, "another's turn", table=True)
    watcher = new_phone(shared, "Bakan Biri")
    watcher.visit(address)
    _checked(watcher.page, "watching", table=True)
    for name in ("menu", "scores"):
        mover.page.locator(f'[data-ui="{name}"]:visible').first.tap()
        expect(mover.page.locator(f"#sheet-{name}")).to_be_visible()
        _checked(mover.page, f"sheet {name}", table=True)
        mover.page.keyboard.press("Escape")
        expect(mover.page.locator(f"#sheet-{name}")).to_be_hidden()
    play_hand(*phones)
    _checked(phones[0].page, "score sheet", table=True)


def test_turning_the_phone_loses_nothing(shared: Server, new_phone: NewPhone) -> None:
    ali, ece = _everybody(shared, new_phone, ("Ali Döner", "Ece Döner"))
    seated(ali, ece)
    mover = whose_turn(ali, ece)
    chosen = mover.hand[2]
    mover.card(chosen).tap()
    hand = mover.hand
    for size in ({"width": 640, "height": 360}, {"width": 360, "height": 640}):
        mover.page.set_viewport_size(size)  # type: ignore[arg-type]
        expect(mover.card(chosen)).to_have_class(re.compile("lifted"))
        assert mover.hand == hand
    before = mover.played
    mover.page.locator('[data-ui="play-lifted"]').tap()
    mover.moved_on(before)
    assert chosen not in mover.hand


def test_reduced_motion_plays_all_the_same(shared: Server, new_phone: NewPhone) -> None:
    ali = new_phone(shared, "Ali Durgun", reduced_motion="reduce")
    ece = new_phone(shared, "Ece Durgun", reduced_motion="reduce")
    seated(ali, ece)
    for _ in range(3):
        whose_turn(ali, ece).play()
