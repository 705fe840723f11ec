"""Watch a match that is over, step by step, drawn by the table's own templates; and take its record home.

Only what has ended is shown: of a running match nobody gets a byte, its players neither. Rebuilt matches are kept in
this worker's memory, a few of them; to lose them costs a moment. Nothing that is drawn here can send anything.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import gevent
from flask import Flask, Response, abort, current_app, make_response, render_template, request
from gevent.lock import BoundedSemaphore
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from mokali.engine import fairness, record
from mokali.engine.protocol import Event, Seat
from mokali.engine.tiles import ALL_TILES
from mokali.live import door
from mokali.store import people, tables
from mokali.tables import rack, texts
from mokali.tables.frame import Frame, frame
from mokali.tables.past import Past, table_at
from mokali.tables.rack import Arrangement, Rack
from mokali.tables.table import Chair, Ended, Table, seat_of
from mokali.web import filters, identity, pages
from mokali.web.canvas import Canvas, whole
from mokali.web.house import house
from mokali.web.render import Scene, okey_of

ALL: Final = "hepsi"
"""All hands lie open."""
REELS: Final = 8
"""Matches of the house that stay rebuilt."""
LOANS: Final = 4
"""Uploaded records that stay, and for how long: they are nobody's, and nowhere else."""
LOAN_MS: Final = 3_600_000
LOANED: Final = "kayit-"
"""So the address of an uploaded record begins; no table's code does."""
SPEEDS: Final = (("Yavaş", 2600), ("Orta", 1300), ("Hızlı", 500))
"""Milliseconds from one step to the next; the second is the usual one."""

HIDDEN: Final = frozenset({"moves", "legal", "post", "end", "open_melds", "open_pairs", "call", "decline"})
"""Fragments of games that are there to act with."""
KEPT: Final = frozenset({"title", "step"})
"""Of the fragments that belong to the table itself, those that tell of the match."""

_SENDING: Final = re.compile(r""" (?:hx-[\w:-]+|data-do|data-drop|data-ask|data-warn)(?:=(?:"[^"]*"|'[^']*'))?""")
_MENU: Final = re.compile(r'<button [^>]*data-ui="menu".*?</button>', re.DOTALL)
_BUTTON: Final = re.compile(r"<button (?![^>]*data-ui=\"(?:scores|close)\")([^>]*)>")
_OFF: Final = re.compile(r' (?:aria-disabled="true"|tabindex="-1")')


class Fault(Struct, frozen=True):
    """What is wrong with an uploaded record that can be watched all the same: in short, and in a sentence or two."""

    short: str
    text: str


class Reel(Struct, frozen=True):
    """One match, ready to be watched. ``names`` are by the chairs' people, as the house or the record knows them."""

    code: str
    past: Past
    chairs: tuple[Chair, ...]
    names: Mapping[int, str]
    ended: Ended | None
    fault: Fault | None = None
    note: str = ""

    @property
    def loaned(self) -> bool:
        """Whether somebody has uploaded it."""
        return self.code.startswith(LOANED)


