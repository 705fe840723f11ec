"""One WebSocket from the browser's side, lean enough for hundreds: counts bytes on the line and unpacked.

Reads what a server writes: no masks. Compresses as browsers do, with a context kept in both directions.
"""

import zlib
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from secrets import token_bytes
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from gevent import socket

CHUNK: Final = 65_536
SEGMENT: Final = 1_400
"""Bytes of a packet to somebody far away; to the own machine systems make larger ones, and hold 3 MB of them."""
PATIENCE: Final = 30.0
"""Seconds within which a handshake must be answered."""
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
_TAIL: Final = b"\x00\x00\xff\xff"
_OFFER: Final = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"


class Heard(NamedTuple):
    """One message: its text, and the bytes that it took on the line."""

    text: bytes
    wire: int


class Rejected(Exception):
    """The handshake was refused."""


class Line:
    """An open socket. ``buffer``: bytes that the system may hold for whoever does not read."""

    def __init__(self, base: str, target: str, cookie: str, *, deflate: bool = True, buffer: int = 0) -> None:
        self._sock = socket.socket()
        if buffer:
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._waiting = bytearray()
        address = urlsplit(base)
        self._sock.settimeout(PATIENCE)
        self._sock.connect((address.hostname, address.port))
        self._sock.sendall(_request(base, target, cookie, offer=_OFFER if deflate else "").encode())
        head = self._head()
        self._sock.settimeout(None)
        if b"HTTP/1.1 101" not in head:
            raise Rejected(head.decode(errors="replace"))
        self._deflate = b"permessage-deflate" in head.lower()
        self._forgets = b"client_no_context_takeover" in head.lower()
        self._pack = _packer()
        self._unpack = zlib.decompressobj(-15)

    def send(self, text: bytes) -> None:
        """Send one message."""
        if not self._deflate:
            self._frame(TEXT, text)
            return
        if self._forgets:
            self._pack = _packer()
        packed = self._pack.compress(text) + self._pack.flush(zlib.Z_SYNC_FLUSH)
        self._frame(0x40 | TEXT, packed.removesuffix(_TAIL))

    def heard(self) -> Iterator[Heard]:
        """Every message as it comes, until the line closes."""
        pieces, wire, packed = b"", 0, False
        while (frame := self._next()) is not None:
            first, payload, size = frame
            kind = first & 0x0F
            if kind == PING:
                self._frame(PONG, payload)
            elif kind == CLOSE:
                return
            elif kind < CLOSE:
                packed = bool(first & 0x40) if kind else packed
                pieces, wire = pieces + payload, wire + size
                if first & 0x80:
                    yield Heard(self._unpack.decompress(pieces + _TAIL) if packed else pieces, wire)
                    pieces, wire = b"", 0

    def unread(self) -> int:
        """Bytes that the other side has written and this side's system has not taken yet. Linux only."""
        here, there = (f":{end[1]:04X}" for end in (self._sock.getsockname(), self._sock.getpeername()))
        for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines():
            columns = row.split()
            if columns[1].endswith(there) and columns[2].endswith(here):
                return int(columns[4].partition(":")[0], 16)
        return 0

    def close(self) -> None:
        """Hang up."""
        self._sock.close()

    def _head(self) -> bytes:
        while (end := self._waiting.find(b"\r\n\r\n")) < 0:
            self._more()
        head = bytes(self._waiting[:end])
        del self._waiting[: end + 4]
        return head

    def _next(self) -> tuple[int, bytes, int] | None:
        """First byte, payload and size of the next frame; None where the line is closed."""
        try:
            self._until(2)
            first, length, begins = self._waiting[0], self._waiting[1] & 0x7F, 2
            if length > 125:
                begins = 4 if length == 126 else 10
                self._until(begins)
                length = int.from_bytes(self._waiting[2:begins])
            size = begins + length
            self._until(size)
        except OSError:
            return None
        payload = bytes(self._waiting[begins:size])
        del self._waiting[:size]
        return first, payload, size

    def _until(self, size: int) -> None:
        while len(self._waiting) < size:
            self._more()

    def _more(self) -> None:
        data = self._sock.recv(CHUNK)
        if not data:
            raise ConnectionResetError
        self._waiting += data

    def _frame(self, first: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        mask = token_bytes(4)
        stream = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload) ^ int.from_bytes(stream)).to_bytes(size)
        self._sock.sendall(bytes([0x80 | first]) + length + mask + masked)


def _request(base: str, target: str, cookie: str, *, offer: str) -> str:
    return (
        f"GET {target} HTTP/1.1\r\nHost: {urlsplit(base).netloc}\r\nOrigin: {base}\r\nCookie: {cookie}\r\n"
        f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n{offer}"
        f"Sec-WebSocket-Key: {b64encode(token_bytes(16)).decode()}\r\n\r\n"
    )


def _packer() -> "zlib._Compress":
    return zlib.compressobj(wbits=-15)
