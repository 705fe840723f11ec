"""gunicorn's gevent worker, quick to go down: lines on which nobody asks anything don't hold it up (RL-50)."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import gevent
from gevent.local import local
from gunicorn.workers.ggevent import GeventWorker


class Worker(GeventWorker):
    """Knows the lines that wait for a request."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.waiting: set[socket.socket] = set()
        self._own = local()

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve one line until it ends."""
        self._own.line = client
        super().handle(listener, client, addr)

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:  # type: ignore[override]  # the stubs say it gives nothing
        """So long a line may wait for a request."""
        line = self._own.line
        self.waiting.add(line)
        try:
            with gevent.Timeout(self.cfg.keepalive, False):  # type: ignore[arg-type]  # False is silence
                yield
        finally:
            self.waiting.discard(line)

    def hang_up(self) -> None:
        """Wait for nobody's request any more; what is being answered, and every WebSocket, goes on."""
        for line in list(self.waiting):
            with suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as twin:
                twin.shutdown(socket.SHUT_RD)  # whoever waits on the line itself reads its end, and no error
