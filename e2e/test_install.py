"""Mokali on the home screen: what the service worker keeps and shows, and where "Ana ekrana ekle" is offered."""

import re
from typing import Any, Final

from playwright.sync_api import Page, expect

from e2e.conftest import House, NewPhone
from e2e.gallery import IPHONE, OFFER
from e2e.phones import Phone
from tests.web.seat import open_table
from tests.web.server import Server

READY: Final = """async () => {
  const worker = navigator.serviceWorker
  await worker.ready
  if (!worker.controller) await new Promise(done => worker.addEventListener('controllerchange', done, {once: true}))
}"""
KEPT: Final = """async () => {
  const found = {}
  for (const name of await caches.keys())
    found[name] = (await (await caches.open(name)).keys()).map(({url}) => new URL(url).pathname)
  return found
}"""
PART: Final = """async address => {
  const answer = await fetch(address, {headers: {Range: 'bytes=0-9'}})
  return [answer.status, (await answer.text()).length]
}"""


def _taken(phone: Phone) -> None:
    """Wait until the worker serves this page."""
    phone.page.evaluate(READY)


def _kept(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(KEPT)
    return found


def test_rl_15_rl_16_the_worker_keeps_files_alone_and_says_there_is_no_line(serve: House, new_phone: NewPhone) -> None:
    server = serve(max_people=1)
    ali = new_phone(server, "Ali", service_workers="allow")
    ali.page.goto(f"{server.base}/manifest.webmanifest")
    ali.page.evaluate("() => caches.open('mokali-eski').then(old => old.put('/static/eski.js', new Response('')))")
    ali.lobby()
    _taken(ali)
    address = f"{server.base}/masa/{open_table(ali.visitor(), 2)}"
    _posts_and_parts_pass(ali, address)
    [files] = _kept(ali.page).values()  # and what an older release had kept is gone
    assert all(re.match(r"/static/[0-9a-f]{12}/|/baglanti-yok$", file) for file in files), files
    assert any(file.endswith("/scripts/pisti.js") for file in files), "a table's scripts come from here the next time"
    _full(new_phone(server, service_workers="allow"))

    server.stop()
    ali.page.reload()
    expect(ali.page.get_by_role("heading", name="Bağlantı yok")).to_be_visible()
    assert ali.page.url == address
    ali.page.get_by_role("button", name="Yeniden dene").tap()
    expect(ali.page.get_by_role("status")).to_have_text("Hâlâ bağlantı yok.")
    server.start()
    ali.connected()
    ali.page.locator('[data-do="ready"]').wait_for()


def _posts_and_parts_pass(phone: Phone, address: str) -> None:
    """A form that leads elsewhere, and a part of a file as players of sound ask for it: as if there were no worker."""
    phone.lobby()
    phone.page.get_by_text("Kodla katıl").tap()
    phone.page.locator('input[name="code"]').fill(address.rpartition("/")[2])
    phone.page.locator('input[name="code"]').press("Enter")
    phone.page.wait_for_url(address)
    phone.connected()
    script = phone.page.locator('script[src$="/vendor/htmx.js"]').get_attribute("src") or ""
    assert phone.page.evaluate(PART, script) == [206, 10], "not the whole, though that is kept"


def _full(phone: Phone) -> None:
    """Who finds no room is told so through the worker, and the page tries again."""
    phone.page.goto(phone.base)
    _taken(phone)
    answer = phone.page.reload()
    assert answer is not None
    assert (answer.status, answer.from_service_worker) == (503, True)
    assert "10; url=" in answer.headers["refresh"]
    expect(phone.page.get_by_role("heading", name="Oyun dolu")).to_be_visible()


def test_chromium_finds_nothing_missing(shared: Server, new_phone: NewPhone) -> None:
    phone = new_phone(shared, "Kuran", service_workers="allow")
    phone.lobby()
    _taken(phone)
    chromium = phone.context.new_cdp_session(phone.page)
    manifest: dict[str, Any] = chromium.send("Page.getAppManifest")
    assert manifest["url"] == f"{shared.base}/manifest.webmanifest"
    assert manifest["errors"] == []
    missing = chromium.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in missing if error["errorId"] != "in-incognito"] == []


def test_it_is_offered_where_the_browser_can(shared: Server, new_phone: NewPhone) -> None:
    phone = new_phone(shared, "Ekleyen")
    for path in ("/", "/ayarlar"):
        phone.page.goto(shared.base + path)
        button = phone.page.get_by_role("button", name="Ana ekrana ekle")
        expect(phone.page.locator("#install")).to_be_hidden()
        assert phone.page.evaluate(OFFER, "dismissed") is False, "the browser does not ask by itself"
        expect(button).to_be_visible()
        button.tap()
        expect(button).to_be_hidden()
        assert phone.page.evaluate("window.asked") == 1


def test_an_iphone_is_told_how_and_an_app_nothing(shared: Server, new_phone: NewPhone) -> None:
    for alone, told in ((False, True), (True, False)):
        phone = new_phone(shared, f"Elma {told}", user_agent=IPHONE)
        phone.page.add_init_script(f"Object.defineProperty(navigator, 'standalone', {{value: {str(alone).lower()}}})")
        phone.lobby()
        words = phone.page.get_by_text("“Ana Ekrana Ekle”")
        expect(words).to_be_visible(visible=told)


def test_the_phones_bars_wear_the_chosen_theme(shared: Server, new_phone: NewPhone) -> None:
    phone = new_phone(shared, "Renkli", color_scheme="dark")
    phone.page.goto(f"{shared.base}/ayarlar")
    bars = """() => Array.from(document.querySelectorAll('[name=theme-color]'))
      .find(({media}) => matchMedia(media).matches).content"""
    colours = {}
    for theme in ("system", "light", "dark"):
        phone.page.locator(f'label:has([data-setting="theme"][value="{theme}"])').tap()
        colours[theme] = phone.page.evaluate(bars)
    assert colours == {"system": "#082c21", "light": "#f6f1e4", "dark": "#082c21"}
