"""A browser without a screen: requests over plain http, and a WebSocket that loses no message. Keeps every byte."""

import http.client
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Message,
    Ping,
    RejectConnection,
    RejectData,
    Request,
    TextMessage,
)
from wsproto.extensions import Extension, PerMessageDeflate

PATIENCE: Final = 30.0
"""Seconds until an answer counts as missing; never waited out where all is well."""
CHUNK: Final = 65_536
OWN: Final = "own"
"""The ``Origin`` of the house itself."""


_sockets: list[socket.socket] = []


def hang_up_all() -> None:
    """Close what a test left open."""
    while _sockets:
        _sockets.pop().close()


class Rejected(Exception):
    """The handshake was answered with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Closed(Exception):
    """The other side has closed, with this code; 1006 where it just vanished."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Answer(NamedTuple):
    """What came back for a request."""

    status: int
    headers: dict[str, str]
    cookies: tuple[str, ...]
    text: str


class Wire:
    """One WebSocket, as a browser opens it: with a port in ``Host``, an ``Origin`` and cookies."""

    def __init__(
        self,
        base: str,
        target: str,
        cookie: str = "",
        *,
        origin: str | None = OWN,
        deflate: bool = True,
        buffer: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        address = urlsplit(base)
        self._sock = socket.socket()
        _sockets.append(self._sock)
        if buffer is not None:
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self._sock.settimeout(PATIENCE)
        try:
            self._sock.connect((address.hostname or "", address.port or 80))
        except BaseException:
            self._sock.close()
            raise
        self._protocol = WSConnection(ConnectionType.CLIENT)
        self._text: list[str] = []
        self._arrived: list[str] = []
        self.closed: int | None = None
        self.heard: list[str] = []
        """Every message that ever came, in order."""
        self.beside: list[str] = []
        """What else came: the answer to the handshake, the reason of the close."""
        extra = dict(headers or {}) | ({"Cookie": cookie} if cookie else {})
        if origin is not None:
            extra["Origin"] = base if origin == OWN else origin
        extensions: list[Extension] = [PerMessageDeflate()] if deflate else []
        pairs = [(name.encode(), value.encode()) for name, value in extra.items()]
        request = Request(host=address.netloc, target=target, extensions=extensions, extra_headers=pairs)
        self._write(self._protocol.send(request))
        self._open = False
        try:
            while not self._open:
                self._read(PATIENCE)
        except BaseException:
            self._sock.close()
            raise

    def send(self, text: str) -> None:
        """Send one message of text."""
        self._write(self._protocol.send(TextMessage(data=text)))

    def send_bytes(self, data: bytes) -> None:
        """Send one binary message."""
        self._write(self._protocol.send(BytesMessage(data=data)))

    def send_pieces(self, *pieces: str) -> None:
        """Send one message in several frames."""
        for n, piece in enumerate(pieces, 1):
            self._write(self._protocol.send(Message(data=piece, message_finished=n == len(pieces))))

    def send_raw(self, data: bytes) -> None:
        """Put bytes on the line as they are."""
        self._write(data)

    def receive(self, timeout: float = PATIENCE) -> str:
        """The next message, ``hb`` included. Raises Closed, TimeoutError."""
        until = time.monotonic() + timeout
        while not self._arrived:
            if self.closed is not None:
                raise Closed(self.closed)
            self._read(until - time.monotonic())
        return self._arrived.pop(0)

    def waiting(self, timeout: float = 0.0) -> Iterator[str]:
        """What has come so far; after ``timeout`` seconds of silence there is nothing more."""
        while True:
            try:
                yield self.receive(timeout)
            except (TimeoutError, Closed):
                return

    def close_code(self, timeout: float = PATIENCE) -> int:
        """Read on until the other side closes; its code. Raises TimeoutError."""
        try:
            until = time.monotonic() + timeout
            while True:
                self.receive(until - time.monotonic())
        except Closed as error:
            return error.code

    def close(self) -> None:
        """Say good-bye and hang up."""
        if self.closed is None:
            with suppress(OSError):
                self._write(self._protocol.send(CloseConnection(code=1000)))
        self._sock.close()

    def cut(self) -> None:
        """Hang up without a word."""
        self._sock.close()

    def _write(self, data: bytes) -> None:
        self._sock.settimeout(PATIENCE)
        self._sock.sendall(data)

    def _read(self, timeout: float) -> None:
        """Wait for bytes and take them in. Raises TimeoutError, Rejected."""
        self._sock.settimeout(max(timeout, 0.001))
        try:
            data = self._sock.recv(CHUNK)
        except ConnectionError:
            data = b""
        if not data:
            self.closed = self.closed or 1006
            if not self._open:
                raise Rejected(0)
            return
        if not self._open:
            self.beside.append(data.partition(b"\r\n\r\n")[0].decode())
        self._protocol.receive_data(data)
        for event in self._protocol.events():
            match event:
                case AcceptConnection():
                    self._open = True
                case RejectConnection(status_code=status):
                    raise Rejected(status)
                case RejectData():
                    pass
                case TextMessage():
                    self._text.append(event.data)
                    if event.message_finished:
                        self._take("".join(self._text))
                        self._text.clear()
                case BytesMessage():
                    raise AssertionError("the house sends text only")
                case Ping():
                    self._write(self._protocol.send(event.response()))
                case CloseConnection(code=code, reason=reason):
                    self.closed = int(code)
                    self.beside.append(reason or "")
                    self._finish(event)

    def _take(self, message: str) -> None:
        self.heard.append(message)
        self._arrived.append(message)

    def _finish(self, event: CloseConnection) -> None:
        with suppress(OSError):
            self._write(self._protocol.send(event.response()))


class Visitor:
    """Somebody with a device: keeps the cookies he is given, and every byte he hears."""

    def __init__(self, base: str, name: str = "") -> None:
        self.base, self.name = base, name
        self.cookies: dict[str, str] = {}
        self.tokens: set[str] = set()
        """Every value that the identity cookie has had."""
        self.heard: list[str] = []
        self.beside: list[str] = []
        """Status lines, and the cookies that were set."""
        self.wires: list[Wire] = []
        if name:
            assert self.enter(name).status == 303

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Fetch a page; redirects are not followed."""
        return self._ask("GET", path, None, headers or {})

    def post(
        self,
        path: str,
        form: Mapping[str, object] | None = None,
        *,
        origin: str | None = OWN,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a form."""
        body = urlencode({key: str(value) for key, value in (form or {}).items()})
        extra = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        if origin is not None:
            extra["Origin"] = self.base if origin == OWN else origin
        return self._ask("POST", path, body, extra)

    def enter(self, name: str) -> Answer:
        """Type a name at the door."""
        return self.post("/gir", {"name": name, "next": ""})

    def wire(self, target: str, *, origin: str | None = OWN, deflate: bool = True, buffer: int | None = None) -> Wire:
        """Open a socket. Raises Rejected."""
        wire = Wire(self.base, target, self.cookie, origin=origin, deflate=deflate, buffer=buffer)
        self.wires.append(wire)
        return wire

    @property
    def cookie(self) -> str:
        """The ``Cookie`` header."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def everything(self) -> str:
        """All he has ever heard, headers included, save the cookies that were set."""
        return "\n".join([*self.heard, *(message for wire in self.wires for message in wire.heard)])

    def _ask(self, method: str, path: str, body: str | bytes | None, headers: Mapping[str, str]) -> Answer:
        address = urlsplit(self.base)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE)
        try:
            given = {"Connection": "close", **({"Cookie": self.cookie} if self.cookies else {}), **headers}
            connection.request(method, path, body, given)
            response = connection.getresponse()
            text = response.read().decode()
            answer = Answer(
                response.status,
                {name.lower(): value for name, value in response.getheaders() if name.lower() != "set-cookie"},
                tuple(response.headers.get_all("Set-Cookie") or ()),
                text,
            )
        finally:
            connection.close()
        self._keep(answer)
        return answer

    def _keep(self, answer: Answer) -> None:
        self.heard.append("\n".join([*(f"{name}: {value}" for name, value in answer.headers.items()), answer.text]))
        self.beside.append("\n".join([str(answer.status), *answer.cookies]))
        for cookie in answer.cookies:
            name, _, rest = cookie.partition("=")
            value = rest.partition(";")[0].strip('"')
            if value and "max-age=0" not in cookie.lower():
                self.cookies[name] = value
                if name.endswith("mokali"):
                    self.tokens.add(value)
            else:
                self.cookies.pop(name, None)
