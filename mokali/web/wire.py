"""One open WebSocket: its outbox, its one writer, its close codes. Knows neither tables nor people.

The library sends with ``send``, which under gevent may write half a frame, and from whatever greenlet comes along: here
everything goes through an outbox that one greenlet empties, whatever the system takes at a time (RL-21, RL-22).
"""

import socket
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import gevent
from gevent.event import Event
from simple_websocket import ConnectionClosed, Server
from simple_websocket import ConnectionError as NoHandshake
from werkzeug.exceptions import BadRequest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Ping
from wsproto.events import Event as Frame
from wsproto.extensions import PerMessageDeflate
from wsproto.utilities import LocalProtocolError, ProtocolError

from mokali import figures
from mokali.web.rates import Bucket

RESTARTING: Final = 1012
TRY_AGAIN: Final = 1013
BROKEN: Final = 1011
UNKNOWN_PERSON: Final = 4001
NO_TABLE: Final = 4004
TOO_MUCH: Final = 4008

FLOOD: Final = 5.0
"""Seconds that somebody may send more than is read of him."""
PIECE: Final = 16_384
"""Bytes that are handed over at a time; where not one gets through within the stall time, the reader is given up."""


class Outbox:
    """Stands where the library expects its socket. ``draw`` is called by the writer whenever the socket was poked."""

    def __init__(self, sock: Any, most: int, stall: float, intake: Bucket) -> None:
        self.sock, self.most, self.stall, self.intake = sock, most, stall, intake
        self.flooded: Callable[[], None] = self.cut
        self._debt = 0.0
        self._over_since: float | None = None
        self.draw: Callable[[], None] | None = None
        self.written: Callable[[], None] = lambda: None
        self._waiting = bytearray()
        self._bell = Event()
        self._poked = self._closing = self._broken = False
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(stall * 2000))
        self._writer = gevent.spawn(self._write)

    def send(self, data: bytes) -> None:
        """Put ``data`` in line. Raises OSError where the reader has fallen too far behind."""
        if self._broken or self._closing:
            raise OSError("closed")
        if len(self._waiting) + len(data) > self.most:
            figures.cuts.up("full")
            self.cut()
            raise OSError("outbox full")
        self._waiting += data
        self._bell.set()

    def poke(self) -> None:
        """Have the newest picture drawn once what is in line has gone out; many pokes make one picture."""
        self._poked = True
        self._bell.set()

    def recv(self, most: int) -> bytes:
        """What came in, no quicker than is allowed; who wants more for too long is given up (RL-18).

        It always lets others have their turn: as long as something lies ready, the system's own call would not.
        """
        gevent.sleep(self._debt)
        data: bytes = self.sock.recv(most)
        now = time.monotonic()
        self._debt = self.intake.owes(int(now * 1000), len(data))
        if not self._debt:
            self._over_since = None
        elif self._over_since is None:
            self._over_since = now
        elif now - self._over_since > FLOOD:
            self.flooded()
            raise OSError("flood")
        return data

    def fileno(self) -> int:
        """For the library's selector."""
        number: int = self.sock.fileno()
        return number

    def close(self) -> None:
        """Close once everything in line has gone out."""
        self._closing = True
        self._bell.set()

    def cut(self) -> None:
        """Give the reader up at once."""
        self._broken = True
        self._bell.set()
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)  # wakes the reading greenlet, as close() would not

    def abandon(self) -> None:
        """Stop writing and leave the line to others: there was no handshake."""
        self._writer.kill()

    def flush(self, seconds: float) -> None:
        """Wait for the writer to finish what is in line after ``close``."""
        self._writer.join(seconds)

    def _write(self) -> None:
        try:
            while not self._broken:
                self._bell.wait()
                self._bell.clear()
                self._empty()
                if self._poked and not self._closing:
                    self._poked = False
                    if self.draw is not None:
                        self.draw()
                        self._empty()
                        self.written()
                if self._closing and not self._waiting:
                    break
        except TimeoutError:
            figures.cuts.up("stalled")
        except OSError:
            pass
        finally:
            self._broken = True
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def _empty(self) -> None:
        while self._waiting and not self._broken:
            del self._waiting[: self._some_of(bytes(self._waiting[:PIECE]))]

    def _some_of(self, piece: bytes) -> int:
        """Send what the system takes of it now, else wait for it to take something. Raises TimeoutError."""
        try:
            sent: int = self.sock.send(piece, 0, 0.0)  # nearly always; a timer for each costs as much as the sending
        except BlockingIOError:
            with gevent.Timeout(self.stall, TimeoutError("no progress")):
                sent = self.sock.send(piece)
        return sent


class Deflate(PerMessageDeflate):
    """Compression in half the time with 96 KB a socket: a hundred of the library's 256 would not fit in the cache."""

    def __init__(self) -> None:
        super().__init__()
        self._compressor = zlib.compressobj(level=3, wbits=-14, memLevel=6)


class Connection(WSConnection):
    """The protocol, with that compression where the browser offers it."""

    def send(self, event: Frame) -> bytes:
        """The bytes of an event."""
        if isinstance(event, AcceptConnection):
            event = AcceptConnection(event.subprotocol, [Deflate()])
        return super().send(event)


class Socket(Server):
    """The library's server side, writing through an outbox."""

    sock: Any
    pong_received: bool

    def __init__(
        self, environ: dict[str, Any], *, max_outbox: int, stall_seconds: float, intake: tuple[int, int], **options: Any
    ) -> None:
        self._limits = max_outbox, stall_seconds, Bucket(*intake)
        try:
            super().__init__(environ, **options)
        except (ProtocolError, NoHandshake) as error:
            self.outbox.abandon()
            raise BadRequest from error

    def handshake(self) -> None:
        """Put the outbox between the library and the real socket before the first byte."""
        self.outbox = Outbox(self.sock, *self._limits)
        self.outbox.flooded = lambda: self.hang_up(TOO_MUCH)
        self.sock = self.outbox
        self.ws = Connection(ConnectionType.SERVER)
        super().handshake()

    def close(self, reason: int | None = None, message: str | None = None) -> None:
        """Close with ``reason``, and remember it."""
        super().close(reason, message)
        self.close_reason = reason

    def ping(self) -> None:
        """Ask for a sign of life; who has not answered the last time is told to try again (RL-23).

        The library would ask by itself, but then waits for every message in two steps, and closes with a code on which
        no browser comes back.
        """
        if not self.pong_received:
            self.hang_up(TRY_AGAIN)
            return
        self.pong_received = False
        with suppress(OSError, LocalProtocolError):  # it may be closing
            self.sock.send(self.ws.send(Ping()))

    def tell(self, text: str) -> bool:
        """Send ``text``; whether there is still somebody to send it to."""
        try:
            self.send(text)
        except (ConnectionClosed, LocalProtocolError, OSError):
            return False
        return True

    def finish(self) -> None:
        """Let the last bytes out and the library's reader end: it may not wait on a line that is closed under it."""
        self.outbox.close()
        self.outbox.flush(1.0)
        self.outbox.cut()
        self.thread.join(1.0)

    def hang_up(self, code: int) -> None:
        """Close with ``code`` if still open, and let the last bytes out."""
        with suppress(ConnectionClosed, LocalProtocolError, OSError):
            self.close(code)
        self.event.set()
        self.outbox.close()
