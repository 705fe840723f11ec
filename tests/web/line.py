"""A bad network between a phone and the house: passes everything on, until it is told to lose it in silence."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

CHUNK: Final = 65_536


class Line:
    """Listens on an address of its own and passes on to a port; ``drop`` loses every byte, and closes nothing."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._ears = socket.create_server(("127.0.0.1", 0))
        self._dead, self._deaf = threading.Event(), threading.Event()
        self._sockets: list[socket.socket] = [self._ears]
        self.base = f"http://127.0.0.1:{self._ears.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def drop(self) -> None:
        """From now on nothing arrives, either way, and neither side is told."""
        self._dead.set()
        self._deaf.set()

    def lose_answers(self) -> None:
        """From now on the house hears the phone, and the phone hears nothing."""
        self._deaf.set()

    def close(self) -> None:
        """Take it down."""
        for sock in self._sockets:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._ears.accept()
                house = socket.create_connection(("127.0.0.1", self._port))
                self._sockets += (phone, house)
                for one, other, lost in ((phone, house, self._dead), (house, phone, self._deaf)):
                    threading.Thread(target=self._pass_on, args=(one, other, lost), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, lost: threading.Event) -> None:
        with suppress(OSError):
            while data := one.recv(CHUNK):
                if not lost.is_set():
                    other.sendall(data)
            if not lost.is_set():
                other.shutdown(socket.SHUT_WR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    """A line to a house, taken down afterwards."""
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
