"""The bench's house in which people speak: while a recording lies in its folder, it is converted ten times at once."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import gevent

from mokali.config import Settings
from mokali.live.voices import Refused, Voices
from mokali.web.app import create_app
from mokali.web.house import House

APP: Final = "mokali.bench.talk:house()"
"""How gunicorn finds it."""
FILE: Final = "spoken"
AT_ONCE: Final = 10
PERIOD: Final = 0.05


def house() -> House:
    """The real house, and a greenlet more."""
    settings = Settings.from_env(os.environ)
    gevent.spawn(_talk, Path(settings.data) / FILE)
    return create_app(settings)


def _talk(file: Path) -> None:
    voices = Voices()
    while True:
        if file.exists():
            data = file.read_bytes()
            gevent.joinall([gevent.spawn(_say, voices, data) for _ in range(AT_ONCE)])
        else:
            gevent.sleep(PERIOD)


def _say(voices: Voices, data: bytes) -> None:
    with suppress(Refused):  # where the machine is so busy that it takes too long
        voices.convert(data)
