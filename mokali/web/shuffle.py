"""The seals of a finished match, opened and checked, with all that anybody needs to do the same without us.

Of a match that is not over nothing is shown here: finished hands too stay closed until then (RL-36).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from flask import Flask, Response, make_response, render_template
from markupsafe import Markup
from msgspec import Struct

from mokali.engine import fairness, record
from mokali.engine.cards import DECK, Card
from mokali.engine.fairness import Sealed
from mokali.engine.protocol import Game, Seat
from mokali.engine.tiles import ALL_TILES
from mokali.store import chance, people, tables
from mokali.tables.frame import frame
from mokali.tables.table import Table, Why
from mokali.web import filters, identity, luck, pages, tiles
from mokali.web.house import house

_TILES: Final = frozenset(ALL_TILES)
_CARDS: Final = frozenset(DECK)
PIECES: Final = {"okey": "taş", "klasik": "taş", "tavla": "zar"}
"""What chance deals, by layout; else cards."""
SHEETS: Final = {"okey": "okey", "klasik": "okey", "tavla": "tavla"}


class Lots(Struct, frozen=True):
    """Some of the luck: what it is, in words, and drawn."""

    heading: str
    words: str
    drawn: Markup


class Hand(Struct, frozen=True):
    """One seal as the page shows it."""

    title: str
    state: str
    """``holds``, ``broken`` or ``closed``."""
    says: str
    seal: str | None
    salt: str | None
    found: str | None
    """What came out, where that is another."""
    drawn: str | None
    """Who was drawn before the first deal."""
    lots: tuple[Lots, ...]
    text: str | None
    command: str | None


def register(app: Flask) -> None:
    """The page's address."""
    app.add_url_rule("/karistirma/<code>", "shuffle", shuffle)

    @lru_cache(maxsize=64)
    def mini_card(word: str) -> Markup:
        return Markup(app.jinja_env.get_template("parts/mini.html").render(card=Card(word)))

    app.jinja_env.filters.update(ends=ends, mini_card=mini_card)


def ends(sha256: str) -> str:
    """A seal's first and last characters, as one reads them aloud.

    >>> ends("3fa9" + "0" * 56 + "c21e")
    '3fa9…c21e'
    """
    return f"{sha256[:4]}…{sha256[-4:]}"


def shuffle(code: str) -> Response | str | tuple[str, int]:
    """Every hand of a match that is over, with its seal; a sentence where it is not."""
    table = tables.load(pages.find(code))
    if table.ended is None:
        href = house().links.to("table", code=table.code)
        return pages.message(
            "Maç daha bitmedi", "Mühürler maç bitince burada açılır.", code=404, action="Masaya dön", href=href
        )
    if pages.admitted() is None:
        return pages.entry(table.code)
    if table.terms.lesson:
        return pages.of_a_lesson()
    names = frame(table, None, people.names(c.user for c in table.chairs if c.user is not None)).names
    log = chance.written(table.id, table.game)
    hands = tuple(_hands(table, log, names))
    page = render_template(
        "shuffle.html",
        game=table.game,
        code=table.code,
        piece=PIECES.get(table.game.layout, "kart"),
        sheets=SHEETS.get(table.game.layout, "cards"),
        hands=hands,
        holding=sum(hand.state == "holds" for hand in hands),
        broken=[hand.title for hand in hands if hand.state == "broken"],
        missing=table.logged - len(log),
        throws=luck.throws(table, names),
    )
    return identity.renew(make_response(page))


def _hands(table: Table, log: chance.Lines, names: Sequence[str]) -> Iterator[Hand]:
    """Each seal of the log; where a hand needed several, they are numbered."""
    called = "oyun" if table.game.layout == "tavla" else "el"
    opened = fairness.openings(log, table.game.lots)
    numbers = _numbers(table.id, table.code, tuple(sealed.end for sealed in opened))
    start = 0
    for n, sealed in enumerate(opened):
        again = numbers[: n + 1].count(numbers[n])
        title = f"{numbers[n]}. {called}" + (f", {again}. mühür" if again > 1 else "")
        unread = [line for line in range(start, sealed.end) if log[line][1] is None]
        start = sealed.end
        yield _hand(table, sealed, title, unread, names, last=sealed is opened[-1])


