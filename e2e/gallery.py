"""Every page and every state of a table, one after another, on real phones: to be measured, or to be looked at.

Who plays meanwhile plays over bare sockets, so that a whole match is a matter of seconds. A scene is on the screen when
it is yielded; whoever looks may turn the phone and change its theme, and puts it back.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page, Route, expect

from e2e.phones import Phone
from tests.web.seat import Seat, begin, on_turn, open_table, play_one
from tests.web.server import Server
from tests.web.wire import Visitor

NewPhone = Callable[..., Phone]

SETTINGS: dict[str, Any] = {
    "heartbeat_seconds": 0.3,
    "grace_seconds": 0.9,
    "pause_seconds": 600,
}
"""A house for a gallery: absence is noticed soon, and no pause ends by itself."""

WIDE = "WWWWWWWWWWWWWWW"
"""Fifteen of the widest letter; a sixteenth tells four people apart."""


OFFER: Final = """outcome => {
  window.asked = 0
  const offer = new Event('beforeinstallprompt', {cancelable: true})
  offer.prompt = () => { window.asked += 1 }
  offer.userChoice = Promise.resolve({outcome})
  return dispatchEvent(offer)
}"""
"""As Chromium does it, where somebody has been here for a while; whether it may still ask by itself."""
IPHONE: Final = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


class Scene(NamedTuple):
    """What is on a screen; ``table`` where the page must not scroll, ``kin`` where it is so like
    another that a few sizes tell enough."""

    name: str
    page: Page
    table: bool = False
    kin: bool = False


class Guest:
    """Somebody who plays over bare sockets, and whose phone may be looked at."""

    def __init__(self, server: Server, name: str, new_phone: NewPhone) -> None:
        self.server, self.new_phone = server, new_phone
        self.visitor = Visitor(server.base, name)
        self.seat: Seat | None = None
        self._phone: Phone | None = None

    def at(self, code: str) -> Seat:
        """Take part over a socket; from now on that page acts."""
        if self.seat is not None:
            self.seat.wire.close()
        self.seat = Seat(self.visitor, code)
        return self.seat

    def look(self, path: str) -> Page:
        """Show a page on this person's phone."""
        if self._phone is None:
            self._phone = self.new_phone(self.server)
        cookies = [
            {"name": name, "value": value, "url": self.server.base} for name, value in self.visitor.cookies.items()
        ]
        self._phone.context.add_cookies(cookies)  # type: ignore[arg-type]
        self._phone.page.goto(self.server.base + path)
        if "/masa/" in path:
            self._phone.connected()
        return self._phone.page

    def away(self) -> None:
        """The phone shows nothing of the house."""
        if self._phone is not None:
            self._phone.page.goto("about:blank")


