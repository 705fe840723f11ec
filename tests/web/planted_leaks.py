"""Houses whose clock stands still, and houses that tell secrets on purpose. Importing does nothing.

Gunicorn serves ``tests.web.planted_leaks:rack()`` and the others.
"""

import os

from mokali.config import Settings
from mokali.live import door
from mokali.web.app import create_app
from mokali.web.house import House
from tests.seated import NOW


def still() -> House:
    """No leak, but it is always the same moment."""
    _put(door, "now", lambda: NOW)
    return create_app(Settings.from_env(os.environ))


def _put(place: object, name: str, value: object) -> None:
    setattr(place, name, value)
