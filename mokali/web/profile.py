"""One's own account: name, this device and another one, approval by the table, and its end."""

from contextlib import suppress

from flask import Flask, Response, abort, make_response, render_template, request

from mokali.live import bus, door
from mokali.people.names import SENTENCES, BadName, key
from mokali.store import people, tables
from mokali.store.people import NameTaken, NoTransfer, Person
from mokali.tables.table import Ask, Leave, Refused, connected
from mokali.web import identity, pages, players
from mokali.web.house import house, knock
from mokali.web.render import qr

PLEA_MS = 10 * 60_000
"""How long the people at a table have to answer."""


def register(app: Flask) -> None:
    """The account's addresses."""
    app.add_url_rule("/profil", "profile", profile)
    app.add_url_rule("/profil/ad", "rename", rename, methods=["POST"])
    app.add_url_rule("/profil/cik", "sign_out", sign_out, methods=["POST"])
    app.add_url_rule("/profil/tasi", "move", move, methods=["POST"])
    app.add_url_rule("/profil/kapat", "close_account", close_account, methods=["POST"])
    app.add_url_rule("/tasi/<code>", "arrive", arrive)
    app.add_url_rule("/tasi/<code>", "arrive_now", arrive_now, methods=["POST"])
    app.add_url_rule("/onay", "plea", plea, methods=["POST"])
    app.add_url_rule("/onay", "plea_status", plea_status)


def profile(error: str | None = None, name: str | None = None) -> str:
    """Name, figures, and the ways out."""
    person = pages.admitted()
    if person is None:
        return pages.entry()
    shown = person.name if name is None else name
    known = players.career(person, person)
    return render_template(
        "profile.html", name=person.name, typed=shown, error=error, seat=pages.seat_of(person), opened=None, **known
    )


def rename() -> Response | tuple[str, int]:
    """Another name, and with it another token (RL-3)."""
    person = _someone()
    name = request.form.get("name", "")
    try:
        _, token = people.rename(person.id, name, door.now())
    except BadName as error:
        return profile(SENTENCES[error.reason], name[:32]), 400
    except NameTaken:
        return profile(pages.NAME_TAKEN, name[:32]), 409
    _tell_tables(person)
    return identity.remember(pages.to("profile"), token)


def sign_out() -> Response:
    """This device knows nobody any more."""
    person = _someone()
    people.sign_out(person.id)
    _expel(person)
    return identity.forget(pages.to("home"))


def move() -> str:
    """A link and a picture for the other device: once, and for five minutes (RL-5)."""
    person = _someone()
    code = people.link(person.id, door.now() + house().settings.transfer_seconds * 1000)
    link = identity.base() + house().links.to("arrive", code=code)
    return render_template("moved.html", qr=qr(link), link=link)


def arrive(code: str) -> str | tuple[str, int]:
    """What the link opens. A preview by a messenger uses nothing up: only the button does."""
    try:
        person = people.linked(code, door.now())
    except NoTransfer:
        return _too_late()
    return render_template("arrive.html", name=person.name, code=code, error=None)


def arrive_now(code: str) -> Response | tuple[str, int]:
    """This device is now that person's; the old one is out."""
    try:
        person, token = people.use_link(code, door.now())
    except NoTransfer:
        return _too_late()
    return _settle_in(person, token)


def plea() -> Response | tuple[str, int]:
    """Ask the people at the table of a seated person's name whether it is that person (SITE-21)."""
    knock("plea")
    name = request.form.get("name", "")
    try:
        _, table_id, secret = people.plead(name, door.now() + PLEA_MS)
    except NoTransfer:
        return pages.entry(request.form.get("next", ""), name[:32], "Bu adla oturan kimse yok: adını yaz, gir."), 404
    bus.ring(table_id)
    return identity.remember_plea(pages.to("plea_status"), secret)


def plea_status() -> Response | tuple[str, int]:
    """What came of it; the page asks again by itself."""
    secret = request.cookies.get(identity.PLEA_COOKIE, "")
    state, person, table_id = people.plea_state(secret, door.now())
    if state == "waiting" and table_id is not None:
        claimed = people.claim(secret, _connected(table_id), door.now())
        if claimed is not None:
            return identity.remember_plea(_settle_in(*claimed), None)
    response = make_response(render_template("plea.html", state=state, name=person.name if person else ""))
    if state == "waiting":
        response.headers["Refresh"] = "3"
    return response


def close_account() -> Response | tuple[str, int]:
    """Name and token are deleted; the name typed once more is the confirmation (RL-7)."""
    person = _someone()
    if key(request.form.get("name", "")) != key(person.name):
        return profile("Hesabı kapatmak için adını aynen yaz."), 400
    _stand_up(person)
    people.close_account(person.id)
    _expel(person)
    bus.ring(bus.LOBBY)
    return identity.forget(
        make_response(*pages.message("Hesabın kapandı", "Adın ve bu cihazdaki kaydın silindi.", action="Girişe dön"))
    )


# --- helpers ---


def _someone() -> Person:
    return identity.person() or abort(make_response(pages.entry(), 401))


def _connected(table_id: int) -> frozenset[int]:
    """Who must agree: everybody seated there who is in touch now."""
    table = tables.load(table_id)
    return frozenset(user for seat in connected(table) if (user := table.chairs[seat].user) is not None)


def _too_late() -> tuple[str, int]:
    text = "Bağlantı kullanılmış ya da süresi dolmuş. Eski cihazından yenisini al."
    return pages.message("Bağlantı geçersiz", text, code=410, action="Girişe dön")


def _settle_in(person: Person, token: str) -> Response:
    _expel(person)
    seat = pages.seat_of(person)
    return identity.remember(pages.to("table", code=seat.code) if seat else pages.to("home"), token)


def _expel(person: Person) -> None:
    house().hub.expel(person.id)


def _stand_up(person: Person) -> None:
    """Leave every table, the finished ones too: nobody waits there for a rematch."""
    for table_id in tables.sat_at(person.id):
        with suppress(Refused, tables.Unreadable, tables.Newer):
            door.submit(table_id, Ask(person.id, Leave()))


def _tell_tables(person: Person) -> None:
    held = tables.seat_held(person.id)
    if held is not None:
        bus.ring(held)
    bus.ring(bus.LOBBY)