def pages(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Everything outside a running game, from the entry on."""
    stranger = new_phone(server)
    page = stranger.page
    page.goto(server.base)
    yield Scene("giris", page)
    _enter(page, "a..b")
    yield Scene("giris-hata", page)
    guest = Guest(server, "Ayşe", new_phone)
    yield Scene("lobi-bos", guest.look("/"))
    yield Scene("siralama-bos", guest.look("/siralama"))
    page = guest.look("/")
    page.get_by_role("button", name="Menü").tap()
    expect(page.locator("#sheet-menu")).to_be_visible()
    yield Scene("lobi-menu", page)
    yield Scene("masa-ac", guest.look("/masa-ac"))
    yield Scene("masa-ac-pisti", guest.look("/masa-ac?oyun=pisti"))
    yield Scene("masa-ac-gelismis", _changed(guest.look("/masa-ac")))
    yield Scene("masa-ac-standart", guest.look("/masa-ac?oyun=okey101&kural=standart"), kin=True)
    yield Scene("kurallar-mey", guest.look("/kurallar/okey101?kural=mey_katlamali"), kin=True)
    partner = Guest(server, "Deniz", new_phone)
    okey = open_table(partner.visitor, 4, game="okey101", ruleset="mokali", hands=5, partnered="true", threshold=51)
    yield Scene("bekleme-okey", partner.look(f"/masa/{okey}"))
    yield Scene("kurallar-okey", partner.look(f"/kurallar/okey101?masa={okey}"))
    partner.away()
    mey = open_table(Visitor(server.base, "Selim"), 4, game="okey101", ruleset="mey", penalty_okey_discard=101)
    yield Scene("bekleme-mey", guest.look(f"/masa/{mey}"))
    code = open_table(guest.visitor, 4, target=151)
    yield Scene("bekleme", guest.look(f"/masa/{code}"))
    for name in ("Can", "Ece"):
        open_table(Visitor(server.base, name), 2)
    open_table(Visitor(server.base, "Gizem"), 2, listed="false")
    other = Guest(server, "Muhammet Ali", new_phone)
    page = other.look("/")
    page.get_by_text("Kodla katıl").tap()
    yield Scene("lobi", page)
    yield Scene("lobi-yerim-var", guest.look("/"))
    yield Scene("davet", _shown(stranger.page, f"{server.base}/m/{code}"))
    _enter(stranger.page, "Ayşe")
    yield Scene("giris-onay", stranger.page)
    yield Scene("bekleme-ayakta", other.look(f"/masa/{code}"))
    other.at(code).do("sit", chair=1)
    page = guest.look(f"/masa/{code}")
    page.locator('[data-do="ready"]').tap()
    expect(page.locator("#bar")).to_contain_text("1/4")
    yield Scene("bekleme-hazir", page)
    for path, name in (
        ("/profil", "profil"),
        ("/ayarlar", "ayarlar"),
        ("/kurallar", "kurallar"),
        (f"/kurallar/pisti?masa={code}", "kurallar-pisti"),
        ("/nirgends", "yok"),
        ("/tasi/x", "tasi-gec"),
    ):
        yield Scene(name, guest.look(path))
    yield from _home_screen(guest)
    page = guest.look("/profil")
    page.get_by_role("button", name="Başka cihaza taşı").tap()
    link = page.locator("[data-link]").get_attribute("data-link")
    assert link is not None
    yield Scene("tasi", page)
    yield Scene("tasi-yeni", _shown(stranger.page, link))
    yield Scene("onay-bekliyor", _pleading(stranger.page, server.base, "Ayşe"))


def _home_screen(guest: Guest) -> Iterator[Scene]:
    """Where Mokali can be put on the phone's home screen, how on an iPhone, and the page for no line."""
    page = guest.look("/")
    page.evaluate(OFFER, "dismissed")
    page.locator("#install").scroll_into_view_if_needed()
    yield Scene("lobi-ana-ekran", page, kin=True)
    page = guest.look("/ayarlar")
    page.evaluate(OFFER, "dismissed")
    yield Scene("ayarlar-ana-ekran", page)
    iphone = guest.new_phone(guest.server, user_agent=IPHONE)
    iphone.page.add_init_script("Object.defineProperty(navigator, 'standalone', {value: false})")
    iphone.page.goto(f"{guest.server.base}/ayarlar")
    yield Scene("ayarlar-iphone", iphone.page)
    iphone.page.goto("about:blank")
    page.route("**/sw.js", lambda route: route.abort("internetdisconnected"))
    page = guest.look("/baglanti-yok")
    page.get_by_role("button", name="Yeniden dene").tap()
    expect(page.get_by_role("status")).to_contain_text("Hâlâ")
    yield Scene("baglanti-yok", page)
    page.goto("about:blank")
    page.unroute("**/sw.js")


def full(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A house that has room for nobody; it must have been opened for two."""
    for name in ("Ayşe", "Can"):
        Visitor(server.base, name)
    page = new_phone(server).page
    page.goto(server.base)
    yield Scene("dolu", page)


def pair(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """A match of two from the first card to the end."""
    ali, ece = (Guest(server, name, new_phone) for name in ("Ali", "Ece Naz"))
    watcher = Guest(server, "İzleyen", new_phone)
    code = _dealt([ali, ece], target=51)
    path = f"/masa/{code}"
    mover, other = (ali, ece) if _seats(ali, ece)[0].turn == 0 else (ece, ali)
    page = mover.look(path)
    yield Scene("masa-sira-sende", page, True)
    page.locator("#hand [data-card]").nth(1).tap()
    yield Scene("masa-kart-kalkik", page, True)
    for sheet, button in (("menu", "Menü"), ("scores", None), ("people", None)):
        page = mover.look(path)
        _open(page, sheet, button)
        yield Scene(f"masa-{sheet}", page, True)
    for sheet in ("rules", "settings", "seal", "leave"):
        page = mover.look(path)
        _open(page, "menu", "Menü")
        page.locator(f'#sheet-menu [data-ui="{sheet}"]').tap()
        expect(page.locator(f"#sheet-{sheet}")).to_be_visible()
        yield Scene(f"masa-{sheet}", page, True)
    mover.away()
    yield Scene("masa-bekliyorsun", other.look(path), True)
    page = watcher.look(path)
    expect(page.locator("#watchers")).to_contain_text("1")
    yield Scene("masa-izleyen", page, True)
    other.away()
    _until_a_capture(ali, ece, code)
    page = ali.look(path)
    yield Scene("masa-yer-alindi", page, True)
    _open(page, "last", None)
    yield Scene("masa-son-el", page, True)
    ali.away()
    yield from _refused(ali, ece, code)
    _hand_out(ali, ece, code)
    yield Scene("el-sonu", ali.look(path), True)
    yield Scene("el-sonu-izleyen", watcher.look(path), True)
    ali.away()
    _match_out(ali, ece, code)
    yield Scene("oyun-sonu-izleyen", watcher.look(path), True)
    page = ali.look(path)
    yield Scene("oyun-sonu", page, True)
    page.locator('[data-do="again"]').first.tap()
    expect(page.locator('[data-do="again"]').first).to_contain_text("1/2")
    yield Scene("oyun-sonu-yeniden", page, True)
    yield Scene("siralama", ali.look("/siralama?oyun=pisti"))
    yield Scene("profil-oyunlar", ali.look("/profil"))


def company(server: Server, new_phone: NewPhone) -> Iterator[Scene]:
    """Four people with the widest names; one goes, another asks from a new phone, the others close the table."""
    guests = [Guest(server, f"{WIDE}{letter}", new_phone) for letter in "ABCD"]
    watcher = Guest(server, f"{WIDE}E", new_phone)
    code = open_table(guests[0].visitor, 4)
    path = f"/masa/{code}"
    for chair, guest in enumerate(guests):
        guest.at(code)
        if chair:
            _seats(guest)[0].do("sit", chair=chair)
            _seats(guest)[0].until(lambda seat: seat.number is not None)
    page = watcher.look(path)
    yield Scene("bekleme-dolu-genis", page)
    yield Scene("lobi-genis", watcher.look("/"))
    for seat in _seats(*guests):
        seat.do("ready")
    for seat in _seats(*guests):
        seat.until(lambda some: some.facts["phase"] == "play")
    for _ in range(20):
        play_one(_seats(*guests))
    mover = guests[on_turn(_seats(*guests)).number or 0]
    yield Scene("dortlu-sira-sende-genis", mover.look(path), True)
    page = watcher.look(path)
    yield Scene("dortlu-izleyen-genis", page, True)
    _open(page, "people", None)
    yield Scene("dortlu-masadakiler-genis", page, True)
    mover.away()
    mover.at(code)
    while _seats(gone := guests[0])[0].facts["phase"] == "play":
        play_one(_seats(*guests))
    yield Scene("dortlu-el-sonu-genis", gone.look(path), True)
    gone.away()
    gone.at(code)
    _go_on(_seats(*guests))
    gone, here = guests[0], guests[1]
    _seats(gone)[0].wire.close()
    page = here.look(path)
    expect(page.locator("#absent")).to_contain_text("kopuk")
    yield Scene("dortlu-kopuk-genis", page, True)
    stranger = new_phone(server).page
    _pleading(stranger, server.base, f"{WIDE}A")
    expect(page.locator("#plea")).to_contain_text("Gerçekten o mu?")
    yield Scene("dortlu-onay-istegi-genis", page, True)
    stranger.goto("about:blank")
    for guest in guests[1:]:
        guest.at(code).do("close_vote", agree=True)
    expect(page.locator('#table[data-stage="ended"]')).to_be_attached()
    yield Scene("dortlu-kapandi-genis", page, True)


# --- how to get there ---


def _shown(page: Page, address: str) -> Page:
    page.goto(address)
    return page


def _enter(page: Page, name: str) -> None:
    page.get_by_label("Takma adın").fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Gir").tap()


def _pleading(page: Page, base: str, name: str) -> Page:
    page.goto(base)
    _enter(page, name)
    page.get_by_role("button", name="Onay iste").tap()
    expect(page.get_by_role("heading", name="Onay bekleniyor")).to_be_visible()
    page.route("**/onay", _asking_once)
    return _shown(page, f"{base}/onay")


def _asking_once(route: Route) -> None:
    """The page without its way of asking again every three seconds, which no measuring survives."""
    answer = route.fetch()
    route.fulfill(response=answer, headers={k: v for k, v in answer.headers.items() if k.lower() != "refresh"})


def _open(page: Page, sheet: str, button: str | None) -> None:
    control = (
        page.locator(f'[data-ui="{sheet}"]:visible').first
        if button is None
        else page.get_by_role("button", name=button)
    )
    if sheet == "last" and control.is_disabled():
        return
    control.tap()
    expect(page.locator(f"#sheet-{sheet}")).to_be_visible()


def _seats(*guests: Guest) -> list[Seat]:
    return [guest.seat for guest in guests if guest.seat is not None]


def _changed(page: Page) -> Page:
    """A form with other rules than usual."""
    page.get_by_text("Gelişmiş").tap()
    for name, value in (("seats", "3"), ("threshold", "51"), ("min_pairs", "6"), ("listed", "false")):
        page.locator(f'label:has(input[name="{name}"][value="{value}"])').tap()
    expect(page.locator("#differences")).to_contain_text("2 fark")
    return page


def _dealt(guests: list[Guest], **form: object) -> str:
    code = open_table(guests[0].visitor, len(guests), **form)
    begin([guest.at(code) for guest in guests])
    return code


def _until_a_capture(ali: Guest, ece: Guest, code: str) -> None:
    seats = [ali.at(code), ece.at(code)]
    while "yeri aldı" not in seats[0].newest or not all(seat.cards for seat in seats):
        play_one(seats)
        if seats[0].facts["phase"] != "play":
            _go_on(seats)


def _hand_out(ali: Guest, ece: Guest, code: str) -> None:
    seats = [ali.at(code), ece.at(code)]
    while seats[0].facts["phase"] == "play":
        play_one(seats)


def _match_out(ali: Guest, ece: Guest, code: str) -> None:
    seats = [ali.at(code), ece.at(code)]
    while seats[0].facts["phase"] != "over":
        if seats[0].facts["phase"] == "hand_over":
            _go_on(seats)
        play_one(seats)


def _go_on(seats: list[Seat]) -> None:
    for seat in seats:
        seat.do("ready")
    for seat in seats:
        seat.until(lambda some: some.facts["phase"] == "play")


def _refused(ali: Guest, ece: Guest, code: str) -> Iterator[Scene]:
    """A refusal with its way to the rule, on the phone of whoever is not on turn."""
    seats = [ali.at(code), ece.at(code)]
    waiting = ece if on_turn(seats) is seats[0] else ali
    page = waiting.look(f"/masa/{code}")
    page.evaluate("""() => {
      const button = document.querySelector('#hand [data-card]')
      button.setAttribute('hx-vals', '{"do":"play","card":"' + button.dataset.card + '"}')
      button.dispatchEvent(new CustomEvent('play'))
    }""")
    expect(page.locator('#refusal[data-code="not_your_turn"]')).to_be_visible()
    yield Scene("masa-ret", page, True)
    waiting.away()
