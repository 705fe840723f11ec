"""All galleries: what they show, and the house that each wants."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from e2e import gallery, gallery_okey
from e2e.gallery import NewPhone, Scene
from tests.web.server import Server


class Show(NamedTuple):
    """Scenes one after another, and the settings of their house."""

    scenes: Callable[[Server, NewPhone], Iterator[Scene]]
    settings: dict[str, Any] = gallery.SETTINGS


SHOWS: Final = {
    "pages": Show(gallery.pages),
    "full": Show(gallery.full, gallery.SETTINGS | {"max_people": 2}),
    "pair": Show(gallery.pair),
    "company": Show(gallery.company),
    "okey-turns": Show(gallery_okey.turns, gallery_okey.SETTINGS),
    "okey-tables": Show(gallery_okey.tables, gallery_okey.SETTINGS),
    "okey-company": Show(gallery_okey.company, gallery_okey.SETTINGS),
}