class Shelf:
    """The reels of this worker."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Reel] = OrderedDict()
        self._loans: OrderedDict[str, tuple[Reel, int]] = OrderedDict()
        self.turn = BoundedSemaphore(1)
        """One match is rebuilt at a time: whoever else wants one waits, and the tables go on meanwhile."""

    def find(self, code: str) -> Reel | None:
        """A match of the house, if it is here."""
        if code in self._kept:
            self._kept.move_to_end(code)
        return self._kept.get(code)

    def keep(self, reel: Reel) -> Reel:
        """Put one there; the one that was longest out of use goes."""
        self._kept[reel.code] = reel
        while len(self._kept) > REELS:
            self._kept.popitem(last=False)
        return reel

    def lend(self, reel: Reel, now: int) -> None:
        """Keep an uploaded one for an hour, while there is room."""
        self._loans[reel.code] = reel, now
        self._loans.move_to_end(reel.code)
        while len(self._loans) > LOANS:
            self._loans.popitem(last=False)

    def loan(self, code: str, now: int) -> Reel | None:
        """An uploaded one, while its hour lasts."""
        for old in [key for key, (_, since) in self._loans.items() if since <= now - LOAN_MS]:
            del self._loans[old]
        return self._loans[code][0] if code in self._loans else None


class Moment(Scene):
    """A table as it stood at one step. Of its people there are only the names: nobody is there, nobody speaks."""

    def __init__(self, table: Table, names: Mapping[int, str]) -> None:
        self.table, self.watchers, self.names = table, (), dict(names)
        self.said, self.newest, self.speakers, self.lines = [], 0, {}, ()  # type: ignore[assignment]
        self.pleas, self.evening, self.canvases, self.drawn = [], [], {}, {}
        self.shared, self.news, self.racks = {}, {}, {}
        self.common = frame(table, None, self.names)

    def frame(self, person: int | None) -> Frame:
        """The table around a view; whoever looks is a seat here, or None."""
        return replace(self.common, me=person)

    def rack(self, view: Any) -> Rack | None:
        """The tiles by colour and number: how they lay is not in the log."""
        assist = self.table.game.assist
        if assist is None or view is None or view.seat is None:
            return None
        lying = tuple(in_order(view.rack))
        slots = (*lying, *[""] * (rack.SLOTS - len(lying)))
        over = lying[rack.TALL :: rack.TALL]  # no gap where the phone lies and rows are longer
        return rack.shown(Arrangement(0, rack.TALL, slots, odd=over), view, assist, helps=False)


def in_order(tiles: Any) -> list[str]:
    """Tiles by colour and number, false okeys last."""
    return sorted(tiles, key=_PLACES.__getitem__)


_PLACES: Final = {str(tile): place for place, tile in enumerate(ALL_TILES)}


def register(app: Flask) -> None:
    """The addresses of what is over."""
    app.extensions["replay"] = Shelf()
    app.add_url_rule("/tekrar/<code>", "replay", show)
    app.add_url_rule("/kayit/<code>", "record", download)


def shelf() -> Shelf:
    """The reels of this app."""
    found: Shelf = current_app.extensions["replay"]
    return found


# --- pages ---


def show(code: str) -> Response | str:
    """One step of a match; ``an`` is its number, ``koltuk`` whose eyes, ``parca`` asks for what changes alone."""
    reel = _reel(code)
    seats, last = len(reel.chairs), reel.past.last
    step = _number(request.args.get("an"), _opening(reel), last)
    seat = _eyes(reel, request.args.get("koltuk"), seats)
    context = _drawn(reel, step, seat)
    return render_template("replay/step.html" if "parca" in request.args else "replay/page.html", **context)


def download(code: str) -> Response:
    """The record of a finished match, as ``RECORDS.md`` has it."""
    table = _ended(code)
    names = frame(table, None, _names(table)).names
    text = record.dumps(table.game, table.rules, len(table.chairs), tables.log(table.id), names)
    assert table.ended is not None
    day = time.strftime("%Y-%m-%d", time.localtime(table.ended.at / 1000))
    response = Response(text, mimetype="application/x-ndjson")
    response.headers["Content-Disposition"] = f'attachment; filename="mokali-{table.game.key}-{day}.jsonl"'
    return response


def _ended(code: str) -> Table:
    """A match that is over. Ends the request for whatever is not, whoever asks."""
    table = tables.load(pages.find(code))
    if table.ended is None:
        text = "Bitince buradan izlenir, kaydı da indirilir."
        answer = pages.message("Oyun sürüyor: bitince izlenir.", text, code=404)
        abort(make_response(answer))
    if table.terms.lesson:
        abort(make_response(pages.of_a_lesson()))
    if table.state is None:
        abort(make_response(pages.message("İzlenecek oyun yok", "Bu masada oyun başlamadan kapanmış.", code=404)))
    return table


def _reel(code: str) -> Reel:
    """The match of an address, rebuilt where it isn't here. Ends the request where there is none."""
    if code.startswith(LOANED):
        return shelf().loan(code, door.now()) or _returned()
    table = _ended(code)
    found = shelf().find(table.code)
    if found is not None:
        return replace(found, names=_names(table))  # who has closed the account since has no name here either
    with shelf().turn:
        return shelf().find(table.code) or shelf().keep(_rebuilt(table))


def _returned() -> Reel:
    text = "Yüklenen kayıtlar burada bir saat durur, sonra silinir. Dosyan sende: yeniden yükle."
    href = house().links.to("record_page")
    answer = pages.message("Bu kayıt artık burada değil", text, code=404, action="Kayıt yükle", href=href)
    abort(make_response(answer))


def _rebuilt(table: Table) -> Reel:
    log = own_lines(tables.log(table.id))
    first = record.start(table.game, table.rules, len(table.chairs))
    past = Past(table.game, table.rules, first, log, partial(gevent.sleep, 0))
    fault = None
    if past.stopped is not None:
        text = "Bu maç eski bir sürümde oynandı; kurallar o günden beri değiştiği için yalnızca buraya kadar izlenir."
        fault = Fault("Buraya kadar", text)
    return Reel(table.code, past, table.chairs, _names(table), table.ended, fault)


def own_lines(log: record.Log) -> record.Log:
    """The game's own lines: what was sealed and opened is no step."""
    return tuple((seat, action) for seat, action in log if not isinstance(action, fairness.NOTES))


def _names(table: Table) -> dict[int, str]:
    return people.names(chair.user for chair in table.chairs if chair.user is not None)


def _number(given: str | None, usual: int, last: int) -> int:
    """A step that there is."""
    if given is None or not given.isascii() or not given.isdecimal() or len(given) > 9:
        return usual
    return min(int(given), last)


def _opening(reel: Reel) -> int:
    """Where one begins to watch: as soon as the first hand lies dealt."""
    return reel.past.starts[0].step if reel.past.starts else 0