@lru_cache(maxsize=256)
def _numbers(table_id: int, code: str, ends: tuple[int, ...]) -> tuple[int, ...]:
    """Which hand each seal was for: the log is played through for it, once, since a finished match goes on no more."""
    table = tables.load(table_id)
    log = chance.written(table_id, table.game)
    states = chance.followed(table.game, record.start(table.game, table.rules, len(table.chairs)), log)
    found: list[int] = []
    for n, end in enumerate(ends):
        state = states[end - 1]
        if state is None:  # somebody has changed the log: counted on
            found.append(found[-1] + 1 if found else 1)
            continue
        hand = state.view(None).hand
        unused = state.phase == "hand_over" and n == len(ends) - 1 and isinstance(log[end - 1][1], fairness.Seal)
        found.append(max(1, hand + unused))
    return tuple(found)


def _hand(table: Table, sealed: Sealed, title: str, unread: Sequence[int], names: Sequence[str], *, last: bool) -> Hand:
    state, says = _judged(table, sealed, unread, last=last)
    closed = state == "closed"  # nobody's cards of a hand that was never finished
    text = None if sealed.text is None or "'" in sealed.text else sealed.text
    return Hand(
        title=title,
        state=state,
        says=says,
        seal=sealed.sha256,
        salt=None if sealed.opened is None else sealed.opened.salt,
        found=sealed.found if state == "broken" and sealed.found != sealed.sha256 else None,
        drawn=None if closed else _drawn_first(sealed, names),
        lots=() if closed else tuple(_lots(table.game, sealed)),
        text=text,
        command=None if text is None else f"printf '%s' '{text}' | sha256sum",
    )


def _judged(table: Table, sealed: Sealed, unread: Sequence[int], *, last: bool) -> tuple[str, str]:
    """``holds``, ``broken`` or ``closed``, and why in a sentence."""
    assert table.ended is not None
    if sealed.holds:
        return "holds", "Mühür tutuyor: açılan sıra, baştan gösterilen mühürle aynı."
    if sealed.opened is None and last and sealed.sha256 is not None and table.ended.why != Why.FINISHED:
        if sealed.lots:
            return "closed", "Bu el yarım kaldı: masa, el bitmeden kapandı. Mührü açılmadı, el sayılmadı."
        return "closed", "Bu mühür kullanılmadı: masa, el dağıtılmadan kapandı."
    lines = ", ".join(str(n + 1) for n in unread)
    why = f" Kaydın okunamayan satırı: {lines}." if lines else ""
    if sealed.sha256 is None:
        return "broken", f"Mühür tutmuyor: kayıtta bu elden önce gösterilmiş bir mühür yok.{why}"
    if sealed.opened is None:
        return "broken", f"Mühür tutmuyor: onu açan tuz kayıtta yok.{why}"
    return "broken", f"Mühür tutmuyor: kayıttaki sıra, baştan gösterilen mührü vermiyor.{why}"


def _drawn_first(sealed: Sealed, names: Sequence[str]) -> str | None:
    for lot in sealed.lots:
        seat: Seat | None = getattr(lot, "seat_drawn", None)
        if seat is not None:
            name = f", {names[seat]}" if seat in range(len(names)) else ""
            return f"{seat + 1}. koltuk{name}"
    return None


def _lots(game: Game, sealed: Sealed) -> Iterator[Lots]:
    """What was played, and what was left over."""
    if game.layout == "tavla":
        throws = [words for lot in sealed.lots if (words := fairness.words((lot,)))]
        if throws:
            yield _dice("Atılan zarlar, sırayla", throws)
        rest = [] if sealed.opened is None else list(map(str, sealed.opened.rest))
        if rest:
            yield _dice("Mühürlenmiş ama atılmamış zarlar", [rest[n : n + 2] for n in range(0, len(rest), 2)])
        return
    pieces = _TILES if PIECES.get(game.layout) == "taş" else _CARDS
    deck = [word for word in sealed.words if word in pieces]
    if deck:
        yield _deck(deck)


def _deck(deck: Sequence[str]) -> Lots:
    known = house().jinja_env.filters
    if deck[0] in _CARDS:
        names = ", ".join(filters.card_name(Card(word)) for word in deck)
        return Lots("Deste, dağıtıldığı sırayla", names, Markup("").join(map(known["mini_card"], deck)))
    heading = "Taşlar, dizildiği sırayla; sahte okey olmayan ilki göstergedir"
    return Lots(heading, tiles.tile_names(deck), Markup("").join(map(known["mini"], deck)))


def _dice(heading: str, throws: Sequence[Sequence[str]]) -> Lots:
    drawn = Markup("").join(_THROW.format(Markup("").join(map(_DIE.format, throw))) for throw in throws)
    return Lots(heading, ", ".join("-".join(throw) for throw in throws), drawn)


_THROW: Final = Markup('<span class="cast">{}</span>')
_DIE: Final = Markup('<span class="die tiny"><svg viewBox="0 0 24 24"><use href="#i-die-{}"/></svg></span>')
