"""A table's page, its invitation, and the two sockets: one table's and the lobby's."""

from collections.abc import Callable
from functools import wraps

from flask import Flask, Response, make_response, render_template, request
from flask_sock import Sock
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from mokali import journal
from mokali.engine.protocol import Event
from mokali.live import bus, door
from mokali.store import people, tables
from mokali.store.database import NotKept
from mokali.store.people import Full, Person
from mokali.web import identity, pages
from mokali.web import wire as codes
from mokali.web.house import house
from mokali.web.hub import Wire
from mokali.web.render import LobbyScreen
from mokali.web.socket import Player, attend
from mokali.web.wire import Socket


def register(app: Flask) -> None:
    """The table's addresses."""
    app.add_url_rule("/masa/<code>", "table", show)
    app.add_url_rule("/m/<code>", "invite", invite)


def register_sockets(sock: Sock) -> None:
    """The two sockets."""
    sock.route("/ws/masa/<code>")(guarded(table_socket))
    sock.route("/ws/lobi")(guarded(lobby_socket))


def invite(code: str) -> Response | str | tuple[str, int]:
    """A link from a friend: straight to the table, or to the one question before it."""
    return show(code)


def show(code: str) -> Response | str | tuple[str, int]:
    """The table: to sit down at, to play, or to watch."""
    person = pages.admitted()
    table = tables.load(pages.find(code))
    if person is None:
        return pages.entry(table.code)
    if table.state is None and table.ended is not None:
        return pages.closed(table)
    renderer = house().renderer
    scene = house().hub.scene(table.id)
    socket = f"/ws/masa/{table.code}?sayfa={door.now()}"
    page = render_template(
        "table.html",
        socket=socket,
        stage=Markup(renderer.page(scene, person.id, identity.base())),
        game=table.game,
        waiting=table.state is None,
        guided=bool(table.terms.lesson),
        code=table.code,
    )
    return identity.renew(make_response(page))


def guarded(handler: Callable[..., None]) -> Callable[..., None]:
    """A handshake that fails ends with a close code: an error page would be written into the open socket (RL-24)."""

    @wraps(handler)
    def run(socket: Socket, **values: str) -> None:
        try:
            handler(socket, **values)
        except NotKept:
            _turn_away(socket, codes.TRY_AGAIN)
        except Exception as error:
            journal.fault(error, action="handshake")
            _turn_away(socket, codes.BROKEN)

    return run


def table_socket(socket: Socket, code: str) -> None:
    """Draw the table for one person, and answer what that person sends."""
    person = _known(socket)
    if person is None:
        return
    try:
        table_id = pages.find(code)
    except HTTPException as error:  # a look-up like any other (RL-6)
        _turn_away(socket, codes.TOO_MUCH if error.code == 429 else codes.NO_TABLE)
        return
    page = request.args.get("sayfa", "0")
    wire = Wire(socket, table_id, person, int(page) if page.isdecimal() else 0)
    player = Player(house().hub, house().renderer, house().hints, wire, identity.base())
    attend(house().hub, wire, player.run)


def lobby_socket(socket: Socket) -> None:
    """Draw the lobby as it changes."""
    person = _known(socket)
    if person is None:
        return
    wire = Wire(socket, bus.LOBBY, person, 0)
    screen = LobbyScreen(house().renderer)
    app = house()._get_current_object()  # type: ignore[attr-defined]

    def draw(events: tuple[Event, ...]) -> list[str]:
        with app.app_context():
            return [html] if (html := screen.update(pages.lobby(person))) else []

    wire.draw = draw
    attend(house().hub, wire, _listen(socket))


def _listen(socket: Socket) -> Callable[[], None]:
    """Nothing that comes in from the lobby means anything."""

    def run() -> None:
        while True:
            socket.receive()

    return run


def _known(socket: Socket) -> Person | None:
    """The person behind a handshake, let in; else the socket is closed with the reason."""
    person = identity.person()
    if person is None:
        _turn_away(socket, codes.UNKNOWN_PERSON)
        return None
    limits, wires = house().settings, house().hub.all()
    own = [wire for wire in wires if wire.person.id == person.id]
    if len(wires) >= limits.max_sockets:
        _turn_away(socket, codes.TRY_AGAIN)
        return None
    if len(own) >= limits.max_sockets_per_person:
        min(own, key=lambda wire: wire.page).socket.hang_up(codes.TOO_MUCH)
    try:
        people.admit(person.id, identity.room(), door.now())
    except Full:
        _turn_away(socket, codes.UNKNOWN_PERSON)
        return None
    return person


def _turn_away(socket: Socket, code: int) -> None:
    """Close before anything began; the code must be out before the server drops the line."""
    journal.noise("turned_away", code=code)
    socket.hang_up(code)
    socket.finish()