def _eyes(reel: Reel, given: str | None, seats: int) -> Seat | None:
    """The seat that is looked from, None for all hands open; at first one's own, if one sat there."""
    if given == ALL:
        return None
    if given is not None and given in map(str, range(seats)):
        return int(given)
    person = None if reel.loaned else identity.person()
    own = None if person is None else person.id
    return next((n for n, chair in enumerate(reel.chairs) if own is not None and chair.user == own), None)


# --- drawing ---


def _drawn(reel: Reel, step: int, seat: Seat | None) -> dict[str, Any]:
    """All that the page shows of one step."""
    table = table_at(reel.code, reel.chairs, reel.past, step, reel.ended)
    moment = Moment(table, reel.names)
    _, events = reel.past.at(step)
    told = _told(moment, events)
    number = next((n for n, start in reversed([*enumerate(reel.past.starts)]) if start.step <= step), -1)
    person = identity.person()
    return {
        "reel": reel,
        "frame": moment.frame(seat),
        "step": step,
        "last": reel.past.last,
        "eyes": ALL if seat is None else str(seat),
        "seat": seat,
        "told": told,
        "main": Markup(_main(moment, seat, told, _way_back(reel, person is not None))),
        "hands": hands(table) if seat is None else [],
        "hidden": bool({"cards", "rack"} & {*table.game.view.__struct_fields__}),
        "okey": okey_of(table),
        "unit": "Oyun" if "target" in table.game.view.__struct_fields__ else "El",
        "starts": reel.past.starts,
        "at": number,
        "before": _neighbour(reel, step, -1),
        "after": _neighbour(reel, step, 1),
        "speeds": SPEEDS,
        "base": identity.base(),
        "own": None if person is None or reel.loaned else seat_of(replace(table, chairs=reel.chairs), person.id),
    }


def _neighbour(reel: Reel, step: int, way: int) -> int | None:
    """The step at which the hand before or after this place begins; the end is the last hand's next."""
    places = [start.step for start in reel.past.starts]
    if way < 0:
        return max((place for place in places if place < step), default=0 if step else None)
    return min((place for place in places if place > step), default=reel.past.last if step < reel.past.last else None)


def _main(moment: Moment, seat: Seat | None, told: str, back: Markup) -> str:
    """The table, by its own templates; what acts or sends is left out or made to do nothing."""
    renderer, own = house().renderer, Canvas(house().renderer.part(moment.table, "own"))
    drawn = renderer.picture(moment, own, seat, "")
    kept = {name: html for name, html in drawn.items() if _tells(name)}
    if told:
        kept["table/own/_step.html"] = render_template("replay/told.html", told=told)
    return inert(whole(renderer.stage(moment, seat, kept)), back)


def _tells(name: str) -> bool:
    """Whether this fragment tells of the match."""
    word = name.rpartition("/_")[2].removesuffix(".html")
    return word in KEPT if name.startswith("table/") else word not in HIDDEN


def inert(html: str, back: str = "") -> str:
    """The same picture without a way to send; its menu is the way ``back``.

    >>> inert('<button type="button" data-do="play" hx-ws:send hx-vals=\\'{"do":"play"}\\'>9</button>')
    '<button tabindex="-1" aria-disabled="true" type="button">9</button>'
    """
    html = _MENU.sub(lambda found: back, html, count=1)
    html = _OFF.sub("", _SENDING.sub("", html))
    html = _BUTTON.sub(r'<button tabindex="-1" aria-disabled="true" \1>', html)
    return html.replace(" mine", "", 1) if " mine" in html[:200] else html


def _way_back(reel: Reel, known: bool) -> Markup:
    if reel.loaned:
        href, label = house().links.to("record_page"), "Kayıt yükle"
    else:
        href, label = (house().links.to("table", code=reel.code), "Masaya dön") if known else ("/", "Lobiye dön")
    return Markup('<a class="tool button menu" href="{}" aria-label="{}">{}</a>').format(
        href, label, filters.icon("back")
    )


def _told(moment: Moment, events: tuple[Event, ...]) -> str:
    """What the step made happen, in words; empty where nothing is said of it."""
    words = moment.table.game.texts
    said = {**words.events, **texts.EVENTS}
    if moment.table.state is not None and not moment.table.state.view(None).hand:
        return "Oyun başlıyor."
    return " ".join(filters.told(events, said, moment.common.names, words.words, okey_of(moment.table)))


def hands(table: Table) -> list[dict[str, Any]]:
    """What every seat holds, cards or tiles; nothing in a game in which nobody holds anything."""
    assert table.state is not None
    views = [table.state.view(seat) for seat in range(len(table.chairs))]
    held = [
        {"seat": seat, "cards": tuple(getattr(view, "cards", ())), "tiles": in_order(getattr(view, "rack", ()))}
        for seat, view in enumerate(views)
    ]
    return held if any(hasattr(view, "cards") or hasattr(view, "rack") for view in views) else []
