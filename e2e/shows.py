"""All galleries: what they show, and the house that each wants."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from e2e import (
    gallery,
    gallery_clock,
    gallery_hints,
    gallery_klasik,
    gallery_lessons,
    gallery_okey,
    gallery_people,
    gallery_replay,
    gallery_shuffle,
    gallery_talk,
    gallery_tavla,
    gallery_trick,
    staging,
)
from e2e.gallery import NewPhone, Scene
from tests.web.server import Server


class Show(NamedTuple):
    """Scenes one after another, and the settings of their house; ``judged`` where axe is asked in every run, too."""

    scenes: Callable[[Server, NewPhone], Iterator[Scene]]
    settings: dict[str, Any] = gallery.SETTINGS
    judged: bool = True


SHOWS: Final = {
    "pages": Show(gallery.pages),
    "full": Show(gallery.full, gallery.SETTINGS | {"max_people": 2}, judged=False),
    "pair": Show(gallery.pair),
    "company": Show(gallery.company, judged=False),
    "okey-turns": Show(gallery_okey.turns, staging.SETTINGS),
    "okey-tables": Show(gallery_okey.tables, staging.SETTINGS, judged=False),
    "okey-rulesets": Show(gallery_okey.rulesets, staging.SETTINGS, judged=False),
    "okey-company": Show(gallery_okey.company, staging.SETTINGS, judged=False),
    "klasik": Show(gallery_klasik.turns, staging.SETTINGS),
    "klasik-broad": Show(gallery_klasik.broad, staging.SETTINGS, judged=False),
    "batak": Show(gallery_trick.batak, staging.SETTINGS),
    "batak-broad": Show(gallery_trick.batak_broad, staging.SETTINGS, judged=False),
    "358": Show(gallery_trick.ucbessekiz, staging.SETTINGS, judged=False),
    "358-broad": Show(gallery_trick.ucbessekiz_broad, staging.SETTINGS, judged=False),
    "tavla": Show(gallery_tavla.turns, staging.SETTINGS),
    "tavla-broad": Show(gallery_tavla.broad, staging.SETTINGS, judged=False),
    "clock": Show(gallery_clock.clocks, staging.SETTINGS, judged=False),
    "clock-everywhere": Show(gallery_clock.everywhere, staging.SETTINGS, judged=False),
    "people": Show(gallery_people.careers, staging.SETTINGS),
    "hints": Show(gallery_hints.hints, staging.SETTINGS, judged=False),
    "shuffle": Show(gallery_shuffle.shuffles, staging.SETTINGS, judged=False),
    "lessons": Show(gallery_lessons.shown, gallery_lessons.SETTINGS),
    "replay": Show(gallery_replay.replays, staging.SETTINGS, judged=False),
    "talk": Show(gallery_talk.talks, gallery_talk.SETTINGS),
    "talk-everywhere": Show(gallery_talk.everywhere, gallery_talk.SETTINGS, judged=False),
}
